// SPDX-License-Identifier: BSD-3-Clause
// Where lessons lie: files of a person's own, and those that come with the program, which have names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

bool is_lesson_path(std::string_view path);  // lecture.lesson.md
// The names of the lessons that come with the program, in their order: "06_tv".
Result<std::vector<std::string>> lesson_names();
// The file of the one with this name. Refused, with the names that there are, is any other.
Result<std::filesystem::path> own_lesson(const std::string& name);

}  // namespace tessera
