// SPDX-License-Identifier: BSD-3-Clause
// The cache says HIT or MISS and why, and survives damage and folders that cannot be written.
#include "kernels/runtime/cache/cubin_cache.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/sha256.hpp"
#include "kernels/runtime/measure/measure.hpp"
#include "kernels/runtime/measure/result_check.hpp"
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

namespace {

// The .json with the hash over itself and the .cubin written anew, as one would who plants an entry.
std::string rehashed(std::string json, const std::string& cubin) {
  const std::size_t begin = json.find("\"sha256\": \"") + 11, digits = 64;
  const std::string rest = json.substr(begin + digits);
  return json.replace(begin, digits, sha256_hex(std::to_string(rest.size()) + ":" + rest + cubin));
}

void put_byte(const fs::path& path, std::size_t at, char byte) {
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)).put(byte);
}

}  // namespace

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

TEST_CASE("a miss names the fields that differ from the nearest entry, which entry that is, and when it was made") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  std::int64_t seconds = 1'700'000'000;
  CubinCache cache(CacheSettings{folder.path().string(), kDefaultCacheBytes, [&] { return seconds * 1'000'000'000; }});
  KernelSource source = naive_gemm(8, 8, 8);
  const std::string first = cache.get(source, {80, 0}, compiler)->cache.key;
  seconds += 125;
  const CacheOutcome arch = cache.get(source, {90, 'a'}, compiler)->cache;
  CHECK(arch.reason == "arch was sm_80, is sm_90a (the nearest entry is " + first + ", made 2 minutes ago)");
  CHECK(arch.differs == std::vector<std::string>{"arch"});
  CHECK(arch.nearest == first);
  compiler.version_text = "NVRTC 12.9";
  const CacheOutcome version = cache.get(source, {80, 0}, compiler)->cache;
  CHECK(version.reason == "NVRTC version was NVRTC 13.0, is NVRTC 12.9 (the nearest entry is " + first + ", made 2 minutes ago)");
  source.text += "// a comment\n";
  const CacheOutcome text = cache.get(source, {80, 0}, compiler)->cache;
  CHECK(text.reason == "source differs (the nearest entry is " + version.key + ", made just now)");
  source.text += "// another\n", source.plan_text = "another", compiler.option_words = {"-O1"};
  const CacheOutcome all = cache.get(source, {80, 0}, compiler)->cache;
  CHECK(all.reason.starts_with("source and plan differ; options was -std=c++17, is -O1 (the nearest entry is "));
  CHECK(all.differs == std::vector<std::string>{"source", "plan", "options"});
  CHECK(compiler.compiled == 5);
  const CacheOutcome hit = cache.get(source, {80, 0}, compiler)->cache;
  CHECK(hit.hit);
  CHECK(hit.differs.empty());
  CHECK(hit.nearest.empty());
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
  CHECK(made.cache.key.starts_with("naive_f32_8x8x8-sm_90a-"));
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
  SECTION("a field is another kind of value, under a right hash") {
    const char* field = GENERATE("\"key\": ", "\"ptx_sha256\": ", "\"log\": ");
    std::string text = contents(json);
    const std::size_t key_end = text.find('}');
    const std::size_t begin = text.find(field, std::string(field) == "\"key\": " ? 0 : key_end) + std::string(field).size();
    const std::size_t end = text[begin] == '{' ? key_end : text.find('"', begin + 1);
    put(json, rehashed(text.replace(begin, end + 1 - begin, "5"), made.cubin.bytes));
  }
  const auto again = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(again.cache.hit);
  CHECK(again.cache.reason == "the entry is damaged");
  REQUIRE(again.cache.notes.size() == 1);
  CHECK(again.cache.notes[0].find("compiled again") != std::string::npos);
  CHECK(again.cubin.bytes == made.cubin.bytes);
  CHECK(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.hit);
}

TEST_CASE("no entry with one bit changed is a hit, wherever in its two files the bit is") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache(folder.path().string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  compiler.refuses = true;  // what is not found in the cache is an error then, and the entry stays as it is
  for (const char* ending : {".json", ".cubin"}) {
    const fs::path file = folder / (made.cache.key + ending);
    const std::string whole = contents(file);
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      put_byte(file, bit / 8, static_cast<char>(whole[bit / 8] ^ (1 << (bit % 8))));
      INFO(ending << " bit " << bit);
      REQUIRE_FALSE(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).has_value());
      put_byte(file, bit / 8, whole[bit / 8]);
    }
    for (const std::string& other : {whole + " ", whole.substr(1), whole.substr(0, whole.size() - 1), std::string()}) {
      put(file, other);
      REQUIRE_FALSE(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).has_value());
    }
    put(file, whole);
  }
  CHECK(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.hit);
}

