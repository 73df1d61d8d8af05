// SPDX-License-Identifier: BSD-3-Clause
// composition: A after B. B's profile is kept; each leaf s:d of B takes its digits out of A's modes.
//
// A's modes are a mixed-radix system: an index x has one digit per mode, the last one unbounded. Leaf s:d puts multiples of d
// into it. CuTe's two divisibility conditions make each *single* leaf fall apart into whole digits nearly always, but they do
// not look at what the leaves do together, nor at remainders. Here the loop also adds up the largest digit that all leaves
// together can put into each mode. If it stays below the mode's extent, nothing carries, and the law is proven; a negative
// stride puts in negative digits (see digits.hpp), which prove as much while all strides have one sign. If not, the result is
// compared with A(B(i)) point by point.
#include "core/layout/composition.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"

namespace tessera {

namespace {

class Composer {
 public:
  // B is `tile`, or (tile, *rest).
  Composer(const Layout& a, const Layout& tile, const FlatModes* rest) : a_(a), tile_(tile), rest_(rest) {}

  Result<Composed> run() {
    IntTuple shape, stride;
    const bool possible = rest_ ? pair(shape, stride) : tree(tile_.shape(), tile_.stride(), shape, stride);
    if (!possible) return std::move(*error_);
    auto layout = Layout::make(std::move(shape), std::move(stride));
    if (!layout) return std::move(layout).error();
    Composed composed{std::move(layout).value(), proven_, {}};
    if (!proven_) {
      if (used_first_) composed.parts.push_back(first_);
      for (const LeftHandSide& part : others_) composed.parts.push_back(part);
    }
    return composed;
  }

 private:
  bool tree(const IntTuple& shape, const IntTuple& stride, IntTuple& out_shape, IntTuple& out_stride) {
    if (!shape.is_tuple()) return leaf(shape, stride, out_shape, out_stride);
    const std::size_t rank = shape.rank();
    out_shape = IntTuple::zeros(rank);
    out_stride = IntTuple::zeros(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      if (!tree(shape[i], stride[i], out_shape.fill(i), out_stride.fill(i))) return false;
    }
    return true;
  }

  bool pair(IntTuple& out_shape, IntTuple& out_stride) {
    out_shape = IntTuple::zeros(2);
    out_stride = IntTuple::zeros(2);
    if (!tree(tile_.shape(), tile_.stride(), out_shape.fill(0), out_stride.fill(0))) return false;
    IntTuple &rest_shape = out_shape.fill(1), &rest_stride = out_stride.fill(1);
    const FlatModes& rest = *rest_;
    if (rest.size() == 1) return mode(rest[0], rest_shape, rest_stride);
    rest_shape = IntTuple::zeros(rest.size());
    rest_stride = IntTuple::zeros(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (!mode(rest[i], rest_shape.fill(i), rest_stride.fill(i))) return false;
    }
    return true;
  }

  bool leaf(const IntTuple& shape, const IntTuple& stride, IntTuple& out_shape, IntTuple& out_stride) {
    return mode({shape.value(), stride.value(), stride.path().marked(mode_mark(shape, stride))}, out_shape, out_stride);
  }

  bool mode(const FlatMode& b, IntTuple& out_shape, IntTuple& out_stride) {
    if (b.stride == 0) {
      out_shape = b.extent();
      out_stride = IntTuple::marked(0, b.mark() & ~marks::kShapeDynamic);
      return true;
    }
    LeftHandSide* part = left_hand_side(b.path);
    if (!part) return false;
    FlatModes out;
    if (!split(b.shape, b.stride, *part, out)) return false;
    if (b.mark() != 0 || part->marked) mark_digits(b, *part, out);
    if (out.size() == 1) {
      out_shape = out[0].extent();
      out_stride = out[0].step();
      return true;
    }
    out_shape = IntTuple::zeros(out.size());
    out_stride = IntTuple::zeros(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out_shape.fill(i) = out[i].extent();
      out_stride.fill(i) = out[i].step();
    }
    return true;
  }

