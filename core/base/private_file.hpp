// SPDX-License-Identifier: BSD-3-Clause
// The program's own files: settings, cache entries, autosaves. They are believed, so nobody else may have written them.
//
// They lie below $HOME or an XDG folder and nowhere else. From there down, every folder, link and file must belong to the person (or to
// root) and may not be writable by group or others; folders are made 0700 and files 0600. Each step of a path is opened before it is
// checked and used as it was opened, so nothing can be exchanged in between. What does not pass is refused with what to do about it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/descriptor.hpp"
#include "core/base/file.hpp"
#include "core/base/result.hpp"

namespace tessera {

enum class OwnFolder { config, state, cache };
// $XDG_CONFIG_HOME/tessera, $XDG_STATE_HOME/tessera, $XDG_CACHE_HOME/tessera; ~/.config/tessera etc. when unset. Empty without a home:
// then there are no such files.
std::filesystem::path own_folder(OwnFolder which);

// A folder that passed the check, open. Names in it are plain: no '/', and links are refused.
class PrivateFolder {
 public:
  // Nothing when there is none.
  static Result<std::optional<PrivateFolder>> open(const std::filesystem::path& folder);
  // Makes it, and what is missing above it. An empty path is refused: there is no home.
  static Result<PrivateFolder> make(const std::filesystem::path& folder);

  // Nothing when there is no such file.
  Result<std::optional<FileContents>> read(const std::string& name, std::uintmax_t largest = kLargestFile) const;
  Result<FileFacts> write(const std::string& name, std::string_view bytes) const;  // replaces what was there, whole or not at all
  // ErrorCode::already_exists when there is something of this name.
  Result<FileFacts> create(const std::string& name, std::string_view bytes) const;
  Status remove(const std::string& name) const;                   // what is not there is gone
  std::optional<FileStamp> stamp(const std::string& name) const;  // of a regular file; reads nothing
  Status touch(const std::string& name, std::int64_t modified_ns) const;
  // Held until the descriptor closes: who else asks for it waits. After `patience`, or where locks are not known, an empty one.
  Descriptor lock(std::chrono::milliseconds patience) const;
  std::vector<std::string> names() const;  // sorted; of everything but temporaries

  const std::filesystem::path& path() const { return path_; }

 private:
  PrivateFolder(Descriptor folder, std::filesystem::path path) : folder_(std::move(folder)), path_(std::move(path)) {}
  friend class PrivateWalk;
  Descriptor folder_;
  std::filesystem::path path_;
};

// The same by path; a link that passes the check is followed, and written through.
Result<std::optional<FileContents>> read_private_file(const std::filesystem::path& path, std::uintmax_t largest = kLargestFile);
Result<FileFacts> write_private_file(const std::filesystem::path& path, std::string_view bytes);
Status remove_private_file(const std::filesystem::path& path);

}  // namespace tessera
