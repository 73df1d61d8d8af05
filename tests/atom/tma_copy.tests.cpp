// SPDX-License-Identifier: BSD-3-Clause
// Copies by a tensor descriptor: the box is what shared memory walks, and coordinates of the descriptor lead to the tensor's elements.
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/tma/tma_copy.hpp"

using namespace tessera;

namespace {

Layout read(std::string_view text) { return literals::Reader(text).layout().value(); }

struct Case {
  std::string_view gmem, smem, tiler;
  ValueType type;
  std::string_view box, tensor_stride;  // worked out by hand, see the comments
};

// Worked out from the definition: shared memory's places 0, 1, 2, ... are looked up in the tile; each run of them along one mode of the
// tensor is a mode of the box, and modes that are not run along follow with extent 1.
const Case kCases[] = {
    // Place 0..63 is column 0..63 of row 0, so mode 1 comes first: the tutorial's K-major A.
    {"(512,256):(256,1)", "(128,64):(64,1)", "(128,64)", ValueType::f16, "(64,128):(1@1,1@0)", "(1@1,1@0)"},
    // The same behind a batch, which one copy takes one element of.
    {"(512,256,4):(256,1,131072)", "(128,64):(64,1)", "(128,64)", ValueType::f16, "(64,128,1):(1@1,1@0,1@2)", "(1@1,1@0,1@2)"},
    // Column-major on both sides: mode 0 first.
    {"(512,256):(1,512)", "(128,64):(1,128)", "(128,64)", ValueType::f16, "(128,64):(1@0,1@1)", "(1@0,1@1)"},
    // 64 columns side by side, then the next 64 columns: the walk along mode 1 begins again at element 64, where no new mode begins. The
    // box ends there, and two copies make the tile.
    {"(512,256):(256,1)", "(8,(64,2)):(64,(1,512))", "(8,128)", ValueType::f16, "(64,8):(1@1,1@0)", "(1@1,1@0)"},
    // CuTe's own example of three modes: place = c1 + 8*c2 + 16*c0.
    {"(1024,32,512):(64,1,65536)", "(16,8,2):(16,1,8)", "(16,8,2)", ValueType::f32, "(8,2,16):(1@1,1@2,1@0)", "(1@2,1@0,1@1)"},
    // CuTe's own example of nested modes: (32,4) of (32,40), 32 of (8,8) as (8,4), and 2 of 656; static neighbours up to 256 elements are
    // one
    // mode, 32*4 = 128, then 8*4 = 32 (1280 * 8 = 10240), and 2.
    {"((32,40),((8,8),656)):((1,32),((1280,10240),81920))", "(128,(32,2)):(1,(128,4096))", "(128,(32,2))", ValueType::f32,
     "((32,4),(8,4),2):((1@0@0,1@1@0),(1@0@0@1,1@1@0@1),1@1@1)",
     // 32 elements of the first mode's own stride; 10240 are 8 times 1280.
     "((1@0,32@0),((1@1,8@1),1@2))"},
};

TmaRequest request_of(const Case& c) {
  const Layout gmem = read(c.gmem);
  const Layout identity = make_identity_layout(gmem.shape()).value();
  return {find_copy_atom("SM90_TMA_LOAD").value(),
          gmem,
          c.type,
          AnyLayout(read(c.smem)),
          composition(identity, to_tiler(read(c.tiler).shape()), Law::as_cute).value(),
          1};
}

// Without the zeros at its end, which a coordinate of fewer modes does not have.
std::vector<std::int64_t> without_zeros(const IntTuple& coord) {
  std::vector<std::int64_t> values = leaf_values(coord);
  while (!values.empty() && values.back() == 0) values.pop_back();
  return values;
}

const IntTuple& at_path(const IntTuple& tuple, const BasisPath& path) {
  const IntTuple* part = &tuple;
  for (std::size_t i = 0; i < path.length; ++i) part = &(*part)[path.modes[i]];
  return *part;
}

}  // namespace

TEST_CASE("a box is what shared memory walks, in the order in which it does") {
  for (const Case& c : kCases) {
    INFO(c.gmem << " to " << c.smem);
    const TmaRequest request = request_of(c);
    const auto made = make_tma_atom(request);
    REQUIRE(made);
    CHECK(to_string(made->box) == c.box);
    CHECK(made->atom.val_layout_src.size() == made->box.size());
    // Element b of the box is the element of the tile that lies at place b. Found by looking at every place, not by an inverse.
    const Layout& smem = std::get<Layout>(request.smem);
    std::int64_t seen = 0;
    for (std::int64_t i = 0; i < smem.size(); ++i) {
      const std::int64_t place = smem(i);
      if (place >= made->box.size()) continue;
      ++seen;
      if (without_zeros(evaluate(made->box, place)) == without_zeros(evaluate(request.cta_values, i))) continue;
      FAIL_CHECK("element " << i << " of the tile lies at " << place << ", where the box has another");
      break;
    }
    CHECK(seen == made->box.size());
  }
}

