// SPDX-License-Identifier: BSD-3-Clause
// A source file of C++ or Python as explain, advise and draw open it: what it includes, what is read of it, and a trace of it where there
// is one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/files/entries.hpp"
#include "app/session/files/included.hpp"
#include "core/base/result.hpp"
#include "core/lang/programs/explain_program.hpp"

namespace tessera {

constexpr std::size_t kLongestSource = std::size_t{4} << 20;  // bytes

struct SourceWish {
  std::vector<std::pair<std::string, std::string>> given;  // --let
  std::string trace;                // the file of a trace; empty: FILE.trace beside the source, where it is one of it
  std::vector<Entry> entries = {};  // --entry: which calls give functions their parameters
};

struct SourceFile {
  std::string text;
  Included included;
  Explanation explanation;
  std::string trace;               // the file that was laid over it; empty: none
  std::vector<std::string> notes;  // of the trace: that it was cut off, what could not be run, that the source has changed since
};

// `path`: "-" where the text came from stdin, which includes nothing and has no trace beside it. Refused: what is no text, and a trace that
// was named and cannot be read or is of another file or version. One that lies beside is left out then, with a note.
Result<SourceFile> open_source(const std::string& path, std::string text, const SourceWish& wish);

// The name as its own block calls it: c of Traits::c and of self.c.
std::string_view last_part(std::string_view name);
// A value as text from which it is made again: of a layout whose elements are known with them.
std::string text_again(const Value& value);

// An expression over the names of a source, as a document that stands alone.
struct SourceExpression {
  std::string document;                 // `let NAME = value` in the line where the source makes it, of each name that the expression uses
  std::string expression;               // with the names that these lines bind: tiled_mma for self.tiled_mma
  std::vector<const Explained*> names;  // those of the file's own objects
  std::vector<std::string> notes;       // names that have other values in other lines
  std::string mark;                     // "traced", "if bM is 128": what its values rest on beyond the text; empty: nothing
};

// Each name has its last value at or before `line`, 0: of the whole file; self.x and Class::x are found by their last part, too. Refused
// where a statement of the file binds the name and has no value, with the reason.
Result<SourceExpression> expression_in(const SourceFile& file, std::string_view expression, std::size_t line);

}  // namespace tessera
