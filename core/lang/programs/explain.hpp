// SPDX-License-Identifier: BSD-3-Clause
// A source file read for its layouts: each layout, tiled MMA and tiled copy with its line and value, and which tensors are cut into
// threads' parts by which of them.
#pragma once

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

struct Explained {
  std::size_t line = 0;
  std::string name;
  Value value;
  std::vector<std::string> needs;   // symbols whose likely values it was computed with
  std::vector<std::string> doubts;  // why a name that it uses may have another value
  std::vector<std::string> stated;  // defaults of the file that it was computed with: "Stages = 3, its default in line 1"
  std::vector<Error> warnings;      // of its evaluation
  std::vector<std::size_t> block;   // the functions and other blocks around it, outermost first, as numbers of this source
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
// calls; `entries` choose calls.
Explanation explain(std::string_view source, const std::vector<std::pair<std::string, std::string>>& given = {},
                    std::optional<Dialect> language = {}, const Scope& outer = {}, const std::vector<Entry>& entries = {});

// What was guessed for these names: "bM is 128", in the order in which the file needs them.
std::vector<std::string> guesses_of(const std::vector<std::string>& needs, const SymbolTable& symbols);

// Does a value that is bound to this name lie in shared memory: by its pointer, and where it has none by the name, sA or smem_layout?
bool lies_in_smem(std::string_view name, const Value& value);

// What is remarked on one value that is bound to a name; `name` says where it lies where nothing else does: sA, smem_layout.
std::vector<std::string> remarks_on(std::string_view name, const Value& value);

}  // namespace tessera
