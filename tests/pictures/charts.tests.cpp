// SPDX-License-Identifier: BSD-3-Clause
// chart_figure, bar_pairs_figure, series_figure, heat_map_figure and roofline_figure: each bar, point, line and label against the numbers
// of the table, by the scale that the numbers beside it say.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/attack/attack.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;

namespace {

using Number = std::optional<double>;

bool is_numeric(const std::string& text) {
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

// A scale as its numbers say it: the same distance for the same difference, or for the same ratio.
struct Axis {
  std::map<double, double> ticks;  // place by number
  bool log = false;
  double of(double value) const { return log ? std::log2(value) : value; }
  double place(double value) const {
    const auto &first = *ticks.begin(), &last = *ticks.rbegin();
    return first.second + (of(value) - of(first.first)) / (of(last.first) - of(first.first)) * (last.second - first.second);
  }
  bool is_tick(double at) const {
    return std::any_of(ticks.begin(), ticks.end(), [&](const auto& tick) { return near(tick.second, at); });
  }
  std::string wrong() const {
    if (ticks.size() < 2) return "a scale has no two numbers";
    for (const auto& [value, at] : ticks) {
      if (std::abs(place(value) - at) > 0.005) return fmt::format("the number {} stands beside its place on the scale", value);
    }
    return "";
  }
};

// Numbers of role "axis" in one row or column of labels.
Axis axis_of(const PanelDrawn& panel, bool across, bool log) {
  Axis axis{{}, log};
  std::map<double, int> rows;  // how many numbers stand there: the most are the scale's
  for (const LabelDrawn& label : panel.labels) {
    if (label.role == "axis" && is_numeric(label.text) && (across ? label.anchor == "center" : label.anchor == "right"))
      ++rows[across ? label.y : label.x];
  }
  for (const LabelDrawn& label : panel.labels) {
    if (label.role == "axis" && is_numeric(label.text) && (across ? label.anchor == "center" : label.anchor == "right"))
      axis.ticks[std::atof(label.text.c_str())] = across ? label.x : label.y;
  }
  return axis;
}

std::size_t numbers_of_axes(const PanelDrawn& panel) {
  return static_cast<std::size_t>(std::count_if(panel.labels.begin(), panel.labels.end(),
                                                [](const LabelDrawn& label) { return label.role == "axis" && is_numeric(label.text); }));
}

std::string list_of(const std::vector<Number>& values) {
  std::vector<std::string> each;
  for (const Number& value : values) each.push_back(value ? fmt::format("{}", *value) : "_");
  return fmt::format("({})", fmt::join(each, ","));
}

double some_number(Dice& dice, double most = 100) {
  const double of = static_cast<double>(dice.between(1, 9999));
  return dice.one_in(3) ? static_cast<double>(dice.between(1, 40)) : of * most / 10000;
}

// Different integers, ascending.
std::vector<double> some_places(Dice& dice, Int count) {
  std::vector<double> made;
  double at = static_cast<double>(dice.between(1, 9));
  const bool doubling = dice.one_in(2);
  for (Int i = 0; i < count; ++i) {
    made.push_back(at);
    at = doubling ? at * 2 : at + static_cast<double>(dice.between(1, 9));
  }
  return made;
}

// What a bar's text says, within half of its last digit.
bool says(const std::string& text, double value) {
  const std::size_t dot = text.find('.');
  const double last = text.find('e') != std::string::npos ? std::abs(value) * 1e-5
                      : dot == std::string::npos          ? 1
                                                          : std::pow(10, -static_cast<double>(text.size() - dot - 1));
  return is_numeric(text) && std::abs(std::atof(text.c_str()) - value) <= last * 0.500001 + std::abs(value) * 1e-9;
}

// ---- bars ------------------------------------------------------------------------------------------------------------------------

struct Bars {
  std::vector<double> places;
  std::vector<std::vector<Number>> values, low, high;  // of each series one number a row; low and high: with a spread
  std::vector<std::string> names;                      // of the series; of one none
  std::optional<double> reference;
  bool refused_in_words = true;
};

std::string wrong_bars(const Picture& picture, const Bars& of) {
  const PanelDrawn& panel = picture.panels.front();
  const Axis axis = axis_of(panel, true, false);
  if (std::string wrong = axis.wrong(); !wrong.empty()) return wrong;
  if (axis.ticks.size() != numbers_of_axes(panel)) return "a number of the scale stands there twice";
  if (!axis.ticks.contains(0) || !near(axis.ticks.at(0), 0)) return "the scale does not begin at zero";
  const std::size_t rows = of.places.size(), series = of.values.size();
  std::size_t cells = 0, whiskers = 0, words = 0;
  std::vector<const StrokeDrawn*> known;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string name = fmt::format("m = {}", of.places[row]);
    const auto named = std::count_if(panel.labels.begin(), panel.labels.end(),
                                     [&](const LabelDrawn& label) { return label.role == "panel_name" && label.text == name; });
    if (named != 1) return fmt::format("{} stands there {} times", name, named);
    const double middle = std::find_if(panel.labels.begin(), panel.labels.end(), [&](const LabelDrawn& label) {
                            return label.role == "panel_name" && label.text == name;
                          })->y;
    for (std::size_t s = 0; s < series; ++s) {
      const Number value = of.values[s][row];
      if (!value) continue;
      const bool spread = !of.low.empty() && of.low[s][row] && of.high[s][row];
      std::string said = fmt::format("{}: {} {:.6g}", name, of.names.empty() ? "us" : of.names[s], *value);
      if (spread) said += fmt::format(", p10 to p90: {:.4g} to {:.4g}", *of.low[s][row], *of.high[s][row]);
      const double end = axis.place(*value);
      double y = middle;
      if (end > 0) {
        const auto is_it = [&](const CellDrawn& cell) { return cell.links.size() == 1 && cell.links.front().words == said; };
        const auto cell = std::find_if(panel.cells.begin(), panel.cells.end(), is_it);
        if (std::count_if(panel.cells.begin(), panel.cells.end(), is_it) != 1) return "there is not one bar that says " + said;
        ++cells;
        if (!near(cell->x, 0) || std::abs(cell->w - end) > 0.02)
          return fmt::format("the bar of \"{}\" ends at {}, not {}", said, cell->x + cell->w, end);
        y = cell->y + cell->h / 2;
        const double half = static_cast<double>(series) * cell->h * 0.7;
        if (std::abs(y - middle) > half || (series == 2 && (s == 0) != (y < middle))) return "a bar is not in its row: " + said;
      }
      // Its number beside it, or in it.
      const bool has_text = std::any_of(panel.labels.begin(), panel.labels.end(), [&](const LabelDrawn& label) {
        return label.role == "legend" && says(label.text, *value) && near(label.y, y);
      });
      if (end > 0 && !has_text) return "no number stands beside " + said;
      ++words;
      if (!spread) continue;
      const double from = axis.place(*of.low[s][row]), to = axis.place(*of.high[s][row]);
      if (to - from < 0.1) continue;
      for (const StrokeDrawn& line : panel.lines) {
        if (line.role != "boundary") continue;
        const bool whole = near(line.y0, y) && near(line.y1, y) && std::abs(line.x0 - from) < 0.02 && std::abs(line.x1 - to) < 0.02;
        const bool cap =
            line.x0 == line.x1 && (std::abs(line.x0 - from) < 0.02 || std::abs(line.x0 - to) < 0.02) && near((line.y0 + line.y1) / 2, y);
        if (whole || cap) known.push_back(&line);
        whiskers += whole ? 1 : 0;
      }
      if (whiskers == 0) return "no whisker of " + said;
    }
  }
  std::size_t with_links = 0, numbers = 0;
  for (const CellDrawn& cell : panel.cells) with_links += cell.links.empty() ? 0 : 1;
  if (with_links != cells) return fmt::format("{} bars of {}", with_links, cells);
  for (const LabelDrawn& label : panel.labels) numbers += label.role == "legend" && is_numeric(label.text) ? 1 : 0;
  if (numbers != words) return fmt::format("{} numbers of {}", numbers, words);
  // Other lines: of the scale at its numbers, of zero, and of the reference.
  bool has_reference = !of.reference.has_value();
  for (const StrokeDrawn& line : panel.lines) {
    if (std::find(known.begin(), known.end(), &line) != known.end()) continue;
    const bool level = !near(line.x0, line.x1);
    const bool is_reference = of.reference && line.role == "strong" && std::abs(line.x0 - axis.place(*of.reference)) < 0.02;
    has_reference = has_reference || is_reference;
    const bool fits = !level && (line.role == "hairline"   ? axis.is_tick(line.x0)
                                 : line.role == "boundary" ? near(line.x0, 0)
                                                           : is_reference);
    if (!fits) return fmt::format("a {} line from {},{} to {},{} stands for nothing", line.role, line.x0, line.y0, line.x1, line.y1);
  }
  return has_reference ? "" : "the reference has no line";
}

Bars some_bars(Dice& dice, std::size_t series) {
  Bars of;
  const Int rows = dice.between(2, 9);
  of.places = some_places(dice, rows);
  const bool spread = series == 1 && dice.one_in(2);
  for (std::size_t s = 0; s < series; ++s) {
    std::vector<Number> values, low, high;
    for (Int i = 0; i < rows; ++i) {
      const double value = some_number(dice);
      values.push_back(dice.one_in(9) ? Number() : Number(value));
      const bool known = values.back() && !dice.one_in(6);
      low.push_back(known ? Number(std::round(value * 90) / 100) : Number()),
          high.push_back(known ? Number(std::round(value * 120) / 100) : Number());
    }
    values[0] = 1.5 + static_cast<double>(s), values[1] = 40.0 + static_cast<double>(s);  // two that differ
    low[0] = 1.25, high[0] = 1.75, low[1] = 37, high[1] = 44.5;
    of.values.push_back(values);
    if (spread) of.low.push_back(low), of.high.push_back(high);
  }
  return of;
}

std::vector<Number> numbers_of(const std::vector<double>& places) { return {places.begin(), places.end()}; }

// ---- lines -----------------------------------------------------------------------------------------------------------------------

struct Lines {
  std::vector<double> places;
  std::vector<std::string> names;  // "k = 1"; of one line ""
  std::vector<std::vector<Number>> values, low, high;
};

std::string wrong_lines(const Picture& picture, const Lines& of) {
  const PanelDrawn& panel = *picture.panel("series");
  const std::string words = words_below(picture);
  const bool both = words.find("both scales are logarithmic") != std::string::npos;
  const bool log_x = both || std::any_of(panel.labels.begin(), panel.labels.end(), [](const LabelDrawn& label) {
                       return label.text.find("on a logarithmic scale") != std::string::npos;
                     });
  const bool log_y = both || words.find("the scale up is logarithmic") != std::string::npos;
  const Axis x = axis_of(panel, true, log_x), y = axis_of(panel, false, log_y);
  if (std::string wrong = first_of({x.wrong(), y.wrong()}); !wrong.empty()) return wrong;
  if (x.ticks.size() + y.ticks.size() != numbers_of_axes(panel)) return "a number of a scale stands there twice";
  struct At {
    std::size_t line, point;
    double x, y;
  };
  std::vector<At> points;
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    for (std::size_t p = 0; p < of.places.size(); ++p) {
      if (of.values[i][p]) points.push_back({i, p, x.place(of.places[p]), y.place(*of.values[i][p])});
    }
  }
  std::size_t dots = 0;
  for (const CellDrawn& cell : panel.cells) dots += cell.links.empty() ? 0 : 1;
  if (dots != points.size()) return fmt::format("{} points of {}", dots, points.size());
  for (const At& at : points) {
    const std::string& name = of.names[at.line];
    std::string said = name.empty()
                           ? fmt::format("us  m = {}: us {:.6g}", of.places[at.point], *of.values[at.line][at.point])
                           : fmt::format("{}  m = {}, {}: us {:.6g}", name, of.places[at.point], name, *of.values[at.line][at.point]);
    if (!of.low.empty() && of.low[at.line][at.point])
      said += fmt::format(", p10 to p90: {:.4g} to {:.4g}", *of.low[at.line][at.point], *of.high[at.line][at.point]);
    const auto dot = std::find_if(panel.cells.begin(), panel.cells.end(),
                                  [&](const CellDrawn& cell) { return cell.links.size() == 1 && cell.links.front().words == said; });
    if (dot == panel.cells.end()) return "no point says " + said;
    if (std::abs(dot->x + dot->w / 2 - at.x) > 0.02 || std::abs(dot->y + dot->h / 2 - at.y) > 0.02)
      return fmt::format("{} stands at {}, {} and not {}, {}", said, dot->x + dot->w / 2, dot->y + dot->h / 2, at.x, at.y);
  }
  // Each line joins two neighbouring points that have numbers, or stands at a number of a scale, at a spread or around a point.
  const auto spread = [&](std::size_t i, std::size_t p) { return !of.low.empty() && of.low[i][p] && of.high[i][p]; };
  const auto is = [](double one, double other) { return std::abs(one - other) < 0.02; };
  const bool at_places = std::all_of(x.ticks.begin(), x.ticks.end(), [&](const auto& tick) {
    return std::any_of(of.places.begin(), of.places.end(), [&](double place) { return near(place, tick.first); });
  });
  std::size_t joined = 0, wanted = 0;
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    for (std::size_t p = 1; p < of.places.size(); ++p) wanted += of.values[i][p - 1] && of.values[i][p] ? 1 : 0;
  }
  for (const StrokeDrawn& line : panel.lines) {
    bool fits = false;
    const bool upright = near(line.x0, line.x1), level = near(line.y0, line.y1);
    if (line.color.empty()) {
      fits = (upright && (near(line.x0, 0) || x.is_tick(line.x0))) ||
             (level && (y.is_tick(line.y0) || near(line.y0, y.ticks.begin()->second)));
      // Numbers that would touch are left out, and their lines are not.
      for (std::size_t p = 0; p < of.places.size(); ++p) fits = fits || (at_places && upright && is(line.x0, x.place(of.places[p])));
      if (level && !fits) fits = line.role == "boundary" && near(line.y0, 11);
    } else if (!line.links.empty()) {
      for (std::size_t i = 0; i < of.names.size(); ++i) {
        if (line.links.front().words != (of.names[i].empty() ? "us" : of.names[i])) continue;
        for (std::size_t p = 1; p < of.places.size(); ++p) {
          if (!of.values[i][p - 1] || !of.values[i][p]) continue;
          fits = fits || (is(line.x0, x.place(of.places[p - 1])) && is(line.x1, x.place(of.places[p])) &&
                          is(line.y0, y.place(*of.values[i][p - 1])) && is(line.y1, y.place(*of.values[i][p])));
        }
      }
      joined += fits ? 1 : 0;
    } else {
      for (const At& at : points) {
        const double reach = 0.33;
        fits = fits || (line.role == "strong" && std::hypot(line.x0 - at.x, line.y0 - at.y) < reach &&
                        std::hypot(line.x1 - at.x, line.y1 - at.y) < reach);
        fits = fits || (line.role == "boundary" && spread(at.line, at.point) && is(line.x0, at.x) && is(line.x1, at.x) &&
                        is(line.y0, y.place(*of.low[at.line][at.point])) && is(line.y1, y.place(*of.high[at.line][at.point])));
        if (line.role == "grid")
          fits = fits || (std::abs(line.x0 - 0.4 - at.x) < 0.02 && is(line.y0, at.y) &&
                          std::any_of(panel.labels.begin(), panel.labels.end(),
                                      [&](const LabelDrawn& label) { return label.text == of.names[at.line] && near(label.y, line.y1); }));
        if (line.role != "hairline" || at.point == 0 || !spread(at.line, at.point) || !spread(at.line, at.point - 1)) continue;
        for (const auto* edge : {&of.low, &of.high})
          fits = fits || (is(line.x0, x.place(of.places[at.point - 1])) && is(line.x1, at.x) &&
                          is(line.y0, y.place(*(*edge)[at.line][at.point - 1])) && is(line.y1, y.place(*(*edge)[at.line][at.point])));
      }
    }
    if (!fits) return fmt::format("a {} line from {},{} to {},{} joins nothing", line.role, line.x0, line.y0, line.x1, line.y1);
  }
  // One line for each number across, and so many around each point as its shape has.
  std::vector<double> upright;
  for (const StrokeDrawn& line : panel.lines) {
    if (line.color.empty() && line.role == "hairline" && near(line.x0, line.x1)) upright.push_back(line.x0);
  }
  std::sort(upright.begin(), upright.end());
  if (std::adjacent_find(upright.begin(), upright.end(), near) != upright.end()) return "two lines stand at one number";
  for (const At& at : points) {
    const auto around = std::count_if(panel.lines.begin(), panel.lines.end(), [&](const StrokeDrawn& line) {
      const auto far = [&](const At& other) { return std::hypot((line.x0 + line.x1) / 2 - other.x, (line.y0 + line.y1) / 2 - other.y); };
      const bool is_nearest = std::all_of(points.begin(), points.end(), [&](const At& other) { return far(at) <= far(other) + 1e-6; });
      return line.role == "strong" && line.links.empty() && !line.color.empty() && is_nearest;
    });
    const bool alone = std::none_of(points.begin(), points.end(),
                                    [&](const At& other) { return &other != &at && std::hypot(other.x - at.x, other.y - at.y) < 0.4; });
    if (alone && around != std::vector<long>{0, 4, 2, 3}[at.line % 4])
      return fmt::format("{} lines stand around a point of line {}", around, at.line);
  }
  if (joined != wanted) return fmt::format("{} lines of {}", joined, wanted);
  std::size_t named = 0, names = 0;
  for (std::size_t i = 0; i < of.names.size() && of.names.size() > 1; ++i) {
    const bool any = std::any_of(of.values[i].begin(), of.values[i].end(), [](const Number& value) { return value.has_value(); });
    names += any ? 1 : 0;
    const auto count = std::count_if(panel.labels.begin(), panel.labels.end(),
                                     [&](const LabelDrawn& label) { return label.role == "panel_name" && label.text == of.names[i]; });
    if (count != (any ? 1 : 0)) return fmt::format("the name {} stands there {} times", of.names[i], count);
  }
  for (const LabelDrawn& label : panel.labels) named += label.role == "panel_name" ? 1 : 0;
  if (named != names) return fmt::format("{} names of {}", named, names);
  // The least and the greatest of each line.
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    Number least, most;
    for (const Number& value : of.values[i]) {
      if (value) least = std::min(least.value_or(*value), *value), most = std::max(most.value_or(*value), *value);
    }
    if (!least || *least == *most) continue;
    const std::string said = fmt::format("lowest {:.4g} at m = ", *least), other = fmt::format("highest {:.4g} at m = ", *most);
    if (std::string wrong = wrong_words(picture, {said, other}); !wrong.empty()) return wrong;
  }
  return "";
}

