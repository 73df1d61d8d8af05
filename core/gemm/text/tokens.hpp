// SPDX-License-Identifier: BSD-3-Clause
// The words, numbers and signs of a plan's text. Private to core/gemm/text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera::plan::text {

struct Token {
  enum class Kind : std::uint8_t { word, number, quoted, sign, end };
  Kind kind = Kind::end;
  std::string_view text;  // as it stands there
  std::string quoted{};   // without its quotes
  std::size_t at = 0;     // byte of the text
  bool begins = false;    // a statement: behind the end of a line that does not go on
};

// The last token is the end. Refuses other characters and quotes without their end.
Result<std::vector<Token>> tokens_of(std::string_view text);

// "line 3, column 7: message", with the place.
Error error_at(std::string_view text, std::size_t at, std::size_t bytes, ErrorCode code, const std::string& message,
               std::string what_to_try = {});

}  // namespace tessera::plan::text
