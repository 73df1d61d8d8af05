// SPDX-License-Identifier: BSD-3-Clause
// Every algebra row that CuTe answered: our text must be CuTe's, or the law is broken and we refuse.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/sha256.hpp"
#include "tests/layout/oracle_operations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

std::vector<oracle::Row> rows(const std::string& name) {
  std::ifstream file(test::source_dir() + "/tests/oracle/algebra_" + name + ".jsonl");
  REQUIRE(file.good());
  std::vector<oracle::Row> out;
  for (std::string line; std::getline(file, line);) out.push_back(oracle::Row::parse(line));
  REQUIRE(!out.empty());
  return out;
}

struct Count {
  int right = 0, refused_by_law = 0, wrong = 0;
};
using Counts = std::map<std::string, Count>;

// The image of a printed layout equals the row's, which CuTe evaluated itself.
bool image_agrees(const oracle::Row& row, const std::string& result) {
  if (!row.contains("image") && !row.contains("image_sha256")) return true;
  const auto layout = literals::Reader(result).any_layout();
  if (!layout) return false;
  std::string joined;
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < size(*layout); ++i) {
    const auto value = evaluate(*layout, Coord(i));
    if (!value) return false;
    values.push_back(to_string(*value));
    joined += (i ? "," : "") + values.back();
  }
  if (row.contains("image")) {
    std::vector<std::string> expected;
    for (const auto& v : row["image"]) expected.push_back(oracle::text(v));
    return values == expected;
  }
  return Sha256().update(joined).hex_digest() == row["image_sha256"].get<std::string>();
}

void hold(const oracle::Row& row, Counts& counts) {
  const std::string op = row["op"];
  Count& count = counts[op];
  INFO(row.dump().substr(0, 600));
  const auto answer = oracle::operations().at(op)(row["args"]);
  if (row.value("post_ok", true) == false) {
    // CuTe's answer is a different function than the operation defines.
    CHECK_FALSE(answer.has_value());
    if (!answer) CHECK(answer.error().code == ErrorCode::breaks_law);
    ++(answer ? count.wrong : count.refused_by_law);
    return;
  }
  if (!answer) {
    UNSCOPED_INFO(describe(answer.error()));
    CHECK(answer.has_value());
    ++count.wrong;
    return;
  }
  std::vector<std::string> expected;
  if (row["result"].is_array()) {
    for (const auto& v : row["result"]) expected.push_back(oracle::text(v));
  } else {
    expected.push_back(oracle::text(row["result"]));
  }
  const bool same = *answer == expected && (row["result"].is_array() || image_agrees(row, answer->front()));
  if (!same) {
    CHECK(answer->size() == expected.size());
    CHECK(answer->front() == expected.front());
    CHECK(same);
  }
  ++(same ? count.right : count.wrong);
}

void hold_file(const std::string& name) {
  Counts counts;
  for (const oracle::Row& row : rows(name)) hold(row, counts);
  for (const auto& [op, c] : counts) {
    UNSCOPED_INFO(op);
    CHECK(c.wrong == 0);
    if (std::getenv("TESSERA_ORACLE_TABLE")) {
      fmt::print("{:12s} {:34s} right {:4d}  refused by law {:3d}  wrong {:3d}\n", name, op, c.right, c.refused_by_law, c.wrong);
    }
  }
}

}  // namespace

TEST_CASE("Compositions print as CuTe prints them, and broken ones are refused", "[oracle]") { hold_file("composition"); }
TEST_CASE("Coordinates, slices and regroupings print as in CuTe", "[oracle]") { hold_file("coords"); }
TEST_CASE("Coalescing, filtering and making layouts print as in CuTe", "[oracle]") { hold_file("core"); }
TEST_CASE("Divides print as in CuTe", "[oracle]") { hold_file("divide"); }
TEST_CASE("Relations and divisions of IntTuples are CuTe's", "[oracle]") { hold_file("inttuple"); }
TEST_CASE("Complements and inverses print as in CuTe", "[oracle]") { hold_file("inverse"); }
TEST_CASE("Products print as in CuTe", "[oracle]") { hold_file("product"); }
TEST_CASE("Casts to other widths print as in CuTe", "[oracle]") { hold_file("recast"); }
TEST_CASE("Swizzled layouts print as in CuTe through every operation", "[oracle]") { hold_file("swizzle"); }

TEST_CASE("The layouts' rank, depth, cosize and shape are CuTe's", "[oracle]") {
  int compared = 0;
  for (const char* file : {"coords", "swizzle"}) {
    for (const oracle::Row& row : rows(file)) {
      if (!row.contains("cosize")) continue;
      INFO(row.dump().substr(0, 300));
      const AnyLayout layout = literals::must(literals::Reader(oracle::text(row["result"])).any_layout());
      CHECK(static_cast<std::int64_t>(rank(layout)) == row["rank"].get<std::int64_t>());
      CHECK(depth(layout) == row["depth"].get<int>());
      CHECK(cosize(layout) == row["cosize"].get<std::int64_t>());
      CHECK(size(layout) == row["size"].get<std::int64_t>());
      CHECK(to_string(shape(layout)) == oracle::text(row["shape"]));
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("What CuTe refuses to compile is refused with a reason", "[oracle]") {
  Counts counts;
  for (const oracle::Row& row : rows("invalid")) {
    INFO(row.dump().substr(0, 400));
    const auto answer = oracle::operations().at(row["op"])(row["args"]);
    const bool refused = !answer.has_value();
    if (!refused) UNSCOPED_INFO(answer->front());
    CHECK(refused);
    if (refused) CHECK(answer.error().message.size() > 20);
    ++(refused ? counts[row["op"]].right : counts[row["op"]].wrong);
  }
  for (const auto& [op, c] : counts) {
    if (std::getenv("TESSERA_ORACLE_TABLE")) fmt::print("{:12s} {:34s} refused {:3d}  accepted {:3d}\n", "invalid", op, c.right, c.wrong);
  }
}
