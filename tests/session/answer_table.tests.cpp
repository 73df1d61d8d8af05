// SPDX-License-Identifier: BSD-3-Clause
// Answers as tables: what they hold, how they are sorted and filtered, and what a row does to the document.
#include "app/session/advice/answer_table.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/values/value.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Session open(std::string_view text) {
  Session session;
  REQUIRE(session.open_text(text, "test.tess"));
  return session;
}

const Report& report(const Session& session, const char* name) {
  const EvaluatedBinding* line = session.find(name);
  REQUIRE(line);
  REQUIRE(line->value);
  return *std::get<std::shared_ptr<const Report>>(line->value->any);
}

std::vector<std::string> column(const AnswerTable& table, const std::vector<std::size_t>& rows, std::size_t c) {
  std::vector<std::string> made;
  for (const std::size_t row : rows) made.push_back(table.rows[row].cells[c].words);
  return made;
}

const Offer* offer(const std::vector<Offer>& offers, std::string_view title) {
  const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.title == title; });
  return found == offers.end() ? nullptr : &*found;
}

constexpr const char* kSearch =
    "let sA = (128,32):(32,1)\nlet sB = (64,32):(32,1)\nlet best = find_smem_layout((128,32), read=SM75_U32x4_LDSM_N, write=128)\n";

}  // namespace

TEST_CASE("a layout that was found is a layout: in the language, and in the table") {
  const Session session = open(std::string(kSearch) + "let l = best.layout\nlet c = size(best.layout)\n");
  CHECK(kind_name(*session.find("l")->value) == "composed_layout");
  CHECK(to_string(*session.find("c")->value) == "4096");
  const AnswerTable table = table_of(report(session, "best"));
  REQUIRE(table.rows.size() > 3);
  REQUIRE(table.rows[0].layout);
  CHECK(to_string(*table.rows[0].layout) == to_string(*session.find("l")->value));
}

TEST_CASE("a table is sorted by numbers as numbers, back again, and as it was answered") {
  const Session session = open("let s = sweep(p * 7 % 10, p=8..12)\n");
  const AnswerTable table = table_of(report(session, "s"));
  REQUIRE(table.columns.size() == 2);
  CHECK(column(table, shown_rows(table, {}), 0) == std::vector<std::string>{"8", "9", "10", "11", "12"});
  CHECK(column(table, shown_rows(table, {"", 1, false}), 1) == std::vector<std::string>{"0", "3", "4", "6", "7"});
  CHECK(column(table, shown_rows(table, {"", 0, true}), 0) == std::vector<std::string>{"12", "11", "10", "9", "8"});
}

TEST_CASE("a filter has words that a row must have, and columns that are compared") {
  const Session session = open(kSearch);
  const AnswerTable table = table_of(report(session, "best"));
  const auto count = [&](const char* filter) { return shown_rows(table, {filter}).size(); };
  CHECK(count("") == table.rows.size());
  CHECK(count("no such words") == 0);
  const auto all = static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), "all") - table.columns.begin());
  REQUIRE(all < table.columns.size());
  const auto below = static_cast<std::size_t>(
      std::count_if(table.rows.begin(), table.rows.end(), [&](const auto& row) { return *row.cells[all].number < 150; }));
  REQUIRE(below > 0);
  REQUIRE(below < table.rows.size());
  CHECK(count("all<150") == below);
  CHECK(count("all>150") + count("all=150") == table.rows.size() - below);
  CHECK(count("SW<2,3,3>") == 1);  // words, whatever the case, though a sign is in them
  CHECK(count("all<150 sw<3,3,3>") == 1);
}

TEST_CASE("a layout of a row is used for lines of the same extents, and those lines have it then") {
  Session session = open(std::string(kSearch) + "let t = make_tensor(smem_ptr[16b](0), (128,32):(32,1))\nlet other = (32,128):(128,1)\n");
  const AnswerTable table = table_of(report(session, "best"));
  const std::vector<Offer> offers = offers_of(session, "best", table.rows[0]);
  CHECK_FALSE(offer(offers, "Use it for sB"));
  CHECK_FALSE(offer(offers, "Use it for other"));
  const Offer* use = offer(offers, "Use it for sA");
  REQUIRE(use);
  REQUIRE(perform(session, use->action, use->arguments));
  CHECK(to_string(*session.find("sA")->value) == to_string(*table.rows[0].layout));
  CHECK_FALSE(offer(offers_of(session, "best", table.rows[0]), "Use it for sA"));  // it has it
  REQUIRE(session.find("t")->value);
  {
    const std::vector<Offer> now = offers_of(session, "best", table.rows[0]);
    const Offer* tensor = offer(now, "Use it for t");
    REQUIRE(tensor);
    REQUIRE(perform(session, tensor->action, tensor->arguments));
    REQUIRE(session.find("t")->value);
    CHECK(to_string(*session.find("t")->value).find(to_string(*table.rows[0].layout)) != std::string::npos);
  }
  REQUIRE(session.undo());
}

