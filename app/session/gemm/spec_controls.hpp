// SPDX-License-Identifier: BSD-3-Clause
// The fields of a GEMM as a person moves and chooses them, and what that makes of the document's text. Every row of the table of fields
// (core/gemm/spec_fields.hpp) is a control; nothing is listed here.
//
//   controls_of("gemm(m=64, n=96, k=16, mma=tile)", spec)   m: 64, said; ...; stages: 1, left out
//   with_field("gemm(m=64, n=96, k=16, mma=tile)", spec, stages, "3")  ->  "gemm(m=64, n=96, k=16, mma=tile, stages=3)"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/spec_fields.hpp"

namespace tessera {

struct ControlChoice {
  std::string text;   // what the field becomes, in the language
  std::string shown;  // what a person reads: "SM80_16x8x16_F32F16F16F32_TN"
  std::string help;
};

struct SpecControl {
  const SpecField* field = nullptr;
  std::string text;      // what holds; empty: left to the plan
  bool said = false;     // it stands in the expression
  bool chooses = false;  // it is one of a few, which choices_for finds
  std::string chosen;    // of them the one that holds, as it is shown
};

// One a field, labels aside, in the order of the table. `spec` is what the expression is, or was before it was refused.
std::vector<SpecControl> controls_of(std::string_view expression, const GemmSpec& spec);
// What a field can be chosen from: its own words, types of C, copies by ldmatrix; of an MMA the atoms of its kind for as many threads, with
// its types or its shape. None of a field that is no choice. Takes milliseconds of an MMA.
std::vector<ControlChoice> choices_for(const SpecField& field, const GemmSpec& spec);

// The expression with another text of one field; empty text leaves it out. In a call of gemm(...) that argument alone changes, and with an
// extent those of gA, gB and gC that are said, which are cut or grow with it (set_extents). Any other expression, such as rung(9), is
// written out. Refuses what is no value of the field only where the whole has to be written out.
Result<std::string> with_field(std::string_view expression, const GemmSpec& spec, const SpecField& field, std::string_view text);

// Why `lower` refuses the spec with that text in the field; empty: it does not.
std::string why_refused(const GemmSpec& spec, const SpecField& field, std::string_view text);

}  // namespace tessera
