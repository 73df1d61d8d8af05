// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/lesson/lesson_log.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/json.hpp"
#include "core/base/private_file.hpp"
#include "core/base/sha256.hpp"

namespace tessera {
namespace {

constexpr std::uintmax_t kLargestLog = std::uintmax_t{64} << 20;  // bytes
constexpr std::uint64_t kMostSeeds = 1000000;                     // a seed that a person can say
constexpr std::chrono::seconds kPatience{2};

std::string log_file(const std::string& name) { return name + ".jsonl"; }
std::string place_file(const std::string& name) { return name + ".json"; }

void read_log(std::string_view text, LessonKept& kept) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (Result<lesson::WorklogEntry> entry = lesson::entry_of(line))
      kept.log.push_back(*std::move(entry));
    else
      ++kept.damaged;
  }
}

// Nothing where it cannot be read: then the person is at the beginning, and the log says what was answered.
std::optional<LessonPlace> read_place(std::string_view text) {
  const Result<Json> json = parse_json(text, kRequestJson, ErrorCode::corrupt);
  if (!json) return std::nullopt;
  JsonReader in(ErrorCode::corrupt, "the place in a lesson cannot be read", lesson::kLongestAnswer);
  LessonPlace made;
  made.seed = in.whole<std::uint64_t>(*json, "seed");
  made.screen = in.whole<std::size_t>(*json, "screen");
  made.begun = in.whole<std::size_t>(*json, "begun");
  const Json &seeds = in.object(*json, "seeds"), &drafts = in.object(*json, "drafts");
  if (in.failed()) return std::nullopt;
  for (const JsonMember& each : *seeds.members()) made.seeds[each.name] = in.whole_in<std::uint64_t>(&each.value, each.name);
  for (const JsonMember& each : *drafts.members()) made.drafts[each.name] = in.text(drafts, each.name);
  return in.failed() ? std::nullopt : std::optional(std::move(made));
}

std::string text_of(const LessonPlace& place) {
  Json::Members seeds, drafts;
  for (const auto& [id, seed] : place.seeds) seeds.push_back({id, seed});
  for (const auto& [id, text] : place.drafts) drafts.push_back({id, text});
  return Json::object({{"seed", place.seed},
                       {"screen", place.screen},
                       {"begun", place.begun},
                       {"seeds", Json::object(std::move(seeds))},
                       {"drafts", Json::object(std::move(drafts))}})
             .dump() +
         "\n";
}

}  // namespace

std::filesystem::path lessons_folder() {
  const std::filesystem::path state = own_folder(OwnFolder::state);
  return state.empty() ? state : state / "lessons";
}

std::string kept_name(const lesson::Head& head) {
  constexpr std::size_t kLongest = 32;
  std::string words;
  for (const char c : head.title) {
    if (is_letter(c) || is_digit(c))
      words += lower(c);
    else if (!words.empty() && words.back() != '_')
      words += '_';
    if (words.size() >= kLongest) break;
  }
  return fmt::format("{}_{}_{}", head.number, words, sha256_hex(head.title).substr(0, 8));
}

Result<LessonKept> load_kept(const std::filesystem::path& folder, const std::string& name) {
  LessonKept kept;
  if (folder.empty()) return kept;
  kept.place.seed = std::random_device()() % kMostSeeds;
  TESSERA_TRY(opened, PrivateFolder::open(folder));
  if (!opened) return kept;
  TESSERA_TRY(log, opened->read(log_file(name), kLargestLog));
  if (log) read_log(log->bytes, kept);
  TESSERA_TRY(place, opened->read(place_file(name), kRequestJson.bytes));
  if (std::optional<LessonPlace> read = place ? read_place(place->bytes) : std::nullopt) kept.place = *std::move(read);
  return kept;
}

Status keep_entry(const std::filesystem::path& folder, const std::string& name, const lesson::WorklogEntry& entry) {
  if (folder.empty()) return Done{};
  TESSERA_TRY(made, PrivateFolder::make(folder));
  const Descriptor locked = made.lock(kPatience);
  TESSERA_TRY(log, made.read(log_file(name), kLargestLog));
  std::string all = log ? std::move(log->bytes) : std::string();
  if (!all.empty() && !all.ends_with('\n')) all += '\n';  // a line that was cut off stays one of its own
  all += lesson::to_line(entry) + '\n';
  TESSERA_TRY(written, made.write(log_file(name), all));
  (void)written;
  return Done{};
}

Status keep_place(const std::filesystem::path& folder, const std::string& name, const LessonPlace& place) {
  if (folder.empty()) return Done{};
  TESSERA_TRY(made, PrivateFolder::make(folder));
  TESSERA_TRY(written, made.write(place_file(name), text_of(place)));
  (void)written;
  return Done{};
}

std::string to_lines(const std::vector<lesson::WorklogEntry>& log) {
  std::string made;
  for (const lesson::WorklogEntry& each : log) made += lesson::to_line(each) + '\n';
  return made;
}

}  // namespace tessera
