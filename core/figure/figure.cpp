// SPDX-License-Identifier: BSD-3-Clause
// Maps every kind of value to what a figure can be made of, or says why it cannot be drawn.
#include "core/figure/figure.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/items.hpp"
#include "core/diagram/charts/bar_chart.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/scope.hpp"
#include "core/layout/print_table.hpp"

namespace tessera {
namespace {

using SharedMma = std::shared_ptr<const TiledMma>;
using SharedCopy = std::shared_ptr<const TiledCopy>;

Error not_drawable(const Value& value) {
  return Error{ErrorCode::wrong_type,
               fmt::format("{} is of kind {}, and there is no figure of that", to_string(value), kind_name(value)),
               {},
               {"what can be drawn: a layout, an MMA or copy atom, a tiled MMA or copy, a GEMM, and calls such as tv_figure(a, b)"}};
}

// A copy instruction moves bits; a picture needs elements. The first of the common types whose width divides its vectors is taken.
Result<CopyAtom> with_some_type(const CopyTraits& traits) {
  constexpr ValueType kTypes[] = {ValueType::f16, ValueType::f32, ValueType::u8, ValueType::u64, ValueType::u128};
  for (const ValueType type : kTypes) {
    if (auto atom = CopyAtom::make(traits, type)) return atom;
  }
  return CopyAtom::make(traits, ValueType::b1);
}

std::optional<double> number_in(const Report::Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

// A table over parameters, of not more points than a map or a line holds, with a column of numbers.
bool has_numbers(const Report& report) {
  constexpr std::size_t kMostPoints = 4096;
  if (report.parameters == 0 || report.rows.size() > kMostPoints) return false;
  for (std::size_t c = report.parameters; c < report.columns.size(); ++c) {
    if (std::any_of(report.rows.begin(), report.rows.end(), [&](const auto& row) { return number_in(row[c]).has_value(); })) return true;
  }
  return false;
}

// One that is drawn where no kind is named: as bars, which are not more than a chart holds and begin at zero, as lines or as a map.
bool has_chart(const Report& report) {
  if (!has_numbers(report)) return false;
  if (report.rows.size() > kMostBarRows && report.parameters == 1)
    return std::all_of(report.rows.begin(), report.rows.end(), [](const auto& row) { return number_in(row.front()).has_value(); });
  for (std::size_t c = report.parameters; c < report.columns.size(); ++c) {
    if (std::any_of(report.rows.begin(), report.rows.end(), [&](const auto& row) { return number_in(row[c]).value_or(-1) >= 0; }))
      return true;
  }
  return false;
}

NumberTable numbers_of(const Report& report) {
  NumberTable made;
  made.of = report.of;
  made.parameters.assign(report.columns.begin(), report.columns.begin() + static_cast<std::ptrdiff_t>(report.parameters));
  for (const auto& row : report.rows) {
    std::string point;
    for (std::size_t c = 0; c < report.parameters; ++c)
      point += fmt::format("{}{} = {}", c == 0 ? "" : ", ", report.columns[c], to_string(row[c]));
    made.points.push_back(std::move(point));
    made.at.emplace_back();
    for (std::size_t c = 0; c < report.parameters; ++c) made.at.back().push_back(to_string(row[c]));
  }
  for (std::size_t c = report.parameters; c < report.columns.size(); ++c) {
    NumberTable::Column column{report.columns[c], {}};
    for (const auto& row : report.rows) column.values.push_back(number_in(row[c]));
    if (std::any_of(column.values.begin(), column.values.end(), [](const auto& value) { return value.has_value(); }))
      made.columns.push_back(std::move(column));
  }
  return made;
}

Roofline roofline_of(const Report& report) {
  Roofline made;
  double ridge = 0, tflops = 0;
  for (const Report::Fact& fact : report.facts) {
    if (fact.name == "device") made.device = to_string(fact.value);
    if (fact.name == "problem") made.problem = to_string(fact.value);
    if (fact.name == "type") made.type = to_string(fact.value);
    if (fact.name == "moved") made.moved = to_string(fact.value);
    if (fact.name == "intensity") made.intensity = number_in(fact.value).value_or(0);
    if (fact.name == "ridge") ridge = number_in(fact.value).value_or(0);
    if (fact.name == "tflops") tflops = number_in(fact.value).value_or(0);
  }
  // At best a kernel is on the roof, left or right of the ridge.
  const double slope = made.intensity >= ridge ? tflops / ridge : tflops / made.intensity;
  made.peak_tflops = slope * ridge;
  made.gigabytes_per_second = slope * 1e3;
  return made;
}

// Made again from what was asked: so no row of its table is read back.
Result<PipelineModel> pipeline_of(const Report& report) {
  std::int64_t tiles = 0, load = 0, multiply = 0, stages = 0;
  for (const Report::Fact& fact : report.facts) {
    const auto* number = std::get_if<std::int64_t>(&fact.value);
    if (number == nullptr) continue;
    if (fact.name == "tiles") tiles = *number;
    if (fact.name == "load") load = *number;
    if (fact.name == "multiply") multiply = *number;
    if (fact.name == "stages") stages = *number;
  }
  return pipeline_model(tiles, load, multiply, stages);
}

struct ToObject {
  const Value& value;

  Result<FigureObject> operator()(const IntTuple& shape) const {
    TESSERA_TRY(layout, Layout::make_compact(shape));
    return FigureObject(std::move(layout));
  }
  Result<FigureObject> operator()(const Layout& layout) const { return FigureObject(layout); }
  Result<FigureObject> operator()(const ComposedLayout& layout) const { return FigureObject(layout); }
  Result<FigureObject> operator()(const Tiler& tiler) const {
    if (const auto* layout = std::get_if<Layout>(&tiler.value)) return FigureObject(*layout);
    if (const auto* layout = std::get_if<ComposedLayout>(&tiler.value)) return FigureObject(*layout);
    return not_drawable(value);
  }
  Result<FigureObject> operator()(const Tensor& slice) const {
    if (slice.offset == IntTuple(0)) return std::visit([](const auto& layout) { return FigureObject(layout); }, slice.layout);
    const auto* layout = std::get_if<Layout>(&slice.layout);
    if (!layout) return not_drawable(value);
    return FigureObject(ComposedLayout{Swizzle(), slice.offset, *layout});
  }
  Result<FigureObject> operator()(const MmaAtom& atom) const { return FigureObject(atom); }
  Result<FigureObject> operator()(const CopyTraits& traits) const {
    TESSERA_TRY(atom, with_some_type(traits));
    return FigureObject(std::move(atom));
  }
  Result<FigureObject> operator()(const CopyAtom& atom) const { return FigureObject(atom); }
  Result<FigureObject> operator()(const std::shared_ptr<const TiledMma>& mma) const { return FigureObject(*mma); }
  Result<FigureObject> operator()(const std::shared_ptr<const TiledCopy>& copy) const { return FigureObject(*copy); }
  Result<FigureObject> operator()(const std::shared_ptr<const GemmSpec>& spec) const {
    TESSERA_TRY(plan, lower(*spec));
    return FigureObject(std::move(plan));
  }
  Result<FigureObject> operator()(const ThrMma& part) const { return FigureObject(*part.mma); }
  Result<FigureObject> operator()(const ThrCopy& part) const { return FigureObject(*part.copy); }
  Result<FigureObject> operator()(const std::shared_ptr<const TmaValue>& tma) const {
    return tma->copy.tiled ? FigureObject(*tma->copy.tiled) : FigureObject(tma->copy.atom);
  }
  Result<FigureObject> operator()(const Pointer&) const { return not_drawable(value); }
  Result<FigureObject> operator()(const std::shared_ptr<const UserFunction>&) const { return not_drawable(value); }
  Result<FigureObject> operator()(const std::shared_ptr<const ValueList>&) const { return not_drawable(value); }
  Result<FigureObject> operator()(const Swizzle&) const { return not_drawable(value); }
  Result<FigureObject> operator()(bool) const { return not_drawable(value); }
  Result<FigureObject> operator()(double) const { return not_drawable(value); }
  Result<FigureObject> operator()(const std::string&) const { return not_drawable(value); }
  Result<FigureObject> operator()(const std::shared_ptr<const FigureCall>&) const { return not_drawable(value); }
  Result<FigureObject> operator()(const std::shared_ptr<const Report>& report) const {
    if (has_numbers(*report)) return FigureObject(numbers_of(*report));
    if (report->kind == "roofline") return FigureObject(roofline_of(*report));
    if (report->kind == "pipeline") {
      TESSERA_TRY(model, pipeline_of(*report));
      return FigureObject(std::move(model));
    }
    if (const auto* layout = std::get_if<AnyLayout>(&report->picture))
      return std::visit([](const auto& each) { return FigureObject(each); }, *layout);
    if (const auto* mma = std::get_if<SharedMma>(&report->picture)) return FigureObject(**mma);
    if (const auto* copy = std::get_if<SharedCopy>(&report->picture)) return FigureObject(**copy);
    if (report->parameters > 0) {
      return Error{ErrorCode::limit,
                   fmt::format("a chart is of numbers, at 4096 points at most; this {} has {} points", report->kind, report->rows.size()),
                   {},
                   {"take a larger step=, or an expression that is a number"}};
    }
    return not_drawable(value);
  }
};

Result<FigureObject> object_of(const Value& value) { return std::visit(ToObject{value}, value.any); }

// A TMA copy as the boxes that it takes.
Result<FigureObject> boxes_of(const Value& value) {
  const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any);
  if (!tma) return object_of(value);
  TESSERA_TRY(boxes, tma_boxes((*tma)->request, (*tma)->copy));
  return FigureObject(std::move(boxes));
}

// A parameter's value as the figure kinds read it: strings without quotes, everything else as it prints.
std::string parameter_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.any)) return *text;
  return to_string(value);
}

