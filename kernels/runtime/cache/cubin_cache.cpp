// SPDX-License-Identifier: BSD-3-Clause
// A look-up: the entry of the key, or of any compiler's version where none is here; else why not, and the compiler.
#include "kernels/runtime/cache/cubin_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/private_file.hpp"
#include "core/base/utf8.hpp"
#include "kernels/runtime/cache/plan_lines.hpp"

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
    if (!any_compiler_ && take(**folder, outcome.key, Leniency::none)) return true;
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
  bool take(const CacheFolder& folder, const std::string& name, Leniency leniency) {
    EntryTexts texts;
    const Result<std::optional<EntryRecord>> record = folder.check(name, false, &texts);
    if (!record) {
      damaged_ = true;
      found_.cache.notes.push_back(fmt::format("cache entry {} is damaged and {}: {}", name,
                                               any_compiler_ ? "was passed over" : "was compiled again", record.error().message));
      return false;
    }
    if (!*record || !differences((*record)->key, key_, leniency).fields.empty()) return false;
    folder.touch(name);
    const ArchTarget arch = parse_arch(field_of((*record)->key, "arch")).value_or(arch_);
    found_.cubin = cubin_of(**record, std::move(texts.cubin), arch);
    found_.cache.hit = true;
    found_.cache.key = name;
    found_.cache.reason = fmt::format("{} for {}{}, {}", source_.name, arch.name(),
                                      arch == arch_ ? "" : fmt::format(", which {} runs", arch_.name()), found_.cubin.compiler);
    return true;
  }

  // Without a compiler, an entry that will do as well, the same architecture's first; else the nearest entry, for the reason.
  bool search_others(const CacheFolder& folder) {
    const std::vector<Named> entries = of_this_name(folder);
    if (any_compiler_) {
      for (const Leniency leniency : {Leniency::any_compiler, Leniency::any_that_runs}) {
        for (const Named& entry : entries) {
          const bool as_before = leniency == Leniency::any_that_runs && will_do(entry, Leniency::any_compiler);
          if (!as_before && will_do(entry, leniency) && take(folder, entry.name, leniency)) return true;
        }
      }
    }
    const Named* nearest = nullptr;
    KeyDifference fewest;
    std::vector<PlanLineDifference> lines;
    for (const Named& entry : entries) {
      KeyDifference difference = differences(entry.record.key, key_, any_compiler_ ? Leniency::any_that_runs : Leniency::none);
      if (difference.fields.empty()) continue;  // damaged
      std::vector<PlanLineDifference> own = plan_differences(entry.record.origin.plan, source_.plan_text);
      if (nearest != nullptr && std::pair(difference.fields.size(), own.size()) >= std::pair(fewest.fields.size(), lines.size())) continue;
      nearest = &entry, fewest = std::move(difference), lines = std::move(own);
    }
    if (nearest == nullptr) {
      if (damaged_)
        found_.cache.reason = "the entry is damaged";
      else if (!other_format_.empty())
        found_.cache.reason = fmt::format("an entry of this name is not used: {}", other_format_);
      return false;
    }
    say_nearest(*nearest, std::move(fewest), lines);
    return false;
  }

  struct Named {
    std::string name;
    EntryRecord record;
  };

  // The entries of this GEMM's name whose records can be read, the last used first.
  std::vector<Named> of_this_name(const CacheFolder& folder) {
    const std::string prefix = name_prefix(source_.name);
    std::vector<Named> found;
    int compared = 0;
    for (const EntryUse& entry : folder.entries()) {
      if (!entry.name.starts_with(prefix) || (++compared > kMostCompared && !any_compiler_)) continue;
      Result<std::optional<EntryRecord>> record = folder.record(entry.name);
      if (!record && record.error().code == ErrorCode::limit) other_format_ = record.error().message;
      if (record && *record && field_of((*record)->key, "name") == source_.name) found.push_back({entry.name, std::move(**record)});
    }
    return found;
  }

  bool will_do(const Named& entry, Leniency leniency) const { return differences(entry.record.key, key_, leniency).fields.empty(); }

  void say_nearest(const Named& nearest, KeyDifference difference, const std::vector<PlanLineDifference>& lines) {
    const EntryOrigin& origin = nearest.record.origin;
    std::string words = std::move(difference.words);
    const auto& fields = difference.fields;
    const bool has_plan = !origin.plan.empty() && std::find(fields.begin(), fields.end(), "plan") != fields.end();
    if (has_plan && !lines.empty()) words += "; " + plan_differences_in_words(lines);
    const std::string age = age_in_words(settings_.now_ns() / kSecond - origin.made);
    const bool other_program = !origin.by.empty() && !settings_.program.empty() && origin.by != settings_.program;
    found_.cache.reason =
        fmt::format("{} (the nearest entry is {}, made {}{})", words, nearest.name, age,
                    other_program ? fmt::format(" by {}; this is {}", utf8_prefix(origin.by, 40), settings_.program) : "");
    found_.cache.differs = std::move(difference.fields);
    found_.cache.nearest = nearest.name;
  }

  Status write(const Cubin& cubin) const {
    TESSERA_TRY(folder, CacheFolder::make(settings_));
    TESSERA_CHECK(folder.write(
        key_name(key_),
        make_entry(key_, cubin, {settings_.now_ns() / kSecond, settings_.program, problem_in_words(source_), source_.plan_text})));
    return Done{};
  }

  const KernelSource& source_;
  ArchTarget arch_;
  const CacheSettings& settings_;
  bool any_compiler_, believed_ = true, damaged_ = false;
  std::string other_format_;  // of an entry of this name: why it cannot be used
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
