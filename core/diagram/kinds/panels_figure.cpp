// SPDX-License-Identifier: BSD-3-Clause
// Several figures as one: side by side, lettered, in type of one size, with one scale of colours and each legend once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/charts/chart_parts.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/append_scene.hpp"

namespace tessera {

namespace {

struct Part {
  FigureSpec spec;
  Scene scene;
  std::string letter, title, sentence;
  std::vector<Legend> legends;  // in the colours of the part's own scene
  Bounds box;                   // without its captions
  float left = 0, top = 0;      // of its grids
};

std::string_view kind_of(const FigureSpec& spec) { return spec.kind.empty() ? default_kind(spec) : std::string_view(spec.kind); }

Result<std::vector<Part>> read(const FigureSpec& spec) {
  std::vector<Part> parts;
  for (const FigureObject& object : spec.objects) {
    const auto* own = std::get_if<std::shared_ptr<const FigureSpec>>(&object);
    if (!own)
      return Error{ErrorCode::wrong_type,
                   fmt::format("this figure is of figures, and got {}", object_name(object)),
                   {},
                   {"for example panels_figure((4,8):(8,1), (4,8):(1,4), titles=\"row-major; column-major\")"}};
    Part part;
    part.spec = **own;
    part.letter = std::string(1, static_cast<char>('a' + parts.size()));
    if (kind_of(part.spec) == "panels")
      return Error{
          ErrorCode::wrong_type, fmt::format("({}) is a figure of figures itself", part.letter), {}, {"name its parts side by side"}};
    if (part.spec.style != FigureStyle::tessera) TESSERA_CHECK(only_own_style(part.spec));
    part.title = part.spec.title;
    part.spec.title.clear();
    for (const std::string_view name : {"caption", "legend", "heading", "axes"}) {
      if (is_off(spec, name)) part.spec.parameters[std::string(name)] = "no";
    }
    parts.push_back(std::move(part));
  }
  const std::vector<std::string> titles = between_semicolons(parameter(spec, "titles"));
  if (titles.size() > parts.size())
    return Error{
        ErrorCode::wrong_arity,
        fmt::format("titles= has {}, and there are {} figures", counted(static_cast<std::int64_t>(titles.size()), "title"), parts.size()),
        {},
        {"titles stand between semicolons: titles=\"before; after\""}};
  for (std::size_t i = 0; i < titles.size(); ++i) parts[i].title = titles[i];
  return parts;
}

// Texts of a role, lines that were broken at a space put together again.
std::string first_note(const Scene& scene, const Panel& panel) {
  std::string text;
  for (const Mark& mark : panel.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::note) continue;
    if (!text.empty() && text.back() != ' ') break;
    text += scene.text_of(label->text);
  }
  return text;
}

// The legends among a picture's captions: swatches, then words.
std::vector<Legend> legends_in(const Scene& scene, const Panel& panel) {
  std::vector<Legend> legends;
  bool open = false, after_swatch = false;
  for (const Mark& mark : panel.marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) {
      if (!open || !legends.back().words.empty()) legends.emplace_back();
      legends.back().hues.push_back(cell->fill);
      legends.back().corner = cell->subject_count > 1;
      open = after_swatch = true;
      continue;
    }
    const auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::legend) {
      open = false;
      continue;
    }
    const std::string_view text = scene.text_of(label->text);
    if (after_swatch && label->anchor == Anchor::center) {
      legends.back().numbered = true;
      legends.back().numbers.push_back(std::stoll(std::string(text)));
    } else {
      if (!open || (!legends.back().words.empty() && legends.back().words.back() != ' ')) legends.emplace_back();
      legends.back().words += text;
      open = true;
    }
    after_swatch = false;
  }
  return legends;
}

Status make(Part& part) {
  Result<Scene> made = make_figure(part.spec);
  if (!made) {
    Error error = std::move(made).error();
    error.message = fmt::format("({}): {}", part.letter, error.message);
    return error;
  }
  part.scene = std::move(*made);
  part.scene.steps.clear();
  part.sentence.clear();
  part.legends.clear();
  Scene alone = part.scene;
  std::erase_if(alone.panels, [](const Panel& panel) { return panel.name == kCaptionPanel; });
  part.box = bounds(alone);
  part.left = part.box.x1;
  part.top = part.box.y1;
  for (const Panel& panel : part.scene.panels) {
    if (panel.name == kCaptionPanel) {
      part.sentence = first_note(part.scene, panel);
      part.legends = legends_in(part.scene, panel);
      continue;
    }
    for (const Mark& mark : panel.marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (!outline) continue;
      part.left = std::min(part.left, outline->x);
      part.top = std::min(part.top, outline->y);
    }
  }
  if (part.left == part.box.x1) part.left = part.box.x0, part.top = part.box.y0;
  return Done{};
}

// The offsets that all grids of layouts coloured by theirs have together.
std::optional<std::pair<std::int64_t, std::int64_t>> shared_ramp(const std::vector<Part>& parts) {
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  for (const Part& part : parts) {
    if (!has_ramp(part.spec)) continue;
    const auto own = offsets_of(part.scene);
    if (own) range = range ? std::pair{std::min(range->first, own->first), std::max(range->second, own->second)} : *own;
  }
  return range;
}

