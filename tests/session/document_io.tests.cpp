// SPDX-License-Identifier: BSD-3-Clause
// Documents and settings on disk: what is refused, and that nothing is lost when it is.
#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "app/session/files/document_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/session/document/session.hpp"
#include "app/session/files/settings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::contents;
using test::put;
namespace fs = std::filesystem;

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
  const std::string deep = R"({"from_the_future":)" + std::string(75000, '[') + std::string(75000, ']') + "}";
  for (const std::string& damaged :
       {std::string("{\"worker\":"), std::string("[]"), std::string(R"({"device":-1})"), std::string(R"({"recent":[1]})"),
        std::string(R"({"device":1,"device":2})"), deep, R"({"theme":[)" + std::string(100000, '1') + "]}"}) {
    put(path, damaged);
    const Error refused = load_settings(path).error();
    CHECK(refused.code == ErrorCode::corrupt);
    CHECK(refused.message.size() < path.string().size() + 300);
    CHECK_FALSE(save_settings(settings, path));
    CHECK(contents(path) == damaged);
  }
}

TEST_CASE("each setting is kept, and refused by its name where its value cannot be one") {
  const test::TemporaryFolder folder;
  const auto path = folder / "settings.json";
  const Settings settings{"ssh box tessera worker",
                          true,
                          1023,
                          {"ssh old tessera worker"},
                          "dark",
                          8,
                          "okabe_ito",
                          {{"wide", "text"}},
                          {"a.tess", "b.tess"},
                          12345,
                          "tex",
                          "columnwidth"};
  REQUIRE(save_settings(settings, path));
  CHECK(load_settings(path).value() == settings);
  for (const auto& [name, good, bad] : {std::tuple{"worker", R"("x")", std::vector<std::string>{"1", "null", "[]"}},
                                        {"shell", "false", {"0", R"("false")"}},
                                        {"device", "0", {"-1", "1024", "0.5", R"("0")"}},
                                        {"workers", "[]", {"{}", "[1]", R"("a")"}},
                                        {"theme", R"("light")", {"true", "{}"}},
                                        {"interface_scale", "0.25", {"0.24", "8.01", "-1", R"("1")"}},
                                        {"palette", R"("greys")", {"3"}},
                                        {"recent", "[]", {R"("a")", "[1]", R"(["a",null])"}},
                                        {"cache_bytes", "18446744073709551615", {"-1", "1.5", R"("1")"}}}) {
    INFO(name);
    put(path, "{\"" + std::string(name) + "\":" + good + "}");
    CHECK(load_settings(path));
    for (const std::string& value : bad) {
      INFO(value);
      put(path, "{\"" + std::string(name) + "\":" + value + "}");
      const Result<Settings> refused = load_settings(path);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code == ErrorCode::corrupt);
      CHECK(refused.error().message.find("\"" + std::string(name) + "\" cannot be ") != std::string::npos);
      CHECK_FALSE(save_settings(Settings{}, path));
    }
  }
}

TEST_CASE("assets beside a program are taken from root, its owner and the person, and from others where nobody else could put them") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can make files of somebody else");
    return;
  }
  const test::TemporaryFolder folder;
  const fs::path program = folder / "bin/tessera", share = folder / "share", assets = share / "tessera";
  fs::create_directories(folder / "bin");
  fs::copy_file(fs::read_symlink("/proc/self/exe").parent_path() / "tessera", program);
  fs::create_directories(assets / "presets");
  fs::copy_file(find_asset("presets/tour.tess").value(), assets / "presets/tour.tess");
  const auto found = [&](uid_t user, const char* set) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("TESSERA_ASSETS", set, 1);
      const int nowhere = ::open("/dev/null", O_RDWR);
      if (::dup2(nowhere, 1) < 0 || ::dup2(nowhere, 2) < 0 || ::setuid(user) != 0) ::_exit(126);
      ::execl(program.c_str(), program.c_str(), "gemm", "show", "tensor_gemm", nullptr);
      ::_exit(127);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status) == 0;
  };
  const auto modes = [&](mode_t of_folder, mode_t of_share) {
    REQUIRE(::chmod(folder.path().c_str(), of_folder) == 0);
    REQUIRE(::chmod(share.c_str(), of_share) == 0);
  };
  for (const uid_t owner : {0u, 1u, 2u, 65534u}) {
    for (const uid_t owner_of_program : {0u, 2u}) {
      for (const uid_t person : {0u, 1u}) {
        INFO("assets of " << owner << ", program of " << owner_of_program << ", run by " << person);
        REQUIRE(::chown(assets.c_str(), owner, owner) == 0);
        REQUIRE(::chown(program.c_str(), owner_of_program, owner_of_program) == 0);
        REQUIRE(::chmod(program.c_str(), 0755) == 0);
        const bool trusted = owner == 0 || owner == owner_of_program || owner == person;
        modes(01777, 0755);
        CHECK(found(person, "") == trusted);
        CHECK(found(person, assets.c_str()));
        if (trusted) continue;
        modes(0755, 0777);
        CHECK_FALSE(found(person, ""));
        modes(0755, 0755);
        CHECK(found(person, ""));
      }
    }
  }
}

TEST_CASE("a document that needs a later version opens with a word, and its file is replaced only when the person says so") {
  const auto later = [](const char* text) { return needs_later(parse_document(text).value()); };
  CHECK(later("# needs tessera 99.1\nlet a = 4:1\n").starts_with("it needs Tessera 99.1, and this is "));
  CHECK(later("# A talk\n\n# needs tessera 99\nlet a = 4:1\n") != "");
  CHECK(later("# needs tessera 0.0.1\nlet a = 4:1\n").empty());
  CHECK(later("# needs tessera 99.x\nlet a = 4:1\n").empty());
  CHECK(later("let a = 4:1\n# needs tessera 99.1\n").empty());  // no longer in front
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment state("XDG_STATE_HOME", folder.path().string());
  const std::string text = "# needs tessera 99.1\nlet a = 4:1\nlet b = a of tomorrow\n";
  test::put(folder / "new.tess", text);
  Session session;
  REQUIRE(session.open(folder / "new.tess"));
  CHECK(session.warning().find("99.1") != std::string::npos);
  REQUIRE(session.run(SetBinding{"a", "8:1"}));
  CHECK_FALSE(session.save());
  CHECK(test::contents(folder / "new.tess") == text);
  REQUIRE(session.save_as(folder / "mine.tess", false));
  CHECK(test::contents(folder / "mine.tess").find("let a = 8:1") != std::string::npos);
}
