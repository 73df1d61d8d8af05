// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a lesson: its worklog, a line of JSON for each answer as `tessera lesson run --log` writes it, and the place where the
// person is.
//
// Both are files of the person's own below the state folder, lessons/6_who_holds_what_1f0c.jsonl and .json. The log only grows: a line that
// cannot be read stays where it is, and whoever begins again begins behind the lines that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera {

struct LessonPlace {
  std::uint64_t seed = 0;                        // of all questions that have none of their own
  std::map<std::string, std::uint64_t> seeds{};  // of questions that were asked another time
  std::map<std::string, std::string> drafts{};   // what was typed and not answered yet
  std::size_t screen = 0;
  std::size_t begun = 0;  // so many lines of the log are of a time before
  friend bool operator==(const LessonPlace&, const LessonPlace&) = default;
};

struct LessonKept {
  std::vector<lesson::WorklogEntry> log;
  std::size_t damaged = 0;  // lines of the log that cannot be read
  LessonPlace place;
};

std::filesystem::path lessons_folder();  // own_folder(state)/lessons; empty without a home
// The files' name without an ending: two lessons have the same where number and title are.
std::string kept_name(const lesson::Head& head);

// What is kept there; of a lesson that nobody has begun a place with a seed of its own. An empty folder keeps nothing, and its seed is 0.
Result<LessonKept> load_kept(const std::filesystem::path& folder, const std::string& name);
// Adds a line behind those that are there, whoever wrote them. Returns when it is on the disk.
Status keep_entry(const std::filesystem::path& folder, const std::string& name, const lesson::WorklogEntry& entry);
Status keep_place(const std::filesystem::path& folder, const std::string& name, const LessonPlace& place);
// A line each, as `tessera lesson regrade` reads them.
std::string to_lines(const std::vector<lesson::WorklogEntry>& log);

}  // namespace tessera
