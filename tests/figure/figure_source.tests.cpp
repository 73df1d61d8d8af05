// SPDX-License-Identifier: BSD-3-Clause
// What a figure's file says of how it was made: no line of a document too few, none too many, and the value is the same.
#include "core/figure/figure_source.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/document/lineage.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

// The document's binding of that name, as a source.
Source source_in(const std::string& text, std::string_view name) {
  const Document document = parse_document(text).value();
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {
    if (document.bindings[i].name == name) return source_of(document, i);
  }
  FAIL("no " << name);
  return {};
}

std::string value_of(const Source& source) {
  const Result<SourceValue> made = evaluate(source);
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  return to_string(made->value);
}

}  // namespace

TEST_CASE("a source has the lines that its expression needs, directly and through others, in their order", "[source]") {
  const std::string text =
      "# sizes\nlet m = 4\nlet n = 8   # wide\nlet unused = (2,2):(1,2)\nparam pad = 1 in 0..8\n"
      "let padded(a, b) = (a,b):(b+pad,1)\nassert m == 4\nlet data = padded(m, n)\nlet tv = ((2,4),(2,2)):((8,1),(4,16))\n"
      "let picture = tv_figure(tv, data)\nlet below = 3\n";
  const Source picture = source_in(text, "picture");
  CHECK(picture.document ==
        "let m = 4\nlet n = 8\nparam pad = 1 in 0..8\nlet padded(a, b) = (a,b):(b+pad,1)\nlet data = padded(m, n)\n"
        "let tv = ((2,4),(2,2)):((8,1),(4,16))\nlet picture = tv_figure(tv, data)\n");
  CHECK(picture.expression == "tv_figure(tv, data)");
  CHECK(picture.binding == 6);
  CHECK(source_in(text, "tv").document == "let tv = ((2,4),(2,2)):((8,1),(4,16))\n");
  CHECK(value_of(source_in(text, "data")) == "(4,8):(9,1)");
  const Document document = parse_document(text).value();
  const Source other = source_of(document, "composition(data, m)");
  CHECK(other.document.find("let tv") == std::string::npos);
  CHECK(value_of(other) == to_string(find_value(evaluate(document), "data") ? evaluate("composition((4,8):(9,1), 4)").value() : Value()));
}

TEST_CASE("a source of a document's own name is that of its expression", "[source]") {
  const Document document = parse_document("let a, b = make_tuple((2,2):(1,2), (4,8):(8,1))\n").value();
  const Source part = source_of(document, "b");
  const SourceValue made = evaluate(part).value();
  CHECK(to_string(made.value) == "(4,8):(8,1)");
  CHECK(made.expression == document.bindings[0].expression);  // as the document's figure has it
}

TEST_CASE("a source of pasted lines has all of them, since they may bind a name again", "[source]") {
  const std::string text =
      "auto n = Int<8>{};\nauto sA = make_layout(make_shape(Int<4>{}, n));\nn = Int<2>{};\nauto sB = make_layout(n);\n";
  const Source first = source_in(text, "sA");
  CHECK(first.document == text);
  CHECK(first.binding == 1);
  for (const char* name : {"sA", "sB"}) {
    const Document document = parse_document(text).value();
    const std::vector<EvaluatedBinding> bindings = evaluate(document);
    const Value* value = find_value(bindings, name);
    REQUIRE(value != nullptr);
    CHECK(value_of(source_in(text, name)) == to_string(*value));
  }
}

TEST_CASE("every drawable binding of the tour has the value that its source has", "[source]") {
  const Document document = parse_document(testing::read_file(test::source_dir() + "/assets/presets/tour.tess")).value();
  const std::vector<EvaluatedBinding> bindings = evaluate(document);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (!bindings[i].value || !is_drawable(*bindings[i].value)) continue;
    ++drawn;
    const Source source = source_of(document, i);
    INFO(bindings[i].name);
    CHECK(value_of(source) == to_string(*bindings[i].value));
    CHECK(source.document.size() < to_text(document).size() / 2);
  }
  CHECK(drawn > 3);
}

TEST_CASE("a source that names a binding which its document lacks is refused", "[source]") {
  Source source = source_of("a");
  source.document = "let a = 1\n";
  source.binding = 1;
  const Result<SourceValue> made = evaluate(source);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::corrupt);
}

TEST_CASE("sources are of one lineage where their bindings are related", "[source]") {
  const Document document = parse_document(testing::read_file(test::source_dir() + "/assets/presets/tour.tess")).value();
  std::vector<Source> sources;
  for (std::size_t i = 0; i < document.bindings.size(); ++i) sources.push_back(source_of(document, i));
  const std::vector<std::vector<std::size_t>> kin = kin_of(sources);
  REQUIRE(kin.size() == sources.size());
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < sources.size(); ++j) {
      const bool listed = std::find(kin[i].begin(), kin[i].end(), j) != kin[i].end();
      CAPTURE(document.bindings[i].name, document.bindings[j].name);
      CHECK(listed == (i != j && related(document, i, j)));
      pairs += listed;
    }
  }
  CHECK(pairs > 20);
  CHECK(pairs < sources.size() * sources.size() / 2);
  CHECK(kin_of({source_of("(4,8):(8,1)"), source_of("(4,8):(8,1)")}) == std::vector<std::vector<std::size_t>>(2));
}
