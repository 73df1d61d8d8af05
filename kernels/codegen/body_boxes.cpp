// SPDX-License-Identifier: BSD-3-Clause
// What the threads of a role do with boxes of C in shared memory: their sums become elements, two neighbours at a time, with or without
// the elements that were there.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/emittable.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

constexpr std::int64_t kPairsOfRows = 2;  // that follow each other in a thread's values: of row r, of row r + 8

// The loop's variable: a pair of 16 bits each is a word.
const char* pair_of(ValueType type) { return bits(type) == 16 ? "word" : "pair"; }

}  // namespace

// Where each pair of neighbours lies: (thr, (which of two rows, column)) -> element of the box. The columns alone pass the swizzle.
Address Body::pairs_of_box(std::size_t id) const {
  const plan::Partition& part = plan_.partitions[id];
  const Layout plain = plain_part(part.layout);
  const std::int64_t pairs = plain[1].size() / 2;
  const Layout of_rows = Layout::trusted(IntTuple::tuple({kPairsOfRows, pairs / kPairsOfRows}), IntTuple::tuple({2, 2 * kPairsOfRows}));
  const Layout places = make_layout({of_role(plain[0]), composition(plain[1], of_rows).value()});
  const std::string name = uses_[id].stored_by_matrices > 0 ? part.name + "_pairs" : part.name;
  return {name,
          with_plain_part(part.layout, places),
          {{"row", fmt::format("{}", kPairsOfRows), 1}, {"column", fmt::format("{}", pairs / kPairsOfRows), 1}}};
}

std::string Body::pair_in_box(const plan::At& at, const char* type, bool is_const) const {
  const std::int64_t bytes = bits(tensor(at).type) / 8;
  const char* const pair = pair_of(tensor(at).type);
  const std::string element =
      pairs_of_box(at.partition).at({fmt::format("{} % {}", pair, kPairsOfRows), fmt::format("{} / {}", pair, kPairsOfRows)});
  return fmt::format(
      "*reinterpret_cast<{}{}*>({})", is_const ? "const " : "", type,
      sum({"smem", constants_.byte_offset(tensor(at)), stage_offset(at, true), fmt::format("{} * {}", in_parentheses(element), bytes)}));
}

// The register with the sum `which` (0, 1) of the pair; sums of 16 bits lie in one.
std::string Body::sum_of_pair(const plan::Convert& convert, int which) const {
  const Layout from = plain_part(partition(convert.from).layout);
  const std::int64_t packed = bits(tensor(convert.from).type) == 16 ? 2 : 1;
  const auto in_registers = [packed](const Layout& layout) {
    return with_strides(layout, [packed](std::int64_t elements) { return elements / packed; });
  };
  const Layout firsts = composition(from[0], Layout::trusted(from[0].size() / 2, 2)).value();
  std::vector<std::string> place{index_expr(in_registers(firsts), pair_of(tensor(convert.to).type))};
  for (std::size_t i = 1; i < partition(convert.from).modes.size(); ++i)
    place.push_back(index_expr(in_registers(from[i]), coordinate(convert.from, partition(convert.from).modes[i])));
  if (which == 1 && packed == 1) place.push_back(fmt::format("{}", from[0](1)));
  return fmt::format("{}[{}]", arrays_.at(partition(convert.from).tensor), sum(place));
}

// What holds a sum's register at its place in the program.
const char* Body::keep_in_order() const { return plan_.mma->atom().registers_c.type == "float" ? "keep_in_order" : "keep_word_in_order"; }

// As keep_sum_in_order.
void Body::keep_pair_in_order(const plan::Convert& convert) {
  const std::string keep = needs_(keep_in_order());
  const std::string first = sum_of_pair(convert, 0), second = sum_of_pair(convert, 1);
  lines_.add(first == second ? fmt::format("{}({});", keep, first) : fmt::format("{0}({1}), {0}({2});", keep, first, second));
}

