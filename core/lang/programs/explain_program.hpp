// SPDX-License-Identifier: BSD-3-Clause
// A source file read for its layouts: each layout, tiled MMA and tiled copy with its line and value, and which tensors are cut into
// threads' parts by which of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/account.hpp"
#include "core/lang/programs/called.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/programs/symbol_table.hpp"

namespace tessera {

// Where a value comes from. Verdicts are made of all but `likely`.
//
//   known    the text says it
//   given    the text says it of names to which the user gave values, --let bM=128
//   traced   the program said it when it ran (trace.hpp)
//   likely   a name has no value, and what it most likely stands for was taken
enum class ValueSource : std::uint8_t { known, given, traced, likely };
std::string_view to_string(ValueSource source);

struct Explained {
  std::size_t line = 0;
  std::size_t column = 0;  // of the name, in bytes from 1; where the statement binds none, of the statement
  std::string name;
  Value value;
  std::vector<std::string> needs;   // symbols whose likely values it was computed with
  std::vector<std::string> doubts;  // why a name that it uses may have another value
  std::vector<std::string> stated;  // defaults of the file that it was computed with: "Stages = 3, its default in line 1"
  std::vector<Error> warnings;      // of its evaluation
  std::vector<std::size_t> block;   // the functions and other blocks around it, outermost first, as numbers of this source
  std::vector<std::string> given;   // names that it uses to which the user gave values
  ValueSource source = ValueSource::known;
  std::vector<std::string> ran = {};  // of a traced tensor: its first elements when the program ran, as TESSERA_DUMP_VALUES wrote them
  std::string beside;  // where the trace and the text differ, what the other one says: "read from the text: (8,8):(1,8), with likely ..."
  SourceSpan statement{};  // that gives it the value, in the text
};

// An object of a trace that is no value here, as it depends on numbers of the run.
struct TracedText {
  std::size_t line = 0, column = 0;
  std::string name, words, why;
  std::string beside = {};            // what was read from the text and does not fit
  std::vector<std::string> ran = {};  // as of Explained
};

// A tensor that a statement cuts into threads' parts.
struct ExplainedUse {
  std::size_t line = 0;
  Partitioned what;
  std::vector<std::string> needs, doubts, stated;  // as of Explained
  std::vector<std::size_t> block;
};

// What is warned of a statement that makes no object: of the arguments of copy(a, b), of a name that a line of a document hides.
struct ExplainedEffect {
  std::size_t line = 0;
  std::string name;  // "copy"; of a binding its name
  std::vector<std::string> needs, doubts, stated;
  std::vector<Error> warnings;
};

struct Unexplained {
  std::size_t line = 0;
  std::string text;                                               // the statement, cut to a line
  std::string message;                                            // why it has no value
  std::string name = {};                                          // the first that it binds
  ErrorCode code = ErrorCode::parse;                              // of the refusal
  std::vector<std::string> needs = {}, doubts = {}, stated = {};  // as of Explained
};

struct Explanation {
  std::vector<Explained> objects;
  std::vector<Explained> others;   // names with other values: shapes, numbers, one thread's slice of a copy
  std::vector<TracedText> traced;  // besides them
  std::vector<ExplainedUse> uses;
  std::vector<ExplainedEffect> effects;  // those that something is warned of
  std::vector<LaunchBound> kernels;
  bool predicated = false;               // copy_if or elem_less stands in it: what reaches beyond a tensor is left out
  std::vector<Unexplained> unexplained;  // statements that make a layout, a tiled MMA or a copy, and have no value here
  std::vector<Unexplained> passed_over;  // branches of an #if that are not read
  std::vector<AccountEntry> account;     // of every statement
  std::vector<Symbol> symbols;
  std::vector<Unused> unused;
  std::vector<CalledFunction> called;  // what the text defines and calls
};

// C++ or Python, as it stands in a file: functions and loops are walked through from top to bottom. `outer`: names that what it includes
// gives values. The parameters of a function have the values of its call, where it is called once, and otherwise what is the same in all
// calls; `entries` choose calls, or write one that the text does not have.
Explanation explain(std::string_view source, const std::vector<std::pair<std::string, std::string>>& given = {},
                    std::optional<Dialect> language = {}, const Scope& outer = {}, const std::vector<Entry>& entries = {});

// What was guessed for these names: "bM is 128", in the order in which the file needs them.
std::vector<std::string> guesses_of(const std::vector<std::string>& needs, const SymbolTable& symbols);

// Does a value that is bound to this name lie in shared memory: by its pointer, and where it has none by the name, sA or smem_layout?
bool lies_in_smem(std::string_view name, const Value& value);

// What is remarked on one value that is bound to a name; `name` says where it lies where nothing else does: sA, smem_layout.
std::vector<std::string> remarks_on(std::string_view name, const Value& value);

}  // namespace tessera
