// SPDX-License-Identifier: BSD-3-Clause
// A worker command is words, read as a shell reads them and given to no shell.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/runtime/worker/worker_command.hpp"

#include <rapidcheck.h>

#include "kernels/runtime/worker/worker_client.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

TEST_CASE("words are parted and quoted as in a POSIX shell") {
  CHECK(split_command("ssh gpubox tessera worker").value() == Words{"ssh", "gpubox", "tessera", "worker"});
  CHECK(split_command("  a\t'b  c'\\ d \"e 'f'\" ").value() == Words{"a", "b  c d", "e 'f'"});
  CHECK(split_command(R"(a "b\"c\\d\e" '\' \")").value() == Words{"a", "b\"c\\d\\e", "\\", "\""});
  CHECK(split_command("ssh box 'cd /x && tessera worker; $HOME `id`'").value() ==
        Words{"ssh", "box", "cd /x && tessera worker; $HOME `id`"});
  CHECK(split_command("a '' \"\"").value() == Words{"a", "", ""});
  CHECK(split_command("a b\\;c a=b=c x~").value() == Words{"a", "b;c", "a=b=c", "x~"});
  CHECK(split_command("").value().empty());
}

TEST_CASE("what a shell would act on is refused with its place and the setting that allows it") {
  for (const char* text :
       {"a; b", "a | b", "a && b", "a < b", "a > b", "a $B", "a `b`", "a \"$B\"", "a \"`b`\"", "(a)", "a\nb", "a~ ~/b"}) {
    INFO(text);
    const auto refused = split_command(text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::parse);
    CHECK(refused.error().span);
    CHECK(refused.error().notes.at(0).find("\"shell\": true") != std::string::npos);
  }
  for (const char* text : {"a 'b", "a \"b", "a \\", "a \"b\\\""}) CHECK_FALSE(split_command(text));
  CHECK(split_command("tessera worker; rm x").error().message.find("an unquoted ;") != std::string::npos);
  CHECK_FALSE(split_command(std::string_view("a\0b", 3)));
}

TEST_CASE("assignments before the program go through env, and a shell reads the text only when told to") {
  CHECK(worker_arguments("A=1 _b2='x y' cmd C=3", false).value() == Words{"env", "A=1", "_b2=x y", "cmd", "C=3"});
  CHECK(worker_arguments("cmd A=1", false).value() == Words{"cmd", "A=1"});
  CHECK(worker_arguments("/a=b/cmd", false).value() == Words{"/a=b/cmd"});
  for (const char* nothing : {"", "  ", "A=1"})
    CHECK(worker_arguments(nothing, false).error().message.find("names no program") != std::string::npos);
  CHECK(worker_arguments("a | b", true).value() == Words{"/bin/sh", "-c", "a | b"});
}

TEST_CASE("a quoted word is that word again, whatever is in it") {
  CHECK(rc::check([](std::string word) {
    std::erase(word, '\0');
    RC_ASSERT(split_command(quoted_word(word)).value() == Words{word});
  }));
}

TEST_CASE("a worker command runs nothing but its program, with a shell only where the settings say so") {
  const test::TemporaryFolder folder;
  const std::string trace = (folder / "trace").string();
  for (const std::string& command : {"true; touch " + trace, "touch$(touch " + trace + ")", "sh -c true \"`touch " + trace + "`\""}) {
    INFO(command);
    CHECK(WorkerClient({.command = command}).devices().error().code == ErrorCode::parse);
    CHECK_FALSE(fs::exists(trace));
  }
  CHECK_FALSE(WorkerClient({.command = "true; touch " + trace, .shell = true}).devices());
  CHECK(fs::exists(trace));
  CHECK_FALSE(WorkerClient({.command = "touch '" + trace + " $(id)'"}).devices());  // an argument as it stands
  CHECK(fs::exists(trace + " $(id)"));
}
