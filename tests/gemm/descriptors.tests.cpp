// SPDX-License-Identifier: BSD-3-Clause
// What `verify` refuses of tensor maps and descriptors that do not say the partitions, and what the machine does by them.
#include <functional>
#include <string>
#include <string_view>

#include "core/gemm/plan/descriptors.hpp"

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/majors.hpp"

using namespace tessera;
using namespace tessera::plan;
using support::Majors;

namespace {

GemmPlan along(Majors majors) {
  GemmSpec spec = support::with_majors(support::hopper(Overlap::none, 256, 512, 128, 128, 256, 2), majors);
  spec.stages = 2;
  return lower(spec).value();
}

std::string answer(const GemmPlan& plan) {
  const Status verdict = verify(plan);
  return verdict ? "accepted" : verdict.error().message;
}

bool mentions(const std::string& text, std::string_view part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

// Does the machine, which has not been asked to verify, make another product?
bool differs(const GemmPlan& plan) {
  const SimulationInput input = integer_input(plan, 4);
  const auto got = simulate(plan, input);
  return !got || got->c != reference(plan, input);
}

template <class T>
void change(GemmPlan& plan, const std::function<void(T&)>& how, std::string_view role = {}) {
  REQUIRE(support::edit(
              plan, [](const Op& op) { return support::as<T>(op) != nullptr; }, support::changed<T>(how), role) > 0);
}

}  // namespace

TEST_CASE("a descriptor that says another stage than its partition is refused, and makes another product") {
  for (const Majors majors : support::kMajors) {
    for (const std::size_t i : {0U, 1U}) {
      const GemmPlan right = along(majors);
      INFO(majors.name() << " " << right.descriptors[i].name);
      REQUIRE(answer(right) == "accepted");
      REQUIRE_FALSE(differs(right));
      const bool mn = right.descriptors[i].mn_major;
      const auto with = [&](const std::function<void(Descriptor&)>& how) {
        GemmPlan wrong = right;
        how(wrong.descriptors[i]);
        return wrong;
      };
      const GemmPlan stride = with([](Descriptor& d) { d.stride_bytes = 2048; });
      mentions(answer(stride), i == 0 ? "consumer 0 multiplies tCsA by wgmma: by dA it reads its value" : "tCsB by wgmma: by dB it reads");
      CHECK(differs(stride));
      const GemmPlan leading = with([](Descriptor& d) { d.leading_bytes = 4096; });
      // Of A, an instruction reads 64 of M, which are one block; and K-major rows have no neighbours.
      if (mn && i == 1) {
        mentions(answer(leading), "by dB it reads its value");
        CHECK(differs(leading));
      } else {
        CHECK(answer(leading) == "accepted");
        CHECK_FALSE(differs(leading));
      }
      const GemmPlan swizzle = with([](Descriptor& d) { d.swizzle_bytes = 64; });
      mentions(answer(swizzle), "by wgmma: by d");
      CHECK(differs(swizzle));
      const GemmPlan turned = with([](Descriptor& d) { d.mn_major = !d.mn_major; });
      mentions(answer(turned), mn ? "says an operand along K, where SM90_64x256x16" : "says an operand along MN, where SM90_64x256x16");
      CHECK(differs(turned));
      mentions(answer(with([](Descriptor& d) { d.tensor = 0; })), "is of another tensor");
    }
  }
}

TEST_CASE("a wgmma without a descriptor is refused by verify, and by the machine") {
  for (const bool a : {true, false}) {
    GemmPlan plan = along({true, false});
    change<Mma>(plan, [&](Mma& mma) { (a ? mma.descriptor_a : mma.descriptor_b) = kNone; });
    mentions(answer(plan), std::string("consumer 0 multiplies tCs") + (a ? "A" : "B") + " by wgmma without a descriptor");
    const auto ran = simulate(plan, integer_input(plan, 4));
    REQUIRE_FALSE(ran);
    mentions(ran.error().message, "without descriptors");
  }
}

TEST_CASE("a stage that begins between two periods of a swizzle is refused") {
  GemmPlan plan = along({true, true});
  for (Tensor& tensor : plan.tensors) {
    if (tensor.name == "sB") tensor.byte_offset += 512, plan.smem_bytes += 512;
    if (tensor.name.starts_with("sC")) tensor.byte_offset += 1024;
  }
  plan.smem_bytes += 1024;
  for (Barrier& barrier : plan.barriers) barrier.byte_offset += 2048;
  mentions(answer(plan), "swizzles by 128 bytes, and sB begins at byte");
}

TEST_CASE("a tensor map whose boxes are not those of its partitions is refused") {
  for (const Majors majors : support::kMajors) {
    for (const std::size_t i : {0U, 1U, 2U}) {
      const GemmPlan right = along(majors);
      INFO(majors.name() << " " << right.maps[i].name);
      const auto with = [&](const std::function<void(TensorMap&)>& how) {
        GemmPlan wrong = right;
        how(wrong.maps[i]);
        return answer(wrong);
      };
      mentions(with([](TensorMap& map) { map.box_rows /= 2; }), "and a box of m");
      const std::string turned = with([](TensorMap& map) { map.box_rows /= 2, map.box_columns *= 2; });
      mentions(turned, "by TMA");
      mentions(with([](TensorMap& map) { map.swizzle_bytes = 64; }), "of a box arrives at byte");
      mentions(with([](TensorMap& map) { map.swizzle_bytes = 0; }), "of a box arrives at byte");
      mentions(with([&](TensorMap& map) { map.tensor = right.maps[(i + 1) % 3].tensor; }), "is of another tensor");
    }
    GemmPlan none = along(majors);
    change<Copy>(none, [](Copy& copy) { copy.map = copy.by == CopyBy::tma_store ? kNone : copy.map; });
    mentions(answer(none), "by TMA without a tensor map");
    none = along(majors);
    change<Copy>(none, [](Copy& copy) { copy.map = copy.by == CopyBy::tma_load ? kNone : copy.map; });
    mentions(answer(none), "producer copies tAgA to tAsA by TMA without a tensor map");
  }
}
