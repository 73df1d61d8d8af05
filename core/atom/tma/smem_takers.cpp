// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/tma/smem_takers.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/atom/copy/copy_access.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/atom/tma/tma_copy.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kInnerBytes = 16;  // an inner extent is a multiple of it
constexpr std::int64_t kBoxBytes = 128;   // a box begins at a multiple of it

Taken no(std::string why) { return {false, std::move(why)}; }

ValueType type_of(std::int64_t bits) {
  switch (bits) {
    case 4: return ValueType::e2m1;
    case 8: return ValueType::u8;
    case 16: return ValueType::f16;
    case 32: return ValueType::f32;
    default: return ValueType::f64;
  }
}

// A tensor in global memory that such a tile is cut out of: rows apart from each other, at a pitch that TMA takes.
Layout tensor_around(const Shape& tile, std::size_t contiguous) {
  constexpr std::int64_t kPitches = 256;  // elements
  const std::int64_t extents[] = {size(tile[0]), size(tile[1])};
  const std::int64_t pitch = (extents[contiguous] / kPitches + 2) * kPitches;
  return Layout::trusted(IntTuple::tuple({extents[0], extents[1]}),
                         contiguous == 0 ? IntTuple::tuple({1, pitch}) : IntTuple::tuple({pitch, 1}));
}

// Where the boxes begin, in bits: shared memory is walked in order, a box at a time.
Result<std::int64_t> box_off_its_place(const AnyLayout& layout, std::int64_t elements, std::int64_t bits) {
  TESSERA_TRY(places, element_offsets(plain_part(layout)));
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); i += static_cast<std::size_t>(elements)) {
    if (places[i] * bits % (8 * kBoxBytes) != 0) return places[i] * bits / 8;
  }
  return -1;
}

}  // namespace

std::int64_t tma_span(const Swizzle& swizzle, std::int64_t bits) {
  if (swizzle.is_identity()) return kInnerBytes;
  const int base = swizzle.base() + std::countr_zero(static_cast<std::uint64_t>(bits)) - 3;
  if (base == 4 && swizzle.shift() == 3 && swizzle.bits() <= 3) return kInnerBytes << swizzle.bits();
  return base == 5 && swizzle.shift() == 2 && swizzle.bits() == 2 ? kBoxBytes : 0;  // by 32-byte units
}

Taken tma_takes(const AnyLayout& layout, std::size_t contiguous, std::int64_t bits) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (composed && (parts(*composed) > 2 || !std::holds_alternative<Swizzle>(composed->outer))) return no("no single swizzle");
  TmaRequest request;
  const auto operation = find_copy_atom("SM90_TMA_LOAD");
  const auto identity = make_identity_layout(tensor_around(shape(layout), contiguous).shape());
  if (!operation || !identity) return no("no boxes");
  request.operation = *operation;
  request.gmem = tensor_around(shape(layout), contiguous);
  request.type = type_of(bits);
  request.smem = layout;
  request.cta_values = *identity;
  const auto made = make_tma_atom(request);
  if (!made) return no(made.error().code == ErrorCode::limit ? "more than 256 in a mode" : "not along the tensor's rows");
  const std::int64_t inner = size(made->box.shape()[0]), outer = made->box.size() / inner, row_bits = inner * bits;
  if (row_bits % (8 * kInnerBytes) != 0) return no(fmt::format("rows of {} B", row_bits / 8));
  const Swizzle swizzle = composed ? std::get<Swizzle>(composed->outer) : Swizzle();
  const std::int64_t span = tma_span(swizzle, bits);
  if (span == 0) return no("no such swizzle");
  if (!swizzle.is_identity() && row_bits != 8 * span) return no(fmt::format("{} B swizzled by {} B", row_bits / 8, span));
  const auto off = box_off_its_place(layout, made->box.size(), bits);
  if (!off) return no("no boxes");
  if (*off >= 0) return no(fmt::format("a box at {} B", *off));
  const std::string how = swizzle.is_identity() ? "" : fmt::format(" by {} B{}", span, swizzle.shift() == 2 ? " in 32 B" : "");
  return {true, fmt::format("{}x{}{}", inner, outer, how)};
}

Taken ldmatrix_takes(const AnyLayout& layout, std::size_t contiguous, std::int64_t bits) {
  if (contiguous == 0 && bits != 16) return no("transposes 16 bits only");
  const auto instruction = find_copy_atom(contiguous == 0 ? "SM75_U16x2_LDSM_T" : "SM75_U32x1_LDSM_N");
  if (!instruction) return no("no such instruction");
  const auto pattern = access_pattern(*instruction, CopySide::source, layout, bits);
  if (!pattern) return no("no whole matrices");
  const auto offsets = element_offsets(layout);
  if (!offsets) return no("no tile");
  const auto report = measure(*pattern, *offsets, bits, AccessSpace::smem);
  if (!report) return no("16 B are not together");
  return {true, report->is_best() ? "yes" : "with conflicts"};
}

}  // namespace tessera
