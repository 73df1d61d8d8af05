// SPDX-License-Identifier: BSD-3-Clause
// Reads ptxas' resource lines. They look like this, one group for each entry function:
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
//   ptxas         .     400 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 400 bytes cumulative stack size, 512 bytes smem
#include "kernels/runtime/device/cubin.hpp"

#include <charconv>
#include <string>
#include <string_view>

namespace tessera {
namespace {

// The number that stands before `unit`; -1 where the line has no such part. number_before("a, 12 bytes smem", " bytes smem") -> 12
int number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return -1;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int number = -1;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

}  // namespace

ResourceUse parse_ptxas_log(std::string_view log, std::string_view entry) {
  ResourceUse use;
  bool in_entry = false;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (line.find("Compiling entry function") != std::string_view::npos) {
      in_entry = line.find("'" + std::string(entry) + "'") != std::string_view::npos;
    }
    if (!in_entry) continue;
    if (line.find("bytes stack frame") != std::string_view::npos) {
      use.stack_bytes = number_before(line, " bytes stack frame");
      use.spill_store_bytes = number_before(line, " bytes spill stores");
      use.spill_load_bytes = number_before(line, " bytes spill loads");
    }
    if (line.find(" registers") != std::string_view::npos && line.find("Used ") != std::string_view::npos) {
      use.registers = number_before(line, " registers");
      const int barriers = number_before(line, " barriers");  // ptxas leaves out what is zero
      const int smem = number_before(line, " bytes smem");
      use.barriers = barriers < 0 ? 0 : barriers;
      use.smem_bytes = smem < 0 ? 0 : smem;
    }
  }
  return use;
}

}  // namespace tessera
