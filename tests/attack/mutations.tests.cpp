// SPDX-License-Identifier: BSD-3-Clause
// Mutated lines, files and documents: whatever comes in, nothing crashes, nothing takes longer or more than a request may, and what goes
// out is UTF-8 and, where it should be, JSON. The seeds are the fuzzers' corpora, which are replayed as they are, too.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "app/session/files/settings.hpp"
#include "core/base/utf8.hpp"
#include "tests/attack/attack.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using namespace tessera::attack;
namespace fs = std::filesystem;

namespace {

using Door = std::string (*)(std::string_view);

constexpr double kLongest = 15;  // seconds of one input: a request's ten, and what sanitizers and a busy machine add

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> texts;
  std::vector<fs::path> paths;
  for (const auto& each : fs::directory_iterator(folder)) {
    if (each.is_regular_file()) paths.push_back(each.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) texts.push_back(test::contents(path));
  return texts;
}

std::vector<std::string> corpus(const std::string& door) { return files_of(fs::path(test::source_dir()) / "tests/fuzz/corpus" / door); }

// What makes trouble in numbers, text and structure.
const std::vector<std::string> kTokens = {"9223372036854775807",
                                          "-9223372036854775808",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          "4294967296",
                                          "2147483648",
                                          "-1",
                                          "0",
                                          "1e999",
                                          "-0",
                                          "1.5",
                                          "null",
                                          "true",
                                          "[",
                                          "]",
                                          "{",
                                          "}",
                                          "\"",
                                          "\\",
                                          ":",
                                          ",",
                                          "(",
                                          ")",
                                          "((((((((",
                                          "))))))))",
                                          "[[[[[[[[[[[[[[[[",
                                          "\\u0000",
                                          "\\ud800",
                                          "\xff",
                                          "\xc0\xaf",
                                          "\xed\xa0\x80",
                                          "\x1b[31m",
                                          "\xe2\x80\xae",
                                          "\n",
                                          "\r",
                                          "\t",
                                          " ",
                                          "let ",
                                          "let x = ",
                                          " = ",
                                          " o ",
                                          "_",
                                          "#",
                                          "//",
                                          "Sw<3,4,3>",
                                          "Sw<9,60,9>",
                                          "@0",
                                          "@9@9@9",
                                          "1@0",
                                          "gemm(",
                                          "make_tiled_mma(",
                                          "SM80_16x8x16_F32F16F16F32_TN",
                                          "readers_A(",
                                          "layout_figure(",
                                          "tv_figure(",
                                          "make_identity_layout(",
                                          "1048576",
                                          "65536",
                                          "4194304"};

std::string mutated(Dice& dice, const std::vector<std::string>& seeds) {
  std::string text = dice.of(seeds);
  const Int edits = dice.between(1, 6);
  for (Int k = 0; k < edits; ++k) {
    const auto at = static_cast<std::size_t>(dice.up_to(static_cast<Int>(text.size())));
    const auto length = std::min(text.size() - at, static_cast<std::size_t>(dice.one_in(4) ? dice.up_to(200) : dice.up_to(6)));
    switch (dice.up_to(7)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, dice.of(kTokens)); break;
      case 2: text.replace(at, length, dice.of(kTokens)); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << dice.up_to(7)));
        break;
      case 4: text.insert(at, text.substr(at, length)); break;
      case 5: {
        const std::string& other = dice.of(seeds);
        const auto from = static_cast<std::size_t>(dice.up_to(static_cast<Int>(other.size())));
        text.insert(at, other.substr(from, static_cast<std::size_t>(dice.up_to(60))));
        break;
      }
      case 6: {  // a number becomes another one
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
        text.replace(digit, end - digit, dice.of(kTokens));
        break;
      }
      default: {  // the same thing, many times inside each other or in a row
        const std::string token = dice.of(kTokens);
        std::string many;
        for (Int n = dice.up_to(300); n > 0; --n) many += token;
        text.insert(at, many);
      }
    }
  }
  return text;
}

// The seeds as they are, then `count` mutations of them.
void attack_door(const std::string& name, Door door, const std::vector<std::string>& seeds, unsigned salt, int count) {
  REQUIRE(!seeds.empty());
  Dice dice(salt);
  double slowest = 0;
  std::string slowest_text;
  const std::size_t all = seeds.size() + static_cast<std::size_t>(count) * static_cast<std::size_t>(factor());
  for (std::size_t k = 0; k < all; ++k) {
    const std::string text = k < seeds.size() ? seeds[k] : mutated(dice, seeds);
    const auto begin = std::chrono::steady_clock::now();
    const std::string broken = door(text);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds > slowest) {
      slowest = seconds;
      slowest_text = printable(text.substr(0, 300));
    }
    if (!broken.empty()) {
      INFO(name << ": " << printable(text.substr(0, 2000)));
      CHECK(broken == "");
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:<16}{:>8} inputs, slowest {:.3f} s, peak {} MB\n", name, all, slowest, usage.ru_maxrss / 1024);
  INFO(slowest_text);
  CHECK(slowest < kLongest);
}

