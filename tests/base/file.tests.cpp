// SPDX-License-Identifier: BSD-3-Clause
// Files: what is refused, that nothing is lost when it is, and that one of several writers wins.
#include "core/base/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/file_parts.hpp"
#include "core/base/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::Child;
using test::contents;
using test::put;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kNobody = 65534;

std::size_t entries_of(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

mode_t mode_of(const fs::path& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

void make_socket(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a file is read with the facts that tell whether it is still the same") {
  const test::TemporaryFolder folder;
  put(folder / "a", "abc");
  const FileContents read = read_contents(folder / "a").value();
  CHECK(read.bytes == "abc");
  CHECK(read.facts.sha256 == sha256_hex("abc"));
  CHECK(read.facts.stamp == file_stamp(folder / "a").value());
  CHECK(read.facts.stamp.size == 3);
  put(folder / "b", "abd");
  fs::rename(folder / "b", folder / "a");
  CHECK_FALSE(read.facts.stamp == file_stamp(folder / "a").value());
  CHECK(read_file(folder / "a", 3).value() == "abd");
  CHECK(read_file(folder / "a", 2).error().code == ErrorCode::limit);
  CHECK(read_file("/proc/self/status", 100).error().code == ErrorCode::limit);  // its size is only known at its end
  CHECK_FALSE(file_stamp(folder / "nothing"));
}

TEST_CASE("what is no regular file is refused by its kind and never waited for") {
  const test::TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  make_socket(folder / "socket");
  fs::create_symlink("pipe", folder / "link");
  const auto began = std::chrono::steady_clock::now();
  const std::pair<fs::path, const char*> places[] = {{folder / "pipe", "it is a pipe"},     {folder / "link", "it is a pipe"},
                                                     {folder / "socket", "it is a socket"}, {folder.path(), "it is a folder"},
                                                     {"/dev/zero", "it is a device"},       {"/dev/tty", "it is a device"}};
  for (const auto& [path, word] : places) {
    INFO(path);
    if (!fs::exists(path)) continue;
    CHECK(has(read_file(path).error().message, word));
    CHECK(has(read_contents(path).error().message, word));
  }
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
}

TEST_CASE("a foreign name stays in its folder") {
  CHECK(path_in("out", "a.svg").value() == "out/a.svg");
  CHECK(path_in("out", "...svg").value() == "out/...svg");
  CHECK(path_in("out", "ä b.svg").value() == "out/ä b.svg");
  for (const std::string name : {"../a.svg", "/a.svg", "a/b.svg", "..", ".", "", "a/", "a\nb", "a\033[2J", "\x7f"}) {
    INFO(name);
    CHECK(path_in("out", name).error().code == ErrorCode::io);
  }
  CHECK_FALSE(path_in("out", std::string_view("a\0b", 3)));
}

TEST_CASE("a stream that the person names is read to its end") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "from a pipe", 11) == 11);
  ::close(ends[1]);
  CHECK(read_file("/dev/fd/" + std::to_string(ends[0])).value() == "from a pipe");
  ::close(ends[0]);
  CHECK_FALSE(read_file("/dev/fd/" + std::to_string(ends[0])));  // closed
  CHECK_FALSE(read_file("/dev/fd/1x"));
}

TEST_CASE("a write replaces the file whole and leaves nothing beside it") {
  const test::TemporaryFolder folder;
  put(folder / "a.tess", "old");
  std::filesystem::permissions(folder / "a.tess", std::filesystem::perms(0640));
  REQUIRE(write_file(folder / "a.tess", "new text"));
  CHECK(contents(folder / "a.tess") == "new text");
  CHECK(std::filesystem::status(folder / "a.tess").permissions() == std::filesystem::perms(0640));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a write through a link changes the file behind it and keeps the link") {
  const test::TemporaryFolder folder;
  put(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  REQUIRE(write_file(folder / "link", "new"));
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(contents(folder / "real") == "new");
}

TEST_CASE("what is no file is written to and never replaced") {
  const test::TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink("pipe", folder / "link");
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  for (const char* name : {"pipe", "link"}) {
    REQUIRE(export_file(folder / name, "text", true));
    char got[8] = {};
    CHECK(::read(reader, got, sizeof got) == 4);
    CHECK(std::string(got) == "text");
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK_FALSE(export_file(folder / name, "text", false));
  }
  ::close(reader);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(write_file("/dev/null", "text"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
  std::filesystem::create_directory(folder / "folder");
  CHECK(write_file(folder / "folder", "text").error().message.find("it is a folder") != std::string::npos);
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  CHECK(write_file(folder / "dangling", "text").error().message.find("a link to nowhere") != std::string::npos);
}

TEST_CASE("a new file has the permissions that the umask leaves, whatever other threads do meanwhile") {
  const test::TemporaryFolder folder;
  const mode_t before = ::umask(0027);
  std::atomic<bool> enough = false, touched = false;
  std::jthread watcher([&] {  // the umask of a process is seen by all its threads
    while (!enough) {
      std::ifstream status("/proc/self/status");
      for (std::string line; std::getline(status, line);)
        touched = touched || (line.starts_with("Umask:") && line.find("0027") == line.npos);
    }
  });
  for (int i = 0; i < 500; ++i) {
    std::filesystem::remove(folder / "new");
    REQUIRE(write_file(folder / "new", "1"));
  }
  enough = true;
  watcher.join();
  ::umask(before);
  CHECK_FALSE(touched);
  CHECK(std::filesystem::status(folder / "new").permissions() == std::filesystem::perms(0640));
}

TEST_CASE("a missing folder is made, and a place that cannot be one is refused") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder / "x/y/z.svg", "1"));
  CHECK(contents(folder / "x/y/z.svg") == "1");
  put(folder / "file", "keep");
  const Status refused = write_file(folder / "file/z.svg", "1");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::io);
  CHECK(contents(folder / "file") == "keep");
}