TEST_CASE("a layout of a row is used for a GEMM's sA, whose argument it becomes") {
  Session session = open(
      "let g = gemm(m=128, n=64, k=32, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), cta_tiler=(128,64,32), "
      "sA=(128,32):(32,1), sB=(64,32):(32,1))\nlet best = find_smem_layout((128,32), bits=16, read=SM75_U32x4_LDSM_N, write=128)\n");
  REQUIRE(session.find("g")->value);
  const AnswerTable table = table_of(report(session, "best"));
  const std::vector<Offer> offers = offers_of(session, "best", table.rows[0]);
  const Offer* use = offer(offers, "Use it for sA of g");
  REQUIRE(use);
  CHECK_FALSE(offer(offers, "Use it for sB of g"));
  REQUIRE(perform(session, use->action, use->arguments));
  REQUIRE(session.find("g")->value);
  const auto& spec = *std::get<std::shared_ptr<const GemmSpec>>(session.find("g")->value->any);
  CHECK(to_string(*spec.sA) == to_string(*table.rows[0].layout));
}

TEST_CASE("a finding is shown, and mended by what the advice found") {
  Session session =
      open("let sA = (128,32):(32,1)\nlet copy_a = make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,4):(4,1), (1,1))\n");
  const Result<DeviceModel> device = find_device_model("H200");
  REQUIRE(device);
  const auto advised = [&] { return advise(program_of(session.document(), session.bindings()), *device); };
  const AnswerTable before = table_of(advised());
  const auto slow = std::find_if(before.rows.begin(), before.rows.end(), [](const auto& row) { return row.cells[0].words == "slow"; });
  REQUIRE(slow != before.rows.end());
  CHECK(slow->binding == "sA");
  const std::vector<Offer> offers = offers_of(session, {}, *slow);
  REQUIRE(offer(offers, "Show sA"));
  const Offer* fix = offer(offers, "Fix sA");
  REQUIRE(fix);
  REQUIRE(perform(session, fix->action, fix->arguments));
  CHECK(advised().findings.empty());
}

TEST_CASE("a line that was refused is mended from its finding, and a question is asked where no remedy is known") {
  const Session session = open("let a = (4,8):(8,1)\nlet b = cosiz(a)\n");
  const Result<DeviceModel> device = find_device_model("H200");
  const AnswerTable table = table_of(advise(program_of(session.document(), session.bindings()), *device));
  REQUIRE(table.rows.size() >= 1);
  CHECK(table.rows[0].cells[0].words == "wrong");
  const std::vector<Offer> offers = offers_of(session, {}, table.rows[0]);
  const Offer* mend = offer(offers, "Mend b");
  REQUIRE(mend);
  CHECK(mend->action == "binding.fix");
  AnswerTable::Row asks;
  asks.ask = "find_smem_layout((64,16), bits=16, write=16)";
  const std::vector<Offer> asked = offers_of(session, {}, asks);
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].action == "binding.add");
  CHECK(asked[0].arguments.at("name") == "better");
}

TEST_CASE("a row of a sweep sets the line that its parameter is called as") {
  Session session = open("let p = 8\nlet s = sweep(p + 1, p=8..10)\n");
  const AnswerTable table = table_of(report(session, "s"));
  CHECK_FALSE(offer(offers_of(session, "s", table.rows[0]), "Let p be 8"));
  const std::vector<Offer> offers = offers_of(session, "s", table.rows[2]);
  const Offer* set = offer(offers, "Let p be 10");
  REQUIRE(set);
  REQUIRE(perform(session, set->action, set->arguments));
  CHECK(to_string(*session.find("p")->value) == "10");
}

TEST_CASE("a better copy that check_copy found is used for the copy that it was asked of") {
  Session session = open(
      "let gA = (128,32):(32,1)\nlet sA = (128,32):(32,1)\n"
      "let c = make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (32,4):(4,1), (1,1))\nlet d = c\nlet ch = c\n"
      "let check = check_copy(c, gA, sA)\n");
  const Report& answer = report(session, "check");
  const std::vector<Offer> offers = offers_of(session, "check", answer);
  REQUIRE_FALSE(std::holds_alternative<std::monostate>(answer.picture));
  const Offer* use = offer(offers, "Use the better one for c");
  REQUIRE(use);
  CHECK_FALSE(offer(offers, "Use the better one for d"));
  CHECK_FALSE(offer(offers, "Use the better one for ch"));  // letters of check_copy
  REQUIRE(perform(session, use->action, use->arguments));
  REQUIRE(session.find("check")->value);
  CHECK(session.find("c")->value);
}
