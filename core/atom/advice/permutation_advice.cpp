// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/advice/permutation_advice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/copy/copy_access.hpp"
#include "core/base/budget.hpp"
#include "core/layout/fit.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kRowBits = 256;  // rows of memory begin at multiples of a sector
constexpr std::int64_t kMostBits = 128;

std::string_view operand_name(Operand operand) { return operand == Operand::a ? "A" : operand == Operand::b ? "B" : "C"; }
std::array<std::size_t, 2> modes_of(Operand operand) {
  return operand == Operand::a ? std::array<std::size_t, 2>{0, 2}
                               : std::array<std::size_t, 2>{operand == Operand::b ? 1u : 0u, operand == Operand::b ? 2u : 1u};
}
const Layout& thr_val(const MmaAtom& atom, Operand operand) {
  return operand == Operand::a ? atom.layout_a : operand == Operand::b ? atom.layout_b : atom.layout_c;
}

Error refuse(ErrorCode code, std::string message, std::vector<std::string> notes = {}) {
  return Error{code, std::move(message), {}, std::move(notes)};
}

const std::vector<Tiler>& permutation_modes(const TiledMma& mma) { return std::get<std::vector<Tiler>>(mma.permutation_mnk().value); }
Result<TiledMma> with_mode(const TiledMma& mma, std::size_t mode, Tiler tiler) {
  std::vector<Tiler> modes = permutation_modes(mma);
  modes[mode] = std::move(tiler);
  return TiledMma::make(mma.atom(), mma.atom_layout_mnk(), Tiler(std::move(modes)));
}

// The elements that the threads own of a tile, as places in memory.
struct Ownership {
  std::vector<std::int64_t> thread;               // of the hardware
  std::vector<std::vector<std::int64_t>> places;  // of each thread, ascending, in elements; no place twice
  std::int64_t rows = 0, extent = 0, pitch = 0;   // the mode is contiguous, the other has this pitch

  static Result<Ownership> of(const TiledMma& mma, const PermutationWish& wish) {
    const auto modes = modes_of(wish.operand);
    const std::int64_t first = mma.tile_mnk()[modes[0]], second = mma.tile_mnk()[modes[1]];
    Ownership made;
    made.extent = wish.first_mode ? first : second;
    made.rows = wish.first_mode ? second : first;
    const std::int64_t unit = kRowBits / wish.element_bits;
    made.pitch = (made.extent + unit - 1) / unit * unit;
    TESSERA_TRY(tile, Layout::make_compact(IntTuple::tuple({first, second})));
    TESSERA_TRY(fragments, mma.thrfrg(wish.operand, tile));  // ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN))) -> index in the tile
    TESSERA_TRY(ids, mma.thr_id_of(wish.operand));           // logical thread -> hardware thread
    TESSERA_CHECK(spend_cells(fragments.size(), "the elements that each thread of the MMA owns"));
    for (std::int64_t t = 0; t < fragments[0].size(); ++t) {
      std::set<std::int64_t> places;
      for (std::int64_t v = 0; v < fragments[1].size(); ++v) {
        const std::int64_t at = fragments(t, v), i = at % first, j = at / first;
        places.insert(wish.first_mode ? i + j * made.pitch : j + i * made.pitch);
      }
      made.thread.push_back(ids(t));
      made.places.emplace_back(places.begin(), places.end());
    }
    return made;
  }

