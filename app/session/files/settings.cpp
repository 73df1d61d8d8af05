// SPDX-License-Identifier: BSD-3-Clause
// Settings as JSON: known fields are checked, unknown ones (of another version) survive a save.
#include "app/session/files/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "core/base/json.hpp"
#include "core/base/private_file.hpp"

namespace tessera {
namespace {

// The object in the file; empty when there is no file.
Result<Json> read_object(const std::filesystem::path& path) {
  TESSERA_TRY(file, read_private_file(path, kFileJson.bytes));
  if (!file) return Json::object({});
  const auto refuse = [&](std::string why) {
    return Error{ErrorCode::corrupt,
                 fmt::format("the settings in {} {}; they were left as they are", path.string(), why),
                 {},
                 {"mend or remove the file to start with the defaults"}};
  };
  Result<Json> json = parse_json(file->bytes, kFileJson, ErrorCode::corrupt);
  if (!json) return refuse("cannot be read: " + json.error().message);
  if (json->members() == nullptr) return refuse("are no JSON object");
  return json;
}

std::optional<std::string> fitting(const Json& json, const std::string&) {
  return json.text() ? std::optional(*json.text()) : std::nullopt;
}
std::optional<bool> fitting(const Json& json, bool) { return json.truth() ? std::optional(*json.truth()) : std::nullopt; }
std::optional<int> fitting(const Json& json, int) {
  const std::optional<int> number = json.whole<int>();
  return number && *number >= 0 && *number < 1024 ? number : std::nullopt;
}
std::optional<std::uint64_t> fitting(const Json& json, std::uint64_t) { return json.whole<std::uint64_t>(); }
std::optional<double> fitting(const Json& json, double) {
  const std::optional<double> number = json.number();
  return number && *number >= 0.25 && *number <= 8 ? number : std::nullopt;
}
std::optional<std::vector<std::string>> fitting(const Json& json, const std::vector<std::string>&) {
  if (json.list() == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& item : *json.list()) {
    if (item.text() == nullptr) return std::nullopt;
    texts.push_back(*item.text());
  }
  return texts;
}
std::optional<std::map<std::string, std::string>> fitting(const Json& json, const std::map<std::string, std::string>&) {
  if (json.members() == nullptr) return std::nullopt;
  std::map<std::string, std::string> texts;
  for (const JsonMember& member : *json.members()) {
    if (member.value.text() == nullptr) return std::nullopt;
    texts[member.name] = *member.value.text();
  }
  return texts;
}

template <class T>
Status read_field(const Json& json, std::string_view name, T& field, const std::filesystem::path& path) {
  const Json* at = json.find(name);
  if (at == nullptr) return Done{};
  auto value = fitting(*at, field);
  if (!value) {
    return Error{ErrorCode::corrupt,
                 fmt::format("in {}, \"{}\" cannot be {} (byte {})", path.string(), name, at->shown(), at->place().begin),
                 {},
                 {"mend or remove that line"}};
  }
  field = std::move(*value);
  return Done{};
}

Result<Settings> settings_in(const Json& json, const std::filesystem::path& path) {
  Settings settings;
  TESSERA_CHECK(read_field(json, "worker", settings.worker, path));
  TESSERA_CHECK(read_field(json, "shell", settings.shell, path));
  TESSERA_CHECK(read_field(json, "device", settings.device, path));
  TESSERA_CHECK(read_field(json, "workers", settings.workers, path));
  TESSERA_CHECK(read_field(json, "theme", settings.theme, path));
  TESSERA_CHECK(read_field(json, "interface_scale", settings.interface_scale, path));
  TESSERA_CHECK(read_field(json, "palette", settings.palette, path));
  TESSERA_CHECK(read_field(json, "export_format", settings.export_format, path));
  TESSERA_CHECK(read_field(json, "export_width", settings.export_width, path));
  TESSERA_CHECK(read_field(json, "layouts", settings.layouts, path));
  TESSERA_CHECK(read_field(json, "recent", settings.recent, path));
  TESSERA_CHECK(read_field(json, "cache_bytes", settings.cache_bytes, path));
  return settings;
}

}  // namespace

std::filesystem::path settings_path() {
  const std::filesystem::path folder = config_folder();
  return folder.empty() ? folder : folder / "settings.json";
}

Result<Settings> load_settings(const std::filesystem::path& path) {
  TESSERA_TRY(json, read_object(path));
  return settings_in(json, path);
}

Status save_settings(const Settings& settings, const std::filesystem::path& path) {
  TESSERA_TRY(before, read_object(path));
  TESSERA_CHECK(settings_in(before, path));  // what cannot be read is somebody's to mend, and not to be written over
  Json::Members layouts;
  for (const auto& [name, text] : settings.layouts) layouts.push_back({name, text});
  Json::Members after{{"worker", settings.worker},
                      {"shell", settings.shell},
                      {"device", settings.device},
                      {"workers", settings.workers},
                      {"theme", settings.theme},
                      {"interface_scale", settings.interface_scale},
                      {"palette", settings.palette},
                      {"export_format", settings.export_format},
                      {"export_width", settings.export_width},
                      {"layouts", Json::object(std::move(layouts))},
                      {"recent", settings.recent},
                      {"cache_bytes", settings.cache_bytes}};
  for (const JsonMember& member : *before.members()) {  // those of another version
    if (std::none_of(after.begin(), after.end(), [&](const JsonMember& known) { return known.name == member.name; }))
      after.push_back(member);
  }
  TESSERA_CHECK(write_private_file(path, Json::object(std::move(after)).dump(2) + "\n"));
  return Done{};
}

}  // namespace tessera
