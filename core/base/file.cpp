// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing a person's files through POSIX calls, since a safe write needs fsync and rename.
#include "core/base/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>  // renameat2
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/file_parts.hpp"
#include "core/base/sha256.hpp"

namespace tessera {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kPatience{10};  // with a reader of a pipe that takes nothing
constexpr mode_t kPermissions = 0777;

// The descriptor that a name such as /dev/stdin or /dev/fd/63 stands for.
std::optional<int> named_stream(const fs::path& path) {
  const std::string& name = path.native();
  if (name == "/dev/stdin") return STDIN_FILENO;
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    const char* const begin = name.data() + std::min(folder.size(), name.size());
    const char* const end = name.data() + name.size();
    if (name.starts_with(folder) && std::from_chars(begin, end, number).ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// Opened twice over: the first look wakes nobody at the other end of a pipe and turns no tape; the second decides.
Result<Descriptor> open_regular(const fs::path& path, struct stat& facts) {
  if (const std::optional<int> stream = named_stream(path)) {
    Descriptor file(::fcntl(*stream, F_DUPFD_CLOEXEC, 3));
    if (!file || ::fstat(file.get(), &facts) != 0) return file_error("read", path, errno);
    if (S_ISDIR(facts.st_mode)) return file_refusal("read", path, "it is a folder");
    return file;
  }
  const auto refusal = [&] {
    return file_refusal("read", path, fmt::format("it is {}, and only files are read", kind_of_file(facts.st_mode)));
  };
  if (::stat(path.c_str(), &facts) != 0) return file_error("read", path, errno);
  if (!S_ISREG(facts.st_mode)) return refusal();
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file || ::fstat(file.get(), &facts) != 0) return file_error("read", path, errno);
  if (!S_ISREG(facts.st_mode)) return refusal();
  return file;
}

// A pipe or a character device, as it is.
Result<FileFacts> write_special(const fs::path& path, std::string_view bytes, const struct stat& found) {
  const std::optional<int> stream = named_stream(path);
  if (!stream && !S_ISFIFO(found.st_mode) && !S_ISCHR(found.st_mode))
    return file_refusal("write", path, fmt::format("it is {}", kind_of_file(found.st_mode)));
  Descriptor file(stream ? ::fcntl(*stream, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file && errno == ENXIO) return file_refusal("write", path, "it is a pipe that nobody reads");
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return file_error("write", path, errno);
  if (!stream && facts.st_rdev != found.st_rdev) return file_refusal("write", path, "it was exchanged meanwhile");
  if (const int error = write_whole(file.get(), bytes, kPatience); error != 0) return file_error("write", path, error);
  if (const int error = file.close(); error != 0) return file_error("write", path, error);
  return FileFacts{stamp_of(facts), sha256_hex(bytes)};
}

// The folder that a file's name goes into.
Result<Descriptor> open_parent(const fs::path& path) {
  TESSERA_CHECK(make_folder(path.parent_path()));
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  Descriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return file_error("write into", folder, errno);
  return opened;
}

// The old file's owner, group and rwx bits, as far as they may be given; a group that may not be gets no more than all others.
bool inherit(int file, const struct stat& old) {
  mode_t mode = old.st_mode & kPermissions;
  if (::fchown(file, old.st_uid, old.st_gid) != 0 && ::fchown(file, static_cast<uid_t>(-1), old.st_gid) != 0)
    mode &= ~(((~mode & 07) << 3) & 070);
  return ::fchmod(file, mode) == 0;
}

Error changed(const fs::path& path) {
  return Error{ErrorCode::already_exists,
               fmt::format("{} is not the file that was read: another program wrote it, and it was kept", path.string()),
               {},
               {"look at what it holds now, or save under another name"}};
}

bool is_content(int folder, const char* name, const FileFacts& was) {
  const Descriptor file(::openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  if (static_cast<std::uintmax_t>(facts.st_size) != was.stamp.size) return false;
  const Result<std::string> bytes = read_rest(file.get(), facts, name, was.stamp.size);
  return bytes && sha256_hex(*bytes) == was.sha256;
}

// The names are exchanged, and what came out must be `was`; else they are exchanged back. In between, the name of the temporary is none
// that anybody removes.
Status replace_only(Temporary& temporary, int folder, const std::string& name, const fs::path& path, const FileFacts& was) {
  if (!is_content(folder, name.c_str(), was)) return changed(path);
  const std::string aside = std::string(temporary.name()) + ".old";
  if (::renameat2(folder, temporary.name(), folder, aside.c_str(), RENAME_NOREPLACE) != 0) return temporary.replace(name);
  if (::renameat2(folder, aside.c_str(), folder, name.c_str(), RENAME_EXCHANGE) != 0) {
    ::renameat(folder, aside.c_str(), folder, temporary.name());
    return temporary.replace(name);
  }
  temporary.keep();
  const bool right = is_content(folder, aside.c_str(), was);
  if (!right && ::renameat2(folder, aside.c_str(), folder, name.c_str(), RENAME_EXCHANGE) != 0)
    return std::move(changed(path)).note(fmt::format("the other program's file is {} now", (path.parent_path() / aside).string()));
  ::unlinkat(folder, aside.c_str(), 0);
  sync_folder(folder);
  return right ? Status(Done{}) : changed(path);
}

Result<FileFacts> replace(const fs::path& asked, std::string_view bytes, const FileFacts* was) {
  struct stat old {};  // of what a link leads to
  const bool exists = ::stat(asked.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return file_refusal("write", asked, "it is a folder");
  if ((exists && !S_ISREG(old.st_mode)) || named_stream(asked)) return write_special(asked, bytes, old);
  if (!exists && was != nullptr) return file_error("write", asked, errno);
  std::error_code ignored;
  const fs::path path = fs::is_symlink(asked, ignored) ? fs::canonical(asked, ignored) : asked;  // write through a link, keep the link
  if (path.empty()) return Error{ErrorCode::io, fmt::format("{} is a link to nowhere", asked.string()), {}, {}};
  if (exists && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return file_error("write", asked, errno);
  const std::string name = path.filename().string();
  if (name.empty()) return file_refusal("write", asked, "it names a folder");
  TESSERA_TRY(folder, open_parent(path));
  // Nobody else may read what will replace a file: its own permissions follow. A file at a new place gets what the umask leaves.
  TESSERA_TRY(temporary, Temporary::make(folder.get(), exists ? 0600 : 0666, asked));
  TESSERA_TRY(stamp, temporary.write(bytes));
  if (exists && !inherit(temporary.get(), old)) return file_error("write", asked, errno);
  TESSERA_CHECK(was == nullptr ? temporary.replace(name) : replace_only(temporary, folder.get(), name, asked, *was));
  return FileFacts{stamp, sha256_hex(bytes)};
}

}  // namespace

Result<std::string> read_rest(int file, const struct stat& facts, const fs::path& shown, std::uintmax_t largest) {
  const auto too_large = [&] {
    return Error{ErrorCode::limit, fmt::format("{} has more than {} bytes, the most that are read here", shown.string(), largest), {}, {}};
  };
  if (S_ISREG(facts.st_mode) && static_cast<std::uintmax_t>(facts.st_size) > largest) return too_large();
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t n = ::read(file, buffer.data(), buffer.size());
    if (n == 0) return bytes;
    if (n < 0 && errno == EAGAIN && !S_ISREG(facts.st_mode)) {
      pollfd readable{file, POLLIN, 0};
      ::poll(&readable, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      return file_error("read", shown, errno);
    }
    if (n <= 0) continue;
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
    if (bytes.size() > largest) return too_large();
  }
}

Result<FileContents> read_contents(const fs::path& path, std::uintmax_t largest) {
  struct stat facts {};
  TESSERA_TRY(file, open_regular(path, facts));
  TESSERA_TRY(bytes, read_rest(file.get(), facts, path, largest));
  FileFacts found{stamp_of(facts), sha256_hex(bytes)};
  return FileContents{std::move(bytes), std::move(found)};
}

Result<std::string> read_file(const fs::path& path, std::uintmax_t largest) {
  struct stat facts {};
  TESSERA_TRY(file, open_regular(path, facts));
  return read_rest(file.get(), facts, path, largest);
}

Result<FileStamp> file_stamp(const fs::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return file_error("read", path, errno);
  return stamp_of(facts);
}

Result<fs::path> path_in(const fs::path& folder, std::string_view name) {
  const bool plain = std::none_of(name.begin(), name.end(), [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7f; });
  if (plain && !name.empty() && name != "." && name != "..") return folder / name;
  return Error{ErrorCode::io,
               fmt::format("\"{}\" is no name of a file in {}: it may have no / and no control characters", name, folder.string()),
               {},
               {}};
}

Status make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::io, fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()), {}, {}};
  if (!folder.empty() && ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return file_error("write into", folder, errno);
  return Done{};
}

Result<FileFacts> replace_file(const fs::path& path, std::string_view bytes) { return replace(path, bytes, nullptr); }
Result<FileFacts> replace_file(const fs::path& path, std::string_view bytes, const FileFacts& was) { return replace(path, bytes, &was); }

Result<FileFacts> create_file(const fs::path& path, std::string_view bytes, FreeNameWays ways) {
  TESSERA_TRY(folder, open_parent(path));
  const std::string name = path.filename().string();
  struct stat there {};
  if (name.empty() || name == "." || name == "..") return file_refusal("write", path, "it is a folder");
  if (::fstatat(folder.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0) return name_is_taken(path);
  TESSERA_TRY(temporary, Temporary::make(folder.get(), 0666, path));
  TESSERA_TRY(stamp, temporary.write(bytes));
  TESSERA_CHECK(temporary.take_free(name, ways));
  return FileFacts{stamp, sha256_hex(bytes)};
}

Status write_file(const fs::path& path, std::string_view bytes) {
  TESSERA_CHECK(replace_file(path, bytes));
  return Done{};
}

Status export_file(const fs::path& path, std::string_view bytes, bool force) {
  TESSERA_CHECK(force ? replace_file(path, bytes) : create_file(path, bytes));
  return Done{};
}

}  // namespace tessera