  // Can every thread take its elements `count` at a time, at multiples of their width?
  bool by(std::int64_t count) const {
    return std::all_of(places.begin(), places.end(), [&](const std::vector<std::int64_t>& own) {
      const auto n = static_cast<std::int64_t>(own.size());
      if (n % count != 0) return false;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t begin = own[static_cast<std::size_t>(i / count * count)];
        if (begin % count != 0 || own[static_cast<std::size_t>(i)] != begin + i % count) return false;
      }
      return true;
    });
  }

  std::int64_t neighbours(std::int64_t wished) const {
    std::int64_t count = 1;
    while (2 * count <= wished && by(2 * count)) count *= 2;
    return count;
  }

  // Every element has an owner, and of C just one.
  Status check(bool only_one) const {
    std::vector<int> owners(static_cast<std::size_t>(rows * pitch), 0);
    for (const auto& own : places) {
      for (const std::int64_t at : own) ++owners[static_cast<std::size_t>(at)];
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t i = 0; i < extent; ++i) {
        const int n = owners[static_cast<std::size_t>(row * pitch + i)];
        if (n == 1 || (n > 1 && !only_one)) continue;
        return refuse(ErrorCode::breaks_law, fmt::format("element ({},{}) of the tile would have {} owners", row, i, n));
      }
    }
    return Done{};
  }

  Result<TileAccess> access(const PermutationWish& wish) const {
    TileAccess made;
    made.neighbours = neighbours(wish.bits / wish.element_bits);
    made.instructions = static_cast<std::int64_t>(places.front().size()) / made.neighbours;
    AccessPattern pattern;
    pattern.side = wish.operand == Operand::c ? CopySide::destination : CopySide::source;
    pattern.threads = *std::max_element(thread.begin(), thread.end()) + 1;
    pattern.at_once = made.neighbours;
    pattern.each = static_cast<std::int64_t>(places.front().size());
    pattern.element.assign(static_cast<std::size_t>(pattern.threads * pattern.each), -1);
    for (std::size_t t = 0; t < thread.size(); ++t) {
      for (std::size_t v = 0; v < places[t].size(); ++v)
        pattern.element[v * static_cast<std::size_t>(pattern.threads) + static_cast<std::size_t>(thread[t])] = places[t][v];
    }
    // Single elements of less than a byte share theirs: the sectors are those of the bytes.
    const bool shares_bytes = made.neighbours * wish.element_bits < 8;
    const std::int64_t a_unit = shares_bytes ? 8 / wish.element_bits : 1;
    if (shares_bytes) pattern.at_once = 1;
    std::vector<std::int64_t> offset(static_cast<std::size_t>(rows * pitch));
    for (std::size_t i = 0; i < offset.size(); ++i) offset[i] = static_cast<std::int64_t>(i) / a_unit;
    TESSERA_TRY(report, measure(pattern, offset, shares_bytes ? 8 : wish.element_bits, AccessSpace::gmem));
    if (!report.rows.empty()) made.sectors = report.rows.front().units;
    return made;
  }
};

std::string numbers(const std::set<std::int64_t>& all) { return fmt::format("{{{}}}", fmt::join(all, ", ")); }

// The indices of the atom's mode that one thread owns together, whatever the other mode's index: by class, in the order of their smallest.
struct Classes {
  std::int64_t each = 1;                    // indices of one class
  std::vector<std::int64_t> place, number;  // of each index: in its class, and which class it is

  static Result<Classes> of(const MmaAtom& atom, const PermutationWish& wish, std::size_t mode) {
    const Layout& tv = thr_val(atom, wish.operand);  // (thr, val) -> (first, second), colexicographic
    const std::int64_t first = shape_extent(atom, modes_of(wish.operand)[0]);
    std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>> owned;  // (thread, other) -> indices of the mode
    for (std::int64_t t = 0; t < tv[0].size(); ++t) {
      for (std::int64_t v = 0; v < tv[1].size(); ++v) {
        const std::int64_t at = tv(t, v), i = at % first, j = at / first;
        owned[{t, wish.first_mode ? j : i}].insert(wish.first_mode ? i : j);
      }
    }
    std::map<std::int64_t, std::set<std::int64_t>> by_smallest;
    for (const auto& [who, indices] : owned) by_smallest.try_emplace(*indices.begin(), indices);
    Classes made;
    made.place.assign(static_cast<std::size_t>(shape_extent(atom, mode)), -1);
    made.number = made.place;
    made.each = static_cast<std::int64_t>(by_smallest.begin()->second.size());
    for (const auto& [who, indices] : owned) {
      const auto& same = by_smallest.at(*indices.begin());
      if (indices == same && static_cast<std::int64_t>(indices.size()) == made.each) continue;
      return refuse(ErrorCode::not_representable,
                    fmt::format("the indices of {} that a thread of {} owns differ from row to row: {} and {}", mode_name(mode), atom.name,
                                numbers(indices), numbers(indices == same ? by_smallest.begin()->second : same)),
                    {"one permutation of the mode cannot make all of them neighbours"});
    }
    std::int64_t number = 0;
    for (const auto& [smallest, indices] : by_smallest) {
      std::int64_t place = 0;
      for (const std::int64_t i : indices) {
        if (made.place[static_cast<std::size_t>(i)] >= 0)
          return refuse(ErrorCode::not_representable, fmt::format("index {} of {} is owned by threads of {} together with different others",
                                                                  i, mode_name(mode), atom.name));
        made.place[static_cast<std::size_t>(i)] = place++;
        made.number[static_cast<std::size_t>(i)] = number;
      }
      ++number;
    }
    return made;
  }

