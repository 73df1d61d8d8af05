// SPDX-License-Identifier: BSD-3-Clause
// `tessera trace` with programs that behave as programs do: they fail, fork, wait, print, never end. A stand-in for the CuTe DSL
// (tests/trace/fake_dsl) has the classes that the tracer looks for, so that Python is all that is needed.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/process_list.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Whether there is a Python to run programs with; said where there is none.
bool python_is_here() {
  static const bool here = shell("python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))'").code == 0;
  if (!here) WARN("skipped: no python3 here");
  return here;
}

// A folder with a program, run by `tessera trace`.
class Traced {
 public:
  explicit Traced(const std::string& program, const std::string& options = "", const std::string& arguments = "",
                  const std::string& name = "kernel.py") {
    put(home / name, "import os, sys, time\nfrom cutlass import cute\n" + program);
    run = again(options, arguments, name);
  }
  Run again(const std::string& options = "", const std::string& arguments = "", const std::string& name = "kernel.py") const {
    return line(fmt::format("tessera trace {} '{}' {}", options, name, arguments));
  }
  Run line(const std::string& text) const {
    const std::string fake = source_dir() + "/tests/trace/fake_dsl";
    return shell_in(
        home.path(), text, "",
        fmt::format("PYTHONPATH='{}' PYTHONDONTWRITEBYTECODE=1 TESSERA_PYTHON= VIRTUAL_ENV= TESSERA_ASSETS= MARK={}", fake, mark));
  }
  // The trace's lines; a line that is no JSON fails the test.
  std::vector<json> lines(const std::string& name = "kernel.py.trace") const {
    std::vector<json> found;
    std::string text = contents(home / name);
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      INFO(text.substr(0, end));
      found.push_back(json::parse(text.substr(0, end)));
    }
    CHECK(text.empty());
    return found;
  }
  std::vector<json> rows() const {
    std::vector<json> found = lines();
    found.erase(std::remove_if(found.begin(), found.end(), [](const json& each) { return !each.contains("name"); }), found.end());
    return found;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const json& row : rows()) found.push_back(row["name"]);
    return found;
  }
  json row(const std::string& name) const {
    for (const json& each : rows()) {
      if (each["name"] == name) return each;
    }
    return {};
  }
  std::size_t ends() const {
    const auto all = lines();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const json& each) { return each.contains("end"); }));
  }
  std::string error() const { return lines().back().value("errors", json::array({""})).at(0); }

  TemporaryFolder home;
  const std::string mark = unique_mark();
  Run run;
};

