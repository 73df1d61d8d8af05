// SPDX-License-Identifier: BSD-3-Clause
// What is said of an MMA under its picture: who executes it, and how its tile is permuted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "core/diagram/scene/panel_part.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kWarp = 32, kQuadPair = 8;

std::string product_of(const std::array<std::int64_t, 3>& tile) {
  return fmt::format("A ({} × {}) by B ({} × {}) into C ({} × {})", tile[0], tile[2], tile[2], tile[1], tile[0], tile[1]);
}

// "one warp", "2 warps", "16 threads of one warp"
std::string warps_of(std::span<const std::int64_t> threads) {
  std::vector<std::int64_t> warps;
  for (const std::int64_t thread : threads) {
    if (warps.empty() || warps.back() != thread / kWarp) warps.push_back(thread / kWarp);
  }
  const auto count = static_cast<std::int64_t>(warps.size()), all = static_cast<std::int64_t>(threads.size());
  const std::string of = count == 1 ? "one warp" : counted(count, "warp");
  return all == count * kWarp ? of : fmt::format("{} of {}", counted(all, "thread"), of);
}

// PTX: a warp executes mma.sync.m8n8k4, and each of its four quad pairs, eight threads, computes a product of its own.
std::string sentence_of_quad_pairs(const TiledMma& mma, std::int64_t products) {
  const std::vector<std::int64_t> threads = mma.thread_ids();
  const std::int64_t pairs = std::max<std::int64_t>(static_cast<std::int64_t>(threads.size()) / kQuadPair, 1), each = products / pairs;
  const std::string what = product_of(mma.tile_mnk()),
                    times = each > 1 ? fmt::format(" in {} products{}", each, pairs > 1 ? " each" : "") : "";
  if (pairs > 1) return fmt::format("{} quad pairs ({}) multiply {}{}.", pairs, warps_of(threads), what, times);
  return fmt::format("One quad pair ({}) multiplies {}{}; a warp's instruction does four of these.", ranges_of(threads), what, times);
}

// The values of a permutation, of at most so many; none where the mode is not permuted.
std::vector<std::int64_t> order_of(const Tiler& mode) {
  constexpr std::int64_t kMost = 1 << 16;
  const auto* layout = std::get_if<Layout>(&mode.value);
  if (!layout || layout->has_basis() || layout->size() > kMost) return {};
  std::vector<std::int64_t> order(static_cast<std::size_t>(layout->size()));
  bool moves = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = (*layout)(static_cast<std::int64_t>(i));
    moves = moves || order[i] != static_cast<std::int64_t>(i);
  }
  return moves ? order : std::vector<std::int64_t>();
}

// How many neighbours stay neighbours, whichever run they are of.
std::size_t run_of(const std::vector<std::int64_t>& order) {
  std::size_t run = order.size();
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i] != order[i - 1] + 1) run = std::gcd(run, i);
  }
  return run;
}

std::string described(const std::vector<std::int64_t>& order) {
  constexpr std::size_t kAll = 6, kSome = 4;  // so many runs are all named, else so many
  const std::size_t run = run_of(order), runs = order.size() / run;
  std::string from, to;
  const auto add = [&](std::string& out, std::int64_t first) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", first);
    if (run > 1) out += fmt::format("-{}", first + static_cast<std::int64_t>(run) - 1);
  };
  for (std::size_t i = 0; i < (runs > kAll ? kSome : runs); ++i) {
    add(from, static_cast<std::int64_t>(i * run));
    add(to, order[i * run]);
  }
  const char* more = runs > kAll ? ", …" : "";
  return fmt::format("{}: the atoms' {}{} lie at the tile's {}{}", run > 1 ? fmt::format(" in runs of {}", run) : std::string(), from, more,
                     to, more);
}

// Where the warp of the cells at (at(i)) changes: the first of each run.
template <class WarpAt>
std::vector<std::int64_t> runs_of(std::int64_t extent, WarpAt warp_at) {
  std::vector<std::int64_t> first;
  for (std::int64_t i = 0; i < extent; ++i) {
    if (i == 0 || warp_at(i) != warp_at(i - 1)) first.push_back(i);
  }
  return first;
}

// The warps of C's blocks, a row of blocks each. Empty where there is one, or no rows and columns of blocks.
std::vector<std::vector<std::int64_t>> warps_in_blocks(const OwnerMap& c) {
  const auto warp = [&](std::int64_t row, std::int64_t col) {
    const std::span<const Owner> owners = c.owners(row, col);
    return owners.empty() ? std::int64_t{-1} : owners.front().thread / kWarp;
  };
  const std::vector<std::int64_t> rows = runs_of(c.rows(), [&](std::int64_t r) { return warp(r, 0); });
  const std::vector<std::int64_t> cols = runs_of(c.cols(), [&](std::int64_t n) { return warp(0, n); });
  if (rows.size() * cols.size() < 2) return {};
  for (std::int64_t r = 0; r < c.rows(); ++r) {
    for (std::int64_t n = 0; n < c.cols(); ++n) {
      const auto block_row = std::upper_bound(rows.begin(), rows.end(), r) - 1,
                 block_col = std::upper_bound(cols.begin(), cols.end(), n) - 1;
      if (warp(r, n) < 0 || warp(r, n) != warp(*block_row, *block_col)) return {};
    }
  }
  std::vector<std::vector<std::int64_t>> made;
  for (const std::int64_t row : rows) {
    std::vector<std::int64_t>& warps = made.emplace_back();
    for (const std::int64_t col : cols) warps.push_back(warp(row, col));
  }
  return made;
}

