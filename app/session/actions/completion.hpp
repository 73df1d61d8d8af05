// SPDX-License-Identifier: BSD-3-Clause
// Completion: how a word that is being typed may go on, and which call it stands in.
//
//   make_tiled_mma(SM80_|      the atoms of that architecture
//   tv_figure(tv, th|          thread=, one of the call's named parameters, and what else fits
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/document/session.hpp"

namespace tessera {

struct Completion {
  std::string word;    // what takes the place of the one that was typed: "data", "composition(", "thread="
  std::string kind;    // "layout" or another kind of value, "function", "atom", "parameter"
  std::string detail;  // one line: a signature, an expression, a help
};

struct CompletionList {
  std::size_t begin = 0, end = 0;  // the typed word, in the text
  std::vector<Completion> found;   // the best first
};

// Of the word that ends at `cursor`. None within comments and strings, and none where a name is given (`let da|`). An empty word has
// the parameters of the call and the names of the document.
CompletionList completions_at(const Session& session, std::string_view text, std::size_t cursor);

// The call around the cursor.
struct SignatureHelp {
  std::string signature;           // "composition(a, b, inner=)"
  std::size_t begin = 0, end = 0;  // of the parameter that is being written, in the signature; the same: none
  std::string help;
  std::size_t open = 0;  // where its parenthesis stands, in the text
};
std::optional<SignatureHelp> signature_at(const Session& session, std::string_view text, std::size_t cursor);

constexpr std::size_t kMostCompletions = 40;

}  // namespace tessera