bool knows(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("a trace has a head, its file, rows with the places of the names, and an end") {
  if (!python_is_here()) return;
  const Traced traced(R"py(class Kernel:
    def __init__(self, tile):
        self.tile = tile

    def run(self):
        sA, (sB, *rest) = cute.Layout("(8,4):(4,1)"), (
            cute.Tensor("tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)>"),
            1,
        )
        for k in (cute.Layout("1:0"),):
            with open(os.devnull) as f: pass
        if (wal := cute.ComposedLayout("S<3,4,3> o 0 o (8,64):(64,1)")): pass
        coord = cute.Tensor("tensor<(0,?{div=8}) o (8,4):(1@0,1@1)>")
        return sA


Kernel((128, (64, None), 8)).run()
)py");
  CHECK(traced.run.code == 0);
  const std::vector<json> lines = traced.lines();
  CHECK(lines[0]["tessera_trace"] == 1);
  CHECK(lines[0]["by"] == "nvidia-cutlass-dsl 0.0-fake");
  CHECK(lines[1]["file"] == "kernel.py");
  CHECK(lines[1]["sha256"].get<std::string>().size() == 64);
  CHECK(lines.back()["end"] == true);
  CHECK(lines.back()["rows"] == traced.rows().size());
  const auto has_row = [&](const char* name, int line, int column, const char* kind, const char* field, const char* value) {
    const json row = traced.row(name);
    CAPTURE(name, row.dump());
    CHECK(row.value("line", 0) == line);
    CHECK(row.value("column", 0) == column);
    CHECK(row.value("kind", "") == kind);
    CHECK(row.value(field, "") == value);
  };
  has_row("tile", 4, 24, "tuple", "value", "(128,(64,_),8)");
  has_row("self.tile", 5, 9, "tuple", "in", "Kernel.__init__");
  has_row("sA", 8, 9, "layout", "layout", "(8,4):(4,1)");
  has_row("sB", 8, 14, "tensor", "layout", "(8,64):(64,1)");
  has_row("sB", 8, 14, "tensor", "swizzle", "Sw<3,4,3>");
  has_row("sB", 8, 14, "tensor", "space", "smem");
  has_row("sB", 8, 14, "tensor", "type", "half_t");
  has_row("rest[0]", 8, 19, "int", "value", "1");
  has_row("k", 12, 13, "layout", "in", "Kernel.run");
  has_row("wal", 14, 13, "composed", "layout", "Sw<3,4,3> o 0 o (8,64):(64,1)");
  has_row("coord", 15, 9, "tensor", "base", "(0,?{div=8})");
  has_row("coord", 15, 9, "tensor", "space", "coord");
}

TEST_CASE("an object that was made elsewhere has its attributes' places in its own class") {
  if (!python_is_here()) return;
  const Traced traced(R"py(from dataclasses import dataclass
import copy

@dataclass
class Pair:
    left: object
    right: object = 3
    def use(self):
        return self.left

class Other:
    def __init__(self):
        self.left = cute.Layout("1:0")

class Late:
    def use(self):
        return self.value
    def set(self):
        self.value = cute.Layout("2:1")

Pair(cute.Layout("4:1")).use()
late = Late()
late.__dict__["value"] = cute.Layout("8:1")
late.__dict__["_hidden"] = 5
late.use()
)py");
  CHECK(traced.run.code == 0);
  const json left = traced.row("self.left"), value = traced.row("self.value");
  CHECK(left["line"] == 8);
  CHECK(left["column"] == 5);
  CHECK(traced.row("self.right")["line"] == 9);
  CHECK(value["line"] == 21);
  CHECK(value["column"] == 9);
  CHECK_FALSE(knows(traced.names(), "self._hidden"));  // a number that the source does not name
}

TEST_CASE("a value has no row at a place that gave the name another value") {
  if (!python_is_here()) return;
  const Traced traced(R"py(a = cute.Layout("4:1")
a = cute.Layout("8:1")
def outer():
    b = cute.Layout("16:1")
    def inner():
        c = 1
        return b
    b = cute.Layout("32:1")
    inner()
outer()
)py");
  CHECK(traced.run.code == 0);
  std::vector<std::string> seen;
  for (const json& row : traced.rows()) {
    if (row.contains("layout"))
      seen.push_back(fmt::format("{}{}={}", row["name"].get<std::string>(), row["line"].get<int>(), row["layout"].get<std::string>()));
  }
  CHECK(seen == std::vector<std::string>{"a3=4:1", "a4=8:1", "b6=16:1", "b10=32:1"});
}

TEST_CASE("a source in C++ is not run") {
  if (!python_is_here()) return;
  const Traced traced("", "", "", "kernel.cu");
  CHECK(traced.run.code == 1);
  CHECK(has(traced.run.err, "kernel.cu is no program in Python"));
  CHECK_FALSE(fs::exists(traced.home / "kernel.cu.trace"));
}

TEST_CASE("what a program prints is neither in the trace nor on stdout") {
  if (!python_is_here()) return;
  const std::string program = R"py(import subprocess
a = cute.Layout("4:1")
print("{\"name\":\"forged\",\"line\":1,\"kind\":\"int\"}")
os.write(1, b"raw bytes\n")
subprocess.run(["echo", "from a child"])
)py";
  const Traced traced(program, "--json");
  CHECK(traced.run.code == 0);
  CHECK(json::parse(traced.run.out)["rows"] == 1);
  CHECK(traced.names() == std::vector<std::string>{"a"});
  CHECK_FALSE(has(traced.run.err, "raw bytes"));
  const Run shown = traced.again("--show-output --json");
  CHECK(json::parse(shown.out)["rows"] == 1);
  for (const char* words : {"raw bytes", "from a child", "forged"}) CHECK(has(shown.err, words));
}

