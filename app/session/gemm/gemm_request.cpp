// SPDX-License-Identifier: BSD-3-Clause
// From a request to its GEMM: evaluate the document, find the binding, apply the extents.
#include "app/session/gemm/gemm_request.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/literal.hpp"
#include "core/base/number_text.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/lang/builtins/spec_values.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/spec_text.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/emit_gemm.hpp"

namespace tessera {
namespace {

constexpr std::string_view kHeader = "#! gemm ";

using SpecPointer = std::shared_ptr<const GemmSpec>;

const GemmSpec* gemm_in(const Value& value) {
  const auto* spec = std::get_if<SpecPointer>(&value.any);
  return spec && *spec ? spec->get() : nullptr;
}

Error not_a_gemm(std::string_view name, const Value& value) {
  return Error{ErrorCode::wrong_type, fmt::format("\"{}\" is of kind {}, and only a gemm can be run", name, kind_name(value)), {}, {}};
}

Error no_such_binding(std::string_view name, const std::vector<EvaluatedBinding>& bindings) {
  std::vector<std::string> known;
  for (const EvaluatedBinding& binding : bindings) known.push_back(binding.name);
  Error error{ErrorCode::unknown_name, fmt::format("the document has no binding \"{}\"", name), {}, {}};
  const std::vector<std::string> near = nearest_names(name, known, 3);
  if (!near.empty()) error.notes.push_back(fmt::format("the nearest: {}", fmt::join(near, ", ")));
  return error;
}

// What is asked for beyond the document: fields in their order, then the extents, which cut layouts.
Result<GemmSpec> with_fields(GemmSpec spec, const GemmRequest& request, const Scope& scope) {
  GemmSpec extents;
  for (const auto& [name, value] : {std::pair{"m", request.m}, {"n", request.n}, {"k", request.k}}) {
    if (value) TESSERA_CHECK(set_field(extents, *find_spec_field(name), Value{IntTuple(*value)}));
  }
  for (const FieldText& given : request.set) {
    TESSERA_TRY(field, spec_field_named(given.field));
    TESSERA_CHECK(set_field(field->is_extent ? extents : spec, *field, given.text, scope));
  }
  const auto asked = [](std::int64_t extent) { return extent == 0 ? std::nullopt : std::optional(extent); };
  TESSERA_CHECK(set_extents(spec, asked(extents.m), asked(extents.n), asked(extents.k)));
  return spec;
}

// "tour.tess:12: let mine": of a binding that is refused.
std::string place_in(const Document& document, std::size_t number, const GemmRequest& request) {
  const std::string place = place_of(document.bindings[number]);
  return request.origin.empty() ? "line " + place : fmt::format("{}:{}", request.origin, place);
}

// The text may also be a single expression.
Result<GemmSpec> from_expression(const GemmRequest& request) {
  TESSERA_TRY(value, evaluate(request.document));
  const GemmSpec* spec = gemm_in(value);
  if (!spec) return not_a_gemm("the expression", value);
  return with_fields(*spec, request, {});
}

Result<GemmSpec> from_document(const Document& document, const std::vector<EvaluatedBinding>& bindings, const GemmRequest& request) {
  const std::string& name = request.binding;
  const EvaluatedBinding* found = nullptr;
  for (const EvaluatedBinding& binding : bindings) {
    const bool wanted = name.empty() ? binding.value && gemm_in(*binding.value) : binding.name == name;
    if (wanted) found = &binding;
  }
  if (!found && name.empty()) {  // the GEMM may be what has no value
    const auto failed = std::find_if(bindings.begin(), bindings.end(), [](const EvaluatedBinding& each) { return !each.value; });
    if (failed != bindings.end()) found = &*failed;
  }
  if (!found && name.empty())
    return Error{ErrorCode::unknown_name, "the document has no GEMM: add one with let name = gemm(m=..., n=..., k=..., mma=...)", {}, {}};
  if (!found) return no_such_binding(name, bindings);
  if (!found->value) {
    Error error = found->value.error();
    const auto number = number_of(bindings, *found);
    error.message = fmt::format("\"{}\" has no value: {}: {}", found->name, place_in(document, number, request), error.message);
    error.span.reset();  // it counts within the binding's expression
    return error;
  }
  const GemmSpec* spec = gemm_in(*found->value);
  if (!spec) return not_a_gemm(found->name, *found->value);
  GemmSpec named = *spec;
  if (named.name == GemmSpec{}.name && !found->name.empty()) named.name = found->name;
  return with_fields(std::move(named), request, [&](std::string_view wanted) -> const Value* { return find_value(bindings, wanted); });
}

// A compact matrix of columns or of rows, larger in the same order; nothing for any other layout.
std::optional<Layout> enlarged(const Layout& layout, std::int64_t rows, std::int64_t columns) {
  const Shape& shape = layout.shape();
  const Stride& stride = layout.stride();
  if (!shape[0].is_int() || !shape[1].is_int() || layout.has_basis() || rows < 1 || columns < 1) return std::nullopt;
  const auto is = [&](std::int64_t first, std::int64_t second) { return stride[0].value() == first && stride[1].value() == second; };
  const bool by_columns = is(1, shape[0].value()), by_rows = is(shape[1].value(), 1);
  if (by_columns == by_rows) return std::nullopt;  // neither, or a vector that could be both
  const Result<Layout> made =
      Layout::make(IntTuple::tuple({rows, columns}), by_columns ? IntTuple::tuple({1, rows}) : IntTuple::tuple({columns, 1}));
  return made ? std::optional(*made) : std::nullopt;
}

// (rows,columns) of a layout: its first elements in both modes, or more of a compact matrix. Layouts that `lower` refuses anyway are left
// to it.
Status cut_layout(std::string_view name, std::optional<Layout>& layout, std::int64_t rows, std::int64_t columns) {
  if (!layout || layout->rank() != 2) return Done{};
  const std::int64_t had_rows = (*layout)[0].size(), had_columns = (*layout)[1].size();
  if (had_rows == rows && had_columns == columns) return Done{};
  if (rows >= 1 && columns >= 1 && rows <= had_rows && columns <= had_columns) {
    if (Result<Layout> part = composition(*layout, Tiler(std::vector<Tiler>{rows, columns}))) {
      layout = std::move(*part);
      return Done{};
    }
  }
  if (const std::optional<Layout> larger = enlarged(*layout, rows, columns)) {
    layout = *larger;
    return Done{};
  }
  return Error{ErrorCode::bad_spec,
               fmt::format("{} is {}, of {}x{} elements; the extents asked for need {}x{}, and it has no such part", name,
                           to_string(*layout), had_rows, had_columns, rows, columns),
               {},
               {fmt::format("leave {} out of the gemm, or give one for these extents", name)}};
}

Result<std::int64_t> read_extent(std::string_view digits) {
  const std::optional<std::int64_t> value = number_in<std::int64_t>(digits);
  if (!value || *value < 1) {
    return Error{ErrorCode::bad_extent, fmt::format("\"{}\" is no extent; it must be a whole number of at least 1", digits), {}, {}};
  }
  return *value;
}

// Text that stands in the first line as it is; other text stands there as a string, and so does that of an extent: without quotes the
// first line's extents are the request's own.
bool is_plain_word(std::string_view field, std::string_view text) {
  if (const SpecField* known = find_spec_field(field); known && known->is_extent) return false;
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

// Up to the next blank outside a string.
std::string_view first_word(std::string_view words) {
  bool in_string = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '\\' && in_string)
      ++i;
    else if (words[i] == '"')
      in_string = !in_string;
    else if (words[i] == ' ' && !in_string)
      return words.substr(0, i);
  }
  return words;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  return text_of_literal(text);
}

}  // namespace

