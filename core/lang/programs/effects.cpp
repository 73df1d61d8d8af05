// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/effects.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/automatic_copy.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"

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

// copy(src, dst), and copies that find their width, walk over size(src) elements; a copy atom's over modes 1 to the last taken together, of
// which each is one call of the atom (cute/algorithm/copy.hpp).
void look_at_copy(const Shape& src, const Shape& dst, bool by_atom, std::vector<Error>& made) {
  const auto parts = [&](const Shape& of) {
    std::int64_t all = 1;
    for (std::size_t i = 1; i < rank(of); ++i) all *= size(of[i]);
    return by_atom ? all : size(of);
  };
  if (by_atom && (rank(src) < 2 || rank(dst) < 2)) return;
  if (parts(src) == parts(dst)) return;
  made.push_back(remark(fmt::format("copy: the source {} has {} {}, and the destination {} has {}", to_string(src), parts(src),
                                    by_atom ? "parts" : "elements", to_string(dst), parts(dst)),
                        "the tiles that are partitioned have to be of one shape"));
}

// Does the first argument say which instruction takes how much at once?
bool is_copy_by_atom(const Value& first) {
  if (const auto* tiled = std::get_if<std::shared_ptr<const TiledCopy>>(&first.any)) return !is_automatic((*tiled)->atom().traits);
  const auto* atom = std::get_if<CopyAtom>(&first.any);
  return atom && !is_automatic(atom->traits);
}

void look_at_destination(const Value& destination, std::vector<Error>& made) {
  const MemorySpace space = destination.element.space;
  if (space != MemorySpace::gmem && space != MemorySpace::smem) return;
  const Result<AnyLayout> layout = as_any_layout(destination);
  const std::optional<FlatMode> mode = layout ? broadcast_mode(*layout) : std::nullopt;
  if (mode)
    made.push_back({ErrorCode::not_injective,
                    fmt::format("copy: the destination {} has {} elements at each place", to_string(*layout), mode->shape),
                    {},
                    {"a stride of 0 broadcasts what is read; what is written there is lost but for one"}});
}

// A (V,M,K), B (V,N,K), C (V,M,N); a slice of K has no K.
void look_at_gemm(const Shape& a, const Shape& b, const Shape& c, std::vector<Error>& made) {
  if (rank(a) != rank(b) || (rank(a) != 2 && rank(a) != 3) || rank(c) != 3) return;
  const auto meet = [&](std::string_view name, const Shape& x, std::size_t i, std::string_view x_name, const Shape& y, std::size_t j,
                        std::string_view y_name) {
    if (size(x[i]) != size(y[j]))
      made.push_back(remark(fmt::format("gemm: {} of {} {} is {}, and of {} {} it is {}", name, x_name, to_string(x), size(x[i]), y_name,
                                        to_string(y), size(y[j])),
                            "the operands are partitioned from tiles that do not meet"));
  };
  meet("MMA_M", a, 1, "A", c, 1, "C");
  meet("MMA_N", b, 1, "B", c, 2, "C");
  if (rank(a) == 3) meet("MMA_K", a, 2, "A", b, 2, "B");
}

}  // namespace

std::optional<FlatMode> broadcast_mode(const AnyLayout& layout) {
  const Layout& plain = plain_part(layout);
  for (const FlatMode& mode : plain.has_basis() ? FlatModes() : flat_modes(plain)) {
    if (mode.stride == 0 && mode.shape > 1) return mode;
  }
  return std::nullopt;
}

std::vector<Error> remarks_on_effect(std::string_view algorithm, const std::vector<Value>& arguments) {
  std::vector<Error> made;
  if (algorithm.starts_with("cute.")) algorithm.remove_prefix(5);
  if (algorithm.starts_with("cute::")) algorithm.remove_prefix(6);
  const std::vector<Shape> shapes = shapes_of(arguments);
  if (algorithm == "copy" && shapes.size() == 2 && arguments.size() <= 3) {
    const bool known = arguments.size() == 2 || !std::holds_alternative<std::shared_ptr<const TmaValue>>(arguments[0].any);
    if (known) look_at_copy(shapes[0], shapes[1], is_copy_by_atom(arguments[0]), made);
    // Where the source repeats, too, each place is given the same value again.
    const Result<AnyLayout> source = as_any_layout(arguments[arguments.size() - 2]);
    if (!(source && broadcast_mode(*source))) look_at_destination(arguments.back(), made);
  }
  if (algorithm == "gemm" && shapes.size() >= 3 && shapes.size() <= 4) {
    const std::size_t a = shapes.size() - 3;  // D stands in front of A
    look_at_gemm(shapes[a], shapes[a + 1], shapes[a + 2], made);
  }
  return made;
}

}  // namespace tessera