struct Arrangement {
  std::vector<std::pair<float, float>> moves;  // of each part
  float width = 0, height = 0;
  float empty = 0;  // share of the rows' ends that nothing stands in
};

// In rows of at most so many parts that are not wider than `width` together. Grids of a row have their tops on one line, those that begin
// a row their left edges.
Arrangement arrange(const std::vector<Part>& parts, std::size_t across, float width, float unit) {
  constexpr float kGap = 2.0f, kTitle = 0.95f, kBetweenRows = 1.4f;
  Arrangement made;
  float y = 0, used = 0, rows = 0;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t end = first;
    float above = 0, below = 0, wide = 0;
    for (; end < parts.size() && end - first < across; ++end) {
      const Part& part = parts[end];
      const float needed = wide + (end > first ? kGap * unit : 0) + part.box.width();
      if (end > first && needed > width) break;
      wide = needed;
      above = std::max(above, part.top - part.box.y0);
      below = std::max(below, part.box.y1 - part.top);
    }
    y += above + kTitle * unit;
    float x = parts[first].box.x0 - parts[first].left;  // its grids' left edge is at 0
    for (std::size_t i = first; i < end; ++i) {
      made.moves.emplace_back(x - parts[i].box.x0, y - parts[i].top);
      x += parts[i].box.width() + kGap * unit;
    }
    made.width = std::max(made.width, wide);
    used += wide;
    ++rows;
    y += below;
    made.height = y;
    y += kBetweenRows * unit;
    first = end;
  }
  made.empty = 1 - used / (rows * made.width);
  return made;
}

// As many side by side as are asked for, or as make the picture about twice as wide as high.
Result<Arrangement> arranged(const FigureSpec& spec, const std::vector<Part>& parts, float unit) {
  constexpr float kAnyWidth = 1e9f;
  constexpr double kWide = 2.2, kRagged = 2;
  TESSERA_TRY(asked, integer(spec, kAcross));
  if (asked) return arrange(parts, static_cast<std::size_t>(*asked), kAnyWidth, unit);
  Arrangement best = arrange(parts, parts.size(), kAnyWidth, unit);
  const auto off = [](const Arrangement& each) {
    return std::abs(std::log(static_cast<double>(each.width) / static_cast<double>(each.height) / kWide)) +
           kRagged * static_cast<double>(each.empty);
  };
  for (std::size_t across = 1; across < parts.size(); ++across) {
    const float width = arrange(parts, across, kAnyWidth, unit).width;  // of rows of so many; narrow parts may have room for more
    Arrangement tried = arrange(parts, parts.size(), width * 1.001f, unit);
    if (off(tried) < off(best)) best = std::move(tried);
  }
  return best;
}

}  // namespace

bool has_ramp(const FigureSpec& spec) {
  const std::string_view color = parameter(spec, "color"), kind = kind_of(spec);
  return !spec.color_layout && ((kind == "layout" && color.empty()) || color == "offset");
}

Result<Scene> panels_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(parts, read(spec));
  float wide = 0, high = 0;
  for (Part& part : parts) {
    TESSERA_CHECK(make(part));
    wide += part.box.width();
    high = std::max(high, part.box.height());
  }
  // Once more, in type of one size and on one scale of colours.
  const float unit = spec.text_unit > 0 ? spec.text_unit : std::max(1.0f, std::min(wide, std::max(high, 60.0f)) / 28.0f * 0.75f);
  const auto ramp = shared_ramp(parts);
  for (Part& part : parts) {
    part.spec.text_unit = unit;
    if (has_ramp(part.spec)) part.spec.ramp = ramp;
    TESSERA_CHECK(make(part));
  }
  TESSERA_TRY(arrangement, arranged(spec, parts, unit));
  Scene scene = begin_scene(spec);
  Captions captions;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const auto [dx, dy] = arrangement.moves[i];
    const std::size_t first = scene.panels.size();
    append_scene(scene, part.scene, dx, dy, part.letter);
    if (first < scene.panels.size()) {
      const std::string text = fmt::format("({}){}{}", part.letter, part.title.empty() ? "" : "  ", part.title);
      scene.panels[first].marks.push_back(
          Label{part.left + dx, part.box.y0 + dy - 0.5f * unit, scene.intern(text), LabelRole::panel_name, Anchor::left, 0.52f * unit});
    }
    if (!part.sentence.empty()) captions.notes.push_back(fmt::format("({}) {}", part.letter, part.sentence));
    for (Legend legend : part.legends) {
      for (ColorIndex& hue : legend.hues) hue = scene.color(part.scene.palette[hue]);
      const bool said = std::any_of(captions.legends.begin(), captions.legends.end(),
                                    [&](const Legend& each) { return each.words == legend.words && each.hues == legend.hues; });
      if (!said) captions.legends.push_back(std::move(legend));
    }
  }
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
