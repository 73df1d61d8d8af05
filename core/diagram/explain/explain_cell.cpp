// SPDX-License-Identifier: BSD-3-Clause
// The steps of one cell: a recipe walked at a coordinate.
#include "core/diagram/explain/explain_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/warp_access.hpp"
#include "core/atom/mma/tmem_fragment.hpp"
#include "core/base/overloaded.hpp"
#include "core/diagram/explain/cell_coordinates.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

constexpr int kChunkBytes = 16;
constexpr std::size_t kNamedOwners = 4;  // others than the first that are named; the rest is counted

// ---- stages ------------------------------------------------------------------------------------------------------------

// What a chain does, innermost part first.
void append_stages(const AnyLayout& layout, std::vector<CellRecipe::Stage>& stages);

struct AppendPart {
  std::vector<CellRecipe::Stage>& stages;
  void operator()(const Layout& layout) const { stages.emplace_back(layout); }
  void operator()(const Swizzle& swizzle) const {
    if (!swizzle.is_identity()) stages.emplace_back(swizzle);
  }
  void operator()(const Nested& rest) const { append_stages(*rest, stages); }
};

void append_stages(const AnyLayout& layout, std::vector<CellRecipe::Stage>& stages) {
  if (const auto* plain = std::get_if<Layout>(&layout)) {
    stages.emplace_back(*plain);
    return;
  }
  const auto& composed = std::get<ComposedLayout>(layout);
  std::visit(AppendPart{stages}, composed.inner);
  if (composed.offset != IntTuple(0)) stages.emplace_back(CellRecipe::Add{composed.offset});
  std::visit(AppendPart{stages}, composed.outer);
}

// ---- coordinates -------------------------------------------------------------------------------------------------------

// "(8,(2,2)): mode 1 goes from 0 to 3"
Error outside(const Coord& coord, const Shape& shape, const std::string& where, std::int64_t extent, const Coord& nearest) {
  return Error{ErrorCode::out_of_range,
               fmt::format("{} is outside of the shape {}: {} from 0 to {}", to_string(coord), to_string(shape), where, extent - 1),
               {},
               {fmt::format("the nearest that is inside is {}", to_string(nearest))}};
}

Coord clamped(const Coord& coord, const Shape& shape) {
  if (coord.is_tuple()) {
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < coord.rank(); ++i) modes.push_back(clamped(coord[i], shape[i]));
    return IntTuple::tuple(std::move(modes));
  }
  return std::clamp<std::int64_t>(coord.value(), 0, size(shape) - 1);
}

bool fits(const Coord& coord, const Shape& shape) {
  if (!coord.is_tuple()) return coord.is_int();
  if (!shape.is_tuple() || shape.rank() != coord.rank()) return false;
  for (std::size_t i = 0; i < coord.rank(); ++i) {
    if (!fits(coord[i], shape[i])) return false;
  }
  return true;
}

// The first number that is too large or negative: where, as "mode 1,0".
Status check_inside(const Coord& coord, const Shape& shape, const Coord& whole, const Shape& whole_shape, const std::string& path) {
  if (coord.is_tuple()) {
    for (std::size_t i = 0; i < coord.rank(); ++i)
      TESSERA_CHECK(check_inside(coord[i], shape[i], whole, whole_shape, fmt::format("{}{}{}", path, path.empty() ? "" : ",", i)));
    return Done{};
  }
  if (coord.value() >= 0 && coord.value() < size(shape)) return Done{};
  return outside(whole, whole_shape, path.empty() ? "one number goes" : fmt::format("mode {} goes", path), size(shape),
                 clamped(whole, whole_shape));
}

// "2 = 0 + 1·2" for each number that is taken apart, leaf by leaf.
void say_digits(const Coord& coord, const Shape& shape, std::string& out) {
  if (coord.is_tuple()) {
    for (std::size_t i = 0; i < coord.rank(); ++i) say_digits(coord[i], shape[i], out);
    return;
  }
  if (!shape.is_tuple()) return;
  const std::vector<std::int64_t> extents = leaf_values(shape), digits = leaf_values(idx2crd(coord.value(), shape));
  out += fmt::format("{}{} = ", out.empty() ? "" : "; ", coord.value());
  std::int64_t step = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    out += i == 0 ? std::to_string(digits[i]) : fmt::format(" + {}·{}", digits[i], step);
    step *= extents[i];
  }
}

// "1 + 2·8", the colexicographic number of a coordinate.
std::string say_number(const Coord& coord, const Shape& shape) {
  const std::vector<std::int64_t> extents = leaf_values(shape), digits = leaf_values(coord);
  std::string out;
  std::int64_t step = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    out += i == 0 ? std::to_string(digits[i]) : fmt::format(" + {}·{}", digits[i], step);
    step *= extents[i];
  }
  return out;
}