// A sum as a float or a double.
std::string Body::real_of_sum(const plan::Convert& convert, int which) const {
  const std::string sum = sum_of_pair(convert, which);
  const char* const widened = is_scaled_in_double(plan_) ? "(double)" : "";
  switch (plan_.mma->atom().val_c) {
    case ValueType::f16:
      return fmt::format("{}{}(({}){})", widened, needs_("f16_to_float"), memory_type(ValueType::f16),
                         which == 0 ? sum : fmt::format("({} >> 16)", sum));
    case ValueType::i32: return fmt::format("(double)(int){}", sum);
    default: return widened + sum;
  }
}

// Two sums become two elements: of 16 bits one register.
void Body::convert_for_box(const plan::Convert& convert) {
  const ValueType sums = plan_.mma->atom().val_c, type = tensor(convert.to).type;
  const std::int64_t pairs = plain_part(partition(convert.from).layout)[0].size() / 2;
  const bool is_double = is_scaled_in_double(plan_), adds = convert.c.partition != plan::kNone, halves = bits(type) == 16;
  if (!why_.empty()) lines_.comment(why_);
  const int loops = open_loops(convert.to);
  lines_.loop(pair_of(type), fmt::format("{}", pairs), true);
  keep_pair_in_order(convert);
  const char* const old_type = halves ? "unsigned" : type == ValueType::i32 ? "int2" : "float2";
  if (adds) lines_.add(fmt::format("const {} c = {};", old_type, pair_in_box(convert.c, old_type, true)));
  const auto real = [&](int which) {
    const std::string sum = times_alpha(real_of_sum(convert, which));
    if (!adds) return sum;
    const std::string old =
        !halves ? (which == 0 ? "c.x" : "c.y") : fmt::format("({}){}", memory_type(type), which == 0 ? "c" : "(c >> 16)");
    return fmt::format("{} + {}", sum, times_beta(to_real(needs_, type, old)));
  };
  const bool as_they_are = plan_.alpha == 1.0 && !adds && sums == type;
  const std::string to = halves ? fragment_register(convert.to, "word") : sum({fragment_register(convert.to, "0"), "2 * pair"});
  if (halves) {
    const std::string both =
        as_they_are ? fmt::format("{}({})", needs_("moved_word"), sum_of_pair(convert, 0))
        : is_double
            ? fmt::format("{}({}, {})", needs_("pack16"), from_real(needs_, type, true, real(0)), from_real(needs_, type, true, real(1)))
            : fmt::format("{}({}, {})", needs_(fmt::format("floats_to_{}x2", short_name(type))), real(0), real(1));
    lines_.add(fmt::format("{}[{}] = {};", array_of(convert.to), to, both));
  } else {
    const char* const cast = type == ValueType::i32 ? "(int)" : "";
    for (int which = 0; which < 2; ++which)
      lines_.add(fmt::format("{}[{}] = {};", array_of(convert.to), which == 0 ? to : sum({to, "1"}),
                             as_they_are ? cast + sum_of_pair(convert, which) : from_real(needs_, type, is_double, real(which))));
  }
  lines_.close();
  close(loops);
}

// Elements of 32 bits, by pairs.
void Body::store_pairs(const plan::Copy& copy) {
  const char* const type = tensor(copy.to).type == ValueType::i32 ? "int2" : "float2";
  const std::int64_t pairs = plain_part(partition(copy.to).layout)[1].size() / 2;
  lines_.loop("pair", fmt::format("{}", pairs), true);
  const std::string first = sum({fragment_register(copy.from, "0"), "2 * pair"}), second = sum({first, "1"});
  lines_.add(
      fmt::format("{0} = make_{1}({2}[{3}], {2}[{4}]);", pair_in_box(copy.to, type, false), type, array_of(copy.from), first, second),
      why_);
  lines_.close();
}

}  // namespace tessera::emitting
