// SPDX-License-Identifier: BSD-3-Clause
// Threads and values on tiles: who owns each cell, in which colour, with which label and links.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/budget.hpp"
#include "core/diagram/figure_parts.hpp"

namespace tessera {

Result<OwnerMap> OwnerMap::make(const Layout& layout_tv, std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> threads) {
  const std::int64_t thread_count = layout_tv[0].size();
  const Index index = [&](std::int64_t t, std::int64_t v) { return layout_tv(t, v); };  // (thr, val) -> colexicographic index
  return make(thread_count, layout_tv.size() / thread_count, index, rows, cols, threads, to_string(layout_tv));
}

Result<OwnerMap> OwnerMap::make(std::int64_t thread_count, std::int64_t value_count, const Index& index, std::int64_t rows,
                                std::int64_t cols, std::span<const std::int64_t> threads, std::string_view what) {
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
  places.reserve(all.size() * static_cast<std::size_t>(value_count));
  map.begin_.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (std::int64_t t : all) {
    for (std::int64_t v = 0; v < value_count; ++v) {
      if (late()) return past_deadline(what);
      const std::int64_t i = index(t, v);
      if (i < 0 || i >= cells) {
        return Error{
            ErrorCode::out_of_range,
            fmt::format("thread {} value {} maps to index {}, outside the tile of {} x {} = {} elements", t, v, i, rows, cols, cells),
            {},
            {fmt::format("the threads and values are those of {}; give the data layout whose coordinates it numbers", what)}};
      }
      places.push_back(static_cast<std::uint32_t>(i));
      ++map.begin_[static_cast<std::size_t>(i) + 1];
    }
  }
  for (std::size_t i = 1; i < map.begin_.size(); ++i) map.begin_[i] += map.begin_[i - 1];
  std::vector<std::uint32_t> next(map.begin_.begin(), map.begin_.end() - 1);
  map.owners_.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t t = all[i / static_cast<std::size_t>(value_count)];
    map.owners_[next[places[i]]++] = {static_cast<std::int32_t>(t), static_cast<std::int32_t>(i % static_cast<std::size_t>(value_count))};
  }
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

OwnerColors::OwnerColors(Scene& scene, const Palette& palette, std::vector<std::int64_t> threads, std::int64_t values, std::string_view by)
    : by_(by == "value"  ? By::value
          : by == "warp" ? By::warp
                         : By::thread) {
  if (by == "none") return;
  std::vector<std::int64_t> ids;
  switch (by_) {
    case By::thread: ids = std::move(threads); break;
    case By::value:
      for (std::int64_t v = 0; v < values; ++v) ids.push_back(v);
      break;
    case By::warp:
      for (std::int64_t t : threads) {
        if (ids.empty() || ids.back() != t / 32) ids.push_back(t / 32);
      }
      break;
  }
  if (ids.empty()) return;
  by_id_.assign(static_cast<std::size_t>(ids.back()) + 1, kNoColor);
  const std::int64_t count = static_cast<std::int64_t>(ids.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = ids[static_cast<std::size_t>(i)];
    by_id_[static_cast<std::size_t>(id)] = scene.color(palette.category(palette.name() == "print_latex" ? id : i, count));
  }
  const std::size_t colors = scene.palette.size();
  for (std::size_t i = 0; i < colors; ++i) faded_.push_back(scene.color(plain_color(faded_fill(scene.palette[i].rgb))));
}

ColorIndex OwnerColors::fill(const Owner& owner) const {
  const std::int32_t id = by_ == By::value ? owner.value : by_ == By::warp ? owner.thread / 32 : owner.thread;
  return id >= 0 && static_cast<std::size_t>(id) < by_id_.size() ? by_id_[static_cast<std::size_t>(id)] : kNoColor;
}

ColorIndex OwnerColors::faded(ColorIndex fill) const { return fill < faded_.size() ? faded_[fill] : kNoColor; }

namespace {

std::string owner_label(const OwnerStyle& style, const Owner& owner, const Link& link) {
  if (style.labels == "tv") return fmt::format("T{}\nV{}", owner.thread, owner.value);
  if (style.labels == "thread") return fmt::format("T{}", owner.thread);
  if (style.labels == "value") return fmt::format("V{}", owner.value);
  if (style.labels == "offset" && link.address >= 0) return std::to_string(link.address);
  if (style.labels == "coordinate") return fmt::format("{},{}", link.row, link.col);
  return {};
}

Link cell_link(const OwnerStyle& style, std::int64_t r, std::int64_t c) {
  Link link;
  link.row = static_cast<std::int32_t>(r);
  link.col = static_cast<std::int32_t>(c);
  if (style.offset) {
    link.address = style.offset(r, c);
    link.tensor = style.tensor;
    if (style.bits > 0) link.bank = bank_of(link.address, style.bits, style.byte_offset);
  }
  return link;
}

}  // namespace

void add_owner_cells(Scene& scene, Panel& panel, const Frame& at, const OwnerMap& map, const OwnerColors& colors, const OwnerStyle& style) {
  std::vector<std::int32_t> chosen(static_cast<std::size_t>(map.rows() * map.cols()), -1);
  panel.marks.reserve(panel.marks.size() + chosen.size() + 64);
  for (std::int64_t r = 0; r < map.rows(); ++r) {
    for (std::int64_t c = 0; c < map.cols() && !late(); ++c) {
      const std::int64_t dy = style.swap ? c : r, dx = style.swap ? r : c;
      Cell cell{at.x + static_cast<float>(dx), at.y + static_cast<float>(dy)};
      Link link = cell_link(style, r, c);
      cell.link = static_cast<std::uint32_t>(scene.links.size());
      const std::span<const Owner> owners = map.owners(r, c);
      // The owner that is drawn: the first, or the first that was asked for.
      Owner drawn = owners.empty() ? Owner{-1, -1} : owners.front();
      bool hit = false;
      for (const Owner& owner : owners) {
        if (!hit && style.selected.count(owner.thread) > 0) {
          drawn = owner;
          hit = true;
        }
      }
      link.thread = drawn.thread;
      link.value = drawn.value;
      scene.links.push_back(link);
      for (const Owner& owner : owners) {
        if (owner.thread == drawn.thread && owner.value == drawn.value) continue;
        link.thread = owner.thread;
        link.value = owner.value;
        scene.links.push_back(link);
      }
      cell.link_count = static_cast<std::uint32_t>(scene.links.size()) - cell.link;
      if (!owners.empty() || style.labels == "offset" || style.labels == "coordinate") {
        const std::string label = owner_label(style, drawn, scene.links[cell.link]);
        cell.label = scene.intern(label);
        cell.lines = static_cast<std::uint8_t>(label.empty() ? 0 : style.labels == "tv" ? 2 : 1);
      }
      if (!owners.empty()) cell.fill = colors.fill(drawn);
      if (!style.selected.empty() && !hit) {
        cell.faint = true;
        cell.fill = colors.faded(cell.fill);
      }
      if (hit) chosen[static_cast<std::size_t>(dy * at.cols + dx)] = drawn.thread;
      panel.marks.push_back(cell);
    }
  }
  add_frame(panel, at);
  if (!style.selected.empty()) add_borders(panel, at, chosen, StrokeRole::highlight, true);
}

void add_latex_owner_cells(Scene& scene, Panel& panel, const Frame& at, const Layout& layout_tv, std::int64_t rows, std::int64_t cols,
                           const Palette& palette, bool swap) {
  const std::int64_t thr_count = layout_tv[0].size(), val_count = layout_tv.size() / thr_count;
  std::vector<char> filled(static_cast<std::size_t>(rows * cols), 0);
  std::vector<ColorIndex> fills;
  for (std::int64_t t = 0; t < 8; ++t) fills.push_back(scene.color(palette.latex_thread(t)));
  for (std::int64_t t = 0; t < thr_count; ++t) {
    for (std::int64_t v = 0; v < val_count && !late(); ++v) {
      const std::int64_t i = layout_tv(t, v);  // (thr, val) -> colexicographic index
      if (filled[static_cast<std::size_t>(i)]) continue;
      filled[static_cast<std::size_t>(i)] = 1;
      const std::int64_t r = i % rows, c = i / rows;
      Cell cell{at.x + static_cast<float>(swap ? r : c), at.y + static_cast<float>(swap ? c : r)};
      cell.fill = fills[static_cast<std::size_t>(t % 8)];
      cell.label = scene.intern(fmt::format("T{}\nV{}", t, v));
      cell.lines = 2;
      cell.link = static_cast<std::uint32_t>(scene.links.size());
      scene.links.push_back(
          {static_cast<std::int32_t>(t), static_cast<std::int32_t>(v), static_cast<std::int32_t>(r), static_cast<std::int32_t>(c)});
      panel.marks.push_back(cell);
    }
  }
  add_latex_grid(panel, at);
}

}  // namespace tessera
