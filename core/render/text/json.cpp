// SPDX-License-Identifier: BSD-3-Clause
// Scene -> JSON: every mark with its place, text, colour and links, for programs that draw or check figures themselves.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/json.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

std::string hex(Rgb c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// A float as the shortest decimal of 1/1000 cells, so that the text does not depend on how 0.1f is rounded.
double clean(float v) { return std::round(static_cast<double>(v) * 1000.0) / 1000.0; }

std::string_view name(LabelRole role) {
  switch (role) {
    case LabelRole::axis: return "axis";
    case LabelRole::panel_name: return "panel_name";
    case LabelRole::caption: return "caption";
    case LabelRole::legend: return "legend";
    case LabelRole::note: return "note";
  }
  return "";
}

std::string_view name(Anchor anchor) {
  switch (anchor) {
    case Anchor::center: return "center";
    case Anchor::left: return "left";
    case Anchor::right: return "right";
  }
  return "";
}

// What a mark stands for, in a member of its own; nothing where it stands for nothing.
void append_links(std::string& out, const Scene& scene, ElementId id) {
  bool first = true;
  for (const Subject& link : subjects_of(scene, id)) {
    out += first ? ",\"links\":[{" : ",{";
    first = false;
    const auto entry = [&](std::string_view key, std::int64_t v) {
      if (v < 0) return;
      if (out.back() != '{') out += ',';
      out += key, out += std::to_string(v);
    };
    entry("\"thread\":", link.thread), entry("\"value\":", link.value), entry("\"row\":", link.row), entry("\"col\":", link.col);
    entry("\"offset\":", link.address), entry("\"bank\":", link.bank), entry("\"tensor\":", link.tensor);
    if (link.rest >= 0) out += ",\"coordinate\":", append_json_string(out, scene.coordinate_of(link));
    if (link.words >= 0) out += out.back() == '{' ? "\"words\":" : ",\"words\":", append_json_string(out, scene.words_of(link));
    out += '}';
  }
  if (!first) out += ']';
}

// Cells are most of a scene, so they are written without a tree in between.
void append_cell(std::string& out, const Scene& scene, const CellView& c) {
  const auto field = [&](std::string_view key, float v) { out += key, append_number(out, v, 3); };
  field("{\"mark\":\"cell\",\"x\":", c.x), field(",\"y\":", c.y), field(",\"w\":", c.w), field(",\"h\":", c.h);
  out += ",\"fill\":";
  out += c.fill == kNoColor ? "null" : '"' + hex(scene.palette[c.fill]) + '"';
  out += ",\"label\":";
  append_json_string(out, c.label);
  if (c.faint) out += ",\"faint\":true";
  append_links(out, scene, c.id);
  out += '}';
}

struct MarkJson {
  const Scene& scene;
  std::string& out;
  RenderProgress& progress;
  ElementId id;

  void put(Json::Members members) const { out += Json::object(std::move(members)).dump(); }
  void put_with_links(Json::Members members) const {
    put(std::move(members));
    out.pop_back();  // the object's last brace
    append_links(out, scene, id);
    out += '}';
  }
  void operator()(const Cell&) const { append_cell(out, scene, cell_of(scene, id)); }
  void operator()(const Grid& grid) const {
    for (std::uint32_t i = 0; i < grid.of->size() && !progress.stop(out.size()); ++i) {
      out += i > 0 ? ",\n" : "";
      append_cell(out, scene, cell_of(scene, {id.panel, id.mark, i}));
    }
  }
  Json color(ColorIndex index) const { return index == kNoColor ? Json() : Json(hex(scene.palette[index])); }
  void operator()(const Outline& o) const {
    Json::Members members{{"mark", "outline"}, {"x", clean(o.x)},         {"y", clean(o.y)}, {"w", clean(o.w)},
                          {"h", clean(o.h)},   {"role", name_of(o.role)}, {"grid", o.grid}};
    if (o.grid && (o.step_x != 1 || o.step_y != 1)) {
      members.push_back({"step_x", clean(o.step_x)});
      members.push_back({"step_y", clean(o.step_y)});
    }
    put(std::move(members));
  }
  void operator()(const Line& l) const {
    put_with_links({{"mark", "line"},
                    {"x0", clean(l.x0)},
                    {"y0", clean(l.y0)},
                    {"x1", clean(l.x1)},
                    {"y1", clean(l.y1)},
                    {"role", name_of(l.role)},
                    {"color", color(l.color)}});
  }
  void operator()(const Label& l) const {
    put({{"mark", "label"},
         {"x", clean(l.x)},
         {"y", clean(l.y)},
         {"text", scene.text_of(l.text)},
         {"role", name(l.role)},
         {"anchor", name(l.anchor)},
         {"size", clean(type_size(l))}});
  }
  void operator()(const Arrow& a) const {
    put_with_links(
        {{"mark", "arrow"}, {"x0", clean(a.x0)}, {"y0", clean(a.y0)}, {"x1", clean(a.x1)}, {"y1", clean(a.y1)}, {"color", color(a.color)}});
  }
};

}  // namespace

Result<std::string> render_json(const Scene& scene) {
  constexpr std::int64_t kBytesOfACell = 150;
  RenderProgress progress(scene, "JSON");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  const Json head = Json::object({{"tessera", "scene"},
                                  {"title", scene.title},
                                  {"expression", scene.expression},
                                  {"comments", scene.comments},
                                  {"tensors", scene.tensors}});
  // Marks are written one by one, each on its own line: a tree of a million marks would not be small.
  std::string out = head.dump();
  out.reserve(static_cast<std::size_t>(progress.cells() * kBytesOfACell) + 4096);
  out.back() = ',';
  out += json_source(scene.source);
  out += "\"panels\":[";
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const Panel& panel = scene.panels[p];
    const Json of = Json::object({{"id", panel.id}, {"name", panel.name}, {"down", panel.axes.down}, {"across", panel.axes.across}});
    out += (p > 0 ? ",\n" : "\n") + of.dump();
    out.back() = ',';
    out += "\"marks\":[";
    for (std::size_t m = 0; m < panel.marks.size() && !progress.stop(out.size()); ++m) {
      out += m > 0 ? ",\n" : "\n";
      std::visit(MarkJson{scene, out, progress, {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m), 0}}, panel.marks[m]);
    }
    out += "]}";
  }
  TESSERA_CHECK(progress.end(out.size()));
  out += "]}\n";
  return out;
}

}  // namespace tessera
