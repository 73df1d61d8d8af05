// SPDX-License-Identifier: BSD-3-Clause
// Requests that want more time than they are given: each ends soon after its limit of seconds, and says which limit it met, or gives the
// right answer. Processor time is counted, of the program alone, since machines are shared; the program looks at a clock on the wall, so
// that on a busy machine it ends with less.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;

namespace {

constexpr double kLimit = 2, kMost = 3;  // seconds of processor time, on one core

struct Ended {
  int code = -1;  // 128 + signal
  double seconds = 0;
  std::string out, err;
};

// The first of those that this process may run on.
void be_on_one_core() {
  cpu_set_t allowed, one;
  CPU_ZERO(&one);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

// The program with these arguments, in `folder`, with `in` as its stdin; on one core, so that its threads share the time.
Ended ended(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program("tessera"));
  arguments.insert(arguments.end(), {"--limit-seconds", fmt::format("{}", kLimit)});
  std::vector<char*> words;
  for (std::string& each : arguments) words.push_back(each.data());
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto put_at = [](int file, const char* name, int how) { ::dup2(::open(name, how | O_CREAT, 0600), file); };
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::setenv("HOME", folder.c_str(), 1);
    be_on_one_core();
    put_at(0, "in", O_RDONLY), put_at(1, "out", O_WRONLY | O_TRUNC), put_at(2, "err", O_WRONLY | O_TRUNC);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  int status = 0;
  rusage use{};
  ::wait4(child, &status, 0, &use);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), seconds(use.ru_utime) + seconds(use.ru_stime),
          contents(folder / "out"), contents(folder / "err")};
}

std::string repeated(int count, const std::function<std::string(int)>& piece) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece(i);
  return text;
}
std::string list(int count, const std::function<std::string(int)>& item) {
  return repeated(count, [&](int i) { return (i == 0 ? "" : ",") + item(i); });
}

struct Bomb {
  std::string_view name;  // of the file
  std::string text;
  std::vector<std::string> arguments;
};

std::vector<Bomb> bombs() {
  const auto numbered = [](const char* form) { return [form](int i) { return fmt::format(fmt::runtime(form), i); }; };
  const std::string unknown_own = repeated(30000, numbered("let n{0} = sizee(x{0})\n"));
  const std::string unknown_pasted = repeated(20000, numbered("auto n{0} = make_layout(x{0}, y{0});\n"));
  const std::string figures = repeated(60, numbered("let f{0} = (256,512):(1,{0}1)\n"));
  const std::string chain = "let a = 1\n" + repeated(40000, numbered("let a{0} = a + {0}\n"));
  const std::string functions = "let f(" + list(20000, numbered("v{}")) + ") = " + list(20000, numbered("v{}")) + "\nlet x = f(" +
                                list(20000, numbered("v{0}={0}")) + ")\n";
  const std::string branches = "int x = 1;\n" + repeated(20000, numbered("#if A{0}\nx = {0};\n#else\nx = 5;\n#endif\n"));
  const std::string symbols = "auto a0 = 1;\n" + repeated(5000, [](int i) { return fmt::format("auto a{} = a{} + bM{};\n", i + 1, i, i); });
  return {
      {"args.py", "x = f(" + list(50000, numbered("a{0}={0}")) + ")\n", {"eval", "-"}},
      {"args.cu", "auto x = make_tuple(" + list(50000, numbered("a{}")) + ");\n", {"eval", "args.cu"}},
      {"args.cu", "auto x = make_layout(make_shape(" + list(50000, numbered("a{}")) + "));\n", {"explain", "args.cu"}},
      {"sum.txt", list(1, [](int) { return "0"; }) + repeated(30000, numbered("+x{}")), {"eval", "-"}},
      {"many.tess", unknown_own, {"eval", "many.tess"}},
      {"many.tess", unknown_own, {"draw", "many.tess", "--to", "svg", "--out", "figures"}},
      {"many.cu", unknown_pasted, {"eval", "many.cu"}},
      {"many.cu", unknown_pasted, {"explain", "many.cu"}},
      {"many.cu", unknown_pasted, {"advise", "many.cu"}},
      {"figures.tess", figures, {"draw", "figures.tess", "--to", "svg,pdf,png,tex", "--out", "figures"}},
      {"figures.tess", figures, {"draw", "figures.tess", "--to", "html", "--out", "page.html"}},
      {"one.tess", "let a = (1024,1024):(1,1025)\n", {"draw", "one.tess", "--to", "pdf", "--out", "one.pdf"}},
      {"chain.tess", chain, {"draw", "chain.tess", "--to", "svg", "--out", "figures"}},
      {"chain.tess", chain, {"eval", "(" + list(2000, numbered("a{}")) + ")", "--file", "chain.tess"}},
      {"functions.tess", functions, {"eval", "functions.tess"}},
      {"branches.cu", branches, {"explain", "branches.cu"}},
      {"symbols.cu", symbols, {"explain", "symbols.cu", "--account"}},
      {"wide.csv", list(60000, numbered("c{}")) + "\n" + list(60000, numbered("{}")) + "\n", {"draw", "wide.csv", "--to", "svg"}},
      {"lines.json",
       repeated(3, numbered("{{\"id\":{},\"expr\":\"inspect((4194304,2):(2,1))\"}}\n")),
       {"batch", "--limit-cells", "1000000"}},
      {"cell.txt", "", {"explain-cell", "(1048576,16):(16,1)", "--at", "(1048575,15)"}},
      {"open.cu", repeated(50000, numbered("x{} = (\n")), {"eval", "open.cu"}},
  };
}

}  // namespace

TEST_CASE("requests that want more time than there is end within a second of their limit, in words or with the right answer") {
  for (const Bomb& bomb : bombs()) {
    const TemporaryFolder folder;
    put(folder / std::string(bomb.name), bomb.text);
    put(folder / "in", bomb.text);
    const Ended run = ended(folder.path(), bomb.arguments);
    INFO(fmt::format("{} of {}: {:.2f} s, code {}\n{}", bomb.arguments[0], bomb.name, run.seconds, run.code, run.err.substr(0, 600)));
    CHECK(run.seconds < kMost);
    CHECK(run.code <= 1);  // no signal, no misuse
    const std::string said = run.err + run.out;
    const bool stopped = has(said, "was stopped after 2 s, the limit of one request");
    CHECK(stopped == has(said, "--limit-seconds 20 would raise the limit"));
    if (stopped) CHECK(run.code == 1);
  }
}