TEST_CASE("a folder without write permission is named and its files stay") {
  const test::TemporaryFolder folder;
  put(folder / "a.svg", "keep");
  REQUIRE(::chmod(folder.path().c_str(), 0555) == 0);
  Child person([&] {
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 2;
    const Status refused = write_file(folder / "a.svg", "1"), made = export_file(folder / "b.svg", "1", false);
    return !refused && !made && has(made.error().message, "Permission denied") && has(made.error().message, folder.path()) ? 0 : 1;
  });
  person.start();
  CHECK(person.wait() == 0);
  CHECK(contents(folder / "a.svg") == "keep");
}

TEST_CASE("an export keeps an existing file unless it is forced") {
  const test::TemporaryFolder folder;
  REQUIRE(export_file(folder / "a.svg", "1", false));
  const Status refused = export_file(folder / "a.svg", "2", false);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::already_exists);
  CHECK(contents(folder / "a.svg") == "1");
  REQUIRE(export_file(folder / "a.svg", "2", true));
  CHECK(contents(folder / "a.svg") == "2");
}

TEST_CASE("a write that is forced never gives away set-user-ID, and keeps the owner where it may") {
  const test::TemporaryFolder folder;
  put(folder / "a", "old");
  REQUIRE(::chmod((folder / "a").c_str(), 07755) == 0);
  REQUIRE(export_file(folder / "a", "new", true));
  CHECK(mode_of(folder / "a") == 0755);
  if (::geteuid() != 0) {
    WARN("skipped: only root can give files away");
    return;
  }
  REQUIRE(::chown((folder / "a").c_str(), kNobody, kNobody) == 0);
  REQUIRE(::chmod((folder / "a").c_str(), 06640) == 0);
  REQUIRE(export_file(folder / "a", "newer", true));
  struct stat facts {};
  REQUIRE(::stat((folder / "a").c_str(), &facts) == 0);
  CHECK(facts.st_uid == kNobody);
  CHECK(facts.st_gid == kNobody);
  CHECK((facts.st_mode & 07777) == 0640);
}

TEST_CASE("a file that may not be written is not replaced either") {
  const test::TemporaryFolder folder;
  put(folder / "a", "keep");
  REQUIRE(::chmod((folder / "a").c_str(), 0444) == 0);
  REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
  Child other([&] {
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 2;
    return export_file(folder / "a", "lost", true) ? 1 : 0;
  });
  other.start();
  CHECK(other.wait() == 0);
  CHECK(contents(folder / "a") == "keep");
  CHECK(entries_of(folder.path()) == 1);
}

TEST_CASE("a pipe that nobody reads, a socket and a full device are refused at once") {
  const test::TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  make_socket(folder / "socket");
  CHECK(has(write_file(folder / "pipe", "text").error().message, "a pipe that nobody reads"));
  CHECK(has(write_file(folder / "socket", "text").error().message, "it is a socket"));
  CHECK(has(write_file("/dev/full", "text").error().message, "No space left on device"));
}

TEST_CASE("a reader that goes away is an error of the write and ends no program") {
  const test::TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Child reader([&] {
    const int file = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ::usleep(300000);
    return ::close(file);
  });
  reader.start();
  Status written = write_file(pipe, std::string(1 << 20, 'x'));
  for (int i = 0; i < 200 && !written && has(written.error().message, "nobody reads"); ++i) {  // until it has opened it
    ::usleep(1000);
    written = write_file(pipe, std::string(1 << 20, 'x'));
  }
  REQUIRE_FALSE(written);
  CHECK(has(written.error().message, "Broken pipe"));
}

