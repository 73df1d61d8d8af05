// SPDX-License-Identifier: BSD-3-Clause
// Threads and values on tiles: who owns each cell, in which colour, with which label and links.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

Result<OwnerMap> OwnerMap::make(const Layout& layout_tv, std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> threads) {
  const std::int64_t thread_count = layout_tv[0].size();
  const Index index = [&](std::int64_t t, std::int64_t v) { return layout_tv(t, v); };  // (thr, val) -> colexicographic index
  return make(thread_count, layout_tv.size() / thread_count, index, rows, cols, threads, to_string(layout_tv));
}

Result<OwnerMap> OwnerMap::make_with_outside(const Layout& layout_tv, std::int64_t rows, std::int64_t cols) {
  const std::int64_t thread_count = layout_tv[0].size();
  const Index index = [&](std::int64_t t, std::int64_t v) { return layout_tv(t, v); };  // (thr, val) -> colexicographic index
  return make(thread_count, layout_tv.size() / thread_count, index, rows, cols, {}, to_string(layout_tv), true);
}

Result<OwnerMap> OwnerMap::make(std::int64_t thread_count, std::int64_t value_count, const Index& index, std::int64_t rows,
                                std::int64_t cols, std::span<const std::int64_t> threads, std::string_view what) {
  return make(thread_count, value_count, index, rows, cols, threads, what, false);
}

Result<OwnerMap> OwnerMap::make(std::int64_t thread_count, std::int64_t value_count, const Index& index, std::int64_t rows,
                                std::int64_t cols, std::span<const std::int64_t> threads, std::string_view what, bool keeps_outside) {
  const std::int64_t cells = count_product(rows, cols);
  TESSERA_CHECK(take_cells(cells, count_product(thread_count, value_count), what));
  OwnerMap map;
  map.rows_ = rows;
  map.cols_ = cols;
  map.values_ = value_count;
  std::vector<std::int64_t> all(threads.begin(), threads.end());
  for (std::int64_t t = 0; threads.empty() && t < thread_count; ++t) all.push_back(t);
  std::erase_if(all, [&](std::int64_t t) { return t >= thread_count; });
  // One pass finds every place, in the order of threads and values; counting then sorts them by place and keeps that order.
  std::vector<std::uint32_t> places;
  std::vector<Owner> inside;  // of each place
  places.reserve(all.size() * static_cast<std::size_t>(value_count));
  inside.reserve(places.capacity());
  map.begin_.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (std::int64_t t : all) {
    for (std::int64_t v = 0; v < value_count; ++v) {
      if (late()) return past_deadline(what);
      const std::int64_t i = index(t, v);
      const Owner owner{static_cast<std::int32_t>(t), static_cast<std::int32_t>(v)};
      if (keeps_outside && (i < 0 || i >= cells)) {
        map.outside_.push_back({owner, i});
        continue;
      }
      if (i < 0 || i >= cells) {
        return Error{
            ErrorCode::out_of_range,
            fmt::format("thread {} value {} maps to index {}, outside the tile of {} x {} = {} elements", t, v, i, rows, cols, cells),
            {},
            {fmt::format("the threads and values are those of {}; give the data layout whose coordinates it numbers", what)}};
      }
      places.push_back(static_cast<std::uint32_t>(i));
      inside.push_back(owner);
      ++map.begin_[static_cast<std::size_t>(i) + 1];
    }
  }
  for (std::size_t i = 1; i < map.begin_.size(); ++i) map.begin_[i] += map.begin_[i - 1];
  std::vector<std::uint32_t> next(map.begin_.begin(), map.begin_.end() - 1);
  map.owners_.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) map.owners_[next[places[i]]++] = inside[i];
  return map;
}