Result<FieldText> parse_field_text(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return Error{ErrorCode::wrong_arity, fmt::format("\"{}\" gives no field a value; write FIELD=VALUE", text), {}, {"--set stages=3"}};
  }
  TESSERA_TRY(field, spec_field_named(text.substr(0, equals)));
  return FieldText{std::string(field->name), std::string(text.substr(equals + 1))};
}

Result<GemmSpec> spec_of(const GemmRequest& request) {
  Result<Document> document = parse_document(request.document);
  const bool is_document =
      document && std::any_of(document->bindings.begin(), document->bindings.end(), [](const Binding& each) { return !each.name.empty(); });
  return is_document ? from_document(*document, evaluate(*document), request) : from_expression(request);
}

std::string gemm_in_question(const std::vector<EvaluatedBinding>& bindings, std::string_view selected) {
  const EvaluatedBinding* first = nullptr;
  for (const EvaluatedBinding& each : bindings) {
    if (!each.value || !gemm_in(*each.value)) continue;
    if (each.name == selected) return each.name;
    if (!first) first = &each;
  }
  return first ? first->name : std::string();
}

Result<std::vector<std::string>> gemms_of(const GemmRequest& request) {
  TESSERA_TRY(document, parse_document(request.document));
  std::vector<std::string> names;
  std::size_t number = 0;
  for (const EvaluatedBinding& binding : evaluate(document)) {
    const std::string place = place_in(document, number++, request);
    if (!binding.value) return Error(binding.value.error()).note(fmt::format("in the document's \"{}\", {}", binding.name, place));
    if (gemm_in(*binding.value)) names.push_back(binding.name);
  }
  if (!names.empty()) return names;
  return Error{ErrorCode::unknown_name, "the document has no GEMM: add one with let name = gemm(m=..., n=..., k=..., mma=...)", {}, {}};
}