  // perm of the header, value by value.
  std::vector<std::int64_t> permutation(std::int64_t threads, std::int64_t repeats) const {
    const auto extent = static_cast<std::int64_t>(place.size());
    std::vector<std::int64_t> made;
    for (std::int64_t r = 0; r < repeats; ++r) {
      for (std::int64_t t = 0; t < threads; ++t) {
        for (std::size_t e = 0; e < place.size(); ++e)
          made.push_back(place[e] + each * r + each * repeats * (number[e] + extent / each * t));
      }
    }
    return made;
  }
};

Status check_wish(const PermutationWish& wish) {
  const auto power = [](std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); };
  if (!power(wish.element_bits) || wish.element_bits > kMostBits)
    return refuse(ErrorCode::out_of_range, fmt::format("elements have a power of two of bits here, 1 to 128, not {}", wish.element_bits));
  if (!power(wish.bits) || wish.bits < 8 || wish.bits > kMostBits || wish.bits < wish.element_bits)
    return refuse(ErrorCode::out_of_range, fmt::format("an access has 8, 16, 32, 64 or 128 bits and no fewer than an element's {}, not {}",
                                                       wish.element_bits, wish.bits));
  return Done{};
}

Status check_registers(const MmaAtom& atom, const PermutationWish& wish) {
  const std::string_view name = operand_name(wish.operand);
  if (wish.operand == Operand::c) {
    if (atom.kind != MmaKind::umma) return Done{};
    return refuse(ErrorCode::wrong_type, fmt::format("{} has its accumulators in tensor memory, and no thread owns them", atom.name),
                  {"the copies from tensor memory (tcgen05.ld) decide which thread gets what"});
  }
  if (source_of(atom, wish.operand) != OperandSource::registers)
    return refuse(ErrorCode::wrong_type, fmt::format("{} reads {} through a descriptor, and no thread loads it", atom.name, name));
  if (wish.operand == Operand::a && atom.sparse)
    return refuse(ErrorCode::wrong_type, fmt::format("A of {} is compressed: its registers do not hold the elements of a row", atom.name));
  return Done{};
}

// Within an atom the mode keeps its order where the hardware reads it from shared memory.
bool order_is_the_hardwares(const MmaAtom& atom, std::size_t mode) {
  const bool a = atom.source_a != OperandSource::registers, b = atom.source_b != OperandSource::registers;
  return mode == 0 ? a : mode == 1 ? b : a || b;
}

std::string too_few(const PermutationWish& wish, std::string_view mode, std::int64_t owned, std::int64_t extent, std::int64_t widest) {
  return fmt::format("a thread owns {} values of a row of {} along {}, and {} bits take {}: {} bits is the widest {}", owned, extent, mode,
                     wish.bits, wish.bits / wish.element_bits, widest * wish.element_bits, wish.operand == Operand::c ? "store" : "load");
}