std::span<const Owner> OwnerMap::owners(std::int64_t row, std::int64_t col) const {
  const std::size_t i = static_cast<std::size_t>(row + col * rows_);
  return std::span<const Owner>(owners_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
}

std::vector<std::int64_t> OwnerMap::threads() const {
  std::vector<std::int64_t> out;
  for (const Owner& owner : owners_) out.push_back(owner.thread);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

OwnerMap::Share OwnerMap::share() const {
  std::vector<std::int64_t> counts;
  for (std::size_t cell = 0; cell + 1 < begin_.size(); ++cell) {
    for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
      const auto thread = static_cast<std::size_t>(owners_[i].thread);
      if (i > begin_[cell] && owners_[i - 1].thread == owners_[i].thread) continue;  // owners of a cell are in the order of threads
      if (thread >= counts.size()) counts.resize(thread + 1, 0);
      ++counts[thread];
    }
  }
  std::erase(counts, 0);
  if (counts.empty()) return {};
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return {static_cast<std::int64_t>(counts.size()), *least, *most};
}

std::string OwnerMap::sentence(std::string_view verb, std::string_view of) const {
  const Share s = share();
  const std::int64_t cells = rows_ * cols_;
  const std::string who = s.threads == 1 ? "one thread" : fmt::format("each of {} threads", s.threads);
  const std::string whole = fmt::format("element{}{}", cells == 1 ? "" : "s", of.empty() ? std::string() : fmt::format(" of {}", of));
  const std::string what = cells == 1         ? fmt::format("the one {}", whole)
                           : s.least < s.most ? fmt::format("{} to {} of the {} {}", s.least, s.most, cells, whole)
                           : s.least == cells ? fmt::format("all {} {}", cells, whole)
                                              : fmt::format("{} of the {} {}", s.least, cells, whole);
  return fmt::format("{} {} {}", who, verb, what);
}

OwnerColors::OwnerColors(Scene& scene, const Palette& palette, std::vector<std::int64_t> threads, std::int64_t values, std::string_view by)
    : by_(by == "value"  ? By::value
          : by == "warp" ? By::warp
          : by == "quad" ? By::quad
                         : By::thread) {
  if (by != "thread" && by != "value" && by != "warp" && by != "quad") return;  // by no owner
  std::vector<std::int64_t> ids;
  const auto groups_of = [&](std::int64_t size) {
    for (const std::int64_t t : threads) {
      if (ids.empty() || ids.back() != t / size) ids.push_back(t / size);
    }
  };
  switch (by_) {
    case By::thread: ids = std::move(threads); break;
    case By::value:
      for (std::int64_t v = 0; v < values; ++v) ids.push_back(v);
      break;
    case By::warp: groups_of(32); break;
    case By::quad: groups_of(4); break;
  }
  if (ids.empty()) return;
  ids_ = ids;
  cutes_own_ = palette.name() == "print_latex";
  by_id_.assign(static_cast<std::size_t>(ids.back()) + 1, kNoColor);
  const std::int64_t count = static_cast<std::int64_t>(ids.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = ids[static_cast<std::size_t>(i)];
    by_id_[static_cast<std::size_t>(id)] = scene.color(palette.category(palette.name() == "print_latex" ? id : i, count));
  }
  const std::int64_t step = cutes_own_ ? 1 : shades();
  for (std::int64_t i = 0; i < count && i < 8 * step; i += step)  // the last shade of each is the strongest
    hues_.push_back(by_id_[static_cast<std::size_t>(ids[static_cast<std::size_t>(std::min(i + step, count) - 1)])]);
}

std::int64_t OwnerColors::shades() const { return std::clamp<std::int64_t>((static_cast<std::int64_t>(ids_.size()) + 7) / 8, 1, 4); }

ColorIndex OwnerColors::fill(const Owner& owner) const {
  const std::int32_t id = by_ == By::value  ? owner.value
                          : by_ == By::warp ? owner.thread / 32
                          : by_ == By::quad ? owner.thread / 4
                                            : owner.thread;
  return id >= 0 && static_cast<std::size_t>(id) < by_id_.size() ? by_id_[static_cast<std::size_t>(id)] : kNoColor;
}

namespace {

// By how much the threads of other owners differ from one, where that is the same at every cell with several; else nothing.
struct StepsToOthers {
  std::vector<std::int64_t> steps;
  bool from_named = true;  // the one is named in every such cell; else it is the least of its threads
};

StepsToOthers steps_to_others(const GridColumns& grid, bool from_named) {
  StepsToOthers found{{}, from_named};
  for (std::size_t i = 0; i < grid.other_ends.size(); ++i) {
    const std::span<const Owner> others = grid.others_of(i);
    if (others.empty()) continue;
    std::vector<std::int64_t> here = {grid.thread.empty() ? 0 : grid.thread[i]};
    for (const Owner& other : others) here.push_back(other.thread);
    if (!from_named) std::swap(here.front(), *std::min_element(here.begin(), here.end()));
    const std::int64_t one = here.front();
    here.erase(here.begin());
    for (std::int64_t& thread : here) thread -= one;
    std::sort(here.begin(), here.end());
    const bool twice = std::adjacent_find(here.begin(), here.end()) != here.end() || std::binary_search(here.begin(), here.end(), 0);
    if (twice || (!found.steps.empty() && found.steps != here)) return from_named ? steps_to_others(grid, false) : StepsToOthers{};
    found.steps = std::move(here);
  }
  return found;
}

// "T + 4", "T + 32, T + 64, … T + 224"
std::string threads_after(const std::vector<std::int64_t>& steps) {
  constexpr std::size_t kAll = 3;
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool last = i + 1 == steps.size();
    if (steps.size() > kAll && i > 1 && !last) continue;
    out += i == 0 ? "" : steps.size() > kAll && last ? ", … " : ", ";
    out += fmt::format("T {} {}", steps[i] < 0 ? "-" : "+", std::abs(steps[i]));
  }
  return out;
}

// "by threads 4 apart"; where they are not evenly apart, "by T, T + 1, T + 4".
std::string threads_apart(const std::vector<std::int64_t>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] != static_cast<std::int64_t>(i + 1) * steps.front()) return "by T, " + threads_after(steps);
  }
  return steps.empty() ? std::string() : fmt::format("by threads {} apart", steps.front());
}

}  // namespace

