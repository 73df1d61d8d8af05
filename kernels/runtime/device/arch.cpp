// SPDX-License-Identifier: BSD-3-Clause
// The rules of architecture, each refusal with both sides' names.
#include "kernels/runtime/device/arch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {
namespace {

constexpr int kOldestOfAll = 75;  // of those that every toolkit in use compiles for

std::string sm_name(int sm) { return ArchTarget{sm, 0}.name(); }

// Boards whose code is theirs alone. Source: CUDA C++ Programming Guide, binary compatibility ("not supported for Tegra").
bool stands_apart(int sm) { return sm == 53 || sm == 62 || sm == 72 || sm == 87 || sm == 88 || sm == 101 || sm == 110; }

// The first CUDA toolkit that compiles for an architecture; empty: not known. Source: the toolkits' release notes.
std::string_view first_toolkit(int sm, char suffix) {
  if (suffix == 'a' && sm == 90) return "12.0";
  switch (sm) {
    case 75: return "10.0";
    case 80: return "11.0";
    case 86: return "11.1";
    case 87: return "11.4";
    case 89:
    case 90: return "11.8";
    case 100:
    case 101:
    case 120: return "12.8";
    case 103:
    case 121: return "12.9";
    case 88:
    case 110: return "13.0";
    default: return "";
  }
}

std::string with_suffix_a(const KernelSource& source) { return ArchTarget{source.least_sm, source.arch_suffix}.name(); }

// "kernel 'tensor_gemm': atom SM80_... needs sm_80 or later"
std::string need(const KernelSource& source) {
  return fmt::format("kernel '{}'{} needs {}{}", source.name, source.asks_for_arch.empty() ? "" : ": " + source.asks_for_arch,
                     with_suffix_a(source), source.arch_suffix == 0 ? " or later" : "");
}

std::string other_atom(const KernelSource& source, int sm) {
  const OtherAtom* best = nullptr;
  for (const OtherAtom& other : source.other_atoms) {
    if (other.least_sm <= sm) best = &other;
  }
  if (best == nullptr) {
    return source.asks_for_arch.starts_with("cp.async") ? "try one stage, whose tiles are copied without cp.async: stages=1"
                                                        : "`tessera atoms` lists the atoms with the least architecture of each";
  }
  if (best->type == source.a.type) return fmt::format("try {}, which {} has", best->name, sm_name(sm));
  return fmt::format("try {}: no atom of {} that a kernel can be made of is on {}, and this one multiplies {}", best->name, source.a.type,
                     sm_name(sm), best->type);
}

// What the device must be.
Status check_arch(const KernelSource& source, int sm, std::string_view holder) {
  if (source.arch_suffix != 0 && source.arch_suffix != 'a') {
    return Error{ErrorCode::wrong_arch,
                 fmt::format("{}: the suffix '{}' is not one that can be compiled for; 'a' is", need(source), source.arch_suffix),
                 {},
                 {}};
  }
  const bool exactly = source.arch_suffix == 'a';
  if (exactly ? sm == source.least_sm : sm >= source.least_sm) return Done{};
  Error error{ErrorCode::wrong_arch, fmt::format("{}; {} is {}", need(source), holder, sm_name(sm)), {}, {other_atom(source, sm)}};
  if (sm > source.least_sm) {
    error.notes.push_back(
        fmt::format("instructions marked 'a' exist on exactly {}; no later architecture has them, so {} cannot run this kernel",
                    with_suffix_a(source), sm_name(sm)));
  }
  return error;
}

Error not_compiled(const KernelSource& source, int sm, std::string_view holder, const Toolkit& toolkit) {
  const std::string wanted = ArchTarget{sm, source.arch_suffix}.name();
  const bool only_suffix = std::find(toolkit.sms.begin(), toolkit.sms.end(), sm) != toolkit.sms.end();
  const std::string range = fmt::format("{} to {}", sm_name(toolkit.sms.front()), sm_name(toolkit.sms.back()));
  const std::string asks = source.arch_suffix == 0 ? fmt::format("kernel '{}'", source.name) : need(source);
  Error error{ErrorCode::wrong_arch,
              fmt::format("{}: {} is {}, and {} does not compile for {}; it does for {}{}", asks, holder, sm_name(sm), toolkit.name, wanted,
                          range, only_suffix ? ", without an 'a'" : ""),
              {},
              {}};
  const std::string_view first = first_toolkit(sm, source.arch_suffix);
  if (sm < toolkit.sms.front())
    error.notes.push_back("try an older CUDA toolkit (CUDA_PATH says which); CUDA 12 is the last that compiles for sm_50 to sm_72");
  else
    error.notes.push_back(first.empty()
                              ? "try a newer CUDA toolkit (CUDA_PATH says which)"
                              : fmt::format("try CUDA {} or later, the first that compiles for {} (CUDA_PATH says which)", first, wanted));
  return error;
}

}  // namespace

bool runs_on(ArchTarget code, int sm) {
  if (code.sm == sm) return true;
  return code.suffix == 0 && code.sm / 10 == sm / 10 && code.sm < sm && !stands_apart(code.sm) && !stands_apart(sm);
}

std::string arch_note(ArchTarget code, int sm, const Toolkit& toolkit) {
  if (code.sm == sm) return {};
  return fmt::format("compiled for {}, whose machine code {} runs{}", code.name(), sm_name(sm),
                     toolkit.sms.empty() ? "" : fmt::format(": {} does not know {}", toolkit.name, sm_name(sm)));
}

Result<ArchTarget> decide_arch(const KernelSource& source, int sm, std::string_view holder, const Toolkit& toolkit) {
  TESSERA_CHECK(check_arch(source, sm, holder));
  const std::vector<int>& known = toolkit.sms;
  if (source.arch_suffix == 'a' && !known.empty() && !toolkit.knows_suffix_a) return not_compiled(source, sm, holder, toolkit);
  if (known.empty() || std::find(known.begin(), known.end(), sm) != known.end()) return ArchTarget{sm, source.arch_suffix};
  const auto nearest = std::find_if(known.rbegin(), known.rend(), [&](int one) { return one >= source.least_sm && runs_on({one, 0}, sm); });
  if (source.arch_suffix == 0 && nearest != known.rend()) return ArchTarget{*nearest, 0};
  return not_compiled(source, sm, holder, toolkit);
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

Result<ArchTarget> least_arch(const KernelSource& source, const Toolkit& toolkit) {
  const auto found = std::find_if(toolkit.sms.begin(), toolkit.sms.end(), [&](int sm) { return sm >= source.least_sm; });
  if (toolkit.sms.empty()) return decide_arch(source, std::max(source.least_sm, kOldestOfAll), "the least architecture", toolkit);
  if (found == toolkit.sms.end() || source.arch_suffix != 0) return decide_arch(source, source.least_sm, "the least architecture", toolkit);
  return decide_arch(source, *found, "the compiler's nearest architecture", toolkit);
}

}  // namespace tessera