  // Walks the digits of leaf b once more for their marks: what CuTe computes from a dynamic integer is dynamic, and a mode that only
  // turns out to be 1 stays in its layout.
  static void mark_digits(const FlatMode& b, const LeftHandSide& part, FlatModes& out) {
    const FlatModes& a = part.modes;
    IntTuple rest = b.extent(), r = IntTuple::marked(b.stride < 0 ? -b.stride : b.stride, b.mark() & marks::kDynamic);
    std::size_t place = 0;
    bool other = ((b.mark() | a.back().mark()) & marks::kOtherForm) != 0;  // modes that CuTe would not have merged
    for (std::size_t i = 0; i + 1 < a.size(); ++i) {
      const IntTuple extent = a[i].extent();
      other = other || (a[i].mark() & marks::kOtherForm) != 0;
      const bool skipped = r.value() >= extent.value() || rest.value() == 1;
      const IntTuple count = IntTuple::marked(ceil_div(extent.value(), r.value()), (extent.mark() | r.mark()) & marks::kDynamic);
      const bool known = (!count.is_dynamic() && count.value() == 1) || (!rest.is_dynamic() && rest.value() == 1);
      if (skipped && !known) other = true;
      if (!known) {
        const unsigned taken = (count.mark() | rest.mark()) & marks::kDynamic;
        if (!skipped) mark_mode(out[place++], taken, r.mark(), a[i].mark());
        rest = IntTuple::marked(skipped ? rest.value() : rest.value() / std::min(count.value(), rest.value()), taken);
      }
      r = IntTuple::marked(ceil_div(r.value(), extent.value()), count.mark());
    }
    if (place < out.size()) {
      mark_mode(out[place], rest.mark() & marks::kDynamic, r.mark(), a.back().mark());
    } else if (rest.is_dynamic()) {
      other = true;  // CuTe appends an extent that only turns out to be 1
    }
    if (!other) return;
    for (FlatMode& m : out) m.path.mark |= marks::kOtherForm;
  }
  // The stride is the product of `steps` and a's stride; CuTe's _0 times anything is _0.
  static void mark_mode(FlatMode& mode, unsigned extent, unsigned steps, unsigned of_a) {
    mode.path.mark = ((extent != 0 ? marks::kShapeDynamic : 0u) | ((of_a | (mode.stride == 0 ? 0u : steps)) & marks::kDynamic)) & 0x1f;
  }

  // Emits the modes of leaf s:d over `part`, and notes the digits it uses.
  bool split(std::int64_t s, std::int64_t d, LeftHandSide& part, FlatModes& out) {
    const FlatModes& a = part.modes;
    const std::size_t last = a.size() - 1;
    std::int64_t rest = s, r = d;
    if (last > 0 && part.sign * (d < 0 ? -1 : 1) < 0) proven_ = false;  // digits of both signs in one sum may borrow
    part.sign = d < 0 ? -1 : 1;
    for (std::size_t i = 0; i < last; ++i) {
      const std::int64_t extent = a[i].shape, magnitude = r < 0 ? -r : r, sign = r < 0 ? -1 : 1;
      if (magnitude >= extent) {  // the digit stays 0, or for r < 0 would have to
        const std::int64_t whole = quotient(magnitude, extent), remainder = magnitude - whole * extent;
        if (remainder != 0 && r > 0) return refuse_stride(s, d, r, a[i]);
        if (remainder != 0) proven_ = false;  // CuTe lets a negative stride pass here
        r = (whole + (remainder != 0)) * sign;
        continue;
      }
      if (rest != 1) {
        const std::int64_t count = magnitude == 1 ? extent : ceil_div(extent, magnitude);
        const std::int64_t taken = std::min(count, rest), left = quotient(rest, taken);
        if (left * taken != rest) return refuse_shape(s, d, rest, taken, a[i]);
        if (!emit(taken, r, a[i], out)) return false;
        part.reach[i] += (taken - 1) * magnitude;
        if (part.reach[i] >= extent) proven_ = false, part.reach[i] = extent;
        if (left > 1 && taken * magnitude != extent) proven_ = false;  // the next digit starts where no mode of A starts
        rest = left;
      }
      r = sign;
    }
    if (out.empty() || rest != 1) return emit(rest, r, a[last], out);
    return true;
  }

  bool emit(std::int64_t extent, std::int64_t steps, const FlatMode& mode, FlatModes& out) {
    std::int64_t stride = 0;
    if (__builtin_mul_overflow(steps, mode.stride, &stride)) {
      error_ =
          Error{ErrorCode::overflow, fmt::format("composition of {} with {}: a stride leaves 64 bits", to_string(a_), b_text()), {}, {}};
      return false;
    }
    out.push_back({extent, stride, stride == 0 ? BasisPath{} : mode.path.marked(marks::kStatic)});
    return true;
  }