// ---- maps --------------------------------------------------------------------------------------------------------------------------

struct Map {
  std::vector<double> down, across;
  std::vector<Number> values;  // by row and column
};

std::string wrong_map(const Picture& picture, const Map& of) {
  const PanelDrawn& panel = *picture.panel("heat_map");
  WantedCells wanted;
  const std::size_t cols = of.across.size();
  Number least, most;
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    const std::size_t r = i / cols, c = i % cols;
    Link link;
    link.words =
        fmt::format("m = {}, k = {}: ", of.down[r], of.across[c]) + (of.values[i] ? fmt::format("us {:.6g}", *of.values[i]) : "refused");
    const auto cell = std::find_if(panel.cells.begin(), panel.cells.end(),
                                   [&](const CellDrawn& each) { return !each.links.empty() && each.links.front().words == link.words; });
    const std::string label = cell == panel.cells.end() ? "" : cell->label;
    if (of.values[i] ? !says(label, *of.values[i]) : label != "–") return fmt::format("{} has the label \"{}\"", link.words, label);
    wanted[{static_cast<Int>(r), static_cast<Int>(c)}] = {label, {link}};
    if (of.values[i])
      least = std::min(least.value_or(*of.values[i]), *of.values[i]), most = std::max(most.value_or(*of.values[i]), *of.values[i]);
  }
  // The same number has the same colour, a greater one another.
  std::map<std::string, std::string> fills;
  for (const CellDrawn& cell : panel.cells) {
    if (const auto first = fills.try_emplace(cell.label, cell.fill).first; first->second != cell.fill)
      return cell.label + " has two colours";
  }
  const Place place = place_of(panel);
  return first_of({wrong_cells(panel, wanted, place),
                   wrong_axes(
                       panel, place, static_cast<Int>(of.down.size()), static_cast<Int>(cols),
                       [&](Int r) { return fmt::format("{}", of.down[static_cast<std::size_t>(r)]); },
                       [&](Int c) { return fmt::format("{}", of.across[static_cast<std::size_t>(c)]); }),
                   least ? wrong_words(picture, {fmt::format("{:.4g} to {:.4g}", *least, *most)}) : ""});
}