TEST_CASE("a cubin that somebody else could have planted never runs, however right its hash is") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  const fs::path cubins = folder / "cubins";
  CubinCache cache(cubins.string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  const fs::path cubin = cubins / (made.cache.key + ".cubin"), json = cubins / (made.cache.key + ".json");
  const std::string planted = "planted" + made.cubin.bytes.substr(7);
  put(cubin, planted);
  put(json, rehashed(contents(json), planted));
  REQUIRE(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cubin.bytes == planted);  // the entry is right but for who could write it
  std::string word = "may be written by others";
  bool is_folder = true;
  SECTION("the folder is writable by others") { REQUIRE(::chmod(cubins.c_str(), 0777) == 0); }
  SECTION("a folder above it is") { REQUIRE(::chmod(folder.path().c_str(), 0770) == 0); }
  SECTION("the cubin is") {
    REQUIRE(::chmod(cubin.c_str(), 0666) == 0);
    is_folder = false;
  }
  SECTION("the json is") {
    REQUIRE(::chmod(json.c_str(), 0620) == 0);
    is_folder = false;
  }
  SECTION("the cubin is a link to a folder of others") {
    fs::rename(cubin, folder / "elsewhere");
    fs::create_symlink(folder / "elsewhere", cubin);
    word = "it is a link";
    is_folder = false;
  }
  if (::geteuid() == 0) {
    constexpr uid_t nobody = 65534;
    SECTION("the folder belongs to another") {
      REQUIRE(::chown(cubins.c_str(), nobody, nobody) == 0);
      word = "belongs to user 65534";
    }
    SECTION("the folder is a link to one of another") {
      fs::rename(cubins, folder / "theirs");
      REQUIRE(::chown((folder / "theirs").c_str(), nobody, nobody) == 0);
      fs::create_symlink("theirs", cubins);
      word = "belongs to user 65534";
    }
    SECTION("the cubin belongs to another") {
      REQUIRE(::chown(cubin.c_str(), nobody, nobody) == 0);
      word = "belongs to user 65534";
      is_folder = false;
    }
  } else {
    WARN("skipped: only root can make files of somebody else");
  }
  const int compiled = compiler.compiled;
  const auto again = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(again.cache.hit);
  CHECK(again.cubin.bytes == made.cubin.bytes);
  CHECK(compiler.compiled == compiled + 1);
  REQUIRE(again.cache.notes.size() == 1);
  CHECK(again.cache.notes[0].find(word) != std::string::npos);
  CHECK((contents(cubin) == planted) == is_folder);  // a folder that is not believed is not touched; a damaged entry is replaced
}

TEST_CASE("kept cubins are for their owner alone") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache((folder / "deep/cubins").string());
  const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  for (const char* name : {"deep", "deep/cubins"}) CHECK(fs::status(folder / name).permissions() == fs::perms(0700));
  for (const char* ending : {".json", ".cubin"})
    CHECK(fs::status(folder / ("deep/cubins/" + made.cache.key + ending)).permissions() == fs::perms(0600));
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

TEST_CASE("an entry for which the disk has no room leaves nothing of itself behind") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.gives_ptx = true;
  CubinCache cache((folder / "cubins").string());
  const std::string small = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.key;
  KernelSource large = naive_gemm(8, 8, 8);
  large.text += std::string(100'000, ' ');
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit less{50'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &less) == 0);
  const auto made = cache.get(large, {90, 0}, compiler);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  ::signal(SIGXFSZ, ignored);
  REQUIRE(made.has_value());
  REQUIRE(made->cache.notes.size() == 1);
  CHECK(made->cache.notes[0].find("could not be kept in") != std::string::npos);
  std::size_t files = 0;
  for (const auto& file : fs::directory_iterator(folder / "cubins")) {
    INFO(file.path());
    files += file.path().extension() == ".lock" || file.path().filename() == ".lock" ? 0 : 1;
  }
  CHECK(files == 3);
  CHECK(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.key == small);
  CHECK_FALSE(cache.get(large, {90, 0}, compiler)->cache.hit);  // and is kept once there is room
  CHECK(cache.get(large, {90, 0}, compiler)->cache.hit);
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
  for (const char* none : {"", "relative"}) {
    test::TemporaryEnvironment nowhere("HOME", none);
    CHECK(CubinCache::default_folder().empty());
  }
}

TEST_CASE("an entry that would be too large to read back is not kept, and the run goes on") {
  class Talkative final : public KernelCompiler {
   public:
    Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
      return Cubin{"cubin", arch, source.entry, std::string(std::size_t{1} << 20, 'w'), {}, version(), 1.0};
    }
    std::string version() const override { return "NVRTC 13.0"; }
    std::vector<std::string> options() const override { return {}; }
    std::vector<int> supported_sms() const override { return {90}; }
  };
  test::TemporaryFolder folder;
  Talkative compiler;
  CubinCache cache((folder / "cubins").string());
  for (int run = 0; run < 2; ++run) {
    const auto made = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
    CHECK(made.cubin.bytes == "cubin");
    CHECK_FALSE(made.cache.hit);
    REQUIRE(made.cache.notes.size() == 1);
    CHECK(made.cache.notes.front().find("could not be kept") != std::string::npos);
    CHECK(made.cache.notes.front().find("it is too large") != std::string::npos);
  }
}

