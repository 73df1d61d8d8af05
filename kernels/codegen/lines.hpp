// SPDX-License-Identifier: BSD-3-Clause
// Lines of emitted text, at a growing indent and never wider than a slide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::emitting {

constexpr std::size_t kColumns = 110;  // of an emitted line

class Lines {
 public:
  explicit Lines(int depth = 1) : depth_(depth) {}

  void add(std::string_view code, std::string_view comment = {});   // a comment that is too long stands above its line
  void comment(std::string_view text, std::string_view hang = {});  // "// text", as many lines as it needs; `hang` begins all but the first
  void open(std::string_view line, std::string_view comment = {});  // adds `line {` and indents
  void close(std::string_view tail = "}");
  void indent_more() { ++depth_; }                                                // after a tail that opens again: "} else {"
  void loop(std::string_view variable, const std::string& count, bool unrolled);  // opens for (int variable = 0; variable < count; ..)
  void append(std::string_view text) { text_ += text; }                           // lines that have their indent
  int depth() const { return depth_; }
  const std::string& text() const { return text_; }

 private:
  std::string indent(int more = 0) const { return std::string(static_cast<std::size_t>(2 * (depth_ + more)), ' '); }
  std::string text_;
  int depth_;
};

// Lines that follow each other at one indent, each with a comment, have their comments below each other.
std::string aligned(std::string_view text);

// Is `word` one of the code's words? Comments are no code.
bool has_word(std::string_view code, std::string_view word);

}  // namespace tessera::emitting
