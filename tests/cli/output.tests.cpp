// SPDX-License-Identifier: BSD-3-Clause
// How the programs end: exit code 0 only when every byte has arrived, words and a code whatever runs out, and nothing of a stranger's
// text that steers a terminal.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/utf8.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

// Every command that writes to stdout.
const std::vector<std::string> kWriters{"eval 1",
                                        "eval 1 --json",
                                        "eval '(4,8)' --file '" + source_dir() + "/assets/presets/tour.tess'",
                                        "draw '(4,8):(8,1)' --to svg",
                                        "draw '(4,8):(8,1)' --to tex",
                                        "draw '(4,8):(8,1)' --out figure.svg",
                                        "draw '(64,64)' --to json",
                                        "atoms",
                                        "atoms --json",
                                        "gemm show article_gemm",
                                        "gemm show article_gemm --json",
                                        "gemm simulate article_gemm",
                                        "gemm simulate article_gemm --json",
                                        "gemm emit tensor_gemm",
                                        "gemm emit tensor_gemm --standalone",
                                        "gemm run tensor_gemm --recorded",
                                        "gemm run tensor_gemm --recorded --json",
                                        "batch < requests",
                                        "worker < /dev/null",
                                        "--help",
                                        "--version",
                                        "draw --help",
                                        "gemm emit --help"};

const std::string kRequests = "printf '{\"id\":1,\"expr\":\"(4,8):(8,1)\"}\\n' > requests; ";

std::string quoted(const std::string& word) {  // for a shell
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool is_printable_text(const std::string& text) { return is_utf8(text) && printable(text, Lines::kept) == text; }

// Names and words that steer a terminal, pose as other messages or hide what they are.
const std::vector<std::string> kHostile{"a\x1b]0;owned\x07z",
                                        "a\x1b[2Jz",
                                        "a\nnote: all is well",
                                        "a\rz",
                                        "\xff\xfe\x80",
                                        "a\xe2\x80\xaegpj.tess",
                                        "\xc2\x9b"
                                        "2J",
                                        "a\xef\xbb\xbfz",
                                        "a\tz\x7f\x08",
                                        "\xe2\x82"};

// What a program says on a terminal that is its stdin, stdout and stderr.
std::string on_a_terminal(std::vector<std::string> arguments) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  std::string said;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) said.append(buffer, static_cast<std::size_t>(n));
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return said;
}

}  // namespace

TEST_CASE("output that is lost on a full disk or a closed stdout is said, and the exit code is not 0") {
  for (const std::string& command : kWriters) {
    INFO(command);
    const Run arrived = shell(kRequests + "tessera " + command);
    CHECK(arrived.code == 0);
    CHECK(arrived.err.find("not written") == std::string::npos);
    const Run full = shell(kRequests + "tessera " + command + " > /dev/full");
    CHECK(full.code == 1);
    CHECK(has(full.err, "io: the output was not written: No space left on device\n"));
    const Run closed = shell(kRequests + "tessera " + command + " >&-");
    CHECK(closed.code == 1);
    CHECK(has(closed.err, "io: the output was not written: "));
  }
}

TEST_CASE("a reader that goes away is no success, and nothing that needs words") {
  for (const std::string& command : kWriters) {
    INFO(command);
    const Run run = shell(kRequests + "mkfifo gate; { read go < gate; tessera " + command +
                          "; echo $? > code; } | { exec <&-; echo go > gate; }; cat code");
    CHECK(run.out == "1\n");
    CHECK(run.err.empty());
  }
}

TEST_CASE("words that stderr does not take change no exit code, and a closed stdin, stdout or stderr is taken by no file") {
  for (const std::string closed : {"2> /dev/full", "2>&-"}) {
    CHECK(shell("tessera eval 1 " + closed).code == 0);
    CHECK(shell("tessera eval '((' " + closed).code == 1);
    CHECK(shell("tessera frobnicate " + closed).code == 2);
  }
  // The figure's file would be stdout or stderr itself, and messages would be written into it.
  const Run run = shell("tessera draw '(2,2)' --out kept.json >&- 2>&-; tessera draw '(2,2)' --to json > expected; cmp kept.json expected");
  CHECK(run.code == 0);
}

