// SPDX-License-Identifier: BSD-3-Clause
// The file is locked while it is read and added to. An addition that does not fit is cut off again.
#include "core/base/file_append.hpp"

#include <fcntl.h>
#include <sys/file.h>  // flock
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/descriptor.hpp"
#include "core/base/file_parts.hpp"

namespace tessera {

Status append_to_file(const std::filesystem::path& path, const std::function<Result<std::string>(std::string_view held)>& more,
                      std::uintmax_t largest) {
  if (path.has_parent_path()) TESSERA_CHECK(make_folder(path.parent_path()));
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return file_error("write", path, errno);
  if (!S_ISREG(facts.st_mode)) return file_refusal("add to", path, fmt::format("it is {}", kind_of_file(facts.st_mode)));
  while (::flock(file.get(), LOCK_EX) != 0) {
    if (errno != EINTR) break;  // a file system without locks
  }
  if (::fstat(file.get(), &facts) != 0) return file_error("read", path, errno);
  TESSERA_TRY(held, read_rest(file.get(), facts, path, largest));
  TESSERA_TRY(added, more(held));
  if (added.empty()) return Done{};
  const QuietWrites quiet;
  int error = write_whole(file.get(), added, std::chrono::seconds(10));
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (error == 0) return Done{};
  if (::ftruncate(file.get(), facts.st_size) != 0) return file_error("add all to, and shorten again,", path, errno);
  return file_error("add to", path, error);
}

}  // namespace tessera