// Is the word one that the parameter itself has?
bool is_word_of_figure(const FigureCall& call, std::string_view name, std::string_view word, const Value& bound) {
  if (name == "palette")
    return std::any_of(Palette::rows().begin(), Palette::rows().end(), [&](const PaletteRow& row) { return row.name == word; });
  if (name == "style") return figure_style(word).has_value();
  const FigureKind* kind = figure_kind(call.kind);
  for (const std::span<const FigureParameter> rows : {kind ? kind->parameters : std::span<const FigureParameter>(), common_parameters()}) {
    for (const FigureParameter& row : rows) {
      if (row.name != name) continue;
      const bool names_part = row.kind == FigureParameter::Kind::text && !std::holds_alternative<std::string>(bound.any);  // tensor=sA
      if (names_part || std::find(row.choices.begin(), row.choices.end(), word) != row.choices.end()) return true;
    }
  }
  return false;
}

}  // namespace

std::string named_text(const FigureCall& call, std::size_t i) {
  const auto& [name, value] = call.named[i];
  const std::string word = i < call.words.size() ? call.words[i] : std::string();
  return !word.empty() && is_word_of_figure(call, name, word, value) ? word : parameter_text(value);
}

namespace {

Status read_named(const FigureCall& call, FigureSpec& spec) {
  for (std::size_t i = 0; i < call.named.size(); ++i) {
    const std::string& name = call.named[i].first;
    const std::string text = named_text(call, i);
    if (name == "title" && text != "no" && text != "yes") {
      spec.title = text;
    } else if (name == "palette") {
      spec.palette = text;
    } else if (name == "style") {
      TESSERA_TRY(style, figure_style(text));
      spec.style = style;
    } else {
      spec.parameters[name] = text;
    }
  }
  return Done{};
}

using IsBound = std::function<bool(std::string_view)>;

// The tensor that a picture is of first.
const Tensor* first_tensor(const Value& value) {
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&value.any);
  if (call && (*call)->arguments.empty()) return nullptr;
  return std::get_if<Tensor>(call ? &(*call)->arguments.front().any : &value.any);
}

