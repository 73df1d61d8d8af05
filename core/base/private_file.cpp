// SPDX-License-Identifier: BSD-3-Clause
// Walks from a home folder down, one open folder after another, and checks each.
#include "core/base/private_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>  // flock
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>  // PATH_MAX
#include <cstdint>
#include <cstdlib>  // std::getenv
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/file_parts.hpp"
#include "core/base/sha256.hpp"

namespace tessera {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 16;
constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;

// An environment variable that names a place; a relative one would mean another in every folder.
fs::path place_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? fs::path(value).lexically_normal() : fs::path();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// The folder from which on everything is checked: the home or XDG folder that holds the path, the outermost if one holds another.
fs::path base_of(const fs::path& path) {
  fs::path base;
  for (const char* variable : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}) {
    fs::path place = place_of(variable);
    if (!place.empty() && !place.has_filename()) place = place == place.root_path() ? place : place.parent_path();
    if (place.empty() || !is_below(path, place)) continue;
    if (base.empty() || is_below(base, place)) base = place;
  }
  return base.empty() ? fs::path("/") : base;
}

enum class Strictness { on_the_way, last };  // a folder such as /tmp, where nobody can touch another's entries, may be on the way

Status check(const struct stat& facts, const fs::path& shown, Strictness strictness) {
  if (facts.st_uid != ::geteuid() && facts.st_uid != 0) {
    return Error{ErrorCode::io,
                 fmt::format("{} belongs to user {}, not to you (user {}), and is not used", shown.string(), facts.st_uid, ::geteuid()),
                 {},
                 {"remove it, or make it yours with chown, or set HOME or the XDG folder to one of yours"}};
  }
  const bool sticky_on_the_way = strictness == Strictness::on_the_way && S_ISDIR(facts.st_mode) && (facts.st_mode & S_ISVTX) != 0;
  if (S_ISLNK(facts.st_mode) || (facts.st_mode & kWritableByOthers) == 0 || sticky_on_the_way) return Done{};
  return Error{ErrorCode::io,
               fmt::format("{} may be written by others than you (mode {:04o}), and is not used", shown.string(), facts.st_mode & 07777),
               {},
               {fmt::format("look at what is in it, then: chmod go-w {}", shown.string())}};
}

Error no_home() {
  return Error{ErrorCode::io, "there is no home folder to keep files in: neither HOME nor an XDG folder is set", {}, {"set HOME"}};
}

// mkdir -p, in which nobody else may look.
Status make_base(const fs::path& base) {
  fs::path made;
  for (const fs::path& part : base) {
    made /= part;
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST) {
      const int error = errno;
      struct stat facts {};
      if (::stat(made.c_str(), &facts) != 0) return file_error("make the folder", made, error);
    }
  }
  return Done{};
}

}  // namespace

// One walk along a path. It ends in a folder, or in a folder and the name of a file in it.
class PrivateWalk {
 public:
  explicit PrivateWalk(bool make) : make_(make) {}

  // Nothing when a part is missing and is not to be made.
  Result<std::optional<PrivateFolder>> to_folder(const fs::path& folder) {
    TESSERA_TRY(there, walk(folder, false));
    if (!there) return std::optional<PrivateFolder>();
    return std::optional(PrivateFolder(std::move(at_), folder));
  }

  struct File {
    PrivateFolder folder;
    std::string name;
  };
  Result<std::optional<File>> to_file(const fs::path& path) {
    TESSERA_TRY(there, walk(path, true));
    if (!there) return std::optional<File>();
    return std::optional(File{PrivateFolder(std::move(at_), shown_), std::move(name_)});
  }

