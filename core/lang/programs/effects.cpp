// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/effects.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {
namespace {

Error remark(std::string message, std::string note) { return {ErrorCode::not_congruent, std::move(message), {}, {std::move(note)}}; }

std::vector<Shape> shapes_of(const std::vector<Value>& arguments) {
  std::vector<Shape> shapes;
  for (const Value& each : arguments) {
    if (const Result<AnyLayout> layout = as_any_layout(each)) shapes.push_back(shape(*layout));
  }
  return shapes;
}

std::size_t modes(const Shape& shape) { return shape.is_tuple() ? shape.rank() : 1; }

// A thread's values are mode 0 of a partition, and CuTe compares the others one by one.
void look_at_copy(const Shape& src, const Shape& dst, bool tiled, std::vector<Error>& made) {
  if (!tiled || modes(src) != modes(dst)) {
    if (size(src) != size(dst))
      made.push_back(remark(fmt::format("copy: the source has {} elements, {}, and the destination {}, {}", size(src), to_string(src),
                                        size(dst), to_string(dst)),
                            "both are to be of one shape"));
    return;
  }
  for (std::size_t i = 1; i < modes(src); ++i) {
    if (size(src[i]) == size(dst[i])) continue;
    made.push_back(remark(fmt::format("copy: mode {} of the source {} has {} parts, and that of the destination {} has {}", i,
                                      to_string(src), size(src[i]), to_string(dst), size(dst[i])),
                          "the tiles that are partitioned have to be of one shape"));
    return;
  }
}

// Of a destination in memory: a mode that goes nowhere holds several elements at one place.
void look_at_destination(const Value& destination, std::vector<Error>& made) {
  const MemorySpace space = destination.element.space;
  if (space != MemorySpace::gmem && space != MemorySpace::smem) return;
  const Result<AnyLayout> layout = as_any_layout(destination);
  if (!layout || plain_part(*layout).has_basis()) return;
  for (const FlatMode& mode : flat_modes(plain_part(*layout))) {
    if (mode.stride != 0 || mode.shape <= 1) continue;
    made.push_back({ErrorCode::not_injective,
                    fmt::format("copy: the destination {} has {} elements at each place", to_string(*layout), mode.shape),
                    {},
                    {"a stride of 0 broadcasts what is read; what is written there is lost but for one"}});
    return;
  }
}

// A (V,M,K), B (V,N,K), C (V,M,N); a slice of K has no K.
void look_at_gemm(const Shape& a, const Shape& b, const Shape& c, std::vector<Error>& made) {
  if (modes(a) != modes(b) || (modes(a) != 2 && modes(a) != 3) || modes(c) != 3) return;
  const auto meet = [&](std::string_view name, const Shape& x, std::size_t i, std::string_view x_name, const Shape& y, std::size_t j,
                        std::string_view y_name) {
    if (size(x[i]) != size(y[j]))
      made.push_back(remark(fmt::format("gemm: {} of {} {} is {}, and of {} {} it is {}", name, x_name, to_string(x), size(x[i]), y_name,
                                        to_string(y), size(y[j])),
                            "the operands are partitioned from tiles that do not meet"));
  };
  meet("MMA_M", a, 1, "A", c, 1, "C");
  meet("MMA_N", b, 1, "B", c, 2, "C");
  if (modes(a) == 3) meet("MMA_K", a, 2, "A", b, 2, "B");
}

}  // namespace

std::vector<Error> remarks_on_effect(std::string_view algorithm, const std::vector<Value>& arguments) {
  std::vector<Error> made;
  if (algorithm.starts_with("cute.")) algorithm.remove_prefix(5);
  if (algorithm.starts_with("cute::")) algorithm.remove_prefix(6);
  const std::vector<Shape> shapes = shapes_of(arguments);
  if (algorithm == "copy" && shapes.size() == 2 && arguments.size() <= 3) {
    look_at_copy(shapes[0], shapes[1], arguments.size() == 3, made);
    look_at_destination(arguments.back(), made);
  }
  if (algorithm == "gemm" && shapes.size() >= 3 && shapes.size() <= 4) {
    const std::size_t a = shapes.size() - 3;  // D stands in front of A
    look_at_gemm(shapes[a], shapes[a + 1], shapes[a + 2], made);
  }
  return made;
}

}  // namespace tessera
