// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/spec_controls.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/call_text.hpp"
#include "app/session/gemm/gemm_request.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/literal.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/lang/programs/spec_text.hpp"
#include "core/lang/syntax/parser.hpp"

namespace tessera {
namespace {

constexpr std::string_view kCall = "gemm";

// An expression, read once.
class GemmCall {
 public:
  explicit GemmCall(std::string_view expression) : read_(parse_expression(expression)) {
    const auto* call = read_ ? std::get_if<CallExpr>(&read_->node) : nullptr;
    if (call && call->name == kCall) call_ = call;
  }
  GemmCall(const GemmCall&) = delete;
  GemmCall& operator=(const GemmCall&) = delete;

  explicit operator bool() const { return call_ != nullptr; }

  // Where a field's argument stands in it: by its name, or at its place in the table.
  struct SaidAt {
    SourceSpan value;
    bool by_name = false;
  };
  std::optional<SaidAt> said_at(const SpecField& field) const {
    if (!call_) return std::nullopt;
    const auto number = static_cast<std::size_t>(&field - spec_fields().data());
    std::size_t position = 0;
    for (const Argument& argument : call_->arguments) {
      const bool is_it = argument.name.empty() ? position++ == number : argument.name == field.name;
      if (is_it) return SaidAt{call_->values[argument.value].span, !argument.name.empty()};
    }
    return std::nullopt;
  }

 private:
  Result<Expr> read_;
  const CallExpr* call_ = nullptr;  // in what was read
};

std::string_view part(std::string_view text, const SourceSpan& span) { return text.substr(span.begin, span.end - span.begin); }

std::string replaced(std::string_view text, const SourceSpan& span, std::string_view with) {
  return fmt::format("{}{}{}", text.substr(0, span.begin), with, text.substr(span.end));
}

// "f32 = f16 * f16": what an atom sums and multiplies.
std::string types_of(const MmaAtom& atom) {
  return fmt::format("{} = {} * {}", short_name(atom.val_c), short_name(atom.val_a), short_name(atom.val_b));
}

// In the place of one atom those that are used by as many threads in the same way: of its kind.
std::vector<ControlChoice> atoms_beside(const TiledMma& mma, const std::string& text) {
  const MmaAtom& atom = mma.atom();
  std::vector<ControlChoice> choices;
  const std::size_t at = text.find(atom.name);
  if (at == std::string::npos) return choices;
  for (const std::string& name : mma_atom_names()) {
    const Result<MmaAtom> other = find_mma_atom(name);
    if (!other || other->kind != atom.kind || other->thr_id.size() != atom.thr_id.size()) continue;
    if (types_of(*other) != types_of(atom) && other->shape_mnk != atom.shape_mnk) continue;
    choices.push_back({fmt::format("{}{}{}", text.substr(0, at), other->name, text.substr(at + atom.name.size())), other->name,
                       fmt::format("{}, {}", types_of(*other), to_string(other->arch))});
  }
  return choices;
}

// Types that C can have in memory: those that some kernel writes.
constexpr ValueType kTypesOfC[] = {ValueType::f16, ValueType::bf16, ValueType::f32, ValueType::f64, ValueType::i32};

struct Choices {
  const GemmSpec& spec;
  std::string text;  // of the field

  std::vector<ControlChoice> operator()(const ChoiceMember& member) const {
    std::vector<ControlChoice> choices;
    for (const FieldChoice& each : member.choices)
      choices.push_back({std::string(each.name), std::string(each.name), std::string(each.help)});
    return choices;
  }
  std::vector<ControlChoice> operator()(ValueType GemmSpec::*) const {
    std::vector<ControlChoice> choices;
    for (const ValueType each : kTypesOfC)
      choices.push_back({quoted_literal(short_name(each)), std::string(short_name(each)), std::string(cute_name(each))});
    return choices;
  }
  std::vector<ControlChoice> operator()(std::optional<TiledMma> GemmSpec::*member) const {
    return spec.*member ? atoms_beside(*(spec.*member), text) : std::vector<ControlChoice>();
  }
  std::vector<ControlChoice> operator()(std::optional<CopyTraits> GemmSpec::*) const {
    std::vector<ControlChoice> choices{{"", "automatic", "as many elements at once as are neighbours"}};
    for (const std::string& name : copy_atom_names()) {
      const Result<CopyTraits> copy = find_copy_atom(name);
      if (copy && copy->kind == CopyKind::ldmatrix) choices.push_back({name, name, to_string(copy->arch)});
    }
    return choices;
  }
  template <class Member>
  std::vector<ControlChoice> operator()(Member) const {
    return {};
  }
};

struct Chosen {
  const GemmSpec& spec;

