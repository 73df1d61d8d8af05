// SPDX-License-Identifier: BSD-3-Clause
// Sweeps: how values are parted, which combinations there are and in what order, and which of them a file has.
#include <string>
#include <vector>

#include "app/session/gemm/sweep.hpp"

#include "core/gemm/gemm_spec.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::vector<std::string> values(const std::string& text) { return parse_axis(text).value().values; }

}  // namespace

TEST_CASE("values are parted at commas, and not inside brackets") {
  CHECK(parse_axis("stages=2,3,4").value() == SweepAxis{"stages", {"2", "3", "4"}});
  CHECK(values("stages=2") == std::vector<std::string>{"2"});
  CHECK(values("cluster=(1,1),(2,1)") == std::vector<std::string>{"(1,1)", "(2,1)"});
  CHECK(values("sA=Layout<Shape<_16,_8>,Stride<_8,_1>>,(16,8):(24,1)") ==
        std::vector<std::string>{"Layout<Shape<_16,_8>,Stride<_8,_1>>", "(16,8):(24,1)"});
  CHECK(values("mma=make_tiled_mma(atom, (2,2), [1,2], {3,4}),other").size() == 2);
}

TEST_CASE("a comma without a value, a field that is none and no value at all are refused") {
  for (const char* text : {"stages=2,,3", "stages=,2", "stages=2,", "stages=2, ,3"}) {
    CAPTURE(text);
    CHECK(parse_axis(text).error().message.find("has a comma without a value beside it") != std::string::npos);
  }
  CHECK_FALSE(parse_axis("stages="));
  CHECK_FALSE(parse_axis("stage=2"));
  CHECK_FALSE(parse_axis("2,3"));
}

TEST_CASE("every combination is there once, and the last axis turns fastest") {
  const auto all = combinations({{"m", {"64", "128"}}, {"stages", {"2", "3", "4"}}}).value();
  std::string text;
  for (const std::vector<FieldText>& each : all) text += set_text(each) + "\n";
  CHECK(text == "m=64 stages=2\nm=64 stages=3\nm=64 stages=4\nm=128 stages=2\nm=128 stages=3\nm=128 stages=4\n");
  CHECK(combinations({}).value() == std::vector<std::vector<FieldText>>(1));
  CHECK(combinations({{"stages", {"2"}}, {"stages", {"3"}}}).error().message == "stages is given values twice; write them as one list");
  const std::vector<std::string> hundred(100, "1"), more(101, "1");
  CHECK(combinations({{"m", hundred}, {"n", hundred}}).value().size() == kMostCombinations);
  CHECK(combinations({{"m", hundred}, {"n", more}}).error().code == ErrorCode::limit);
}

TEST_CASE("extents become the request's extents, and other values stand behind those it has") {
  GemmRequest base;
  base.set = {{"ctas", "2"}};
  const GemmRequest made = with_values(base, {{"m", "64"}, {"n", "32"}, {"k", "16"}, {"stages", "3"}}).value();
  CHECK((made.m == 64 && made.n == 32 && made.k == 16));
  CHECK(made.set == std::vector<FieldText>{{"ctas", "2"}, {"stages", "3"}});
  for (const char* text : {"0", "-4", "1.5", "64x", "", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK(with_values(base, {{"k", text}}).error().message ==
          std::string("k = ") + text + " is no extent: it must be a positive whole number");
  }
}

TEST_CASE("a file has a combination when a row of it was measured or refused") {
  GemmSpec spec;
  spec.name = "mine", spec.m = 16, spec.n = 32, spec.k = 64;
  GemmRequest request;
  request.m = 128, request.set = {{"stages", "3"}};
  const CsvRow row = refused_row(spec, request, "too much");
  CHECK(csv_line(row) == "mine,128,32,64,,,,,,,,,,stages=3,,,,,,too much\n");
  CHECK_FALSE(has_row({}, spec, request));
  CHECK(has_row({CsvRow{"short"}, row}, spec, request));
  CHECK_FALSE(has_row({refused_row(spec, request, "")}, spec, request));  // neither measured nor refused
  Measurement measured;
  measured.name = "mine", measured.m = 128, measured.n = 32, measured.k = 64;
  measured.correctness.passed = true, measured.correctness.compared = 1;
  CHECK_FALSE(has_row({measurement_row(measured, request.set)}, spec, request));  // checked and not timed
  measured.timing.emplace().interleaved.kernel = {1, 1, 1, {}};
  CHECK(has_row({measurement_row(measured, request.set)}, spec, request));
  measured.timing.reset(), measured.correctness.passed = false;
  CHECK(has_row({measurement_row(measured, request.set)}, spec, request));
  const auto other = [&](auto&& change) {
    GemmSpec its = spec;
    GemmRequest asked = request;
    change(its, asked);
    return has_row({row}, its, asked);
  };
  CHECK(other([](GemmSpec&, GemmRequest&) {}));
  CHECK_FALSE(other([](GemmSpec& its, GemmRequest&) { its.name = "another"; }));
  CHECK_FALSE(other([](GemmSpec&, GemmRequest& asked) { asked.m.reset(); }));
  CHECK_FALSE(other([](GemmSpec&, GemmRequest& asked) { asked.n = 8; }));
  CHECK_FALSE(other([](GemmSpec&, GemmRequest& asked) { asked.k = 8; }));
  CHECK_FALSE(other([](GemmSpec&, GemmRequest& asked) { asked.set.clear(); }));
}