// Where the first atom's cells are, ascending.
struct CellsOfAtom {
  std::vector<std::int64_t> rows, cols;
};

CellsOfAtom first_atom(std::span<const std::int32_t> atoms, std::int64_t rows, std::int64_t cols) {
  std::set<std::int64_t> in_rows, in_cols;
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    if (atoms[static_cast<std::size_t>(i)] == 0) in_rows.insert(i / cols), in_cols.insert(i % cols);
  }
  return {{in_rows.begin(), in_rows.end()}, {in_cols.begin(), in_cols.end()}};
}

// The stretches in which the numbers follow each other: of each its first, and the one after its last.
std::vector<std::pair<std::int64_t, std::int64_t>> stretches(const std::vector<std::int64_t>& ascending) {
  std::vector<std::pair<std::int64_t, std::int64_t>> made;
  for (const std::int64_t n : ascending) {
    if (made.empty() || made.back().second != n) made.emplace_back(n, n);
    made.back().second = n + 1;
  }
  return made;
}

}  // namespace

std::string first_atom_note(std::span<const std::int32_t> atoms, std::int64_t rows, std::int64_t cols) {
  const CellsOfAtom first = first_atom(atoms, rows, cols);
  if (first.rows.empty()) return {};
  return fmt::format("the first atom, in C rows {} and columns {}", ranges_of(first.rows, ""), ranges_of(first.cols, ""));
}

namespace {

constexpr std::int64_t kLeastRun = 2;  // cells that the first atom has beside each other; thinner parts would be a haze of lines

// What is left of a line beside which no edge of the rectangles runs.
std::vector<Line> without_accompanied(const Line& line, const std::vector<Bounds>& boxes) {
  constexpr float kNear = 1e-3f;
  const bool upright = line.x0 == line.x1;
  const float at = upright ? line.x0 : line.y0;
  std::vector<std::pair<float, float>> left{upright ? std::pair(line.y0, line.y1) : std::pair(line.x0, line.x1)};
  for (const Bounds& box : boxes) {
    const float near = upright ? box.x0 : box.y0, far = upright ? box.x1 : box.y1;
    if (std::abs(at - near) > kNear && std::abs(at - far) > kNear) continue;
    const float begin = upright ? box.y0 : box.x0, end = upright ? box.y1 : box.x1;
    std::vector<std::pair<float, float>> rest;
    for (const auto& [from, to] : left) {
      if (begin > from + kNear) rest.emplace_back(from, std::min(to, begin));
      if (end < to - kNear) rest.emplace_back(std::max(from, end), to);
    }
    left = std::move(rest);
  }
  std::vector<Line> made;
  for (const auto& [from, to] : left) {
    Line part = line;
    (upright ? part.y0 : part.x0) = from;
    (upright ? part.y1 : part.x1) = to;
    made.push_back(part);
  }
  return made;
}

}  // namespace

bool outline_first_atom(Panel& panel, const Frame& frame, std::span<const std::int32_t> atoms, ColorIndex color) {
  constexpr float kInset = 0.055f;  // of a cell: inside what is outlined, and clear of frames and of lines between atoms
  const CellsOfAtom first = first_atom(atoms, frame.rows, frame.cols);
  const auto rows = stretches(first.rows), cols = stretches(first.cols);
  const auto is_thin = [](const auto& stretch) { return stretch.second - stretch.first < kLeastRun; };
  if (std::any_of(rows.begin(), rows.end(), is_thin) || std::any_of(cols.begin(), cols.end(), is_thin)) return false;
  std::vector<Bounds> boxes;
  for (const auto& [row, rows_end] : rows) {
    for (const auto& [col, cols_end] : cols)
      boxes.push_back(
          {frame.column(col), frame.y + static_cast<float>(row), frame.column(cols_end), frame.y + static_cast<float>(rows_end)});
  }
  // Of a thin line that an outline accompanies only a fringe would be seen.
  std::vector<Mark> marks;
  for (Mark& mark : panel.marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (!line || line->role != StrokeRole::boundary) {
      marks.push_back(std::move(mark));
      continue;
    }
    for (const Line& part : without_accompanied(*line, boxes)) marks.push_back(part);
  }
  panel.marks = std::move(marks);
  for (const Bounds& box : boxes)
    add_rectangle(panel, {box.x0 + kInset * frame.w, box.y0 + kInset, box.x1 - kInset * frame.w, box.y1 - kInset}, StrokeRole::highlight,
                  color);
  return true;
}

