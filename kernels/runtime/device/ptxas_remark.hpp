// SPDX-License-Identifier: BSD-3-Clause
// PtxasRemark: what ptxas, the assembler behind NVRTC, remarks of a kernel that it has assembled. Nothing of it stops a compilation, and
// most of it halves a kernel's speed; so it is read, explained, and shown wherever the kernel is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct PtxasRemark {
  std::string code;         // "C7518"; of what has no number "spills" or "local memory"
  std::string entry;        // the kernel
  std::string words;        // of ptxas, from its first line with this code
  std::string meaning;      // what it does to the kernel, and what to try
  bool is_allowed = false;  // in a kernel that Tessera ships
  int times = 1;            // lines with this code

  friend bool operator==(const PtxasRemark&, const PtxasRemark&) = default;
};

// One of the codes of ptxas 13.0. Before 13.0 every reason for which wgmma are serialised was C7510, so a remark is known by its words.
struct PtxasCode {
  std::string_view code, words, meaning;  // words: those by which it is told from all others
  bool is_allowed;
};
std::span<const PtxasCode> ptxas_codes();

// The remark with its meaning: by its words, else by its code; of neither the meaning says that it is not known, and it is not allowed.
PtxasRemark explained(std::string code, std::string entry, std::string words);

// The remarks on kernel `entry` and on functions that it calls, in the log's order, each code once. Nothing: the log does not tell of this
// kernel, as it does not where the machine code came from a cache of NVRTC's own.
// ptxas_remarks("ptxas info    : (C7510) ... in the function 'k'\nptxas info    : Compiling entry function 'k' for 'sm_90a'", "k") -> C7510
std::optional<std::vector<PtxasRemark>> ptxas_remarks(std::string_view log, std::string_view entry);

}  // namespace tessera
