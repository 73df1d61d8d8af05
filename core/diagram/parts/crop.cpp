// SPDX-License-Identifier: BSD-3-Clause
// A part of a figure alone. What lies outside is taken out as bands across the whole picture, so that panels stay where they stand to one
// another.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/panel_part.hpp"

namespace tessera {

namespace {

// What the rows or columns of a panel count. Rows and columns are those of the picture; the others are an operand's, or of a table of
// threads and values.
enum class Dim : std::uint8_t { row, col, m, n, k, thread, value };
constexpr std::size_t kDims = 7;
constexpr std::string_view kDimNames[kDims] = {"rows", "columns", "m", "n", "k", "threads", "values"};
constexpr std::string_view kDimName[kDims] = {"row", "column", "m", "n", "k", "thread", "value"};

// A panel's grids together, and what their rows and columns count.
struct Place : PanelPart {
  Dim down = Dim::row, across = Dim::col;
  bool strip = false;  // one mode, broken into lines
};

Place place_of(const Scene& scene, std::size_t panel) {
  Place place{grids_of(scene, panel)};
  const Panel& of = scene.panels[panel];
  bool transposed = false, given = false, threads = false;
  for (const Mark& mark : of.marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    if (!grid) continue;
    transposed = transposed || grid->of->place == GridColumns::Place::transposed;
    given = given || grid->of->place == GridColumns::Place::given;
    threads = threads || !grid->of->thread.empty();
  }
  if (of.operand == PanelOperand::a) place.down = Dim::m, place.across = Dim::k;
  if (of.operand == PanelOperand::b) place.down = Dim::n, place.across = Dim::k;
  if (of.operand == PanelOperand::c) place.down = Dim::m, place.across = Dim::n;
  if (transposed) std::swap(place.down, place.across);
  if (given && threads) place.down = Dim::thread, place.across = Dim::value;
  place.strip = given && !threads;
  return place;
}

using Cuts = std::array<std::optional<Range>, kDims>;

void join(std::optional<Range>& into, const Range& more) {
  if (!into) into = more;
  into->first = std::min(into->first, more.first);
  into->last = std::max(into->last, more.last);
}

// The dimensions that a selector cuts, where it does; owners cut all that their cells have.
std::optional<Dim> dim_of(Selects what, bool several, const Place& first) {
  switch (what) {
    case Selects::row: return several ? Dim::m : first.down;
    case Selects::col: return several ? Dim::n : first.across;
    case Selects::m: return Dim::m;
    case Selects::n: return Dim::n;
    case Selects::k: return Dim::k;
    default: return std::nullopt;
  }
}

// The box around the cells of the owners that are named, in each dimension of the panel.
void add_owned(const Scene& scene, const Place& place, const Selection& selection, Cuts& cuts) {
  if (selection.empty()) return;
  Selection threads, values;
  for (const CellSelector& each : selection) (each.what == Selects::value ? values : threads).push_back(each);
  // Threads, warps and quads one with another, and of them the values that are named.
  const auto is_owned = [&](std::int32_t thread, std::int32_t value) {
    const Owner owner{thread, value};
    return thread >= 0 && (threads.empty() || selects(threads, owner)) && (values.empty() || selects(values, owner));
  };
  for (const Mark& mark : scene.panels[place.panel].marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    if (!grid || grid->of->thread.empty()) continue;
    const GridColumns& of = *grid->of;
    for (std::size_t i = 0; i < of.size() && !late(); ++i) {
      const std::span<const Owner> others = of.others_of(i);
      if (!is_owned(of.thread[i], of.value.empty() ? -1 : of.value[i]) &&
          std::none_of(others.begin(), others.end(), [&](const Owner& owner) { return is_owned(owner.thread, owner.value); }))
        continue;
      const auto row = static_cast<std::int64_t>(i) / of.cols, col = static_cast<std::int64_t>(i) % of.cols;
      join(cuts[static_cast<std::size_t>(place.down)], {row, row});
      join(cuts[static_cast<std::size_t>(place.across)], {col, col});
    }
  }
}

Error no_such(const CellSelector& selector, const std::vector<Place>& places) {
  std::string there;
  std::array<bool, kDims> said{};
  for (const Place& place : places) {
    for (const auto& [dim, count] : {std::pair{place.down, place.rows}, {place.across, place.cols}}) {
      const auto at = static_cast<std::size_t>(dim);
      if (said[at]) continue;
      said[at] = true;
      there += fmt::format("{}{} 0-{}", there.empty() ? "" : ", ", kDimNames[at], (place.strip ? place.cells : count) - 1);
      if (place.strip) break;
    }
  }
  return Error{
      ErrorCode::out_of_range, fmt::format("crop: the figure has nothing at {}", selector.text), {}, {fmt::format("it has {}", there)}};
}

Result<Cuts> read_cuts(const Scene& scene, const Selection& selection, const std::vector<Place>& places, bool several) {
  Cuts cuts, owned;
  Selection owners;
  for (const CellSelector& each : selection) {
    if (names_owners(each.what)) {
      owners.push_back(each);
      continue;
    }
    const std::optional<Dim> dim = dim_of(each.what, several, places.front());
    if (!dim) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("crop: {} is no range of rows or columns", each.text),
                   {},
                   {"crop takes rows=0-15, cols=0-31, m=, n= and k= of operands, and T, W, Q or V for the box around what they own"}};
    }
    const bool there = std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return (place.down == *dim && each.first < (place.strip ? place.cells : place.rows)) ||
             (place.across == *dim && each.first < place.cols && !place.strip);
    });
    if (!there || *dim == Dim::thread || *dim == Dim::value) return no_such(each, places);
    join(cuts[static_cast<std::size_t>(*dim)], {each.first, each.last});
  }
  for (const Place& place : places) add_owned(scene, place, owners, owned);
  if (!owners.empty() && std::none_of(owned.begin(), owned.end(), [](const auto& cut) { return cut.has_value(); }))
    return Error{ErrorCode::out_of_range, fmt::format("crop: {} owns no cell of the figure", owners.front().text), {}, {}};
  for (std::size_t dim = 0; dim < kDims; ++dim) {
    if (!owned[dim]) continue;
    if (!cuts[dim]) cuts[dim] = owned[dim];
    cuts[dim] = Range{std::max(cuts[dim]->first, owned[dim]->first), std::min(cuts[dim]->last, owned[dim]->last)};
    if (cuts[dim]->empty())
      return Error{ErrorCode::out_of_range, fmt::format("crop: {} owns nothing of these {}", owners.front().text, kDimNames[dim]), {}, {}};
  }
  return cuts;
}