TEST_CASE("who runs what is said before it runs") {
  if (!python_is_here()) return;
  const Traced traced("sys.stderr.write('the program speaks\\n')\n", "--show-output", "-- --size 4");
  CHECK(traced.run.err.find("runs kernel.py --size 4 with python3") == 0);
  CHECK(traced.run.err.find("the program speaks") > traced.run.err.find("runs kernel.py"));
}

TEST_CASE("a program that fails leaves what was collected, its error and the line") {
  if (!python_is_here()) return;
  const Traced traced(
      "a = cute.Layout('4:1')\n\ndef f():\n    b = cute.Layout('8:1')\n    raise ValueError('no \\x1b[31mgood\\nat all')\nf()\n");
  CHECK(traced.run.code == 1);
  CHECK(traced.names() == std::vector<std::string>{"a", "b"});
  CHECK(traced.error() == "ValueError: no good at all at line 7");
  CHECK(has(traced.run.err, "the program failed: ValueError: no good at all at line 7"));
  CHECK(has(traced.run.out, "8:1"));
}

TEST_CASE("a source that is no Python is said with its line") {
  if (!python_is_here()) return;
  const Traced traced("def f(:\n");
  CHECK(traced.run.code == 1);
  CHECK(has(traced.error(), "SyntaxError"));
  CHECK(has(traced.error(), "line 3"));
}

TEST_CASE("leaving by SystemExit is right with code 0 and none, and wrong with every other") {
  if (!python_is_here()) return;
  CHECK(Traced("a = cute.Layout('4:1')\nsys.exit(0)\n").run.code == 0);
  CHECK(Traced("raise SystemExit\n").run.code == 0);
  const Traced two("a = cute.Layout('4:1')\nsys.exit(2)\n");
  CHECK(two.run.code == 1);
  CHECK(two.error() == "SystemExit: 2");
  CHECK(two.names() == std::vector<std::string>{"a"});
  CHECK(Traced("sys.exit('no CUDA here')\n").error() == "SystemExit: no CUDA here");
}

TEST_CASE("a program that leaves at once or dies leaves its rows, and how it went is said") {
  if (!python_is_here()) return;
  const Traced left("a = cute.Layout('4:1')\nb = 1\nos._exit(7)\n");
  CHECK(left.run.code == 1);
  CHECK(left.names() == std::vector<std::string>{"a", "b"});
  CHECK(left.ends() == 0);
  CHECK(has(left.run.err, "the trace is cut off: Python ended with exit code 7"));
  const Traced died("a = cute.Layout('4:1')\nb = 1\nimport signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", "--json");
  CHECK(died.run.code == 1);
  CHECK(has(died.run.err, "was killed by signal 11"));
  CHECK(json::parse(died.run.out)["ended"] == false);
  CHECK(Traced("os._exit(0)\n").run.code == 1);
}

TEST_CASE("forked children write nothing into the trace") {
  if (!python_is_here()) return;
  const Traced traced(R"py(a = cute.Layout("4:1")
child = os.fork()
if child == 0:
    of_child = cute.Layout("8:1")
else:
    os.waitpid(child, 0)
    of_parent = cute.Layout("16:1")
)py");
  CHECK(traced.run.code == 0);
  CHECK(knows(traced.names(), "of_parent"));
  CHECK_FALSE(knows(traced.names(), "of_child"));
  CHECK(traced.ends() == 1);
}

TEST_CASE("a program that waits for input gets none") {
  if (!python_is_here()) return;
  const Traced traced("a = cute.Layout('4:1')\ninput('? ')\n", "--limit-seconds 60");
  CHECK(traced.run.code == 1);
  CHECK(has(traced.error(), "EOFError"));
}

TEST_CASE("a program without end is ended with all its children, and its rows stay") {
  if (!python_is_here()) return;
  const auto began = std::chrono::steady_clock::now();
  const Traced traced(R"py(import subprocess
a = cute.Layout("4:1")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", os.environ["MARK"]])
if os.fork() == 0:
    while True: pass
while True: time.sleep(0.01)
)py",
                      "--limit-seconds 2");
  CHECK(std::chrono::steady_clock::now() - began < 45s);
  CHECK(traced.run.code == 1);
  CHECK(has(traced.run.err, "the trace is cut off: it was ended after 2 s (--limit-seconds)"));
  CHECK(knows(traced.names(), "a"));
  CHECK(left_after(5s, traced.mark) == 0);
}

