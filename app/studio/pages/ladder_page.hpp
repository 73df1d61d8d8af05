// SPDX-License-Identifier: BSD-3-Clause
// The ladder page: each rung with its idea and question, the speed that was recorded of it on one axis, and what one rung does otherwise
// than another. A rung that is chosen is opened as a line of the document, on the GEMM page.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/gemm/ladder_recording.hpp"
#include "app/session/gemm/ladder_steps.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/base/jobs.hpp"

namespace tessera::studio {

// What takes a while to read: the rungs at a size, and every recording beside this version's kernels.
struct LadderContents {
  std::vector<LadderStep> steps;
  std::vector<MeasuredLadder> recordings;
  std::vector<Error> damaged;
};
LadderContents read_ladders();

struct LadderState {
  bool open = false;
  std::unique_ptr<Jobs<LadderContents>> reading;  // until the contents are there
  std::optional<LadderContents> contents;
  std::size_t recording = 0;
  int rung = 1, other = 0;  // the chosen one, and the one that it is held against: 0 is the one below it
  // What the person expects of a rung, as times the speed of the one below it in its ladder; and whether a rung is shown only then.
  std::map<int, double> expected;
  bool asks_first = false;
  std::string typed;  // in the field of the chosen rung
  int typed_of = 0;
  enum class Shows { fields, plan, source } shows = Shows::fields;
  std::optional<std::pair<int, int>> compared;  // what the difference is of
  std::optional<Result<GemmDiff>> difference;

  bool waiting() const { return open && !contents; }
};

// In the place of the figures and the side. Its answer opens a rung as a line of the document; `state.open` says whether the page goes on.
Answer draw_ladder(Ui& ui, LadderState& state, const ScreenRect& area);

}  // namespace tessera::studio
