// SPDX-License-Identifier: BSD-3-Clause
// Lines of emitted text, at a growing indent and never wider than a slide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gemm/plan/ops.hpp"

namespace tessera::emitting {

constexpr std::size_t kColumns = 110;  // of an emitted line

class Lines {
 public:
  explicit Lines(int depth = 1, const plan::Op* op = nullptr) : depth_(depth), op_(op) {}

  void add(std::string_view code, std::string_view comment = {});   // a comment that is too long stands above its line
  void comment(std::string_view text, std::string_view hang = {});  // "// text", as many lines as it needs; `hang` begins all but the first
  void open(std::string_view line, std::string_view comment = {});  // adds `line {` and indents
  void close(std::string_view tail = "}");
  void indent_more() { ++depth_; }                                                // after a tail that opens again: "} else {"
  void loop(std::string_view variable, const std::string& count, bool unrolled);  // opens for (int variable = 0; variable < count; ..)
  void append(std::string_view text);                                             // lines that have their indent
  void append(const Lines& lines);                                                // with their operations
  int depth() const { return depth_; }
  const std::string& text() const { return text_; }
  // Of which operation the lines are that follow.
  const plan::Op* of(const plan::Op* op) { return std::exchange(op_, op); }
  const plan::Op* op() const { return op_; }
  const std::vector<const plan::Op*>& ops() const { return ops_; }  // by line; null: of none

 private:
  std::string indent(int more = 0) const { return std::string(static_cast<std::size_t>(2 * (depth_ + more)), ' '); }
  void end_line();
  std::string text_;
  int depth_;
  const plan::Op* op_ = nullptr;
  std::vector<const plan::Op*> ops_;
};

// Lines that follow each other at one indent, each with a comment, have their comments below each other.
std::string aligned(std::string_view text);

// Is `word` one of the code's words? Comments are no code.
bool has_word(std::string_view code, std::string_view word);

}  // namespace tessera::emitting
