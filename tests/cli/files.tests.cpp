// SPDX-License-Identifier: BSD-3-Clause
// The command line and the files of others: settings that are not the person's, names that lead elsewhere, races, pipes, and assets.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kNobody = 65534;

fs::path program() { return fs::read_symlink("/proc/self/exe").parent_path() / "tessera"; }

struct Run {
  int code = -1;
  std::string out, err;
};

// A line of a shell in `folder`, in which $T is the program; its home is `folder`/home. It is given up after a minute.
Run shell(const fs::path& folder, const std::string& line) {
  fs::create_directory(folder / "home");
  const std::string command = "cd '" + folder.string() + "'; unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME TESSERA_ASSETS; HOME='" +
                              (folder / "home").string() + "' T='" + program().string() + "' timeout 60 sh -c '" + line +
                              "' < /dev/null > out.txt 2> err.txt";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder / "out.txt"), contents(folder / "err.txt")};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Settings whose worker leaves a trace when it is started.
void plant_settings(const fs::path& folder, const fs::path& trace) {
  fs::create_directories(folder);
  put(folder / "settings.json", R"({"worker":"touch )" + trace.string() + R"(","shell":true})");
}

}  // namespace

TEST_CASE("without a home no settings are read from anywhere, and the program works") {
  const TemporaryFolder folder;
  for (const char* place : {"tessera/.config", "tessera", ".config/tessera"}) plant_settings(folder / place, folder / "trace");
  put(folder / "a.tess", "let a = (4,8):(8,1)\n");
  const std::string temporary = "TMPDIR=" + folder.path().string() + " TMP=. TEMP=. XDG_CONFIG_HOME=. ";
  for (const char* home : {"-u HOME", "HOME=", "HOME=."}) {
    INFO(home);
    const std::string env = "env " + std::string(home) + " " + temporary;
    CHECK_FALSE(has(shell(folder.path(), env + "$T gemm run article_gemm --check").err, "touch"));
    const Run tour = shell(folder.path(), env + "$T tour --document a.tess --force --out out");
    CHECK(tour.code == 0);
    CHECK(has(tour.out, "1 figures and 0 GEMM reports"));
    CHECK_FALSE(fs::exists(folder / "trace"));
  }
  CHECK(std::distance(fs::directory_iterator(folder / "tessera"), {}) == 2);  // nothing was put there either
}

TEST_CASE("settings that somebody else could have written start no worker and are refused in words") {
  const TemporaryFolder folder;
  const fs::path config = folder / "home/.config/tessera", trace = folder / "trace";
  plant_settings(config, trace);
  const auto refused = [&](const char* words) {
    const Run run = shell(folder.path(), "$T gemm run article_gemm");
    INFO(run.err);
    CHECK(run.code != 0);
    CHECK(has(run.err, words));
    CHECK_FALSE(fs::exists(trace));
  };
  SECTION("the file may be written by others") {
    REQUIRE(::chmod((config / "settings.json").c_str(), 0666) == 0);
    refused("chmod go-w");
  }
  SECTION("the folder may be") {
    REQUIRE(::chmod(config.c_str(), 0770) == 0);
    refused("chmod go-w");
  }
  SECTION("the home may be") {
    REQUIRE(::chmod((folder / "home").c_str(), 0777) == 0);
    refused("chmod go-w");
  }
  if (::geteuid() == 0) {
    SECTION("the file is another's") {
      REQUIRE(::chown((config / "settings.json").c_str(), kNobody, kNobody) == 0);
      refused("belongs to user 65534");
    }
    SECTION("the folder is a link to another's") {
      fs::rename(config, folder / "theirs");
      REQUIRE(::chown((folder / "theirs").c_str(), kNobody, kNobody) == 0);
      fs::create_symlink(folder / "theirs", config);
      refused("belongs to user 65534");
    }
  } else {
    WARN("skipped: only root can make files of somebody else");
  }
  SECTION("they are the person's own") {
    (void)shell(folder.path(), "$T gemm run article_gemm");
    CHECK(fs::exists(trace));
  }
}

TEST_CASE("a name leads to no file outside the folder of --out") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/b/out");
  put(folder / "evil.tess", "let ../../evil = (4,8):(8,1)\nlet fine = (4,8):(8,1)\n");
  const std::string absolute = (folder / "absolute").string();
  for (const std::string& name : {std::string("../../evil"), absolute, std::string("x/y")}) {
    const Run run = shell(folder.path(), "$T draw \"(4,8):(8,1)\" --name \"" + name + "\" --to svg,pdf --out a/b/out");
    INFO(run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "is no name of a file in a/b/out"));
  }
  CHECK(shell(folder.path(), "$T draw evil.tess --to svg --out a/b/out").code == 1);
  CHECK(shell(folder.path(), "$T tour --document evil.tess --out a/b/out").code == 1);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && entry.path().extension() != ".txt" && entry.path().extension() != ".tess") CHECK(has(path, "/a/b/out/"));
  }
}

