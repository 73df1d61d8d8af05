// SPDX-License-Identifier: BSD-3-Clause
// A scene as the data that the page's script draws: marks in few signs, columns packed, recipes and steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"
#include "core/base/json.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/scene/selection.hpp"
#include "core/render/html/html.hpp"
#include "core/render/html/html_columns.hpp"
#include "core/render/shared/look.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/said.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

constexpr double kMargin = 0.5;                                   // in cells, around the picture
constexpr std::int64_t kLargestOfScript = std::int64_t{1} << 44;  // offsets whose bits a number of the script still counts
constexpr std::size_t kLeastRun = 3;                              // marks that follow each other evenly and are written once

std::string hex(Rgb c) { return fmt::format("{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// What stands in cells, where it is made of their numbers: in JavaScript's page the same.
struct Template {
  std::string_view text;
  std::string (*label)(const Subject&);
};
constexpr Template kTemplates[] = {
    {"T{t}\nV{v}", [](const Subject& of) { return fmt::format("T{}\nV{}", of.thread, of.value); }},
    {"T{t} V{v}", [](const Subject& of) { return fmt::format("T{} V{}", of.thread, of.value); }},
    {"{a}", [](const Subject& of) { return fmt::format("{}", of.address); }},
    {"({r},{c})", [](const Subject& of) { return fmt::format("({},{})", of.row, of.col); }},
    {"({r},{c})\n{a}", [](const Subject& of) { return fmt::format("({},{})\n{}", of.row, of.col, of.address); }},
    {"T{t}", [](const Subject& of) { return fmt::format("T{}", of.thread); }},
    {"V{v}", [](const Subject& of) { return fmt::format("V{}", of.value); }},
    {"{t}", [](const Subject& of) { return fmt::format("{}", of.thread); }},
    {"{v}", [](const Subject& of) { return fmt::format("{}", of.value); }},
};

class FigureData {
 public:
  FigureData(const Scene& scene, RenderProgress& progress) : scene_(scene), progress_(progress) {}

  std::string write(const RenderOptions& options) {
    const Bounds box = bounds(scene_);
    const double margin = kMargin * page_unit(box);
    put("{\"title\":"), text(scene_.title);
    put(",\"expression\":"), text(scene_.expression);
    put(",\"alternative\":"), text(alternative_text(scene_));
    put(",\"cell\":"), number(options.cell_points * options.zoom);
    put(",\"room\":["), numbers({box.x0 - margin, box.y0 - margin, box.width() + 2 * margin, box.height() + 2 * margin});
    put("],\"page\":[\"" + hex(scene_.page.paper) + "\",\"" + hex(scene_.page.ink) + "\"]");
    look();
    put(",\"tensors\":"), texts(scene_.tensors);
    put(",\"rests\":"), texts(scene_.rests);
    put(",\"said\":"), texts(scene_.words);
    put(",\"panels\":[");
    for (std::size_t p = 0; p < scene_.panels.size() && !progress_.stop(out_.size()); ++p) panel(p);
    put("],\"grids\":[");
    for (std::size_t i = 0; i < grids_.size() && !progress_.stop(out_.size()); ++i) {
      if (i > 0) put(",");
      grid(*grids_[i]);
    }
    put("],\"recipes\":[");
    for (const CellRecipe* each : recipes_) put((each == recipes_.front() ? "" : ",") + to_json(*each).dump());
    put("],\"steps\":[");
    for (const SceneStep& each : scene_.steps) step(each);
    put("]}");
    return std::move(out_);
  }

 private:
  void put(std::string_view signs) { out_ += signs; }
  void text(std::string_view words) { append_json_string(out_, words); }
  void texts(const std::vector<std::string>& list) { put(Json(list).dump()); }
  void number(double v) { append_number(out_, v, 3); }
  void numbers(std::initializer_list<double> all) {
    bool first = true;
    for (const double v : all) {
      if (!std::exchange(first, false)) put(",");
      number(v);
    }
  }
  void whole(std::int64_t n) { out_ += fmt::format_int(n).c_str(); }

  void look() {
    const Look look = look_of(scene_);
    const auto colors = [&](std::string_view name, auto color) {
      put(fmt::format(",\"{}\":[", name));
      for (const Rgb fill : scene_.palette) put("\"" + hex(color(fill)) + "\",");
      put("\"" + hex(color(scene_.page.paper)) + "\"]");
    };
    colors("palette", [](Rgb fill) { return fill; });
    colors("texts", [](Rgb fill) { return text_color(fill); });
    colors("faints", [](Rgb fill) { return faint_text_color(fill); });
    put(",\"strokes\":[");
    for (const StrokeLook& each : look.strokes) {
      put(&each == look.strokes.data() ? "[" : ",["), number(each.width);
      put(",\"" + hex(each.color) + "\"]");
    }
    put(fmt::format("],\"edge\":{},\"labels\":[", look.first_grid_line));
    for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note}) {
      put(fmt::format("{}{{\"color\":\"{}\",\"bold\":{},\"mono\":{}}}", role == LabelRole::axis ? "" : ",",
                      hex(label_color(role, scene_.page)), is_bold(role), is_mono(role)));
    }
    put("]");
  }

  void panel(std::size_t p) {
    const Panel& of = scene_.panels[p];
    put(p > 0 ? ",\n{\"id\":" : "\n{\"id\":"), text(of.id);
    put(",\"name\":"), text(of.name);
    constexpr std::string_view kOperands[] = {"", "a", "b", "c"};
    put(fmt::format(",\"operand\":\"{}\",\"type\":", kOperands[static_cast<std::size_t>(of.operand)]));
    number(cell_type_size(scene_, p));
    put(fmt::format(",\"recipe\":{}", recipe(of.recipe.get())));
    if (!of.shown.empty()) shown(of);
    put(",\"marks\":[");
    for (std::size_t m = 0; m < of.marks.size() && !progress_.stop(out_.size());) {
      if (m > 0) put(",");
      if (const std::size_t run = line_run(of, m); run >= kLeastRun)
        m += run;
      else if (const std::size_t labels = label_run(of, m); labels >= kLeastRun)
        m += labels;
      else
        std::visit([&](const auto& mark) { write_mark(mark); }, of.marks[m++]);
    }
    put("]}");
  }

  void shown(const Panel& of) {
    put(",\"shown\":[");
    for (const ShownIn& each : of.shown) {
      if (&each != of.shown.data()) put(",");
      if (each.first == 0 && each.last == 0xffff && each.lit == 0xffff)
        put("null");
      else
        put(fmt::format("[{},{},{}]", each.first, each.last, each.lit));
    }
    put("]");
  }

  // -1 where there is none, or one whose numbers a script would round.
  std::int64_t recipe(const CellRecipe* of) {
    if (!of) return -1;
    const auto fits = [](const CellRecipe::Stage& stage) {
      if (const auto* layout = std::get_if<Layout>(&stage)) return layout->cosize() < kLargestOfScript;
      const auto* more = std::get_if<CellRecipe::Add>(&stage);
      return !more || !more->elements.is_int() || std::abs(more->elements.value()) < kLargestOfScript;
    };
    if (!std::all_of(of->stages.begin(), of->stages.end(), fits)) return -1;
    const auto found = std::find(recipes_.begin(), recipes_.end(), of);
    if (found != recipes_.end()) return found - recipes_.begin();
    recipes_.push_back(of);
    return static_cast<std::int64_t>(recipes_.size()) - 1;
  }

  // ---- marks -----------------------------------------------------------------------------------------------------------

  void write_mark(const Grid& of) {
    const auto found = std::find(grids_.begin(), grids_.end(), of.of.get());
    const auto index = found - grids_.begin();
    if (found == grids_.end()) grids_.push_back(of.of.get());
    put("[\"g\","), numbers({of.x, of.y, of.w, of.h});
    put(fmt::format(",{}]", index));
  }

  void subjects(std::uint32_t first, std::uint32_t count) {
    if (first == kNoSubject) return put("0");
    put("[");
    for (std::uint32_t k = 0; k < count; ++k) {
      const Subject& of = scene_.subjects[first + k];
      const std::int64_t fields[] = {of.thread, of.value, of.row, of.col, of.address, of.bank, of.tensor, of.rest, of.words};
      std::size_t length = std::size(fields);
      while (length > 0 && fields[length - 1] < 0) --length;
      put(k > 0 ? ",[" : "[");
      for (std::size_t i = 0; i < length; ++i) {
        if (i > 0) put(",");
        whole(fields[i]);
      }
      put("]");
    }
    put("]");
  }

  void write_mark(const Cell& of) {
    const CellView seen = view(scene_, of);
    put("[\"c\","), numbers({of.x, of.y, of.w, of.h});
    put(fmt::format(",{},", of.fill == kNoColor ? -1 : std::int64_t{of.fill})), text(seen.label);
    put(of.faint ? ",1," : ",0,"), subjects(of.subject, of.subject_count);
    put(is_sample(of) ? ",1]" : "]");
  }

  void write_mark(const Outline& of) {
    put("[\"o\","), numbers({of.x, of.y, of.w, of.h});
    put(fmt::format(",{}", static_cast<int>(of.role)));
    if (of.grid) put(","), numbers({of.step_x, of.step_y});
    put("]");
  }

  void stroke(std::string_view kind, double x0, double y0, double x1, double y1, StrokeRole role, ColorIndex color, std::uint32_t subject) {
    put(fmt::format("[\"{}\",", kind)), numbers({x0, y0, x1, y1});
    put(fmt::format(",{},{}", static_cast<int>(role), color == kNoColor ? -1 : std::int64_t{color}));
    if (subject != kNoSubject) put(","), subjects(subject, 1);
    put("]");
  }
  void write_mark(const Line& of) { stroke("l", of.x0, of.y0, of.x1, of.y1, of.role, of.color, of.subject); }
  void write_mark(const Arrow& of) { stroke("a", of.x0, of.y0, of.x1, of.y1, StrokeRole::boundary, of.color, of.subject); }

  void write_mark(const Label& of) {
    constexpr std::string_view kAnchors[] = {"middle", "start", "end"};
    put("[\"t\","), numbers({of.x, of.y});
    put(","), text(scene_.text_of(of.text));
    put(fmt::format(",{},\"{}\",", static_cast<int>(of.role), kAnchors[static_cast<std::size_t>(of.anchor)])), number(type_size(of));
    put("]");
  }

  // ---- runs of marks ---------------------------------------------------------------------------------------------------

  static bool near(float a, float b) { return std::abs(a - b) < 1e-4F; }

  void run_head(std::string_view kind, std::size_t count, float dx, float dy) {
    put(fmt::format("[\"{}\",{},", kind, count)), append_number(out_, dx, 5);
    put(","), append_number(out_, dy, 5);
    put(",");
  }

  // Lines from m on that are the same but for their place, a step apart; written where there are enough of them.
  std::size_t line_run(const Panel& of, std::size_t m) {
    const auto at = [&](std::size_t i) { return i < of.marks.size() ? std::get_if<Line>(&of.marks[i]) : nullptr; };
    const Line *first = at(m), *second = at(m + 1);
    if (!first || !second || first->subject != kNoSubject) return 0;
    const float dx = second->x0 - first->x0, dy = second->y0 - first->y0;
    std::size_t count = 1;
    for (const Line* next = second; next; next = at(m + ++count)) {
      const auto k = static_cast<float>(count);
      const bool same = next->role == first->role && next->color == first->color && next->subject == kNoSubject &&
                        near(next->x0, first->x0 + k * dx) && near(next->y0, first->y0 + k * dy) && near(next->x1, first->x1 + k * dx) &&
                        near(next->y1, first->y1 + k * dy);
      if (!same) break;
    }
    if (count < kLeastRun) return count;
    run_head("run", count, dx, dy);
    write_mark(*first);
    put("]");
    return count;
  }

  struct Counted {
    std::string_view before;
    std::int64_t number;
  };
  // "T12" -> T, 12; nothing where no plain number ends it.
  std::optional<Counted> counted(const Label& label) const {
    const std::string_view words = scene_.text_of(label.text);
    std::size_t digits = words.size();
    while (digits > 0 && is_digit(words[digits - 1])) --digits;
    const std::string_view figures = words.substr(digits);
    if (figures.empty() || figures.size() > 9 || (figures.size() > 1 && figures.front() == '0')) return std::nullopt;
    std::int64_t n = 0;
    for (const char c : figures) n = 10 * n + (c - '0');
    return Counted{words.substr(0, digits), n};
  }

  // Labels that count on, as the numbers of rows and columns do.
  std::size_t label_run(const Panel& of, std::size_t m) {
    const auto at = [&](std::size_t i) { return i < of.marks.size() ? std::get_if<Label>(&of.marks[i]) : nullptr; };
    const Label *first = at(m), *second = at(m + 1);
    if (!first || !second) return 0;
    const auto start = counted(*first), then = counted(*second);
    if (!start || !then || then->before != start->before) return 0;
    const float dx = second->x - first->x, dy = second->y - first->y;
    const std::int64_t by = then->number - start->number;
    std::size_t count = 1;
    for (const Label* next = second; next; next = at(m + ++count)) {
      const auto k = static_cast<float>(count);
      const auto here = counted(*next);
      const bool same = here && here->before == start->before && here->number == start->number + by * static_cast<std::int64_t>(count) &&
                        next->role == first->role && next->anchor == first->anchor && near(type_size(*next), type_size(*first)) &&
                        near(next->x, first->x + k * dx) && near(next->y, first->y + k * dy);
      if (!same) break;
    }
    if (count < kLeastRun) return count;
    run_head("count", count, dx, dy), text(start->before);
    put(fmt::format(",{},{},", start->number, by));
    write_mark(*first);
    put("]");
    return count;
  }

  // ---- grids -----------------------------------------------------------------------------------------------------------

  template <class T>
  void column(std::string_view name, const std::vector<T>& of) {
    if (of.empty()) return;
    put(fmt::format(",\"{}\":", name));
    append_column(out_, std::vector<std::int64_t>(of.begin(), of.end()));
  }

  void grid(const GridColumns& of) {
    constexpr std::string_view kPlaces[] = {"", "drawn", "transposed", "given"};
    put(fmt::format("\n{{\"rows\":{},\"cols\":{},\"place\":\"{}\"", of.rows, of.cols, kPlaces[static_cast<std::size_t>(of.place)]));
    if (of.tensor >= 0) put(fmt::format(",\"tensor\":{}", of.tensor));
    if (of.rest >= 0) put(fmt::format(",\"rest\":{}", of.rest));
    if (of.bits > 0) put(fmt::format(",\"bits\":{},\"begins\":{}", of.bits, of.byte_offset));
    std::vector<std::int64_t> fills(of.fills.begin(), of.fills.end());
    std::replace(fills.begin(), fills.end(), std::int64_t{kNoColor}, std::int64_t{-1});
    column("fill", fills);
    column("faint", of.faint);
    if (of.place == GridColumns::Place::given) column("row", of.row), column("col", of.col);
    column("thread", of.thread);
    column("value", of.value);
    column("address", of.address);
    column("rests", of.rests);
    column("banks", of.banks);
    others(of);
    labels(of);
    put("}");
  }

  // Other owners of a cell, as they differ from the first: the same at most cells.
  void others(const GridColumns& of) {
    if (of.other_ends.empty() || of.thread.empty()) return;
    std::map<std::string, std::int64_t> known;
    std::vector<std::string> kinds;
    std::vector<std::int64_t> kind_of(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) {
      std::string kind;
      const std::int32_t value = of.value.empty() ? 0 : of.value[i];
      for (const Owner& other : of.others_of(i))
        kind += fmt::format("{}[{},{}]", kind.empty() ? "" : ",", other.thread - of.thread[i], other.value - value);
      const auto [at, is_new] = known.try_emplace(kind, static_cast<std::int64_t>(kinds.size()));
      if (is_new) kinds.push_back(kind);
      kind_of[i] = at->second;
    }
    put(fmt::format(",\"others\":[[{}]]", fmt::join(kinds, "],[")));
    column("other", kind_of);
    if (!of.marks_shared()) put(",\"unmarked\":true");
  }

  void labels(const GridColumns& of) {
    if (of.label_ends.empty()) return;
    for (const Template& each : kTemplates) {
      std::size_t i = 0;
      while (i < of.size() && of.label(i) == each.label(of.subject(i))) ++i;
      if (i < of.size()) continue;
      put(",\"template\":"), text(each.text);
      return;
    }
    std::map<std::string_view, std::int64_t> known;
    std::vector<std::string> words;
    std::vector<std::int64_t> word_of(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto [at, is_new] = known.try_emplace(of.label(i), static_cast<std::int64_t>(words.size()));
      if (is_new) words.emplace_back(of.label(i));
      word_of[i] = at->second;
    }
    put(",\"words\":"), texts(words);
    column("word", word_of);
  }

  // ---- steps -----------------------------------------------------------------------------------------------------------

  void step(const SceneStep& of) {
    put(&of == scene_.steps.data() ? "{\"caption\":" : ",\n{\"caption\":"), text(of.caption);
    put(",\"lit\":[");
    const std::vector<ElementId> cells = of.lit.empty() ? std::vector<ElementId>() : selected_cells(scene_, of.lit);
    for (std::size_t i = 0; i < cells.size();) {
      const ElementId& first = cells[i];
      put(fmt::format("{}[{},{},[", i > 0 ? "," : "", first.panel, first.mark));
      for (bool more = false; i < cells.size() && cells[i].panel == first.panel && cells[i].mark == first.mark; more = true) {
        const std::size_t begin = i;
        while (++i < cells.size() && cells[i] == ElementId{first.panel, first.mark, cells[i - 1].cell + 1}) {
        }
        put(fmt::format("{}{},{}", more ? "," : "", cells[begin].cell, i - begin));
      }
      put("]]");
    }
    put("]}");
  }

  const Scene& scene_;
  RenderProgress& progress_;
  std::string out_;
  std::vector<const GridColumns*> grids_;
  std::vector<const CellRecipe*> recipes_;
};

}  // namespace

