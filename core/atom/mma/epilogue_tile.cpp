// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/mma/epilogue_tile.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/atom/instructions/dsl_ops.hpp"
#include "core/atom/instructions/mma_families.hpp"
#include "core/atom/mma/tmem_fragment.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

// Columns that one store of a tensor takes at least: 16 bytes of each warp's where N is contiguous, else 8.
std::int64_t least_columns(const EpilogueTensor& tensor, std::int64_t warps_n) {
  if (tensor.m_major) return 8 * warps_n;
  return (bits(tensor.type) == 6 ? 128 : 128 / bits(tensor.type)) * warps_n;
}

// Columns that run well: so many elements an iteration without C, and with C fewer, whose tile takes shared memory too.
std::int64_t wanted_columns(std::int64_t cta_m, std::int64_t cta_n, std::int64_t rows, const EpilogueTensor& d,
                            const std::optional<EpilogueTensor>& c) {
  const std::int64_t widest = std::max(bits(d.type), c ? bits(c->type) : 0);
  std::int64_t columns = 64;
  if (!c)
    columns = (widest == 4 ? 8192 : 4096) / rows;
  else if (widest == 32)
    columns = cta_m > 64 && cta_n <= 128 ? 16 : 32;
  else if (widest == 16)
    columns = cta_n <= 128 ? 32 : 64;
  while (columns > 1 && cta_n % columns != 0) columns /= 2;
  return std::max<std::int64_t>(columns, 1);
}

// One tcgen05.ld: how many lanes, and bits a lane and repeat.
struct TmemLoad {
  int lanes = 32, bits = 32;
  bool packed = false;
};

std::optional<TmemLoad> tmem_load_of(std::int64_t lanes, const EpilogueTensor& d, ValueType accumulator) {
  const int of_acc = bits(accumulator), of_d = bits(d.type);
  if (of_acc == 16 && of_d == 16) {
    return lanes == 16 || d.m_major ? TmemLoad{16, 128, true} : TmemLoad{32, 32, true};
  }
  if (of_acc != 32) return std::nullopt;
  switch (of_d) {
    case 32:
      if (lanes == 32) return TmemLoad{};
      return d.m_major ? TmemLoad{16, 256} : TmemLoad{16, 128};
    case 16: return lanes == 16 || d.m_major ? TmemLoad{16, 256} : TmemLoad{};
    case 8:
      if (d.m_major) return TmemLoad{16, 256};
      return lanes == 16 ? TmemLoad{16, 32} : TmemLoad{};
    case 6:
    case 4: return lanes == 32 ? std::optional(TmemLoad{}) : std::nullopt;
    default: return std::nullopt;
  }
}

int most_repeats(const TmemLoad& load) { return load.bits == 256 ? 32 : load.bits == 128 ? 64 : 128; }

// SM100_TMEM_LOAD_16dp256b4x_16b: what the name says of a load.
struct NamedLoad {
  TmemLoad load;
  int repeat = 0;
};
std::optional<NamedLoad> named_load(std::string_view name) {
  NamedLoad made;
  if (!take_prefix(name, "SM100_TMEM_LOAD_")) return std::nullopt;
  made.load.lanes = take_count(name);
  if (!take_prefix(name, "dp")) return std::nullopt;
  made.load.bits = take_count(name);
  if (!take_prefix(name, "b")) return std::nullopt;
  made.repeat = take_count(name);
  made.load.packed = name.ends_with("_16b");
  return made;
}

}  // namespace

EpilogueWarps epilogue_warps(std::int64_t cta_m, bool two_ctas) {
  return cta_m == 64 && two_ctas ? EpilogueWarps{2, 2} : EpilogueWarps{4, 1};
}

