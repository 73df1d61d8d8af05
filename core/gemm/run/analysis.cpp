// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/run/analysis.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tessera {

namespace {

WarpAccess of_warp(const Access& access, bool store) {
  const WarpAccess::Kind kind = access.matrix ? WarpAccess::Kind::matrix : store ? WarpAccess::Kind::store : WarpAccess::Kind::load;
  return {kind, access.bytes, access.address};
}

}  // namespace

std::string_view step_name(Access::Step step) {
  switch (step) {
    case Access::Step::read_a: return "gmem read of A";
    case Access::Step::read_b: return "gmem read of B";
    case Access::Step::g2s_write_a: return "smem write of A";
    case Access::Step::g2s_write_b: return "smem write of B";
    case Access::Step::s2r_a: return "smem read of A";
    case Access::Step::s2r_b: return "smem read of B";
    case Access::Step::store_c: return "gmem store of C";
    case Access::Step::stage_c: return "smem write of C";
    case Access::Step::unstage_c: return "smem read of C";
  }
  return "";
}

std::vector<AccessSummary> summarize(const std::vector<Access>& trace) {
  std::vector<AccessSummary> rows;
  for (const Access& access : trace) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const AccessSummary& r) { return r.step == access.step; });
    if (row == rows.end()) {
      const bool global =
          access.step == Access::Step::read_a || access.step == Access::Step::read_b || access.step == Access::Step::store_c;
      row = rows.insert(rows.end(), AccessSummary{access.step, 0, 0, 0, !global, access.bytes});
    }
    ++row->instructions;
    if (!access.box.empty()) {  // TMA: whole boxes, 128 bytes of shared memory or a sector at a time
      const std::int64_t unit = row->shared ? kBanks * kBankBytes : kSectorBytes;
      std::vector<std::int64_t> touched;
      for (const std::int64_t run : access.box) {
        for (std::int64_t i = run / unit; i <= (run + access.bytes - 1) / unit; ++i) touched.push_back(i);
      }
      std::sort(touched.begin(), touched.end());
      row->units += std::unique(touched.begin(), touched.end()) - touched.begin();
      row->least_units += (static_cast<std::int64_t>(access.box.size()) * access.bytes + unit - 1) / unit;
      continue;
    }
    if (row->shared) {
      const bool store =
          access.step == Access::Step::g2s_write_a || access.step == Access::Step::g2s_write_b || access.step == Access::Step::stage_c;
      const Wavefronts w = smem_wavefronts(of_warp(access, store));
      row->units += w.count;
      row->least_units += w.least;
      if (!row->conflict.empty()) continue;
      if (const auto conflict = first_conflict(of_warp(access, store)))
        row->conflict = fmt::format("warp {}, instruction {}, {}", access.warp, access.instruction, describe(*conflict, store));
    } else {
      row->units += gmem_sectors(of_warp(access, false));
      row->least_units += least_gmem_sectors(of_warp(access, false));
    }
  }
  return rows;
}

}  // namespace tessera
