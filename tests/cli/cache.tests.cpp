// SPDX-License-Identifier: BSD-3-Clause
// `tessera cache` as a person or a script meets it, and a GEMM that runs from a pack where there is no compiler.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "app/session/gemm/gemm_request.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;
using test_json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kGemm = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";

// A cache with entries of a GEMM for two architectures, as NVRTC would have made them, and a line of a shell that uses it.
struct Cache {
  TemporaryFolder home;
  FakeCompiler compiler;
  std::string first, second;

  Cache() {
    compiler.option_words = nvrtc_options();
    compiler.gives_ptx = true;
    const KernelSource source = source_of_spec_text(kGemm).value();
    first = CubinCache(cubins().string()).get(source, {80, 0}, compiler)->cache.key;
    second = CubinCache(cubins().string()).get(source, {90, 0}, compiler)->cache.key;
  }
  fs::path cubins() const { return home / "tessera/cubins"; }
  Run run(const std::string& line) const {
    return shell("export XDG_CACHE_HOME='" + home.path().string() + "' GEMM='" + kGemm + "'; " + line);
  }
};

// NVRTC's names lead to a library that has nothing of it.
const std::string kHideNvrtc = "mkdir hidden; m=$(ldd '" + program("tessera") +
                               "' | awk '/libm.so/{print $3}'); for n in so.13 so.12 so.11.2 so; do ln -s \"$m\" hidden/libnvrtc.$n; done; "
                               "export LD_LIBRARY_PATH=$PWD/hidden; ";

}  // namespace

TEST_CASE("the cache's list is read by people and by machines, the last used first") {
  const Cache cache;
  const Run text = cache.run("tessera cache list");
  INFO(text.out << text.err);
  CHECK(text.code == 0);
  CHECK(text.out.find(cache.second) < text.out.find(cache.first));
  CHECK(has(text.out, "NVRTC 13.0"));
  CHECK(has(text.out, "16 x 16 x 8 TN, f16 f16 f32"));
  CHECK(has(text.out, "2 entries, "));
  CHECK(has(text.out, "of at most 256 MiB, in " + cache.cubins().string()));
  const test_json json = test_json::parse(cache.run("tessera cache list --json").out);
  CHECK(json["cap_bytes"] == 256 << 20);
  REQUIRE(json["entries"].size() == 2);
  CHECK(json["entries"][0]["key"] == cache.second);
  CHECK(json["entries"][0]["arch"] == "sm_90");
  CHECK(json["entries"][1]["compiler"] == "NVRTC 13.0");
  CHECK(json["entries"][1]["problem_size"] == "16 x 16 x 8 TN, f16 f16 f32");
  CHECK(json["bytes"] == json["entries"][0]["bytes"].get<int>() + json["entries"][1]["bytes"].get<int>());
  const Run none = shell("tessera cache list && tessera cache verify && ls -A");
  CHECK(has(none.out, "0 entries, 0 bytes"));
  CHECK_FALSE(has(none.out, ".cache\n"));  // who only asks makes no folder
  CHECK(shell("tessera cache verify").code == 0);
}

