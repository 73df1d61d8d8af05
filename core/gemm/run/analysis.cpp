// SPDX-License-Identifier: BSD-3-Clause
// The access rules of shared and global memory, as measured against an H200's counters:
//   W(group) = the most distinct 4-byte words that any of the 32 banks serves for the lanes of a group
//   <= 32-bit accesses: one group of 32 lanes. 64-bit: two groups of 16. 128-bit: four groups of 8. Groups are summed.
//   64- and 128-bit loads pair lanes: if every lane has the address of lane^1, or every lane that of lane^2, groups are twice as wide.
//   ldmatrix: one group of 8 row addresses, 16 bytes each, a matrix.
#include "core/gemm/run/analysis.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace tessera {

namespace {

constexpr int kLanes = 32, kBanks = 32, kBankBytes = 4, kSectorBytes = 32;

std::int64_t group_wavefronts(const Access& access, int first, int lanes) {
  std::array<std::set<std::int64_t>, kBanks> words;
  for (int lane = first; lane < first + lanes; ++lane) {
    const std::int64_t address = access.address[static_cast<std::size_t>(lane)];
    if (address < 0) continue;
    for (std::int64_t word = address / kBankBytes; word <= (address + access.bytes - 1) / kBankBytes; ++word)
      words[static_cast<std::size_t>(word % kBanks)].insert(word);
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<std::int64_t>(most);
}

bool lanes_agree(const Access& access, int distance) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::int64_t mine = access.address[static_cast<std::size_t>(lane)],
                       other = access.address[static_cast<std::size_t>(lane ^ distance)];
    if (mine >= 0 && other >= 0 && mine != other) return false;
  }
  return true;
}

bool active(const Access& access, int first, int lanes) {
  return std::any_of(access.address.begin() + first, access.address.begin() + first + lanes, [](std::int64_t a) { return a >= 0; });
}

}  // namespace

Wavefronts smem_wavefronts(const Access& access, bool store) {
  int group = kLanes;
  if (access.matrix) {
    group = 8;
  } else if (access.bytes > 4) {
    group = access.bytes > 8 ? 8 : 16;
    if (!store && (lanes_agree(access, 1) || lanes_agree(access, 2))) group *= 2;
  }
  Wavefronts result;
  const std::int64_t width = access.matrix ? 16 : access.bytes;
  Access wide = access;
  wide.bytes = width;
  for (int first = 0; first < kLanes; first += group) {
    if (!active(access, first, group)) continue;
    result.count += group_wavefronts(wide, first, group);
    // A conflict-free group serves its distinct words 32 at a time.
    std::set<std::int64_t> words;
    for (int lane = first; lane < first + group; ++lane) {
      const std::int64_t address = access.address[static_cast<std::size_t>(lane)];
      for (std::int64_t byte = 0; address >= 0 && byte < width; byte += kBankBytes) words.insert((address + byte) / kBankBytes);
    }
    result.least += (static_cast<std::int64_t>(words.size()) + kBanks - 1) / kBanks;
  }
  return result;
}

std::int64_t gmem_sectors(const Access& access) {
  std::set<std::int64_t> sectors;
  for (const std::int64_t address : access.address) {
    for (std::int64_t s = address / kSectorBytes; address >= 0 && s <= (address + access.bytes - 1) / kSectorBytes; ++s) sectors.insert(s);
  }
  return static_cast<std::int64_t>(sectors.size());
}

std::vector<AccessSummary> summarize(const std::vector<Access>& trace) {
  std::vector<AccessSummary> rows;
  for (const Access& access : trace) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const AccessSummary& r) { return r.step == access.step; });
    if (row == rows.end()) {
      const bool global =
          access.step == Access::Step::read_a || access.step == Access::Step::read_b || access.step == Access::Step::store_c;
      row = rows.insert(rows.end(), AccessSummary{access.step, 0, 0, 0, !global});
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
      const Wavefronts w = smem_wavefronts(access, store);
      row->units += w.count;
      row->least_units += w.least;
    } else {
      std::set<std::int64_t> bytes;  // that any lane asks for: several lanes may ask for the same
      for (const std::int64_t address : access.address) {
        for (std::int64_t i = 0; address >= 0 && i < access.bytes; ++i) bytes.insert(address + i);
      }
      row->units += gmem_sectors(access);
      row->least_units += (static_cast<std::int64_t>(bytes.size()) + kSectorBytes - 1) / kSectorBytes;
    }
  }
  return rows;
}

}  // namespace tessera