Legend shared_legend(const Scene& scene, std::string_view verb) {
  Legend made;
  std::vector<std::size_t> owners;                          // of each panel that has such cells
  std::vector<std::pair<std::string, std::string>> others;  // panels, and the threads that they name
  std::vector<std::string> unmarked;                        // panels all of whose elements have others
  bool regular = true;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || grid->of->others.empty() || grid->of->label_ends.empty()) continue;
      if (grid->of->shared_in_words) unmarked.push_back(panel.id);
      for (std::size_t i = 0; !grid->of->shared_in_words && made.hues.empty() && i < grid->of->size(); ++i) {
        if (!grid->of->others_of(i).empty() && i < grid->of->fills.size()) made.hues.push_back(grid->of->fills[i]);
      }
      const StepsToOthers to = steps_to_others(*grid->of, true);
      regular = regular && !to.steps.empty();
      owners.push_back(to.steps.size() + 1);
      const std::string words = to.from_named ? "also by " + threads_after(to.steps) : threads_apart(to.steps);
      if (!others.empty() && others.back().second == words)
        others.back().first += " and " + panel.id;
      else
        others.emplace_back(panel.id, words);
    }
  }
  if (owners.empty()) return {};
  made.is_of_owners = true;
  made.corner = unmarked.size() < owners.size();
  const bool alone = scene.panels.size() == 1;
  const std::string each = alone ? std::string("each element") : fmt::format("each element of {}", fmt::join(unmarked, " and "));
  if (!regular) {
    made.words = !made.corner ? each + " has several owners"
                              : fmt::format("black triangle{}: the element has several owners", unmarked.empty() ? "" : ", and " + each);
    return made;
  }
  const std::string what = !made.corner       ? each + " is"
                           : unmarked.empty() ? "black triangle:"
                                              : fmt::format("black triangle, and {}:", each);
  const bool alike = std::all_of(owners.begin(), owners.end(), [&](std::size_t count) { return count == owners.front(); });
  made.words = fmt::format("{} {} {}", what, verb,
                           !alike                ? "more than once"
                           : owners.front() == 2 ? "twice"
                                                 : fmt::format("{} times", owners.front()));
  for (const auto& [panels, words] : others)
    made.words += alone || panels.empty() ? fmt::format(", {}", words) : fmt::format(", in {} {}", panels, words);
  return made;
}

