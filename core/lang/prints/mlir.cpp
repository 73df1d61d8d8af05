// SPDX-License-Identifier: BSD-3-Clause
// Types of MLIR's dialect `cute`, the DSL's intermediate representation.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/prints/notation.hpp"
#include "core/lang/prints/types.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostTypes = 2048;
constexpr std::size_t kWindow = 4096;  // characters around a quoted type in which its head and name stand

// A quoted part of a type: !cute.memref<f16, gmem, "(8,4):(4,1)">
struct Quoted {
  std::size_t begin = 0, end = 0;  // of the quotes' inside; the second ones' of a coordinate tensor
  std::size_t line = 0;            // where its line begins
  std::size_t next_line = 0;       // behind the line's end
  std::string_view inside;
  std::string_view head;  // the type up to the quote; empty outside of types
};

Quoted look_around(std::string_view text, std::size_t quote, std::size_t close, const Quoted& before) {
  Quoted made{quote + 1, close, before.line, before.next_line, text.substr(quote + 1, close - quote - 1), {}};
  while (made.next_line <= quote) {
    made.line = made.next_line;
    const std::size_t end = text.find('\n', made.line);
    made.next_line = end == std::string_view::npos ? text.size() + 1 : end + 1;
  }
  const std::size_t window = std::max(made.line, quote - std::min(quote, kWindow));
  const std::size_t type = text.substr(window, quote - window).rfind('!');
  if (type != std::string_view::npos) made.head = text.substr(window + type, quote - window - type);
  return made;
}

// What print() would write before the quoted layout. A coordinate tensor has its offset there, and its layout in quotes of its own.
std::string type_prefix(std::string_view text, Quoted& quoted, std::size_t close) {
  constexpr std::string_view kMemref = "!cute.memref<", kCoordinates = "!cute.coord_tensor<";
  if (quoted.head.starts_with(kMemref)) {
    return fmt::format("ptr<{}> o ", quoted.head.substr(kMemref.size(), quoted.head.find_last_not_of(", ") + 1 - kMemref.size()));
  }
  if (!quoted.head.starts_with(kCoordinates) || !quoted.inside.starts_with('(')) return {};
  const std::size_t second = text.find_first_not_of(", ", close + 1);
  const std::size_t end = second == std::string_view::npos || text[second] != '"' ? std::string_view::npos : text.find('"', second + 1);
  if (end == std::string_view::npos) return {};
  std::string prefix = fmt::format("{} o ", quoted.inside);
  quoted.inside = text.substr(second + 1, end - second - 1);
  quoted.end = end;
  return prefix;
}

// `layout_copy_tv = <"...">` inside of a type; `!alias = !cute...` and `%lay = ... : !cute...`, where it is the last type of the line.
std::string name_of_type(std::string_view text, const Quoted& quoted) {
  if (text[quoted.begin - 2] == '<' && !quoted.head.starts_with("!cute.")) {
    std::string name = name_before(text, quoted.begin - 2);
    if (!name.empty()) return name;
  }
  if (text[quoted.line] != '!' && text[quoted.line] != '%') return {};
  std::size_t end = quoted.line + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view behind = text.substr(quoted.end, kWindow);
  const bool last = behind.substr(0, behind.find('\n')).find("!cute.") == std::string_view::npos;
  return text.substr(end).starts_with(" = ") && last ? std::string(text.substr(quoted.line + 1, end - quoted.line - 1)) : std::string();
}

}  // namespace

bool is_mlir(std::string_view text) { return text.find("!cute.") != std::string_view::npos; }

std::vector<PrintedType> mlir_types(std::string_view text) {
  std::vector<PrintedType> found;
  std::unordered_set<std::string> seen;
  Quoted quoted;
  for (std::size_t quote = text.find('"'); quote != std::string_view::npos && found.size() < kMostTypes;
       quote = text.find('"', quoted.end + 1)) {
    const std::size_t close = text.find('"', quote + 1);
    if (close == std::string_view::npos) break;
    quoted = look_around(text, quote, close, quoted);
    std::string whole = type_prefix(text, quoted, close);  // may move on to the quotes behind
    whole += quoted.inside;
    const bool is_type = !quoted.head.empty() || (quote > 0 && text[quote - 1] == '<');
    const auto notation = is_type ? read_notation(whole, 0) : std::nullopt;
    if (!notation || notation->end != whole.size()) continue;
    std::string name = name_of_type(text, quoted);
    if (seen.insert(notation->expression).second || !name.empty()) {
      const std::size_t begin = quoted.head.empty() ? quote : static_cast<std::size_t>(quoted.head.data() - text.data());
      found.push_back({std::move(name), {begin, quoted.end}, notation->expression, notation->unknown});
    }
  }
  return found;
}

}  // namespace tessera
