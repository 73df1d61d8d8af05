// SPDX-License-Identifier: BSD-3-Clause
// Loops, conditions, calls and cursors of an emitted kernel, executed: blocks of all shapes do what a reader of the plan does.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/body.hpp"
#include "tests/host/kernel_library.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

constexpr std::size_t kMost = 2000;  // steps of a block

// What the operations do, one number a step, by their description in ops.hpp.
class Reader {
 public:
  Reader(const GemmPlan& plan, std::int64_t thread) : plan_(plan), thread_(thread), cursors_(plan.cursors.size()) {
    for (std::size_t i = 0; i < cursors_.size(); ++i) cursors_[i] = plan.cursors[i].first;
  }
  const std::vector<double>& steps() const { return steps_; }

  void read(const plan::Block& block) {
    for (const plan::Op& op : block) {
      if (steps_.size() >= kMost) return;
      if (const auto* loop = std::get_if<plan::Loop>(&op.op)) {
        for (std::int64_t i = loop->first; i < loop->count; i += loop->step) variables_[loop->variable] = i, read(*loop->body);
      } else if (const auto* when = std::get_if<plan::When>(&op.op)) {
        if (holds(*when)) read(*when->body);
      } else if (const auto* call = std::get_if<plan::Named>(&op.op)) {
        steps_.push_back(static_cast<double>(100 * (call->function + 1) + value(call->arguments.front())));
      } else if (const auto* advance = std::get_if<plan::Advance>(&op.op)) {
        cursors_[advance->cursor] += advance->by;
      } else {  // a commit
        double stages = 0;
        for (std::size_t i = 0; i < cursors_.size(); ++i)
          stages = 10 * stages + static_cast<double>(cursors_[i] % plan_.rings[plan_.cursors[i].ring].stages);
        steps_.push_back(-1 - stages);
      }
    }
  }

 private:
  std::int64_t value(const plan::Index& index) const {
    std::int64_t sum = index.add;
    for (const std::string& variable : {index.variable, index.plus}) sum += variable.empty() ? 0 : variables_.at(variable);
    return index.modulo > 0 ? sum % index.modulo : sum;
  }
  bool holds(const plan::When& when) const {
    switch (when.only) {
      case plan::Only::below: return value(when.index) < when.bound;
      case plan::Only::equal: return value(when.index) == when.bound;
      case plan::Only::at_least: return value(when.index) >= when.bound;
      default: return thread_ == 0;
    }
  }

  const GemmPlan& plan_;
  std::int64_t thread_;
  std::map<std::string, std::int64_t> variables_;
  std::vector<std::int64_t> cursors_;
  std::vector<double> steps_;
};

class Writer {
 public:
  Writer(const GemmPlan& plan, std::uint32_t seed) : plan_(plan), random_(seed) {}

  plan::Block block(int depth = 0) {
    plan::Block made;
    for (int i = pick({1, 2, 3}); i > 0; --i) {
      const std::int64_t kind = depth < 4 ? pick({0, 0, 1, 1, 2, 3, 4, 5}) : pick({3, 4, 5});
      if (kind == 0 && open_.size() < 3) {
        made.push_back(loop(depth));
      } else if (kind <= 1) {
        made.push_back(when(depth));
      } else if (kind == 2) {  // two that may become an if and its else
        made.push_back(when(depth));
        plan::When second = std::get<plan::When>(made.back().op);
        std::get<plan::When>(made.back().op).only = pick({0, 0, 0, 1}) ? plan::Only::equal : plan::Only::below;
        second.only = pick({0, 0, 0, 1}) ? plan::Only::at_least : plan::Only::equal;
        if (pick({0, 0, 0, 1})) ++second.bound;
        second.body = std::make_shared<const plan::Block>(pick({0, 0, 1}) ? plan::Block{when(depth + 1)} : block(depth + 1));
        made.push_back({second, ""});
      } else if (kind == 3) {
        made.push_back({plan::Advance{static_cast<plan::Id>(random_() % plan_.cursors.size()), number({1, 1, 2})}, why()});
      } else if (kind == 4) {
        made.push_back({plan::Commit{}, why()});
      } else {
        made.push_back({plan::Named{static_cast<plan::Id>(random_() % plan_.functions.size()), {index()}}, why()});
      }
    }
    return made;
  }

 private:
  struct Open {
    std::string variable;
    std::int64_t last = 0;
  };

  std::int64_t pick(const std::vector<std::int64_t>& from) { return from[random_() % from.size()]; }
  plan::Num number(const std::vector<std::int64_t>& from) { return plan::Num(pick(from)); }
  std::string why() { return pick({0, 0, 1}) ? "a reason" : ""; }
  plan::Index index() {
    plan::Index made{"", number({0, 0, 1, 2}), number({0, 0, 0, 2, 3}), ""};
    if (!open_.empty()) made.variable = open_[random_() % open_.size()].variable;
    if (!open_.empty() && pick({0, 0, 1})) made.plus = open_[random_() % open_.size()].variable;
    return made;
  }
  plan::Op loop(int depth) {
    plan::Loop made;
    do made.variable = std::vector<std::string>{"k_tile", "stage", "k"}[random_() % 3];
    while (std::any_of(open_.begin(), open_.end(), [&](const Open& each) { return each.variable == made.variable; }));
    made.first = number({0, 0, 1}), made.step = number({1, 1, 2}), made.unrolled = pick({0, 1}) == 1;
    made.count = made.first + pick({0, 1, 1, 2, 3, 4});
    open_.push_back({made.variable, made.count - 1});
    made.body = std::make_shared<const plan::Block>(block(depth + 1));
    open_.pop_back();
    return {made, why()};
  }
  plan::Op when(int depth) {
    plan::When made;
    made.only =
        std::vector<plan::Only>{plan::Only::below, plan::Only::equal, plan::Only::at_least, plan::Only::first_thread}[random_() % 4];
    made.index = index();
    std::int64_t most = made.index.add;
    for (const Open& each : open_)
      most += (each.variable == made.index.variable) * each.last + (each.variable == made.index.plus) * each.last;
    made.bound = plan::Num(made.index.modulo > 0 ? pick({0, 1, 2, 3}) : most + pick({0, 0, -1, -2, 1}));
    made.body = std::make_shared<const plan::Block>(block(depth + 1));
    return {made, why()};
  }