Status set_extents(GemmSpec& spec, std::optional<std::int64_t> m, std::optional<std::int64_t> n, std::optional<std::int64_t> k) {
  if (!m && !n && !k) return Done{};  // the document's own contradictions are for `lower`
  if (spec.plan != nullptr)
    return Error{
        ErrorCode::bad_spec, fmt::format("{} is a plan that is written out for one size; m, n and k cannot be set", spec.name), {}, {}};
  spec.m = m.value_or(spec.m), spec.n = n.value_or(spec.n), spec.k = k.value_or(spec.k);
  TESSERA_CHECK(cut_layout("gA", spec.gA, spec.m, spec.k));
  TESSERA_CHECK(cut_layout("gB", spec.gB, spec.n, spec.k));
  return cut_layout("gC", spec.gC, spec.m, spec.n);
}

Result<GemmSpec> at_extents(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmSpec other = spec;
  if (set_extents(other, m, n, k)) return other;
  other = std::move(spec);
  other.gA.reset(), other.gB.reset(), other.gC.reset();
  TESSERA_CHECK(set_extents(other, m, n, k));
  return other;
}

Result<GemmPlan> plan_of(const GemmRequest& request) {
  TESSERA_TRY(spec, spec_of(request));
  return lower(spec);
}

Result<GemmPlan> plan_of(const GemmRequest& request, const Document& document, const std::vector<EvaluatedBinding>& bindings) {
  TESSERA_TRY(spec, from_document(document, bindings, request));
  return lower(spec);
}

std::string to_spec_text(const GemmRequest& request) {
  std::string header = fmt::format("{}{}", kHeader, request.binding);
  if (request.m) header += fmt::format(" m={}", *request.m);
  if (request.n) header += fmt::format(" n={}", *request.n);
  if (request.k) header += fmt::format(" k={}", *request.k);
  for (const FieldText& given : request.set)
    header += fmt::format(" {}={}", given.field, is_plain_word(given.field, given.text) ? given.text : quoted_literal(given.text));
  return header + "\n" + request.document;
}

Result<GemmRequest> read_spec_text(std::string_view text) {
  GemmRequest request;
  if (!text.starts_with(kHeader)) {
    request.document = std::string(text);
    return request;
  }
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  std::string_view words = text.substr(kHeader.size(), line_end - kHeader.size());
  request.document = std::string(text.substr(std::min(line_end + 1, text.size())));
  while (!words.empty()) {
    const std::string_view word = first_word(words);
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (word.empty()) continue;
    if (word.size() > 2 && word[1] == '=' && word[2] != '"' && (word[0] == 'm' || word[0] == 'n' || word[0] == 'k')) {
      TESSERA_TRY(extent, read_extent(word.substr(2)));
      (word[0] == 'm' ? request.m : word[0] == 'n' ? request.n : request.k) = extent;
    } else if (find_spec_field(word.substr(0, word.find('='))) && word.find('=') != std::string_view::npos) {
      const std::size_t equals = word.find('=');
      request.set.push_back({std::string(word.substr(0, equals)), unquoted(word.substr(equals + 1))});
    } else if (request.binding.empty() && word.find_first_of("=\"") == std::string_view::npos) {
      request.binding = std::string(word);
    } else {
      return Error{ErrorCode::bad_message, fmt::format("\"{}\" is not understood in the first line of a GEMM request", word), {}, {}};
    }
  }
  return request;
}

Result<KernelSource> source_of_spec_text(const std::string& text) {
  TESSERA_TRY(request, read_spec_text(text));
  TESSERA_TRY(plan, plan_of(request));
  return emit_gemm(plan);
}

}  // namespace tessera