// What the modes of the layout count that a picture is of first, where what made it says so.
std::string modes_of_first(const Value& value) {
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&value.any);
  if (!call) return value.modes;
  return (*call)->arguments.empty() ? std::string() : (*call)->arguments.front().modes;
}

// "thr,val->offset"
void say_map(std::string_view map, FigureSpec& spec) {
  const std::size_t arrow = std::min(map.find("->"), map.size());
  spec.modes = items_of(map.substr(0, arrow));
  spec.number = map.substr(std::min(arrow + 2, map.size()));
}

void say_part(const Tensor& tensor, FigureSpec& spec) {
  spec.is_part = true;
  if (!tensor.part) return;
  spec.modes = tensor.part->modes;
  if (tensor.part->verb.empty()) return;
  spec.thread = tensor.part->thread;
  spec.verb = tensor.part->verb;
}

bool is_color_word(std::string_view text) {
  const auto kinds = figure_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const FigureKind& kind) {
    return std::any_of(kind.parameters.begin(), kind.parameters.end(), [&](const FigureParameter& each) {
      return each.name == "color" && std::find(each.choices.begin(), each.choices.end(), text) != each.choices.end();
    });
  });
}

bool is_name(std::string_view text) { return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), is_word); }

// color=(4,8):(1,4) or color=mine: a layout of colours. Nothing for words, also those that are none: the kind says which it has.
Result<std::optional<AnyLayout>> color_layout(const std::string& text, const Scope& scope, const IsBound& is_bound = {}) {
  if (text.empty() || is_color_word(text)) return std::optional<AnyLayout>();
  const auto in_color = [&](Error error) {
    error.message = fmt::format("color={}: {}", text, error.message);
    error.span.reset();
    return error;
  };
  Result<Value> value = evaluate_expression(text, scope, nullptr);
  const bool others = !value && value.error().code == ErrorCode::unknown_name && is_name(text) && !(is_bound && is_bound(text));
  if (others) return std::optional<AnyLayout>();
  if (!value) return in_color(std::move(value).error());
  Result<AnyLayout> layout = as_any_layout(*value);
  if (!layout) return in_color(std::move(layout).error());
  return std::optional<AnyLayout>(std::move(*layout));
}