TEST_CASE("batch and worker say that stdin cannot be read") {
  for (const std::string program : {"batch", "worker"}) {
    for (const std::string in : {"<&-", "< /tmp"}) {
      const Run run = shell("tessera " + program + " " + in);
      CHECK(run.code == 1);
      CHECK(has(run.err, "io: cannot read stdin"));
    }
  }
  CHECK(has(shell("tessera batch /tmp").err, "io: cannot read /tmp: Is a directory"));
  // A last line without its end, and lines in pieces, are answered.
  CHECK(has(shell("printf '{\"id\":7,\"expr\":\"2\"}' | tessera batch").out, "\"value\":\"2\""));
  CHECK(has(shell("{ printf '{\"id\":7,'; sleep 0.1; printf '\"expr\":\"2\"}\\n'; } | tessera batch").out, "{\"id\":7,\"ok\":true"));
}

TEST_CASE("a file that does not fit is not left in part, and the exit code is not 0") {
  for (const std::string command : {"gemm emit tensor_gemm --out file", "draw '(64,64)' --out file.svg", "draw '(64,64)' --out file.pdf",
                                    "tour --out folder", "draw '(64,64)' --to svg,tex --out folder"}) {
    INFO(command);
    const Run run = shell("(ulimit -f 4; tessera " + command + "; echo $? > code); cat code; find . -type f -size +0 | sort");
    CHECK((has(run.out, "1\n./code\n") || has(run.out, "1\n")));
    CHECK_FALSE(has(run.out, "./file"));
    CHECK_FALSE(has(run.out, ".tmp"));
    CHECK(has(run.err, "File too large"));
  }
}