// ---- roofs -------------------------------------------------------------------------------------------------------------------------

struct Kernel {
  Int m = 0, n = 0, k = 0;
  double intensity() const {
    const double a = static_cast<double>(m * k), b = static_cast<double>(n * k), c = static_cast<double>(m * n);
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / (2 * a + 2 * b + 4 * c);
  }
};
struct Roof {
  std::string device;
  double peak = 0, bandwidth = 0;  // TFLOP/s, GB/s, as the maker states them
  std::vector<Kernel> kernels;
  std::vector<double> measured;  // empty: nothing was
  double best(double intensity) const { return std::min(peak, bandwidth * intensity / 1000); }
};

std::string wrong_roof(const Picture& picture, const Roof& of) {
  const PanelDrawn& panel = *picture.panel("roofline");
  const Axis x = axis_of(panel, true, true), y = axis_of(panel, false, true);
  if (std::string wrong = first_of({x.wrong(), y.wrong()}); !wrong.empty()) return wrong;
  if (x.ticks.size() + y.ticks.size() != numbers_of_axes(panel)) return "a number of a scale stands there twice";
  const auto is = [](double one, double other) { return std::abs(one - other) < 0.03; };
  std::vector<std::string> words{fmt::format("left of {:.4g} FLOP/byte memory is the limit", of.peak * 1000 / of.bandwidth)};
  std::size_t dots = 0;
  for (const CellDrawn& cell : panel.cells) dots += cell.links.empty() ? 0 : 1;
  if (dots != of.kernels.size()) return fmt::format("{} kernels of {}", dots, of.kernels.size());
  for (std::size_t i = 0; i < of.kernels.size(); ++i) {
    const Kernel& kernel = of.kernels[i];
    const std::string name = fmt::format("{} × {} × {}", kernel.m, kernel.n, kernel.k);
    const double best = of.best(kernel.intensity());
    std::string said = fmt::format("{}: {:.4g} FLOP/byte, at best {:.4g} TFLOP/s", name, kernel.intensity(), best);
    if (!of.measured.empty()) said += fmt::format(", measured {:.4g}", of.measured[i]);
    const auto dot = std::find_if(panel.cells.begin(), panel.cells.end(),
                                  [&](const CellDrawn& cell) { return cell.links.size() == 1 && cell.links.front().words == said; });
    if (dot == panel.cells.end()) return "no kernel says " + said;
    const double at = x.place(kernel.intensity()), up = y.place(of.measured.empty() ? best : of.measured[i]);
    if (!is(dot->x + dot->w / 2, at) || !is(dot->y + dot->h / 2, up))
      return fmt::format("{} stands at {}, {} and not {}, {}", name, dot->x + dot->w / 2, dot->y + dot->h / 2, at, up);
    const auto named = std::count_if(panel.labels.begin(), panel.labels.end(),
                                     [&](const LabelDrawn& label) { return label.role == "panel_name" && label.text == name; });
    if (named != 1) return fmt::format("{} stands there {} times", name, named);
    words.push_back(of.measured.empty() ? said : fmt::format("{}: {:.3g} %", said, 100 * of.measured[i] / best));
  }
  const std::vector<std::string> labels{fmt::format("{:.4g} TFLOP/s", of.peak), fmt::format("{:.4g} GB/s", of.bandwidth),
                                        fmt::format("{:.4g} FLOP/byte", of.peak * 1000 / of.bandwidth)};
  for (const LabelDrawn& label : panel.labels) {
    if (label.role != "legend") continue;
    const bool known =
        label.text == "f16 arithmetic: " + labels[0] || label.text == "global memory: " + labels[1] || label.text == labels[2];
    if (!known) return "a label says " + label.text;
  }
  std::size_t roofs = 0;
  const double ridge = of.peak * 1000 / of.bandwidth;
  const auto number_at = [](const Axis& axis, double place) {
    const auto &a = *axis.ticks.begin(), &b = *axis.ticks.rbegin();
    return std::exp2(axis.of(a.first) + (place - a.second) / (b.second - a.second) * (axis.of(b.first) - axis.of(a.first)));
  };
  for (const StrokeDrawn& line : panel.lines) {
    bool fits = false;
    if (line.role == "hairline") fits = near(line.x0, line.x1) ? x.is_tick(line.x0) : near(line.y0, line.y1) && y.is_tick(line.y0);
    if (line.role == "strong") {
      const auto on_roof = [&](double px, double py) { return is(py, y.place(of.best(number_at(x, px)))); };
      fits = on_roof(line.x0, line.y0) && on_roof(line.x1, line.y1), roofs += fits ? 1 : 0;
    }
    if (line.role == "boundary" && near(line.x0, line.x1)) {
      fits = is(line.x0, x.place(ridge)) && is(std::min(line.y0, line.y1), y.place(of.peak));
      for (std::size_t i = 0; i < of.measured.size(); ++i) {
        const double at = of.kernels[i].intensity(), best = y.place(of.best(at)), reached = y.place(of.measured[i]);
        fits = fits || (is(line.x0, x.place(at)) && is(std::min(line.y0, line.y1), best) && is(std::max(line.y0, line.y1), reached));
      }
    }
    if (!fits) return fmt::format("a {} line from {},{} to {},{} stands for nothing", line.role, line.x0, line.y0, line.x1, line.y1);
  }
  return roofs == 2 ? wrong_words(picture, words) : fmt::format("{} pieces of the roof", roofs);
}

}  // namespace

