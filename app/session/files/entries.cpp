// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/entries.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/lang/programs/calls.hpp"

namespace tessera {
namespace {

// "line 8", "lines 8 and 9"
std::string lines_text(const std::vector<std::size_t>& lines) {
  constexpr std::size_t kMost = 8;
  const std::vector<std::size_t> first(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), kMost)));
  return fmt::format("line{} {}{}", lines.size() == 1 ? "" : "s", fmt::join(first, ", "),
                     lines.size() > kMost ? fmt::format(" and {} more", lines.size() - kMost) : "");
}

Error no_entry(std::string_view written) {
  return {ErrorCode::parse,
          fmt::format("--entry {}: a function's name is wanted, and behind a colon the line of a call, or a whole call", written),
          {},
          {"as in --entry gemm_device:88, --entry Kernel.run or --entry \"Traits<128, 64>\""}};
}

// Kernel, Kernel.run, flash::Traits
bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == ':' || c == '.'; });
}

// One line, and its last bracket closes: Traits<128, (4,8)>, Kernel<8>(a).
bool ends_as_call(std::string_view text, std::size_t open) {
  const std::string_view call = trimmed(text.substr(open));
  return (call.ends_with('>') || call.ends_with(')')) && call.find_first_of("\n\r;{}") == std::string_view::npos;
}

}  // namespace

Result<std::vector<Entry>> read_entries(const std::vector<std::string>& written) {
  std::vector<Entry> made;
  for (const std::string& text : written) {
    Entry entry;
    if (const std::size_t open = text.find_first_of("<("); open != std::string::npos) {
      entry.name = trimmed(std::string_view(text).substr(0, open));
      if (!is_name(entry.name) || !ends_as_call(text, open)) return no_entry(text);
      entry.written = trimmed(text);
      made.push_back(std::move(entry));
      continue;
    }
    const std::size_t colon = text.rfind(':');
    const bool has_line = colon != std::string::npos && colon > 0 && text[colon - 1] != ':';
    entry.name = text.substr(0, has_line ? colon : text.size());
    if (!is_name(entry.name)) return no_entry(text);
    if (has_line) {
      const char *first = text.data() + colon + 1, *last = text.data() + text.size();
      const auto [end, error] = std::from_chars(first, last, entry.line);
      if (error != std::errc() || end != last || entry.line == 0) return no_entry(text);
    }
    made.push_back(std::move(entry));
  }
  return made;
}

Status check_entries(const std::vector<Entry>& entries, const std::vector<CalledFunction>& called) {
  for (const Entry& entry : entries) {
    if (!entry.written.empty()) {
      const bool calls =
          std::any_of(called.begin(), called.end(), [&](const CalledFunction& each) { return each.written == entry.written; });
      if (calls) continue;
      return Error{
          ErrorCode::unknown_name,
          fmt::format("--entry {}: the file defines no function or class {} that takes these arguments", entry.written, entry.name),
          {},
          {}};
    }
    std::vector<std::string> calls;
    bool found = false, in_line = false;
    for (const CalledFunction& each : called) {
      if (!each.calls.empty()) calls.push_back(fmt::format("{}: {}", each.path, lines_text(each.calls)));
      if (!names_function(entry.name, each.path)) continue;
      found = true;
      in_line = in_line || entry.line == 0 || std::find(each.calls.begin(), each.calls.end(), entry.line) != each.calls.end();
    }
    if (found && in_line) continue;
    if (calls.empty()) calls.push_back("the file calls nothing that it defines");
    const std::string what = found ? fmt::format("line {} does not call {}", entry.line, entry.name)
                                   : fmt::format("the file calls no function {} that it defines", entry.name);
    return Error{ErrorCode::unknown_name, fmt::format("--entry: {}", what), {}, calls};
  }
  return Done{};
}

std::vector<std::string> words_of_calls(const std::vector<CalledFunction>& called) {
  std::vector<std::string> made;
  for (const CalledFunction& each : called) {
    if (each.differs.empty() || each.calls.size() < 2) continue;
    constexpr std::size_t kMost = 6;
    const std::vector<std::string> first(each.differs.begin(),
                                         each.differs.begin() + static_cast<std::ptrdiff_t>(std::min(each.differs.size(), kMost)));
    const std::string more = each.differs.size() > kMost ? fmt::format(" and {} more", each.differs.size() - kMost) : "";
    made.push_back(fmt::format("{} in line {} is called in {} with different values of {}{}: --entry {}:{} takes those of one call",
                               each.path, each.line, lines_text(each.calls), fmt::join(first, ", "), more, each.path, each.calls.front()));
  }
  return made;
}

}  // namespace tessera
