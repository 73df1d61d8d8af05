// SPDX-License-Identifier: BSD-3-Clause
// The rules of architecture, each refusal with both sides' names.
#include "kernels/runtime/device/arch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

std::string needed_arch(const KernelSource& source) { return ArchTarget{source.least_sm, source.arch_suffix}.name(); }

}  // namespace

Result<ArchTarget> decide_arch(const KernelSource& source, int sm, std::string_view holder) {
  const std::string needed = needed_arch(source);
  const std::string there = ArchTarget{sm, 0}.name();
  if (source.arch_suffix != 0 && source.arch_suffix != 'a') {
    return Error{ErrorCode::wrong_arch,
                 fmt::format("kernel '{}' needs {}: the suffix '{}' is not one that can be compiled for; 'a' is", source.name, needed,
                             source.arch_suffix),
                 {},
                 {}};
  }
  if (source.arch_suffix == 'a') {
    if (sm == source.least_sm) return ArchTarget{sm, 'a'};
    Error error{ErrorCode::wrong_arch, fmt::format("kernel '{}' needs {}; {} is {}", source.name, needed, holder, there), {}, {}};
    if (sm > source.least_sm) {
      error.notes.push_back(fmt::format(
          "instructions marked 'a' exist on exactly {}; no later architecture has them, so {} cannot run this kernel", needed, there));
    }
    error.notes.push_back(sm >= 80 ? "try an atom that every architecture from sm_80 on has, such as SM80_16x8x16_F32F16F16F32_TN"
                                   : "try an atom of this architecture; `tessera atoms` lists them with the least architecture of each");
    return error;
  }
  if (sm >= source.least_sm) return ArchTarget{sm, 0};
  return Error{ErrorCode::wrong_arch,
               fmt::format("kernel '{}' needs {} or later; {} is {}", source.name, needed, holder, there),
               {},
               {fmt::format("try atoms whose least architecture is at most {}; `tessera atoms` lists them", there)}};
}

std::string ArchTarget::name() const {
  std::string text = fmt::format("sm_{}", sm);
  if (suffix != 0) text += suffix;
  return text;
}

Result<ArchTarget> parse_arch(std::string_view text) {
  const Error refused{ErrorCode::parse,
                      fmt::format("'{}' is not an architecture: a number such as 90 or a name such as sm_90a is", text),
                      {},
                      {"try sm_80 (A100), sm_89 (RTX 40), sm_90a (H100, H200), sm_100a (B200)"}};
  std::string_view rest = text;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
  }
  ArchTarget arch;
  std::size_t digits = 0;
  while (digits < rest.size() && digits < 4 && rest[digits] >= '0' && rest[digits] <= '9') {
    arch.sm = 10 * arch.sm + (rest[digits++] - '0');
  }
  rest.remove_prefix(digits);
  if (rest == "a") arch.suffix = 'a', rest.remove_prefix(1);
  if (digits < 2 || !rest.empty()) return refused;
  return arch;
}

Result<ArchTarget> least_arch(const KernelSource& source, const std::vector<int>& compiler_sms) {
  if (compiler_sms.empty()) return decide_arch(source, source.least_sm, "the least architecture");
  const auto found = std::find_if(compiler_sms.begin(), compiler_sms.end(), [&](int sm) { return sm >= source.least_sm; });
  if (found == compiler_sms.end()) {
    return Error{ErrorCode::wrong_arch,
                 fmt::format("kernel '{}' needs {}; this compiler ends at {}", source.name, needed_arch(source),
                             ArchTarget{compiler_sms.back(), 0}.name()),
                 {},
                 {"try a newer CUDA toolkit"}};
  }
  return decide_arch(source, *found, "the compiler's nearest architecture");
}

}  // namespace tessera
