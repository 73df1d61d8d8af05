// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/included.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/file.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/syntax/language.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostFiles = 64, kMostBytes = std::size_t{4} << 20;

// "config.h" of each line #include "config.h".
std::vector<std::string> includes_of(std::string_view source) {
  std::vector<std::string> made;
  for (std::size_t line = 0; line < source.size(); line = std::min(source.find('\n', line), source.size() - 1) + 1) {
    std::string_view text = trimmed(source.substr(line, source.find('\n', line) - line));
    if (!text.starts_with('#')) continue;
    text = trimmed(text.substr(1));
    if (!text.starts_with("include")) continue;
    text = trimmed(text.substr(std::string_view("include").size()));
    const std::size_t close = text.starts_with('"') ? text.find('"', 1) : std::string_view::npos;
    if (close != std::string_view::npos) made.emplace_back(text.substr(1, close - 1));
  }
  return made;
}

struct Reading {
  Included& into;
  std::set<std::filesystem::path> seen;
  std::size_t bytes = 0;

  void read(const std::filesystem::path& folder, std::string_view source, bool is_first) {
    for (const std::string& written : includes_of(source)) {
      std::error_code error;
      const std::filesystem::path path = std::filesystem::weakly_canonical(folder / written, error);
      if (error || !std::filesystem::is_regular_file(path, error) || seen.size() >= kMostFiles || !seen.insert(path).second) continue;
      const auto text = read_file(path, kMostBytes - bytes);
      if (!text || text->find('\0') != std::string::npos || !check_time("reading what the file includes")) continue;
      bytes += text->size();
      read(path.parent_path(), *text, false);
      into.texts.push_back(std::make_shared<const IncludedText>(*text, dialect_of_file(path.string()), into.scope()));
      if (is_first) into.files.push_back(written);
    }
  }
};

}  // namespace

Scope Included::scope() const {
  return [all = texts](std::string_view name) -> const Value* {
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      if (const Value* value = (*each)->find(name)) return value;
    }
    return nullptr;
  };
}

Included included_names(const std::filesystem::path& path, std::string_view source) {
  Included made;
  Reading reading{made, {}, 0};
  std::error_code error;
  const std::filesystem::path own = std::filesystem::weakly_canonical(path, error);
  if (error) return made;
  reading.seen.insert(own);
  reading.read(own.parent_path(), source, true);
  return made;
}

}  // namespace tessera
