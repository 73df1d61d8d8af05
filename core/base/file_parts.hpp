// SPDX-License-Identifier: BSD-3-Clause
// What file.cpp and private_file.cpp share, in terms of an open folder and a name in it, so that nobody can exchange the folder between
// a check and a use.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/descriptor.hpp"
#include "core/base/file.hpp"
#include "core/base/result.hpp"

namespace tessera {

Error file_error(std::string_view doing, const std::filesystem::path& path, int number);
Error file_refusal(std::string_view doing, const std::filesystem::path& path, std::string_view why);
Error name_is_taken(const std::filesystem::path& path);
std::string_view kind_of_file(mode_t mode);  // "a pipe"
FileStamp stamp_of(const struct stat& facts);

// The rest of an open file, whose facts are known.
Result<std::string> read_rest(int file, const struct stat& facts, const std::filesystem::path& shown, std::uintmax_t largest);

// A new file in an open folder, locked while it is written, removed at the end unless it got a name.
class Temporary {
 public:
  // `shown`: the path that errors speak of.
  static Result<Temporary> make(int folder, mode_t mode, std::filesystem::path shown);
  ~Temporary();
  Temporary(Temporary&& other) noexcept
      : folder_(other.folder_), file_(std::move(other.file_)), name_(std::exchange(other.name_, {})), shown_(std::move(other.shown_)) {}
  Temporary& operator=(Temporary&&) = delete;

  int get() const { return file_.get(); }
  const char* name() const { return name_.c_str(); }
  Result<FileStamp> write(std::string_view bytes);  // and brings them to the disk

  Status replace(const std::string& name);  // takes that name, whoever has it
  Status take_free(const std::string& name, FreeNameWays ways);
  void keep() { name_.clear(); }

 private:
  Temporary(int folder, Descriptor file, std::string name, std::filesystem::path shown)
      : folder_(folder), file_(std::move(file)), name_(std::move(name)), shown_(std::move(shown)) {}
  int folder_;
  Descriptor file_;
  std::string name_;  // empty: it has got its own
  std::filesystem::path shown_;
};

void sync_folder(int folder);  // the names, too; not every file system can

}  // namespace tessera
