// SPDX-License-Identifier: BSD-3-Clause
// Prints: what tools write of CuTe's objects, read back as values. People paste it from a terminal, an issue or a comment.
//
//   tCrA : ptr[16b](0x7f48) o (_4,_2):(_1,_4)        C++'s print() of a tensor, with the name that stood before it
//   tensor<ptr<f16, gmem> o (128,64):(64,1)>         CuTe DSL's print()
//   TiledMMA / Tiled MMA and the lines below it      the object again, from its layouts
//   +---+---+ with numbers between `|`               print_layout()'s table: its first line, or the layout that gives its numbers
//   [with A=cute::Layout<cute::tuple<...>, ...>]     the types in a compiler's message
//   !cute.memref<f16, gmem, "(8,4):(4,1)">           the DSL's intermediate representation
//
// The one rule: a form is known by what no expression has, and lines that hold no print are passed over. Each print is a binding; the
// last that has a value is the answer. Numbers that a print leaves out (`?`, a C++ `int`) are never guessed: the refusal names them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/values/scope.hpp"

namespace tessera {

// One object that was printed.
struct Pasted {
  std::string name;        // "tCrA"; empty where none stood before it, or none that a binding may have
  SourceSpan span;         // of its line or lines, in the text
  std::string expression;  // it, in the language: "ptr[16b](unset) o (_4,_2):(_1,_4)"; empty where only `value` has it
  Result<Value> value;     // errors have their span in the text
  std::vector<Error> warnings;
};

// Does the text begin as print(TiledMMA) and its kin do, in C++ or in the DSL? Cheap; no expression and no snippet begins so.
bool is_print(std::string_view text);

// Everything that the text prints, in order, at least one. Refused when it holds no print, or when it is code that has values in
// comments only. Names of `scope` may stand for numbers: (_128,_64,K).
Result<std::vector<Pasted>> read_paste(std::string_view text, const Scope& scope = {});

// The value of the last print; nothing where the text holds none. For a text that is no expression.
std::optional<Result<Value>> evaluate_print(std::string_view text, const Scope& scope = {}, std::vector<Error>* warnings = nullptr);

// Stated bound; what is beyond it is left out with a warning.
constexpr std::size_t kMostPrints = 512;  // of one text

}  // namespace tessera
