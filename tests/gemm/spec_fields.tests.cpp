// SPDX-License-Identifier: BSD-3-Clause
// The table of fields has a row for each member of GemmSpec, and tells two specs apart by it.
#include "core/gemm/spec_fields.hpp"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/overloaded.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Anything {
  template <class T>
  operator T() const;  // NOLINT: it stands for whatever a member is made of
};

template <class T, std::size_t... I>
constexpr bool is_made_of(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything())...}; };
}

// How many members an aggregate has.
template <class T, std::size_t n = 0>
constexpr std::size_t members() {
  if constexpr (is_made_of<T>(std::make_index_sequence<n + 1>())) {
    return members<T, n + 1>();
  } else {
    return n;
  }
}

// Where a field lies in the spec; nothing for a choice, which is reached by functions.
std::optional<std::ptrdiff_t> place_of(const SpecField& field) {
  const GemmSpec spec;
  const auto* base = reinterpret_cast<const char*>(&spec);
  return std::visit(Overloaded{
                        [](const ChoiceMember&) -> std::optional<std::ptrdiff_t> { return std::nullopt; },
                        [&](auto member) -> std::optional<std::ptrdiff_t> { return reinterpret_cast<const char*>(&(spec.*member)) - base; },
                    },
                    field.member);
}

std::vector<std::string> words(const GemmSpec& a, const GemmSpec& b) {
  std::vector<std::string> all;
  for (const SpecField* field : difference(a, b)) all.push_back(difference_text(*field, a, b));
  return all;
}

}  // namespace

TEST_CASE("each member of a GemmSpec has one row in the table of fields") {
  CHECK(spec_fields().size() + 2 == members<GemmSpec>());  // but plan and plan_text, which stand in place of them
  std::set<std::string_view> names;
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    CHECK(names.insert(field.name).second);
    CHECK(find_spec_field(field.name) == &field);
    CHECK(field.help.size() > 5);
    CHECK_FALSE(kind_of(field).empty());
    const std::span<const FieldChoice> choices = choices_of(field);
    for (const FieldChoice& choice : choices) CHECK(choice.help.size() > 5);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      GemmSpec spec;
      std::get<ChoiceMember>(field.member).set(spec, i);
      CHECK(std::get<ChoiceMember>(field.member).get(spec) == i);
    }
  }
  CHECK(find_spec_field("stage") == nullptr);
}

TEST_CASE("rows stand in the order of the members, so that none has another's name") {
  std::ptrdiff_t last = -1;
  for (const SpecField& field : spec_fields()) {
    const std::optional<std::ptrdiff_t> place = place_of(field);
    if (!place || field.is_label) continue;  // the name is the first member and the last parameter
    INFO(field.name);
    CHECK(*place > last);
    last = *place;
  }
}

TEST_CASE("required fields stand before those that may be left out") {
  bool may_be_left_out = false;
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    CHECK((!field.required || !may_be_left_out));
    may_be_left_out = may_be_left_out || !field.required;
  }
}

TEST_CASE("two specs differ in the fields that were said differently, and a name is none of them") {
  GemmSpec a;
  a.m = 64;
  GemmSpec b = a;
  b.name = "other";
  CHECK(difference(a, b).empty());
  b.stages = 3;
  b.beta = -0.5;
  b.type_c = ValueType::f16;
  b.sA = AnyLayout(Layout::make(IntTuple::tuple({64, 16}), IntTuple::tuple({17, 1})).value());
  CHECK(words(a, b) ==
        std::vector<std::string>{"sA: left out -> (64,16):(17,1)", "type_c: \"f32\" -> \"f16\"", "stages: 1 -> 3", "beta: 0.0 -> -0.5"});
  CHECK(words(b, a).back() == "beta: -0.5 -> 0.0");
  b = a;
  b.cta_tiler = IntTuple::tuple({64, 64, 16});
  CHECK(words(a, b) == std::vector<std::string>{"cta_tiler: left out -> (64,64,16)"});
}

TEST_CASE("a spec as text says what differs from the defaults, and the signature says the defaults") {
  GemmSpec spec;
  CHECK(to_string(spec) == "gemm(m=0, n=0, k=0)");
  spec.m = 64, spec.n = 32, spec.k = 16, spec.stages = 2, spec.alpha = 3, spec.name = "g";
  CHECK(to_string(spec) == "gemm(m=64, n=32, k=16, stages=2, alpha=3.0, name=\"g\")");
  const std::string signature = signature_of_gemm();
  CHECK(signature.starts_with("gemm(m, n, k, mma, cta_tiler=(m,n,k), gA=, "));
  CHECK(signature.find(", stages=1, ") != std::string::npos);
  CHECK(signature.ends_with(", alpha=1.0, beta=0.0, name=)"));
}

TEST_CASE("a choice is a member with a name for each of its values") {
  enum class Order { forward, zigzag };
  static constexpr FieldChoice names[] = {{"forward", "each k-tile after the one before"}, {"zigzag", "every second tile backwards"}};
  // `stages` counts from 0 here, as an enumeration does.
  const SpecField field{.name = "order", .help = "the order of the k-tiles", .member = choice<&GemmSpec::stages>(names)};
  GemmSpec spec;
  CHECK(text_of(field, spec) == "\"zigzag\"");
  std::get<ChoiceMember>(field.member).set(spec, static_cast<std::size_t>(Order::forward));
  CHECK(spec.stages == 0);
  CHECK(text_of(field, spec) == "\"forward\"");
  CHECK(kind_of(field) == "forward or zigzag");
  CHECK(choices_of(field).size() == 2);
}
