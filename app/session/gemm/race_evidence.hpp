// SPDX-License-Identifier: BSD-3-Clause
// Whether a GEMM's plan is right in whatever order its threads run, and what each of its waits, arrivals and fences is good for: on the
// machine (core/gemm/run), without a GPU. A product that is too large for that is looked at in a few tiles of its own, which have the same
// operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/budget.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/gemm/run/removals.hpp"

namespace tessera {

inline constexpr std::uint32_t kNamedOrders = 4;  // of SimulationOptions::interleaving; those from there on are drawn

struct RaceEvidence {
  std::string name;
  std::int64_t m = 0, n = 0, k = 0;  // of the product that was looked at, in elements
  std::int64_t tiles_of_cta = 0;     // of the CTA that has most
  bool has_values = true;            // false: of operations that have a name alone
  bool is_smaller = false;           // than the one asked for
  std::uint32_t orders = 0;
  std::optional<Error> fault;     // of the plan as it is
  std::vector<Removal> removals;  // empty where they were not asked for
  std::size_t unnoticed() const;  // removals that nobody notices and nothing explains
};

struct RaceOptions {
  std::uint32_t drawn = 64;  // orders beside the named ones
  bool removals = false;
  bool members = false;                                               // removals also from one member of a family alone
  Limits limits{};                                                    // of each plan that is looked at
  std::function<bool(std::size_t done, std::size_t all)> progress{};  // false: stop
};

// The spec with as many tiles of C as make each CTA of one cluster go round its loops twice or more, and two k-tiles more than it has
// stages. Refuses what set_extents does.
Result<GemmSpec> at_raced_size(GemmSpec spec, const GemmPlan& plan);

// Refused where the plan is, and where it cannot be looked at: no product, too large, too late, or stopped.
Result<RaceEvidence> race_evidence(const GemmSpec& spec, const RaceOptions& options);

std::string evidence_text(const RaceEvidence& evidence);  // with a table of removals, by number in the listing of the program
std::string to_json(const RaceEvidence& evidence);

}  // namespace tessera