void say_borders(Captions& captions) {
  captions.boundary = "atom boundary";
  captions.strong = "warp boundary";
}

std::optional<Panel> warp_map(Scene& scene, const OwnerMap& c, const Frame& a, const Frame& b, float unit) {
  constexpr float kWide = 2.6f, kHigh = 1.3f, kBelow = 2.4f, kType = 0.36f;  // in text units; below it stands the heading of A
  const std::vector<std::vector<std::int64_t>> blocks = warps_in_blocks(c);
  if (blocks.empty()) return std::nullopt;
  const float w = kWide * unit, h = kHigh * unit;
  const auto rows = static_cast<float>(blocks.size()), cols = static_cast<float>(blocks.front().size());
  if (cols * w > a.width() || b.y + rows * h + kBelow * unit > a.y) return std::nullopt;
  Panel panel{"the warps of C", {}, "warps"};
  const ColorIndex grey = scene.color(on_page({238, 240, 244}, scene.page));
  for (std::size_t row = 0; row < blocks.size(); ++row) {
    for (std::size_t col = 0; col < blocks[row].size(); ++col) {
      const std::int64_t warp = blocks[row][col];
      Cell cell{a.x + w * static_cast<float>(col), b.y + h * static_cast<float>(row), w, h, grey, 2};
      cell.label = scene.intern(fmt::format("W{}\nT{}-{}", warp, warp * kWarp, (warp + 1) * kWarp - 1));
      panel.marks.push_back(cell);
    }
  }
  panel.marks.push_back(Label{a.x, b.y - kType * unit, scene.intern("warps of C"), LabelRole::legend, Anchor::left, kType * unit});
  panel.marks.push_back(Outline{a.x, b.y, w * cols, h * rows, StrokeRole::boundary, true, w, h});
  panel.marks.push_back(Outline{a.x, b.y, w * cols, h * rows, StrokeRole::strong});
  return panel;
}

// An instruction is its atom's threads, which a UMMA counts in CTAs; a tile may take several.
std::string sentence_of(const TiledMma& mma) {
  const std::array<std::int64_t, 3> tile = mma.tile_mnk();
  std::int64_t instructions = tile[0] * tile[1] * tile[2];
  for (const std::int64_t extent : leaf_values(mma.atom().shape_mnk)) instructions /= std::max<std::int64_t>(extent, 1);
  const std::int64_t threads = mma.thr_layout_vmnk()[0].size();
  if (mma.atom().kind == MmaKind::mma_sync && threads == kQuadPair) return sentence_of_quad_pairs(mma, instructions);
  const bool umma = mma.atom().kind == MmaKind::umma;
  const std::string who = threads == 1 ? (umma ? "one CTA" : "one thread") : counted(threads, umma ? "CTA" : "thread");
  const std::string many = instructions == 1 ? fmt::format("One instruction of {} multiplies", who)
                                             : fmt::format("{} instructions of {} multiply", instructions, who);
  return fmt::format("{} {}.", many, product_of(tile));
}

std::string permutation_note(const TiledMma& mma) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&mma.permutation_mnk().value);
  std::vector<std::pair<std::string, std::string>> said;  // names of modes, and how they are permuted
  for (std::size_t i = 0; modes && i < modes->size() && i < 3; ++i) {
    const std::vector<std::int64_t> order = order_of((*modes)[i]);
    if (order.empty()) continue;
    const std::string words = described(order), name(1, "MNK"[i]);
    const auto same = std::find_if(said.begin(), said.end(), [&](const auto& each) { return each.second == words; });
    if (same != said.end())
      same->first += " and " + name;
    else
      said.emplace_back(name, words);
  }
  std::string out;
  for (const auto& [names, words] : said)
    out += fmt::format("{}{} {} permuted{}", out.empty() ? "" : "; ", names, names.size() > 1 ? "are" : "is", words);
  return out;
}

bool is_atom_alone(const TiledMma& mma) {
  const auto one = Layout::make_compact(IntTuple::tuple({1, 1, 1}));
  const auto plain = one ? TiledMma::make(mma.atom(), *one, Underscore{}) : Result<TiledMma>(one.error());
  if (!plain || plain->tile_mnk() != mma.tile_mnk()) return false;
  const auto equal = [](const Result<Layout>& a, const Result<Layout>& b) {
    if (!a || !b || a->size() != b->size() || (*a)[0].size() != (*b)[0].size()) return false;
    for (std::int64_t i = 0; i < a->size(); ++i) {
      if ((*a)(i) != (*b)(i)) return false;
    }
    return true;
  };
  return mma.thread_ids() == plain->thread_ids() && equal(mma.layout_tv(Operand::a), plain->layout_tv(Operand::a)) &&
         equal(mma.layout_tv(Operand::b), plain->layout_tv(Operand::b)) && equal(mma.layout_tv(Operand::c), plain->layout_tv(Operand::c));
}

}  // namespace tessera
