// SPDX-License-Identifier: BSD-3-Clause
// Arrangements as text: {"across": true, "share": 0.5, "parts": [{"tabs": [{"binding": "tv", "kind": "tv"}], "shown": 0}, ...]}.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/session/document/arrangement.hpp"
#include "core/base/json.hpp"
#include "core/figure/figure.hpp"

namespace tessera {
namespace {

Json json_of(const View& view) {
  Json::Members members{{"binding", view.binding}}, parameters;
  const FigureOptions& options = view.options;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) members.push_back({name, value});
  };
  add("kind", options.kind);
  if (options.style != FigureStyle::tessera) members.push_back({"style", name_of(options.style)});
  add("palette", options.palette);
  add("title", options.title);
  for (const auto& [name, value] : options.parameters) parameters.push_back({name, value});
  if (!parameters.empty()) members.push_back({"parameters", Json::object(std::move(parameters))});
  return Json::object(std::move(members));
}

Json json_of(const Arrangement& part) {
  if (part.is_split()) {
    return Json::object({{"across", part.across},
                         {"share", static_cast<double>(part.share)},
                         {"parts", Json::List{json_of(*part.first), json_of(*part.second)}}});
  }
  Json::List tabs;
  for (const View& view : part.tabs) tabs.push_back(json_of(view));
  return Json::object({{"tabs", std::move(tabs)}, {"shown", part.shown}});
}

View view_in(JsonReader& in, const Json& json) {
  View view{in.text(json, "binding"), {}};
  view.options.kind = in.text_or(json, "kind", "");
  view.options.palette = in.text_or(json, "palette", "");
  view.options.title = in.text_or(json, "title", "");
  const Result<FigureStyle> style = figure_style(in.text_or(json, "style", "tessera"));
  if (style)
    view.options.style = *style;
  else
    in.refuse(json, style.error().message);
  const Json& parameters = in.object_or_empty(json, "parameters");
  if (parameters.members()) {
    for (const JsonMember& each : *parameters.members()) view.options.parameters[each.name] = in.text(parameters, each.name);
  }
  return view;
}

Arrangement part_in(JsonReader& in, const Json& json, std::size_t depth) {
  Arrangement part;
  if (depth > kDeepestSplit) {
    in.refuse(json, fmt::format("is split more than {} times", kDeepestSplit));
    return part;
  }
  if (json.find("parts")) {
    const Json::List& parts = in.list(json, "parts", 2);
    if (parts.size() != 2) {
      in.refuse(json, "must have two parts");
      return part;
    }
    part.across = in.truth(json, "across");
    part.share = static_cast<float>(in.number(json, "share", kLeastShare, kMostShare));
    part.first = std::make_shared<const Arrangement>(part_in(in, parts[0], depth + 1));
    part.second = std::make_shared<const Arrangement>(part_in(in, parts[1], depth + 1));
    return part;
  }
  for (const Json& tab : in.list(json, "tabs", kMostTabs)) part.tabs.push_back(view_in(in, tab));
  part.shown = in.whole<std::size_t>(json, "shown", 0, part.tabs.empty() ? 0 : part.tabs.size() - 1);
  return part;
}

}  // namespace

std::string to_json(const Arrangement& all) { return json_of(all).dump(); }

Result<Arrangement> arrangement_of(std::string_view json) {
  TESSERA_TRY(parsed, parse_json(json, kFileJson, ErrorCode::corrupt));
  JsonReader in(ErrorCode::corrupt, "the arrangement of figures cannot be read");
  Arrangement all = part_in(in, parsed, 0);
  return in.done(std::move(all));
}

}  // namespace tessera
