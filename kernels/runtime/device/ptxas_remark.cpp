// SPDX-License-Identifier: BSD-3-Clause
// The lines look like this, before or after those of their entry function; some name no function:
//   ptxas info    : (C7517) warpgroup.wait is injected in around line 35 by compiler to allow use of registers ... in function 'k'
//   ptxas info    : (C7507) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
#include "kernels/runtime/device/ptxas_remark.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {
namespace {

// Serialised: each wgmma waits for the one before it, so nothing hides its latency.
constexpr PtxasCode kCodes[] = {
    {"C7507", "'setmaxnreg' ignored to maintain minimum register requirements",
     "A role would give back registers that its code needs, so setmaxnreg does nothing for any role, and consumers keep the few registers "
     "that the kernel begins with. Leave that role more of them (the field registers).",
     false},
    {"C7508", "'setmaxnreg' ignored; unable to determine register count at entry",
     "The kernel does not say how many threads it has, so setmaxnreg does nothing. It needs __launch_bounds__.", false},
    {"C7509", "serialized due to the presence of Extern calls",
     "Each wgmma waits for the one before it, since the kernel calls a function of another program, and ptxas cannot see its registers. "
     "Leave out the call, or compile the function with the kernel.",
     false},
    {"C7510", "serialized due to wgmma pipeline crossing function boundary",
     "Each wgmma waits for the one before it, since a function that is not inlined is called while some are under way. Inline it.", false},
    {"C7511", "serialized due to insufficient register resources for the wgmma pipeline",
     "Each wgmma waits for the one before it, since the sums of those that would be under way at once do not fit a thread's registers. "
     "Take "
     "a smaller tile, more consumers, or more registers for them.",
     false},
    {"C7512", "serialized due to insufficient register resources for the function",
     "Each wgmma waits for the one before it, since sums and all else that the kernel keeps do not fit a thread's registers, and some go "
     "to "
     "local memory. Take a smaller tile, or more registers for consumers (the field registers).",
     false},
    {"C7513", "serialized due to non wgmma instructions defining input registers",
     "Each wgmma waits for the one before it, since registers of an operand are written while wgmma may still read them. Wait for its "
     "group before.",
     false},
    {"C7514", "serialized due to non wgmma instructions reading accumulator registers",
     "Each wgmma waits for the one before it, since on some way through the kernel sums are read, or copied to other registers, while "
     "wgmma "
     "may still write them. Wait for its group before, on every way; a loop must have its condition where it begins or ends.",
     false},
    {"C7515", "serialized due to non wgmma instructions defining accumulator registers",
     "Each wgmma waits for the one before it, since sums are written while wgmma may still add to them. Wait for its group before, and "
     "begin "
     "a sum by the wgmma that overwrites it.",
     false},
    {"C7516", "serialized due to ill formed pipeline stage",
     "Each wgmma waits for the one before it, since ptxas cannot tell which fence, commit and wait belong together. Let every way through "
     "the kernel meet them in the same order.",
     false},
    {"C7517", "warpgroup.wait is injected",
     "ptxas has added one wait for wgmma, where sums that are under way are carried round a loop. It costs little: the other wgmma still "
     "overlap.",
     true},
    {"C7518", "serialized due to program dependence on compiler-inserted WG.DP in divergent path",
     "Each wgmma waits for the one before it, since ptxas would add a wait on a way that it does not know all threads of a warp to take. "
     "Decide that branch by a number that the warp shares, such as one from __shfl_sync.",
     false},
    {"C7519", "warpgroup.arrive is injected",
     "ptxas has added a wgmma.fence before a wgmma whose registers it saw touched, so those before it end first. Put the fence where the "
     "registers were touched last, and touch none between two wgmma.",
     false},
    {"C7520", "serialized due to program dependence on compiler-inserted WG.AR in divergent path",
     "Each wgmma waits for the one before it, since ptxas would add a wgmma.fence on a way that it does not know all threads of a warp to "
     "take. Write the fence, and decide that branch by a number that the warp shares.",
     false},
    {"spills", "spill stores",
     "Values of a thread that did not fit its registers are written to local memory and read back, in loops again and again. Take a "
     "smaller "
     "tile or fewer stages of fragments, or more registers for the role.",
     false},
    {"local memory", "bytes stack frame",
     "An array of a thread lies in local memory, since its places are told only when the kernel runs. Unroll the loops that walk it.",
     false},
};

constexpr std::string_view kNotKnown = "This version of Tessera does not know this remark; what ptxas says of it is all that is known.";

const PtxasCode* find_code(std::string_view code, std::string_view words) {
  const auto by_words =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](const PtxasCode& of) { return words.find(of.words) != words.npos; });
  if (by_words != std::end(kCodes)) return by_words;
  const auto by_code = std::find_if(std::begin(kCodes), std::end(kCodes), [&](const PtxasCode& of) { return of.code == code; });
  return by_code != std::end(kCodes) ? by_code : nullptr;
}

