// SPDX-License-Identifier: BSD-3-Clause
// The pages are true: what stands in README.md and docs/*.md is run, and TESSERA_ACCEPT=1 writes what comes out now.
//
//   ```console            commands behind "$ ", each with what a terminal shows; exit code 0
//   ```console exit=1     the same, and the last command of each line ends with that code
//   ```sh                 commands whose output is not shown; "needs a GPU" and "needs NVRTC" in a comment say what they want of a machine:
//                         without it they have to end with exit code 3, all that comes before having been right
//   ```tess lecture.tess  a file for the commands below it, and so with every other language; tess, cpp and python without a name are read
//
// A page has one new folder for its commands, from first to last, with assets/ in it. A picture of docs/images that a command writes there
// is the page's. No GPU is seen, so that a page reads alike everywhere, and `ssh HOST COMMAND` and `srun --OPTION COMMAND` run the command
// here.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/page.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera::test;
using tessera::testing::accepting;
using tessera::testing::read_file;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestPicture = 80'000;  // bytes of an SVG with its fonts

// README.md, docs/errors.md, ...
std::vector<std::string> pages() {
  std::vector<std::string> names{"README.md"};
  for (const auto& entry : fs::directory_iterator(source_dir() + "/docs")) {
    if (entry.path().extension() == ".md") names.push_back("docs/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string page_text(const std::string& name) { return read_file(source_dir() + "/" + name); }

// "docs/mma.md:23: it says ..., and ... comes out"; empty where they are the same.
std::string first_difference(const std::string& name, const std::string& page, const std::string& now) {
  const std::vector<std::string> old_lines = lines_of(page), new_lines = lines_of(now);
  for (std::size_t i = 0; i < std::max(old_lines.size(), new_lines.size()); ++i) {
    const std::string is = i < old_lines.size() ? old_lines[i] : "nothing", wanted = i < new_lines.size() ? new_lines[i] : "nothing";
    if (is != wanted) return fmt::format("{}:{}: it says\n{}\nand what comes out is\n{}", name, i + 1, is, wanted);
  }
  return "";
}

// The folder in which a page's commands run.
class PageHome {
 public:
  PageHome() {
    fs::create_directory(programs_ / "bin");
    fs::create_symlink(program("tessera"), programs_ / "bin/tessera");
    put(programs_ / "bin/ssh", "#!/bin/sh\nshift\nexec \"$@\"\n");
    put(programs_ / "bin/srun", "#!/bin/sh\nwhile case \"$1\" in --*) :;; *) false;; esac; do shift; done\nexec \"$@\"\n");
    put(programs_ / "bin/flock", "#!/bin/sh\nshift\nexec \"$@\"\n");  // of a folder that is not there
    for (const char* name : {"bin/ssh", "bin/srun", "bin/flock"}) fs::permissions(programs_ / name, fs::perms::owner_all);
    fs::create_directory_symlink(source_dir() + "/assets", home_ / "assets");
  }
  Run run(const std::string& command, const std::string& input = {}) const {
    return shell_in(home_.path(), command, input, fmt::format("PATH='{}':\"$PATH\" CUDA_VISIBLE_DEVICES=", (programs_ / "bin").string()));
  }
  fs::path operator/(const std::string& name) const { return home_ / name; }

 private:
  TemporaryFolder home_, programs_;
};

// What a terminal shows of a command.
std::string run_shown(const PageHome& home, const std::string& command, int code) {
  const Run run = home.run("{ " + command + "\n} 2>&1");
  CAPTURE(command, run.out);
  CHECK(run.code == code);
  return run.out + (run.out.empty() || run.out.back() == '\n' ? "" : "\n");
}

std::string run_console(const PageHome& home, const PagePart& block) {
  const std::string argument = block.argument();
  const int code = argument.rfind("exit=", 0) == 0 ? std::stoi(argument.substr(5)) : 0;
  CHECK((argument.empty() || argument == fmt::format("exit={}", code)));
  std::string now;
  for (const Shown& each : shown_in(block.text)) now += "$ " + each.command + "\n" + run_shown(home, each.command, code);
  CHECK_FALSE(now.empty());
  return now;
}

void run_line(const PageHome& home, const std::string& line) {
  CAPTURE(line);
  if (line.rfind("./dev ", 0) == 0) {  // which installs and builds
    const std::string word = line.substr(6, line.find(' ', 6) - 6);
    CHECK(has(read_file(source_dir() + "/dev"), "\n#   ./dev " + word + " "));
    return;
  }
  const Run run = home.run(line);
  CAPTURE(run.err);
  if (has(line, "needs a GPU"))
    CHECK(run.code == 3);
  else if (has(line, "needs NVRTC"))
    CHECK((run.code == 0 || run.code == 3));
  else
    CHECK(run.code == 0);
}

// A block as it should be, after what it says has been done.
std::string run_block(const PageHome& home, const PagePart& block) {
  static const std::map<std::string, std::string> readers{{"tess", ".tess"}, {"cpp", ".cu"}, {"python", ".py"}};
  if (block.language() == "console") return run_console(home, block);
  if (block.language() == "sh") {
    for (const std::string& line : lines_of(block.text)) run_line(home, line);
    return block.text;
  }
  if (!block.argument().empty()) {
    put(home / block.argument(), block.text);
  } else if (const auto reader = readers.find(block.language()); reader != readers.end()) {
    const std::string file = "block" + reader->second;
    put(home / file, block.text);
    run_shown(home, "tessera eval " + file, 0);
  } else {
    CHECK((block.language().empty() || block.language() == "text" || block.language() == "tex"));  // a drawing, a formula
  }
  return block.text;
}

// Pictures that no command of a page makes, and who does.
bool is_made_elsewhere(const std::string& path) {
  for (const std::string prefix : {"docs/images/ladder.svg",    // tests/session/readme.tests.cpp
                                   "docs/images/studio",        // tests/studio/pictures.tests.cpp
                                   "docs/images/pipeline.svg",  // by hand
                                   "docs/gallery/"})            // tests/session/gallery.tests.cpp
    if (path.rfind(prefix, 0) == 0) return true;
  return false;
}

// From a page to the file that a link names: "docs/images/tile.svg".
std::string target_of(const std::string& page, const std::string& link) {
  return (fs::path(page).parent_path() / link.substr(0, link.find('#'))).lexically_normal().string();
}

void check_picture(const PageHome& home, const std::string& path) {
  CAPTURE(path);
  if (is_made_elsewhere(path)) return;
  const std::string now = read_file((home / fs::path(path).filename().string()).string());
  CHECK_FALSE(now.empty());  // no command of the page has written it
  CHECK(now.size() < kLargestPicture);
  if (accepting()) std::ofstream(source_dir() + "/" + path, std::ios::binary) << now;
  CHECK((read_file(source_dir() + "/" + path) == now));
}

// A table of spellings, | CuTe C++ | CuTe DSL | Tessera | value |: what a row spells is all one, and the last cell says what. Names are
// those of the page's names.tess.
std::string run_spellings(const PageHome& home, const std::string& text) {
  const std::string head = "| CuTe C++ | CuTe DSL | Tessera | value |";
  std::string requests, now;
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> cells = cells_in(line);
    inside = line == head || (inside && !cells.empty());
    if (!inside || line == head || line.rfind("| ---", 0) == 0) continue;
    CAPTURE(line);
    REQUIRE(cells.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<std::string> code = code_in(cells[i]);
      if (!code.empty()) requests += nlohmann::json{{"id", {rows.size(), i}}, {"expr", code[0]}}.dump() + "\n";
    }
    rows.push_back(cells);
  }
  if (rows.empty()) return text;
  std::vector<std::set<std::string>> values(rows.size());
  const bool named = fs::exists(home / "names.tess");
  for (const std::string& line : lines_of(home.run(named ? "tessera batch --file names.tess" : "tessera batch", requests).out)) {
    const nlohmann::json answer = nlohmann::json::parse(line);
    const std::size_t row = answer["id"][0];
    CAPTURE(rows[row], line);
    CHECK(answer["ok"] == true);
    if (answer["ok"] == true) values[row].insert(answer["value"].is_string() ? answer["value"].get<std::string>() : answer["value"].dump());
  }
  std::size_t row = 0;
  for (const std::string& line : lines_of(text)) {
    if (row < rows.size() && cells_in(line) == rows[row]) {
      CAPTURE(line, values[row]);
      CHECK(values[row].size() == 1);
      now += fmt::format("| {} | {} | {} | `{}` |\n", rows[row][0], rows[row][1], rows[row][2],
                         values[row].empty() ? "" : *values[row].begin());
      ++row;
    } else {
      now += line + "\n";
    }
  }
  return now;
}

}  // namespace

TEST_CASE("what the pages show is what comes out, and their pictures are what their commands draw", "[pages]") {
  for (const std::string& name : pages()) {
    DYNAMIC_SECTION(name) {
      const PageHome home;
      std::vector<PagePart> parts = parts_of(page_text(name));
      CHECK(page_of(parts) == page_text(name));
      for (PagePart& part : parts) {
        INFO(name << ":" << part.line);
        part.text = part.fenced ? run_block(home, part) : run_spellings(home, part.text);
      }
      for (const PagePart& part : parts) {
        if (part.fenced) continue;
        for (const Link& link : links_in(part.text)) {
          if (link.image) check_picture(home, target_of(name, link.path));
        }
      }
      const std::string now = page_of(parts);
      if (accepting()) std::ofstream(source_dir() + "/" + name, std::ios::binary) << now;
      CHECK(first_difference(name, page_text(name), now) == "");
    }
  }
}
