// SPDX-License-Identifier: BSD-3-Clause
// The lines of a pasted text, without what terminals, browsers and comments put around them, and the objects that stand in one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/prints/notation.hpp"

namespace tessera {

struct PrintLine {
  std::string text;      // "tCsA: Sw<3,4,3>_smem_ptr[16b](0x7f88) o ((_64,(_8,_2)),_2):((_1,(_64,_1024)),_512)", lines joined at an 'o'
  SourceSpan span;       // of what it was made from
  bool comment = false;  // it stands behind `//`, `#` or `%`
};
// Without escape codes, HTML's entities, prompts and the marks of comments.
std::vector<PrintLine> lines_of_print(std::string_view text);

// An object with the name that stood before it: `sA layout : (_8,_4):(_4,_1)`, `mA.layout() = ...`.
struct NamedNotation {
  std::string name;
  bool separated = false;  // by ':', '=', '->' or "=>"
  Notation notation;
};
// All of a line, which must hold nothing else but names and a comment behind; empty where it does.
std::vector<NamedNotation> objects_in_line(std::string_view line);
// The object that ends a comment: "tiled/vectorized => (8,4):(1,8)".
std::vector<NamedNotation> object_in_comment(std::string_view comment);

// "0 2 1 3", integers and blanks only; empty where the line holds anything else.
std::vector<std::int64_t> numbers_in_line(std::string_view line);

// A name that a binding may have, made from what stood before an object: "Layout A" -> "Layout_A"; empty where there is none.
std::string binding_name(std::string_view text);

// The statement in front of a comment, and the comment: `print(mA);  // mA: ...`. No comment: npos.
std::size_t comment_begin(std::string_view line);
bool is_statement(std::string_view code);  // of C++ or Python

}  // namespace tessera
