// SPDX-License-Identifier: BSD-3-Clause
// KnownValues: what took long to evaluate, found again while neither its text nor that of anything it uses has changed.
//
//   let n = 64                                   a value of `big` is known by these two lines:
//   let big = complement((n,4096):(1,n), 2^24)   another line that changes, is added or refused does not evaluate it again
//
// Law: what is found is what evaluating would give, budgets aside, and uses as many cells and bytes of the budget. Only lines of ours
// (`let`, `param`) whose names are bound by such lines are known: where a pasted line gives a name its value, the text alone does not say
// it. What is quickly evaluated is not kept, so documents of many small lines pay nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lang/programs/snippet.hpp"

namespace tessera {

class KnownValues {
 public:
  struct Known {
    std::string expression, origin;  // the text, and the texts of all that it uses
    Value value;
    std::vector<Error> warnings;  // places in the expression
    std::int64_t cells = 0, bytes = 0;
  };

  // Is anything known of an expression with this text?
  bool may_know(std::string_view expression) const;
  // Null where it is not known, or where the budget has no room for what it used. What it used is counted then.
  const Known* find(std::string_view expression, std::string_view origin) const;
  void keep(Known known);  // the oldest are forgotten
  std::size_t size() const { return kept_.size(); }

 private:
  static constexpr std::size_t kMost = 64;
  std::deque<Known> kept_;
};

// Which of a text's own lines bind which name, so that it can be said where a value comes from.
class Origins {
 public:
  void own(const std::string& name, std::string_view line) { lines_.insert_or_assign(name, line); }
  void other(const std::string& name) { lines_.insert_or_assign(name, std::string_view()); }
  // The texts of all lines that an expression uses, each once. Nothing where one of them is not ours, or where they are very long.
  std::optional<std::string> of(std::string_view expression) const;

 private:
  std::unordered_map<std::string, std::string_view> lines_;  // empty: not ours
};

constexpr double kLongEvaluation = 0.002;  // seconds of the processor: what takes longer is kept
double processor_seconds();                // of this thread: another program's work is none of an evaluation's

// As evaluate_statements, with what is known, to which is added what took long.
SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, KnownValues& known);

}  // namespace tessera
