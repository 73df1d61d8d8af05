// SPDX-License-Identifier: BSD-3-Clause
// Values into the fields of a GemmSpec: what gemm(...) and `--set` do (core/gemm/spec_fields.hpp has the fields).
#pragma once

#include <string_view>

#include "core/gemm/plan/gemm_plan.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// Are its values words, one of a few: a choice, an element type? Text that is no name is then a misspelled one.
bool takes_words(const SpecField& field);
// Is it one of them?
bool is_word_of(const SpecField& field, std::string_view word);

// Does the text stand for itself there: is it one of the field's own words, or any word where a string is wanted?
bool is_own_word(const SpecField& field, std::string_view text);

// A refusal says what is wanted; the caller adds the field's name and the place.
Status set_field(GemmSpec& spec, const SpecField& field, const Value& value);

// "there is no field stage", with the nearest ones.
Result<const SpecField*> spec_field_named(std::string_view name);

// A plan that somebody wrote, as a GEMM of which nothing is chosen.
Value plan_value(GemmPlan plan);

}  // namespace tessera
