// SPDX-License-Identifier: BSD-3-Clause
// The values that a text's calls give to the parameters of what it defines: what one call says may be what another one needs.
#pragma once

#include <string_view>
#include <vector>

#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

// Evaluates the text, without guesses, until its calls say nothing new. Empty where it calls nothing that it defines.
CalledValues settle_calls(std::string_view source, SnippetOptions options, const Scope& outer, const std::vector<Entry>& entries);

}  // namespace tessera
