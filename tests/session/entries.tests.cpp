// SPDX-License-Identifier: BSD-3-Clause
// --entry names a function and the line of a call.
#include <string>
#include <vector>

#include "app/session/files/entries.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("an entry is a function's name with the line of a call") {
  const auto made = read_entries({"f", "Kernel::run:8", "Gemm.kernel"});
  REQUIRE(made);
  CHECK((*made)[0].name == "f");
  CHECK((*made)[0].line == 0);
  CHECK((*made)[1].name == "Kernel::run");
  CHECK((*made)[1].line == 8);
  CHECK((*made)[2].name == "Gemm.kernel");
  const auto written = read_entries({"flash::Traits<128, Shape<_1,_2>>", " Kernel(128, stages=3) "});
  REQUIRE(written);
  CHECK((*written)[0].name == "flash::Traits");
  CHECK((*written)[0].written == "flash::Traits<128, Shape<_1,_2>>");
  CHECK((*written)[1].name == "Kernel");
  CHECK((*written)[1].written == "Kernel(128, stages=3)");
  for (const std::string& wrong : {std::string("f(1"), std::string("(1)"), std::string("f(1) + 2"), std::string("f(1); g(2)"),
                                   std::string("f(1)\ng(2)"), std::string("f{1}"), std::string("8<1>")})
    CHECK_FALSE(read_entries({wrong}));
  for (const std::string& wrong : {std::string(), std::string("8"), std::string("f:"), std::string("f:x"), std::string("f:0"),
                                   std::string("f:-1"), std::string("f g"), std::string("f:99999999999999999999999")})
    CHECK_FALSE(read_entries({wrong}));
}

TEST_CASE("an entry that no call has is refused with the calls that there are") {
  const std::vector<CalledFunction> called = {{"Kernel.run", 3, {8, 9}, 0, {"m"}, {}}};
  CHECK(check_entries({{"run", 9}}, called));
  CHECK(check_entries({{"Kernel::run", 0}}, called));
  const Status line = check_entries({{"run", 7}}, called);
  REQUIRE_FALSE(line);
  CHECK(line.error().message == "--entry: line 7 does not call run");
  CHECK(line.error().notes == std::vector<std::string>{"Kernel.run: lines 8, 9"});
  CHECK(check_entries({{"walk", 0}}, called).error().message == "--entry: the file calls no function walk that it defines");
  CHECK(check_entries({{"walk", 0}}, {}).error().notes == std::vector<std::string>{"the file calls nothing that it defines"});
}

TEST_CASE("an entry that is a whole call has to be one of what the file defines") {
  const std::vector<CalledFunction> called = {{"Traits", 3, {}, 9, {}, {"N"}, "Traits<8>"}};
  CHECK(check_entries({{"Traits", 0, "Traits<8>"}}, called));
  CHECK(check_entries({{"Traits", 0, "Traits<8, 9>"}}, called).error().message ==
        "--entry Traits<8, 9>: the file defines no function or class Traits that takes these arguments");
}

TEST_CASE("calls that differ are said with a way to choose") {
  CHECK(words_of_calls({{"f", 3, {8, 9}, 0, {"m"}, {}}, {"g", 4, {8}, 0, {}, {"m"}}}) ==
        std::vector<std::string>{"f in line 3 is called in lines 8, 9 with different values of m: --entry f:8 takes those of one call"});
}
