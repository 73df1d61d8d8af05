// SPDX-License-Identifier: BSD-3-Clause
// Every field of gemm(...) is read as it is printed. The cases walk the table: a new row is held to them without a line here.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "core/lang/builtins/spec_values.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/spec_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/overloaded.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

// A value that is not the default, as text; of a choice each of its names.
std::vector<std::string> samples(const SpecField& field) {
  using Texts = std::vector<std::string>;
  return std::visit(Overloaded{
                        [](std::int64_t GemmSpec::*) {
                          return Texts{"7", "24"};
                        },
                        [](double GemmSpec::*) {
                          return Texts{"2.5", "-3.0", "1e-05"};
                        },
                        [](std::string GemmSpec::*) {
                          return Texts{R"("other")", R"("a \"b\" \\ c")"};
                        },
                        [](ValueType GemmSpec::*) {
                          return Texts{R"("f16")", R"("bf16")"};
                        },
                        [](Shape GemmSpec::*) { return Texts{"(8,8,4)"}; },
                        [](std::optional<TiledMma> GemmSpec::*) {
                          return Texts{"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (_,_,_))"};
                        },
                        [](std::optional<Layout> GemmSpec::*) {
                          return Texts{"(64,16):(17,1)", "((2,32),16):((1,64),2)"};
                        },
                        [](std::optional<AnyLayout> GemmSpec::*) {
                          return Texts{"(64,16):(17,1)", "Sw<2,3,3> o 0 o (64,32):(32,1)"};
                        },
                        [](std::optional<TiledCopy> GemmSpec::*) {
                          const Result<Value> copy =
                              evaluate("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (8,4):(4,1), (1,8))");
                          return Texts{to_string(copy.value())};
                        },
                        [](std::optional<CopyTraits> GemmSpec::*) {
                          return Texts{"SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T"};
                        },
                        [](const ChoiceMember& member) {
                          Texts texts;
                          for (const FieldChoice& choice : member.choices) texts.push_back(fmt::format("\"{}\"", choice.name));
                          return texts;
                        },
                    },
                    field.member);
}

GemmSpec spec_of(const std::string& text) {
  const Result<Value> value = evaluate(text);
  if (!value) FAIL(describe(value.error(), text));
  return *std::get<std::shared_ptr<const GemmSpec>>(value->any);
}

// A call with the required fields, and with `text` for this one.
std::string call_with_field(const SpecField* given, const std::string& text) {
  std::string call;
  for (const SpecField& field : spec_fields()) {
    if (&field != given && !field.required) continue;
    call += fmt::format("{}{}={}", call.empty() ? "gemm(" : ", ", field.name, &field == given ? text : samples(field).back());
  }
  return call + ")";
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a field is read as it is printed, changes nothing else, and stays when the spec is printed") {
  const GemmSpec standard = spec_of(call_with_field(nullptr, ""));
  for (const SpecField& field : spec_fields()) {
    for (const std::string& sample : samples(field)) {
      INFO(field.name << " = " << sample);
      const GemmSpec spec = spec_of(call_with_field(&field, sample));
      CHECK(text_of(field, spec) == sample);
      const bool same = text_of(field, standard) == sample;
      CHECK(difference(standard, spec) == (same || field.is_label ? std::vector<const SpecField*>{} : std::vector{&field}));
      const GemmSpec again = spec_of(to_string(spec));
      CHECK(text_of(field, again) == sample);
      CHECK(to_string(again) == to_string(spec));
      if (!same) CHECK(holds(to_string(spec), fmt::format("{}={}", field.name, sample)));
    }
  }
}

TEST_CASE("a spec in which every field is said reads again as itself") {
  GemmSpec all;
  for (const SpecField& field : spec_fields()) REQUIRE(set_field(all, field, std::string_view(samples(field).back())));
  std::size_t labels = 0;
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    CHECK(holds(to_string(all), fmt::format("{}=", field.name)));
    labels += field.is_label;
  }
  CHECK(to_string(spec_of(to_string(all))) == to_string(all));
  CHECK(difference(GemmSpec(), all).size() == spec_fields().size() - labels);
}

