// SPDX-License-Identifier: BSD-3-Clause
// SourceReading: a program as it is shown beside its pictures: what each of its lines came to, its variables with their values, what is
// wrong or slow, and what it takes from outside.
//
//   reading_of({.text = text})                            M is guessed: "guessed: M=128" at each line that needs it
//   reading_of({.text = text, .given = {{"M", "256"}}})   "given: M=256"
//
// Nothing is guessed and then judged: what rests on a guess carries the guess's name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/advice/advise.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// What became of a line or a variable.
//
//   read      the text says it
//   given     the text says it of names to which the person gave values
//   guessed   a name has no value, and what it most likely stands for was taken
//   refused   it has no value, for a reason
enum class SourceFate : std::uint8_t { read, given, guessed, refused };
constexpr std::size_t kSourceFates = 4;
std::string_view to_string(SourceFate fate);

struct SourceNote {
  std::size_t line = 0;  // from 1
  SourceFate fate = SourceFate::read;
  std::string words;  // "read", "guessed: M=128, K=64", "refused: there is no function f", "refused if M=128: ..."
};

struct SourceVariable {
  std::size_t line = 0;  // from 1
  SourceSpan span;       // of its name, in the text
  std::string name;
  SourceFate fate = SourceFate::read;
  std::string words;                  // its value as text; refused: why it has none
  std::vector<std::string> rests_on;  // "guessed: M=128", "threadIdx.x = 0, the first thread"
  std::optional<Value> value;         // nothing where it is refused, or known as text alone
  SourceSpan statement;               // that gives it the value
};

struct SourceFinding {
  SourceSpan span;  // what is underlined
  Advice advice;
};
// "slow x2 if M is 128: ..." and what to try, for a person.
std::string words_of(const SourceFinding& finding);

// What the program takes from outside: a name without a value, the thread and the block that it is shown for, a parameter's default.
struct OutsideValue {
  std::string name, text;              // "M", "128"
  bool given = false;                  // by the person; else it is guessed, the first one, or the text's own default
  std::string words{};                 // "guessed", "the first thread", "its default in line 1"
  std::optional<std::int64_t> most{};  // of threadIdx.x: that a tiled copy or MMA of the text has
  std::string refused{};               // why what was given is no value
};

struct SourceQuestion {
  std::string path = "-";  // "-": it is none, and what it includes is not read
  std::shared_ptr<const std::string> text;
  std::uint64_t version = 0;  // of the text
  std::vector<std::pair<std::string, std::string>> given{};
};

struct SourceReading {
  std::uint64_t version = 0;                              // of the text that it is of
  std::vector<SourceNote> notes = {};                     // one a line that something became of, in the order of lines
  std::vector<SourceVariable> variables{};                // in the order of the text
  std::vector<SourceFinding> findings{};                  // the worst first; those that rest on guesses behind all others
  std::vector<OutsideValue> outside{};                    // in the order in which the text names them
  std::array<std::size_t, kSourceFates> statements = {};  // how many came to what
  std::vector<std::string> said{};                        // of a trace, or that not all was looked at
  std::optional<Error> refused{};                         // of all of it
};

// What takes long ends with the thread's request (Budget, StoppedBy), and what was read until then is there.
SourceReading reading_of(const SourceQuestion& question);

// The variable that a place of the text names: the last of that name at or before the line. Null where there is none.
const SourceVariable* variable_at(const SourceReading& reading, std::string_view text, std::size_t at);

}  // namespace tessera
