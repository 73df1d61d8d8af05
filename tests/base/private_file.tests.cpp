// SPDX-License-Identifier: BSD-3-Clause
// The program's own files: where they lie, who may have written them, and what is said when that was somebody else.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/private_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::contents;
using test::put;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kNobody = 65534;

mode_t mode_of(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

// A home with settings in it, as the environment names it.
struct Home {
  test::TemporaryFolder folder;
  test::TemporaryEnvironment home{"HOME", folder.path().string()};
  test::TemporaryEnvironment config{"XDG_CONFIG_HOME", ""}, state{"XDG_STATE_HOME", ""}, cache{"XDG_CACHE_HOME", ""};
  fs::path settings = own_folder(OwnFolder::config) / "settings.json";

  Home() {
    REQUIRE(write_private_file(settings, "{}"));
    REQUIRE(read_private_file(settings).value()->bytes == "{}");
  }
  // Everything from the home down to the file.
  std::vector<fs::path> steps() const { return {folder.path(), folder / ".config", folder / ".config/tessera", settings}; }
  // What is said about `place` when the settings are read; empty: they are used.
  std::string refusal() const {
    const auto read = read_private_file(settings);
    return read ? "" : read.error().message + " " + read.error().notes.at(0);
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("own files lie below HOME or the XDG folders, and nowhere without them") {
  Home home;
  CHECK(own_folder(OwnFolder::config) == home.folder / ".config/tessera");
  CHECK(own_folder(OwnFolder::state) == home.folder / ".local/state/tessera");
  CHECK(own_folder(OwnFolder::cache) == home.folder / ".cache/tessera");
  {
    test::TemporaryEnvironment cache("XDG_CACHE_HOME", "/x/cache");
    CHECK(own_folder(OwnFolder::cache) == "/x/cache/tessera");
    CHECK(own_folder(OwnFolder::config) == home.folder / ".config/tessera");
  }
  for (const char* none : {"", ".", "relative/home"}) {
    test::TemporaryEnvironment no_home("HOME", none), relative("XDG_STATE_HOME", "here");
    for (const OwnFolder which : {OwnFolder::config, OwnFolder::state, OwnFolder::cache}) CHECK(own_folder(which).empty());
    CHECK(has(write_private_file(own_folder(OwnFolder::config), "x").error().message, "no home folder"));
    CHECK_FALSE(read_private_file(own_folder(OwnFolder::config)).value());
    CHECK_FALSE(PrivateFolder::open(own_folder(OwnFolder::cache)).value());
    CHECK_FALSE(PrivateFolder::make(own_folder(OwnFolder::cache)));
  }
}

TEST_CASE("folders are made for their owner alone, and so are files, whatever the umask leaves") {
  const mode_t before = ::umask(0);
  Home home;
  REQUIRE(PrivateFolder::make(own_folder(OwnFolder::state) / "autosave").value().write("a.tess", "text"));
  ::umask(before);
  for (const char* made : {".config", ".config/tessera", ".local", ".local/state", ".local/state/tessera", ".local/state/tessera/autosave"})
    CHECK(mode_of(home.folder / made) == 0700);
  CHECK(mode_of(home.settings) == 0600);
  CHECK(mode_of(home.folder / ".local/state/tessera/autosave/a.tess") == 0600);
}

TEST_CASE("a folder or file that others may write is refused with what to do about it, wherever below the home it is") {
  Home home;
  for (const fs::path& step : home.steps()) {
    for (const mode_t others : {020, 002}) {
      INFO(step << " " << others);
      const mode_t before = mode_of(step);
      REQUIRE(::chmod(step.c_str(), before | others) == 0);
      CHECK(has(home.refusal(), step.string() + " may be written by others"));
      CHECK(has(home.refusal(), "chmod go-w " + step.string()));
      if (step != home.settings) CHECK_FALSE(write_private_file(home.settings, "{}"));
      REQUIRE(::chmod(step.c_str(), before) == 0);
      CHECK(home.refusal().empty());
    }
  }
  REQUIRE(::chmod(home.folder.path().c_str(), 01777) == 0);  // as /tmp is: nobody can touch what is another's in it
  CHECK(home.refusal().empty());
  REQUIRE(::chmod(home.settings.parent_path().c_str(), 01777) == 0);
  CHECK(has(home.refusal(), "may be written by others"));
}

TEST_CASE("a folder, file or link of somebody else is refused, wherever below the home it is") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can make files of somebody else");
    return;
  }
  Home home;
  for (const fs::path& step : home.steps()) {
    INFO(step);
    REQUIRE(::chown(step.c_str(), kNobody, kNobody) == 0);
    CHECK(has(home.refusal(), step.string() + " belongs to user 65534, not to you"));
    if (step != home.settings) CHECK_FALSE(write_private_file(home.settings, "{}"));
    REQUIRE(::chown(step.c_str(), 0, 0) == 0);
    CHECK(home.refusal().empty());
  }
  const fs::path config = home.folder / ".config", real = home.folder / "real";
  fs::rename(config, real);
  fs::create_symlink("real", config);
  CHECK(home.refusal().empty());
  REQUIRE(::lchown(config.c_str(), kNobody, kNobody) == 0);
  CHECK(has(home.refusal(), config.string() + " belongs to user 65534"));
}

TEST_CASE("links are followed as far as everything they lead through is one's own") {
  Home home;
  const test::TemporaryFolder elsewhere;
  const fs::path folder = home.settings.parent_path(), file = elsewhere / "mine.json";
  SECTION("a folder elsewhere") {
    fs::remove_all(folder);
    fs::create_directory(elsewhere / "tessera");
    put(elsewhere / "tessera/settings.json", "linked");
    fs::create_symlink(elsewhere / "tessera", folder);
    CHECK(read_private_file(home.settings).value()->bytes == "linked");
    REQUIRE(write_private_file(home.settings, "changed"));
    CHECK(contents(elsewhere / "tessera/settings.json") == "changed");
    REQUIRE(::chmod((elsewhere / "tessera").c_str(), 0777) == 0);
    CHECK(has(home.refusal(), (elsewhere / "tessera").string() + " may be written by others"));
  }
  SECTION("a file elsewhere") {
    put(file, "linked");
    fs::remove(home.settings);
    fs::create_symlink(file, home.settings);
    CHECK(read_private_file(home.settings).value()->bytes == "linked");
    REQUIRE(write_private_file(home.settings, "changed"));
    CHECK(fs::is_symlink(home.settings));
    CHECK(contents(file) == "changed");
    REQUIRE(::chmod(elsewhere.path().c_str(), 0777) == 0);
    CHECK(has(home.refusal(), elsewhere.path().string() + " may be written by others"));
    REQUIRE(::chmod(elsewhere.path().c_str(), 0700) == 0);
    REQUIRE(::chmod(file.c_str(), 0666) == 0);
    CHECK(has(home.refusal(), file.string() + " may be written by others"));
    REQUIRE(remove_private_file(home.settings));
    CHECK(fs::exists(file));
    CHECK_FALSE(fs::is_symlink(home.settings));
  }
  SECTION("a circle") {
    fs::remove_all(folder);
    fs::create_symlink(folder, folder);
    CHECK_FALSE(read_private_file(home.settings).value());
    CHECK_FALSE(write_private_file(home.settings, "x"));
  }
  SECTION("up and down again, by a relative path") {
    put(home.folder / "mine.json", "linked");
    fs::remove(home.settings);
    fs::create_symlink("../../mine.json", home.settings);
    CHECK(read_private_file(home.settings).value()->bytes == "linked");
  }
}

TEST_CASE("a home that others may write stands in nobody's way while there is nothing in it") {
  Home home;
  fs::remove_all(home.folder / ".config");
  REQUIRE(::chmod(home.folder.path().c_str(), 0777) == 0);
  CHECK_FALSE(read_private_file(home.settings).value());
  CHECK_FALSE(write_private_file(home.settings, "{}"));
  CHECK_FALSE(fs::exists(home.folder / ".config"));
}

TEST_CASE("a private folder reads plain files only, and lists, makes and removes them") {
  Home home;
  const PrivateFolder folder = PrivateFolder::make(own_folder(OwnFolder::cache) / "cubins").value();
  CHECK_FALSE(folder.read("a").value());
  REQUIRE(folder.write("b", "1"));
  REQUIRE(folder.create("a", "2"));
  CHECK(folder.create("a", "3").error().code == ErrorCode::already_exists);
  CHECK(folder.read("a").value()->bytes == "2");
  CHECK(folder.read("a", 0).error().code == ErrorCode::limit);
  fs::create_symlink("a", folder.path() / "link");
  fs::create_directory(folder.path() / "folder");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(has(folder.read("link").error().message, "it is a link"));
  CHECK(has(folder.read("folder").error().message, "it is a folder"));
  CHECK(has(folder.read("pipe").error().message, "it is a pipe"));
  CHECK(folder.names() == std::vector<std::string>{"a", "b", "folder", "link", "pipe"});
  REQUIRE(folder.remove("a"));
  REQUIRE(folder.remove("a"));
  CHECK_FALSE(folder.read("a").value());
}

TEST_CASE("a private folder knows a file's size and time, sets the time, and follows no link to do so") {
  Home home;
  const PrivateFolder folder = PrivateFolder::make(own_folder(OwnFolder::cache) / "cubins").value();
  REQUIRE(folder.write("a", "123"));
  REQUIRE(folder.touch("a", 1'700'000'000'000'000'001));
  CHECK(folder.stamp("a")->size == 3);
  CHECK(folder.stamp("a")->modified_ns == 1'700'000'000'000'000'001);
  CHECK_FALSE(folder.stamp("none"));
  CHECK_FALSE(folder.touch("none", 1));
  fs::create_symlink("a", folder.path() / "link");
  CHECK_FALSE(folder.stamp("link"));
  (void)folder.touch("link", 1);
  CHECK(folder.stamp("a")->modified_ns == 1'700'000'000'000'000'001);
}

TEST_CASE("a folder's lock is held by one at a time, and who waits in vain is told so") {
  Home home;
  const PrivateFolder folder = PrivateFolder::make(own_folder(OwnFolder::cache) / "cubins").value();
  Descriptor held = folder.lock(std::chrono::milliseconds(0));
  CHECK(held);
  CHECK_FALSE(folder.lock(std::chrono::milliseconds(20)));
  (void)held.close();
  CHECK(folder.lock(std::chrono::milliseconds(0)));
  CHECK(folder.names().empty());  // the lock is no file of the folder's
}

TEST_CASE("an open folder stays the one that was checked when its name is given to another") {
  Home home;
  const PrivateFolder folder = PrivateFolder::make(own_folder(OwnFolder::cache)).value();
  REQUIRE(folder.write("a", "mine"));
  const fs::path path = folder.path();
  fs::rename(path, path.string() + "-moved");
  fs::create_directory(path);
  put(path / "a", "planted");
  CHECK(folder.read("a").value()->bytes == "mine");
  REQUIRE(folder.write("a", "still mine"));
  CHECK(contents(path / "a") == "planted");
}
