// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/lesson.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/utf8.hpp"

namespace tessera::lesson {

Error moved(Error error, const Written& piece) {
  const SourceSpan whole{piece.at, piece.at + piece.text.size()};
  if (!error.span) {
    error.span = whole;
  } else {
    error.span->begin = std::min(error.span->begin + piece.at, whole.end);
    error.span->end = std::min(error.span->end + piece.at, whole.end);
  }
  error.fix.reset();  // of the piece alone
  return error;
}

Error placed(Error error, std::string_view text) {
  if (!error.span) return error;
  const std::size_t at = std::min(error.span->begin, text.size());
  const std::string_view before = text.substr(0, at);
  const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  error.message = fmt::format("line {}, column {}: {}", line, count_characters(before.substr(begin)) + 1, error.message);
  return error;
}

}  // namespace tessera::lesson
