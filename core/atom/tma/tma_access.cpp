// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/tma/tma_access.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/warp_access.hpp"
#include "core/atom/tma/smem_takers.hpp"
#include "core/base/budget.hpp"
#include "core/base/checked.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 22;
constexpr std::int64_t kInnerBytes = 16;

Error refused(ErrorCode code, std::string message, std::vector<std::string> notes = {}) {
  return {code, std::move(message), {}, std::move(notes)};
}

// One mode of the tensor as a box cuts it.
struct Cut {
  std::int64_t extent = 1, stride = 0, of_box = 1;
  std::int64_t boxes() const { return ceil_div(extent, of_box); }
};

Result<Cut> cut_of(const IntTuple& of_box, const IntTuple& basis, const Layout& tensor) {
  Cut cut;
  cut.of_box = of_box.value();
  const IntTuple *extent = &tensor.shape(), *stride = &tensor.stride();
  const BasisPath path = basis.path();
  for (std::size_t i = 0; i < path.length; ++i) {
    if (!extent->is_tuple() || path.modes[i] >= extent->rank())
      return refused(ErrorCode::not_congruent,
                     fmt::format("the copy was made for a mode {} that {} does not have", to_string(basis), to_string(tensor)));
    extent = &(*extent)[path.modes[i]], stride = &(*stride)[path.modes[i]];
  }
  if (!extent->is_int() || !stride->is_int())
    return refused(ErrorCode::not_congruent,
                   fmt::format("the copy was made for the mode {} as one, and {} has more there", to_string(basis), to_string(tensor)));
  cut.extent = extent->value(), cut.stride = stride->value();
  return cut;
}

// The modes of one coordinate of the descriptor.
Result<std::vector<Cut>> cuts_of(const IntTuple& extents, const IntTuple& modes, const Layout& tensor) {
  std::vector<IntTuple> sizes, bases;
  append_leaves(extents, sizes), append_leaves(modes, bases);
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    TESSERA_TRY(cut, cut_of(sizes[i], bases[i], tensor));
    cuts.push_back(cut);
  }
  return cuts;
}

// Several modes that lie one after the other are one row.
Result<Cut> one_row(const std::vector<Cut>& cuts, const Layout& tensor) {
  Cut row{1, 1, 1};
  for (const Cut& cut : cuts) {
    if (cut.stride != row.extent)
      return refused(
          ErrorCode::not_representable,
          fmt::format("the rows of {} are no neighbours: a step of {} follows {} elements", to_string(tensor), cut.stride, row.extent),
          {"give the tensor that the copy was made of"});
    row.extent *= cut.extent, row.of_box *= cut.of_box;
  }
  return row;
}

Status check_row(std::int64_t bits, std::int64_t span) {
  if (bits % (8 * kInnerBytes) != 0)
    return refused(ErrorCode::not_divisible,
                   fmt::format("a box's inner extent is {} bytes; TMA moves multiples of {}", bits / 8, kInnerBytes),
                   {"a tile whose contiguous mode is wider, or elements that are copied several at once"});
  if (span != kInnerBytes && bits > 8 * span)
    return refused(ErrorCode::not_representable,
                   fmt::format("a box's inner extent is {} bytes, and its swizzle takes {} together", bits / 8, span),
                   {fmt::format("a tile of {} bytes along the contiguous mode, as the canonical atoms have it", span)});
  return Done{};
}

}  // namespace

Result<TmaAccess> tma_access(const TmaCopy& copy, const Layout& tensor) {
  const std::int64_t bits_of = bits(copy.atom.value_type);
  if (copy.box.rank() == 0 || tensor.has_basis())
    return refused(ErrorCode::wrong_type, fmt::format("a tensor in global memory is wanted, not {}", to_string(tensor)));
  TESSERA_TRY(inner_cuts, cuts_of(copy.box.shape()[0], copy.box.stride()[0], tensor));
  TESSERA_TRY(inner, one_row(inner_cuts, tensor));
  TmaAccess made;
  made.span = tma_span(copy.swizzle, bits_of);
  if (made.span == 0)
    return refused(ErrorCode::not_representable,
                   fmt::format("TMA has no mode that swizzles by {} over elements of {} bits", to_string(copy.swizzle), bits_of));
  TESSERA_CHECK(check_row(inner.of_box * bits_of, made.span));
  made.inner_bytes = inner.of_box * bits_of / 8, made.rows = copy.box.size() / inner.of_box, made.boxes = inner.boxes();
  std::vector<std::int64_t> begins{0};  // of rows, in elements
  for (std::size_t j = 1; j < copy.box.rank(); ++j) {
    TESSERA_TRY(cuts, cuts_of(copy.box.shape()[j], copy.box.stride()[j], tensor));
    for (const Cut& cut : cuts) {
      made.boxes *= cut.boxes();
      if (cut.extent > kMostRows / static_cast<std::int64_t>(begins.size()))
        return refused(ErrorCode::limit, fmt::format("{} has more than {} rows", to_string(tensor), kMostRows),
                       {"ask about a part of the tensor"});
      const std::size_t before = begins.size();
      begins.reserve(before * static_cast<std::size_t>(cut.extent));
      for (std::int64_t i = 1; i < cut.extent; ++i) {
        if (late()) return past_deadline("the rows of a TMA copy");
        for (std::size_t k = 0; k < before; ++k) begins.push_back(begins[k] + i * cut.stride);
      }
    }
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> alike;  // behind a sector, bytes -> rows
  for (const std::int64_t begin : begins) {
    if (late()) return past_deadline("the rows of a TMA copy");
    for (std::int64_t at = 0; at < inner.extent; at += inner.of_box)
      ++alike[{(begin + at) * bits_of / 8 % kSectorBytes, std::min(inner.of_box, inner.extent - at) * bits_of / 8}];
  }
  for (const auto& [where, rows] : alike) {
    const auto [behind, bytes] = where;
    const TmaAccess::Row row{rows, behind, bytes, rows * ceil_div(behind + bytes, kSectorBytes), rows * ceil_div(bytes, kSectorBytes)};
    made.sectors += row.sectors, made.least += row.least;
    made.alike.push_back(row);
  }
  return made;
}

}  // namespace tessera