TEST_CASE("a whole entry of another kernel under this kernel's name is not taken") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CubinCache cache(folder.path().string());
  KernelSource other = naive_gemm(8, 8, 8);
  other.text += "// another\n";
  const auto mine = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  const auto theirs = cache.get(other, {90, 0}, compiler).value();
  REQUIRE(mine.cache.key != theirs.cache.key);
  for (const char* part : {".json", ".cubin"}) {
    fs::copy_file(folder / (theirs.cache.key + part), folder / (mine.cache.key + part), fs::copy_options::overwrite_existing);
  }
  const auto again = cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler).value();
  CHECK_FALSE(again.cache.hit);
  CHECK(again.cubin.bytes == mine.cubin.bytes);
  REQUIRE(again.cache.notes.size() == 1);
  CHECK(again.cache.notes.front().find("its .json is of another key") != std::string::npos);
  CHECK(cache.get(naive_gemm(8, 8, 8), {90, 0}, compiler)->cache.hit);
}

TEST_CASE("a cache folder that vanishes during a run is a fresh compile, and there again afterwards") {
  class Sweeper final : public KernelCompiler {
   public:
    Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
      fs::remove_all(folder);
      return inner.compile(source, arch);
    }
    std::string version() const override { return inner.version(); }
    std::vector<std::string> options() const override { return inner.options(); }
    std::vector<int> supported_sms() const override { return inner.supported_sms(); }
    fs::path folder;
    FakeCompiler inner;
  };
  test::TemporaryFolder folder;
  Sweeper compiler;
  compiler.folder = folder / "cubins";
  CubinCache cache(compiler.folder.string());
  for (int number = 0; number < 3; ++number) {
    KernelSource source = naive_gemm(8, 8, 8);
    source.text += std::to_string(number);
    const auto made = cache.get(source, {90, 0}, compiler);
    REQUIRE(made.has_value());
    CHECK(made->cache.notes.empty());
    CHECK(cache.get(source, {90, 0}, compiler)->cache.hit);
  }
}

TEST_CASE("without a compiler a kept cubin of any version is launched, and a miss says what is nearest") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.option_words = nvrtc_options();
  compiler.version_text = "NVRTC 12.9";
  CubinCache cache(folder.path().string());
  const KernelSource source = naive_gemm(8, 8, 8);
  const auto absent = or_absent(Error{ErrorCode::no_compiler, "no NVRTC on this machine", {}, {"install it"}});
  const Error empty = cache.get(source, {90, 'a'}, *absent).error();
  CHECK(empty.code == ErrorCode::no_compiler);
  CHECK(empty.message ==
        "no NVRTC on this machine; and the cache has no entry of 'naive f32 8x8x8' for sm_90a to launch instead: no entry of this kernel");
  const auto made = cache.get(source, {90, 'a'}, compiler).value();
  const auto found = cache.get(source, {90, 'a'}, *absent).value();
  CHECK(found.cache.hit);
  CHECK(found.cache.key == made.cache.key);
  CHECK(found.cubin.bytes == made.cubin.bytes);
  CHECK(found.cubin.compiler == "NVRTC 12.9");
  CHECK(found.cubin.entry == "naive_gemm");
  CHECK(found.cubin.resources == made.cubin.resources);
  const std::string nearest = " (the nearest entry is " + made.cache.key + ", made just now)";
  CHECK(cache.get(source, {80, 0}, *absent).error().message.ends_with("instead: arch was sm_90a, is sm_80" + nearest));
  KernelSource other = source;
  other.text += "// another\n";
  const Error refused = cache.get(other, {90, 'a'}, *absent).error();
  CHECK(refused.message.ends_with("instead: source differs" + nearest));
  CHECK(refused.notes.front() == "install it");
  CHECK(refused.notes.back().find("tessera cache load") != std::string::npos);
  put(folder / (made.cache.key + ".cubin"), "damaged");
  const Error damaged = cache.get(source, {90, 'a'}, *absent).error();
  CHECK(damaged.message.ends_with("instead: the entry is damaged"));
  CHECK(damaged.notes.at(1).find("is damaged and was passed over") != std::string::npos);
}

