// SPDX-License-Identifier: BSD-3-Clause
// Options of a command line: each kind takes its values up to both ends and refuses the next, with the exit code of wrong usage.
#include "app/session/files/options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

constexpr ProgramWords kWords{"program", "1.2", "helps", "the end"};

// What every kind of option was given.
struct Given {
  std::string place, other = "none", text = "old", choice = "a";
  std::vector<std::string> texts;
  std::optional<std::int64_t> whole;
  int number = 5, any = 0;
  double real = 0.5, any_real = 0;
  bool flag = false;
  Limits limits;
  int runs = 0;
};

struct Outcome {
  int code = 0;
  std::string words;  // on stderr
  Given given;
};

template <class Declared>
Outcome run(std::vector<std::string> words, const Declared& declared_to) {
  const test::TemporaryFolder folder;
  words.insert(words.begin(), "program");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  Outcome out;
  const int old = ::dup(2), file = ::open((folder / "stderr").c_str(), O_CREAT | O_WRONLY, 0600);
  ::dup2(file, 2);
  out.code = run_command_line(kWords, declared_to(out.given), static_cast<int>(pointers.size()), pointers.data());
  ::dup2(old, 2);
  ::close(old), ::close(file);
  out.words = test::contents(folder / "stderr");
  return out;
}

Outcome run(const std::vector<std::string>& words) {
  return run(words, [](Given& given) -> std::function<Action(Options&)> {
    return [&given](Options& options) -> Action {
      options.positional("place", given.place, "");
      options.positional("other", given.other, "", false);
      options.option("--text", given.text, "");
      options.option("--texts", given.texts, "");
      options.option("--whole", given.whole, "");
      options.option("--number", given.number, "", Between{1, 9});
      options.option("--any", given.any, "");
      options.option("--real", given.real, "", Between{0.25, 2});
      options.option("--any-real", given.any_real, "");
      options.choice("--choice", given.choice, {"a", "b"}, "");
      options.flag("--flag", given.flag, "");
      options.limits(given.limits);
      return [&given] {
        ++given.runs;
        return Exit::refused;
      };
    };
  });
}

}  // namespace

TEST_CASE("options that are not given leave their variables, and the action's exit code is the program's") {
  const Outcome made = run({"here"});
  CHECK((made.code == 1 && made.words.empty()));
  const Given& given = made.given;
  CHECK((given.runs == 1 && given.place == "here" && given.other == "none" && given.text == "old" && given.choice == "a"));
  CHECK((given.texts.empty() && !given.whole && given.number == 5 && given.real == 0.5 && !given.flag));
  CHECK((given.limits.seconds == Limits{}.seconds && given.limits.bytes == Limits{}.bytes && given.limits.cells == Limits{}.cells));
}

TEST_CASE("each option's value arrives in its own variable") {
  const Given given = run({"here",       "there",
                           "--text",     "new",
                           "--texts",    "x",
                           "--texts",    "y z",
                           "--whole",    "-7",
                           "--number",   "3",
                           "--any",      "-99",
                           "--real",     "1.5",
                           "--any-real", "-1e300",
                           "--choice",   "b",
                           "--flag",     "--limit-seconds",
                           "2.5",        "--limit-bytes",
                           "4KiB",       "--limit-cells",
                           "77"})
                          .given;
  CHECK((given.runs == 1 && given.place == "here" && given.other == "there" && given.text == "new" && given.choice == "b" && given.flag));
  CHECK(given.texts == std::vector<std::string>{"x", "y z"});
  CHECK((given.whole == -7 && given.number == 3 && given.any == -99 && given.real == 1.5 && given.any_real == -1e300));
  CHECK((given.limits.seconds == 2.5 && given.limits.bytes == 4096 && given.limits.cells == 77));
}

TEST_CASE("a value is taken up to both ends of its range, and the next one beyond is wrong usage by the option's name") {
  for (const auto& [option, good, bad] :
       {std::tuple{"--number", std::vector<std::string>{"1", "9"}, std::vector<std::string>{"0", "10", "x", "1.5", ""}},
        {"--real", {"0.25", "2"}, {"0.2499", "2.0001", "-1", "x", "nan", ""}},
        {"--choice", {"a", "b"}, {"c", "A", "ab", ""}},
        {"--whole", {"9223372036854775807", "-9223372036854775808", "0"}, {"9223372036854775808", "-9223372036854775809", "x"}},
        {"--any", {"2147483647"}, {"2147483648", "x"}},
        {"--limit-seconds", {"0", "0.5"}, {"-1", "x", "nan", "inf", "1e999"}},
        {"--limit-bytes", {"0", "1GiB", "9223372036854775807"}, {"-1", "x", "9223372036854775808", "9EiB", "99999EiB"}},
        {"--limit-cells", {"0", "9223372036854775807"}, {"-1", "x", "9223372036854775808"}}}) {
    for (const std::string& value : good) {
      INFO(option << " " << value);
      CHECK(run({"here", option, value}).code == 1);
    }
    for (const std::string& value : bad) {
      INFO(option << " " << value);
      const Outcome refused = run({"here", option, value});
      CHECK(refused.code == 2);
      CHECK(refused.given.runs == 0);
      CHECK(refused.words.find(option) != std::string::npos);
      CHECK(refused.words.find("--help") != std::string::npos);
    }
  }
}

TEST_CASE("a command line without what it needs, or with more than it has, is wrong usage") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"a", "b", "c"}, {"a", "--nothing"}, {"a", "--text"}, {"a", "--text", "b", "--text", "c"}}) {
    const Outcome refused = run(words);
    CHECK((refused.code == 2 && refused.given.runs == 0 && !refused.words.empty()));
  }
  for (const char* asks : {"--help", "--version"}) {
    const Outcome asked = run({asks});
    CHECK((asked.code == 0 && asked.given.runs == 0 && asked.words.empty()));
  }
}

TEST_CASE("of subcommands, one is named, with its children's names behind it, and it alone is run") {
  const auto tree = [](Given& given) {
    const auto leaf = [&given](const char* name, int adds) {
      return Subcommand{name,
                        "",
                        "",
                        [&given, adds](Options& options) -> Action {
                          options.flag("--flag", given.flag, "");
                          return [&given, adds] {
                            given.runs += adds;
                            return Exit::right;
                          };
                        },
                        {}};
    };
    return std::vector<Subcommand>{leaf("one", 1), {"group", "", "", {}, {leaf("two", 10), leaf("three", 100)}}};
  };
  CHECK(run({"one"}, tree).given.runs == 1);
  CHECK(run({"group", "two"}, tree).given.runs == 10);
  const Outcome three = run({"group", "three", "--flag"}, tree);
  CHECK((three.code == 0 && three.given.runs == 100 && three.given.flag));
  const Outcome nothing = run({}, tree);  // which asks what there is
  CHECK((nothing.code == 0 && nothing.given.runs == 0));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"two"}, {"group"}, {"one", "two"}, {"group", "one"}, {"group", "two", "three"}, {"one", "--nothing"}}) {
    const Outcome refused = run(words, tree);
    CHECK((refused.code == 2 && refused.given.runs == 0));
  }
}