  LeftHandSide* left_hand_side(const BasisPath& path) {
    if (used_first_ && first_.path == path) return &first_;
    for (LeftHandSide& part : others_) {
      if (part.path == path) return &part;
    }
    const IntTuple *shape = &a_.shape(), *stride = &a_.stride();
    for (int k = 0; k < path.length; ++k) {
      const std::size_t mode = path.modes[static_cast<std::size_t>(k)];
      if (mode >= shape->rank()) {
        error_ = Error{ErrorCode::rank_mismatch,
                       fmt::format("composition: a stride of {} points into mode {}, but {} has {} modes there", b_text(), mode,
                                   to_string(a_), shape->rank()),
                       {},
                       {}};
        return nullptr;
      }
      const IntTuple *inner_shape = &(*shape)[mode], *inner_stride = &(*stride)[mode];
      shape = inner_shape;
      stride = inner_stride;
    }
    LeftHandSide& part = used_first_ ? others_.emplace_back() : first_;
    used_first_ = true;
    part.path = path.marked(marks::kStatic);
    append_flat_modes(*shape, *stride, part.modes);
    coalesce_in_place(part.modes, true);
    part.reach.resize(part.modes.size(), 0);
    for (const FlatMode& m : part.modes) part.marked = part.marked || m.mark() != 0;
    return &part;
  }

  bool refuse_stride(std::int64_t s, std::int64_t d, std::int64_t r, const FlatMode& mode) {
    error_ = Error{
        ErrorCode::not_divisible,
        fmt::format("Stride Divisibility Condition: in composition({}, {}) the mode {}:{} of B arrives with stride {} at the mode {}:{} of "
                    "A; it must be a multiple of {} or smaller than it",
                    to_string(a_), b_text(), s, d, r, mode.shape, mode.stride, mode.shape),
        {},
        {}};
    return false;
  }
  bool refuse_shape(std::int64_t s, std::int64_t d, std::int64_t rest, std::int64_t taken, const FlatMode& mode) {
    error_ = Error{
        ErrorCode::not_divisible,
        fmt::format("Shape Divisibility Condition: in composition({}, {}) the mode {}:{} of B has {} elements left at the mode {}:{} of A, "
                    "which holds {} of them; {} must divide {}",
                    to_string(a_), b_text(), s, d, rest, mode.shape, mode.stride, taken, taken, rest),
        {},
        {}};
    return false;
  }

  std::string b_text() const { return rest_ ? to_string(make_layout({tile_, to_layout(*rest_)})) : to_string(tile_); }

  const Layout& a_;
  const Layout& tile_;
  const FlatModes* rest_;
  bool proven_ = true;
  bool used_first_ = false;
  LeftHandSide first_;  // the only one, unless B's strides name several modes of A
  std::vector<LeftHandSide> others_;
  std::optional<Error> error_;
};

}  // namespace

Result<Composed> compose(const Layout& a, const Layout& b) { return Composer(a, b, nullptr).run(); }
Result<Composed> compose_pair(const Layout& a, const Layout& tile, const FlatModes& rest) { return Composer(a, tile, &rest).run(); }

Result<Layout> compose_by(Law law, const Layout& a, const Layout& b) {
  TESSERA_TRY(composed, compose(a, b));
  TESSERA_CHECK(law.hold(composed.proven, [&] { return check_composition(a, b, composed); }));
  return std::move(composed.layout);
}

Result<Layout> composition(const Layout& a, const Layout& b) { return compose_by(Law::checked, a, b); }
Result<Layout> composition_unchecked(const Layout& a, const Layout& b) { return compose_by(Law::as_cute, a, b); }

namespace {

struct ComposeWith {
  const Layout& a;
  Law law;

  Result<Layout> operator()(const Layout& b) const { return compose_by(law, a, b); }
  Result<Layout> operator()(const ComposedLayout& b) const {
    return Error{ErrorCode::wrong_type, fmt::format("{} cannot be a tiler of the layout {}", to_string(b), to_string(a)), {}, {}};
  }
  Result<Layout> operator()(TileSize n) const {
    TESSERA_TRY(tile, Layout::make(n.number(), 1));
    return compose_by(law, a, tile);
  }
  Result<Layout> operator()(Underscore) const { return a; }
  Result<Layout> operator()(const std::vector<Tiler>& tilers) const {
    return by_mode("composition", a, tilers, tilers.size(), Rest::dropped,
                   [this](const Layout& mode, const Tiler& tiler) { return composition(mode, tiler, law); });
  }
};

}  // namespace

Result<Layout> composition(const Layout& a, const Tiler& tiler, Law law) { return std::visit(ComposeWith{a, law}, tiler.value); }

}  // namespace tessera