TEST_CASE("a coordinate of the descriptor leads to the element that the tensor's coordinate has") {
  for (const Case& c : kCases) {
    INFO(c.gmem << " to " << c.smem);
    const TmaRequest request = request_of(c);
    const auto made = make_tma_atom(request);
    REQUIRE(made);
    CHECK(to_string(made->tensor_stride) == c.tensor_stride);
    // The descriptor's strides: those of its modes in the tensor, of several modes what divides them all.
    std::vector<std::int64_t> strides;
    for (const IntTuple& modes : made->box.stride().modes()) {
      std::int64_t stride = 0;
      for (const IntTuple& mode : modes.modes()) stride = std::gcd(stride, at_path(request.gmem.stride(), mode.path()).value());
      strides.push_back(stride);
    }
    const Layout coordinates = Layout::make(request.gmem.shape(), made->tensor_stride).value();
    for (std::int64_t i = 0; i < request.gmem.size(); i += 997) {  // a prime: every mode's coordinates come up
      const std::vector<std::int64_t> at = leaf_values(evaluate(coordinates, i));
      std::int64_t offset = 0;
      for (std::size_t j = 0; j < at.size(); ++j) offset += at[j] * strides[j];
      if (offset == request.gmem(i)) continue;
      FAIL_CHECK("element " << i << " lies at " << request.gmem(i) << ", and the descriptor finds " << offset);
      break;
    }
  }
}

TEST_CASE("extents of 1 and strides of 0 that are known when a program is compiled are no modes of a descriptor") {
  Case c = kCases[0];
  c.gmem = "(512,256,1,8):(256,1,131072,0)", c.tiler = "(128,64)";
  const auto made = make_tma_atom(request_of(c));
  REQUIRE(made);
  CHECK(to_string(made->box) == "(64,128):(1@1,1@0)");
  CHECK(to_string(made->tensor_stride) == "(1@1,1@0,0,0)");
}

TEST_CASE("a tensor of more than five modes leaves the last mode of a descriptor several") {
  Case c = kCases[0];
  c.gmem = "(512,256,2,3,5,7):(256,1,131072,262144,786432,3932160)";
  const auto made = make_tma_atom(request_of(c));
  REQUIRE(made);
  CHECK(to_string(made->box) == "(64,128,1,1,(1,1)):(1@1,1@0,1@2,1@3,(1@4,1@5))");
  // 3932160 is 5 times 786432, their common divisor: a step of mode 5 is 5 steps of the descriptor's last mode.
  CHECK(to_string(made->tensor_stride) == "(1@1,1@0,1@2,1@3,1@4,5@4)");
}

TEST_CASE("CTAs that share a copy cut the box from its last mode") {
  TmaRequest request = request_of(kCases[0]);
  request.operation = find_copy_atom("SM90_TMA_LOAD_MULTICAST").value();
  request.multicast = 4;
  const auto made = make_tma_atom(request);
  REQUIRE(made);
  CHECK(to_string(made->box) == "(64,128):(1@1,1@0)");
  CHECK(to_string(made->box_of_cta) == "(64,32)");
  CHECK(made->atom.traits.name == "Copy_Traits<SM90_TMA_LOAD_MULTICAST,Int<131072>>");  // 64 * 128 halves, all CTAs together
}

TEST_CASE("what no descriptor describes is refused with its rule") {
  const auto refusal = [](Case c) {
    const auto made = make_tma_atom(request_of(c));
    return made ? std::string("made") : std::string(made.error().message);
  };
  Case c = kCases[0];
  c.smem = "(128,64):(1,128)";  // column-major, of a row-major tensor
  CHECK(refusal(c).find("whose stride in the tensor is 256, not 1") != std::string::npos);
  c = kCases[0];
  c.gmem = "(512,250):(250,1)";  // 500 bytes
  CHECK(refusal(c).find("multiples of 16 bytes") != std::string::npos);
  c = kCases[0];
  c.gmem = "(512,1024):(1024,1)", c.smem = "(8,512):(512,1)", c.tiler = "(8,512)";
  CHECK(refusal(c).find("at most 256 elements") != std::string::npos);
  c = kCases[0];
  c.smem = "(128,32):(32,1)";
  CHECK(refusal(c).find("different sizes") != std::string::npos);
  TmaRequest request = request_of(kCases[0]);
  request.operation = find_copy_atom("SM75_U32x4_LDSM_N").value();
  CHECK(!make_tma_atom(request));
}
