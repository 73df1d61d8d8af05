// SPDX-License-Identifier: BSD-3-Clause
// What is advised of bindings: each rule by a binding that breaks it and by one that does not.
#include "app/session/advise.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

const DeviceModel kDevice = find_device_model("H200").value();

struct Named {
  std::string name, text;
  std::vector<std::size_t> block = {};
};

Advised advised(const std::vector<Named>& given) {
  static std::deque<Value> values;  // as long as what points to them
  values.clear();
  std::vector<AdvisedBinding> bindings;
  for (const Named& each : given) {
    std::vector<Error> warnings;
    Result<Value> value = evaluate(each.text, {}, &warnings);
    AdvisedBinding& made = bindings.emplace_back();
    made.line = bindings.size();
    made.name = each.name;
    made.block = each.block;
    made.warnings = warnings;
    if (value) {
      values.push_back(std::move(*value));
      made.value = &values.back();
    } else {
      made.refusal = value.error().message;
    }
  }
  return advise(bindings, kDevice);
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const std::string kCopy = "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint32_t>, float>, (32,8):(8,1), 1)";  // 8 lanes along K

}  // namespace

TEST_CASE("a copy into conflicts is found with a layout that has none, and one without conflicts is said to be right") {
  const Advised broken = advised({{"copyA", kCopy}, {"sA", "(128,8):(1,129)"}});
  REQUIRE(broken.findings.size() == 1);
  const Advice& found = broken.findings[0];
  CHECK(found.weight == Advice::Weight::slow);
  CHECK(found.name == "sA");
  CHECK(found.line == 2);
  CHECK(found.times == 4);  // 4 lanes of a wavefront in each bank: m + 129 k, of 4 m and 8 k
  CHECK(has(found.finding, "128 wavefronts in 32 instructions of 8 warps where 32 would do"));
  // The layout that is named serves the same copy as well as can be.
  const std::string better = found.remedy.substr(0, found.remedy.find(": "));
  const Advised mended = advised({{"copyA", kCopy}, {"sA", better}});
  CHECK(mended.findings.empty());
  REQUIRE(mended.fine.size() == 1);
  CHECK(has(mended.fine[0], "copyA on sA: cp.async of 4 bytes: 32 wavefronts"));
}

TEST_CASE("a copy is held against what it may fill, and not against another operand, another block or no tile") {
  const std::string layout = "(128,8):(1,129)";
  CHECK(advised({{"copyA", kCopy}, {"sB", layout}}).findings.empty());
  CHECK(advised({{"copyA", kCopy, {1}}, {"sA", layout, {2}}}).findings.empty());
  CHECK(advised({{"copyA", kCopy, {1}}, {"sA", layout, {1, 2}}}).findings.size() == 1);
  CHECK(advised({{"copyA", kCopy}, {"sA", layout, {2}}}).findings.size() == 1);
  CHECK(advised({{"copy", kCopy}, {"sA", layout}, {"sB", layout}}).findings.size() == 2);
  CHECK(advised({{"copyA", kCopy}, {"rows", layout}}).findings.empty());           // nothing says shared memory
  CHECK(advised({{"copyA", kCopy}, {"sA", "(100,8):(1,101)"}}).findings.empty());  // its tiles do not divide it
  CHECK(advised({{"copyA", kCopy}, {"sA", "(128,8,3):(1,129,1032)"}}).findings.size() == 1);
}