 private:
  Result<bool> walk(const fs::path& asked, bool ends_in_file) {
    if (asked.empty()) return no_home();
    const fs::path path = fs::absolute(asked).lexically_normal();
    const fs::path base = base_of(path);
    if (make_ && base != place_of("HOME")) TESSERA_CHECK(make_base(base));  // a home that is missing is not ours to make
    at_ = Descriptor(::open(base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    shown_ = base;
    if (!at_ && errno == ENOENT && !make_) return false;
    if (!at_) return file_error("use", base, errno);
    put_before(path.lexically_relative(base));
    TESSERA_CHECK(check_here(Strictness::on_the_way));
    while (!left_.empty()) {
      name_ = left_.front();
      left_.pop_front();
      if (name_.empty() || name_ == ".") continue;
      const bool is_file = ends_in_file && left_.empty();
      TESSERA_TRY(step, enter(is_file));
      if (step == Step::missing) return false;
      if (step == Step::arrived) break;
    }
    TESSERA_CHECK(check_here(Strictness::last));
    return true;
  }

  enum class Step { inside, missing, arrived };

  Result<Step> enter(bool is_file) {
    Descriptor next(::openat(at_.get(), name_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!next && errno == ENOENT && is_file) return Step::arrived;
    if (!next && errno == ENOENT && !make_) return Step::missing;
    const fs::path shown = shown_ / name_;
    if (!next && errno == ENOENT) {
      if (::mkdirat(at_.get(), name_.c_str(), 0700) != 0 && errno != EEXIST) return file_error("make the folder", shown, errno);
      next = Descriptor(::openat(at_.get(), name_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    }
    struct stat facts {};
    if (!next || ::fstat(next.get(), &facts) != 0) return file_error("use", shown, errno);
    if (S_ISLNK(facts.st_mode)) {
      TESSERA_CHECK(follow(next, facts, shown));
      return Step::inside;
    }
    if (is_file) return Step::arrived;
    if (!S_ISDIR(facts.st_mode))
      return file_refusal("use", shown, fmt::format("it is {}, and a folder is wanted", kind_of_file(facts.st_mode)));
    at_ = std::move(next);
    shown_ = shown;
    TESSERA_CHECK(check_here(Strictness::on_the_way));
    return Step::inside;
  }

  // The rest of the walk goes where the link leads, by the same rules.
  Status follow(const Descriptor& link, const struct stat& facts, const fs::path& shown) {
    TESSERA_CHECK(check(facts, shown, Strictness::on_the_way));
    if (++links_ > kMostLinks) return file_error("use", shown, ELOOP);
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(link.get(), "", target.data(), target.size());
    if (size < 0) return file_error("use", shown, errno);
    const fs::path to(std::string(target.data(), static_cast<std::size_t>(size)));
    put_before(to.relative_path());
    if (!to.is_absolute()) return Done{};
    at_ = Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    shown_ = "/";
    return at_ ? check_here(Strictness::on_the_way) : Status(file_error("use", "/", errno));
  }

  void put_before(const fs::path& parts) {
    std::deque<std::string> all;
    for (const fs::path& part : parts) all.push_back(part.string());
    left_.insert(left_.begin(), all.begin(), all.end());
  }

  Status check_here(Strictness strictness) const {
    struct stat facts {};
    if (::fstat(at_.get(), &facts) != 0) return file_error("use", shown_, errno);
    return check(facts, shown_, strictness);
  }

  bool make_;
  int links_ = 0;
  Descriptor at_;
  fs::path shown_;    // where `at_` is
  std::string name_;  // the part that is looked at
  std::deque<std::string> left_;
};

fs::path own_folder(OwnFolder which) {
  struct Places {
    const char* variable;
    const char* below_home;
  };
  const Places places = [&]() -> Places {
    switch (which) {
      case OwnFolder::config: return {"XDG_CONFIG_HOME", ".config"};
      case OwnFolder::state: return {"XDG_STATE_HOME", ".local/state"};
      case OwnFolder::cache: return {"XDG_CACHE_HOME", ".cache"};
    }
    return {"", ""};
  }();
  if (const fs::path set = place_of(places.variable); !set.empty()) return set / "tessera";
  const fs::path home = place_of("HOME");
  return home.empty() ? home : home / places.below_home / "tessera";
}

Result<std::optional<PrivateFolder>> PrivateFolder::open(const fs::path& folder) {
  struct stat ignored {};
  if (folder.empty() || ::stat(folder.c_str(), &ignored) != 0) return std::optional<PrivateFolder>();
  return PrivateWalk(false).to_folder(folder);
}

Result<PrivateFolder> PrivateFolder::make(const fs::path& folder) {
  TESSERA_TRY(made, PrivateWalk(true).to_folder(folder));
  return std::move(*made);
}

Result<std::optional<FileContents>> PrivateFolder::read(const std::string& name, std::uintmax_t largest) const {
  const fs::path shown = path_ / name;
  const Descriptor file(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::optional<FileContents>();
  if (!file && errno == ELOOP) return file_refusal("read", shown, "it is a link");
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return file_error("read", shown, errno);
  if (!S_ISREG(facts.st_mode))
    return file_refusal("read", shown, fmt::format("it is {}, and only files are read", kind_of_file(facts.st_mode)));
  TESSERA_CHECK(check(facts, shown, Strictness::last));
  TESSERA_TRY(bytes, read_rest(file.get(), facts, shown, largest));
  FileFacts found{stamp_of(facts), sha256_hex(bytes)};
  return std::optional(FileContents{std::move(bytes), std::move(found)});
}

Result<FileFacts> PrivateFolder::write(const std::string& name, std::string_view bytes) const {
  TESSERA_TRY(temporary, Temporary::make(folder_.get(), 0600, path_ / name));
  TESSERA_TRY(stamp, temporary.write(bytes));
  TESSERA_CHECK(temporary.replace(name));
  return FileFacts{stamp, sha256_hex(bytes)};
}

Result<FileFacts> PrivateFolder::create(const std::string& name, std::string_view bytes) const {
  TESSERA_TRY(temporary, Temporary::make(folder_.get(), 0600, path_ / name));
  TESSERA_TRY(stamp, temporary.write(bytes));
  TESSERA_CHECK(temporary.take_free(name, {}));
  return FileFacts{stamp, sha256_hex(bytes)};
}

Status PrivateFolder::remove(const std::string& name) const {
  if (::unlinkat(folder_.get(), name.c_str(), 0) != 0 && errno != ENOENT) return file_error("remove", path_ / name, errno);
  return Done{};
}

std::optional<FileStamp> PrivateFolder::stamp(const std::string& name) const {
  struct stat facts {};
  if (::fstatat(folder_.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return stamp_of(facts);
}

Status PrivateFolder::touch(const std::string& name, std::int64_t modified_ns) const {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const timespec when{static_cast<time_t>(modified_ns / kSecond), static_cast<long>(modified_ns % kSecond)};
  const std::array<timespec, 2> times{when, when};
  if (::utimensat(folder_.get(), name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0)
    return file_error("change the time of", path_ / name, errno);
  return Done{};
}

Descriptor PrivateFolder::lock(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kPause{5};
  Descriptor file(::openat(folder_.get(), ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  for (; file; patience -= kPause) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    if (patience <= kPause) break;
    std::this_thread::sleep_for(kPause);
  }
  return Descriptor();
}

std::vector<std::string> PrivateFolder::names() const {
  std::vector<std::string> found;
  const int again = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return found;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again), ::closedir);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    if (entry->d_name[0] != '.') found.emplace_back(entry->d_name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::optional<FileContents>> read_private_file(const fs::path& path, std::uintmax_t largest) {
  struct stat ignored {};
  if (path.empty() || ::stat(path.c_str(), &ignored) != 0) return std::optional<FileContents>();  // nothing to believe or refuse
  TESSERA_TRY(place, PrivateWalk(false).to_file(path));
  if (!place) return std::optional<FileContents>();
  return place->folder.read(place->name, largest);
}

Result<FileFacts> write_private_file(const fs::path& path, std::string_view bytes) {
  TESSERA_TRY(place, PrivateWalk(true).to_file(path));
  return place->folder.write(place->name, bytes);
}

Status remove_private_file(const fs::path& path) {
  struct stat ignored {};
  if (path.empty() || ::lstat(path.c_str(), &ignored) != 0) return Done{};
  TESSERA_TRY(folder, PrivateFolder::open(path.parent_path()));
  return folder ? folder->remove(path.filename().string()) : Status(Done{});  // a link itself, not what it leads to
}

}  // namespace tessera
