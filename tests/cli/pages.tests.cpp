// SPDX-License-Identifier: BSD-3-Clause
// Every command of the pages prints what stands below it. TESSERA_ACCEPT=1 writes what it prints now.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera::test;

namespace {

// The lines of a page's console blocks: commands begin with "$ ".
struct Commands {
  std::string page;  // as it should be
  int count = 0;
};

// A page names its files from the project's top folder.
std::string from_the_top(std::string command) {
  const std::string assets = "assets/";
  for (std::size_t at = command.find(assets); at != std::string::npos;
       at = command.find(assets, at + source_dir().size() + 1 + assets.size()))
    command.replace(at, assets.size(), source_dir() + "/" + assets);
  return command;
}

Commands run_page(const std::string& page) {
  const std::string begin = "```console\n", end = "```\n";
  Commands made;
  std::size_t at = 0;
  for (std::size_t block = page.find(begin); block != std::string::npos; block = page.find(begin, at)) {
    const std::size_t from = block + begin.size(), to = page.find(end, from);
    REQUIRE(to != std::string::npos);
    made.page += page.substr(at, from - at);
    for (std::size_t line = from; line < to; line = page.find('\n', line) + 1) {
      if (page.compare(line, 2, "$ ") != 0) continue;
      const std::string command = page.substr(line + 2, page.find('\n', line) - line - 2);
      const Run run = shell(from_the_top(command));
      INFO(command << "\n" << run.err);
      CHECK(run.code == 0);
      made.page += "$ " + command + "\n" + run.out + (run.out.empty() || run.out.back() == '\n' ? "" : "\n");
      ++made.count;
    }
    at = to;
  }
  made.page += page.substr(at);
  return made;
}

}  // namespace

TEST_CASE("the commands of the pages on debugging and on shared memory print what the pages show") {
  for (const std::string name : {"docs/debugging.md", "docs/shared-memory.md"}) {
    const std::string path = source_dir() + "/" + name, page = tessera::testing::read_file(path);
    const Commands now = run_page(page);
    INFO(name);
    CHECK(now.count >= 6);
    if (tessera::testing::accepting()) std::ofstream(path, std::ios::binary) << now.page;
    CHECK(tessera::testing::read_file(path) == now.page);
  }
}
