// SPDX-License-Identifier: BSD-3-Clause
// Tensor memory: lanes and columns of addresses, what is allocated, and which register a copy hands each column to.
#include "core/atom/mma/tmem_fragment.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::vector<TmemRegister> registers_of(std::string_view name) { return tmem_registers(find_copy_atom(name).value()).value(); }

// "T6 r3", of a lane and a column.
std::string holder(const std::vector<TmemRegister>& registers, std::int64_t lane, std::int64_t column) {
  const auto found = std::find_if(registers.begin(), registers.end(),
                                  [&](const auto& each) { return each.place.lane == lane && each.place.column == column; });
  return found == registers.end() ? "nobody" : "T" + std::to_string(found->thread) + " r" + std::to_string(found->value);
}

}  // namespace

TEST_CASE("an address of tensor memory is a lane, a column and a bit of it") {
  CHECK(tmem_place(0) == TmemPlace{0, 0, 0});
  CHECK(tmem_place(5 * 32 + 16) == TmemPlace{0, 5, 16});
  CHECK(tmem_place(127 * kTmemLaneBits + 511 * 32) == TmemPlace{127, 511, 0});
}

TEST_CASE("columns are allocated in powers of two, 32 at least") {
  CHECK(tmem_allocation(1) == 32);
  CHECK(tmem_allocation(32) == 32);
  CHECK(tmem_allocation(96) == 128);
  CHECK(tmem_allocation(257) == 512);
}

TEST_CASE("each lane and column of a copy is one register's, and threads have as many as each other") {
  for (const char* name : {"SM100_TMEM_LOAD_32dp32b1x", "SM100_TMEM_LOAD_32dp32b64x", "SM100_TMEM_LOAD_16dp256b4x",
                           "SM100_TMEM_LOAD_16dp128b2x", "SM100_TMEM_LOAD_16dp64b8x", "SM100_TMEM_STORE_32dp32b8x"}) {
    CAPTURE(name);
    const std::vector<TmemRegister> registers = registers_of(name);
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    std::vector<std::int64_t> held(32, 0);
    std::int64_t columns = 0;
    for (const TmemRegister& each : registers) {
      CHECK(places.insert({each.place.lane, each.place.column}).second);
      CHECK(each.place.bit == 0);
      ++held.at(static_cast<std::size_t>(each.thread));
      columns = std::max(columns, each.place.column + 1);
    }
    const std::int64_t lanes = std::string_view(name).find("32dp") != std::string_view::npos ? 32 : 16;
    CHECK(static_cast<std::int64_t>(registers.size()) == lanes * columns);
    CHECK(std::count(held.begin(), held.end(), held.front()) == 32);
  }
}

// Read off the PTX ISA's figures of tcgen05.ld's shapes.
TEST_CASE("the shapes of tcgen05.ld hand out columns as the PTX ISA draws them") {
  const auto rows = registers_of("SM100_TMEM_LOAD_32dp32b2x");  // a thread has its own lane
  CHECK(holder(rows, 7, 0) == "T7 r0");
  CHECK(holder(rows, 7, 1) == "T7 r1");
  const auto wide = registers_of("SM100_TMEM_LOAD_16dp256b1x");  // two columns a thread, four threads a lane; eight lanes further again
  CHECK(holder(wide, 0, 0) == "T0 r0");
  CHECK(holder(wide, 1, 3) == "T5 r1");
  CHECK(holder(wide, 9, 5) == "T6 r3");
  const auto half = registers_of("SM100_TMEM_LOAD_16dp128b1x");  // one column a thread
  CHECK(holder(half, 2, 3) == "T11 r0");
  CHECK(holder(half, 10, 3) == "T11 r1");
}

TEST_CASE("copies that move nothing between registers and tensor memory are refused") {
  for (const char* name : {"SM75_U32x4_LDSM_N", "SM100_UTCCP_128dp256bit_1cta"}) {
    const auto refused = tmem_registers(find_copy_atom(name).value());
    REQUIRE(!refused);
    CHECK(refused.error().message.find("moves nothing between registers and tensor memory") != std::string::npos);
  }
}