Status read_color(FigureSpec& spec) {
  const auto color = spec.parameters.find("color");
  if (color == spec.parameters.end()) return Done{};
  TESSERA_TRY(layout, color_layout(color->second, {}));
  if (!layout) return Done{};
  spec.color_layout = std::move(layout);
  spec.parameters.erase(color);
  return Done{};
}

}  // namespace

Status write_out_layouts(FigureOptions& options, const Scope& scope, const IsBound& is_bound) {
  const auto color = options.parameters.find("color");
  if (color == options.parameters.end()) return Done{};
  TESSERA_TRY(layout, color_layout(color->second, scope, is_bound));
  if (layout) color->second = to_string(*layout);
  return Done{};
}

bool is_text_style(std::string_view name) { return name == "print_layout" || name == "print"; }

Result<std::string> text_of(const Value& value, std::string_view style) {
  if (style == "print_layout") {
    TESSERA_TRY(layout, as_any_layout(value));
    return print_layout(layout);
  }
  TESSERA_TRY(text, print(value, Spelling::cute_print));
  return text + (text.ends_with('\n') ? "" : "\n");
}

std::string_view name_of(FigureStyle style) {
  switch (style) {
    case FigureStyle::tessera: return "tessera";
    case FigureStyle::print_latex: return "print_latex";
    case FigureStyle::print_svg: return "print_svg";
  }
  return "tessera";
}

