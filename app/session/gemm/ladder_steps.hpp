// SPDX-License-Identifier: BSD-3-Clause
// The ladder as a person reads it: each rung's spec, and in words what changed from the one before; and any two GEMMs as three texts beside
// each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/files/line_diff.hpp"
#include "app/session/gemm/jobs.hpp"
#include "core/base/json.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/runtime/device/cubin.hpp"

namespace tessera {

class CubinCache;
class KernelCompiler;

struct ProblemSize {
  std::int64_t m = 4096, n = 4096, k = 4096;  // elements
  friend bool operator==(const ProblemSize&, const ProblemSize&) = default;
};

struct LadderStep {
  const Rung* rung = nullptr;
  GemmSpec spec;
  std::vector<std::string> changes;  // "stages: 1 -> 3", labels and extents aside; of the first rung none
  std::optional<GemmReport> report;  // of a run
  bool is_refused = false;           // no kernel of it at that size
  std::string not_measured;          // why there is none
  std::optional<Cubin> compiled{};   // without its bytes, where it was asked for
  std::string not_compiled{};        // why there is none; empty where it was not asked for
};

// Every rung at that size, lowest first, none of them run.
Result<std::vector<LadderStep>> climb(const ProblemSize& extents);
// Compiles each rung that has a kernel at that size for its own architecture, or takes what `cache` keeps of it: no GPU is needed.
void compile(std::vector<LadderStep>& steps, KernelCompiler& compiler, CubinCache& cache);
// The request that runs a rung: rung(9, 4096, 4096, 4096).
GemmRequest request_of(const Rung& rung, const ProblemSize& extents);
// `recordings`: what is shown where nothing was measured, as values of JSON.
std::string to_json(const std::vector<LadderStep>& steps, const ProblemSize& extents, const std::vector<Json>& recordings = {});

// Two GEMMs, spec against spec, plan against plan and source against source.
struct GemmDiff {
  std::string a, b;                  // names
  std::vector<std::string> changes;  // in words
  std::vector<DiffLine> plan, source;
  const Rung* rung = nullptr;  // the rung that b is; null: none
};
Result<GemmDiff> diff(const GemmRequest& a, const GemmRequest& b);

}  // namespace tessera
