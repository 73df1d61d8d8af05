// SPDX-License-Identifier: BSD-3-Clause
// Every run of a GEMM that a person asked for: what was run, what changed from the run before, what came of it, what was expected of it,
// and a note. Kept from session to session in a private file, a line of JSON each, the newest kMostRuns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/jobs.hpp"
#include "app/session/gemm/prediction.hpp"
#include "core/base/result.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

struct RunRow {
  std::int64_t at_ns = 0;  // since 1970, when it was started: no two of a history have the same
  std::string binding;
  std::string expression;  // as it stood in the document
  std::string spec;        // what that was, without names of the document
  std::string changed;     // from the run before it, in words; empty: it is the first of its binding, or the same again
  bool emulated = false;
  // Of a run that was refused or stopped; empty: it has a result.
  std::string refused;
  // What the report says; of a run that was refused nothing.
  bool correct = false;
  std::string device;
  std::optional<double> microseconds, spread_percent, tflops, percent_of_baseline, noise;
  std::optional<Prediction> prediction;
  std::string verdict;  // of the prediction; empty: there was none, or nothing to judge it by
  std::string note;
  friend bool operator==(const RunRow&, const RunRow&) = default;
};

// A GEMM without names of the document, and without a name of its own where that is the binding's.
std::string spec_text(GemmSpec spec, std::string_view binding);
std::string date_of(const RunRow& run);    // "2026-11-27 23:05:01 UTC"
std::string result_of(const RunRow& run);  // "12.3 us (p10 to p90: 1.20 %), 611 TFLOP/s", "correct on the CPU", "refused: ..."
// The expression of a run as it was written where `scope` still makes the same GEMM of it; else its spec, without names of the document
// that have come to stand for something else.
std::string restored(const RunRow& run, const Scope& scope);
// The report's numbers, so that a later run can be held against it.
GemmReport numbers_of(const RunRow& run);
// "stages: 3 -> 4"; "the same again" where nothing differs; what cannot be read is said as a whole.
std::string changes_between(const std::string& spec_before, const std::string& spec);

constexpr std::size_t kMostRuns = 10000;

class RunHistory {
 public:
  const std::vector<RunRow>& runs() const { return runs_; }  // the oldest first
  // The last that has a time, of that binding; null: there is none.
  const RunRow* last_timed(std::string_view binding) const;
  // Fills in what changed and, by the last timed run or the baseline, the verdict. A time that is taken becomes the next one.
  const RunRow& add(RunRow run, const Result<GemmReport>& report);
  void set_note(std::size_t number, std::string note);
  // Takes a run out, so that it does not come back from the file either, until it is brought back.
  RunRow forget(std::size_t number);
  void bring_back(RunRow run);
  const std::vector<std::int64_t>& forgotten() const { return forgotten_; }  // at_ns
  // Those of `kept` that are not here, in the order of time.
  void merge(std::vector<RunRow> kept);
  std::uint64_t revision() const { return revision_; }  // another number after each change

 private:
  void shorten();
  std::vector<RunRow> runs_;
  std::vector<std::int64_t> forgotten_;
  std::uint64_t revision_ = 0;
};

// A line each. Lines that cannot be read are passed over, and counted.
std::string to_lines(const std::vector<RunRow>& runs);
struct ReadRuns {
  std::vector<RunRow> runs;
  std::size_t damaged = 0;
};
ReadRuns read_runs(std::string_view lines);

std::filesystem::path history_folder();  // own_folder(state)/gemm; empty without a home
// What is kept there; no file gives none. Refuses a folder that others may write to.
Result<ReadRuns> load_runs(const std::filesystem::path& folder = history_folder());
// Writes these with what another program has added meanwhile, but for what is forgotten.
Status save_runs(std::vector<RunRow> runs, const std::filesystem::path& folder = history_folder(),
                 const std::vector<std::int64_t>& forgotten = {});

}  // namespace tessera