TEST_CASE("elements at one place, refused bindings and broken laws are wrong, and stand first") {
  const Advised made = advised({{"copyA", kCopy},
                                {"sA", "(128,8):(1,129)"},
                                {"smem_b", "(8,8):(1,4)"},
                                {"x", "composition((4,8):(8,1), 5"},
                                {"mma", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(2,4,2,4):(1,8,0,2),16))"}});
  REQUIRE(made.findings.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(made.findings[i].weight == Advice::Weight::wrong);
  CHECK(made.findings[3].weight == Advice::Weight::slow);
  const auto says = [&](std::string_view name, std::string_view part) {
    return std::any_of(made.findings.begin(), made.findings.end(),
                       [&](const Advice& each) { return each.name == name && has(each.finding, part); });
  };
  CHECK(says("smem_b", "(4,0) and (0,1) both at 4"));
  CHECK(says("x", ""));
  CHECK(says("mma", "threads 0 and 64 both hold"));
}

TEST_CASE("a GEMM's accesses are those of its emulation, and its waves those of the device") {
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16))";
  const std::string tile = "gemm(m=4096, n=4096, k=4096, mma=" + mma + ", cta_tiler=(128,128,64), smem_copy_a=SM75_U32x4_LDSM_N, ";
  const Advised plain = advised({{"g", tile + "sA=(128,64):(64,1), sB=Sw<3,3,3> o 0 o (128,64):(64,1))"}});
  const auto reads =
      std::find_if(plain.findings.begin(), plain.findings.end(), [](const Advice& each) { return has(each.finding, "smem read of A"); });
  REQUIRE(reads != plain.findings.end());
  CHECK(reads->times == 8);  // eight rows of 128 bytes
  CHECK(reads->remedy == "find_smem_layout((128,64), bits=16, read=SM75_U32x4_LDSM_N)");
  const Advised swizzled = advised({{"g", tile + "sA=Sw<3,3,3> o 0 o (128,64):(64,1), sB=Sw<3,3,3> o 0 o (128,64):(64,1))"}});
  CHECK(
      std::none_of(swizzled.findings.begin(), swizzled.findings.end(), [](const Advice& each) { return has(each.finding, "read of A"); }));
  CHECK(std::any_of(swizzled.fine.begin(), swizzled.fine.end(), [](const std::string& each) { return has(each, "g, smem read of A"); }));
  const Advised few = advised({{"g", "gemm(m=128, n=128, k=64, mma=" + mma + ", cta_tiler=(128,128,64))"}});
  CHECK(std::any_of(few.findings.begin(), few.findings.end(), [](const Advice& each) { return has(each.finding, "1 tile on 132 SMs"); }));
}

TEST_CASE("a tile is held against the descriptors of the wgmma around it, and an MMA against wider stores") {
  const std::string mma = "make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>)";
  const Advised broken = advised({{"tiled_mma", mma}, {"sA", "Sw<3,4,3> o 0 o (64,64):(64,1)"}});
  REQUIRE(broken.findings.size() == 1);
  CHECK(broken.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(broken.findings[0].finding, "Sw<3,5,3> over bytes"));
  CHECK(has(broken.findings[0].remedy, "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64))"));
  const Advised right = advised({{"tiled_mma", mma}, {"sA", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64,4))"}});
  CHECK(right.findings.empty());
  REQUIRE(right.fine.size() == 1);
  CHECK(right.fine[0] == "sA for tiled_mma: B128, stride 1024 bytes");
  CHECK(advised({{"tiled_mma", mma, {1}}, {"sA", "Sw<3,4,3> o 0 o (64,64):(64,1)", {2}}}).findings.empty());

  const Advised narrow = advised({{"mma", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))"}});
  REQUIRE(narrow.findings.size() == 1);
  CHECK(narrow.findings[0].weight == Advice::Weight::hint);
  CHECK(advised({{"mma", narrow.findings[0].remedy}}).findings.empty());
}

TEST_CASE("a copy that misses elements of its own tile is wrong, and nothing else is said of it") {
  const std::string twice = "make_tiled_copy_impl(Copy_Atom<UniversalCopy<half_t>, half_t>, ((8,4),4):((2,16),1), (16,8))";
  const Advised made = advised({{"cp", twice}, {"sA", "(16,8):(8,1)"}});
  REQUIRE(made.findings.size() == 1);
  CHECK(made.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(made.findings[0].finding, "62 of 128 elements are missed"));
  CHECK(made.fine.empty());
}

TEST_CASE("copies are held against global memory too, in sectors") {
  const std::string copy = "make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>, (4,32):(32,1))";
  const Advised slow = advised({{"copy_a", copy}, {"gA", "make_tensor(make_gmem_ptr(float), (64,64):(1,4096))"}});
  REQUIRE(slow.findings.size() == 1);
  CHECK(slow.findings[0].times == 8);
  CHECK(has(slow.findings[0].finding, "4096 sectors"));
  CHECK(advised({{"copy_a", copy}, {"gA", "make_tensor(make_gmem_ptr(float), (64,64):(4096,1))"}}).findings.empty());
}

TEST_CASE("an instruction that cannot take its operand's layout is wrong, a thread's part is no tile, and a name that hides is a hint") {
  const std::string async = "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>, (16,8):(8,1), (1,8))";
  const Advised broken = advised({{"copyA", async}, {"sA", "Sw<3,2,3> o 0 o (64,64):(64,1)"}});
  REQUIRE(broken.findings.size() == 1);
  CHECK(broken.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(broken.findings[0].finding, "beside each other"));
  CHECK(advised({{"copyA", async}, {"tAsA", "make_tensor(make_smem_ptr(half_t), (64,64):(64,1))"}}).fine.empty());
  const Advised twice =
      advised({{"copyA", async}, {"sA_layout", "(64,64):(64,1)"}, {"sA", "make_tensor(make_smem_ptr(half_t), (64,64):(64,1))"}});
  CHECK(twice.findings.size() + twice.fine.size() == 1);
}
