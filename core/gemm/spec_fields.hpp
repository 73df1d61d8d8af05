// SPDX-License-Identifier: BSD-3-Clause
// The fields of a GemmSpec, one row each. What gemm(...) takes and how it reads it, the text of a spec, the help, the page on the language,
// the studio's form, `--set` and `difference` all come from this table. A new field is a member of GemmSpec, its row, and what `lower`
// makes of it:
//
//   {"stages", "k-tiles in shared memory at once", &GemmSpec::stages},
//   {"type_c", "element type of C in memory", &GemmSpec::type_c},
//   {"fragments", "what a thread's registers hold at once", choice<&GemmSpec::fragments>(kFragments)},
//
// Law: rows and members are one to one, and the text of a field, read by gemm(...), gives the field again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/gemm/gemm_spec.hpp"

namespace tessera {

struct FieldChoice {
  std::string_view name, help;
};

// A member whose value is one of a few names: an enumeration, with a choice for each enumerator from 0 on, in their order.
struct ChoiceMember {
  std::span<const FieldChoice> choices;
  std::size_t (*get)(const GemmSpec& spec);
  void (*set)(GemmSpec& spec, std::size_t choice);
};

template <auto member>
constexpr ChoiceMember choice(std::span<const FieldChoice> choices) {
  return {choices, [](const GemmSpec& spec) { return static_cast<std::size_t>(spec.*member); },
          [](GemmSpec& spec, std::size_t i) { spec.*member = static_cast<std::decay_t<decltype(spec.*member)>>(i); }};
}

// Where a field lies, and by its type how it is read and written.
using FieldMember =
    std::variant<std::int64_t GemmSpec::*, double GemmSpec::*, std::string GemmSpec::*, ValueType GemmSpec::*, Shape GemmSpec::*,
                 std::optional<TiledMma> GemmSpec::*, std::optional<Layout> GemmSpec::*, std::optional<AnyLayout> GemmSpec::*,
                 std::optional<TiledCopy> GemmSpec::*, std::optional<CopyTraits> GemmSpec::*, ChoiceMember>;

struct SpecField {
  std::string_view name, help;
  FieldMember member;
  std::string_view otherwise = {};  // what holds where the field is left out, if that is not the member's own default
  bool required = false;
  bool is_extent = false;  // of the problem: at least 1, and gA, gB and gC have that many elements
  bool is_label = false;   // what the GEMM is called, which is no difference between two
};

// In the order of gemm(...)'s parameters: the required ones first.
std::span<const SpecField> spec_fields();
const SpecField* find_spec_field(std::string_view name);

// The field in the expression language: 3, "f16", (64,16):(17,1). Empty where it is left to `lower`.
std::string text_of(const SpecField& field, const GemmSpec& spec);
// What the field is, for a person: "integer", "layout", "one_k_block, next_k_block or all_k_blocks".
std::string kind_of(const SpecField& field);
// The choices of a field that has some; else none.
std::span<const FieldChoice> choices_of(const SpecField& field);

// "gemm(m, n, k, mma, cta_tiler=(m,n,k), gA=, ..., stages=1, ...)"
std::string signature_of_gemm();
// "gemm(m=64, n=96, k=16, mma=make_tiled_mma(...), stages=3)": what differs from a spec of which nothing was said. Reading it gives the
// spec again.
std::string to_string(const GemmSpec& spec);

// The fields in which two specs differ, labels aside; no field: they ask for the same kernel.
std::vector<const SpecField*> difference(const GemmSpec& a, const GemmSpec& b);
// "stages: 1 -> 3", "sA: left out -> (64,16):(17,1)"
std::string difference_text(const SpecField& field, const GemmSpec& a, const GemmSpec& b);

}  // namespace tessera