TEST_CASE("an entry is shown: its record, its PTX, its machine code, and its SASS by the tool that is there") {
  const Cache cache;
  const Run record = cache.run("tessera cache show " + cache.first);
  INFO(record.out << record.err);
  CHECK(record.code == 0);
  for (const char* part : {"sm_80", "NVRTC 13.0", "-std=c++17 --ptxas-options=-v", "40 a thread", "whole", "UTC (just now)"})
    CHECK(has(record.out, part));
  const Run plan = cache.run("tessera cache show " + cache.first + " --plan");
  CHECK(has(plan.out, "16 x 16 x 8"));
  CHECK(has(plan.out, "SM70_8x8x4_F32F16F16F32_NT"));
  CHECK(cache.run("tessera cache show " + cache.first + " --plan --ptx").code == 2);
  CHECK(cache.run("tessera cache show " + cache.first.substr(0, cache.first.size() - 3) + " --ptx").out.starts_with("// PTX of "));
  CHECK(cache.run("tessera cache show " + cache.first + " --cubin c && cat c").out.starts_with("cubin of "));
  const Run twice = cache.run("echo mine > c; tessera cache show " + cache.first + " --cubin c; code=$?; cat c; exit $code");
  CHECK(twice.code == 1);
  CHECK(twice.out == "mine\n");
  const std::string tool = "mkdir bin; printf '#!/bin/sh\\necho \"$1\"; cat \"$2\"\\n' > bin/cuobjdump; chmod +x bin/cuobjdump; ";
  const Run sass = cache.run(tool + "PATH=$PWD/bin:$PATH tessera cache show " + cache.first + " --sass");
  INFO(sass.err);
  CHECK(sass.out.starts_with("-sass\ncubin of "));
  const Run bad = cache.run("mkdir bin; printf '#!/bin/sh\\necho no ELF; exit 5\\n' > bin/cuobjdump; chmod +x bin/cuobjdump; " +
                            std::string("PATH=$PWD/bin:$PATH tessera cache show ") + cache.first + " --sass");
  CHECK(bad.code == 1);
  CHECK(has(bad.err, "exit code 5"));
  CHECK(has(bad.err, "no ELF"));
  CHECK(cache.run("tessera cache show " + cache.first + " --sass --ptx").code == 2);
  CHECK(cache.run("tessera cache show").code == 2);
  for (const char* none : {"''", "../x", "zzz", "'*'", "\"$(printf 'a\\033[2Jb')\""}) {
    const Run refused = cache.run(std::string("tessera cache show ") + none);
    INFO(none << refused.err);
    CHECK(refused.code == 1);
    CHECK(has(refused.err, "has no entry"));
    CHECK_FALSE(has(refused.err, "\033"));
  }
  const Run both = cache.run("tessera cache show " + cache.first.substr(0, 3));
  CHECK(both.code == 1);
  CHECK(has(both.err, "the beginning of 2 keys"));
}

TEST_CASE("verify names every damaged entry, and nothing of one is shown or packed") {
  const Cache cache;
  CHECK(cache.run("tessera cache verify").out == "2 entries whole, 0 damaged, 0 of another format\n");
  const std::string ending = GENERATE(".json", ".cubin", ".ptx");
  const fs::path file = cache.cubins() / (cache.first + ending);
  std::string bytes = contents(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  put(file, bytes);
  put(cache.cubins() / "old-0123456789abcdef.json", R"({"sha256": "x", "key": {"schema": "2", "name": "old"}})");
  const Run run = cache.run("tessera cache verify");
  INFO(run.out);
  CHECK(run.code == 1);
  CHECK(has(run.out, cache.first + "  damaged: its "));
  CHECK(has(run.out, "format 2"));
  CHECK(has(run.out, "1 entry whole, 1 damaged, "));
  for (const char* option : {"", "--ptx", "--cubin c"}) CHECK(cache.run("tessera cache show " + cache.first + " " + option).code == 1);
  const Run packed = cache.run("tessera cache pack p");
  CHECK(packed.code == 1);
  CHECK(has(packed.err, "not used: " + cache.first));
  CHECK(has(packed.out, "packed " + cache.second));
}

TEST_CASE("clear removes what it is told, says so, and refuses without being told") {
  const Cache cache;
  const auto left = [&] { return test_json::parse(cache.run("tessera cache list --json").out)["entries"].size(); };
  for (const std::string& words : {std::string(), "--all " + cache.first}) CHECK(cache.run("tessera cache clear " + words).code == 2);
  CHECK(cache.run("tessera cache clear " + cache.first + " nothing").code == 1);
  CHECK(left() == 2);
  put(cache.cubins() / "notes.txt", "a person's own");
  CHECK(has(cache.run("tessera cache clear " + cache.first + " " + cache.first).out, "1 entry removed"));
  CHECK(left() == 1);
  const Run all = cache.run("tessera cache clear --all");
  CHECK(all.code == 0);
  CHECK(has(all.out, "removed " + cache.second));
  CHECK(left() == 0);
  CHECK(contents(cache.cubins() / "notes.txt") == "a person's own");
}

TEST_CASE("a pack is loaded on another machine, whose list is then the same") {
  const Cache cache;
  const Run run = cache.run(
      "tessera cache pack p >&2 && { tessera cache pack p; echo $?; } 2>&1 | tail -1; tessera cache list | head -3; export "
      "XDG_CACHE_HOME=$PWD/x; tessera cache load p >&2; tessera cache list | head -3; tessera cache verify >&2; tessera cache load p");
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("1\n"));  // the file is there, and stays
  CHECK(has(run.err, "taken " + cache.first));
  CHECK(has(run.out, "0 entries taken, 2 there already, 0 not used"));
  const std::size_t end = run.out.find("key", 10);
  CHECK(run.out.find(cache.second, end) < run.out.find(cache.first, end));
  for (const char* none : {"nowhere", ".", "/dev/null", "in", "/dev/zero"}) {
    const Run refused = cache.run(std::string("tessera cache load ") + none);
    INFO(none << refused.err);
    CHECK(refused.code == 1);
    CHECK_FALSE(refused.err.empty());
  }
  CHECK(shell("tessera cache pack p").code == 1);
  CHECK(cache.run("tessera cache load").code == 2);
}

