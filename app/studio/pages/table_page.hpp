// SPDX-License-Identifier: BSD-3-Clause
// The table page: what a function answered (find_smem_layout, check_copy, sweep, ...), or what the advice finds wrong or slow in the
// document, sorted and filtered; what a row offers is done with a click.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/advice/answer_table.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/base/jobs.hpp"

namespace tessera::studio {

struct TableState {
  bool open = false;
  std::string binding;  // whose value it is; empty: it is the advice on the document
  TableView view;
  std::optional<std::size_t> chosen;  // a row of the table
  // What it was made of, and is again when that has changed.
  std::optional<AnswerTable> table;
  std::uint64_t revision = 0;
  // Of that table, made once for each way of looking at it, and once for each chosen row.
  struct Look {
    std::uint64_t revision = 0;
    TableView view;
    float scale = 0;
    friend bool operator==(const Look&, const Look&) = default;
  };
  Look look;
  std::vector<std::size_t> rows;
  std::vector<float> widths;                                         // pixels, that the columns want
  std::optional<std::pair<std::size_t, std::uint64_t>> offered_for;  // a row, and the session's revision of values
  std::vector<Offer> offers, offers_of_answer;
  std::unique_ptr<Jobs<AnswerTable>> advising;  // the advice takes a while
  std::uint64_t asked = 0;                      // the revision that it is looking at; 0: none

  bool waiting() const { return open && asked != 0; }
};

// In the place of the figures and the side. `state.open` says whether the page goes on.
Answer draw_table(Ui& ui, const Session& session, TableState& state, const ScreenRect& area);

}  // namespace tessera::studio