Result<FigureStyle> figure_style(std::string_view name) {
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex, FigureStyle::print_svg}) {
    if (name == name_of(style)) return style;
  }
  return Error{
      ErrorCode::unknown_name,
      fmt::format("there is no figure style \"{}\"; the styles are tessera, print_latex and print_svg, and of text print_layout and print",
                  name),
      {},
      {}};
}

std::string table_of(const Report& report, std::string_view form) {
  return form == "csv" ? to_csv(report) : form == "md" ? to_markdown(report) : to_text(report) + "\n";
}

bool is_drawable(const Value& value) {
  struct Drawable {
    bool operator()(const IntTuple&) const { return false; }
    bool operator()(const Layout&) const { return true; }
    bool operator()(const ComposedLayout&) const { return true; }
    bool operator()(const Swizzle&) const { return false; }
    bool operator()(const Tiler&) const { return false; }
    bool operator()(bool) const { return false; }
    bool operator()(double) const { return false; }
    bool operator()(const std::string&) const { return false; }
    bool operator()(const Tensor&) const { return true; }
    bool operator()(const Pointer&) const { return false; }
    bool operator()(const std::shared_ptr<const UserFunction>&) const { return false; }
    bool operator()(const ThrMma&) const { return true; }
    bool operator()(const ThrCopy&) const { return true; }
    bool operator()(const std::shared_ptr<const TmaValue>&) const { return true; }
    bool operator()(const std::shared_ptr<const ValueList>&) const { return false; }
    bool operator()(const MmaAtom&) const { return true; }
    bool operator()(const CopyTraits&) const { return true; }
    bool operator()(const CopyAtom&) const { return true; }
    bool operator()(const std::shared_ptr<const TiledMma>&) const { return true; }
    bool operator()(const std::shared_ptr<const TiledCopy>&) const { return true; }
    bool operator()(const std::shared_ptr<const GemmSpec>&) const { return true; }
    bool operator()(const std::shared_ptr<const FigureCall>&) const { return true; }
    bool operator()(const std::shared_ptr<const Report>& report) const {
      return has_chart(*report) || report->kind == "roofline" || report->kind == "pipeline" ||
             !std::holds_alternative<std::monostate>(report->picture);
    }
  };
  return std::visit(Drawable{}, value.any);
}

bool has_parameter(std::string_view kind, std::string_view name) {
  const auto named = [&](const auto& row) { return row.name == name; };
  const FigureKind* row = figure_kind(kind);
  if (row && std::any_of(row->parameters.begin(), row->parameters.end(), named)) return true;
  const std::span<const FigureParameter> common = common_parameters();
  return std::any_of(common.begin(), common.end(), named);
}

namespace {

// The objects of a call's arguments, as its kind takes them.
Status read_arguments(const FigureCall& call, const FigureOptions& options, FigureSpec& spec) {
  using Takes = FigureKind::Takes;
  const FigureKind* kind = figure_kind(options.kind.empty() ? call.kind : options.kind);
  const Takes takes = kind ? kind->takes : Takes::objects;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Value& argument = call.arguments[i];
    if (spec.element_bits == 0) spec.element_bits = argument.element.bits;  // a thread-value layout has none, its data may
    if (spec.memory.empty()) spec.memory = memory_name(argument.element.space);
    spec.memories.emplace_back(memory_name(argument.element.space));
    const auto* tuple = std::get_if<IntTuple>(&argument.any);
    if (takes == Takes::figures) {
      FigureOptions own;
      own.palette = options.palette.empty() ? spec.palette : options.palette;
      own.style = options.style;
      TESSERA_TRY(part, figure_spec_of(argument, {}, own));
      spec.objects.emplace_back(std::make_shared<const FigureSpec>(std::move(part)));
    } else if ((takes == Takes::access || takes == Takes::access_of_gmem) && i == 0 && tuple && tuple->is_int()) {
      spec.objects.emplace_back(AccessBits{tuple->value()});
    } else if (takes == Takes::access && i == 1 && argument.element.space == MemorySpace::gmem) {
      return Error{ErrorCode::wrong_type,
                   "the second argument lies in global memory, which has no banks",
                   {},
                   {"sectors_figure(copy, tensor) draws its sectors, and access(copy, tensor) counts them"}};
    } else if (takes == Takes::access_of_gmem && i == 1 && argument.element.space == MemorySpace::smem) {
      return Error{ErrorCode::wrong_type,
                   "the second argument lies in shared memory, which has no sectors",
                   {},
                   {"banks_figure(copy, tensor) draws its banks"}};
    } else if (takes == Takes::layout_and_tiler && i == 1) {
      TESSERA_TRY(tiler, as_tiler(argument));
      spec.objects.emplace_back(std::move(tiler));
    } else {
      TESSERA_TRY(object, takes == Takes::boxes ? boxes_of(argument) : object_of(argument));
      spec.objects.push_back(std::move(object));
    }
  }
  return Done{};
}

}  // namespace

