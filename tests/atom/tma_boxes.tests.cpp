// SPDX-License-Identifier: BSD-3-Clause
// Boxes of a TMA copy: together they are the tensor, each element once, and each lands where shared memory's layout says.
#include "core/atom/tma/tma_boxes.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;

namespace {

Result<TmaBoxes> boxes_of(const char* gmem, const char* smem, std::vector<Tiler> tile, ValueType type = ValueType::f16) {
  TmaRequest request{find_copy_atom("SM90_TMA_LOAD").value(),
                     literals::Reader(gmem).layout().value(),
                     type,
                     literals::Reader(smem).any_layout().value(),
                     Layout(),
                     1};
  request.cta_values = composition(make_identity_layout(request.gmem.shape()).value(), Tiler(std::move(tile)), Law::as_cute).value();
  TmaCopy copy = make_tma_atom(request).value();
  return tma_boxes(std::move(request), std::move(copy));
}

Tiler of(std::int64_t extent) { return Tiler(Layout::trusted(extent, 1)); }

}  // namespace

TEST_CASE("a box's elements follow each other in shared memory, behind its swizzle, each at the layout's place") {
  struct Case {
    const char *gmem, *smem;
    std::int64_t rows, cols;
    ValueType type = ValueType::f16;
  };
  for (const Case& each :
       {Case{"(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", 16, 64}, Case{"(100,72):(72,1)", "(32,64):(64,1)", 32, 64},
        Case{"(96,40):(1,96)", "Sw<2,3,3> o 0 o (32,8):(1,32)", 32, 8},
        Case{"(40,96):(96,1)", "Sw<2,2,3> o 0 o (8,16):(16,1)", 8, 16, ValueType::f32},
        Case{"(64,256):(256,1)", "Sw<3,3,3> o 0 o ((8,4),(64,2)):((64,512),(1,2048))", 32, 128}}) {
    CAPTURE(each.gmem, each.smem);
    const TmaBoxes boxes = boxes_of(each.gmem, each.smem, {of(each.rows), of(each.cols)}, each.type).value();
    std::set<std::vector<std::int64_t>> met;
    std::int64_t inside = 0;
    for (std::int64_t number = 0; number < boxes.count(); ++number) {
      const std::vector<TmaElement> elements = elements_of_box(boxes, number);
      REQUIRE(static_cast<std::int64_t>(elements.size()) == boxes.elements());
      CHECK(elements.front().at == boxes.origin(number));
      const std::int64_t first = boxes.copy.swizzle(elements.front().place) / boxes.elements() * boxes.elements();
      std::int64_t here = 0;
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const std::vector<std::int64_t>& at = elements[i].at;
        CHECK(elements[i].place == boxes.copy.swizzle(first + static_cast<std::int64_t>(i)));
        CHECK(elements[i].place == evaluate(boxes.request.smem, at[0] % each.rows, at[1] % each.cols));
        const bool in = at[0] < boxes.modes[0].extent && at[1] < boxes.modes[1].extent;
        CHECK(elements[i].inside == in);
        here += in;
        CHECK(met.insert(at).second);
      }
      CHECK(boxes.inside(number) == here);
      inside += here;
    }
    CHECK(inside == boxes.request.gmem.size());
  }
}

TEST_CASE("boxes are numbered as the tensor's modes are counted, the first fastest, and their bytes are those of whole boxes") {
  const TmaBoxes boxes = boxes_of("(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", {of(16), of(64)}).value();
  CHECK(boxes.count() == 9);
  CHECK(boxes.bytes() == 2048);
  CHECK(boxes.origin(5) == std::vector<std::int64_t>{32, 64});
  CHECK(boxes.inside(0) == 1024);
  CHECK(boxes.inside(5) == 8 * 64);
  CHECK(boxes.inside(8) == 8 * 32);
  // Of three modes; one copy takes one element of the third.
  const TmaBoxes batch = boxes_of("(64,128,3):(128,1,8192)", "(32,64):(64,1)", {of(32), of(64)}).value();
  CHECK(batch.count() == 2 * 2 * 3);
  CHECK(batch.origin(7) == std::vector<std::int64_t>{32, 64, 1});
}

TEST_CASE("a tile that is no block of neighbours has no boxes") {
  const auto refused = boxes_of("(64,256):(256,1)", "(8,64):(64,1)", {Tiler(literals::Reader("8:2").layout().value()), of(64)});
  REQUIRE(!refused);
  CHECK(refused.error().message.find("is no block of neighbours that boxes of") != std::string::npos);
}
