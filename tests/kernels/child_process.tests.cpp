// SPDX-License-Identifier: BSD-3-Clause
// Programs that are started: their lines, their ends, and that nothing of them outlives this process or its patience.
#include "kernels/runtime/worker/child_process.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/process_list.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using namespace std::chrono_literals;
using Silence = ChildProcess::Silence;

namespace {

// A shell that starts children of its own, all with the mark in their command lines.
std::vector<std::string> family(const std::string& mark, const std::string& last_words) {
  return {"/bin/sh", "-c", "sh -c 'sleep 1000; : '" + mark + " & sh -c 'sleep 1000; : '" + mark + " & " + last_words, mark};
}

Result<ChildProcess> shell(const std::string& text) { return ChildProcess::start({"sh", "-c", text}); }

std::string line_of(ChildProcess& child) {
  auto read = child.read_line(10s, 1000, {});
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "(none)";
}

}  // namespace

TEST_CASE("a program's words reach it as they are, whatever a shell would make of them") {
  auto lines = ChildProcess::start({"printf", "%s\n", "a b", "$HOME", "; exit 3", "'\""});
  for (const char* expected : {"a b", "$HOME", "; exit 3", "'\""}) CHECK(line_of(*lines) == expected);
}

TEST_CASE("a program that is not there, is no program or is a folder is refused before anything starts") {
  for (const char* name : {"/nowhere/tessera", "no-such-program-anywhere", "", "/tmp", "/proc/version", "/proc/version/x"}) {
    INFO(name);
    const auto refused = ChildProcess::start({name});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("could not be started: ") != std::string::npos);
  }
}

TEST_CASE("a program has its pipes and no other descriptor of this process") {
  const std::string list = "echo $(ls /proc/self/fd)";
  const test::TemporaryFolder folder;
  REQUIRE(std::system((list + " < /dev/null 2> /dev/null > '" + (folder / "inherited").string() + "'").c_str()) == 0);
  auto first = shell("cat"), second = shell(list);  // neither has an end of the other's pipes
  std::istringstream inherited(test::contents(folder / "inherited")), theirs(line_of(*second));
  const std::set<int> known{std::istream_iterator<int>(inherited), {}};
  const std::vector<int> numbers{std::istream_iterator<int>(theirs), {}};
  REQUIRE(numbers.size() >= 3);
  for (const int number : numbers) CHECK(known.count(number) == 1);
}

TEST_CASE("a program is refused where its four pipes cannot all be made, however many of their ends can be") {
  for (rlim_t room = 0; room < 8; ++room) {
    test::Child child([room] {
      const int next = ::dup(0);
      ::close(next);
      const rlimit limit{static_cast<rlim_t>(next) + room, static_cast<rlim_t>(next) + room};
      if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 3;
      const auto started = ChildProcess::start({"true"});
      if (started) return 0;
      return started.error().message.find("no pipe to a worker can be made: Too many open files") != std::string::npos ? 1 : 2;
    });
    child.start();
    CHECK(child.wait() == 1);
  }
}

TEST_CASE("how a program ended is told in words, also when its children hold its pipes") {
  CHECK(shell("exit 7")->end(10s) == "ended with exit code 7");
  CHECK(shell("kill -SEGV $$")->end(10s).find("signal 11") != std::string::npos);
  CHECK(shell("sleep 1000")->end(0ms) == "was ended by force");
  for (const auto& [code, words] : {std::pair{0, "ended with exit code 0"},
                                    {126, "could not be started: the command is not a program"},
                                    {127, "could not be started: the command was not found"},
                                    {128, "ended with exit code 128"},
                                    {137, "was killed by signal 9 (Killed)"},
                                    {193, "ended with exit code 193"},
                                    {255, "ended with exit code 255"}})
    CHECK(shell("exit " + std::to_string(code))->end(10s) == words);
  auto reader = shell("read x");
  CHECK(reader->end(10s) == "ended with exit code 1");  // its input ended
  auto left = shell("exec 2>&-; sleep 1000 >&- & exit 5");
  CHECK(left->end(10s) == "ended with exit code 5");
}

