// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/screens.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kBegins = "# ";

}  // namespace

std::vector<Written> screens_of(const Written& words) {
  std::vector<Written> made;
  const std::string_view text = words.text;
  std::size_t begin = 0;
  bool in_fence = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("```") || line.starts_with("~~~")) in_fence = !in_fence;
    if (!in_fence && line.starts_with(kBegins) && at > begin) {
      made.push_back({std::string(text.substr(begin, at - begin)), words.at + begin});
      begin = at;
    }
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  made.push_back({std::string(text.substr(begin)), words.at + begin});
  return made;
}

std::vector<Screen> screens_of(const Lesson& lesson) {
  std::vector<Screen> screens;
  std::size_t gates = 0;
  const auto add = [&](ScreenPiece piece, bool begins) {
    if (screens.empty() || begins) screens.emplace_back();
    screens.back().pieces.push_back(std::move(piece));
  };
  for (std::size_t part = 0; part < lesson.parts.size(); ++part) {
    if (const auto* prose = std::get_if<Prose>(&lesson.parts[part])) {
      for (Written& each : screens_of(prose->markdown)) {
        if (trimmed(each.text).empty()) continue;
        const bool begins = each.text.starts_with(kBegins);
        add({part, std::move(each), gates}, begins);
      }
      continue;
    }
    add({part, {}, gates}, false);
    const auto* ask = std::get_if<Ask>(&lesson.parts[part]);
    if (ask && ask->gates) ++gates;
  }
  return screens;
}

}  // namespace tessera::lesson