TEST_CASE("children in sessions of their own are ended with the program") {
  if (!python_is_here()) return;
  const std::string program = R"py(import subprocess
nap = [sys.executable, "-c", "import time; time.sleep(1000)", os.environ["MARK"]]
subprocess.Popen(nap, start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv(nap[0], nap)
    os._exit(0)
time.sleep(float(sys.argv[1]))
)py";
  const Traced ended(program, "", "-- 0.5");
  CHECK(ended.run.code == 0);
  CHECK(left_after(5s, ended.mark) == 0);
  const Traced cut(program, "--limit-seconds 3", "-- 1000");
  CHECK(cut.run.code == 1);
  CHECK(left_after(5s, cut.mark) == 0);
}

TEST_CASE("children that outlive a program do not keep it") {
  if (!python_is_here()) return;
  const auto began = std::chrono::steady_clock::now();
  const Traced traced(
      "import subprocess\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)', os.environ['MARK']])\n"
      "import threading\nthreading.Thread(target=lambda: time.sleep(1000)).start()\n",
      "--limit-seconds 50");
  CHECK(traced.run.code == 0);
  CHECK(std::chrono::steady_clock::now() - began < 30s);
  CHECK(left_after(5s, traced.mark) == 0);
  const Traced forked("if os.fork() == 0: time.sleep(1000)\nos._exit(3)\n", "--limit-seconds 200");
  CHECK(has(forked.run.err, "exit code 3"));
  CHECK(std::chrono::steady_clock::now() - began < 100s);
}

TEST_CASE("a program that closes descriptors that it does not know is traced to its end") {
  if (!python_is_here()) return;
  const Traced traced(R"py(a = cute.Layout("4:1")
os.closerange(3, 64)
mine = [open(f"mine{i}", "w") for i in range(16)]
b = cute.Layout("8:1")
time.sleep(3)
c = cute.Layout("16:1")
)py");
  CHECK(traced.run.code == 0);
  CHECK(traced.ends() == 1);
  CHECK(knows(traced.names(), "a"));
  CHECK(knows(traced.names(), "c"));
  for (int i = 0; i < 16; ++i) CHECK(contents(traced.home / fmt::format("mine{}", i)).empty());
}

TEST_CASE("a program that wants too much memory is refused it, and its rows stay") {
  if (!python_is_here()) return;
  const Traced traced("a = cute.Layout('4:1')\nb = bytearray(8 << 30)\n", "--limit-bytes 2e9");
  CHECK(traced.run.code == 1);
  CHECK(has(traced.error(), "MemoryError at line 4"));
  CHECK(knows(traced.names(), "a"));
}

TEST_CASE("ten thousand rows are written and the others counted") {
  if (!python_is_here()) return;
  const Traced traced("for i in range(12000): x = cute.Layout(f'{i}:1')\n", "--json");
  CHECK(traced.run.code == 0);
  CHECK(traced.rows().size() == 10000);
  const json end = traced.lines().back();
  CHECK(end["rows"] == 10000);
  CHECK(end["dropped"] == 14000);  // i has a row for each of its values, too
  CHECK(has(traced.run.err, "14000 more are not in the trace (--rows)"));
  CHECK(json::parse(traced.again("--rows 5 --json").out)["dropped"] == 23995);
}

TEST_CASE("the same name, place and value is one row, and another value another row") {
  if (!python_is_here()) return;
  const Traced traced("def f(a):\n    b = a\nfor _ in range(3): f(cute.Layout('4:1'))\nf(cute.Layout('8:1'))\n");
  std::vector<std::string> seen;
  for (const json& row : traced.rows()) {
    if (row.contains("layout")) seen.push_back(row["name"].get<std::string>() + row["layout"].get<std::string>());
  }
  CHECK(seen == std::vector<std::string>{"a4:1", "b4:1", "a8:1", "b8:1"});
}

