// SPDX-License-Identifier: BSD-3-Clause
// A ladder that was measured: of this run, or recorded. `tessera gemm ladder --json` prints what is read here, and
// `tessera gemm ladder --record DIR` keeps it without what is of one machine alone; assets/recordings/ladder comes with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/ladder_steps.hpp"
#include "core/base/result.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

struct MeasuredRung {
  int number = 0;
  std::string name;
  std::optional<Measurement> measurement;
  std::string not_measured;          // why there is none
  std::string other_version;         // where its kernel is not this version's, in words; empty: it is, or that cannot be told
  bool same_code = false;            // its kernel's code was compared with this version's, and is the same
  std::optional<GemmReport> report;  // of its measurement, once it was compared
};

// At least one rung has a measurement, and all of them are of one device, driver and size.
struct MeasuredLadder {
  Provenance provenance = Provenance::recorded;
  ProblemSize extents;
  std::vector<MeasuredRung> rungs;

  const Measurement& any() const;  // the first measurement
};

// What `tessera gemm ladder --json` or `--record` wrote. A refusal names the line.
Result<MeasuredLadder> read_ladder(std::string_view text);
// What was measured in this run; refused where nothing was, with the reason.
Result<MeasuredLadder> measured_ladder(const std::vector<LadderStep>& steps, const ProblemSize& extents);

// Compares each rung with the one of its name as this version has it, and makes its report.
void compare_with_rungs(MeasuredLadder& ladder);

// "NVIDIA H200, driver 580.159.04, NVRTC 13.0, cuBLASLt 13.1, 2026-11-22"
std::string origin_text(const MeasuredLadder& ladder);
std::string size_text(const ProblemSize& extents);  // "4096 x 4096 x 4096"
Json ladder_json(const MeasuredLadder& ladder);

// The ladders that come with the program, by device and size, and what could not be read of them.
struct RecordedLadders {
  std::vector<MeasuredLadder> ladders;
  std::vector<Error> damaged;
};
RecordedLadders recorded_ladders();
// Those of that size and device; either may be left open. `gpu` as device_slug or as the device calls itself. None: refused with what
// is recorded.
Result<std::vector<MeasuredLadder>> choose(std::vector<MeasuredLadder> ladders, const std::optional<ProblemSize>& extents,
                                           std::string_view gpu);

// "NVIDIA H100 80GB HBM3" -> "h100": for the name of a file.
std::string device_slug(std::string_view device);
// A measurement without what is of one machine or run alone: times of the run's parts, the cache, paths; of all samples, those that a
// ratio's spread is made of stay.
Measurement recorded_form(Measurement measurement);

// DIR/ladder/h200-4096.json, DIR/tensor_gemm-h200.json. A recording of the same thing is replaced, unless it has more rungs; any other file
// is kept. Returns where.
Result<std::filesystem::path> record(const MeasuredLadder& ladder, const std::filesystem::path& folder);
Result<std::filesystem::path> record(const Measurement& measurement, const std::filesystem::path& folder);

}  // namespace tessera
