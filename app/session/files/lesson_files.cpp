// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/lesson_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "core/lesson/opened.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "lessons", kEnding = ".lesson.md";  // among the program's files

Error no_lesson(const std::string& name) {
  Error made{ErrorCode::io, fmt::format("there is no file and no lesson {}", name), {}, {}};
  const Result<std::vector<std::string>> names = lesson_names();
  if (!names) return std::move(made).note(names.error().message);
  made.notes = lesson::instead_of(name, *names, "the lessons that come with the program are");
  return made;
}

}  // namespace

bool is_lesson_path(std::string_view path) { return path.ends_with(kEnding); }

Result<std::vector<std::string>> lesson_names() {
  TESSERA_TRY(folder, find_asset(kFolder));
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (is_lesson_path(name)) names.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  if (error) return Error{ErrorCode::io, fmt::format("cannot read {}: {}", folder.string(), error.message()), {}, {}};
  std::sort(names.begin(), names.end());
  return names;
}

Result<fs::path> own_lesson(const std::string& name) {
  Result<fs::path> asset = find_asset(fmt::format("{}/{}{}", kFolder, name, kEnding));
  if (!asset) return no_lesson(name);
  return asset;
}

}  // namespace tessera
