// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/race_evidence.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/gemm/gemm_request.hpp"
#include "core/base/checked.hpp"
#include "core/base/json.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {
namespace {

// Multiplications of one order that a person waits for while there are hundreds of them.
constexpr std::int64_t kMostRacedMacs = std::int64_t{1} << 28;

bool is_small(const GemmPlan& plan) {
  const auto macs = static_cast<__int128>(plan.m_tiles * plan.blk_m) * (plan.n_tiles * plan.blk_n) * (plan.k_tiles * plan.blk_k);
  return macs * plan.batch <= kMostRacedMacs;
}

std::int64_t tiles_of_cta(const GemmPlan& plan) { return plan.grid > 0 ? ceil_div(plan.m_tiles * plan.n_tiles, plan.grid) : 0; }

// What noticed it, and its words: "machine, 68 of 68 orders: the roles wait for ever ...".
std::string verdict_in_words(const Removal& removal) {
  if (removal.caught) return fmt::format("machine, {} of {} orders: {}", removal.noticed_in, removal.orders, removal.caught->message);
  if (removal.refused) return "verify: " + removal.refused->message;
  return removal.idle.empty() ? "NOT NOTICED" : "not needed: " + removal.idle;
}

std::string where(const OrderingOp& op) { return op.member < 0 ? op.of : fmt::format("{} {} alone", op.of, op.member); }

}  // namespace

std::size_t RaceEvidence::unnoticed() const {
  return static_cast<std::size_t>(
      std::count_if(removals.begin(), removals.end(), [](const Removal& of) { return !of.is_noticed() && of.idle.empty(); }));
}

Result<GemmSpec> at_raced_size(GemmSpec spec, const GemmPlan& plan) {
  const bool persistent = spec.ctas > 0;
  const std::int64_t turns = !persistent ? 1 : spec.overlap == Overlap::ping_pong ? 4 : 3;
  if (persistent) spec.ctas = plan.cluster_size();
  // A deferred store leaves a box of C a k-tile.
  const std::int64_t k_tiles = std::max<std::int64_t>(std::max<std::int64_t>(plan.stages(), 1) + 2, persistent ? 6 : 3);
  const std::int64_t m = std::min(plan.m, turns * plan.cluster_m * plan.blk_m), n = std::min(plan.n, plan.cluster_n * plan.blk_n),
                     k = std::min(plan.k, k_tiles * plan.blk_k);
  return at_extents(std::move(spec), m, n, k);
}

Result<RaceEvidence> race_evidence(const GemmSpec& spec, const RaceOptions& options) {
  std::optional<GemmPlan> plan;
  RaceEvidence evidence;
  {
    const Budget budget(options.limits);
    TESSERA_TRY(asked, lower(spec));
    evidence.is_smaller = spec.plan == nullptr && !is_small(asked);
    if (evidence.is_smaller) {
      TESSERA_TRY(small, at_raced_size(spec, asked));
      TESSERA_TRY(lowered, lower(small));
      plan = std::move(lowered);
    } else {
      plan = std::move(asked);
    }
  }
  evidence.name = plan->name;
  evidence.m = plan->m, evidence.n = plan->n, evidence.k = plan->k;
  evidence.tiles_of_cta = tiles_of_cta(*plan);
  evidence.orders = kNamedOrders + options.drawn;
  const std::vector<OrderingOp> ops = options.removals ? ordering_ops(*plan, options.members) : std::vector<OrderingOp>();
  const auto go_on = [&](std::size_t done) -> Status {
    if (!options.progress || options.progress(done, ops.size() + 1)) return Done{};
    return Error{ErrorCode::timed_out, "the race was stopped", {}, {}};
  };
  RacedProblem problem;
  {
    const Budget budget(options.limits);
    TESSERA_TRY(fault, fault_of(*plan, evidence.orders));
    evidence.fault = std::move(fault);
    if (evidence.fault) return evidence;  // what is left out of a wrong plan means nothing
    TESSERA_TRY(made, raced_problem(*plan));
    problem = std::move(made);
    evidence.has_values = !problem.expected.empty();
  }
  for (const OrderingOp& op : ops) {
    TESSERA_CHECK(go_on(evidence.removals.size() + 1));
    const Budget budget(options.limits);
    TESSERA_TRY(removal, judge_removal(*plan, op, problem, evidence.orders));
    evidence.removals.push_back(std::move(removal));
  }
  return evidence;
}

std::string evidence_text(const RaceEvidence& evidence) {
  std::string text = fmt::format("{}: {} x {} x {}{}, {} of C for a CTA\n", evidence.name, evidence.m, evidence.n, evidence.k,
                                 evidence.is_smaller ? ", a few tiles of the product asked for" : "",
                                 evidence.tiles_of_cta == 1 ? "1 tile" : fmt::format("at most {} tiles", evidence.tiles_of_cta));
  if (evidence.fault) return text + fmt::format("WRONG: {}\n", evidence.fault->message);
  text += fmt::format("RIGHT in {} orders: {} named and {} drawn; no access races{}\n", evidence.orders, kNamedOrders,
                      evidence.orders - kNamedOrders, evidence.has_values ? ", and C is the definition's in each" : "");
  std::string of;
  std::size_t width = 0;
  for (const Removal& removal : evidence.removals) width = std::max(width, removal.op.text.size());
  for (const Removal& removal : evidence.removals) {
    if (const std::string here = where(removal.op); here != of) text += fmt::format("\nwithout operation, in {}:\n", here), of = here;
    text += fmt::format("{:5}  {:<{}}  {}\n", removal.op.number, removal.op.text, width, verdict_in_words(removal));
  }
  if (evidence.removals.empty()) return text;
  const auto noticed = std::count_if(evidence.removals.begin(), evidence.removals.end(), [](const Removal& of) { return of.is_noticed(); });
  return text + fmt::format("\n{} of {} removals are noticed, {} are of what is not needed there, {} are NOT NOTICED\n", noticed,
                            evidence.removals.size(), evidence.removals.size() - static_cast<std::size_t>(noticed) - evidence.unnoticed(),
                            evidence.unnoticed());
}

std::string to_json(const RaceEvidence& evidence) {
  const auto words = [](const std::optional<Error>& error) { return error ? Json(error->message) : Json(); };
  Json::List removals;
  for (const Removal& removal : evidence.removals) {
    removals.push_back(Json::object({{"number", removal.op.number},
                                     {"of", removal.op.of},
                                     {"member", removal.op.member < 0 ? Json() : Json(removal.op.member)},
                                     {"operation", removal.op.text},
                                     {"verify", words(removal.refused)},
                                     {"machine", words(removal.caught)},
                                     {"noticed_in", removal.noticed_in},
                                     {"noticed", removal.is_noticed()},
                                     {"not_needed", removal.idle.empty() ? Json() : Json(removal.idle)}}));
  }
  return Json::object({{"name", evidence.name},
                       {"m", evidence.m},
                       {"n", evidence.n},
                       {"k", evidence.k},
                       {"is_smaller", evidence.is_smaller},
                       {"tiles_of_cta", evidence.tiles_of_cta},
                       {"orders", evidence.orders},
                       {"fault", words(evidence.fault)},
                       {"removals", std::move(removals)}})
      .dump(2);
}

}  // namespace tessera
