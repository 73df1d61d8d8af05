// SPDX-License-Identifier: BSD-3-Clause
// Reads ptxas' resource lines. They look like this, one group for each entry function:
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
//   ptxas         .     400 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 400 bytes cumulative stack size, 512 bytes smem
#include "kernels/runtime/device/cubin.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

// -1: not said.
void add(int& sum, int more) { sum = sum < 0 ? more : sum + std::max(more, 0); }

// What has no code of ptxas. Spills lie on the stack too: it is spoken of where there are none.
void add_local_memory(ResourceUse& use, std::string_view entry) {
  const auto add = [&](const char* code, std::string words) {
    use.remarks->push_back(explained(code, std::string(entry), std::move(words)));
  };
  if (use.spills())
    add("spills", fmt::format("{} bytes spill stores, {} bytes spill loads", use.spill_store_bytes, use.spill_load_bytes));
  else if (use.stack_bytes > 0)
    add("local memory", fmt::format("{} bytes stack frame", use.stack_bytes));
}

std::string code_in_words(const PtxasRemark& remark) { return remark.code + (remark.is_allowed ? " (allowed)" : ""); }

}  // namespace

ResourceUse parse_ptxas_log(std::string_view log, std::string_view entry) {
  ResourceUse use;
  use.remarks = ptxas_remarks(log, entry);
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
      // Functions that the kernel calls have a line each, behind its own.
      add(use.stack_bytes, number_before(line, " bytes stack frame"));
      add(use.spill_store_bytes, number_before(line, " bytes spill stores"));
      add(use.spill_load_bytes, number_before(line, " bytes spill loads"));
    }
    if (line.find(" registers") != std::string_view::npos && line.find("Used ") != std::string_view::npos) {
      use.registers = number_before(line, " registers");
      const int barriers = number_before(line, " barriers");  // ptxas leaves out what is zero
      const int smem = number_before(line, " bytes smem");
      use.barriers = barriers < 0 ? 0 : barriers;
      use.smem_bytes = smem < 0 ? 0 : smem;
    }
  }
  if (use.remarks) add_local_memory(use, entry);
  return use;
}

std::vector<PtxasRemark> forbidden_remarks(const ResourceUse& use) {
  std::vector<PtxasRemark> forbidden;
  if (use.remarks) {
    std::copy_if(use.remarks->begin(), use.remarks->end(), std::back_inserter(forbidden),
                 [](const PtxasRemark& remark) { return !remark.is_allowed; });
  }
  return forbidden;
}

std::string remarks_in_short(const ResourceUse& use) {
  if (!use.remarks) return "not said";
  if (use.remarks->empty()) return "none";
  std::string text;
  for (const bool allowed : {false, true}) {  // what is wrong is read first
    for (const PtxasRemark& remark : *use.remarks) {
      if (remark.is_allowed == allowed) text += (text.empty() ? "" : ", ") + code_in_words(remark);
    }
  }
  return text;
}

std::vector<std::string> remarks_in_words(const ResourceUse& use) {
  if (!use.remarks) return {"not said: the assembler's log was not kept"};
  if (use.remarks->empty()) return {"none"};
  std::vector<std::string> lines;
  for (const PtxasRemark& remark : *use.remarks) lines.push_back(fmt::format("{}: {}", code_in_words(remark), remark.meaning));
  return lines;
}

}  // namespace tessera