Legend quad_legend(Scene& scene, const Palette& palette, std::int64_t warp) {
  constexpr std::int64_t kWarp = 32, kQuad = 4;
  Legend legend;
  for (std::int64_t quad = 0; quad < kWarp / kQuad; ++quad) {
    legend.hues.push_back(scene.color(palette.category(kQuad * (quad + 1) - 1, kWarp)));  // the strongest shade
    legend.numbers.push_back(kWarp / kQuad * warp + quad);
  }
  legend.numbered = true;
  legend.words = "hue: the quad, T div 4; shade: T mod 4, faint to strong";
  return legend;
}

Legend OwnerColors::legend() const {
  if (ids_.size() < 2) return {};
  const char letter = by_ == By::thread ? 'T' : by_ == By::value ? 'V' : by_ == By::quad ? 'Q' : 'W';
  if (cutes_own_) return {hues_, fmt::format("colour: {} mod 8", letter)};
  const std::int64_t count = static_cast<std::int64_t>(ids_.size());
  const bool dense = ids_.back() + 1 == count;  // else colours follow the place among those that take part
  const std::string one(by_ == By::thread ? "thread" : by_ == By::value ? "value" : by_ == By::quad ? "quad" : "warp");
  const std::string four = by_ == By::quad ? ", four threads" : "";
  if (shades() == 1) return {hues_, fmt::format("hue: the {}{}", one, four), false, hues_.size() == ids_.size(), ids_};
  const std::string number = dense ? std::string(1, letter) : fmt::format("place of {} among the {} {}s", letter, count, one);
  const std::string quad = by_ == By::thread && shades() == 4 && dense ? "the quad, " : "";
  return {hues_,
          fmt::format("hue: {}{} div {}{}; shade: {} mod {}, faint to strong{}", quad, number, shades(),
                      count > 8 * shades() ? " mod 8" : "", dense ? number : "it", shades(), by_ == By::quad ? "; Q: four threads" : ""),
          false, true};  // in a swatch the number that these words give
}

namespace {

void append_owner_label(std::string& out, const OwnerStyle& style, const Owner& owner, std::int64_t row, std::int64_t col,
                        std::int64_t address) {
  const auto number = [&](std::string_view before, std::int64_t n) { out += before, out += std::to_string(n); };
  if (style.labels == "tv") number("T", owner.thread), number("\nV", owner.value);
  if (style.labels == "thread") number("T", owner.thread);
  if (style.labels == "value") number("V", owner.value);
  if (style.labels == "offset" && address >= 0) number("", address);
  if (style.labels == "coordinate") number("", row), number(",", col);
}

// The owner that is drawn: the first, or the first that was asked for.
Owner drawn_owner(std::span<const Owner> owners, const OwnerStyle& style) {
  if (owners.empty()) return {-1, -1};
  const auto hit = std::find_if(owners.begin(), owners.end(), [&](const Owner& owner) { return selects(style.selected, owner); });
  return hit == owners.end() ? owners.front() : *hit;
}

}  // namespace