// "5·64 + 2·1": leaf by leaf; a stride may be 1@0.
std::string say_sum(const Coord& coord, const Stride& stride) {
  std::vector<IntTuple> digits, strides;
  append_leaves(coord, digits);
  append_leaves(stride, strides);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i)
    out += fmt::format("{}{}·{}", i == 0 ? "" : " + ", digits[i].value(), to_string(strides[i]));
  return out;
}

IntTuple sum_of(const IntTuple& a, const IntTuple& b) {
  if (a.is_tuple() && b.is_tuple()) {
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < std::max(a.rank(), b.rank()); ++i)
      modes.push_back(sum_of(i < a.rank() ? a[i] : IntTuple(0), i < b.rank() ? b[i] : IntTuple(0)));
    return IntTuple::tuple(std::move(modes));
  }
  if (a.is_tuple() || b.is_tuple()) return a.is_tuple() ? a : b;
  return a.value() + b.value();
}

// ---- steps -------------------------------------------------------------------------------------------------------------

class Walk {
 public:
  Walk(const CellRecipe& recipe, const Coord& coord) : recipe_(recipe) {
    cell_.of = recipe.of;
    cell_.coordinate = to_string(coord);
    now_ = cell_.coordinate;
    hier_ = congruent_to(coord, recipe.shape);
    if (hier_ == coord) return;
    std::string digits;
    say_digits(coord, recipe.shape, digits);
    add("coordinate", to_string(hier_), std::move(digits));
  }

  void stages() {
    if (recipe_.stages.empty()) return;
    const auto* first = std::get_if<Layout>(&recipe_.stages.front());
    const bool at_coordinate = first && congruent(first->shape(), recipe_.shape);
    if (!at_coordinate) {
      value_ = crd2idx(hier_, recipe_.shape).value_or(0);
      if (hier_.is_tuple()) add("number", to_string(value_), say_number(hier_, recipe_.shape));
    }
    for (const CellRecipe::Stage& stage : recipe_.stages) {
      const bool is_first = &stage == &recipe_.stages.front();
      std::visit(Overloaded{[&](const Layout& layout) { apply(layout, is_first && at_coordinate); },
                            [&](const Swizzle& swizzle) { apply(swizzle); }, [&](const CellRecipe::Add& more) { apply(more); }},
                 stage);
    }
    if (value_.is_int()) cell_.offset = value_.value();
  }

  void memory() {
    if (!cell_.offset) return;
    const std::int64_t offset = *cell_.offset, bits = recipe_.bits;
    using Memory = CellRecipe::Memory;
    if (recipe_.memory == Memory::other) return;
    if (bits == 0) {
      cell_.notes.push_back("the width of an element is not known: --set bits=16, bytes=2 or type=half_t gives byte, chunk and bank");
      return;
    }
    if (offset < 0) {
      cell_.notes.push_back(fmt::format("element {} lies before the tensor, at no address", offset));
      return;
    }
    if (offset > kLargestIndex / bits) {
      cell_.notes.push_back(fmt::format("the byte of element {} leaves 62 bits", offset));
      return;
    }
    const std::int64_t behind = recipe_.byte_offset;
    const std::string begins = behind == 0 ? std::string() : fmt::format(" + {}, where it begins", behind);
    const std::int64_t byte = bits % 8 == 0 ? offset * (bits / 8) + behind : offset * bits / 8 + behind;
    if (bits % 8 == 0)
      add("byte", fmt::format("byte {}", byte), fmt::format("{}·{} bytes{}", offset, bits / 8, begins));
    else
      add("byte", fmt::format("byte {}, bit {}", byte, offset * bits % 8), fmt::format("{}·{} bits / 8{}", offset, bits, begins));
    if (recipe_.memory == Memory::global) {
      add("sector", fmt::format("sector {}", byte / kSectorBytes),
          fmt::format("{} / {}: byte {} of its {}", byte, kSectorBytes, byte % kSectorBytes, kSectorBytes));
      return;
    }
    add("chunk", fmt::format("chunk {}", byte / kChunkBytes),
        fmt::format("{} / {}: byte {} of its {}", byte, kChunkBytes, byte % kChunkBytes, kChunkBytes));
    add("bank", fmt::format("bank {}", byte / kBankBytes % kBanks),
        fmt::format("{} / {} = word {}, modulo {}{}", byte, kBankBytes, byte / kBankBytes, kBanks,
                    recipe_.memory == Memory::shared ? "" : ", in shared memory"));
  }

