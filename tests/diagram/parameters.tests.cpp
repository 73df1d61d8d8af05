// SPDX-License-Identifier: BSD-3-Clause
// Parameters of figures: what a row says is taken is taken, and everything else is refused by the row before anything is drawn.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using Kind = FigureParameter::Kind;

std::vector<FigureParameter> all_rows() {
  std::vector<FigureParameter> rows(common_parameters().begin(), common_parameters().end());
  for (const FigureKind& kind : figure_kinds()) rows.insert(rows.end(), kind.parameters.begin(), kind.parameters.end());
  return rows;
}

// Values at the ends of what a row takes, and texts next to them that it does not.
struct Examples {
  std::vector<std::string> taken, refused;
};
Examples examples_of(const FigureParameter& row) {
  const std::vector<std::string> words(row.choices.begin(), row.choices.end());
  switch (row.kind) {
    case Kind::choice:
    case Kind::choice_or_layout:
    case Kind::flag: return {words, {"nothing of the sort", "1"}};
    case Kind::integer:
      return {{std::to_string(row.least), std::to_string(row.most)},
              {std::to_string(row.least - 1), std::to_string(row.most + 1), "", "x", "1.5", "1 "}};
    case Kind::numbers: return {{"0", "0-3", "0,4,8-11", "(1,2)"}, {"x", "3-1", "-1"}};
    case Kind::selection: return {{"T0-3", "W1, rows=0-7", "(2,5)"}, {"X3", "row", "T"}};
    case Kind::shape: return {{"4x8", "1x1"}, {"4", "0x8", "4x8x", "x", "4x"}};
    case Kind::type: return {{"half_t", "f32"}, {"nil", "3"}};
    case Kind::text: return {{"anything"}, {}};
  }
  return {};
}

}  // namespace

TEST_CASE("a parameter takes what its row says, and refuses all else by its name", "[parameters]") {
  std::set<Kind> seen;
  for (const FigureParameter& row : all_rows()) {
    CAPTURE(row.name);
    seen.insert(row.kind);
    const Examples examples = examples_of(row);
    for (const std::string& text : examples.taken) {
      CAPTURE(text);
      CHECK(check_value(row, text));
    }
    for (const std::string& text : examples.refused) {
      if (text.empty()) continue;
      CAPTURE(text);
      const Status checked = check_value(row, text);
      REQUIRE_FALSE(checked);
      CHECK(checked.error().message.find(row.name) != std::string::npos);
      CHECK(checked.error().message.find(text.substr(0, text.find(','))) != std::string::npos);
    }
    CHECK(check_value(row, ""));  // says nothing
    CHECK(values_of(row).empty() == (row.kind == Kind::text));
    CHECK(row.choices.empty() == !(row.kind == Kind::choice || row.kind == Kind::choice_or_layout || row.kind == Kind::flag));
    CHECK((row.kind == Kind::integer) == (row.least < row.most));
  }
  CHECK(seen.size() == 9);  // no kind of parameter is without a parameter
}

TEST_CASE("a figure refuses a wrong value whether or not it would have read it", "[parameters]") {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv");
  spec.objects.push_back(lay(tup({4, 8}), tup({8, 1})));
  spec.parameters = {{"tile", "4by8"}};  // a data layout says what the tile is
  CHECK(make_figure(spec).error().message == "tile=4by8 is not a tile's shape");
  spec.parameters = {{"bits", "513"}};  // threads are coloured, not banks
  CHECK(describe(make_figure(spec).error()).find("bits=513 is not an integer from 1 to 512") != std::string::npos);
  CHECK(describe(make_figure(spec).error()).find("bits: width of an element") != std::string::npos);
  spec.parameters = {{"bits", "512"}, {"tile", "4x8"}};
  CHECK(make_figure(spec));
  spec.parameters = {{"caption", "maybe"}};
  CHECK(describe(make_figure(spec).error()).find("the choices are yes, no") != std::string::npos);
}

TEST_CASE("what a parameter takes is said in words", "[parameters]") {
  constexpr std::string_view kWords[] = {"up", "down"};
  CHECK(values_of({"a", "", Kind::choice, kWords}) == "up, down");
  CHECK(values_of({"a", "", Kind::choice_or_layout, kWords}) == "up, down, or a layout");
  CHECK(values_of({"a", "", Kind::integer, {}, -2, 17}) == "-2 to 17");
  CHECK(check_value({"a", "", Kind::integer, {}, -2, 17}, "-2"));
  CHECK(check_value({"a", "", Kind::integer, {}, -2, 17}, "-3").error().message == "a=-3 is not an integer from -2 to 17");
  CHECK(check_value({"a", "", Kind::integer, {}, -2, 17}, "-3").error().code == ErrorCode::out_of_range);
  CHECK(check_value({"a", "", Kind::integer, {}, -2, 17}, "three").error().code == ErrorCode::parse);
}
