// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing files through POSIX calls, since a safe write needs fsync and rename.
#include "app/session/document_io.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/session/call_text.hpp"
#include "core/base/sha256.hpp"

namespace tessera {
namespace fs = std::filesystem;
namespace {

Error io_error(std::string_view doing, const fs::path& path, int number) {
  return Error{ErrorCode::io, fmt::format("{} {}: {}", doing, path.string(), std::strerror(number)), {}, {}};
}

// A file descriptor that is closed at the end of its scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  int close() { return ::close(std::exchange(descriptor_, -1)); }

 private:
  int descriptor_;
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// A new file beside `path`, as {descriptor, name}. Nobody else may read what will replace an `existing` file: its own permissions
// follow later. A file at a new place gets what the person's umask leaves of rw-rw-rw-.
std::pair<int, std::string> open_beside(const fs::path& path, bool existing) {
  static std::atomic<unsigned> last = 0;
  for (;;) {
    std::string name = fmt::format("{}.{}-{}", path.string(), ::getpid(), ++last);
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, existing ? 0600 : 0666);
    if (file >= 0 || errno != EEXIST) return {file, std::move(name)};
  }
}

// Devices, pipes and sockets are written to; another file in their place would be another thing.
Status write_special(const fs::path& path, std::string_view bytes) {
  File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0 || !write_all(file.get(), bytes) || file.close() != 0) return io_error("cannot write", path, errno);
  return Done{};
}

fs::path environment_folder(const char* variable, const char* below_home) {
  if (const char* value = std::getenv(variable); value && *value == '/') return fs::path(value) / "tessera";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / below_home / "tessera";
  return fs::temp_directory_path() / "tessera" / below_home;
}

std::size_t line_of(std::string_view text, std::size_t at) {
  std::size_t line = 1;
  for (const char c : text.substr(0, at)) line += c == '\n';
  return line;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uintmax_t largest) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return io_error("cannot read", path, errno);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return io_error("cannot read", path, errno);
  if (S_ISDIR(facts.st_mode)) return Error{ErrorCode::io, fmt::format("cannot read {}: it is a folder", path.string()), {}, {}};
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", path, errno);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > largest) {
      return Error{ErrorCode::limit, fmt::format("{} has more than {} bytes, the most that are read here", path.string(), largest), {}, {}};
    }
  }
}

Status make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::io, fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()), {}, {}};
  if (!folder.empty() && ::access(folder.c_str(), W_OK | X_OK) != 0) return io_error("cannot write into", folder, errno);
  return Done{};
}

Status write_file(const fs::path& asked, std::string_view bytes) {
  struct stat old {};  // of what a link leads to
  const bool exists = ::stat(asked.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return Error{ErrorCode::io, fmt::format("cannot write {}: it is a folder", asked.string()), {}, {}};
  if (exists && !S_ISREG(old.st_mode)) return write_special(asked, bytes);
  std::error_code ignored;
  const fs::path path = fs::is_symlink(asked, ignored) ? fs::canonical(asked, ignored) : asked;  // write through a link, keep the link
  if (path.empty()) return Error{ErrorCode::io, fmt::format("{} is a link to nowhere", asked.string()), {}, {}};
  TESSERA_CHECK(make_folder(path.parent_path()));
  const auto [descriptor, name] = open_beside(path, exists);
  File file(descriptor);
  if (file.get() < 0) return io_error("cannot write", path, errno);
  const bool written =
      write_all(file.get(), bytes) && (!exists || ::fchmod(file.get(), old.st_mode & 07777) == 0) && ::fsync(file.get()) == 0;
  const int failure = errno;
  if (!written || file.close() != 0 || ::rename(name.c_str(), path.c_str()) != 0) {
    const int number = written ? errno : failure;
    ::unlink(name.c_str());
    return io_error("cannot write", path, number);
  }
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  const File directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());  // the name, too; not every file system can
  return Done{};
}

Status export_file(const fs::path& path, std::string_view bytes, bool force) {
  std::error_code ignored;
  if (!force && fs::exists(fs::symlink_status(path, ignored))) {
    return Error{ErrorCode::already_exists,
                 fmt::format("{} exists and was kept", path.string()),
                 {},
                 {"give another name, or --force to replace it"}};
  }
  return write_file(path, bytes);
}

Result<Document> load_document(const fs::path& path) {
  TESSERA_TRY(text, read_file(path, kLargestDocument));
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    return Error{ErrorCode::corrupt, fmt::format("{} is not a text: byte {} is zero", path.string(), zero), {}, {}};
  }
  Result<Document> document = parse_document(text);
  if (!document) {
    Error error = std::move(document).error();
    const std::string line = error.span ? fmt::format(", line {}", line_of(text, error.span->begin)) : "";
    error.message = fmt::format("{}{}: {}", path.string(), line, error.message);
    return error;
  }
  return document;
}

std::string unfinished_end(const Document& document) {
  if (document.bindings.empty()) return {};
  const Binding& last = document.bindings.back();
  const std::string open = open_brackets(last.expression);
  if (open.empty() && !last.expression.empty()) return {};
  return fmt::format("the text ends in the middle of \"{}\" in line {}, where {}; perhaps the file was cut off", last.name,
                     line_of(to_text(document), last.span.begin),
                     open.empty() ? "a value is missing" : fmt::format("\"{}\" is not closed", open));
}

Status save_document(const fs::path& path, const Document& document) { return write_file(path, to_text(document)); }

fs::path config_folder() { return environment_folder("XDG_CONFIG_HOME", ".config"); }
fs::path state_folder() { return environment_folder("XDG_STATE_HOME", ".local/state"); }
fs::path cache_folder() { return environment_folder("XDG_CACHE_HOME", ".cache"); }

fs::path autosave_path(const fs::path& document) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(document, error);  // "./a.tess" is "a.tess"
  if (error) whole = fs::absolute(document, error);
  return state_folder() / "autosave" / fmt::format("{}-{}.tess", document.stem().string(), sha256_hex(whole.string()).substr(0, 12));
}

Result<fs::path> find_asset(std::string_view relative) {
  std::vector<fs::path> folders;
  if (const char* set = std::getenv("TESSERA_ASSETS"); set && *set) folders.emplace_back(set);
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  // Beside an installed binary, or above one in a build folder of the source tree.
  for (fs::path folder = binary.parent_path(); !error && folder.has_relative_path(); folder = folder.parent_path()) {
    folders.push_back(folder / "share" / "tessera");
    folders.push_back(folder / "assets");
  }
  folders.emplace_back(TESSERA_SOURCE_ASSETS);  // a build folder outside the source tree
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / relative, error)) return folder / relative;
  }
  return Error{ErrorCode::io,
               fmt::format("{} does not lie beside the program", relative),
               {},
               {"set TESSERA_ASSETS to the folder \"assets\" of Tessera's sources"}};
}

}  // namespace tessera
