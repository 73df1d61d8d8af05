// SPDX-License-Identifier: BSD-3-Clause
// Cubin: machine code of one kernel, and what the assembler said about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/runtime/device/arch.hpp"
#include "kernels/runtime/device/ptxas_remark.hpp"

namespace tessera {

// What ptxas -v reports of one entry function; -1 where its log does not say.
struct ResourceUse {
  int registers = -1;          // a thread
  int spill_store_bytes = -1;  // registers that did not fit and went to local memory, written
  int spill_load_bytes = -1;   // ... and read back
  int stack_bytes = -1;        // local arrays and spills, a thread
  int smem_bytes = -1;         // static shared memory, a block; dynamic shared memory is the launch's
  int barriers = -1;           // named barriers in use
  // Those of its lines with a code, then spills and local memory; empty: it has none, and nothing: it does not say.
  std::optional<std::vector<PtxasRemark>> remarks{};

  bool spills() const { return spill_store_bytes > 0 || spill_load_bytes > 0; }
  friend bool operator==(const ResourceUse&, const ResourceUse&) = default;
};

struct Cubin {
  std::string bytes;  // an ELF image
  ArchTarget arch;
  std::string entry;      // the extern "C" function to launch
  std::string log;        // of NVRTC and ptxas, warnings included
  ResourceUse resources;  // parsed from the log
  std::string compiler;   // "NVRTC 13.0"
  double compile_ms = 0;  // 0 when it came from the cache
  std::string ptx = {};   // the text that the machine code was made from; empty where the compiler gave none, or it came from the cache
};

// Reads the lines that `--ptxas-options=-v` adds to the log. parse_ptxas_log("... Used 32 registers ...", "k").registers -> 32
ResourceUse parse_ptxas_log(std::string_view log, std::string_view entry);

// The remarks that no kernel which Tessera ships may have.
std::vector<PtxasRemark> forbidden_remarks(const ResourceUse& use);

// "C7512, spills, C7517 (allowed)", "none" or "not said".
std::string remarks_in_short(const ResourceUse& use);
// One for each: "C7517 (allowed): ptxas has added ..."; where there is none "none" or why it is not said.
std::vector<std::string> remarks_in_words(const ResourceUse& use);

}  // namespace tessera
