// SPDX-License-Identifier: BSD-3-Clause
// The GEMM that a request names, and the kernels of the tour as a person last read them.
#include "app/session/gemm_request.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/session/document_io.hpp"
#include "app/session/line_diff.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

// What was and what is: the lines that changed, with two around them.
std::string changes(std::string_view was, std::string_view is) {
  constexpr std::size_t kAround = 2;
  const std::vector<DiffLine> lines = line_diff(was, is);
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::same) continue;
    for (std::size_t j = i < kAround ? 0 : i - kAround; j < std::min(i + kAround + 1, lines.size()); ++j) shown[j] = true;
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) continue;
    if (i > 0 && !shown[i - 1]) text += "...\n";
    text += (lines[i].kind == DiffLine::Kind::same ? "  " : lines[i].kind == DiffLine::Kind::added ? "+ " : "- ") + lines[i].text;
  }
  return text;
}

void expect_golden(const std::string& name, const std::string& now) {
  const std::string was = testing::golden(name, now);
  INFO("tests/golden/" << name << " is not what is emitted now. Read the changes; TESSERA_ACCEPT=1 takes them.\n" << changes(was, now));
  CHECK(was == now);
}

}  // namespace

TEST_CASE("fields that are set travel to a worker with the document, and are read there with its bindings in sight") {
  GemmRequest asked;
  asked.document =
      "let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n"
      "let rows = (64,16):(24,1)\n"
      "let small = gemm(m=64, n=64, k=32, mma=mma, cta_tiler=(64,64,16), gA=(64,32):(40,1))\n";
  asked.binding = "small";
  asked.set = {
      {"stages", "2"}, {"sA", "rows"}, {"sB", "Sw<1,3,3> o 0 o (64,16):(16,1)"}, {"type_c", "\"f16\""}, {"name", R"("it's \\ \"so\"")"},
      {"stages", "3"}, {"k", "8 * 2"}};
  const std::string text = to_spec_text(asked);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + std::count(asked.document.begin(), asked.document.end(), '\n'));
  const GemmRequest read = read_spec_text(text).value();
  CHECK(read.binding == "small");
  CHECK(read.document == asked.document);
  CHECK(read.set == asked.set);
  const GemmSpec sent = spec_of(asked).value(), received = spec_of(read).value();
  CHECK(to_string(received) == to_string(sent));
  CHECK(sent.stages == 3);
  CHECK(to_string(*sent.sA) == "(64,16):(24,1)");
  CHECK(sent.type_c == ValueType::f16);
  CHECK(sent.k == 16);
  CHECK(sent.name == R"(it's \ "so")");
  CHECK(to_string(*sent.gA) == "(64,16):(40,1)");
}

TEST_CASE("every field of gemm(...) travels in a request, whatever characters its value has") {
  for (const SpecField& field : spec_fields()) {
    for (const char* value : {"a b", "\"f16\"", "a\\", "\\\"", "(1,\n 2)", " x ", "m=8", "\xc3\xa4", "#"}) {
      GemmRequest asked;
      asked.document = "let g = 1\n";
      asked.set = {{std::string(field.name), value}, {"stages", "2"}};
      INFO(field.name << " = " << value);
      const Result<GemmRequest> read = read_spec_text(to_spec_text(asked));
      REQUIRE(read);
      CHECK(read->set == asked.set);
      CHECK(read->document == asked.document);
      CHECK(read->binding.empty());
    }
  }
}

TEST_CASE("a field that does not exist, or has no such value, is refused by name before anything is lowered") {
  GemmRequest asked;
  asked.document = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  for (const auto& [field, value, says] : {std::tuple{"stage", "2", "gemm(...) has no field stage"},
                                           {"stages", "two", "stages: the name two is not defined"},
                                           {"n", "0", "n = 0, but an extent is at least 1"},
                                           {"fragments", "some", "fragments: the name some is not defined"}}) {
    asked.set = {{field, value}};
    const Result<GemmSpec> spec = spec_of(asked);
    INFO(field << " = " << value);
    REQUIRE_FALSE(spec);
    CHECK(spec.error().message == says);
  }
  CHECK_FALSE(parse_field_text("stages"));
  CHECK_FALSE(parse_field_text("=3"));
  CHECK_FALSE(parse_field_text("stages="));
  CHECK(parse_field_text("stage=3").error().notes.front().find("stages") != std::string::npos);
  CHECK(parse_field_text("sA=(2,2):(1,2)").value() == FieldText{"sA", "(2,2):(1,2)"});
  CHECK(read_spec_text("#! gemm small n=24 stages=2\n").value().n == 24);
  CHECK(read_spec_text("#! gemm small stages=2\n").value().set == std::vector<FieldText>{{"stages", "2"}});
  CHECK_FALSE(read_spec_text("#! gemm small stage=2\n"));
  CHECK_FALSE(read_spec_text("#! gemm small stages\n"));
}

TEST_CASE("the kernel of each GEMM of the tour is the text that a person last read") {
  const Document tour = load_document(find_asset("presets/tour.tess").value()).value();
  std::set<std::string> expected;
  for (const EvaluatedBinding& binding : evaluate(tour)) {
    if (!binding.value || !std::holds_alternative<std::shared_ptr<const GemmSpec>>(binding.value->any)) continue;
    GemmRequest request;
    request.document = to_text(tour);
    request.binding = binding.name;
    const KernelSource source = emit_gemm(plan_of(request).value()).value();
    expect_golden("kernels/" + binding.name + ".cu", source.text);
    expected.insert(binding.name + ".cu");
    if (expected.size() > 1) continue;  // the frame of a whole program is the same for all
    expect_golden("kernels/" + binding.name + "_standalone.cu", standalone_program(source));
    expected.insert(binding.name + "_standalone.cu");
  }
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator(testing::golden_path("kernels")))
    kept.insert(file.path().filename().string());
  CHECK(kept == expected);
}
