// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/wanted.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::pictures::owned {

namespace {

constexpr double kNear = 0.004;  // of a cell: places are written in thousandths
constexpr Int kShades = 32;      // that a palette has

bool near(double a, double b) { return std::abs(a - b) < kNear; }

std::vector<double> distinct(std::vector<double> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end(), near), places.end());
  return places;
}

std::size_t place_in(const std::vector<double>& places, double at) {
  return static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), at - kNear) - places.begin());
}

std::string text_of(const Link& link) {
  return fmt::format("T{} V{} ({},{}{}{}) offset {} bank {} of {} {}", link.thread, link.value, link.row, link.col,
                     link.coordinate.empty() ? "" : ",", link.coordinate, link.offset, link.bank, link.tensor, link.words);
}

std::string text_of(const std::vector<Link>& links) {
  std::string out;
  for (const Link& link : links) out += (out.empty() ? "" : "; ") + text_of(link);
  return out;
}

// Equally far apart, but for the first of each piece, which has one more distance; how many each piece has.
std::optional<std::size_t> piece_of(const std::vector<double>& places, double step) {
  std::size_t piece = places.size();
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (!near(places[i] - places[i - 1], step)) {
      piece = i;
      break;
    }
  }
  const double jump = piece < places.size() ? places[piece] - places[piece - 1] : step;
  if (jump < step - kNear) return std::nullopt;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (!near(places[i] - places[i - 1], i % piece == 0 ? jump : step)) return std::nullopt;
  }
  return piece;
}

}  // namespace

std::string numbers(Int n) { return std::to_string(n); }

Spread spread_of(const PanelDrawn& panel) {
  Spread spread;
  std::vector<double> xs, ys;
  for (const CellDrawn& cell : panel.cells) xs.push_back(cell.x), ys.push_back(cell.y);
  spread.xs = distinct(std::move(xs)), spread.ys = distinct(std::move(ys));
  if (!panel.cells.empty()) spread.width = panel.cells.front().w;
  return spread;
}

std::string wrong_cells(const PanelDrawn& panel, std::vector<Wanted> wanted, bool folded) {
  if (panel.cells.size() != wanted.size()) return fmt::format("{}: {} cells of {}", panel.id, panel.cells.size(), wanted.size());
  if (wanted.empty()) return {};
  const Spread spread = spread_of(panel);
  const auto columns = piece_of(spread.xs, spread.width), rows = piece_of(spread.ys, 1);
  if (!columns || !rows) return fmt::format("{}: its cells are not equally far apart", panel.id);
  const bool beside = *columns < spread.xs.size(), below = *rows < spread.ys.size();
  if ((beside || below) && !folded) return fmt::format("{}: it is in pieces", panel.id);
  std::map<std::pair<Int, Int>, const Wanted*> at;
  for (const Wanted& each : wanted) {
    auto down = static_cast<std::size_t>(each.down), across = static_cast<std::size_t>(each.across);
    if (beside) across += down / spread.ys.size() * *columns, down %= spread.ys.size();
    if (below) down += across / spread.xs.size() * *rows, across %= spread.xs.size();
    at[{static_cast<Int>(down), static_cast<Int>(across)}] = &each;
  }
  for (const CellDrawn& cell : panel.cells) {
    const auto down = static_cast<Int>(place_in(spread.ys, cell.y)), across = static_cast<Int>(place_in(spread.xs, cell.x));
    const auto found = at.find({down, across});
    if (found == at.end()) return fmt::format("{}: a cell too many at {}, {}", panel.id, down, across);
    const Wanted& want = *found->second;
    if (!near(cell.w, spread.width) || !near(cell.h, 1))
      return fmt::format("{}: ({},{}) is {} by {}", panel.id, down, across, cell.w, cell.h);
    if (cell.links != want.links)
      return fmt::format("{}: ({},{}) is {}, not {}", panel.id, want.down, want.across, text_of(cell.links), text_of(want.links));
    if (cell.label != want.label)
      return fmt::format("{}: ({},{}) says \"{}\", not \"{}\"", panel.id, want.down, want.across, cell.label, want.label);
    if (cell.faint != want.faint) return fmt::format("{}: ({},{}) is {}faint", panel.id, want.down, want.across, cell.faint ? "" : "not ");
    at.erase(found);
  }
  return {};
}

