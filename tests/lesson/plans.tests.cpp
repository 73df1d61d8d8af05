// SPDX-License-Identifier: BSD-3-Clause
// A plan as an answer: the same work, and nothing that the machine finds wrong, wherever its waits and arrivals stand.
#include "core/lesson/plans.hpp"

#include <string>

#include "tests/lesson/asks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::lesson;
using tessera::lesson::testing::OneAsk;

namespace {

const std::string kHead = R"(plan "a ring" {
  cta threads 256 smem_bytes 544
  tensor sK shared a f16 (8,16):(16,1) elements 128 ring K stage_elements 128
  partition tK of sK modes (val) (1,128):(0,1)
  ring K stages 2 full full empty empty
  barrier full mbarrier arrivals 1 bytes 256 ring K byte_offset 512
  barrier empty mbarrier arrivals 1 ring K byte_offset 528
  cursor write of K
  cursor read of K
)";

// The two roles with these lines before the copy, before and behind the product.
std::string ring(const std::string& before_copy, const std::string& before_product, const std::string& behind_product) {
  return kHead + "  role producer threads 128 {\n    loop t = 0 .. 6 {\n" + before_copy +
         "      when first_thread { expect full[write]; opaque \"copy\" writes tK[write] barrier full units 6 }\n      advance write\n    "
         "}\n  }\n" +
         "  role consumer first_thread 128 threads 128 {\n    loop t = 0 .. 6 {\n" + before_product +
         "      opaque \"multiply\" reads tK[read] units 2 group wgmma\n      commit wgmma\n      wait_group wgmma 0\n" + behind_product +
         "      advance read\n    }\n  }\n}";
}
const std::string kRight = ring("wait empty[write]\n", "wait full[read]\n", "arrive empty[read]\n");

OneAsk question() {
  return OneAsk(
      "kind: plan\nprompt: Place the barriers.\ngiven: {{without(ring, \"wait\")}}\nanswer: ring\n"
      "wrong 16: without(ring, \"wait full\") -> Whose bytes are these?",
      "let ring = " + kRight);
}

}  // namespace

TEST_CASE("a plan is right where the machine finds nothing, in whatever spelling") {
  const OneAsk one = question();
  CHECK(one.question().given.find("wait full") == std::string::npos);
  CHECK(one.question().given.find("opaque \"multiply\"") != std::string::npos);
  CHECK(one.right(kRight));
  CHECK(one.right("let mine = " + kRight));
  std::string renamed = kRight;
  renamed.replace(renamed.find("a ring"), 6, "of mine");
  CHECK(one.right(renamed));
  // Another order that is right: the consumer looks twice.
  CHECK(one.right(ring("wait empty[write] \"it is free\"\n", "wait full[read]\nwait full[read]\n", "arrive empty[read]\n")));
}

TEST_CASE("what the machine finds is told by the line of the text that was written") {
  const OneAsk one = question();
  const Grade early = one.grade(ring("wait empty[write]\n", "", "arrive empty[read]\n"));
  CHECK_FALSE(early.right);
  CHECK(early.read);
  CHECK(early.difference.find("line 19 of the plan") != std::string::npos);
  CHECK(early.difference.find("before its copy has arrived") != std::string::npos);
  CHECK(early.hint == "Whose bytes are these?");
  CHECK(early.confusion == 16);
  const Grade stuck = one.grade(ring("wait empty[write]\n", "wait full[read]\n", ""));
  CHECK_FALSE(stuck.right);
  CHECK(stuck.hint.empty());
  const Grade soon = one.grade(ring("wait empty[write]\n", "wait full[read]\narrive empty[read]\n", ""));
  CHECK(soon.difference.find("after it has released it") != std::string::npos);
}

TEST_CASE("a plan that does less is no answer") {
  const OneAsk one = question();
  std::string less = kRight;
  less.erase(less.find("      opaque \"multiply\""), std::string("      opaque \"multiply\" reads tK[read] units 2 group wgmma\n").size());
  CHECK(one.grade(less).difference.find("does other work than was given") != std::string::npos);
  std::string fewer = kRight;
  while (fewer.find("0 .. 6") != std::string::npos) fewer.replace(fewer.find("0 .. 6"), 6, "0 .. 1");
  CHECK_FALSE(one.right(fewer));
  std::string endless = kRight;
  endless.replace(endless.find("0 .. 6"), 6, "0 .. 1000000000");
  CHECK_FALSE(one.right(endless));
}

TEST_CASE("what is no plan cannot be read, and its line is told") {
  const OneAsk one = question();
  std::string misspelt = kRight;
  misspelt.replace(misspelt.find("wait full"), 9, "wait fill");
  const Grade grade = one.grade(misspelt);
  CHECK_FALSE(grade.read);
  CHECK(grade.difference.find("line 19") != std::string::npos);
  CHECK(grade.difference.find("no barrier fill") != std::string::npos);
  for (const char* answer : {"", "(4,8):(8,1)", "plan {", "let a = 4", "{", "plan"}) {
    INFO(answer);
    CHECK_FALSE(one.right(answer));
  }
}

TEST_CASE("of a plan that cannot be right in two ways, neither is the other") {
  const Value early = read_plan(ring("wait empty[write]\n", "", "arrive empty[read]\n")).value();
  const Value stuck = read_plan(ring("wait empty[write]\n", "wait full[read]\n", "")).value();
  const Value right = read_plan(kRight).value();
  CHECK(plan_difference(early, early).value().empty());
  CHECK_FALSE(plan_difference(early, stuck).value().empty());
  CHECK(plan_difference(right, early).value() == "the machine finds nothing wrong with it");
}

TEST_CASE("an answer on paper is what was put in, by its lines") {
  const OneAsk one = question();
  const Question asked = one.question();
  CHECK(lines_beyond(asked.given, asked.wanted) == "line 12: wait empty[write], line 22: wait full[read]");
  CHECK(lines_beyond(asked.given, asked.wrong[0]) == "line 12: wait empty[write]");
  CHECK(lines_beyond(asked.given, read_plan(asked.given).value()) == "what was given");
  CHECK(lines_beyond("plan { cta threads 9 }", asked.wanted).starts_with("plan \"a ring\" { cta threads 256"));
}
