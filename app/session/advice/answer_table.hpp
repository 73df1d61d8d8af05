// SPDX-License-Identifier: BSD-3-Clause
// AnswerTable: what a function or the advice answered, as a table that is sorted, filtered, and whose rows are applied to a document: a
// layout that was found becomes the layout of a line, a finding is shown where it is and mended.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/actions.hpp"
#include "app/session/advice/advise.hpp"

namespace tessera {

struct AnswerTable {
  struct Cell {
    std::string words;
    std::optional<double> number{};  // by which it is sorted and compared
  };
  struct Row {
    std::vector<Cell> cells;                                // as many as columns
    std::optional<AnyLayout> layout{};                      // that it stands for
    std::vector<std::pair<std::string, std::string>> at{};  // where it was asked: parameters of a sweep
    std::string binding{}, write{}, ask{};                  // of a finding: the line, another expression for it, a question that says more
  };
  std::string sentence;
  std::vector<std::string> notes, columns;
  std::vector<Row> rows;
};

// Of a report without rows its facts, a row each.
AnswerTable table_of(const Report& report);
// The worst first; what rests on a guess, behind; then what was found right.
AnswerTable table_of(const Advised& advised);

// How a table is looked at.
struct TableView {
  std::string filter;               // words that a row must have; "all<200", "name=sA": a column that is less, more or equal
  std::optional<std::size_t> by{};  // a column; nothing: as it was answered
  bool descending = false;
  friend bool operator==(const TableView&, const TableView&) = default;
};
// Which rows pass the filter, in the order that is wanted. Numbers come before words.
std::vector<std::size_t> shown_rows(const AnswerTable& table, const TableView& view);

// What can be done with a row: a row of the table of actions with all that it takes.
struct Offer {
  std::string title;   // "Use it for sA"
  std::string action;  // "binding.set"
  Arguments arguments;
};
// `answer`: the binding whose value the table is; empty: it is the advice on the document. A layout is offered for every line that has a
// layout of the same extents, and for a GEMM's sA and sB of those; the lines that the answer's expression names first.
std::vector<Offer> offers_of(const Session& session, std::string_view answer, const AnswerTable::Row& row);
// The same of what an answer recommends as a whole: a better copy, an MMA with another permutation. Nothing where it recommends none.
std::vector<Offer> offers_of(const Session& session, std::string_view answer, const Report& report);

}  // namespace tessera