TEST_CASE("where NVRTC is missing a GEMM comes from a loaded pack, and one that is not in it is refused in a sentence") {
  const Cache cache;
  const std::string elsewhere = "tessera cache pack p >/dev/null && export XDG_CACHE_HOME=$PWD/x && " + kHideNvrtc;
  const Run none = cache.run(elsewhere + "tessera gemm compile \"$GEMM\" --arch sm_80");
  INFO(none.err);
  CHECK(none.code == 3);
  CHECK(has(none.err, "no_compiler: "));
  CHECK(has(none.err, "for sm_80 to launch instead: no entry of this kernel"));
  const Run loaded =
      cache.run(elsewhere + "tessera cache load p >/dev/null; tessera gemm compile \"$GEMM\" --arch sm_80 --json --out c; cat c");
  INFO(loaded.err);
  CHECK(loaded.code == 0);
  CHECK(has(loaded.out, "\"cache_hit\":true"));
  CHECK(has(loaded.out, "\"cache_key\":\"" + cache.first + "\""));
  CHECK(has(loaded.out, "cubin of "));
  const Run other = cache.run(elsewhere + "tessera cache load p >/dev/null; tessera gemm compile \"$GEMM\" --arch sm_75");
  CHECK(other.code == 3);
  CHECK(has(other.err, "arch was sm_"));
  CHECK(has(other.err, "(the nearest entry is " + cache.first.substr(0, cache.first.find('-'))));
  const Run source = cache.run(elsewhere + "tessera cache load p >/dev/null; tessera gemm compile \"$GEMM\" --k 16 --arch sm_80");
  CHECK(source.code == 3);
  CHECK(has(source.err, "source and plan differ; in the plan problem was 16 x 16 x 8, is 16 x 16 x 16; "));
  CHECK(has(source.err, "(the nearest entry is " + cache.first));
  // A carried entry of an older architecture of the same generation will do.
  const Run older = cache.run(elsewhere + "tessera cache load p >/dev/null; tessera gemm compile \"$GEMM\" --arch sm_86");
  CHECK(older.code == 0);
  CHECK(has(older.out, "HIT: gemm for sm_80, which sm_86 runs"));
}