std::string broken_settings(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  const fs::path path = folder / "settings.json";
  std::error_code ignored;
  fs::remove(path, ignored);
  test::put(path, std::string(bytes));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, ignored);
  const auto settings = load_settings(path);
  if (!settings) return is_utf8(describe(settings.error())) ? "" : "a refusal is not UTF-8";
  if (!save_settings(*settings, path)) return "settings that were read cannot be written";
  const auto again = load_settings(path);
  if (!again) return "settings that were written cannot be read: " + again.error().message;
  return is_utf8(test::contents(path)) ? "" : "a settings file is not UTF-8";
}

}  // namespace

TEST_CASE("Mutated batch lines are answered in one line of JSON each", "[mutations]") {
  attack_door("batch lines", fuzz::broken_batch_line, corpus("batch_line"), 20, 2500);
}

TEST_CASE("Mutated requests to a worker are answered, whatever they ask for", "[mutations]") {
  attack_door("worker requests", fuzz::broken_worker_request, corpus("worker_request"), 21, 800);
}

TEST_CASE("Mutated answers of a worker are read or refused in a few printable words", "[mutations]") {
  attack_door("worker answers", fuzz::broken_worker_answer, corpus("worker_answer"), 22, 2500);
}

TEST_CASE("A damaged cache entry gives what was kept, or nothing", "[mutations]") {
  attack_door("cache entries", fuzz::broken_cache_entry, corpus("cache_entry"), 23, 2500);
}

TEST_CASE("A mutated pack gives the entries that were packed, or nothing", "[mutations]") {
  attack_door("packs", fuzz::broken_cubin_pack, corpus("cubin_pack"), 25, 2500);
}

TEST_CASE("Mutated files of figures are drawn again or refused in words", "[mutations]") {
  attack_door("figure files", fuzz::broken_figure_file, corpus("figure_file"), 27, 2000);
}

TEST_CASE("Mutated settings are read or refused, and never half", "[mutations]") {
  const std::vector<std::string> seeds = {
      R"({"worker":"ssh gpubox tessera worker","shell":false,"device":0,"theme":"dark","interface_scale":1.0,"palette":"","recent":["a.tess"]})",
      R"({"theme":"light","unknown":[1,{"a":null}],"recent":[]})"};
  attack_door("settings", broken_settings, seeds, 24, 1000);
}

TEST_CASE("Mutated expressions have a value or a refusal, and a printed value reads back", "[mutations]") {
  attack_door("expressions", fuzz::broken_expression, corpus("expression"), 25, 3000);
}

TEST_CASE("Mutated programs are accounted for, statement by statement", "[mutations]") {
  attack_door("statements", fuzz::broken_statements, corpus("statements"), 28, 1500);
}

TEST_CASE("Mutated documents keep their text, and each binding its value or its error", "[mutations]") {
  std::vector<std::string> seeds = corpus("document");
  for (const char* folder : {"assets/presets", "tests/lang/cases"}) {
    for (std::string& text : files_of(fs::path(test::source_dir()) / folder)) {
      if (text.size() < 20'000) seeds.push_back(std::move(text));
    }
  }
  attack_door("documents", fuzz::broken_document, seeds, 26, 500);
}

TEST_CASE("Mutated plans are refused, or read back, are verified and run", "[mutations]") {
  attack_door("plan_text", fuzz::broken_plan_text, corpus("plan_text"), 29, 500);
}

TEST_CASE("Mutated lessons are refused, or what is wrong with them is told", "[mutations]") {
  std::vector<std::string> seeds = corpus("lesson");
  for (std::string& text : files_of(fs::path(test::source_dir()) / "assets/lessons")) seeds.push_back(std::move(text));
  attack_door("lesson", fuzz::broken_lesson, seeds, 30, 300);
}

TEST_CASE("Mutated answers are graded, and what was understood of them is graded alike", "[mutations]") {
  attack_door("answer", fuzz::broken_answer, corpus("answer"), 31, 1000);
}

TEST_CASE("Mutated rubrics are refused, or give no more points than they may", "[mutations]") {
  attack_door("rubric", fuzz::broken_rubric, corpus("rubric"), 32, 1000);
}

TEST_CASE("Mutated submissions are graded within their points, and the same again", "[mutations]") {
  attack_door("submission", fuzz::broken_submission, corpus("submission"), 33, 500);
}

TEST_CASE("every reader of programs is a door of the fuzzers, and every door has a corpus") {
  const std::string list = test::contents(fs::path(test::source_dir()) / "tests/fuzz/CMakeLists.txt");
  std::istringstream doors(list.substr(list.find("set(doors ") + 10, list.find(')') - list.find("set(doors ") - 10));
  std::set<std::string> known;
  for (std::string door; doors >> door;) {
    INFO(door);
    known.insert(door);
    CHECK_FALSE(corpus(door).empty());
  }
  // What reads text from outside: whoever adds a reader adds a door.
  for (const char* reader : {"expression", "statements", "document", "batch_line", "worker_request", "worker_answer", "cache_entry",
                             "cubin_pack", "figure_file", "plan_text", "lesson", "answer", "rubric", "submission"}) {
    INFO(reader);
    CHECK(known.contains(reader));
  }
}
