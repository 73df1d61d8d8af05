// SPDX-License-Identifier: BSD-3-Clause
// Settings as JSON: known fields are checked, unknown ones (of another version) survive a save.
#include "app/session/settings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/session/document_io.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

// The object in the file; empty when there is no file.
Result<Json> read_object(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Json::object();
  TESSERA_TRY(text, read_file(path, 1 << 20));
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return Error{ErrorCode::corrupt,
                 fmt::format("the settings in {} are no JSON object; they were left as they are", path.string()),
                 {},
                 {"mend or remove the file to start with the defaults"}};
  }
  return json;
}

template <class T>
Status read_field(const Json& json, const char* name, T& field, const std::filesystem::path& path) {
  const auto at = json.find(name);
  if (at == json.end()) return Done{};
  bool fits = false;
  if constexpr (std::is_same_v<T, std::string>) fits = at->is_string();
  if constexpr (std::is_same_v<T, bool>) fits = at->is_boolean();
  if constexpr (std::is_same_v<T, int>) fits = at->is_number_integer() && at->get<std::int64_t>() >= 0 && at->get<std::int64_t>() < 1024;
  if constexpr (std::is_same_v<T, double>) fits = at->is_number() && at->get<double>() >= 0.25 && at->get<double>() <= 8;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    fits = at->is_array() && std::all_of(at->begin(), at->end(), [](const Json& item) { return item.is_string(); });
  }
  if (!fits) {
    return Error{
        ErrorCode::corrupt, fmt::format("in {}, \"{}\" cannot be {}", path.string(), name, at->dump()), {}, {"mend or remove that line"}};
  }
  field = at->get<T>();
  return Done{};
}

}  // namespace

std::filesystem::path settings_path() { return config_folder() / "settings.json"; }

Result<Settings> load_settings(const std::filesystem::path& path) {
  TESSERA_TRY(json, read_object(path));
  Settings settings;
  TESSERA_CHECK(read_field(json, "worker", settings.worker, path));
  TESSERA_CHECK(read_field(json, "shell", settings.shell, path));
  TESSERA_CHECK(read_field(json, "device", settings.device, path));
  TESSERA_CHECK(read_field(json, "theme", settings.theme, path));
  TESSERA_CHECK(read_field(json, "interface_scale", settings.interface_scale, path));
  TESSERA_CHECK(read_field(json, "palette", settings.palette, path));
  TESSERA_CHECK(read_field(json, "recent", settings.recent, path));
  return settings;
}

Status save_settings(const Settings& settings, const std::filesystem::path& path) {
  TESSERA_TRY(json, read_object(path));
  json["worker"] = settings.worker;
  json["shell"] = settings.shell;
  json["device"] = settings.device;
  json["theme"] = settings.theme;
  json["interface_scale"] = settings.interface_scale;
  json["palette"] = settings.palette;
  json["recent"] = settings.recent;
  return write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace tessera