  void owner(const std::vector<Owner>& owners) {
    if (recipe_.thread_mode >= 0 || recipe_.value_mode >= 0 || recipe_.thread) return modes();
    if (!recipe_.holders) return;
    const CellRecipe::Holders& holders = *recipe_.holders;
    if (!holders.nobody.empty() || owners.empty()) {
      from_coordinate("thread", "no thread", holders.nobody.empty() ? fmt::format("no thread {} it", holders.verb) : holders.nobody);
      if (holders.tmem) tensor_memory(*holders.tmem);
      return;
    }
    const Owner& first = owners.front();
    from_coordinate("thread", fmt::format("T{} V{}", first.thread, first.value), rule_of(holders, first) + others(owners));
    lane(first.thread);
    instruction(holders.instruction, first);
  }

  ExplainedCell done() { return std::move(cell_); }

 private:
  // The CTA whose tensor memory has the element, and where there.
  void tensor_memory(const CellRecipe::TensorMemory& tmem) {
    const IntTuple element = crd2idx(hier_, recipe_.shape).value_or(0);
    for (std::size_t cta = 0; cta < tmem.ctas.size(); ++cta) {
      const auto& [first, part] = tmem.ctas[cta];
      for (std::int64_t i = 0; i < part.size(); ++i) {
        if (first + part(i) != element.value()) continue;
        const TmemPlace place = tmem_place(tmem.addresses(i) * tmem.bits);
        std::string to = fmt::format("CTA {}, lane {}, column {}", cta, place.lane, place.column);
        if (place.bit > 0) to += fmt::format(", bit {}", place.bit);
        from_coordinate(
            "tmem", std::move(to),
            fmt::format("tensor memory: warps w of a warpgroup with w % 4 = {} reach this lane", place.lane / kTmemLanesOfAWarp));
        return;
      }
    }
  }

  void add(std::string_view name, std::string to, std::string rule) {
    cell_.steps.push_back({std::string(name), now_, to, std::move(rule)});
    now_ = std::move(to);
  }
  void from_coordinate(std::string_view name, std::string to, std::string rule) {
    now_ = cell_.coordinate;
    add(name, std::move(to), std::move(rule));
    cell_.steps.back().from_coordinate = true;
  }

  void apply(const Layout& layout, bool at_coordinate) {
    const Coord at = at_coordinate ? hier_ : idx2crd(value_.value(), layout.shape());
    value_ = evaluate(layout, at).value_or(0);
    const std::string sum = say_sum(at, layout.stride());
    if (at_coordinate)
      add(recipe_.stages.size() > 1 ? "index" : "offset", to_string(value_), sum);
    else
      add("layout", to_string(value_),
          at.is_tuple() ? fmt::format("{} at {}: {}", to_string(layout), to_string(at), sum)
                        : fmt::format("{}: {}", to_string(layout), sum));
  }

