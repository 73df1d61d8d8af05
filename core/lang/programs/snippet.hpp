// SPDX-License-Identifier: BSD-3-Clause
// Many statements, evaluated in order: names bind, and what has no value becomes a symbol. Pasted lines, documents and files are all read
// by this one evaluator.
//
//   auto sA = make_layout(make_shape(bM, bK));   // needs bM and bK: 128 and 64 are likely
//   print(size(sA));                             // with these 8192
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/eval/partition_watch.hpp"
#include "core/lang/programs/called.hpp"
#include "core/lang/statements/statements.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

// The reason of a statement that is passed over since it does not run: it binds nothing.
constexpr std::string_view kCodeOfFalse = "code of a condition that does not hold";

// A name that nothing gives a value.
struct Symbol {
  std::string name;    // bM, self.tile_shape_mnk
  std::string likely;  // a value with which every statement that needs it is evaluated, as text; empty: none was found
  std::size_t line = 1;
};

// Of `param pad = 4 in 0..8`.
struct ParameterRange {
  std::int64_t lower = 0, upper = 0;  // both are values that it may have
  friend bool operator==(const ParameterRange&, const ParameterRange&) = default;
};

struct StatementAnswer {
  Statement statement;
  std::vector<std::pair<std::string, Value>> values;  // what it binds or shows; the name is empty where it only shows
  std::optional<Error> refused;                       // spans into the whole text
  std::vector<Error> warnings;                        // the same
  std::vector<std::string> needs;                     // symbols that it uses, also through other names
  std::vector<std::string> doubts;                    // why a name that it uses may have another value
  std::vector<std::string> stated;                    // defaults that the text states and that it was computed with
  std::vector<std::string> given;                     // names to which the user gave values and that it was computed with
  std::string remark;                                 // of an assertion: with which likely values it holds
  std::optional<ParameterRange> range;                // of a parameter
  std::vector<Partitioned> partitions;                // what it cuts into threads' parts, where blocks are walked into
  std::vector<std::size_t> block;                     // the blocks around it that were walked into, outermost first, numbered as they begin
};

// A value that was given and is not needed.
struct Unused {
  std::string name;
  std::size_t line = 0;  // of the statement that gives the name its value; 0: nothing uses the name
};

// A kernel that is walked into, with the most threads that its __launch_bounds__ allow.
struct LaunchBound {
  std::size_t line = 0;
  std::int64_t threads = 0;
  std::vector<std::size_t> block;  // its own, last of those around it
};

struct SnippetAnswer {
  std::vector<StatementAnswer> statements;
  std::vector<LaunchBound> kernels;
  std::vector<Symbol> symbols;  // in the order in which they are needed
  std::vector<Unused> unused;   // in the order in which they are given

  // The last value that is shown; where none is, the last that is bound. Null: there is none.
  const StatementAnswer* last() const;
};

struct SnippetOptions {
  std::vector<std::pair<std::string, std::string>> given;  // --let name=expression
  StatementOptions statements;
  std::vector<std::pair<std::string, std::string>> preferred;  // guesses to be made first: a name, and the text of a likely value
  const CalledBlocks* called = nullptr;                        // what calls say of parameters; null: nothing
  CallWatch* watch = nullptr;                                  // takes the calls that are come by; null: nobody asks
  bool guess = true;  // symbols take likely values; otherwise a statement that needs one is refused
};

// Pasted lines may need symbols and may bind a name again. Our own lines, `let` and `param`, may not: a name that one of them takes is
// taken once, and a name that nothing gives a value is a mistake there. No figure is made of likely values.
SnippetAnswer evaluate_snippet(std::string_view text, const SnippetOptions& options = {}, const Scope& scope = {});
// The same of statements that were read from the text before.
SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, const SnippetOptions& options = {},
                                  const Scope& scope = {});

// A text that another one includes: what it gives names for certain, and its functions and class templates, which the other may use.
// `scope`: what the text itself includes.
class IncludedText {
 public:
  explicit IncludedText(std::string text, std::optional<Dialect> language = {}, Scope scope = {});
  ~IncludedText();
  IncludedText(const IncludedText&) = delete;
  IncludedText& operator=(const IncludedText&) = delete;

  // Names with the paths of namespaces and classes. Null: it gives the name no value.
  const Value* find(std::string_view name) const;
  const std::map<std::string, Value, std::less<>>& names() const { return names_; }

 private:
  struct Read;
  std::unique_ptr<Read> read_;
  std::map<std::string, Value, std::less<>> names_;
};
// Why a figure cannot be made of what needs these symbols.
Error needs_values(const std::vector<std::string>& symbols);

constexpr std::size_t kMostStatements = 20'000;  // of one text

}  // namespace tessera
