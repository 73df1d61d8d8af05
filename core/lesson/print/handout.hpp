// SPDX-License-Identifier: BSD-3-Clause
// A lesson on paper, as LaTeX: its words, its figures as TikZ, its questions numbered with room to answer, and the answers with what is
// said to wrong ones on a page of their own at the end, or in a file of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/opened.hpp"

namespace tessera::lesson {

// Which sheets there are: questions with the answers behind them, the questions alone, or the answers alone.
enum class HandoutKey : std::uint8_t { end, none, only };
Result<HandoutKey> handout_key_of(std::string_view text);

struct HandoutOptions {
  std::uint64_t seed = 0;
  HandoutKey key = HandoutKey::end;
  bool one_file = false;  // figures stand in the text, and not in files beside it
  std::string name;       // of the lesson, as `tessera lesson ask` is told it
};

struct HandoutFile {
  std::string name, text;
};

// The first file is the document: handout.tex. A refusal has line and column in front.
Result<std::vector<HandoutFile>> handout(const OpenLesson& opened, const HandoutOptions& options);

}  // namespace tessera::lesson