template <class F>
void each_line(std::string_view text, F f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// quoted("... function 'k' for 'sm_90a'", "function '") -> "k"; nothing where no such name is closed.
std::optional<std::string_view> quoted(std::string_view line, std::string_view before) {
  const std::size_t found = line.rfind(before);
  if (found == line.npos) return std::nullopt;
  const std::string_view behind = line.substr(found + before.size());
  const std::size_t end = behind.find('\'');
  if (end == behind.npos) return std::nullopt;
  return behind.substr(0, end);
}

struct Said {
  std::string_view code, words;
};
// "ptxas info    : (C7517) warpgroup.wait ..." -> C7517 and the words behind it; of a line without a code of four digits nothing.
std::optional<Said> said(std::string_view line) {
  const std::size_t open = line.find(": (C");
  if (!line.starts_with("ptxas ") || open == line.npos) return std::nullopt;
  const std::size_t close = line.find(") ", open);
  if (close == line.npos) return std::nullopt;
  const std::string_view code = line.substr(open + 3, close - open - 3);
  const bool has_digits = code.size() == 5 && code.find_first_not_of("0123456789", 1) == code.npos;
  if (!has_digits) return std::nullopt;
  return Said{code, line.substr(close + 2)};
}

}  // namespace

std::span<const PtxasCode> ptxas_codes() { return kCodes; }

PtxasRemark explained(std::string code, std::string entry, std::string words) {
  const PtxasCode* const known = find_code(code, words);
  return {std::move(code), std::move(entry), std::move(words), std::string(known ? known->meaning : kNotKnown), known && known->is_allowed};
}

std::optional<std::vector<PtxasRemark>> ptxas_remarks(std::string_view log, std::string_view entry) {
  constexpr std::string_view kCompiling = "Compiling entry function '";
  std::vector<std::string_view> entries;
  each_line(log, [&](std::string_view line) {
    if (const auto name = quoted(line, kCompiling)) entries.push_back(*name);
  });
  const auto is_entry = [&](std::string_view name) { return std::find(entries.begin(), entries.end(), name) != entries.end(); };
  if (!is_entry(entry)) return std::nullopt;
  std::vector<PtxasRemark> remarks;
  each_line(log, [&](std::string_view line) {
    const std::optional<Said> here = said(line);
    if (!here) return;
    // A function that is no kernel is one that this kernel may call.
    if (const auto of = quoted(line, "function '"); of && *of != entry && is_entry(*of)) return;
    const auto same = std::find_if(remarks.begin(), remarks.end(), [&](const PtxasRemark& other) { return other.code == here->code; });
    if (same != remarks.end())
      ++same->times;
    else
      remarks.push_back(explained(std::string(here->code), std::string(entry), std::string(here->words)));
  });
  return remarks;
}

}  // namespace tessera