TEST_CASE("a write beyond a size limit is an error, keeps the old file and leaves nothing beside it") {
  const test::TemporaryFolder folder;
  put(folder / "a", "old");
  Child limited([&] {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status replaced = write_file(folder / "a", std::string(5000, 'x'));
    const Status made = export_file(folder / "b", std::string(5000, 'x'), false);
    return !replaced && !made && has(replaced.error().message, "File too large") ? 0 : 1;
  });
  limited.start();
  CHECK(limited.wait() == 0);
  CHECK(contents(folder / "a") == "old");
  CHECK(entries_of(folder.path()) == 1);
}

TEST_CASE("of two processes that make the same file exactly one is told that it did, whatever the file system offers") {
  const FreeNameWays ways = GENERATE(FreeNameWays{true, true}, FreeNameWays{false, true}, FreeNameWays{false, false});
  const test::TemporaryFolder folder;
  for (int pair = 0; pair < 60; ++pair) {
    const auto path = folder / std::to_string(pair);
    const auto work = [&](const char* text) {
      const Result<FileFacts> made = create_file(path, text, ways);
      return made ? 0 : made.error().code == ErrorCode::already_exists ? 1 : 2;
    };
    Child a([&] { return work("a"); }), b([&] { return work("b"); });
    a.start(), b.start();
    const int codes[] = {a.wait(), b.wait()};
    INFO(pair << " " << ways.rename << ways.link);
    REQUIRE(codes[0] + codes[1] == 1);
    REQUIRE(contents(path) == (codes[0] == 0 ? "a" : "b"));
  }
  CHECK(entries_of(folder.path()) == 60);
}

TEST_CASE("of two processes that replace the file they read exactly one does, and the other keeps what that wrote") {
  const test::TemporaryFolder folder;
  for (int pair = 0; pair < 60; ++pair) {
    const auto path = folder / std::to_string(pair);
    put(path, "read by both");
    const FileFacts was = read_contents(path).value().facts;
    const auto work = [&](const char* text) {
      const Result<FileFacts> written = replace_file(path, text, was);
      return written ? 0 : written.error().code == ErrorCode::already_exists ? 1 : 2;
    };
    Child a([&] { return work("a"); }), b([&] { return work("b"); });
    a.start(), b.start();
    const int codes[] = {a.wait(), b.wait()};
    INFO(pair);
    REQUIRE(codes[0] + codes[1] == 1);
    REQUIRE(contents(path) == (codes[0] == 0 ? "a" : "b"));
  }
  CHECK(entries_of(folder.path()) == 60);
}

TEST_CASE("a file is replaced only while its content is what was read") {
  const test::TemporaryFolder folder;
  const auto path = folder / "a";
  put(path, "first");
  const FileFacts was = read_contents(path).value().facts;
  const FileFacts now = replace_file(path, "second", was).value();
  CHECK(now == read_contents(path).value().facts);
  CHECK(replace_file(path, "third", was).error().code == ErrorCode::already_exists);
  CHECK(contents(path) == "second");
  put(path, "Second");  // as long, perhaps at the same time
  CHECK(replace_file(path, "third", now).error().code == ErrorCode::already_exists);
  put(path, "second");  // touched, and the same
  CHECK(replace_file(path, "third", now));
  fs::remove(path);
  CHECK(replace_file(path, "fourth", now).error().code == ErrorCode::io);
  CHECK(entries_of(folder.path()) == 0);
}

TEST_CASE("what a killed writer left is removed by the next write, what a living one writes is not") {
  const test::TemporaryFolder folder;
  const auto write_forever = [&] {
    const Descriptor at(::open(folder.path().c_str(), O_PATH | O_DIRECTORY));
    const auto temporary = Temporary::make(at.get(), 0600, "a");
    for (;;) ::pause();
    return 0;
  };
  Child killed(write_forever), living(write_forever);
  killed.start(), living.start();
  for (int i = 0; i < 2000 && entries_of(folder.path()) < 2; ++i) ::usleep(1000);
  REQUIRE(entries_of(folder.path()) == 2);
  killed.kill();
  REQUIRE(killed.wait() == 128 + SIGKILL);
  put(folder / (".tessera-" + std::to_string(::getpid()) + "-77.tmp"), "");  // of another process that had this number
  put(folder / ".tessera-x.tmp", "");                                        // a person's
  put(folder / "tessera-1-1.tmp", "");
  fs::create_directory(folder / ".tessera-1-2.tmp");
  fs::create_symlink("tessera-1-1.tmp", folder / ".tessera-1-3.tmp");
  std::size_t others = 0;
  if (::geteuid() == 0) {
    put(folder / ".tessera-1-4.tmp", "");
    REQUIRE(::chown((folder / ".tessera-1-4.tmp").c_str(), kNobody, kNobody) == 0);
    others = 1;
  }
  REQUIRE(write_file(folder / "b", "1"));
  CHECK(entries_of(folder.path()) == 1 + 4 + 1 + others);  // the living one's, four that are none, "b"
  living.kill();
  (void)living.wait();
  REQUIRE(export_file(folder / "c", "1", false));
  CHECK(entries_of(folder.path()) == 4 + 2 + others);
}
