// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what becomes of a GEMM or a written plan before any GPU sees it: does it fit together, what does the machine find, and what is
// left of it without some of its operations.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/race.hpp"
#include "core/gemm/text/text.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/spec_values.hpp"

namespace tessera {
namespace {

using SharedGemm = std::shared_ptr<const GemmSpec>;

constexpr std::int64_t kMostMacs = std::int64_t{1} << 24;  // multiply-adds of all orders: what an answer may wait for

Result<GemmPlan> plan_of(const Call& call) {
  const auto* gemm = std::get_if<SharedGemm>(&call[0].value->any);
  if (gemm == nullptr)
    return argument_error(call, call.names[0], call[0],
                          {ErrorCode::wrong_type, fmt::format("a GEMM or a plan is wanted, not {}", described(*call[0].value)), {}, {}});
  if ((*gemm)->plan) return *(*gemm)->plan;  // as it was written: what is wrong with it is the answer
  return lower(**gemm);
}

// `what`: the member that says whether there is no fault.
Result<Value> verdict(const Call& call, std::string_view what, const GemmPlan& plan, std::optional<Error> fault, std::string sound) {
  Report report;
  report.kind = call.function();
  report.sentence = fault ? fault->message : fmt::format("{}: {}", plan.name.empty() ? "the plan" : plan.name, sound);
  report.facts = {{what, !fault.has_value()}, {"finding", fault ? fault->message : std::string()}};
  if (fault) report.notes = fault->notes;
  if (fault && call.warnings != nullptr)
    call.warnings->push_back({fault->code, fmt::format("{}: {}", call.function(), fault->message), call.span(), std::move(fault->notes)});
  return Value{std::make_shared<const Report>(std::move(report))};
}

Result<Value> verify_call(const Call& call) {
  TESSERA_TRY(plan, plan_of(call));
  std::optional<Error> fault;
  if (Status fits = verify(plan); !fits) fault = std::move(fits).error();
  return verdict(call, "fits", plan, std::move(fault), "its operations fit together");
}

Status check_macs(const Call& call, const GemmPlan& plan, std::int64_t orders) {
  if (!plan.mma || has_opaque(plan) || plan.m <= kMostMacs / orders / plan.n / plan.k) return Done{};
  return Error{ErrorCode::limit,
               fmt::format("{}: {} x {} x {} in {} orders are more multiplications than {}", call.function(), plan.m, plan.n, plan.k,
                           orders, kMostMacs),
               call.span(),
               {fmt::format("a smaller problem of the same tiles, such as m={} n={} k={}, or fewer orders", plan.blk_m, plan.blk_n,
                            2 * plan.blk_k)}};
}

Result<Value> simulate_call(const Call& call) {
  TESSERA_TRY(plan, plan_of(call));
  TESSERA_TRY(asked, argument<std::optional<std::int64_t>>(call, 1));
  const std::int64_t orders = asked.value_or(kRacedOrders);
  constexpr std::int64_t kMostOrders = 256;
  if (orders < 1 || orders > kMostOrders)
    return argument_error(call, call.names[1], call[1],
                          {ErrorCode::out_of_range, fmt::format("there are 1 to {} orders, not {}", kMostOrders, orders), {}, {}});
  TESSERA_CHECK(check_macs(call, plan, orders));
  TESSERA_TRY(fault, fault_of(plan, static_cast<std::uint32_t>(orders)));
  const bool has_values = plan.mma && !has_opaque(plan);
  return verdict(call, "right", plan, std::move(fault),
                 fmt::format("in {} orders nothing is read or overwritten too early, and nobody waits for ever{}", orders,
                             has_values ? "; C is right" : "; its operations have no values"));
}

// The text of a plan without the lines that begin with these words. A line that is a block goes with all of it.
Result<std::string> text_without(const Call& call, std::string_view text, std::string_view words) {
  std::string made;
  std::int64_t taken = 0;
  int within = 0;  // braces of a block that goes
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end), said = trimmed(line);
    text.remove_prefix(end);
    const bool begins = within == 0 && said.starts_with(words) && (said.size() == words.size() || !is_word(said[words.size()]));
    if (!begins && within == 0) {
      made += line;
      continue;
    }
    taken += begins;
    for (const char c : said) within += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  if (taken > 0) return made;
  return Error{ErrorCode::unknown_name, fmt::format("without: no line of the plan begins with \"{}\"", words), call[1].span, {}};
}

Result<Value> without_call(const Call& call) {
  TESSERA_TRY(plan, plan_of(call));
  TESSERA_TRY(words, argument<std::string>(call, 1));
  const std::string_view begin = trimmed(words);
  if (begin.empty())
    return argument_error(call, call.names[1], call[1], {ErrorCode::wrong_type, "the words that a line begins with", {}, {}});
  TESSERA_TRY(text, text_without(call, plan::to_text(plan), begin));
  TESSERA_TRY(read, plan::parse_plan(text));
  return plan_value(std::move(read));
}

constexpr Builtin kRows[] = {
    {"verify", "verify(gemm)",
     "do the operations of a GEMM or a written plan fit together? .fits, and .finding says what does not; nothing is executed",
     verify_call},
    {"simulate", "simulate(gemm, orders=16)",
     "the GEMM or plan executed on the CPU in several of the orders that its barriers leave open: .right, and .finding says what is raced "
     "for, who waits for ever, or which element of C is wrong",
     simulate_call},
    {"without", "without(gemm, words)", "the plan without its lines that begin with these words, \"wait full\": what goes wrong then?",
     without_call},
};

}  // namespace

std::span<const Builtin> verdict_builtins() { return kRows; }

}  // namespace tessera