// How often the atoms are repeated along the mode.
Result<std::int64_t> repetitions(const TiledMma& mma, const PermutationWish& wish, std::size_t mode, std::int64_t owned) {
  const std::int64_t wanted = wish.bits / wish.element_bits;
  const std::int64_t atoms = shape_extent(mma.atom(), mode) * size(mma.thr_layout_vmnk().shape()[mode + 1]);
  const std::int64_t enough = wanted / std::gcd(wanted, owned);
  if (std::holds_alternative<Underscore>(permutation_modes(mma)[mode].value)) return enough;
  const std::int64_t extent = mma.tile_mnk()[mode];
  if (extent % atoms != 0)
    return refuse(ErrorCode::not_divisible,
                  fmt::format("the tile's extent {} along {} is no multiple of the atoms' {}", extent, mode_name(mode), atoms));
  const std::int64_t repeats = extent / atoms, all = owned * repeats;
  if (all % wanted != 0)
    return refuse(ErrorCode::not_divisible,
                  too_few(wish, mode_name(mode), all, extent, std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(all))),
                  {fmt::format("leave the extent open with `_`, or give the tile {} along {}", enough * atoms, mode_name(mode))});
  return repeats;
}

}  // namespace

std::string_view mode_name(std::size_t mode) { return mode == 0 ? "M" : mode == 1 ? "N" : "K"; }

Result<PermutationAdvice> permutation_for(const TiledMma& mma, const PermutationWish& wish) {
  TESSERA_CHECK(check_wish(wish));
  TESSERA_CHECK(check_registers(mma.atom(), wish));
  const std::size_t mode = modes_of(wish.operand)[wish.first_mode ? 0 : 1];
  const std::int64_t wanted = wish.bits / wish.element_bits;
  TESSERA_TRY(natural, Ownership::of(mma, wish));
  const bool changed = natural.neighbours(wanted) < wanted;
  TiledMma plain = mma, permuted = mma;
  if (changed) {
    const MmaAtom& atom = mma.atom();
    TESSERA_TRY(classes, Classes::of(atom, wish, mode));
    if (order_is_the_hardwares(atom, mode)) {
      const std::int64_t run = natural.neighbours(classes.each);
      return refuse(
          ErrorCode::not_representable,
          fmt::format("{}; {} reads that mode through a descriptor, in the hardware's order, so that a permutation may move whole "
                      "atoms only",
                      too_few(wish, mode_name(mode), run, natural.extent, run), atom.name),
          wish.operand == Operand::c ? std::vector<std::string>{"stmatrix gathers a row's values from several threads: SM90_U32x4_STSM_N"}
                                     : std::vector<std::string>{});
    }
    TESSERA_TRY(repeats, repetitions(mma, wish, mode, classes.each));
    const std::vector<std::int64_t> order = classes.permutation(size(mma.thr_layout_vmnk().shape()[mode + 1]), repeats);
    const auto extent = static_cast<std::int64_t>(order.size());
    const std::optional<Layout> layout = fit_layout(order, IntTuple(extent));
    if (!layout)
      return refuse(ErrorCode::not_representable, fmt::format("the order {} of {} is no layout's, and a permutation has to be one",
                                                              fmt::join(order, ","), mode_name(mode)));
    TESSERA_TRY(in_order, with_mode(mma, mode, Tiler(extent)));
    const bool in_order_already = std::is_sorted(order.begin(), order.end());
    TESSERA_TRY(reordered, with_mode(mma, mode, in_order_already ? Tiler(extent) : Tiler(*layout)));
    plain = std::move(in_order);
    permuted = std::move(reordered);
  }
  TESSERA_TRY(owned, Ownership::of(permuted, wish));
  TESSERA_CHECK(owned.check(wish.operand == Operand::c));
  TESSERA_TRY(owned_before, Ownership::of(plain, wish));
  TESSERA_TRY(before, owned_before.access(wish));
  TESSERA_TRY(after, owned.access(wish));
  if (after.neighbours < wanted)
    return refuse(ErrorCode::not_representable, too_few(wish, mode_name(mode), after.neighbours, owned.extent, after.neighbours));
  PermutationAdvice made{std::move(permuted), mode, before, after, changed, 0};
  const Operand other = wish.operand == Operand::a ? Operand::b : Operand::a;
  if (mode == 2 && source_of(made.mma.atom(), other) == OperandSource::registers) {
    PermutationWish alike = wish;
    alike.operand = other;
    if (Result<Ownership> beside = Ownership::of(made.mma, alike)) made.other_after = beside->neighbours(wanted);
  }
  return made;
}

}  // namespace tessera
