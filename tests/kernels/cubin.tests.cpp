// SPDX-License-Identifier: BSD-3-Clause
// The assembler's log, as NVRTC 13.0 wrote it.
#include "kernels/runtime/device/cubin.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("registers, spills, stack and shared memory are read from the log of the right entry") {
  const char* log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n"
      "ptxas info    : Function properties for other\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     400 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 400 bytes cumulative stack size, 512 bytes smem, 376 bytes cmem[0]\n"
      "ptxas info    : Compile time = 172.719 ms\n";
  const ResourceUse k = parse_ptxas_log(log, "k");
  CHECK(k == ResourceUse{32, 12, 16, 400, 512, 1, k.remarks});
  CHECK(k.spills());
  const ResourceUse other = parse_ptxas_log(log, "other");
  CHECK(other.registers == 8);
  CHECK(other.smem_bytes == 0);
  CHECK_FALSE(other.spills());
}

TEST_CASE("lines of an entry that are about something else change nothing that was read") {
  const std::string begin = "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n";
  const std::string stack = "ptxas         .     400 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n";
  const std::string used = "ptxas info    : Used 32 registers, used 1 barriers, 512 bytes smem\n";
  const std::vector<std::string> others = {
      "ptxas info    : Function properties for k\n", "ptxas warning : the limit of 64 registers of 'k' is not kept\n",
      "ptxas info    : Used nothing of 7 barriers\n", "ptxas info    : 99 bytes gmem, 77 bytes smem, 3 bytes spill stores\n", "\n"};
  const ResourceUse expected{32, 12, 16, 400, 512, 1, std::vector{explained("spills", "k", "12 bytes spill stores, 16 bytes spill loads")}};
  REQUIRE(parse_ptxas_log(begin + stack + used, "k") == expected);
  CHECK(parse_ptxas_log(begin + used + stack, "k") == expected);  // in either order
  for (const std::string& other : others) {
    INFO(other);
    CHECK(parse_ptxas_log(other + begin + stack + used, "k") == expected);
    CHECK(parse_ptxas_log(begin + other + stack + used, "k") == expected);
    CHECK(parse_ptxas_log(begin + stack + other + used, "k") == expected);
    CHECK(parse_ptxas_log(begin + stack + used + other, "k") == expected);
  }
}

TEST_CASE("what a function spills that the kernel calls is the kernel's") {
  const ResourceUse use = parse_ptxas_log(
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 30 registers, used 0 barriers, 16 bytes cumulative stack size\n"
      "ptxas info    : Function properties for _Z1fPfyy\n"
      "ptxas         .     8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n",
      "k");
  CHECK(use.spill_store_bytes == 4);
  CHECK(use.spill_load_bytes == 12);
  CHECK(use.stack_bytes == 24);
}

TEST_CASE("remarks are told in short and in words, and what is not said is never none") {
  const std::string begin = "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n";
  const std::string wait = "ptxas info    : (C7517) warpgroup.wait is injected in around line 7 by compiler in function 'k'\n";
  const std::string stack = "ptxas         .     400 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n";
  const ResourceUse none = parse_ptxas_log(begin, "k"), not_said = parse_ptxas_log(begin, "other");
  CHECK(remarks_in_short(none) == "none");
  CHECK(remarks_in_words(none) == std::vector<std::string>{"none"});
  CHECK(remarks_in_short(not_said) == "not said");
  CHECK(remarks_in_words(not_said).front().starts_with("not said"));
  CHECK(forbidden_remarks(not_said).empty());
  const ResourceUse both = parse_ptxas_log(wait + begin + stack, "k");
  CHECK(remarks_in_short(both) == "spills, C7517 (allowed)");
  CHECK(remarks_in_words(both).front().starts_with("C7517 (allowed): ptxas has added one wait"));
  REQUIRE(forbidden_remarks(both).size() == 1);
  CHECK(forbidden_remarks(both).front().words == "12 bytes spill stores, 16 bytes spill loads");
  const ResourceUse array =
      parse_ptxas_log(begin + "ptxas         .     400 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", "k");
  CHECK(remarks_in_short(array) == "local memory");
}

TEST_CASE("what a log does not say stays unknown") {
  CHECK(parse_ptxas_log("", "k") == ResourceUse{});
  CHECK(parse_ptxas_log("ptxas info    : Used 32 registers\n", "k").registers == -1);  // of no entry
}