  std::string operator()(const ChoiceMember& member) const { return std::string(member.choices[member.get(spec)].name); }
  std::string operator()(ValueType GemmSpec::*member) const { return std::string(short_name(spec.*member)); }
  std::string operator()(std::optional<TiledMma> GemmSpec::*member) const { return spec.*member ? (spec.*member)->atom().name : ""; }
  std::string operator()(std::optional<CopyTraits> GemmSpec::*member) const { return spec.*member ? (spec.*member)->name : "automatic"; }
  template <class Member>
  std::string operator()(Member) const {
    return {};
  }
};

bool has_numbers(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos && !is_identifier(text); }

std::string with_argument(std::string_view expression, const SpecField& field, std::string_view text) {
  if (const auto at = GemmCall(expression).said_at(field); at && !at->by_name && !text.empty())
    return replaced(expression, at->value, text);
  Result<std::string> made = with_named_argument(expression, field.name, text);
  return made ? std::move(*made) : std::string(expression);
}

}  // namespace

std::vector<SpecControl> controls_of(std::string_view expression, const GemmSpec& spec) {
  const GemmCall call(expression);
  std::vector<SpecControl> controls;
  for (const SpecField& field : spec_fields()) {
    if (field.is_label) continue;
    SpecControl control;
    control.field = &field;
    control.text = text_of(field, spec);
    if (const auto at = call.said_at(field)) {
      control.said = true;
      // A name of the document is shown as what it stands for: its numbers can be moved.
      if (const std::string_view written = part(expression, at->value); has_numbers(written)) control.text = written;
    }
    control.chosen = std::visit(Chosen{spec}, field.member);
    control.chooses = !control.chosen.empty();
    controls.push_back(std::move(control));
  }
  return controls;
}

std::vector<ControlChoice> choices_for(const SpecField& field, const GemmSpec& spec) {
  return std::visit(Choices{spec, text_of(field, spec)}, field.member);
}

Result<std::string> with_field(std::string_view expression, const GemmSpec& spec, const SpecField& field, std::string_view text) {
  GemmSpec changed = spec;
  const bool is_call_of_gemm(GemmCall{expression});
  if (!field.is_extent && is_call_of_gemm) return with_argument(expression, field, text);
  if (!field.is_extent) {
    TESSERA_CHECK(set_field(changed, field, text));
    return to_string(changed);
  }
  // The matrices in global memory have as many elements as the extents say.
  GemmSpec extents;
  const Status is_number = set_field(extents, field, text);
  const auto asked = [](std::int64_t extent) { return extent == 0 ? std::nullopt : std::optional(extent); };
  const Status cut = is_number ? set_extents(changed, asked(extents.m), asked(extents.n), asked(extents.k)) : is_number;
  if (!is_call_of_gemm) {
    TESSERA_CHECK(cut);
    return to_string(changed);
  }
  std::string made = with_argument(expression, field, text);
  if (!cut) return made;  // what is refused is said of the spec
  for (const SpecField* other : difference(spec, changed)) {
    if (!other->is_extent && GemmCall(made).said_at(*other)) made = with_argument(made, *other, text_of(*other, changed));
  }
  return made;
}

std::string why_refused(const GemmSpec& spec, const SpecField& field, std::string_view text) {
  GemmSpec changed = spec;
  if (const Status set = set_field(changed, field, text); !set) return set.error().message;
  const Result<GemmPlan> plan = lower(changed);
  return plan ? std::string() : plan.error().message;
}

}  // namespace tessera