Result<EpilogueTile> epilogue_tile(std::int64_t cta_m, std::int64_t cta_n, EpilogueWarps warps, const EpilogueTensor& d,
                                   const std::optional<EpilogueTensor>& c) {
  const auto [warps_m, warps_n] = warps;
  if (cta_m < 1 || cta_n < 1 || warps_m < 1 || warps_n < 1)
    return Error{ErrorCode::out_of_range, fmt::format("a CTA's tile of {} by {}", cta_m, cta_n), {}, {}};
  const std::int64_t rows = std::min(cta_m, kTmemLanesOfAWarp * warps_m);
  const std::int64_t least = std::max(least_columns(d, warps_n), c ? least_columns(*c, warps_n) : 8 * warps_n);
  if (cta_n < least) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("a CTA's tile of {} columns is smaller than the {} that a store of D, or a load of C, takes", cta_n, least),
                 {},
                 {}};
  }
  std::int64_t columns = std::min(cta_n, std::max(wanted_columns(cta_m, cta_n, rows, d, c), least));
  if (cta_n % columns != 0) columns = cta_n;
  // A column of warps stands at its own part of the CTA's columns.
  TESSERA_TRY(spread, Layout::make(IntTuple::tuple({columns / warps_n, warps_n}), IntTuple::tuple({1, cta_n / warps_n})));
  return EpilogueTile{Layout::trusted(rows, 1), coalesce(spread)};
}

Result<std::string> tmem_load_for(std::int64_t rows, std::int64_t columns, EpilogueWarps warps, const EpilogueTensor& d,
                                  ValueType accumulator) {
  const auto [warps_m, warps_n] = warps;
  const std::int64_t lanes = rows / warps_m, row_bits = columns / warps_n * bits(accumulator);
  if (rows % warps_m != 0 || columns % warps_n != 0 || (lanes != 16 && lanes != kTmemLanesOfAWarp)) {
    return Error{
        ErrorCode::out_of_range,
        fmt::format("{} by {} elements of {} by {} warps: a warp loads 16 or 32 data paths at once", rows, columns, warps_m, warps_n),
        {},
        {}};
  }
  const std::optional<TmemLoad> load = tmem_load_of(lanes, d, accumulator);
  if (!load) {
    return Error{ErrorCode::unknown_atom,
                 fmt::format("no load from tensor memory is chosen for accumulators of {} and D of {} on {} data paths",
                             cute_name(accumulator), cute_name(d.type), lanes),
                 {},
                 {}};
  }
  const std::int64_t step = load->lanes == 16 && load->bits == 32 ? 64 : load->bits;
  int repeat = most_repeats(*load);
  while (repeat > 1 && row_bits % (step * repeat) != 0) repeat /= 2;
  if (row_bits % (step * repeat) != 0) {
    return Error{ErrorCode::not_divisible, fmt::format("{} bits of a data path are no multiple of {}, the load's", row_bits, step), {}, {}};
  }
  return fmt::format("SM100_TMEM_LOAD_{}dp{}b{}x{}", load->lanes, load->bits, repeat, load->packed ? "_16b" : "");
}

std::string smem_store_for(const CopyTraits& load, const EpilogueTensor& d, ValueType accumulator) {
  const std::optional<NamedLoad> named = named_load(load.name);
  if (!named) return {};
  const int of_acc = bits(accumulator), of_d = bits(d.type), width = named->load.bits;
  const bool words = of_acc == 32 && !named->load.packed;
  if (words && of_d == 8 && d.m_major && width == 256)
    return cute_copy_name(DslMatrixCopy{"warp.StMatrix16x8x8bOp", true, std::min(named->repeat, 4), 0});
  const bool of_words = words && of_d == 32 && !d.m_major && width == 128;
  const bool of_halves = words && of_d == 16 && width == 256;
  const bool packed = of_acc == 16 && of_d == 16 && width == 128 && named->load.packed;
  if (!of_words && !of_halves && !packed) return {};
  return cute_copy_name(DslMatrixCopy{"warp.StMatrix8x8x16bOp", d.m_major, named->repeat == 1 ? 2 : 4, 0});
}

}  // namespace tessera
