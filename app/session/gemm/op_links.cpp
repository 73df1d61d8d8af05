// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/op_links.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 20;  // that are listed

// Variables whose value a call says: "k" in load_fragments(0).
using Known = std::map<std::string, std::int64_t, std::less<>>;

// The coordinate that an index names whatever loop it stands in; nothing: a variable decides.
std::optional<std::int64_t> fixed(const plan::Index& index, const Known& known) {
  std::int64_t value = index.add.value;
  for (const std::string* name : {&index.variable, &index.plus}) {
    if (name->empty()) continue;
    const auto found = known.find(*name);
    if (found == known.end()) return std::nullopt;
    value += found->second;
  }
  return index.modulo.value > 0 ? value % index.modulo.value : value;
}

// The elements at those threads and picks; nothing where the plan names no part.
std::optional<std::vector<std::int64_t>> elements_at(const plan::Partition& partition, const plan::At& at, std::int64_t threads,
                                                     const Known& known) {
  const ValueTable table(partition.layout);
  const Layout& plain = plain_part(partition.layout);
  const std::int64_t all_threads = table.size(0);
  std::vector<std::int64_t> values{0};
  bool is_part = threads > 0 && threads < all_threads;
  std::int64_t weight = 1;
  for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
    const std::int64_t extent = partition.modes.size() == 1 ? table.size(1) : plain[1][mode].size();
    const auto pick = std::find_if(at.picks.begin(), at.picks.end(), [&](const plan::Pick& p) { return p.mode == partition.modes[mode]; });
    const std::optional<std::int64_t> only = pick == at.picks.end() ? std::nullopt : fixed(pick->at, known);
    if (only && (*only < 0 || *only >= extent)) return std::nullopt;
    is_part = is_part || (only && extent > 1);
    const std::size_t before = values.size();
    for (std::int64_t i = 1; i < extent && !only; ++i) {
      if (static_cast<std::int64_t>(values.size()) > kMostElements) return std::nullopt;
      for (std::size_t v = 0; v < before; ++v) values.push_back(values[v] + i * weight);
    }
    if (only) {
      for (std::int64_t& value : values) value += *only * weight;
    }
    weight *= extent;
  }
  const std::int64_t takes_part = threads > 0 ? std::min(threads, all_threads) : all_threads;
  if (!is_part || takes_part * static_cast<std::int64_t>(values.size()) > kMostElements) return std::nullopt;
  std::vector<std::int64_t> elements;
  elements.reserve(static_cast<std::size_t>(takes_part) * values.size());
  for (std::int64_t thread = 0; thread < takes_part; ++thread) {
    for (const std::int64_t value : values) elements.push_back(table(thread, value));
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

// Of a stage, or of a tile.
std::int64_t elements_of(const plan::Tensor& tensor) {
  return tensor.space == plan::Space::global && tensor.tiles.rank() > 0 ? tensor.tiles[0].size() : size(tensor.layout);
}

void add(std::vector<Touched>& touched, Touched more) {
  if (more.elements && static_cast<std::int64_t>(more.elements->size()) == more.of) more.elements.reset();
  const auto known = std::find_if(touched.begin(), touched.end(), [&](const Touched& each) { return each.tensor == more.tensor; });
  if (known == touched.end()) return touched.push_back(std::move(more));
  if (!known->elements) return;
  if (!more.elements) return known->elements.reset();
  std::vector<std::int64_t> both;
  std::set_union(known->elements->begin(), known->elements->end(), more.elements->begin(), more.elements->end(), std::back_inserter(both));
  known->elements = std::move(both);
}

void collect(const GemmPlan& plan, const plan::Op& op, const Known& known, std::vector<Touched>& touched) {
  const auto* copy = std::get_if<plan::Copy>(&op.op);
  plan::each_at(op, [&](const plan::At& at, bool) {
    const plan::Partition& partition = plan.partitions[at.partition];
    const plan::Tensor& tensor = plan.tensors[partition.tensor];
    if (tensor.space != plan::Space::shared && tensor.space != plan::Space::global) return;
    add(touched, {tensor.name, elements_at(partition, at, copy ? copy->threads : 0, known), elements_of(tensor)});
  });
  const plan::Block* inner = plan::inside(op, &plan);
  if (!inner) return;
  Known inside = known;
  if (const auto* loop = std::get_if<plan::Loop>(&op.op)) inside.erase(loop->variable);
  if (const auto* call = std::get_if<plan::Named>(&op.op)) {
    inside.clear();
    const std::vector<std::string>& parameters = plan.functions[call->function].parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), call->arguments.size()); ++i) {
      if (const std::optional<std::int64_t> value = fixed(call->arguments[i], known)) inside[parameters[i]] = *value;
    }
  }
  for (const plan::Op& each : *inner) collect(plan, each, inside, touched);
}

}  // namespace

std::vector<std::int32_t> numbers_of(const std::vector<const plan::Op*>& operations, const GemmPlan& plan, const plan::Op& op) {
  std::vector<std::int32_t> numbers;
  const auto add_number = [&](const plan::Op& each) {
    const auto found = std::find(operations.begin(), operations.end(), &each);
    if (found != operations.end()) numbers.push_back(static_cast<std::int32_t>(found - operations.begin()));
  };
  add_number(op);
  if (const plan::Block* inner = plan::inside(op, &plan)) plan::each_op_of(plan, *inner, add_number);
  return numbers;
}

bool Touched::has(std::int64_t element) const { return !elements || std::binary_search(elements->begin(), elements->end(), element); }

std::vector<Touched> touched_by(const GemmPlan& plan, const plan::Op& op) {
  std::vector<Touched> touched;
  collect(plan, op, {}, touched);
  return touched;
}

std::string words_of(const std::vector<Touched>& touched) {
  std::string words;
  for (const Touched& each : touched) {
    if (!words.empty()) words += ", ";
    words += each.elements ? fmt::format("{} of {} elements of {}", each.elements->size(), each.of, each.tensor) : "all of " + each.tensor;
  }
  return words;
}

BarOperations bars_of(const GemmPlan& plan) {
  Result<BarOperations> found = timeline_operations(plan);
  return found ? std::move(*found) : BarOperations();
}

std::vector<OpTouches> touches_of(const GemmPlan& plan) {
  std::vector<OpTouches> all;
  for (const plan::Op* op : operations_of(plan)) {
    if (plan::inside(*op, &plan)) continue;
    if (std::vector<Touched> touched = touched_by(plan, *op); !touched.empty()) all.push_back({op, std::move(touched)});
  }
  return all;
}

}  // namespace tessera
