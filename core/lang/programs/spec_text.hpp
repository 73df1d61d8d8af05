// SPDX-License-Identifier: BSD-3-Clause
// Text into a field of a GemmSpec, as `--set` and the studio's fields give it.
#pragma once

#include <string_view>

#include "core/gemm/spec_fields.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

// set_field (builtins/spec_values.hpp) from text: an expression, in which `scope` is in sight. A word that the field itself knows (one of
// its choices, a type, the name of the GEMM) needs no quotes. The refusal names the field.
Status set_field(GemmSpec& spec, const SpecField& field, std::string_view text, const Scope& scope = {});

}  // namespace tessera