TEST_CASE("nothing is asked of the program's own objects") {
  if (!python_is_here()) return;
  const Traced traced(R"py(class Trap:
    touched = []
    def __init__(self): self.inner = cute.Layout("4:1")
    @property
    def layout(self): self.touched.append("layout")
    @property
    def __class__(self): self.touched.append("class"); return int
    def __getattr__(self, name): self.touched.append(name); raise AttributeError(name)
    def __eq__(self, other): self.touched.append("eq"); return True
    def __hash__(self): self.touched.append("hash"); return 0
    def __str__(self): self.touched.append("str"); return ""
    __repr__ = __str__
    def __len__(self): self.touched.append("len"); return 3
    def __iter__(self): self.touched.append("iter"); return iter(())
    def __bool__(self): self.touched.append("bool"); return True
    def method(self):
        own = self
        pair = (own, [own])
        return pair

class TrapLayout(cute.Layout):
    @property
    def type(self): Trap.touched.append("type")
    def __str__(self): Trap.touched.append("str of a layout"); return "4:1"

class TrapTuple(tuple):
    def __iter__(self): Trap.touched.append("iter of a tuple"); return iter(())
    def __len__(self): Trap.touched.append("len of a tuple"); return 0

t = Trap()
t.method()
u = TrapLayout("4:1")
v = TrapTuple((1, 2))
after = len(Trap.touched)
if after: sys.exit(str(Trap.touched))
)py");
  CHECK(traced.run.code == 0);
  CHECK(traced.lines().back()["errors"] == json::array());
  CHECK(knows(traced.names(), "self.inner"));
  CHECK(knows(traced.names(), "after"));
}

TEST_CASE("hostile names and texts harm neither the trace nor the terminal") {
  if (!python_is_here()) return;
  const std::string name = "k\x1b[31m\n'rm.py";
  put(fs::temp_directory_path() / "ignored", "");
  Traced traced(
      "Größe = cute.Layout('4:1\\x1b]0;owned\\x07\\n{\"end\":true}')\n"
      "tab = cute.Layout('\\udc80\\x7f\\u202e')\n"
      "bad = __import__('cutlass').cute.Broken('')\n"
      "raise ValueError('\\x1b[2J\\udcff')\n");
  CHECK(traced.run.code == 1);
  CHECK(traced.row("Größe")["line"] == 3);
  CHECK(traced.ends() == 1);
  CHECK(has(traced.row("bad").value("error", ""), "RuntimeError: no print"));
  for (const std::string* text : {&traced.run.out, &traced.run.err}) {
    CHECK(text->find('\x1b') == std::string::npos);
    CHECK(text->find('\x07') == std::string::npos);
  }
  put(traced.home / name, "from cutlass import cute\na = cute.Layout('4:1')\n");
  const Run odd = traced.line("tessera trace \"$(printf 'k\\033[31m\\n\\047rm.py')\" --out odd.trace");
  CHECK(odd.code == 0);
  CHECK(odd.err.find('\x1b') == std::string::npos);
  CHECK(traced.lines("odd.trace")[1]["file"] == name);
}

