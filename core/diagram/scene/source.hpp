// SPDX-License-Identifier: BSD-3-Clause
// Source: what a figure was made of, so that its file can be drawn again. core/render/shared/source_embed.hpp writes it into files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tessera {

struct Source {
  std::string expression;               // in the language; empty: there is no source
  std::string document;                 // the lines of a document that it uses
  std::optional<std::int64_t> binding;  // where the document's own value is drawn: its place among the bindings, from 0

  // What was asked for besides; empty or nothing where it was left open.
  std::string kind, style, palette, title;
  std::map<std::string, std::string> parameters;
  std::string modes;                       // what a layout maps to what, as its comment says it: "thr,val->offset"
  std::string width, height, fit, labels;  // "84mm", "60mm", "slide", "all"
  std::optional<double> cell, scale;       // points; pixels a point
  bool transparent = false, fragment = false;

  std::string version;  // of the program
  bool empty() const { return expression.empty(); }
  friend bool operator==(const Source&, const Source&) = default;
};

}  // namespace tessera