Result<FigureSpec> figure_spec_of(const Value& value, std::string_view expression, const FigureOptions& given) {
  FigureSpec spec;
  FigureOptions options = given;
  options.kind = kind_called(given.kind);
  spec.style = options.style;
  spec.expression = std::string(without_trailing_comment(expression));
  if (const Tensor* tensor = first_tensor(value)) say_part(*tensor, spec);
  if (spec.modes.empty()) say_map(options.modes, spec);
  if (const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&value.any)) {
    spec.kind = kind_called((*call)->kind);
    TESSERA_CHECK(read_named(**call, spec));
    TESSERA_CHECK(read_arguments(**call, options, spec));
  } else {
    spec.name = is_name(options.name) ? options.name : std::string();
    const FigureKind* kind = figure_kind(options.kind);  // where none is asked for, a TMA copy is its boxes
    TESSERA_TRY(object, !kind || kind->takes == FigureKind::Takes::boxes ? boxes_of(value) : object_of(value));
    spec.element_bits = value.element.bits;
    spec.memory = memory_name(value.element.space);
    spec.objects.push_back(std::move(object));
  }
  if (!options.kind.empty() && options.kind != spec.kind) {
    // Another kind than the call names: what that kind does not know is left behind with the old one.
    if (!spec.kind.empty()) std::erase_if(spec.parameters, [&](const auto& each) { return !has_parameter(options.kind, each.first); });
    spec.kind = options.kind;
  }
  if (options.style != FigureStyle::tessera) spec.style = options.style;
  if (!options.palette.empty()) spec.palette = options.palette;
  if (!options.title.empty()) spec.title = options.title;
  spec.text_unit = options.room.text_unit;
  spec.words_width = options.room.words_width;
  spec.stacked = options.room.stacked;
  for (const auto& [name, text] : options.parameters) spec.parameters[name] = text;
  const std::string kind(spec.kind.empty() ? default_kind(spec) : std::string_view(spec.kind));
  if (spec.modes.empty() && has_parameter(kind, "modes")) say_map(modes_of_first(value), spec);
  if (options.room.fold > 1 && has_parameter(kind, "fold")) spec.parameters.try_emplace("fold", std::to_string(options.room.fold));
  TESSERA_CHECK(read_color(spec));
  return spec;
}

Result<std::string> figure_kind_of(const Value& value) {
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&value.any);
  if (call && !(*call)->kind.empty()) return std::string(kind_called((*call)->kind));
  TESSERA_TRY(spec, figure_spec_of(value, {}, {}));
  return std::string(default_kind(spec));
}

Result<Scene> figure_of(const Value& value, std::string_view expression, const FigureOptions& options) {
  TESSERA_TRY(spec, figure_spec_of(value, expression, options));
  return make_figure(spec);
}

}  // namespace tessera