TEST_CASE("a program may leave its folder") {
  if (!python_is_here()) return;
  const Traced traced("os.chdir('/')\na = cute.Layout('4:1')\ndef f():\n    b = cute.Layout('8:1')\nf()\n");
  CHECK(traced.run.code == 0);
  CHECK(traced.names() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a program that wants another architecture is run again for it, as it was called") {
  if (!python_is_here()) return;
  const auto began = std::chrono::steady_clock::now();
  const Traced traced(
      "import cutlass, threading\nthreading.Thread(target=lambda: time.sleep(1000)).start()\nos.chdir('/')\na = "
      "cute.Layout('4:1')\ncutlass.compile_for('sm_' + '100a')\nb = len(sys.argv)\n",
      "--out other.trace", "-- one two");
  CHECK(traced.run.code == 0);
  CHECK(has(traced.run.err, "it wants sm_100a"));
  CHECK(std::chrono::steady_clock::now() - began < 40s);  // the second run says that it is done, too
  const std::vector<json> lines = traced.lines("other.trace");
  CHECK(lines.front()["arch"] == "sm_100a");
  CHECK(lines[lines.size() - 2]["value"] == "3");
  CHECK(traced.again("--arch sm_90a").code == 1);  // what was asked for stays
  CHECK(traced.lines().front()["arch"] == "sm_90a");
}

TEST_CASE("names are collected from other files, and a module is run in a file's place") {
  if (!python_is_here()) return;
  const Traced traced("import library.tiles\nmine = cute.Layout('4:1')\nlibrary.tiles.make()\n", "--help");
  fs::create_directory(traced.home / "library");
  put(traced.home / "library/__init__.py", "");
  put(traced.home / "library/__main__.py", "import sys\nimport library.tiles\nlibrary.tiles.make()\ncount = len(sys.argv)\n");
  put(traced.home / "library/tiles.py", "from cutlass import cute\ndef make():\n    tile = cute.Layout('8:1')\n");
  CHECK(traced.again("--of library --of kernel.py").code == 0);
  CHECK(traced.names() == std::vector<std::string>{"mine", "tile"});
  CHECK(traced.lines()[3]["file"] == "library/tiles.py");
  CHECK(traced.row("tile")["of"] == 2);
  CHECK(traced.row("mine")["of"] == 3);
  CHECK(traced.line("tessera trace --module library --of library --out kernel.py.trace -- x y").code == 0);
  CHECK(traced.row("tile")["line"] == 3);
  CHECK(traced.row("count")["value"] == "3");
  CHECK(traced.line("tessera trace --module library").code == 2);
}

TEST_CASE("tensors on a GPU that is not here are stood in for") {
  if (!python_is_here()) return;
  const Traced traced(R"py(import torch
assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
x = torch.randn(4, 8, 16, dtype=torch.float16, device="cuda")
a = tuple(x.shape); b = x.stride()
c = tuple(x.permute(2, 0, 1).shape); d = x.transpose(0, 2).stride()
e = tuple(x[:, None, 2, ::4].shape); f = x[:, 1:3].stride()
g = tuple(x.view(-1, 16).shape); h = tuple(torch.cat([x, x], dim=1).shape)
i = (torch.ones(2) * 3).int()[0].item(); j = torch.tensor([[1, 2], [3, 4]])[1].tolist()[0]
k = tuple((x @ torch.empty(16, 5)).shape); l = x.element_size()
m = tuple(torch.einsum("abc,dc->abd", x, torch.empty(7, 16)).shape); n = tuple(x.unsqueeze(-1).squeeze(-1).shape)
o = tuple(x.view(torch.float32).shape); p = tuple(x.split(3, 0)[1].shape)
q = torch.full((4,), 7).sum().item(); r = torch.tensor([3, 1, 2]).cumsum(0)[-1].item(); s = torch.tensor([[3, 9], [2, 1]]).max().item()
t = x[:, ::2].stride()
assert torch.allclose(x, x) and (x == x).all() and not (x - 1 > 2).any()
)py",
                      "--arch sm_90a");
  CAPTURE(traced.run.err);
  CHECK(traced.run.code == 0);
  const auto value = [&](const char* name) { return traced.row(name).value("value", ""); };
  CHECK(value("a") == "(4,8,16)");
  CHECK(value("b") == "(128,16,1)");
  CHECK(value("c") == "(16,4,8)");
  CHECK(value("d") == "(1,16,128)");
  CHECK(value("e") == "(4,1,4)");
  CHECK(value("f") == "(128,16,1)");
  CHECK(value("g") == "(32,16)");
  CHECK(value("h") == "(4,16,16)");
  CHECK(value("i") == "3");
  CHECK(value("j") == "3");
  CHECK(value("k") == "(4,8,5)");
  CHECK(value("l") == "2");
  CHECK(value("m") == "(4,8,7)");
  CHECK(value("n") == "(4,8,16)");
  CHECK(value("o") == "(4,8,8)");
  CHECK(value("p") == "(1,8,16)");
  CHECK(value("q") == "28");
  CHECK(value("r") == "6");
  CHECK(value("s") == "9");
  CHECK(value("t") == "(128,32,1)");
}

