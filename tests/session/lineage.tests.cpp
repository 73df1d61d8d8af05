// SPDX-License-Identifier: BSD-3-Clause
// Which bindings belong together.
#include <utility>
#include <vector>

#include "core/lang/document/lineage.hpp"

#include "app/session/document/session.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr const char* kDocument =
    "let volta = SM70_8x8x4_F32F16F16F32_NT\n"
    "let ampere = SM80_16x8x16_F32F16F16F32_TN\n"
    "let one = make_tiled_mma(volta)\n"
    "let two = make_tiled_mma(volta, (2,2):(2,1))\n"
    "let other = make_tiled_mma(ampere, (2,2))\n"
    "let rows = (4,8):(8,1)\n"
    "let far = composition(coalesce(rows), 32:1)\n";

}  // namespace

TEST_CASE("bindings are related that need each other or the same", "[session]") {
  Session session;
  REQUIRE(session.open_text(kDocument, "lineage"));
  for (const auto& [a, b] : {std::pair{"one", "volta"}, {"volta", "one"}, {"one", "two"}, {"far", "rows"}, {"rows", "rows"}}) {
    INFO(a << " and " << b);
    CHECK(session.related(a, b));
    CHECK(session.related(a, b));  // from memory
  }
  for (const auto& [a, b] : {std::pair{"one", "other"}, {"rows", "volta"}, {"volta", "ampere"}, {"one", "nothing"}})
    CHECK_FALSE(session.related(a, b));
  REQUIRE(session.run(SetBinding{"other", "make_tiled_mma(volta, (2,2))"}));
  CHECK(session.related("one", "other"));  // what was remembered goes with the change
}

TEST_CASE("what a binding needs is what stands in it and in that again, above it", "[session]") {
  const Document document = parse_document(kDocument).value();
  using Numbers = std::vector<std::size_t>;
  CHECK(needed_bindings(document, 4, document.bindings[4].expression) == Numbers{1});
  CHECK(needed_bindings(document, document.bindings.size(), "tv_c(two)") == Numbers{0, 3});
  CHECK(needed_bindings(document, 3, "two").empty());  // not bound yet
  CHECK(needed_bindings(document, 6, "rowsy").empty());
}