TEST_CASE("reading ends with the line, the time, the bound or the stop, whichever comes first") {
  auto slow = shell("printf half; sleep 1000");
  CHECK(std::get<Silence>(slow->read_line(200ms, 1000, {})) == Silence::timed_out);
  auto endless = shell("yes | tr -d '\\n'");
  CHECK(std::get<Silence>(endless->read_line(20s, 100000, {})) == Silence::too_long);
  auto exact = shell("printf '12345\\n123456\\n'");
  CHECK(std::get<std::string>(exact->read_line(10s, 5, {})) == "12345");
  CHECK(std::get<Silence>(exact->read_line(10s, 5, {})) == Silence::too_long);
  auto ended = shell("printf 'a\\nb'");
  CHECK(line_of(*ended) == "a");
  CHECK(std::get<Silence>(ended->read_line(10s, 1000, {})) == Silence::closed);
  std::stop_source stop;
  stop.request_stop();
  CHECK(std::get<Silence>(slow->read_line(20s, 1000, stop.get_token())) == Silence::stopped);
}

TEST_CASE("a program that floods stderr neither keeps us nor fills the memory, and its last line is kept") {
  auto flood = shell("yes 'an error' >&2 & sleep 0.3; echo answer; sleep 1000");
  CHECK(line_of(*flood) == "answer");
  CHECK(std::get<Silence>(flood->read_line(300ms, 1000, {})) == Silence::timed_out);
  CHECK(flood->last_words().size() < 4097);
  (void)flood->end(0ms);
  auto words = shell("seq 1 10000 >&2; printf 'the last\\n\\n' >&2");
  (void)words->end(10s);
  CHECK(words->last_words() == "the last");
}

TEST_CASE("what a program writes to stderr is given away as it comes, all of it and in order") {
  auto talking = shell("echo one >&2; echo line; i=0; while [ $i -lt 20000 ]; do echo $i >&2; i=$((i + 1)); done");
  std::string heard, wanted = "one\n";
  for (int i = 0; i < 20000; ++i) wanted += std::to_string(i) + "\n";
  talking->on_errors([&](std::string_view piece) { heard += piece; });
  ChildProcess moved = std::move(*talking);
  CHECK(line_of(moved) == "line");
  while (moved.running()) (void)moved.read_line(10ms, 1000, {});
  (void)moved.end(1s);
  CHECK(heard == wanted);
}

TEST_CASE("a program that does not read costs its time limit and no more") {
  auto deaf = shell("sleep 1000");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(deaf->write_line(std::string(1 << 20, 'x'), 200ms).error().code == ErrorCode::timed_out);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  auto gone = shell("exit 0");
  std::this_thread::sleep_for(300ms);
  CHECK(gone->write_line(std::string(1 << 20, 'x'), 5s).error().code == ErrorCode::io);
}

TEST_CASE("ending a program ends all its children, those that outlived it too") {
  const std::string mark = test::unique_mark();
  auto child = ChildProcess::start(family(mark, "wait"));
  REQUIRE(child.has_value());
  std::this_thread::sleep_for(200ms);
  CHECK(test::processes_with(mark).size() >= 3);
  (void)child->end(0ms);
  CHECK(test::left_after(5s, mark) == 0);
  auto parting = ChildProcess::start(family(mark, "exit 0"));
  std::this_thread::sleep_for(200ms);
  CHECK_FALSE(parting->running());
  CHECK(parting->end(0ms) == "ended with exit code 0");
  CHECK(test::left_after(5s, mark) == 0);
}

TEST_CASE("a program and its children die with this process, however it dies") {
  for (const int number : {SIGKILL, SIGTERM, SIGSEGV}) {
    INFO("signal " << number);
    const std::string mark = test::unique_mark();
    const pid_t parent = ::fork();
    if (parent == 0) {
      ::signal(SIGSEGV, SIG_DFL);  // the test program has a handler of its own
      ::signal(SIGTERM, SIG_DFL);
      auto child = ChildProcess::start(family(mark, "trap '' TERM HUP INT; wait; sleep 1000"));
      std::this_thread::sleep_for(1h);
    }
    for (int i = 0; i < 500 && test::processes_with(mark).size() < 3; ++i) std::this_thread::sleep_for(10ms);
    CHECK(test::processes_with(mark).size() >= 3);
    ::kill(parent, number);
    ::waitpid(parent, nullptr, 0);
    CHECK(test::left_after(5s, mark) == 0);
  }
}

TEST_CASE("a program lives on when the thread that started it ends") {
  std::optional<Result<ChildProcess>> child;
  std::thread([&] { child.emplace(shell("read x; echo $x")); }).join();
  std::this_thread::sleep_for(100ms);
  REQUIRE((*child)->write_line("still here", 5s));
  CHECK(line_of(**child) == "still here");
}