TEST_CASE("a field is set from text, where its own words need no quotes and bindings are in sight") {
  const Value mine = evaluate("(64,16):(17,1)").value();
  const Scope scope = [&](std::string_view name) { return name == "mine" ? &mine : nullptr; };
  GemmSpec spec;
  REQUIRE(set_field(spec, *find_spec_field("sA"), "mine", scope));
  CHECK(to_string(*spec.sA) == "(64,16):(17,1)");
  REQUIRE(set_field(spec, *find_spec_field("type_c"), "f16"));
  CHECK(spec.type_c == ValueType::f16);
  REQUIRE(set_field(spec, *find_spec_field("name"), "mine", scope));
  CHECK(spec.name == "mine");
  REQUIRE(set_field(spec, *find_spec_field("stages"), "2 * 2"));
  CHECK(spec.stages == 4);
  for (const auto& [field, text, says] : {std::tuple{"stages", "(1,2)", "stages: an integer is wanted"},
                                          {"m", "0", "m = 0, but an extent is at least 1"},
                                          {"sA", "unheard", "sA: the name unheard is not defined"},
                                          {"type_c", "f17", "type_c: "},
                                          {"mma", "8", "mma: a tiled MMA is wanted"}}) {
    const Status set = set_field(spec, *find_spec_field(field), std::string_view(text));
    INFO(field << " = " << text);
    REQUIRE_FALSE(set);
    CHECK(set.error().message.starts_with(says));
    CHECK_FALSE(set.error().span);
  }
  CHECK(spec.stages == 4);
}

TEST_CASE("a choice is read by name, bare or quoted, and another word is answered with the names") {
  static constexpr FieldChoice names[] = {{"forward", "up"}, {"zigzag", "up and down"}};
  const SpecField field{.name = "order", .help = "of the k-tiles", .member = choice<&GemmSpec::stages>(names)};
  GemmSpec spec;
  for (const std::size_t i : {1u, 0u}) {
    REQUIRE(set_field(spec, field, names[i].name));
    CHECK(spec.stages == static_cast<std::int64_t>(i));
    REQUIRE(set_field(spec, field, std::string_view(text_of(field, spec))));
    CHECK(spec.stages == static_cast<std::int64_t>(i));
  }
  const Status wrong = set_field(spec, field, "\"zigzog\"");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "order: \"zigzog\" is not forward or zigzag");
  CHECK(wrong.error().notes == std::vector<std::string>{"did you mean zigzag?"});
  for (const char* const bare : {"zigzog", "zig-zog", "zigzog("}) {  // a name, an expression of names, and none
    const Status said = set_field(spec, field, std::string_view(bare));
    REQUIRE_FALSE(said);
    CHECK(said.error().message == fmt::format("order: \"{}\" is not forward or zigzag", bare));
    CHECK_FALSE(said.error().span);
  }
  const Status number = set_field(spec, field, "3");
  REQUIRE_FALSE(number);
  CHECK(number.error().message == "order: forward or zigzag is wanted, but this is the integer 3");
}

TEST_CASE("what a field is where it is left out is said by its word too, in place of a value, and bindings of other names stay in sight") {
  const std::string standard = to_string(spec_of(call_with_field(nullptr, "")));
  const SpecField* const registers = find_spec_field("registers");
  for (const char* const word : {"automatic", "\"automatic\""}) {
    INFO(word);
    CHECK(to_string(spec_of(call_with_field(registers, word))) == standard);
    GemmSpec spec;
    spec.registers = IntTuple::tuple({40, 232});
    REQUIRE(set_field(spec, *registers, word));
    CHECK(text_of(*registers, spec).empty());
  }
  const Value pair = evaluate("(24,240)").value();
  const Scope scope = [&](std::string_view name) { return name == "pair" ? &pair : nullptr; };
  GemmSpec spec;
  REQUIRE(set_field(spec, *registers, "pair", scope));
  CHECK(text_of(*registers, spec) == "(24,240)");
  CHECK(find_builtin("gemm")->knows_word("registers", "automatic"));
  CHECK_FALSE(find_builtin("gemm")->knows_word("registers", "pair"));
  CHECK_FALSE(set_field(spec, *registers, "\"pair\""));
  CHECK_FALSE(set_field(spec, *find_spec_field("cluster"), "automatic"));
}