TEST_CASE("of two draws into one place exactly one says that it wrote it") {
  const TemporaryFolder folder;
  for (int pair = 0; pair < 60; ++pair) {
    const std::string file = (folder / (std::to_string(pair) + ".svg")).string();
    const auto draw = [&](const char* expression) {
      return Child([&] {
        (void)!std::freopen("/dev/null", "w", stdout);
        (void)!std::freopen("/dev/null", "w", stderr);
        ::execl(program().c_str(), "tessera", "draw", expression, "--out", file.c_str(), nullptr);
        return 127;
      });
    };
    Child a = draw("(4,8):(8,1)"), b = draw("(2,2):(2,1)");
    a.start(), b.start();
    const int codes[] = {a.wait(), b.wait()};
    INFO(pair << ": " << codes[0] << " " << codes[1]);
    REQUIRE(codes[0] + codes[1] == 1);
    REQUIRE(has(contents(file), "</svg>"));
    REQUIRE(has(contents(file), "(4,8):(8,1)") == (codes[0] == 0));
  }
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 60);
}

TEST_CASE("a pipe as a document or as an output is refused at once, and streams that are named are read") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe.tess").c_str(), 0600) == 0);
  REQUIRE(::mkfifo((folder / "pipe.svg").c_str(), 0600) == 0);
  for (const char* line :
       {"$T eval 4:1 --file pipe.tess", "$T draw pipe.tess --to svg", "$T gemm show x --file pipe.tess", "$T tour --document pipe.tess"}) {
    const Run run = shell(folder.path(), line);
    INFO(line << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "it is a pipe"));
  }
  const Run written = shell(folder.path(), "$T draw 4:1 --out pipe.svg --force");
  CHECK(written.code == 1);
  CHECK(has(written.err, "a pipe that nobody reads"));
  CHECK(shell(folder.path(), "echo \"let a = 4:1\" | $T eval a --file /dev/stdin").out == "4:1\n");
  CHECK(shell(folder.path(), "$T draw 4:1 --out /dev/full --to svg --force").code == 1);
}

TEST_CASE("a file that is replaced loses set-user-ID and keeps its other permissions") {
  const TemporaryFolder folder;
  put(folder / "a.svg", "old");
  REQUIRE(::chmod((folder / "a.svg").c_str(), 06751) == 0);
  CHECK(shell(folder.path(), "$T draw 4:1 --out a.svg --force").code == 0);
  CHECK(fs::status(folder / "a.svg").permissions() == fs::perms(0751));
}

TEST_CASE("a program without its assets says where it looked and what to set") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "bin");
  fs::copy_file(program(), folder / "bin/tessera");
  const std::string own = (folder / "share/tessera").string();
  for (const char* line : {"bin/tessera tour", "bin/tessera gemm show tensor_gemm"}) {
    const Run run = shell(folder.path(), line);
    INFO(run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "presets/tour.tess comes with Tessera and was not found; looked in " + own + ", "));
    CHECK(has(run.err, "TESSERA_ASSETS"));
    CHECK_FALSE(has(run.err, source_dir()));
  }
  CHECK(shell(folder.path(), "bin/tessera eval 4:1").out == "4:1\n");
  CHECK(has(shell(folder.path(), "TESSERA_ASSETS=/nowhere bin/tessera tour").err, "looked in /nowhere, " + own));
  fs::create_directory(folder / "share");
  fs::create_directory_symlink(source_dir() + "/assets", own);
  CHECK(shell(folder.path(), "bin/tessera gemm show tensor_gemm").code == 0);
  if (::geteuid() != 0) {
    WARN("skipped: only root can make files of somebody else");
    return;
  }
  fs::remove(own);
  fs::create_directories(own + "/presets");
  fs::copy_file(source_dir() + "/assets/presets/tour.tess", own + "/presets/tour.tess");
  CHECK(shell(folder.path(), "bin/tessera gemm show tensor_gemm").code == 0);
  REQUIRE(::chown(own.c_str(), kNobody, kNobody) == 0);
  CHECK(shell(folder.path(), "bin/tessera gemm show tensor_gemm").code == 0);  // nobody else could have put it there
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  CHECK(has(shell(folder.path(), "bin/tessera gemm show tensor_gemm").err, own + " (which another user put there)"));
  CHECK(shell(folder.path(), "TESSERA_ASSETS=" + own + " bin/tessera gemm show tensor_gemm").code == 0);
}
