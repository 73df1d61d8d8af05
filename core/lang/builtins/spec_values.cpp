// SPDX-License-Identifier: BSD-3-Clause
// One overload a kind of field.
#include "core/lang/builtins/spec_values.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/text/text.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

template <class T, class Member>
Status put(GemmSpec& spec, Member GemmSpec::*member, Result<T> made) {
  if (!made) return std::move(made).error();
  spec.*member = std::move(*made);
  return Done{};
}

// An object that values share.
template <class T, class Member>
Status put(GemmSpec& spec, Member GemmSpec::*member, Result<std::shared_ptr<const T>> made) {
  if (!made) return std::move(made).error();
  spec.*member = **made;
  return Done{};
}

// registers=automatic: what holds where the field is left out, as a word.
constexpr std::string_view kAutomatic = "automatic";
bool is_word_for_left_out(const SpecField& field, std::string_view word) { return word == kAutomatic && field.otherwise == kAutomatic; }

struct Setter {
  GemmSpec& spec;
  const SpecField& field;
  const Value& value;

  Status operator()(std::int64_t GemmSpec::*member) const {
    TESSERA_TRY(number, as_integer(value));
    if (field.is_extent && number < 1)
      return Error{ErrorCode::bad_extent, fmt::format("{} = {}, but an extent is at least 1", field.name, number), {}, {}};
    spec.*member = number;
    return Done{};
  }
  Status operator()(double GemmSpec::*member) const { return put(spec, member, as_number(value)); }
  Status operator()(std::string GemmSpec::*member) const { return put(spec, member, as_text(value)); }
  Status operator()(ValueType GemmSpec::*member) const { return put(spec, member, as_value_type(value)); }
  Status operator()(Shape GemmSpec::*member) const {
    const auto* word = std::get_if<std::string>(&value.any);
    if (word == nullptr || !is_word_for_left_out(field, *word)) return put(spec, member, as_int_tuple(value));
    spec.*member = GemmSpec().*member;
    return Done{};
  }
  Status operator()(std::optional<Layout> GemmSpec::*member) const { return put(spec, member, as_layout(value)); }
  Status operator()(std::optional<AnyLayout> GemmSpec::*member) const { return put(spec, member, as_any_layout(value)); }
  Status operator()(std::optional<TiledMma> GemmSpec::*member) const { return put(spec, member, as_tiled_mma(value)); }
  Status operator()(std::optional<TiledCopy> GemmSpec::*member) const { return put(spec, member, as_tiled_copy(value)); }
  Status operator()(std::optional<CopyTraits> GemmSpec::*member) const { return put(spec, member, as_copy_traits(value)); }
  Status operator()(const ChoiceMember& member) const {
    const auto* text = std::get_if<std::string>(&value.any);
    if (!text) return Error{ErrorCode::wrong_type, fmt::format("{} is wanted, but this is {}", kind_of(field), described(value)), {}, {}};
    const std::string& word = *text;
    for (std::size_t i = 0; i < member.choices.size(); ++i) {
      if (member.choices[i].name != word) continue;
      member.set(spec, i);
      return Done{};
    }
    std::vector<std::string> known;
    for (const FieldChoice& choice : member.choices) known.emplace_back(choice.name);
    return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is not {}", word, kind_of(field)), {}, nearest_of(word, known)};
  }
};

}  // namespace

// Text that stands for itself: the field's own words, or any word where a string is wanted.
bool is_own_word(const SpecField& field, std::string_view text) {
  const std::span<const FieldChoice> choices = choices_of(field);
  if (std::any_of(choices.begin(), choices.end(), [&](const FieldChoice& choice) { return choice.name == text; })) return true;
  if (is_word_for_left_out(field, text)) return true;
  if (std::holds_alternative<ValueType GemmSpec::*>(field.member)) return value_type(text).has_value();
  return std::holds_alternative<std::string GemmSpec::*>(field.member) && !text.empty() && text.find('"') == std::string_view::npos;
}

bool is_word_of(const SpecField& field, std::string_view word) {
  return is_word_for_left_out(field, word) || (takes_words(field) && is_own_word(field, word));
}

bool takes_words(const SpecField& field) {
  return !choices_of(field).empty() || std::holds_alternative<ValueType GemmSpec::*>(field.member);
}

Status set_field(GemmSpec& spec, const SpecField& field, const Value& value) {
  if (spec.plan != nullptr && !field.is_label) {
    return Error{ErrorCode::bad_spec,
                 fmt::format("{} is a plan that is written out, where nothing is left to choose, also no {}", spec.name, field.name),
                 {},
                 {"the line of the plan changed, or gemm(...) in place of it"}};
  }
  return std::visit(Setter{spec, field, value}, field.member);
}

Result<const SpecField*> spec_field_named(std::string_view name) {
  if (const SpecField* field = find_spec_field(name)) return field;
  std::vector<std::string> known;
  for (const SpecField& field : spec_fields()) known.emplace_back(field.name);
  Error error{ErrorCode::unknown_name, fmt::format("gemm(...) has no field {}", name), {}, nearest_parameter(name, known)};
  error.notes.push_back(signature_of_gemm());
  return error;
}

Value plan_value(GemmPlan plan) {
  GemmSpec spec;
  if (!plan.name.empty()) spec.name = plan.name;
  spec.m = plan.m, spec.n = plan.n, spec.k = plan.k, spec.mma = plan.mma;
  spec.plan_text = plan::to_text(plan), spec.plan = std::make_shared<const GemmPlan>(std::move(plan));
  return Value{std::make_shared<const GemmSpec>(std::move(spec))};
}

}  // namespace tessera
