// SPDX-License-Identifier: BSD-3-Clause
// The cache says HIT or MISS and why, and survives damage and folders that cannot be written.
#include "kernels/runtime/cubin_cache.hpp"

#include <unistd.h>

#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::contents;
using test::FakeCompiler;
using test::naive_gemm;
using test::put;
namespace fs = std::filesystem;

TEST_CASE("the second look-up of the same kernel is a hit and gives the same cubin") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache((folder / "deep/cubins").string());
  const auto first = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  const auto second = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(first.cache.hit);
  CHECK(first.cache.reason == "no entry of this kernel");
  CHECK(first.cache.notes.empty());
  CHECK(second.cache.hit);
  CHECK(second.cache.key == first.cache.key);
  CHECK(compiler.compiled == 1);
  CHECK(second.cubin.bytes == first.cubin.bytes);
  CHECK(second.cubin.resources == first.cubin.resources);
  CHECK(second.cubin.log == first.cubin.log);
}

TEST_CASE("a miss names the field that changed") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache(folder.path().string());
  KernelSource source = naive_gemm(8, 8, 8);
  REQUIRE(cache.get(source, {80, 0}, compiler).has_value());
  CHECK(cache.get(source, {90, 'a'}, compiler)->cache.reason == "arch was sm_80, is sm_90a");
  compiler.version_text = "NVRTC 12.9";
  CHECK(cache.get(source, {80, 0}, compiler)->cache.reason == "compiler was NVRTC 13.0, is NVRTC 12.9");
  source.text += "// a comment\n";
  CHECK(cache.get(source, {80, 0}, compiler)->cache.reason == "text changed");
  CHECK(compiler.compiled == 4);
}

TEST_CASE("keys are the same in every process: they depend on the fields alone") {
  FakeCompiler compiler;
  const CacheKey key = cache_key(naive_gemm(8, 8, 8), {90, 'a'}, compiler);
  CHECK(key.at(5) == std::pair<std::string, std::string>("arch", "sm_90a"));
  CHECK(key.at(6).second == "-std=c++17");
  CHECK(key == cache_key(naive_gemm(8, 8, 8), {90, 'a'}, compiler));
  test::TemporaryFolder folder;
  CubinCache cache(folder.path().string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 'a'}, compiler).value();
  const std::string json = contents(folder / (made.cache.key + ".json"));
  CHECK(json.find("\"arch\": \"sm_90a\"") != std::string::npos);  // a person can read it
  CHECK(made.cache.key.starts_with("naive_f32_8x8x8-"));
}

TEST_CASE("a damaged entry is compiled again, reported, and whole afterwards") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache(folder.path().string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  const fs::path cubin = folder / (made.cache.key + ".cubin"), json = folder / (made.cache.key + ".json");
  SECTION("the cubin is truncated") { put(cubin, made.cubin.bytes.substr(0, 10)); }
  SECTION("one bit of the cubin is another") {
    std::string bytes = made.cubin.bytes;
    bytes[5] = static_cast<char>(bytes[5] ^ 1);
    put(cubin, bytes);
  }
  SECTION("the cubin is gone") { fs::remove(cubin); }
  SECTION("the json is truncated") { put(json, contents(json).substr(0, 40)); }
  SECTION("the json is of another key") {
    std::string text = contents(json);
    text.replace(text.find("sm_90"), 5, "sm_80");
    put(json, text);
  }
  SECTION("the json is another kind of value") { put(json, "[1, 2]"); }
  SECTION("a field is another kind of value") {
    const char* field = GENERATE("\"cubin_sha256\": ", "\"compiler\": ", "\"log\": ");
    std::string text = contents(json);
    const std::size_t begin = text.find(field, text.find('}')) + std::string(field).size();  // below the key, which has a compiler too
    text.replace(begin, text.find('"', begin + 1) + 1 - begin, "5");
    put(json, text);
  }
  const auto again = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(again.cache.hit);
  CHECK(again.cache.reason == "the entry is damaged");
  REQUIRE(again.cache.notes.size() == 1);
  CHECK(again.cache.notes[0].find("compiled again") != std::string::npos);
  CHECK(again.cubin.bytes == made.cubin.bytes);
  CHECK(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.hit);
}

TEST_CASE("damaged entries of the same name do not stand in the way of a miss") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache(folder.path().string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  const std::string stem = made.cache.key.substr(0, made.cache.key.rfind('-') + 1);
  put(folder / (stem + "1.json"), R"({"key": 3})");
  put(folder / (stem + "2.json"), R"({"key": {"arch": 90}})");
  fs::create_directory(folder / (stem + "3.json"));
  fs::remove(folder / (made.cache.key + ".json"));
  const auto again = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(again.cache.hit);
  CHECK(again.cubin.bytes == made.cubin.bytes);
}

TEST_CASE("a folder that cannot be written costs the caching, not the run") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  put(folder / "file", "not a folder");
  CubinCache cache((folder / "file/cubins").string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  REQUIRE(made.cache.notes.size() == 1);
  CHECK(made.cache.notes[0].find("could not be kept in") != std::string::npos);
  CHECK_FALSE(made.cubin.bytes.empty());
}

TEST_CASE("what does not compile is not kept, and an empty folder turns the cache off") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  KernelSource source = naive_gemm(8, 8, 8);
  source.text = "does not compile";
  CHECK(CubinCache(folder.path().string()).get(source, {90, 0}, compiler).error().code == ErrorCode::compile_failed);
  CHECK(fs::is_empty(folder.path()));
  CHECK(CubinCache("").get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.reason == "the cache is off");
}

TEST_CASE("the cache lives in the XDG folder") {
  test::TemporaryEnvironment home("HOME", "/home/someone");
  {
    test::TemporaryEnvironment cache("XDG_CACHE_HOME", "/tmp/xdg");
    CHECK(CubinCache::default_folder() == "/tmp/xdg/tessera/cubins");
  }
  test::TemporaryEnvironment cache("XDG_CACHE_HOME", "");
  CHECK(CubinCache::default_folder() == "/home/someone/.cache/tessera/cubins");
}
