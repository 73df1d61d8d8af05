// SPDX-License-Identifier: BSD-3-Clause
// print(TiledMMA), print(TiledCopy), their atoms and their threads' parts, as C++ and the DSL write them: lines of `label: value`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/values/scope.hpp"

namespace tessera {

// TiledMMA, MMA Atom, ThrCopy ...: the first line of a dump, alone.
bool is_dump_heading(std::string_view line);
// The name before the heading and the heading as C++ writes it: `tiled_mma: Tiled MMA`; empty where the line has none.
std::pair<std::string, std::string_view> dump_heading(std::string_view line);

struct DumpField {
  std::string_view label;  // C++'s: "LayoutA_TV" for the DSL's "TV Layout A"
  std::string expression;
  SourceSpan span;
};
// A line of a dump; nothing where it is none.
std::optional<DumpField> dump_field(std::string_view line);

struct Dump {
  std::vector<std::string_view> headings;  // "TiledMMA", "MMA_Atom": C++'s names
  std::vector<DumpField> fields;
  std::string value_type;  // "16b", "f16"
};

// The object that was printed. Neither C++ nor the DSL prints the atom's name: it is found again by its layouts; `warnings` get a word
// where several atoms have them.
Result<Value> object_of(const Dump& dump, const Scope& scope, std::vector<Error>* warnings);

}  // namespace tessera
