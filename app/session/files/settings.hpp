// SPDX-License-Identifier: BSD-3-Clause
// Settings: what a person chose once for all documents. A JSON file in the XDG configuration folder that nobody else may
// write, since it names a command; unknown fields are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

struct Settings {
  std::string worker;                // the command that starts a worker, e.g. "ssh gpubox tessera worker"; empty: this machine
  bool shell = false;                // /bin/sh reads that command and --worker's, instead of this program's own reader of words
  int device = 0;                    // which GPU of the worker's machine
  std::vector<std::string> workers;  // commands that were used, newest first
  std::string theme = "dark";        // "dark", "light"
  double interface_scale = 1.0;
  std::string palette;                                   // of figures; empty: the style's own
  std::map<std::string, std::string> layouts;            // of the window, by name: see saved_layout.hpp
  std::vector<std::string> recent;                       // documents, newest first
  std::uint64_t cache_bytes = std::uint64_t{256} << 20;  // of kept cubins, all together; 0: none are kept
  std::string export_format{}, export_width{};           // of the figure that was exported last: "tex", "columnwidth"
  friend bool operator==(const Settings&, const Settings&) = default;
};

std::filesystem::path settings_path();  // config_folder()/settings.json; empty without a home
// No file gives the defaults; a file that cannot be read, or that others may write, is refused and left as it is.
Result<Settings> load_settings(const std::filesystem::path& path = settings_path());
Status save_settings(const Settings& settings, const std::filesystem::path& path = settings_path());

}  // namespace tessera