Status cut_strip(Place& place, const Range& cells) {
  const std::int64_t first = cells.first / place.cols, last = cells.last / place.cols;
  place.rows_left = {first, last};
  place.cols_left = {0, place.cols - 1};
  if (first == last) {
    place.cols_left = {cells.first % place.cols, cells.last % place.cols};
    return Done{};
  }
  if (cells.first % place.cols == 0 && ((cells.last + 1) % place.cols == 0 || cells.last + 1 == place.cells)) return Done{};
  return Error{ErrorCode::wrong_type,
               fmt::format("crop: cells {} to {} begin and end inside lines of {} cells", cells.first, cells.last, place.cols),
               {},
               {fmt::format("take whole lines, or a part of one: rows=0-{}", place.cols - 1)}};
}

Status cut(Place& place, const Cuts& cuts) {
  const auto left = [&](Dim dim, std::int64_t count) {
    const std::optional<Range>& cut = cuts[static_cast<std::size_t>(dim)];
    return cut ? Range{cut->first, std::min(cut->last, count - 1)} : Range{0, count - 1};
  };
  if (place.strip) return cut_strip(place, left(place.down, place.cells));
  place.rows_left = left(place.down, place.rows);
  place.cols_left = left(place.across, place.cols);
  return Done{};
}

std::string words_of(const std::vector<Place>& places) {
  std::string words;
  std::array<bool, kDims> said{};
  const auto say = [&](Dim dim, const Range& left, std::int64_t count) {
    const auto at = static_cast<std::size_t>(dim);
    if (said[at] || left.count() == count) return;
    said[at] = true;
    words += words.empty() ? "" : ", ";
    words += left.count() == 1 ? fmt::format("{} {} of {}", kDimName[at], left.first, count)
                               : fmt::format("{} {}-{} of {}", kDimNames[at], left.first, left.last, count);
  };
  for (const Place& place : places) {
    if (place.strip) {
      const Range cells{place.rows_left.first * place.cols + place.cols_left.first,
                        std::min(place.rows_left.last * place.cols + place.cols_left.last, place.cells - 1)};
      say(place.down, cells, place.cells);
      continue;
    }
    say(place.down, place.rows_left, place.rows);
    say(place.across, place.cols_left, place.cols);
  }
  return words.empty() ? "all rows and columns" : words;
}

// How much of an axis is covered by what is left of the panels.
std::int64_t covered(std::vector<std::pair<float, float>> stretches) {
  std::sort(stretches.begin(), stretches.end());
  float sum = 0, end = -1e30f;
  for (const auto& [from, to] : stretches) {
    sum += std::max(0.0f, to - std::max(from, end));
    end = std::max(end, to);
  }
  return static_cast<std::int64_t>(sum + 0.5f);
}

}  // namespace

Result<std::optional<Crop>> crop(Scene& scene, const FigureSpec& spec) {
  const std::string_view written = parameter(spec, "crop");
  if (written.empty()) return std::optional<Crop>();
  TESSERA_TRY(selection, read_selection(written, "crop"));
  std::vector<Place> places;
  std::size_t operands = 0;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    Place place = place_of(scene, i);
    if (place.cells == 0) continue;
    operands += scene.panels[i].operand != PanelOperand::none;
    places.push_back(place);
  }
  if (places.empty() || selection.empty())
    return Error{
        ErrorCode::parse, fmt::format("crop={} names no part of the figure", written), {}, {"write crop=\"rows=0-15, cols=0-31\""}};
  TESSERA_TRY(cuts, read_cuts(scene, selection, places, operands > 1));
  Bands x, y;
  for (Place& place : places) {
    TESSERA_CHECK(cut(place, cuts));
    x.add(place.x, place.left());
    x.add(place.right(), place.end_x());
    y.add(place.y, place.top());
    y.add(place.bottom(), place.end_y());
  }
  x.sort();
  y.sort();
  std::vector<std::pair<float, float>> across, down;
  for (const Place& place : places) {
    across.emplace_back(x(place.left()), x(place.right()));
    down.emplace_back(y(place.top()), y(place.bottom()));
    erase_marks(scene.panels[place.panel], [&](Mark& mark) { return !move_part(mark, place, x, y); });
  }
  return std::optional(Crop{words_of(places), covered(std::move(down)), covered(std::move(across))});
}

}  // namespace tessera
