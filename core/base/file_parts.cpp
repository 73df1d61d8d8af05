// SPDX-License-Identifier: BSD-3-Clause
// Temporary files: made beside their place, locked while their writer lives, and given a name at the end.
#include "core/base/file_parts.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>  // renameat2
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>  // std::strerror
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr std::string_view kPrefix = ".tessera-", kSuffix = ".tmp";
constexpr int kMostEntriesSearched = 20000;  // of a folder, for what killed writers left
constexpr std::chrono::seconds kReaderPatience{10};

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() <= kPrefix.size() + kSuffix.size()) return false;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  return name.find_first_not_of("0123456789-") == std::string_view::npos;
}

// The locks tell a living writer from a killed one, whatever process has its number by now, on whatever machine it runs.
void remove_if_left(int folder, const char* name) {
  const Descriptor file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat opened {
  }, named{};
  if (!file || ::fstat(file.get(), &opened) != 0 || !S_ISREG(opened.st_mode) || opened.st_uid != ::geteuid()) return;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  const bool same = ::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && stamp_of(named).inode == stamp_of(opened).inode;
  if (same) ::unlinkat(folder, name, 0);
}

bool not_offered(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == EPERM || error == EMLINK; }

}  // namespace

Error file_error(std::string_view doing, const std::filesystem::path& path, int number) {
  return file_refusal(doing, path, std::strerror(number));
}

Error file_refusal(std::string_view doing, const std::filesystem::path& path, std::string_view why) {
  return Error{ErrorCode::io, fmt::format("cannot {} {}: {}", doing, path.string(), why), {}, {}};
}

Error name_is_taken(const std::filesystem::path& path) {
  return Error{
      ErrorCode::already_exists, fmt::format("{} exists and was kept", path.string()), {}, {"give another name, or --force to replace it"}};
}

std::string_view kind_of_file(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a link";
  return "a device";
}

FileStamp stamp_of(const struct stat& facts) {
  FileStamp stamp;
  stamp.device = facts.st_dev;
  stamp.inode = facts.st_ino;
  stamp.size = static_cast<std::uintmax_t>(facts.st_size);
  stamp.modified_ns = std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
  return stamp;
}

void remove_leftovers(int folder) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again), ::closedir);
  if (!entries) return;
  for (int i = 0; i < kMostEntriesSearched; ++i) {
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) return;
    if (is_temporary_name(entry->d_name)) remove_if_left(folder, entry->d_name);
  }
}

void sync_folder(int folder) {
  const Descriptor again(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (again) ::fsync(again.get());
}

Result<Temporary> Temporary::make(int folder, mode_t mode, std::filesystem::path shown) {
  static std::atomic<unsigned> last = 0;
  remove_leftovers(folder);
  for (;;) {
    std::string name = fmt::format("{}{}-{}{}", kPrefix, ::getpid(), ++last, kSuffix);
    Descriptor file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file && errno == EEXIST) continue;
    if (!file) return file_error("write", shown, errno);
    // Where locks are not known, nobody can take one, and so nobody removes the file. Where another has it, the file is lost to us.
    struct stat facts {};
    const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && ::fstat(file.get(), &facts) == 0 && facts.st_nlink > 0) return Temporary(folder, std::move(file), std::move(name), shown);
  }
}

Temporary::~Temporary() {
  if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
}

Result<FileStamp> Temporary::write(std::string_view bytes) {
  if (const int error = write_whole(file_.get(), bytes, kReaderPatience); error != 0) return file_error("write", shown_, error);
  const bool synced = ::fsync(file_.get()) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
  struct stat facts {};
  if (!synced || ::fstat(file_.get(), &facts) != 0) return file_error("write", shown_, errno);
  return stamp_of(facts);
}

Status Temporary::replace(const std::string& name) {
  if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return file_error("write", shown_, errno);
  keep();
  sync_folder(folder_);
  return Done{};
}

Status Temporary::take_free(const std::string& name, FreeNameWays ways) {
  const auto taken = [&](int error) -> Status { return error == EEXIST ? name_is_taken(shown_) : file_error("write", shown_, error); };
  const auto done = [&]() -> Status {
    sync_folder(folder_);
    return Done{};
  };
  if (ways.rename) {
    if (::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_NOREPLACE) == 0) return keep(), done();
    if (!not_offered(errno)) return taken(errno);
  }
  if (ways.link) {
    struct stat facts {};
    const bool linked = ::linkat(folder_, name_.c_str(), folder_, name.c_str(), 0) == 0;
    const int error = errno;
    // A server that is asked twice refuses the second time what it did the first time.
    if (linked || (error == EEXIST && ::fstat(file_.get(), &facts) == 0 && facts.st_nlink == 2)) return done();
    if (!not_offered(error)) return taken(error);
  }
  // Whoever makes the empty file has the name; what was written then replaces that.
  if (!Descriptor(::openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600))) return taken(errno);
  const Status replaced = replace(name);
  if (!replaced) ::unlinkat(folder_, name.c_str(), 0);
  return replaced;
}

}  // namespace tessera
