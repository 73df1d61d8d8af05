// SPDX-License-Identifier: BSD-3-Clause
// Scene -> JSON: every mark with its place, text, colour and links, for programs that draw or check figures themselves.
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <cmath>

#include "core/render/render.hpp"

namespace tessera {

namespace {

using Json = nlohmann::ordered_json;

std::string hex(Rgb c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// A float as the shortest decimal of 1/1000 cells, so that the text does not depend on how 0.1f is rounded.
double clean(float v) { return std::round(static_cast<double>(v) * 1000.0) / 1000.0; }

std::string_view name(StrokeRole role) {
  switch (role) {
    case StrokeRole::hairline: return "hairline";
    case StrokeRole::grid: return "grid";
    case StrokeRole::boundary: return "boundary";
    case StrokeRole::strong: return "strong";
    case StrokeRole::highlight: return "highlight";
  }
  return "";
}

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

Json link_json(const Link& link) {
  Json out = Json::object();
  if (link.thread >= 0) out["thread"] = link.thread;
  if (link.value >= 0) out["value"] = link.value;
  if (link.row >= 0) out["coord"] = {link.row, link.col};
  if (link.address >= 0) out["offset"] = link.address;
  if (link.bank >= 0) out["bank"] = link.bank;
  if (link.tensor >= 0) out["tensor"] = link.tensor;
  return out;
}

struct MarkJson {
  const Scene& scene;

  Json color(ColorIndex index) const { return index == kNoColor ? Json(nullptr) : Json(hex(scene.palette[index].rgb)); }
  Json operator()(const Cell& c) const {
    Json out = {{"mark", "cell"}, {"x", clean(c.x)}, {"y", clean(c.y)}, {"w", clean(c.w)}, {"h", clean(c.h)}, {"fill", color(c.fill)}, {"label", scene.text_of(c.label)}};
    if (c.faint) out["faint"] = true;
    const std::span<const Link> links = scene.links_of(c);
    if (!links.empty()) out["links"] = Json::array();
    for (const Link& link : links) out["links"].push_back(link_json(link));
    return out;
  }
  Json operator()(const Outline& o) const {
    return {{"mark", "outline"}, {"x", clean(o.x)}, {"y", clean(o.y)}, {"w", clean(o.w)}, {"h", clean(o.h)}, {"role", name(o.role)}, {"grid", o.grid}};
  }
  Json operator()(const Line& l) const {
    return {{"mark", "line"}, {"x0", clean(l.x0)}, {"y0", clean(l.y0)}, {"x1", clean(l.x1)}, {"y1", clean(l.y1)}, {"role", name(l.role)}, {"color", color(l.color)}};
  }
  Json operator()(const Label& l) const {
    return {{"mark", "label"}, {"x", clean(l.x)}, {"y", clean(l.y)}, {"text", scene.text_of(l.text)}, {"role", name(l.role)}, {"anchor", name(l.anchor)}, {"size", clean(type_size(l))}};
  }
  Json operator()(const Arrow& a) const {
    return {{"mark", "arrow"}, {"x0", clean(a.x0)}, {"y0", clean(a.y0)}, {"x1", clean(a.x1)}, {"y1", clean(a.y1)}, {"color", color(a.color)}};
  }
};

}  // namespace

std::string render_json(const Scene& scene) {
  const auto dump = [](const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); };
  Json head = {{"tessera", "scene"}, {"title", scene.title}, {"expression", scene.expression}, {"comments", scene.comments}, {"tensors", scene.tensors}};
  // Marks are written one by one, each on its own line: a tree of a million marks would not be small.
  std::string out = dump(head);
  out.back() = ',';
  out += "\"panels\":[";
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const Panel& panel = scene.panels[p];
    out += fmt::format("{}\n{{\"name\":{},\"marks\":[", p > 0 ? "," : "", dump(Json(panel.name)));
    for (std::size_t m = 0; m < panel.marks.size(); ++m) {
      out += m > 0 ? ",\n" : "\n";
      out += dump(std::visit(MarkJson{scene}, panel.marks[m]));
    }
    out += "]}";
  }
  out += "]}\n";
  return out;
}

}  // namespace tessera