  void apply(const Swizzle& swizzle) {
    SwizzleBits of;
    of.in = value_.value();
    of.out = swizzle(of.in);
    of.flips = of.in ^ of.out;
    of.bits = swizzle.bits();
    of.read = swizzle.base() + std::max(0, swizzle.shift());
    of.flip = swizzle.base() + std::max(0, -swizzle.shift());
    const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(of.in < 0 ? 0 : std::max(of.in, of.out))));
    of.width = std::min(62, std::max({digits, of.read + of.bits, of.flip + of.bits}));
    const std::int64_t read = (of.in >> of.read) & ((std::int64_t{1} << of.bits) - 1);
    value_ = of.out;
    add("swizzle", to_string(value_),
        fmt::format("{}: {} ({:0{}b}) flip{} {}", to_string(swizzle), bits_at(of.read, of.bits), read, of.bits, of.bits == 1 ? "s" : "",
                    bits_at(of.flip, of.bits)));
    cell_.steps.back().swizzle = of;
  }

  static std::string bits_at(int first, int count) {
    return count == 1 ? fmt::format("bit {}", first) : fmt::format("bits {}-{}", first, first + count - 1);
  }

  void apply(const CellRecipe::Add& more) {
    const IntTuple before = value_;
    value_ = sum_of(value_, more.elements);
    add("add", to_string(value_), fmt::format("{} + {}", to_string(before), to_string(more.elements)));
  }

  // Of a layout whose modes count threads and values, and of one thread's part.
  void modes() {
    const auto number = [&](int mode) {
      const auto m = static_cast<std::size_t>(mode);
      return crd2idx(hier_[m], recipe_.shape[m]).value_or(0);
    };
    const bool named = recipe_.thread_mode >= 0 || recipe_.thread;
    std::int64_t thread = recipe_.thread.value_or(0);
    if (recipe_.thread_mode >= 0) thread = number(recipe_.thread_mode);
    std::string to = named ? fmt::format("T{}", thread) : std::string();
    std::string rule = recipe_.thread_mode >= 0 ? fmt::format("mode {} counts threads", recipe_.thread_mode)
                       : named                  ? std::string("the tensor is this thread's part")
                                                : std::string();
    if (recipe_.value_mode >= 0) {
      to += fmt::format("{}V{}", to.empty() ? "" : " ", number(recipe_.value_mode));
      rule += fmt::format("{}mode {} counts values", rule.empty() ? "" : ", ", recipe_.value_mode);
    }
    from_coordinate("thread", std::move(to), std::move(rule));
    if (named) lane(thread);
  }

  void lane(std::int64_t thread) {
    add("lane", fmt::format("warp {}, lane {}", thread / kLanes, thread % kLanes),
        fmt::format("T{} = {}·{} + {}", thread, thread / kLanes, kLanes, thread % kLanes));
  }

  // "(T5,V2) of ((4,8),(2,2)):((32,1),(16,8)) is element 41"
  std::string rule_of(const CellRecipe::Holders& holders, const Owner& owner) const {
    if (!holders.layout_tv) return fmt::format("this thread {} it", holders.verb);
    const std::int64_t place = evaluate(*holders.layout_tv, owner.thread, owner.value);
    const std::string what = holders.gives_offset ? "element" : "number";
    std::string rule = fmt::format("(T{},V{}) of {} is {} {}", owner.thread, owner.value, to_string(*holders.layout_tv), what, place);
    if (!holders.gives_offset && recipe_.shape.is_tuple()) rule += fmt::format(" = {}", say_number(hier_, recipe_.shape));
    return rule;
  }

  static std::string others(const std::vector<Owner>& owners) {
    std::string out;
    for (std::size_t i = 1; i < owners.size() && i <= kNamedOwners; ++i)
      out += fmt::format("{}T{} V{}", i == 1 ? "; also " : ", ", owners[i].thread, owners[i].value);
    if (owners.size() > kNamedOwners + 1) out += fmt::format(" and {} more", owners.size() - kNamedOwners - 1);
    return out;
  }

  void instruction(const CellRecipe::Instruction& of, const Owner& owner) {
    if (of.name.empty()) return;
    const std::int64_t number = owner.value / of.values, place = owner.value % of.values;
    std::string to = fmt::format("instruction {}, value {}", number, place);
    std::string rule = fmt::format("{}, {} value{} of a thread at once", of.name, of.values, of.values == 1 ? "" : "s");
    if (!of.letter.empty()) {
      const std::int64_t bit = place * of.value_bits, within = bit % of.register_bits;
      to = fmt::format("instruction {}, register {}{}", number, of.letter, bit / of.register_bits);
      if (of.value_bits < of.register_bits) to += fmt::format(", bits {}-{}", within, within + of.value_bits - 1);
    }
    add("instruction", std::move(to), std::move(rule));
  }

  const CellRecipe& recipe_;
  ExplainedCell cell_;
  Coord hier_;          // congruent to the shape
  IntTuple value_ = 0;  // what the stages came to
  std::string now_;     // what the last step came to
};

}  // namespace

std::vector<CellRecipe::Stage> stages_of_chain(const AnyLayout& layout) {
  std::vector<CellRecipe::Stage> stages;
  append_stages(layout, stages);
  return stages;
}

std::string example_of(const Shape& shape) {
  const std::string one = fmt::format("one number from 0 to {}", size(shape) - 1);
  if (!shape.is_tuple()) return one;
  std::vector<IntTuple> flat;
  for (const IntTuple& mode : shape.modes()) flat.emplace_back(size(mode) - 1);
  const std::string last = to_string(IntTuple::tuple(std::move(flat)));
  const std::string nested = to_string(idx2crd(size(shape) - 1, shape));
  return fmt::format("the last one is {}{}; or {}", last, nested == last ? "" : fmt::format(", mode by mode {}", nested), one);
}

Coord congruent_to(const Coord& coord, const Shape& shape) {
  if (!coord.is_tuple()) return idx2crd(coord.value(), shape);
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < coord.rank(); ++i) modes.push_back(congruent_to(coord[i], shape[i]));
  return IntTuple::tuple(std::move(modes));
}

Result<ExplainedCell> explain(const CellRecipe& recipe, const Coord& coord, const std::vector<Owner>& owners) {
  if (!fits(coord, recipe.shape)) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{} is no coordinate of the shape {}: {}", to_string(coord), to_string(recipe.shape),
                             coord.rank() == recipe.shape.rank() ? std::string("it is nested otherwise")
                                                                 : fmt::format("it has {} mode{}, and the shape {}", coord.rank(),
                                                                               coord.rank() == 1 ? "" : "s", recipe.shape.rank())),
                 {},
                 {example_of(recipe.shape)}};
  }
  TESSERA_CHECK(check_inside(coord, recipe.shape, coord, recipe.shape, {}));
  Walk walk(recipe, coord);
  walk.stages();
  walk.memory();
  walk.owner(owners);
  return walk.done();
}

}  // namespace tessera