namespace {

// The part of a figure's data that is about colours and lines: from the page to the labels.
struct Looks {
  std::size_t begin = 0, end = 0;
};
Looks looks_in(std::string_view data) {
  const std::size_t begin = data.find(",\"page\":["), end = data.find(",\"tensors\":", begin);  // no text has an unescaped quote
  return {begin + 1, end};
}

}  // namespace

Result<std::string> render_html_figure_in_schemes(const Scene& light, const Scene& dark, const RenderOptions& options) {
  TESSERA_TRY(data, render_html_figure(light, options));
  TESSERA_TRY(other, render_html_figure(dark, options));
  const Looks day = looks_in(data), night = looks_in(other);
  if (std::string_view(data).substr(day.end) != std::string_view(other).substr(night.end)) return std::move(data);
  data.insert(day.end, fmt::format(",\"dark\":{{{}}}", std::string_view(other).substr(night.begin, night.end - night.begin)));
  return std::move(data);
}

Result<std::string> render_html_figure(const Scene& scene, const RenderOptions& options) {
  constexpr std::int64_t kBytesOfACell = 24;
  RenderProgress progress(scene, "HTML");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out = FigureData(scene, progress).write(options);
  TESSERA_CHECK(progress.end(out.size()));
  return out;
}

}  // namespace tessera
