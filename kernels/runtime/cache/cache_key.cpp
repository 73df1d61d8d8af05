// SPDX-License-Identifier: BSD-3-Clause
// The fields, their hash, and how two keys differ in words.
#include "kernels/runtime/cache/cache_key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestName = 48;    // bytes of the kernel's name in the key's
constexpr std::size_t kHashDigits = 12;     // two keys of one name that share them are told apart by their fields
constexpr std::size_t kShownOfField = 200;  // bytes of another entry's field, in words

// Of a field, what people call it.
struct FieldName {
  std::string_view field, spoken;
};
constexpr std::array<FieldName, 8> kFields = {{{"schema", "format"},
                                               {"name", "name"},
                                               {"entry", "entry"},
                                               {"text", "source"},
                                               {"plan", "plan"},
                                               {"arch", "arch"},
                                               {"options", "options"},
                                               {"compiler", "NVRTC version"}}};

bool is_plain(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

std::string plain(std::string_view text, std::size_t longest) {
  std::string name(text.substr(0, longest));
  for (char& c : name) c = is_plain(c) ? c : '_';
  return name.empty() ? "_" : name;
}

// Both as ArchTarget::name.
bool code_runs(std::string_view code, std::string_view wanted) {
  const Result<ArchTarget> of = parse_arch(code), on = parse_arch(wanted);
  return of && on && on->suffix == 0 && runs_on(*of, on->sm);
}

}  // namespace

CacheKey cache_key(const KernelSource& source, ArchTarget arch, const KernelCompiler& compiler) {
  return {{"schema", kCacheSchema},
          {"name", source.name},
          {"entry", source.entry},
          {"text", "sha256:" + sha256_hex(source.text)},
          {"plan", "sha256:" + sha256_hex(source.plan_text)},
          {"arch", arch.name()},
          {"options", fmt::format("{}", fmt::join(compiler.options(), " "))},
          {"compiler", compiler.version()}};
}

std::string_view field_of(const CacheKey& key, std::string_view field) {
  const auto at = std::find_if(key.begin(), key.end(), [&](const auto& one) { return one.first == field; });
  return at == key.end() ? std::string_view() : std::string_view(at->second);
}

bool has_cache_fields(const CacheKey& key) {
  return std::equal(key.begin(), key.end(), kFields.begin(), kFields.end(),
                    [](const auto& one, const FieldName& known) { return one.first == known.field; });
}

std::string name_prefix(std::string_view kernel) { return plain(kernel, kLongestName) + "-"; }

std::string key_name(const CacheKey& key) {
  std::string all;
  for (const auto& [field, value] : key) all += fmt::format("{}={}:{}\n", field, value.size(), value);
  return name_prefix(field_of(key, "name")) + plain(field_of(key, "arch"), 16) + "-" + sha256_hex(all).substr(0, kHashDigits);
}

bool is_key_name(std::string_view name) {
  const std::size_t arch = name.find('-'), hash = name.rfind('-');
  if (arch == name.npos || arch == 0 || arch > kLongestName || hash <= arch + 1 || hash - arch - 1 > 16) return false;
  const std::string_view digits = name.substr(hash + 1);
  return digits.size() == kHashDigits && std::all_of(digits.begin(), digits.end(), is_hex) &&
         std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(arch), is_plain) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(arch) + 1, name.begin() + static_cast<std::ptrdiff_t>(hash), is_plain);
}

KeyDifference differences(const CacheKey& was, const CacheKey& is, Leniency leniency) {
  KeyDifference found;
  std::vector<std::string> hashed, spelled;
  for (const auto& [field, spoken] : kFields) {
    const std::string_view before = field_of(was, field), now = field_of(is, field);
    if (before == now || (leniency != Leniency::none && field == "compiler")) continue;
    if (leniency == Leniency::any_that_runs && field == "arch" && code_runs(before, now)) continue;
    found.fields.emplace_back(spoken);
    if (now.starts_with("sha256:"))
      hashed.emplace_back(spoken);
    else
      spelled.push_back(fmt::format("{} was {}, is {}", spoken, before.empty() ? "nothing" : utf8_prefix(before, kShownOfField), now));
  }
  if (!hashed.empty())
    spelled.insert(spelled.begin(), fmt::format("{} {}", fmt::join(hashed, " and "), hashed.size() == 1 ? "differs" : "differ"));
  found.words = fmt::format("{}", fmt::join(spelled, "; "));
  return found;
}

}  // namespace tessera