  const GemmPlan& plan_;
  std::mt19937 random_;
  std::vector<Open> open_;
};

// In a loop's last round, what another condition decides: if (k < 3) .. else if (thr == 0) ..
plan::Block chain_of_conditions() {
  const auto when = [](plan::Only only, plan::Index index, std::int64_t bound, plan::Op body) {
    plan::When made;
    made.only = only, made.index = std::move(index), made.bound = plan::Num(bound);
    made.body = std::make_shared<const plan::Block>(plan::Block{std::move(body)});
    return plan::Op{made, ""};
  };
  const plan::Index k{"k"};
  plan::Loop loop;
  loop.variable = "k", loop.first = plan::Num(0), loop.count = plan::Num(4), loop.step = plan::Num(1);
  loop.body = std::make_shared<const plan::Block>(
      plan::Block{when(plan::Only::below, k, 3, {plan::Named{0, {k}}, ""}),
                  when(plan::Only::equal, k, 3, when(plan::Only::first_thread, {}, 0, {plan::Named{1, {k}}, ""}))});
  return {plan::Op{loop, ""}};
}

// A kernel whose calls and commits write numbers to C instead of doing anything.
KernelSource recording(const GemmPlan& plan, std::int64_t thread) {
  const std::string body = emitting::Body(plan, emitting::Constants(plan)).lines().text();
  const std::size_t title = body.find("  // Pipeline:"), begin = body.find('\n', title) + 1, end = body.find("  // Epilogue:");
  REQUIRE(title != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string flow = body.substr(begin, end - begin);
  std::string record, stages = "0";
  for (const plan::Cursor& cursor : plan.cursors) {
    record += fmt::format("  int {} = {};\n", cursor.name, cursor.first % plan.rings[cursor.ring].stages);
    stages = fmt::format("(10 * {} + {})", stages, cursor.name);
  }
  record += fmt::format("  const auto cp_async_commit = [&] {{ C[n++] = -1 - {}; }};\n", stages);
  for (std::size_t i = 0; i < plan.functions.size(); ++i)
    record += fmt::format("  const auto {} = [&](int x) {{ C[n++] = {} + x; }};\n", plan.functions[i].name, 100 * (i + 1));
  const std::string frame = "extern \"C\" __global__ void {}(const int* A, const int* B, int* C, float, float) {{\n{}}}\n";
  KernelSource source;
  source.entry = "flow", source.reference_entry = "none";
  source.text = emitting::Constants(plan).declarations(flow) +
                fmt::format(fmt::runtime(frame), "flow", fmt::format("  int n = 0;\n  const int thr = {};\n{}{}", thread, record, flow));
  source.reference_text = fmt::format(fmt::runtime(frame), "none", "");
  source.a = source.b = source.c = {"s32", static_cast<std::int64_t>(2 * kMost), 4};
  return source;
}

}  // namespace

TEST_CASE("whatever loops and conditions a plan nests, the emitted text takes the same steps") {
  std::vector<GemmPlan> plans;
  for (const std::int64_t stages : {2, 3, 4}) plans.push_back(lower(support::tensor(64, 64, 128, 64, 64, 32, stages)).value());
  std::vector<KernelSource> sources;
  std::vector<std::vector<double>> want;
  std::size_t alternatives = 0, chains = 0;
  const auto add = [&](GemmPlan plan, std::int64_t thread, const plan::Block& block) {
    Reader reader(plan, thread);
    reader.read(block);
    if (reader.steps().empty() || reader.steps().size() >= kMost) return;
    const plan::Op epilogue = plan.roles.front().block.back();
    plan.roles.front().block = block;
    plan.roles.front().block.push_back(epilogue);
    sources.push_back(recording(plan, thread));
    want.push_back(reader.steps());
    alternatives += sources.back().text.find("} else {") != std::string::npos;
    chains += sources.back().text.find("} else if (") != std::string::npos;
  };
  for (const std::int64_t thread : {0, 1}) add(plans[0], thread, chain_of_conditions());
  CHECK(chains == 2);
  for (std::uint32_t seed = 0; sources.size() < 122; ++seed) {
    const GemmPlan& plan = plans[seed % plans.size()];
    add(plan, seed / plans.size() % 2, Writer(plan, seed).block());
  }
  CHECK(alternatives > 3);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<std::byte> a(4), b(4), c(8 * kMost);
    INFO(sources[i].text);
    const auto ran = host::run(library->kernel(i), {}, {a, b, c});
    if (!ran) FAIL(describe(ran.error()));
    std::vector<double> got = support::values_in(c, sources[i].c);
    got.resize(want[i].size() + 1);
    CHECK(got.back() == 0);  // no step more
    got.pop_back();
    CHECK(got == want[i]);
  }
}