TEST_CASE("a chart's bars, whiskers and labels are the table's numbers", "[pictures]") {
  Dice dice(222);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Bars of = some_bars(dice, 1);
    std::string table = fmt::format("table(m={}, us={}", list_of(numbers_of(of.places)), list_of(of.values[0]));
    if (!of.low.empty()) table += fmt::format(", us_p10={}, us_p90={}", list_of(of.low[0]), list_of(of.high[0]));
    std::string figure = fmt::format("chart_figure({})", table + ")");
    figure.pop_back();
    if (dice.one_in(3)) of.reference = some_number(dice), figure += fmt::format(", reference=\"{}; ref\"", *of.reference);
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_bars(picture, of); }});
  }
  hold("chart", cases, kFreeFaults);
}

TEST_CASE("pairs of bars are the tables' numbers, and the words beside them their ratio", "[pictures]") {
  Dice dice(223);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Bars of = some_bars(dice, 2);
    if (dice.one_in(3)) of.values[1][0] = of.values[0][0];
    of.names = {"first", "second"};
    const std::string places = list_of(numbers_of(of.places));
    const std::string figure = fmt::format("bar_pairs_figure(table(m={}, us={}), table(m={}, us={}))", places, list_of(of.values[0]),
                                           places, list_of(of.values[1]));
    cases.push_back({figure, [of](const Picture& picture) {
                       if (std::string wrong = wrong_bars(picture, of); !wrong.empty()) return wrong;
                       // In the order of rows: what the second is against the first.
                       std::vector<std::pair<double, std::string>> said;
                       for (const LabelDrawn& label : picture.panels.front().labels) {
                         if (label.role == "note") said.emplace_back(label.y, label.text);
                       }
                       std::sort(said.begin(), said.end());
                       std::vector<std::string> wanted;
                       double sum = 0, count = 0;
                       for (std::size_t i = 0; i < of.places.size(); ++i) {
                         const Number a = of.values[0][i], b = of.values[1][i];
                         if (!a || !b) {
                           wanted.push_back(!a && !b ? "both refused" : !a ? "first refused" : "second refused");
                           continue;
                         }
                         const double times = *a > *b ? *a / *b : *b / *a;
                         sum += std::log(*a / *b), ++count;
                         const std::string text = fmt::format("{:.3g}×", times);
                         wanted.push_back(*a == *b ? "the same" : text == "1×" ? "about the same" : text + (*a < *b ? " more" : " less"));
                       }
                       std::vector<std::string> texts;
                       for (const auto& [y, text] : said) texts.push_back(text);
                       if (texts != wanted) return fmt::format("{} instead of {}", fmt::join(texts, "; "), fmt::join(wanted, "; "));
                       const double mean = std::exp(sum / count);
                       const std::string times = fmt::format("{:.3g}×", mean > 1 ? mean : 1 / mean);
                       return count < 2 || times == "1×"
                                  ? std::string()
                                  : wrong_words(picture, {fmt::format("{} {} in the geometric mean", times, mean < 1 ? "more" : "less")});
                     }});
  }
  hold("bar_pairs", cases, kFreeFaults);
}

