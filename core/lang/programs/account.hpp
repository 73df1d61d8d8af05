// SPDX-License-Identifier: BSD-3-Clause
// The account of a text: what became of each of its statements. Nothing is left out: what binds a name has a value, waits for names that
// nothing gives a value, or is refused with the reason; what binds none may be passed over, and it is said as what.
//
//   line 3   n        valued    32
//   line 4   sA       waits     for bM; with bM = 128 it is (128,8):(1,128)
//   line 5   t        refused   there is no function my_thing
//   line 6            passed    a barrier
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/snippet.hpp"

namespace tessera {

struct AccountEntry {
  enum class Fate : std::uint8_t { valued, waits, refused, passed };
  std::size_t line = 1;
  std::vector<std::string> names;  // that the statement binds
  Fate fate = Fate::passed;
  std::string words;                   // the value, the reason, or what it is passed over as
  std::vector<std::string> waits_for;  // names without a value
  bool guessed = false;                // waits, and was evaluated with likely values of these names; or may have another value
  std::vector<std::string> tried{};    // refused: symbols with whose likely values it was tried; with others it may not be
  std::vector<std::string> given{};    // names to which the user gave values and that it was computed with
};

std::string_view to_string(AccountEntry::Fate fate);

std::vector<AccountEntry> account_of(const SnippetAnswer& answer);

// "297 statements: 200 valued, 30 wait, 20 refused, 47 passed over"
std::string summary_of(const std::vector<AccountEntry>& account);

}  // namespace tessera