TEST_CASE("an architecture with an 'a' that the kernel does not need is compiled without it, and that is said") {
  const Cache cache;
  const Run with = cache.run("tessera gemm compile \"$GEMM\" --arch sm_90a");
  if (with.code == 3) return;  // no NVRTC
  INFO(with.out << with.err);
  CHECK(has(with.err, "note: compiled for sm_90, since the kernel asks for nothing that only sm_90a has"));
  const Run without = cache.run("tessera gemm compile \"$GEMM\" --arch sm_90");
  CHECK_FALSE(has(without.err, "note: compiled"));
}

TEST_CASE("every GEMM of a document goes into one pack by one command, and comes out of it where NVRTC is missing") {
  TemporaryFolder home;
  std::string document = "let warps = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n";
  for (const auto& [name, a, b] :
       {std::tuple{"nn", "(1,64)", "(32,1)"}, {"nt", "(1,64)", "(1,64)"}, {"tn", "(32,1)", "(32,1)"}, {"tt", "(32,1)", "(1,64)"}})
    document += fmt::format("let {} = gemm(m=64, n=64, k=32, mma=warps, gA=(64,32):{}, gB=(64,32):{})\n", name, a, b);
  put(home / "layouts.tess", document);
  const auto run = [&](const std::string& line) {
    return shell("cd '" + home.path().string() + "'; export XDG_CACHE_HOME=$PWD/here; " + line);
  };
  const std::string elsewhere = kHideNvrtc + "export XDG_CACHE_HOME=$PWD/there; ";
  const Run made = run("tessera gemm compile layouts.tess --each --arch sm_80 --pack layouts.pack && tessera cache list");
  if (made.code == 3) return;  // no NVRTC
  INFO(made.out << made.err);
  REQUIRE(made.code == 0);
  for (const char* problem : {"64 x 64 x 32 NN,", "64 x 64 x 32 NT,", "64 x 64 x 32 TN,", "64 x 64 x 32 TT,"})
    CHECK(has(made.out, problem));
  // Each with its reference, and what fills, holds and compares for all of them.
  CHECK(has(made.out, "layouts.pack  12 entries, "));
  const Run loaded =
      run(elsewhere + "tessera cache load layouts.pack; tessera gemm compile layouts.tess --each --arch sm_80 --with-checks --json");
  INFO(loaded.out << loaded.err);
  CHECK(loaded.code == 0);
  CHECK(has(loaded.out, "12 entries taken, 0 there already, 0 not used"));
  std::size_t hits = 0;
  for (std::size_t at = 0; (at = loaded.out.find("\"cache_hit\":true", at)) != std::string::npos; ++at) ++hits;
  CHECK(hits == 4);
  const Run other = run(elsewhere + "tessera gemm compile layouts.tess --each --arch sm_90");
  CHECK(other.code == 3);
  CHECK(has(other.err, "arch was sm_80, is sm_90"));
  CHECK(has(other.err, "in the document's \"nn\""));
  CHECK(run("tessera gemm compile layouts.tess --each --out c").code == 2);
  CHECK(has(run("echo 'let a = 4' > none.tess; tessera gemm compile none.tess --each").err, "the document has no GEMM"));
  const Run json = run("tessera gemm compile layouts.tess --each --arch sm_80 --pack again.pack --json");
  CHECK_FALSE(has(json.out, "packed"));
  CHECK(has(json.err, "packed nn-sm_80-"));
}

TEST_CASE("the settings say how much the cache may hold") {
  const Cache cache;
  const auto with = [&](const std::string& bytes) {
    return cache.run("mkdir -p .config/tessera; echo '{\"cache_bytes\": " + bytes +
                     "}' > .config/tessera/settings.json; tessera cache list");
  };
  CHECK(has(with("2097152").out, "of at most 2 MiB"));
  CHECK(has(with("0").err, "the cache is off"));
  CHECK(with("0").code == 1);
  const Run bad = with("-5");
  CHECK(bad.code == 0);
  CHECK(has(bad.err, "note: the cache holds up to 256 MiB, since "));
  CHECK(has(bad.err, "cache_bytes"));
}