TEST_CASE("a series' points, lines and bands are the table's numbers", "[pictures]") {
  Dice dice(224);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Lines of;
    of.places = some_places(dice, dice.between(2, 8));
    const Int lines = dice.between(1, 5);
    const bool spread = dice.one_in(2);
    const bool far = dice.one_in(4);  // all numbers far above zero
    std::vector<Number> at, which, values, low, high;
    for (Int i = 0; i < lines; ++i) {
      of.names.push_back(lines > 1 ? fmt::format("k = {}", i + 1) : "");
      of.values.emplace_back(), of.low.emplace_back(), of.high.emplace_back();
      for (const double place : of.places) {
        // So far apart that two points of one place are seen beside each other.
        const double value = std::round(10 * some_number(dice)) / 100 + static_cast<double>(20 * i + 5) + (far ? 100 : 0);
        const bool known = !dice.one_in(8) || place == of.places[0] || place == of.places[1];
        of.values.back().push_back(known ? Number(value) : Number());
        of.low.back().push_back(known ? Number(std::round(value * 90) / 100) : Number()),
            of.high.back().push_back(known ? Number(std::round(value * 120) / 100) : Number());
        at.emplace_back(place), which.emplace_back(static_cast<double>(i + 1));
        values.push_back(of.values.back().back()), low.push_back(of.low.back().back()), high.push_back(of.high.back().back());
      }
    }
    std::string table = fmt::format("table(m={}", list_of(at));
    if (lines > 1) table += fmt::format(", k={}", list_of(which));
    table += fmt::format(", us={}", list_of(values));
    if (spread) table += fmt::format(", us_p10={}, us_p90={}", list_of(low), list_of(high));
    if (!spread) of.low.clear(), of.high.clear();
    if (lines > 1) table += ", parameters=2";
    // Points that stand on each other say nothing apart.
    const bool is_wide = of.places.back() > 12 * of.places[1];
    const std::string x = is_wide ? "log2" : std::vector<std::string>{"auto", "linear", "log2"}[static_cast<std::size_t>(dice.up_to(2))];
    const std::string y = std::vector<std::string>{"auto", "zero", "least", "log2"}[static_cast<std::size_t>(dice.up_to(3))];
    cases.push_back(
        {fmt::format("series_figure({}), x={}, y={})", table, x, y), [of](const Picture& picture) { return wrong_lines(picture, of); }});
  }
  hold("series", cases, kFreeFaults);
}