TEST_CASE("what answers by guess is said") {
  if (!python_is_here()) return;
  const Traced traced("import torch\nx = torch.special.bessel_j0(torch.empty(3))\ntorch.empty(3).wonder()\n");
  CHECK(traced.run.code == 0);
  CHECK(has(traced.run.err, "Tensor.wonder"));
  CHECK(has(traced.run.err, "torch.special.bessel_j0"));
  CHECK(has(traced.run.err, "the architecture sm_80"));
}

TEST_CASE("a file that is no trace is not written over, and a trace is") {
  if (!python_is_here()) return;
  const Traced traced("a = cute.Layout('4:1')\n");
  put(traced.home / "thesis.txt", "years of work\n");
  const Run refused = traced.again("--out thesis.txt");
  CHECK(refused.code == 1);
  CHECK(has(refused.err, "is no trace, so it is not written over"));
  CHECK(contents(traced.home / "thesis.txt") == "years of work\n");
  CHECK(traced.again("--out kernel.py").code == 1);
  CHECK(traced.again().code == 0);
  CHECK(traced.ends() == 1);
  CHECK(traced.again("--out /nowhere/a.trace").code == 1);
}

TEST_CASE("what is missing on a machine is said, with what to try") {
  if (!python_is_here()) return;
  const Traced traced("a = 1\n");
  put(traced.home / "none/cutlass/__init__.py", "");
  fs::create_directories(traced.home / "none/cutlass");
  put(traced.home / "none/cutlass/__init__.py", "raise ImportError('no DSL here')\n");
  // A trace of an earlier run stays until another one has begun.
  const std::string earlier = contents(traced.home / "kernel.py.trace");
  CHECK(traced.line("PYTHONPATH=none tessera trace kernel.py").code == 3);
  CHECK(contents(traced.home / "kernel.py.trace") == earlier);
  CHECK_FALSE(fs::exists(traced.home / "kernel.py.trace.part"));
  fs::remove(traced.home / "kernel.py.trace");
  const Run dsl = traced.line("PYTHONPATH=none tessera trace kernel.py");
  CHECK(dsl.code == 3);
  CHECK(has(dsl.err, "cannot import the CuTe DSL: ImportError: no DSL here"));
  CHECK(has(dsl.err, "pip install nvidia-cutlass-dsl"));
  CHECK_FALSE(fs::exists(traced.home / "kernel.py.trace"));
  const Run python = traced.again("--python /no/such/python");
  CHECK(python.code == 3);
  CHECK(has(python.err, "--python names /no/such/python"));
  CHECK(traced.line("TESSERA_PYTHON=/no/python tessera trace kernel.py").code == 3);
  CHECK(has(traced.line("PATH=/nowhere tessera trace kernel.py").err, "there is no Python"));
  CHECK(traced.line("tessera trace nothing.py").code == 1);
  CHECK(traced.line("tessera trace").code == 2);
}

TEST_CASE("the Python of a virtual environment is taken before the system's") {
  if (!python_is_here()) return;
  const Traced traced("a = cute.Layout('4:1')\n");
  fs::create_directories(traced.home / "venv/bin");
  put(traced.home / "venv/bin/python", "#!/bin/sh\necho yes > chosen\nexec python3 \"$@\"\n");
  fs::permissions(traced.home / "venv/bin/python", fs::perms::owner_all);
  CHECK(traced.line("VIRTUAL_ENV=$PWD/venv tessera trace kernel.py").code == 0);
  CHECK(contents(traced.home / "chosen") == "yes\n");
}

TEST_CASE("a program of Python's own modules finds none of the tracer's") {
  if (!python_is_here()) return;
  const Traced traced(
      "import importlib.util\nfound = [n for n in ('run', 'places', 'prints', 'kinds') if importlib.util.find_spec(n)]\n"
      "name = __name__\nif found or name != '__main__' or sys.argv != ['kernel.py', '-x']: sys.exit(str((found, name, sys.argv)))\n"
      "if sys.path[0] != os.getcwd(): sys.exit(sys.path[0])\n",
      "", "-- -x");
  CAPTURE(traced.run.err);
  CHECK(traced.run.code == 0);
}
