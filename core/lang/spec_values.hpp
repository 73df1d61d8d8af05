// SPDX-License-Identifier: BSD-3-Clause
// Values into the fields of a GemmSpec: what gemm(...) and `--set` do (core/gemm/spec_fields.hpp has the fields).
#pragma once

#include <string_view>

#include "core/gemm/spec_fields.hpp"
#include "core/lang/evaluate.hpp"

namespace tessera {

// Are its values words, one of a few: a choice, an element type? Text that is no name is then a misspelled one.
bool takes_words(const SpecField& field);
// Is it one of them?
bool is_word_of(const SpecField& field, std::string_view word);

// A refusal says what is wanted; the caller adds the field's name and the place.
Status set_field(GemmSpec& spec, const SpecField& field, const Value& value);

// The same from text: an expression, in which `scope` is in sight. A word that the field itself knows (one of its choices, a type, the
// name of the GEMM) needs no quotes. The refusal names the field.
Status set_field(GemmSpec& spec, const SpecField& field, std::string_view text, const Scope& scope = {});

// "there is no field stage", with the nearest ones.
Result<const SpecField*> spec_field_named(std::string_view name);

}  // namespace tessera