TEST_CASE("a misspelled choice of gemm(...) is answered with the field, the word, the choices and the nearest") {
  for (const SpecField& field : spec_fields()) {
    for (const FieldChoice& choice : choices_of(field)) {
      const std::string word = std::string(choice.name) + "x";
      INFO(field.name << " = " << word);
      const std::string says = fmt::format("\"{}\" is not {}", word, kind_of(field));
      GemmSpec spec;
      const Status set = set_field(spec, field, std::string_view(word));
      REQUIRE_FALSE(set);
      CHECK(set.error().message == fmt::format("{}: {}", field.name, says));
      CHECK(holds(fmt::format("{}", fmt::join(set.error().notes, "\n")), choice.name));
      const std::string call = call_with_field(&field, word);
      const Result<Value> called = evaluate(call);
      REQUIRE_FALSE(called);
      CHECK(called.error().message == fmt::format("gemm: {}: {}", field.name, says));
      REQUIRE(called.error().span);
      CHECK(call.substr(called.error().span->begin, called.error().span->end - called.error().span->begin) == word);
    }
  }
  const Result<Value> type = evaluate(call_with_field(find_spec_field("type_c"), "f61"));
  REQUIRE_FALSE(type);
  CHECK(type.error().message == "gemm: type_c: there is no element type \"f61\"");
}

TEST_CASE("choices of gemm(...) need no quotes, and go before a binding of the same name") {
  const Builtin* gemm = find_builtin("gemm");
  REQUIRE(gemm->knows_word);
  CHECK_FALSE(gemm->knows_word("stages", "forward"));
  CHECK_FALSE(gemm->knows_word("", "forward"));
  for (const SpecField& field : spec_fields()) {
    for (const FieldChoice& choice : choices_of(field)) {
      INFO(field.name << " = " << choice.name);
      CHECK(gemm->knows_word(field.name, choice.name));
      const GemmSpec spec = spec_of(call_with_field(&field, std::string(choice.name)));
      CHECK(text_of(field, spec) == fmt::format("\"{}\"", choice.name));
      const Value bound{IntTuple(3)};
      const Scope scope = [&](std::string_view name) { return name == choice.name ? &bound : nullptr; };
      CHECK(evaluate(call_with_field(&field, std::string(choice.name)), scope).has_value());
    }
  }
}

TEST_CASE("a field that does not exist is answered with the nearest") {
  CHECK(spec_field_named("stages").value() == find_spec_field("stages"));
  const Result<const SpecField*> wrong = spec_field_named("stage");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().notes.front() == "did you mean stages?");  // which begins with it, and not store, which is as short
  CHECK(evaluate("gemm(stage=2)").error().notes.front() == "did you mean stages?");
  CHECK(wrong.error().message == "gemm(...) has no field stage");
  CHECK(holds(wrong.error().notes.front(), "stages"));
}

TEST_CASE("the page on the language has every field of gemm(...)") {
  std::string table = "| field | is | says |\n| --- | --- | --- |\n";
  for (const SpecField& field : spec_fields()) {
    table += fmt::format("| `{}` | {}{} | {}", field.name, choices_of(field).empty() ? kind_of(field) : "choice",
                         field.required ? ", required" : "", field.help);
    for (const FieldChoice& choice : choices_of(field)) table += fmt::format("; `{}`: {}", choice.name, choice.help);
    table += " |\n";
  }
  CHECK(testing::golden_section("docs/language.md", "fields", table) == table);
}
