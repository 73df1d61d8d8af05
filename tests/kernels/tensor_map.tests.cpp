// SPDX-License-Identifier: BSD-3-Clause
// What TMA cannot address is refused in words, each rule at its edge.
#include <cstdint>
#include <string>

#include "kernels/runtime/device/tensor_map.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

TensorMapArgument right() {
  TensorMapArgument argument;
  argument.spec.name = "mA", argument.spec.type = "bf16";
  argument.spec.rows = 256, argument.spec.columns = 192, argument.spec.pitch_bytes = 384;
  argument.spec.box_rows = 128, argument.spec.box_columns = 64, argument.spec.swizzle_bytes = 128;
  argument.base = 1024;
  return argument;
}

// What is said of the right map with one thing changed; "" where it still can be addressed.
template <class Change>
std::string refused(const Change& change) {
  TensorMapArgument argument = right();
  change(argument.spec, argument.base);
  const Status status = check_tensor_map(argument);
  return status ? "" : status.error().message;
}

}  // namespace

TEST_CASE("a tensor map's elements are those that wgmma multiplies or stores, and its memory, rows and boxes are multiples of 16 bytes") {
  CHECK(refused([](TensorMapSpec&, DevicePointer&) {}) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.type = "f16"; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.type = "f64"; }).find("elements of type f64") != std::string::npos);
  for (const char* type : {"tf32", "f32", "s32", "e4m3", "e5m2", "s8", "u8"}) {  // rows of 128 bytes
    const std::int64_t bytes = type == std::string("tf32") || type[1] == '3' ? 4 : 1;
    INFO(type);
    CHECK(refused([&](TensorMapSpec& s, DevicePointer&) { s.type = type, s.box_columns = 128 / bytes, s.pitch_bytes = 192 * bytes; }) ==
          "");
    CHECK(refused([&](TensorMapSpec& s, DevicePointer&) { s.type = type, s.box_columns = 256 / bytes, s.pitch_bytes = 192 * bytes; }) !=
          "");
  }
  CHECK(refused([](TensorMapSpec&, DevicePointer& base) { base = 1040; }) == "");
  CHECK(refused([](TensorMapSpec&, DevicePointer& base) { base = 1032; }).find("begins at 0x408") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.pitch_bytes = 400; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.pitch_bytes = 392; }).find("are 392 bytes apart") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.pitch_bytes = 368; }).find("at least a row") != std::string::npos);
  constexpr std::int64_t pitches = std::int64_t{1} << 40;
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.pitch_bytes = pitches - 16; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.pitch_bytes = pitches; }).find("less than 2^40") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_columns = 56; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_columns = 60; }).find("rows of 120 bytes") != std::string::npos);
}

TEST_CASE("a tensor map has no more rows than 32 bits count, a box no side beyond 256 and no row wider than its swizzle") {
  constexpr std::int64_t most = 4294967295;
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.rows = most; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.rows = most + 1; }).find("each extent is 1 to 4294967295") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.columns = most, s.pitch_bytes = 2 * (most + 1); }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.columns = most + 1, s.pitch_bytes = 2 * (most + 1); }).find("each extent") !=
        std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.rows = 1; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.columns = 1; }) == "");
  for (std::int64_t TensorMapSpec::*extent : {&TensorMapSpec::rows, &TensorMapSpec::columns}) {
    CHECK(refused([&](TensorMapSpec& s, DevicePointer&) { s.*extent = 0; }).find("each extent") != std::string::npos);
  }
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_rows = 256; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_rows = 257; }).find("a box of 257 x 64") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_rows = 1; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_rows = 0; }).find("a box of 0 x 64") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.box_columns = 0; }).find("a box of 128 x 0") != std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.swizzle_bytes = 0, s.box_columns = 256; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.swizzle_bytes = 0, s.box_columns = 264; }).find("each side is 1 to 256") !=
        std::string::npos);
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.swizzle_bytes = 64, s.box_columns = 32; }) == "");
  CHECK(refused([](TensorMapSpec& s, DevicePointer&) { s.swizzle_bytes = 64; }).find("under a swizzle of 64 bytes") != std::string::npos);
}