TEST_CASE("a miss names the lines of the plan that differ, and another Tessera that made the nearest entry") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  CacheSettings settings{folder.path().string()};
  settings.program = "tessera 1";
  KernelSource source = naive_gemm(8, 8, 8);
  const auto plan = [&](int stages) {
    return fmt::format("cta_tiler\t(8,8,8)\t1 x 1 CTAs, {} stages\nsmem\t{}\tbytes\n", stages, 512 * stages);
  };
  source.plan_text = plan(2);
  const std::string two = CubinCache(settings).get(source, {90, 0}, compiler)->cache.key;
  source.plan_text = plan(3), source.text += "// three\n";
  settings.program = "tessera 2";
  const CacheOutcome miss = CubinCache(settings).get(source, {90, 0}, compiler)->cache;
  CHECK(miss.reason ==
        "source and plan differ; in the plan cta_tiler was 2 stages, is 3 stages; smem was 1024, is 1536 (the "
        "nearest "
        "entry is " +
            two + ", made just now by tessera 1; this is tessera 2)");
  CHECK(miss.differs == std::vector<std::string>{"source", "plan"});
  // Of entries with as many other fields, the one with fewer other lines is nearest, however long ago it was used.
  source.plan_text = plan(3) + "tCrC\t4\tfloats\n", source.text += "// four\n";
  const CacheOutcome nearer = CubinCache(settings).get(source, {90, 0}, compiler)->cache;
  CHECK(nearer.nearest == miss.key);
  CHECK(nearer.reason.starts_with("source and plan differ; in the plan tCrC was not there, is 4 (the nearest"));
}

TEST_CASE("without a compiler, code of an older architecture of the generation is launched where there is none of the device's own") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.option_words = nvrtc_options();
  CubinCache cache(folder.path().string());
  const KernelSource source = naive_gemm(8, 8, 8);
  const auto absent = or_absent(Error{ErrorCode::no_compiler, "no NVRTC on this machine", {}, {}});
  REQUIRE(cache.get(source, {80, 0}, compiler).has_value());
  const auto older = cache.get(source, {89, 0}, *absent).value();
  CHECK(older.cubin.arch == ArchTarget{80, 0});
  CHECK(older.cache.reason == "naive f32 8x8x8 for sm_80, which sm_89 runs, NVRTC 13.0");
  for (const ArchTarget other : {ArchTarget{75, 0}, ArchTarget{87, 0}, ArchTarget{90, 0}, ArchTarget{89, 'a'}}) {
    INFO(other.name());
    const auto refused = cache.get(source, other, *absent);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("arch was sm_80, is " + other.name()) != std::string::npos);
  }
  REQUIRE(cache.get(source, {89, 0}, compiler).has_value());
  REQUIRE(cache.get(source, {80, 0}, compiler)->cache.hit);  // used last
  CHECK(cache.get(source, {89, 0}, *absent)->cubin.arch == ArchTarget{89, 0});
  CHECK(cache.get(source, {86, 0}, *absent)->cubin.arch == ArchTarget{80, 0});
  CHECK(cache.get(source, {89, 0}, compiler)->cubin.arch == ArchTarget{89, 0});  // where there is a compiler, only the architecture's own
}

TEST_CASE("an entry of another format is named where nothing else is there") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.option_words = nvrtc_options();
  CubinCache cache(folder.path().string());
  const KernelSource source = naive_gemm(8, 8, 8);
  const std::string key = cache.get(source, {90, 0}, compiler)->cache.key;
  std::string json = contents(folder / (key + ".json"));
  json.replace(json.find("\"schema\": \"4\""), 13, "\"schema\": \"9\"");
  put(folder / (key + ".json"), json);
  const auto absent = or_absent(Error{ErrorCode::no_compiler, "no NVRTC on this machine", {}, {}});
  CHECK(cache.get(source, {90, 0}, *absent)
            .error()
            .message.ends_with("instead: an entry of this name is not used: it is of format 9, and this Tessera uses format 4"));
}

TEST_CASE("a kernel of check_sources is all that a measurement needs beside its own") {
  test::TemporaryFolder folder;
  FakeCompiler compiler;
  compiler.option_words = nvrtc_options();
  CubinCache cache(folder.path().string());
  const KernelSource source = naive_gemm(8, 8, 8, "f32", GENERATE(0.0, 1.0));
  REQUIRE(cache.get(source, {90, 0}, compiler).has_value());
  const std::vector<KernelSource> more = check_sources(source).value();
  for (const KernelSource& one : more) REQUIRE(cache.get(one, {90, 0}, compiler).has_value());
  const auto absent = or_absent(Error{ErrorCode::no_compiler, "no NVRTC on this machine", {}, {}});
  test::FakeDevice device;
  device.problem = source;
  MeasureOptions options;
  options.mode_seconds = 0.01;
  const auto measured = measure(device, *absent, cache, source, options);
  INFO((measured ? "" : measured.error().message));
  REQUIRE(measured.has_value());
  CHECK(measured->correctness.passed);
  CHECK(measured->timing.has_value());
  CHECK(measured->cache.hit);
}