TEST_CASE("on a full disk the old file stays, no part of a new one is left, and the exit code is not 0") {
  if (shell("unshare -m sh -c 'mkdir d && mount -t tmpfs -o size=64k tmpfs d'").code != 0) return;  // not allowed here
  const auto on_small_disk = [](const std::string& line) {
    const std::string script = "cd d; tessera() { " + quoted(program("tessera")) + " \"$@\"; }; " + line;
    return shell("mkdir d; unshare -m sh -c " + quoted("mount -t tmpfs -o size=64k tmpfs d && { " + script + "; }"));
  };
  const Run kept = on_small_disk(
      "tessera draw 4,8 --out a.svg || tessera eval 1 --json > a.svg; cp a.svg ..; "
      "tessera draw '(64,64)' --out a.svg --force; echo $?; cmp a.svg ../a.svg && ls -A");
  CHECK(has(kept.out, "1\na.svg\n"));
  CHECK(has(kept.err, "No space left on device"));
  const Run fresh = on_small_disk("tessera draw '(64,64)' --out a.svg; echo $?; ls -A");
  CHECK(fresh.out == "1\n");
  CHECK(on_small_disk("tessera draw '(64,64)' --to svg > a.svg").code == 1);
  CHECK(on_small_disk("tessera tour --out t > /dev/null").code == 1);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need terabytes of addresses
TEST_CASE("a program that runs out of memory or stack ends with words and an exit code") {
  int refused = 0;
  for (const std::string limit : {"-v 45000", "-v 60000", "-s 64", "-s 256", "-s unlimited"}) {
    for (const std::string command : {"eval '(4,8):(8,1)'", "draw '(64,64)' --out figure.pdf", "draw '(256,256)' --out figure.png",
                                      "draw '(512,512)' --out figure.json", "gemm emit tensor_gemm", "batch < requests"}) {
      const Run run = shell(kRequests + "(ulimit " + limit + " 2> no_limit || exit 9; tessera " + command + ")");
      INFO(limit << ": " << command << ": " << run.err);
      CHECK((run.code == 0 || run.code == 1 || run.code == 3 || run.code == 9));
      if (run.code != 0 && run.code != 9) CHECK_FALSE(run.err.empty());
      refused += run.code == 1 || run.code == 3;
    }
  }
  CHECK(refused > 0);  // otherwise nothing ran out
}

TEST_CASE("expressions nested as deep as is allowed need no more stack than there is") {
  std::string deep = "1", types = "1";
  for (int i = 0; i < 5000; ++i) deep = "(" + deep, types = "size(" + types;
  for (const std::string& text : {deep, types}) {
    for (const std::string limit : {"64", "8192"}) {
      const Run run = shell("ulimit -s " + limit + "; printf '%s\\n' '{\"expr\":\"" + text + "\"}' > lines; tessera batch < lines");
      INFO(limit << run.err);
      CHECK(run.code == 0);
    }
  }
}
#endif

TEST_CASE("names and words of others are printable in every message") {
  for (const std::string& name : kHostile) {
    const std::string word = quoted(name);
    INFO(printable(name));
    const std::vector<std::string> commands{
        "eval " + word,
        "eval 'let " + name + "'",
        "eval 1 --file " + word,
        "eval 1 --file " + quoted(name + ".tess"),
        "draw " + quoted(name + ".tess") + " --to svg",
        "draw '(2,2)' --to " + word,
        "draw '(2,2)' --style " + word,
        "draw '(2,2)' --palette " + word + " --to svg",
        "draw '(2,2)' --figure " + word + " --to svg",
        "draw '(2,2)' --set " + word + " --to svg",
        "draw '(2,2)' --set " + quoted(name + "=1") + " --to svg",
        "draw '(2,2)' --out " + quoted("missing/\n/" + name + ".bmp"),
        "draw '(2,2)' --out " + quoted(name + ".svg"),
        "draw '(2,2)' --to svg,json --out " + word,
        "draw '(2,2)' --to svg,json --out folder --name " + word,
        "gemm show " + word,
        "gemm show " + quoted(name + ".tess"),
        "gemm emit article_gemm --out " + quoted("/dev/null/" + name),
        "gemm run article_gemm --worker " + word,
        "gemm run article_gemm --inject " + word,
        "gemm compile article_gemm --arch " + word,
        "devices --worker " + word,
        "batch " + quoted("/nowhere/" + name),
        "tour --out " + quoted("/dev/null/" + name),
        "tour --document " + quoted(name + ".tess"),
        word,
        "eval 1 --" + word,
        "eval 1 " + word,
        "draw '(2,2)' --cell " + word,
        "atoms --filter " + word,
    };
    for (const std::string& command : commands) {
      const Run run = shell("tessera " + command);
      INFO(printable(command));
      CHECK(run.code >= 0);
      CHECK(is_printable_text(run.err));
      CHECK(is_printable_text(run.out));
      CHECK_FALSE(has("\n" + run.err, "\nnote: all is well"));
      CHECK_FALSE(has("\n" + run.out, "\nnote: all is well"));
    }
  }
}

TEST_CASE("a message repeats no more than some pages of what it is about") {
  const std::string make = "long=$(head -c 100000 /dev/zero | tr '\\0' 'a'); tessera ";
  for (const std::string command :
       {"eval $long", "eval \"f($long)\"", "draw 4 --to $long", "draw 4 --style $long --to svg", "draw 4 --set $long --to svg",
        "eval 1 --file $long", "devices --worker $long", "eval 1 $long", "$long"}) {
    const Run run = shell(make + command);
    INFO(command);
    CHECK(run.code != 0);
    CHECK(run.err.size() > 10);
    CHECK(run.err.size() < 10000);
  }
}

TEST_CASE("a hostile document is quoted as printable text, and JSON is exact data") {
  for (const std::string& text : kHostile) {
    const std::string escaped = printable(text);
    INFO(escaped);
    for (const std::string& line : {"let a = " + text, "let " + text + " = 1", "let a = \"" + text + "\"", "let a = (4,8):(" + text,
                                    "# " + text + "\nlet a = (4,", "let a = 4:1 " + text}) {
      const std::string file = "printf '%s\\n' " + quoted(line) + " > d.tess; ";
      for (const std::string command : {"eval a --file d.tess", "eval 'a + b' --file d.tess", "draw d.tess --to svg,tex,json --out folder",
                                        "gemm show a --file d.tess", "tour --document d.tess --out folder", "draw d.tess --to svg"}) {
        const Run run = shell(file + "tessera " + command);
        INFO(printable(line) << ": " << command);
        CHECK(is_printable_text(run.err));
        CHECK_FALSE(has("\n" + run.err, "\nnote: all is well"));
        CHECK(is_utf8(run.out));
      }
      const Run json = shell(file + "tessera eval a --json --file d.tess");
      CHECK(is_printable_text(json.out));
      CHECK_NOTHROW(nlohmann::json::parse(json.out));
    }
  }
}

TEST_CASE("a worker's words are printable on stdout and stderr, in the text and in JSON") {
  const std::string hostile = "gpu\\033]0;owned\\007\\302\\2332J\\342\\200\\256\\377";  // for printf
  const auto run_with = [&](const std::string& script, const std::string& command) {
    return shell("cat > worker.sh <<'END'\n#!/bin/sh\n" + script + "\nEND\nchmod +x worker.sh; tessera " + command +
                 " --worker \"$PWD/worker.sh\" --timeout 0.3");
  };
  const std::string hello = "printf '{\"event\":\"hello\",\"protocol\":1,\"program\":\"x\"}\\n'; ";
  for (const std::string& script : {
           "printf '" + hostile + "\\n' >&2; exit 3",
           "printf '" + hostile + "\\n'; printf '" + hostile + "\\n' >&2",
           hello + "printf '{\"event\":\"" + hostile + "\"}\\n'; read line",
           hello + "read line; printf '" + hostile + "\\n'; printf '" + hostile + "' >&2",
           hello +
               "read line; printf '{\"event\":\"error\",\"id\":1,\"fatal\":false,\"error\":{\"code\":\"io\",\"message\":\"\\\\u001b[2J" +
               hostile + "\\\\nnote: all is well\",\"notes\":[\"\\\\u009b\\\\nnote: all is well\"]}}\\n'; read line",
       }) {
    for (const std::string command : {"gemm run article_gemm", "gemm run article_gemm --json"}) {
      const Run run = run_with(script, command);
      INFO(script << " | " << run.err);
      CHECK(run.code != 0);
      CHECK_FALSE(run.err.empty());
      CHECK(is_printable_text(run.err));
      CHECK(is_printable_text(run.out));
      CHECK_FALSE(has("\n" + run.err, "\nnote: all is well"));
    }
  }
  const std::string devices =
      hello +
      "read line; printf "
      "'{\"event\":\"devices\",\"id\":1,\"devices\":[{\"index\":0,\"name\":\"\\\\u001b[2J\\\\u009b\\\\u202e\\\\nGPU\","
      "\"sm\":90,\"sm_count\":1,\"smem_per_block_optin\":1,\"l2_bytes\":1,\"memory_bytes\":1,\"clock_mhz\":1,"
      "\"driver_version\":\"\\\\u001b[31m\",\"uuid\":\"\",\"max_threads_per_block\":1024}]}\\n'; read line";
  for (const std::string option : {"", " --json"}) {
    const Run run = shell("cat > worker.sh <<'END'\n#!/bin/sh\n" + devices + "\nEND\nchmod +x worker.sh; tessera devices" + option +
                          " --worker \"$PWD/worker.sh\"");
    INFO(run.out << run.err);
    CHECK(is_printable_text(run.out + run.err));
  }
}

TEST_CASE("values are printable text wherever they go, and JSON has the bytes") {
  const std::string string = "\"red \x1b[31m \xc2\x9b\"", shown = "red \\x1b[31m \\u{9b}";
  CHECK(shell("tessera eval " + quoted(string)).out == shown + "\n");
  CHECK(has(on_a_terminal({program("tessera"), "eval", string}), shown));
  CHECK(nlohmann::json::parse(shell("tessera eval --json " + quoted(string)).out)["value"] == "red \x1b[31m \xc2\x9b");
  CHECK(shell("tessera eval " + quoted("(\"\x1b\", 4)")).out == "(\"\\x1b\", 4)\n");
  CHECK(shell("tessera eval " + quoted("(\"\\x1b\", 4)")).out == "(\"\\x1b\", 4)\n");  // which reads as the same value
  CHECK(has(on_a_terminal({program("tessera"), "draw", "(2,2)", "--to", "svg"}), "</svg>"));
}

TEST_CASE("no subcommand lets a control byte through, whatever the names are") {
  for (const std::string& text : kHostile) {
    const std::string document = "# " + text + "\nlet s = \"" + text + "\"\nlet a = (4,8):(8,1)\nlet t = (s, a)\n" +
                                 "let r = sweep((s, i), i=(1,2))\nlet f = layout_figure(a, title=\"" + text + "\")\n";
    const std::string files = "printf '%s' " + quoted(document) + " > d.tess; printf '%s' " +
                              quoted("// " + text + "\nauto x = \"" + text + "\";\n") + " > p.cu; printf '%s\n' " +
                              quoted("{\"id\":1,\"expr\":\"(4,8):(8,1) " + text + "\"}") + " > b.jsonl; ";
    for (const std::string command : {"eval d.tess",
                                      "eval s --file d.tess",
                                      "eval t --file d.tess",
                                      "eval r --file d.tess",
                                      "eval - < p.cu",
                                      "eval --fix - < p.cu",
                                      "explain p.cu",
                                      "explain --account p.cu",
                                      "explain --json p.cu",
                                      "advise d.tess",
                                      "advise p.cu --json",
                                      "batch < b.jsonl",
                                      "draw d.tess --to txt --out - ",
                                      "draw f --file d.tess --to txt",
                                      "draw f --file d.tess --to md",
                                      "draw f --file d.tess --to csv",
                                      "draw f --file d.tess --to svg",
                                      "draw f --file d.tess --to tex",
                                      "draw f --file d.tess --to json",
                                      "explain-cell a 1,2 --file d.tess",
                                      "do binding.delete d.tess binding=r",
                                      "do --list",
                                      "atoms",
                                      "gemm show a --file d.tess"}) {
      const Run run = shell(files + "tessera " + command);
      INFO(printable(text) << ": " << command);
      CHECK(is_printable_text(run.err));
      CHECK(is_printable_text(run.out));
      if (command.starts_with("draw f") && !has(text, "\n")) CHECK(run.code == 0);  // a string ends with its line
    }
  }
}

TEST_CASE("what an environment names is printable in messages") {
  for (const std::string& name : kHostile) {
    std::string line;
    for (const std::string variable : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR", "CUDA_PATH", "LD_LIBRARY_PATH", "TERM"})
      line += variable + "=\"$PWD/\"" + quoted(name) + "; export " + variable + "; ";
    const Run run = shell(line + "tessera gemm run article_gemm; tessera devices; tessera gemm compile article_gemm");
    INFO(printable(name));
    CHECK(is_printable_text(run.err));
    CHECK(is_printable_text(run.out));
  }
}

TEST_CASE("the studio ends with words and an exit code too") {
  const std::string studio = program("tessera-studio");
  if (!std::filesystem::exists(studio)) return;
  CHECK(shell(quoted(studio) + " --help > /dev/full").code == 1);
  CHECK(shell(quoted(studio) + " --dump-ui > /dev/full").code == 1);
  CHECK(shell(quoted(studio) + " --dump-ui >&-").code == 1);
  for (const std::string& name : kHostile) {
    for (const std::string option : {"--size ", "--hover 1,2 --size ", "--select ", "--screenshot /dev/null/", "--nothing", ""}) {
      const Run run = shell(quoted(studio) + " --dump-ui " + option + quoted(name));
      INFO(option << printable(name));
      CHECK(run.code != 0);
      CHECK(is_printable_text(run.err));
    }
  }
}

TEST_CASE("a recording answers for its own plan only, and says that it is one") {
  const Run own = shell("tessera gemm run tensor_gemm --recorded"), json = shell("tessera gemm run tensor_gemm --recorded --json");
  CHECK(own.code == 0);
  CHECK(has(own.out, "RECORDED on NVIDIA H200: tensor_gemm"));
  CHECK(nlohmann::json::parse(json.out)["recorded"] == true);
  for (const std::string other : {"--set stages=2", "--k 8192", "--m 2048 --n 8192"}) {
    const Run run = shell("tessera gemm run tensor_gemm --recorded " + other);
    INFO(other << run.out << run.err);
    CHECK(run.code == 1);
    CHECK(run.out.empty());
    CHECK(has(run.err, "no measurement of this plan of \"tensor_gemm\" comes with Tessera\n  note: recorded on NVIDIA H200 is another: "));
    CHECK_FALSE(has(run.err, " us"));
  }
  const Run damaged =
      shell("mkdir -p a/recordings a/presets; cp " + quoted(source_dir() + "/assets/presets/tour.tess") +
            " a/presets; echo '{' > a/recordings/tensor_gemm-h200.json; TESSERA_ASSETS=$PWD/a tessera gemm run tensor_gemm --recorded");
  CHECK(damaged.code == 1);
  CHECK(has(damaged.err, "a recording is damaged: "));
}
