// SPDX-License-Identifier: BSD-3-Clause
// Files: what is refused, and that nothing is lost when it is.
#include "app/session/document_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "app/session/settings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::contents;
using test::put;

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
  if (::geteuid() == 0) return;  // root may write everywhere
  const test::TemporaryFolder folder;
  put(folder / "a.svg", "keep");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0500));
  const Status refused = write_file(folder / "a.svg", "1");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("Permission denied") != std::string::npos);
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

TEST_CASE("a document that was cut off opens with a warning at every place where a bracket is open, and is left as it was") {
  const test::TemporaryFolder folder;
  const std::string whole = "let data = (4,8):(8,1)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n";
  const std::size_t begin = whole.find("((2,4)");
  for (std::size_t length = begin; length < whole.find("(4,16))") + 6; ++length) {
    const std::string cut = whole.substr(0, length);
    if (std::count(cut.begin(), cut.end(), '(') == std::count(cut.begin(), cut.end(), ')') && length != begin) continue;
    put(folder / "cut.tess", cut);
    const Result<Document> loaded = load_document(folder / "cut.tess");
    INFO(cut);
    REQUIRE(loaded);
    CHECK(unfinished_end(*loaded).find("\"tv\" in line 2") != std::string::npos);
    CHECK_FALSE(evaluate(*loaded).back().value);
    CHECK(contents(folder / "cut.tess") == cut);
  }
  put(folder / "whole.tess", whole);
  const Result<Document> loaded = load_document(folder / "whole.tess");
  REQUIRE(loaded);
  CHECK(to_text(*loaded) == whole);
  CHECK(unfinished_end(*loaded).empty());
  CHECK(unfinished_end(parse_document("let data = 4\nlet t").value()).find("line 2") != std::string::npos);
  CHECK(unfinished_end(parse_document("let data = 4\nlet t\n").value()).empty());  // a line of its own, marked as such
}

TEST_CASE("brackets in strings and comments are not open ones") {
  for (const char* text : {"let f = layout_figure(4:1, title='4x8 (row')\n", "let f = layout_figure(4:1, title=\"4x8 (row\")\n",
                           "let a = (4,  // one (of\n  8)\n", "let a = (4,  # one (of\n  8)\n",
                           "let f = layout_figure(4:1, title='it\\'s (')\n", "let a = 4:1\n# the end (of it\n"}) {
    INFO(text);
    CHECK(unfinished_end(parse_document(text).value()).empty());
  }
  CHECK_FALSE(unfinished_end(parse_document("let f = layout_figure(4:1, title='4x8 (row'").value()).empty());
}

TEST_CASE("what is no document is refused by name") {
  const test::TemporaryFolder folder;
  CHECK(load_document(folder / "missing.tess").error().code == ErrorCode::io);
  CHECK(load_document(folder.path()).error().message.find("folder") != std::string::npos);
  put(folder / "binary.tess", std::string("let a = \0 4", 11));
  CHECK(load_document(folder / "binary.tess").error().code == ErrorCode::corrupt);
  put(folder / "large.tess", std::string(kLargestDocument + 1, '#'));
  CHECK(load_document(folder / "large.tess").error().code == ErrorCode::limit);
}

TEST_CASE("settings survive a round trip, keep unknown fields, and are not overwritten when damaged") {
  const test::TemporaryFolder folder;
  const auto path = folder / "settings.json";
  CHECK(load_settings(path).value() == Settings{});
  put(path, R"({"worker":"ssh box tessera worker","from_the_future":1})");
  Settings settings = load_settings(path).value();
  CHECK(settings.worker == "ssh box tessera worker");
  CHECK_FALSE(settings.shell);
  settings.device = 2;
  REQUIRE(save_settings(settings, path));
  CHECK(load_settings(path).value() == settings);
  CHECK(contents(path).find("from_the_future") != std::string::npos);
  for (const char* damaged : {"{\"worker\":", "[]", R"({"device":-1})", R"({"recent":[1]})"}) {
    put(path, damaged);
    CHECK(load_settings(path).error().code == ErrorCode::corrupt);
    CHECK(contents(path) == damaged);
  }
}
