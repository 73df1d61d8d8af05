// SPDX-License-Identifier: BSD-3-Clause
// Bytes as damage to a kept cubin: what is found is what was kept, or nothing is found.
//
// The first byte chooses one of the entry's files, and whether the rest replaces that file or edits it: (offset, offset, byte) triples, of
// which a byte of 0 cuts the file there.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/utf8.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::fuzz {
namespace {

// Compiles once, for the entry that is damaged; afterwards a miss is an error.
class OnceCompiler : public KernelCompiler {
 public:
  Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
    if (std::exchange(used_, true)) return Error{ErrorCode::no_compiler, "this compiler compiles once", {}, {}};
    const std::string log = "ptxas info    : Compiling entry function '" + source.entry + "' for '" + arch.name() +
                            "'\nptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem\n";
    return Cubin{"cubin of " + source.text, arch, source.entry, log, parse_ptxas_log(log, source.entry), version(), 1.5};
  }
  std::string version() const override { return "NVRTC 13.0"; }
  std::vector<std::string> options() const override { return {"-std=c++17"}; }
  std::vector<int> supported_sms() const override { return {90}; }

 private:
  bool used_ = false;
};

struct Entry {
  test::TemporaryFolder folder;
  OnceCompiler compiler;
  KernelSource source = test::naive_gemm(8, 8, 8);
  CubinCache cache{folder.path().string()};
  Cubin kept;
  std::vector<std::filesystem::path> files;
  std::vector<std::string> whole;

  Entry() {
    if (auto made = cache.get(source, {90, 0}, compiler)) kept = std::move(made->cubin);
    for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
      if (each.path().filename() != ".lock") files.push_back(each.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) whole.push_back(test::contents(file));
  }
};

std::string edited(std::string text, std::string_view edits) {
  for (; edits.size() >= 3; edits.remove_prefix(3)) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(edits[i])); };
    if (text.empty()) break;
    const std::size_t at = (byte(0) * 256 + byte(1)) % text.size();
    if (byte(2) == 0)
      text.resize(at);
    else
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ byte(2));
  }
  return text;
}

}  // namespace

std::string broken_cache_entry(std::string_view bytes) {
  static Entry entry;
  if (entry.files.empty()) return "the cache keeps nothing";
  if (bytes.empty()) return "";
  const auto choice = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const std::size_t chosen = choice / 2 % entry.files.size();
  const std::string& whole = entry.whole[chosen];
  test::put(entry.files[chosen], choice % 2 != 0 ? std::string(bytes) : edited(whole, bytes));
  const auto found = entry.cache.get(entry.source, {90, 0}, entry.compiler);
  test::put(entry.files[chosen], whole);
  if (!found) return is_utf8(describe(found.error())) ? "" : "a refusal is not UTF-8";
  const Cubin& cubin = found->cubin;
  const bool same = cubin.bytes == entry.kept.bytes && cubin.log == entry.kept.log && cubin.compiler == entry.kept.compiler &&
                    cubin.entry == entry.kept.entry && cubin.resources == entry.kept.resources;
  return same ? "" : "the cache gave what was not kept";
}

}  // namespace tessera::fuzz
