// SPDX-License-Identifier: BSD-3-Clause
// The source tree as the rule checks see it: tracked files, their includes, and their code without comments and strings.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
#include "tests/support/source_dir.hpp"

namespace tessera::rules {

namespace fs = std::filesystem;

inline fs::path root() { return tessera::test::source_dir(); }

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What git tracks; where there is no git (a tarball), everything but build products.
inline std::vector<std::string> tracked_files() {
  std::vector<std::string> files;
  const std::string command = "git -C '" + root().string() + "' ls-files 2>/dev/null";
  if (const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose); pipe) {
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe.get())) files.emplace_back(line.data(), std::string_view(line.data()).find('\n'));
  }
  std::erase_if(files, [](const std::string& file) { return !fs::exists(root() / file); });
  if (!files.empty()) return files;
  for (auto it = fs::recursive_directory_iterator(root()); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    const bool product = name == ".git" || (it.depth() == 0 && (name == "build" || name == "out"));
    if (it->is_directory() && product) it.disable_recursion_pending();
    if (it->is_regular_file()) files.push_back(fs::relative(it->path(), root()).string());
  }
  return files;
}

inline bool is_source(std::string_view file) { return file.ends_with(".cpp") || file.ends_with(".hpp") || file.ends_with(".cuh"); }

// The C++ sources below a folder, tracked or not: a new file is checked before it is committed.
inline std::vector<std::string> sources(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::exists(root() / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
    if (entry.is_regular_file() && is_source(entry.path().string())) files.push_back(fs::relative(entry.path(), root()).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The code with comments and the insides of strings blanked; line numbers stay.
inline std::string code_only(std::string_view text) {
  std::string code(text);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  const auto end_of = [&](std::string_view mark, std::size_t from) { return std::min(text.find(mark, from), text.size()); };
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      const std::size_t end = end_of("\n", i);
      blank(i, end);
      i = end;
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = end_of("*/", i + 2) + 2;
      blank(i, end);
      i = end;
    } else if (text.substr(i, 2) == "R\"") {
      const std::size_t open = end_of("(", i);
      const std::string close = ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      const std::size_t end = end_of(close, open) + close.size();
      blank(i, end);
      i = end;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      blank(i + 1, end);
      i = end + 1;
    } else {
      ++i;
    }
  }
  return code;
}

// The names between quotes or angle brackets of the file's #include lines.
struct Include {
  std::string name;
  bool ours = false;  // written with quotes
};
inline std::vector<Include> includes(std::string_view text) {
  std::vector<Include> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line.compare(hash, 8, "#include") != 0) continue;
    const std::size_t open = line.find_first_of("\"<", hash + 8);
    const std::size_t close = open == std::string::npos ? open : line.find_first_of("\">", open + 1);
    if (close != std::string::npos) found.push_back({line.substr(open + 1, close - open - 1), line[open] == '"'});
  }
  return found;
}

}  // namespace tessera::rules
