// SPDX-License-Identifier: BSD-3-Clause
// Files: read whole, written atomically, and never lost. A write goes to a new file beside the old one, reaches the disk (fsync)
// and only then takes the old one's name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lang/document.hpp"

namespace tessera {

constexpr std::uintmax_t kLargestDocument = std::uintmax_t{16} << 20;  // bytes

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t largest = std::uintmax_t{1} << 30);
// Creates the folder when it is missing, and refuses one that files cannot be written into.
Status make_folder(const std::filesystem::path& folder);
// Creates the folder when it is missing; keeps the old file whenever anything fails. A device or a pipe is written to as it is.
Status write_file(const std::filesystem::path& path, std::string_view bytes);
// The same for exports: an existing file is kept unless `force`.
Status export_file(const std::filesystem::path& path, std::string_view bytes, bool force);

// Refuses what is not a document: binary, too large, or with a line that is neither a binding nor a comment (naming the line).
Result<Document> load_document(const std::filesystem::path& path);
// A warning when the last binding has no value or open brackets: somebody saved it half-typed, or the file was cut off. Else empty.
std::string unfinished_end(const Document& document);
Status save_document(const std::filesystem::path& path, const Document& document);

// $XDG_CONFIG_HOME/tessera, $XDG_STATE_HOME/tessera, $XDG_CACHE_HOME/tessera; ~/.config etc. when unset.
std::filesystem::path config_folder();
std::filesystem::path state_folder();
std::filesystem::path cache_folder();
// Where a document's autosave lies: state_folder()/autosave/<name>-<hash of the full path>.tess
std::filesystem::path autosave_path(const std::filesystem::path& document);

// A file that comes with the program ("presets/tour.tess"): in $TESSERA_ASSETS, or in a folder share/tessera or assets beside or
// above the binary.
Result<std::filesystem::path> find_asset(std::string_view relative);

}  // namespace tessera
