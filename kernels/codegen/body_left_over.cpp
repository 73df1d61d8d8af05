// SPDX-License-Identifier: BSD-3-Clause
// Columns of C that no store of TMA can end with: each thread stores its own elements, from registers, where their coordinates say so.
#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/plan/walk.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

// Do threads read or write elements of the operand in global memory?
bool names_elements(const GemmPlan& plan, Operand operand) {
  const auto is_it = [&](const plan::At& at) {
    const plan::Tensor& tensor = plan.tensors[plan.partitions[at.partition].tensor];
    return tensor.space == plan::Space::global && tensor.operand == operand;
  };
  const auto names = [&](const plan::Op& op) {
    if (const auto* convert = std::get_if<plan::Convert>(&op.op)) return convert->c.partition != plan::kNone && is_it(convert->c);
    const auto* copy = std::get_if<plan::Copy>(&op.op);
    const bool by_threads = copy != nullptr && copy->by != plan::CopyBy::tma_load && copy->by != plan::CopyBy::tma_store;
    return by_threads && (is_it(copy->from) || is_it(copy->to));
  };
  return plan::any_op(plan, names);
}

}  // namespace

bool takes_pointer(const GemmPlan& plan, Operand operand) { return plan.maps.empty() || names_elements(plan, operand); }

// Where a thread's elements of a box begin: "tLcC_m" and "tLcC_n".
void Body::declare_left_over(const plan::Partition& coordinates) {
  const Layout threads = plain_part(coordinates.layout)[0];
  const auto first = [&](std::uint8_t mode) { return index_expr(of_role(basis_part(threads, mode)), "thr"); };
  lines_.add(fmt::format("const int {0}_m = {1}, {0}_n = {2};", coordinates.name, first(0), first(1)),
             fmt::format("{} -> (m, n) in the tile", coordinates.name));
}

void Body::store_left_over(const plan::Copy& copy) {
  const plan::Partition& is = coordinates(copy.to);
  const Layout modes = plain_part(is.layout)[1];
  const ValueType type = tensor(copy.to).type;
  const std::string memory = memory_type(type);
  const bool halves = bits(type) == 16, before = copy.to.tiles_back > 0;
  const char* const variable = halves ? "word" : "pair";
  const std::int64_t pairs = modes[0].size() / 2;
  const auto place = [&](std::uint8_t mode) {
    std::vector<std::string> terms{fmt::format("{} * BLK_{}", tile_name(mode, before), mode == 0 ? "M" : "N"), first_coordinate(is, mode)};
    for (std::size_t i = 1; i < is.modes.size(); ++i)
      terms.push_back(index_expr(basis_part(modes[i], mode), coordinate(copy.to, is.modes[i])));
    terms.push_back(index_expr(composition(basis_part(modes[0], mode), Layout::trusted(pairs, 2)).value(), variable));
    return sum(terms);
  };
  const auto element = [&](int which) {
    if (!halves)
      return fmt::format("{}[{}]", array_of(copy.from), sum({fragment_register(copy.from, "0"), "2 * pair", fmt::format("{}", which)}));
    const std::string both = fmt::format("{}[{}]", array_of(copy.from), fragment_register(copy.from, "word"));
    return fmt::format("({}){}", memory, which == 0 ? both : fmt::format("({} >> 16)", both));
  };
  std::string condition = plan::has_edge(plan_, Operand::c, 0) ? "m < M" : "";
  if (copy.beyond != plan::kNone) condition += condition.empty() ? "n >= TMA_N" : " && n >= TMA_N";
  if (!why_.empty()) lines_.comment(why_);
  if (constants_.are_arguments()) lines_.open("if (TMA_N < N)");
  lines_.loop(variable, fmt::format("{}", pairs), true);
  lines_.add(fmt::format("const int m = {};", place(0)));
  lines_.add(fmt::format("const int n = {};", place(1)));
  if (!condition.empty()) lines_.open(fmt::format("if ({})", condition));
  lines_.add(fmt::format("{}* c = C + m * {} + n;", memory, constants_.leading_name(tensor(copy.to))));
  lines_.add(fmt::format("if (n < N) c[0] = {};", element(0)));
  lines_.add(fmt::format("if (n + 1 < N) c[1] = {};", element(1)));
  if (!condition.empty()) lines_.close();
  lines_.close();
  if (constants_.are_arguments()) lines_.close();
}

}  // namespace tessera::emitting