std::string wrong_axes(const PanelDrawn& panel, const std::function<std::string(Int)>& row, const std::function<std::string(Int)>& column) {
  if (panel.cells.empty()) return {};
  const Spread spread = spread_of(panel);
  for (const LabelDrawn& label : panel.labels) {
    if (label.role != "axis") continue;
    const bool before = label.anchor == "right" && label.x < spread.xs.front(),
               above = label.anchor == "center" && label.y < spread.ys.front();
    if (!before && !above) continue;
    const std::vector<double>& places = before ? spread.ys : spread.xs;
    const double middle = before ? label.y - 0.5 : label.x - spread.width / 2;
    const std::size_t at = place_in(places, middle);
    if (at == places.size() || !near(places[at], middle)) return fmt::format("{}: the number {} stands nowhere", panel.id, label.text);
    const std::string want = before ? row(static_cast<Int>(at)) : column(static_cast<Int>(at));
    if (label.text != want) return fmt::format("{}: {} {} is called {}", panel.id, before ? "row" : "column", want, label.text);
  }
  return {};
}

std::string wrong_panels(const Picture& picture, const std::vector<std::string>& ids) {
  std::multiset<std::string> left(ids.begin(), ids.end());
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name == "caption" || panel.id.ends_with("warps")) continue;
    const auto found = left.find(panel.id);
    if (found == left.end()) return fmt::format("there is a panel {}", panel.id);
    left.erase(found);
  }
  return left.empty() ? "" : fmt::format("there is no panel {}", *left.begin());
}

std::string words_below(const Picture& picture) {
  std::string words;
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name != "caption") continue;
    for (const LabelDrawn& label : panel.labels) {
      if (label.role == "legend" && label.anchor == "center") continue;  // of a swatch
      words += label.text;
      if (!label.text.ends_with(' ')) words += '\n';
    }
  }
  return words;
}

std::string missing_words(const Picture& picture, std::string_view words) {
  const std::string all = words_below(picture);
  return all.find(words) == std::string::npos ? fmt::format("\"{}\" is not among the words: {}", words, all) : "";
}

std::string wrong_colors(const PanelDrawn& panel, const std::function<std::optional<Int>(const CellDrawn&)>& key,
                         std::map<Int, std::string>& known) {
  for (const CellDrawn& cell : panel.cells) {
    const std::optional<Int> of = key(cell);
    if (!of) continue;
    const auto [at, is_new] = known.try_emplace(*of, cell.fill);
    if (!is_new && at->second != cell.fill) return fmt::format("{}: {} has two colours, {} and {}", panel.id, *of, at->second, cell.fill);
  }
  std::set<std::string> colors;
  for (const auto& [of, color] : known) colors.insert(color);
  const bool few = known.empty() || known.rbegin()->first < kShades;
  return few && colors.size() < known.size() ? fmt::format("{}: {} colours of {}", panel.id, colors.size(), known.size()) : "";
}

std::vector<std::pair<Int, std::string>> swatches(const Picture& picture) {
  std::vector<std::pair<Int, std::string>> found;
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name != "caption") continue;
    for (const CellDrawn& cell : panel.cells) {
      for (const LabelDrawn& label : panel.labels) {
        const bool is_in = label.anchor == "center" && label.role == "legend" && near(label.x, cell.x + cell.w / 2) && label.y > cell.y &&
                           label.y < cell.y + cell.h;
        if (is_in) found.emplace_back(std::stoll(label.text), cell.fill);
      }
    }
  }
  return found;
}

Int bank_at(Int offset, Int bits, Int byte_offset) {
  if (bits <= 0 || offset < 0) return -1;
  return (byte_offset * 8 + offset * bits) / 32 % 32;
}

}  // namespace tessera::pictures::owned