GridColumns owner_columns(const OwnerMap& map, const OwnerColors& colors, const OwnerStyle& style) {
  GridColumns columns = style.swap ? begin_grid(map.cols(), map.rows()) : begin_grid(map.rows(), map.cols());
  const std::size_t cells = columns.size();
  columns.place = style.swap ? GridColumns::Place::transposed : GridColumns::Place::drawn;
  columns.tensor = style.offset ? style.tensor : -1;
  columns.bits = style.offset ? style.bits : 0;
  columns.byte_offset = style.byte_offset;
  columns.fills.resize(cells, kNoColor);
  columns.thread.resize(cells, -1);
  columns.value.resize(cells, -1);
  if (style.offset) columns.address.resize(cells, -1);
  const bool labelled = style.labels != "none", without_owner = style.labels == "offset" || style.labels == "coordinate";
  if (labelled) columns.label_ends.reserve(cells);
  std::string label;
  bool all_are_shared = true;  // all that are held; a mark in each would say nothing of any
  for (std::size_t i = 0; i < cells && !late(); ++i) {
    const auto y = static_cast<std::int64_t>(i) / columns.cols, x = static_cast<std::int64_t>(i) % columns.cols;
    const std::int64_t r = style.swap ? x : y, c = style.swap ? y : x;
    const std::span<const Owner> owners = map.owners(r, c);
    const Owner drawn = drawn_owner(owners, style);
    all_are_shared = all_are_shared && owners.size() != 1;
    columns.thread[i] = drawn.thread;
    columns.value[i] = drawn.value;
    if (style.offset) columns.address[i] = style.offset(r, c);
    if (owners.size() > 1 || !columns.other_ends.empty()) {
      columns.other_ends.resize(i, 0);  // cells before the first that is shared have no others
      for (const Owner& owner : owners) {
        if (owner.thread != drawn.thread || owner.value != drawn.value) columns.others.push_back(owner);
      }
      columns.other_ends.push_back(static_cast<std::uint32_t>(columns.others.size()));
    }
    if (labelled) {
      label.clear();
      if (!owners.empty() || without_owner) append_owner_label(label, style, drawn, r, c, style.offset ? columns.address[i] : -1);
      columns.add_label(label);
    }
    if (!owners.empty()) columns.fills[i] = colors.fill(drawn);
  }
  columns.shared_in_words = all_are_shared && !columns.others.empty();
  const bool nobody = std::all_of(columns.thread.begin(), columns.thread.end(), [](std::int32_t thread) { return thread < 0; });
  if (nobody) columns.thread.clear(), columns.value.clear();  // what is asked of owners is not asked of it
  return columns;
}

void add_owner_grid(Panel& panel, const Frame& at, GridColumns columns) {
  add_grid(panel, at, std::move(columns));
  add_frame(panel, at);
}

void add_latex_owner_cells(Scene& scene, Panel& panel, const Frame& at, const Layout& layout_tv, std::int64_t rows, std::int64_t cols,
                           const Palette& palette, bool swap) {
  const std::int64_t thr_count = layout_tv[0].size(), val_count = layout_tv.size() / thr_count;
  // Atoms along K count on past N, and CuTe draws them there, outside of the frame.
  const std::int64_t reached = std::max(cols, (layout_tv.cosize() + rows - 1) / rows);
  GridColumns columns = swap ? begin_grid(reached, rows) : begin_grid(rows, reached);
  columns.place = swap ? GridColumns::Place::transposed : GridColumns::Place::drawn;
  columns.fills.resize(columns.size(), kNoColor);
  columns.thread.resize(columns.size(), -1);
  columns.value.resize(columns.size(), -1);
  std::vector<ColorIndex> fills;
  for (std::int64_t t = 0; t < 8; ++t) fills.push_back(scene.color(palette.latex_thread(t)));
  for (std::int64_t t = 0; t < thr_count; ++t) {
    for (std::int64_t v = 0; v < val_count && !late(); ++v) {
      const std::int64_t place = layout_tv(t, v);  // (thr, val) -> colexicographic index
      const std::int64_t r = place % rows, c = place / rows;
      const auto i = static_cast<std::size_t>(swap ? c * rows + r : r * reached + c);
      if (columns.thread[i] >= 0) continue;
      columns.thread[i] = static_cast<std::int32_t>(t);
      columns.value[i] = static_cast<std::int32_t>(v);
      columns.fills[i] = fills[static_cast<std::size_t>(t % 8)];
      columns.order.push_back(static_cast<std::uint32_t>(i));  // a cell that nobody owns is not drawn
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns.add_label(columns.thread[i] < 0 ? std::string() : fmt::format("T{}\nV{}", columns.thread[i], columns.value[i]));
  add_grid(panel, at, std::move(columns));
  add_latex_grid(panel, at);
}

}  // namespace tessera
