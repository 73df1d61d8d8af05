// SPDX-License-Identifier: BSD-3-Clause
// Boxes of TMA and the sectors that their rows touch, counted by hand.
#include <string_view>

#include "core/atom/tma/tma_access.hpp"

#include "core/atom/instructions/catalog.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;

namespace {

Layout read(std::string_view text) { return literals::Reader(text).layout().value(); }

Result<TmaAccess> access_of(std::string_view gmem, const AnyLayout& smem, std::string_view tiler, ValueType type = ValueType::f16) {
  const Layout tensor = read(gmem);
  const Layout identity = make_identity_layout(tensor.shape()).value();
  const Layout values = composition(identity, to_tiler(read(tiler).shape()), Law::as_cute).value();
  return tma_access(make_tma_atom({find_copy_atom("SM90_TMA_LOAD").value(), tensor, type, smem, values, 1}).value(), tensor);
}

AnyLayout swizzled(int b, std::string_view text) { return composition(Swizzle::make(b, 3, 3).value(), 0, read(text)); }

}  // namespace

TEST_CASE("rows of whole sectors touch the least of them") {
  const TmaAccess made = access_of("(512,256):(256,1)", swizzled(3, "(128,64):(64,1)"), "(128,64)").value();
  CHECK(made.boxes == 4 * 4);
  CHECK(made.rows == 128);
  CHECK(made.inner_bytes == 128);
  CHECK(made.span == 128);
  CHECK(made.sectors == 512 * 256 * 2 / 32);
  CHECK(made.is_best());
  CHECK(made.alike.size() == 1);
}

TEST_CASE("rows at an odd multiple of 16 bytes touch one sector more, every other row") {
  // A pitch of 264 halves is 528 bytes: rows begin at 0 and 16 bytes behind a sector in turn. 128 bytes are 4 sectors, or 5.
  const TmaAccess made = access_of("(512,256):(264,1)", read("(128,64):(64,1)"), "(128,64)").value();
  CHECK(made.least == 512 * 4 * 4);
  CHECK(made.sectors == 512 * 4 * (4 + 5) / 2);
  REQUIRE(made.alike.size() == 2);
  CHECK(made.alike[1].behind == 16);
  CHECK(made.alike[1].rows == 512 * 4 / 2);
}

TEST_CASE("what hangs over the tensor's edge is not read") {
  const TmaAccess made = access_of("(100,80):(80,1)", read("(64,64):(64,1)"), "(64,64)").value();
  CHECK(made.boxes == 2 * 2);
  CHECK(made.sectors == 100 * (4 + 1));  // 64 halves and the 16 that are left
}

TEST_CASE("modes that one coordinate joins are walked one by one") {
  const TmaAccess made =
      access_of("((32,40),((8,8),656)):((1,32),((1280,10240),81920))", read("(128,(32,2)):(1,(128,4096))"), "(128,(32,2))", ValueType::f32)
          .value();
  CHECK(made.inner_bytes == 128 * 4);
  CHECK(made.boxes == 10 * 2 * 328);
  CHECK(made.sectors == 1280 * 64 * 656 / 8);
}

TEST_CASE("boxes that TMA cannot move are refused by their rule") {
  CHECK(access_of("(512,256):(256,1)", read("(128,4):(4,1)"), "(128,4)").error().code == ErrorCode::not_divisible);
  const auto wide = access_of("(512,256):(256,1)", swizzled(2, "(128,64):(64,1)"), "(128,64)");
  REQUIRE(!wide.has_value());
  CHECK(wide.error().message == "a box's inner extent is 128 bytes, and its swizzle takes 64 together");
  const TmaCopy copy =
      make_tma_atom(
          {find_copy_atom("SM90_TMA_LOAD").value(), read("(512,256):(256,1)"), ValueType::f16, AnyLayout(read("(128,64):(64,1)")),
           composition(make_identity_layout(read("(512,256):(256,1)").shape()).value(), to_tiler(read("(128,64)").shape()), Law::as_cute)
               .value(),
           1})
          .value();
  CHECK(tma_access(copy, read("512:1")).error().code == ErrorCode::not_congruent);
  CHECK(tma_access(copy, read("(512,256):(1,512)")).error().code == ErrorCode::not_representable);
}
