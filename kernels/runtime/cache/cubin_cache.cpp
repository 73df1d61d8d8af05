// SPDX-License-Identifier: BSD-3-Clause
// A look-up: the entry of the key, or of any compiler's version where none is here; else why not, and the compiler.
#include "kernels/runtime/cache/cubin_cache.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "core/base/private_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kMostCompared = 256;  // entries of one name, for the reason of a miss
constexpr std::int64_t kSecond = 1'000'000'000;

std::string in_words(const Error& error) {
  return fmt::format("{}{}", error.message, error.notes.empty() ? "" : "; " + error.notes.front());
}

// One kernel that is wanted for one architecture.
class LookUp {
 public:
  LookUp(const KernelSource& source, ArchTarget arch, const KernelCompiler& compiler, const CacheSettings& settings)
      : source_(source), arch_(arch), settings_(settings), any_compiler_(compiler.version().empty()) {
    key_ = cache_key(source, arch, compiler);
    if (!any_compiler_) found_.cache.key = key_name(key_);
  }

  // Whether it is a hit; else why not stands in the outcome.
  bool search() {
    CacheOutcome& outcome = found_.cache;
    if (settings_.folder.empty()) {
      outcome.reason = "the cache is off";
      return false;
    }
    Result<std::optional<CacheFolder>> folder = CacheFolder::open(settings_);
    if (!folder) {
      believed_ = false;
      outcome.reason = "the cache is not used";
      outcome.notes.push_back(fmt::format("the cache in {} is not used: {}", settings_.folder, in_words(folder.error())));
      return false;
    }
    outcome.reason = "no entry of this kernel";
    if (!*folder) return false;
    if (!any_compiler_ && take(**folder, outcome.key)) return true;
    if (damaged_) {
      outcome.reason = "the entry is damaged";
      return false;
    }
    return search_others(**folder);
  }

  // Compiled just now, and kept if that can be.
  void keep(Cubin cubin) {
    if (believed_ && !settings_.folder.empty()) {
      if (const Status kept = write(cubin); !kept)
        found_.cache.notes.push_back(fmt::format("the cubin could not be kept in {}: {}", settings_.folder, in_words(kept.error())));
    }
    found_.cubin = std::move(cubin);
  }

  // There is no compiler, and no entry either.
  Error refusal(Error no_compiler) const {
    if (!any_compiler_) return no_compiler;
    no_compiler.message +=
        fmt::format("; and the cache has no entry of '{}' for {} to launch instead: {}", source_.name, arch_.name(), found_.cache.reason);
    for (const std::string& note : found_.cache.notes) no_compiler.notes.push_back(note);
    no_compiler.notes.emplace_back(
        "where there is NVRTC: `tessera gemm compile GEMM --arch ARCH --with-checks`, then `tessera cache pack FILE`; here: `tessera cache "
        "load FILE`");
    return no_compiler;
  }

  CachedCubin found() && { return std::move(found_); }

 private:
  // The entry of that name, if it is whole.
  bool take(const CacheFolder& folder, const std::string& name) {
    EntryTexts texts;
    const Result<std::optional<EntryRecord>> record = folder.check(name, false, &texts);
    if (!record) {
      damaged_ = true;
      found_.cache.notes.push_back(fmt::format("cache entry {} is damaged and {}: {}", name,
                                               any_compiler_ ? "was passed over" : "was compiled again", record.error().message));
      return false;
    }
    if (!*record || !differences((*record)->key, key_, any_compiler_).fields.empty()) return false;
    folder.touch(name);
    found_.cubin = cubin_of(**record, std::move(texts.cubin), arch_);
    found_.cache.hit = true;
    found_.cache.key = name;
    found_.cache.reason = fmt::format("{} for {}, {}", source_.name, arch_.name(), found_.cubin.compiler);
    return true;
  }

  // Without a compiler, an entry that differs in its version alone; else the nearest entry, for the reason.
  bool search_others(const CacheFolder& folder) {
    const std::string prefix = name_prefix(source_.name);
    KeyDifference fewest;
    std::int64_t made = 0;
    int compared = 0;
    for (const EntryUse& entry : folder.entries()) {
      if (!entry.name.starts_with(prefix) || (++compared > kMostCompared && !any_compiler_)) continue;
      const Result<std::optional<EntryRecord>> record = folder.record(entry.name);
      if (!record || !*record || field_of((*record)->key, "name") != source_.name) continue;
      KeyDifference difference = differences((*record)->key, key_, any_compiler_);
      if (any_compiler_ && difference.fields.empty() && take(folder, entry.name)) return true;
      if (difference.fields.empty() || (!fewest.fields.empty() && difference.fields.size() >= fewest.fields.size())) continue;
      fewest = std::move(difference);
      found_.cache.nearest = entry.name;
      made = (*record)->made;
    }
    if (fewest.fields.empty()) {
      if (damaged_) found_.cache.reason = "the entry is damaged";
      return false;
    }
    const std::string age = age_in_words(settings_.now_ns() / kSecond - made);
    found_.cache.reason = fmt::format("{} (the nearest entry is {}, made {})", fewest.words, found_.cache.nearest, age);
    found_.cache.differs = std::move(fewest.fields);
    return false;
  }

  Status write(const Cubin& cubin) const {
    TESSERA_TRY(folder, CacheFolder::make(settings_));
    TESSERA_CHECK(folder.write(key_name(key_), make_entry(key_, cubin, settings_.now_ns() / kSecond)));
    return Done{};
  }

  const KernelSource& source_;
  ArchTarget arch_;
  const CacheSettings& settings_;
  bool any_compiler_, believed_ = true, damaged_ = false;
  CacheKey key_;
  CachedCubin found_;
};

}  // namespace

std::string CubinCache::default_folder() {
  const fs::path cache = own_folder(OwnFolder::cache);
  return cache.empty() ? "" : (cache / "cubins").string();
}

Result<CachedCubin> CubinCache::get(const KernelSource& source, ArchTarget arch, KernelCompiler& compiler) {
  LookUp look_up(source, arch, compiler, settings_);
  if (!look_up.search()) {
    Result<Cubin> cubin = compiler.compile(source, arch);
    if (!cubin) return look_up.refusal(std::move(cubin).error());
    look_up.keep(std::move(cubin).value());
  }
  return std::move(look_up).found();
}

}  // namespace tessera