TEST_CASE("a heat map's cells are the table's numbers", "[pictures]") {
  Dice dice(225);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Map of{some_places(dice, dice.between(1, 6)), some_places(dice, dice.between(2, 6)), {}};
    std::vector<Number> at, which;
    for (const double down : of.down) {
      for (const double across : of.across) {
        of.values.push_back(dice.one_in(8) && !of.values.empty() ? Number() : Number(dice.one_in(4) ? 5.0 : some_number(dice)));
        at.emplace_back(down), which.emplace_back(across);
      }
    }
    of.values[0] = 0.5;
    cases.push_back(
        {fmt::format("heat_map_figure(table(m={}, k={}, us={}, parameters=2))", list_of(at), list_of(which), list_of(of.values)),
         [of](const Picture& picture) { return wrong_map(picture, of); }});
  }
  hold("heat_map", cases, kFreeFaults);
}

TEST_CASE("a roofline has every kernel at its intensity, under the roof or at what was measured", "[pictures]") {
  Dice dice(226);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Roof of{dice.one_in(2) ? "H200" : "H100", 989.4, 0, {}, {}};
    of.bandwidth = of.device == "H200" ? 4800 : 3350;
    const bool measured = dice.one_in(2);
    std::vector<std::string> each, speeds;
    for (Int i = dice.between(1, 4); i > 0; --i) {
      const Kernel kernel{Int{16} << dice.up_to(8), Int{16} << dice.up_to(8), Int{16} << dice.up_to(8)};
      const auto same = [&](const Kernel& other) { return std::abs(std::log2(other.intensity() / kernel.intensity())) < 0.1; };
      if (std::any_of(of.kernels.begin(), of.kernels.end(), same)) continue;
      of.kernels.push_back(kernel);
      each.push_back(fmt::format("roofline(({},{},{}), {})", kernel.m, kernel.n, kernel.k, of.device));
      if (measured)
        of.measured.push_back(std::round(of.best(kernel.intensity()) * static_cast<double>(dice.between(20, 99))) / 100),
            speeds.push_back(fmt::format("{}", of.measured.back()));
    }
    std::string figure = fmt::format("roofline_figure({}", fmt::join(each, ", "));
    if (measured) figure += fmt::format(", measured=\"{}\"", fmt::join(speeds, "; "));
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_roof(picture, of); }});
  }
  hold("roofline", cases, kFreeFaults);
}
