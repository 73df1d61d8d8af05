// SPDX-License-Identifier: BSD-3-Clause
// gemm_figure and hierarchy_figure: where the elements of a CTA's tiles lie, who reads them and who has C; and one product's way.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::AnyLayout;
using tessera::GemmPlan;
using tessera::Operand;
using tessera::attack::Dice;

namespace {

constexpr Int kWarp = 32;

Style style_of(const GemmTile& tile, const std::string& labels, Lit lit) {
  Style style;
  const bool is_c = tile.operand == Operand::c;
  style.labels = labels == "none" || labels == "coordinate" ? labels : is_c || labels == "thread" ? "tv" : "offset";
  style.turned = tile.operand == Operand::b;
  style.offset = [tile](Int r, Int c) { return tile.offset_of(r, c); };
  style.bits = tile.shared_bits;
  style.byte_offset = tile.byte_offset;
  style.tensor = tile.name;
  style.lit = std::move(lit);
  return style;
}

Case gemm_case(Dice& dice) {
  const SomeGemm some = some_gemm(dice, 2048);
  const GemmPlan& plan = *some.plan;
  std::string parameters, labels = "offset", color;
  if (dice.one_in(2)) {
    labels = dice.of(std::vector<std::string>{"offset", "thread", "coordinate", "none"});
    parameters += ", labels=" + labels;
  }
  if (dice.one_in(2)) {
    color = dice.of(std::vector<std::string>{"thread", "value", "warp", "quad", "bank"});
    parameters += ", color=" + color;
  }
  if (color.empty()) color = plan.blk_m * plan.blk_n >= 2048 && plan.threads > kWarp ? "warp" : "thread";
  std::vector<GemmTile> tiles{some.tiles[0], some.tiles[1], some.tiles[2]};
  if (dice.one_in(4)) {
    tiles = {dice.of(tiles)};
    parameters += ", tensor=" + (tiles.front().operand == Operand::c ? std::string("C") : tiles.front().name);
  }
  Lit lit;
  if (dice.one_in(3)) lit = some_highlight(dice, tiles.back().owners, false);
  if (!lit.parameter.empty()) parameters += ", " + lit.parameter;
  const auto wrong = [=](const Picture& picture) {
    std::vector<std::string> ids;
    for (const GemmTile& tile : tiles) ids.push_back(tile.name);
    std::string found = wrong_panels(picture, ids);
    std::map<Operand, Spread> spreads;
    for (std::size_t i = 0; found.empty() && i < tiles.size(); ++i) {
      const PanelDrawn& panel = *picture.panel(tiles[i].name);
      spreads[tiles[i].operand] = spread_of(panel);
      found = first_of(wrong_cells(panel, wanted_cells(tiles[i].owners, style_of(tiles[i], labels, lit))),
                       [&] { return wrong_axes(panel, numbers, numbers); });
    }
    if (!found.empty()) return found;
    if (tiles.size() > 1 && spreads[Operand::a].ys != spreads[Operand::c].ys) return std::string("rows of A are not those of C");
    if (tiles.size() > 1 && spreads[Operand::b].xs != spreads[Operand::c].xs) return std::string("columns of B are not those of C");
    std::map<Int, std::string> banks;
    for (const PanelDrawn& panel : picture.panels) {
      if (color != "bank" || panel.name == "caption") continue;
      found = wrong_colors(
          panel,
          [](const CellDrawn& cell) {
            return cell.faint || cell.links.front().bank < 0 ? std::nullopt : std::optional(cell.links.front().bank);
          },
          banks);
      if (!found.empty()) return found;
    }
    return first_of(
        color == "bank" ? std::string() : wrong_owner_colors(picture, color),
        [&] {
          return missing_words(
              picture, fmt::format("A CTA of {} thread{} multiplies A ({} × {}) by B ({} × {}) into its tile of C ({} × {})",
                                   plan_of(some).threads, plan_of(some).threads == 1 ? "" : "s", some.blk[0], some.blk[2], some.blk[2],
                                   some.blk[1], some.blk[0], some.blk[1]));
        },
        [&] {
          const Int k_tiles = (some.extent[2] + some.blk[2] - 1) / some.blk[2];
          return k_tiles == 1 ? std::string() : missing_words(picture, fmt::format("once for each of {} k-tiles", k_tiles));
        });
  };
  return {fmt::format("gemm_figure({}{})", some.text, parameters), wrong};
}

// ---- levels ---------------------------------------------------------------------------------------------------------------------------

struct Followed {
  Int m = 0, n = 0, k = 0, value = 0, thread = 0, warp = 0, m_tile = 0, n_tile = 0;
};

std::optional<Followed> followed_in(const Picture& picture) {
  static const std::regex sentence(
      R"(C\((\d+),(\d+)\) is value (\d+) of thread (\d+), in warp (\d+) of CTA \((\d+),(\d+)\);[^\n]*k = (\d+) )");
  std::smatch found;
  const std::string words = words_below(picture);
  if (!std::regex_search(words, found, sentence)) return std::nullopt;
  const auto number = [&](std::size_t i) { return static_cast<Int>(std::stoll(found[i])); };
  return Followed{number(1), number(2), number(8), number(3), number(4), number(5), number(6), number(7)};
}

// Rows and columns of a window of a grid that is larger: it begins at a multiple of its most, and has `at`.
struct Window {
  Int first = 0, count = 0;
  Window(Int at, Int extent, Int most) : first(at / most * most), count(std::min(most, extent - first)) {}
};

// A thick frame around one cell.
std::string wrong_frame(const PanelDrawn& panel, Int down, Int across) {
  const Spread spread = spread_of(panel);
  Int frames = 0;
  for (const FrameDrawn& frame : panel.frames) {
    if (frame.role != "highlight") continue;
    ++frames;
    const double x = spread.xs.at(static_cast<std::size_t>(across)), y = spread.ys.at(static_cast<std::size_t>(down));
    if (std::abs(frame.x - x) > 0.01 || std::abs(frame.y - y) > 0.01)
      return fmt::format("{}: another cell than ({},{}) is framed", panel.id, down, across);
  }
  return frames == 1 ? "" : fmt::format("{}: {} frames", panel.id, frames);
}

std::string wrong_levels(const Picture& picture, const SomeGemm& some, const Followed& f) {
  const GemmTile& c = some.tiles[2];
  const Int m_tiles = (some.extent[0] + some.blk[0] - 1) / some.blk[0], n_tiles = (some.extent[1] + some.blk[1] - 1) / some.blk[1];
  const Int row = f.m % some.blk[0], col = f.n % some.blk[1], first_m = f.m / some.blk[0] * some.blk[0],
            first_n = f.n / some.blk[1] * some.blk[1];
  if (f.m_tile != f.m / some.blk[0] || f.n_tile != f.n / some.blk[1]) return "another CTA is named";
  const std::vector<Who>& owners = c.owners.at(row, col);
  if (owners.empty() || owners.front() != Who{f.thread, f.value} || f.warp != f.thread / kWarp) return "another thread is named";
  const PanelDrawn &grid = *picture.panel("grid"), &tile = *picture.panel("tile"), &fragment = *picture.panel("fragment");
  std::vector<Wanted> wanted;
  const auto add_cell = [&](Int down, Int across, std::string label, Link link) {
    wanted.push_back({down, across, std::move(label), {std::move(link)}, false});
  };
  const auto at = [](Int r, Int s) {
    Link link;
    link.row = r, link.col = s;
    return link;
  };
  const Window down(f.m_tile, m_tiles, 16), across(f.n_tile, n_tiles, 16);
  for (Int r = 0; r < down.count; ++r) {
    for (Int s = 0; s < across.count; ++s) add_cell(r, s, "", at((down.first + r) * some.blk[0], (across.first + s) * some.blk[1]));
  }
  std::string found = first_of(
      wrong_cells(grid, wanted), [&] { return wrong_frame(grid, f.m_tile - down.first, f.n_tile - across.first); },
      [&] {
        return wrong_axes(
            grid, [&](Int r) { return numbers(down.first + r); }, [&](Int s) { return numbers(across.first + s); });
      });
  if (!found.empty()) return found;

  // Blocks of one warp: how large they are is said.
  static const std::regex block(R"(a block of (\d+) × (\d+) elements of one warp)");
  std::smatch said;
  const std::string words = words_below(picture);
  if (!std::regex_search(words, said, block)) return "the size of a block is not said";
  const Int rows = std::stoll(said[1]), cols = std::stoll(said[2]);
  const Window of_rows(row / rows, some.blk[0] / rows, 16), of_cols(col / cols, some.blk[1] / cols, 16);
  wanted.clear();
  for (Int r = 0; r < of_rows.count; ++r) {
    for (Int s = 0; s < of_cols.count; ++s) {
      const Int first_row = (of_rows.first + r) * rows, first_col = (of_cols.first + s) * cols;
      std::set<Int> warps;
      for (Int i = 0; i < rows * cols; ++i) {
        const auto& who = c.owners.at(first_row + i % rows, first_col + i / rows);
        warps.insert(who.empty() ? -1 : who.front().thread / kWarp);
      }
      if (warps.size() != 1) return fmt::format("the block at ({},{}) has {} warps", first_row, first_col, warps.size());
      add_cell(r, s, *warps.begin() < 0 ? "" : fmt::format("W{}", *warps.begin()), at(first_m + first_row, first_n + first_col));
    }
  }
  found = first_of(
      wrong_cells(tile, wanted), [&] { return wrong_frame(tile, row / rows - of_rows.first, col / cols - of_cols.first); },
      [&] {
        return wrong_axes(
            tile, [&](Int r) { return numbers((of_rows.first + r) * rows); }, [&](Int s) { return numbers((of_cols.first + s) * cols); });
      });
  if (!found.empty()) return found;

  const Window part_rows(row % rows, rows, 16), part_cols(col % cols, cols, 8);
  const Int first_row = row / rows * rows + part_rows.first, first_col = col / cols * cols + part_cols.first;
  wanted.clear();
  for (Int r = 0; r < part_rows.count; ++r) {
    for (Int s = 0; s < part_cols.count; ++s) {
      const auto& who = c.owners.at(first_row + r, first_col + s);
      Link link = at(first_m + first_row + r, first_n + first_col + s);
      link.tensor = "C";
      if (!who.empty()) link.thread = who.front().thread, link.value = who.front().value;
      add_cell(r, s, who.empty() ? "" : fmt::format("T{}\nV{}", link.thread, link.value), link);
    }
  }
  return first_of(
      wrong_cells(fragment, wanted), [&] { return wrong_frame(fragment, row - first_row, col - first_col); },
      [&] {
        return wrong_axes(
            fragment, [&](Int r) { return numbers(first_row + r); }, [&](Int s) { return numbers(first_col + s); });
      });
}

// The boxes of the way: what each says, where, and in their order.
std::string wrong_way(const Picture& picture, const SomeGemm& some, const Followed& f) {
  const GemmPlan& plan = plan_of(some);
  const PanelDrawn& way = *picture.panel("way");
  std::vector<std::string> wanted;
  Int rings = 0;
  for (const GemmTile& tile : {some.tiles[0], some.tiles[1]}) {
    const bool is_a = tile.operand == Operand::a;
    const Int row = is_a ? f.m : f.n, in_tile = row % tile.owners.rows, depth = f.k % some.blk[2];
    const auto& global = plan.gmem(tile.operand);
    wanted.push_back(fmt::format("{}({},{}): offset {}", global.name, row, f.k, evaluate(global.layout, row, f.k)));
    if (plan.has_smem()) {
      const auto& shared = plan.smem(tile.operand);
      const Int stages = plan.stages(), stage = f.k / some.blk[2] % stages;
      const Int bit = (stage * shared.stage_elements + tile.offset_of(in_tile, depth)) * bits(shared.type),
                byte = shared.byte_offset + bit / 8;
      wanted.push_back(fmt::format("{}({},{}): {}byte {}, bank {}", shared.name, in_tile, depth,
                                   stages > 1 ? fmt::format("stage {}, ", stage) : "", byte, byte / 4 % 32));
      rings += stages > 1;
    }
    const auto& owners = tile.owners.at(in_tile, depth);
    if (owners.empty()) continue;
    const auto near = std::find_if(owners.begin(), owners.end(), [&](const Who& who) { return who.thread / kWarp == f.warp; });
    const Who reader = near == owners.end() ? owners.front() : *near;
    std::vector<std::string> others;
    for (const Who& who : owners) {
      if (who.thread != reader.thread) others.push_back(fmt::format("T{}", who.thread));
    }
    std::string also;
    if (!others.empty() && others.size() <= 2) also = fmt::format(", also {}", fmt::join(others, ", "));
    if (others.size() > 2) also = fmt::format(", also {} and {} more", others.front(), others.size() - 1);
    wanted.push_back(fmt::format("{} in registers: T{} V{}{}", is_a ? "A" : "B", reader.thread, reader.value, also));
  }
  wanted.push_back(fmt::format("C({},{}): thread {}, value {}", f.m, f.n, f.thread, f.value));
  std::vector<std::string> drawn;
  for (const CellDrawn& cell : way.cells) {
    if (cell.links.empty()) {
      --rings;
      continue;
    }
    if (cell.links.size() != 1 || !cell.label.empty()) return "a box stands for several things";
    const std::string words = cell.links.front().words;
    if (cell.links.front() != Link{-1, -1, -1, -1, -1, -1, "", "", words}) return "a box stands for a cell";
    drawn.push_back(words);
    // Its two lines stand in it.
    std::string lines;
    for (const LabelDrawn& label : way.labels) {
      const bool in_it = std::abs(label.x - cell.x - cell.w / 2) < 0.01 && label.y > cell.y && label.y < cell.y + cell.h;
      if (in_it) lines += (lines.empty() ? "" : ": ") + label.text;
    }
    const bool is_c = words.starts_with("C(");
    if (lines != (is_c ? fmt::format("C({},{}): T{} V{}", f.m, f.n, f.thread, f.value) : words))
      return fmt::format("the box of \"{}\" says \"{}\"", words, lines);
  }
  if (drawn != wanted) return fmt::format("the way is {}, not {}", fmt::join(drawn, "; "), fmt::join(wanted, "; "));
  return rings == 0 ? "" : "stages of a ring are wrong";
}

Case hierarchy_case(Dice& dice) {
  for (;;) {
    const SomeGemm some = some_gemm(dice, 4096);
    if (!is_in_registers(some.mma.mma->atom(), Operand::c)) continue;
    std::optional<std::pair<Int, Int>> at;
    std::optional<Int> k;
    std::string parameters;
    if (dice.one_in(2)) {
      at = {dice.up_to(some.extent[0] - 1), dice.up_to(some.extent[1] - 1)};
      parameters += fmt::format(", at=\"({},{})\"", at->first, at->second);
    }
    if (dice.one_in(2)) {
      k = dice.up_to(some.extent[2] - 1);
      parameters += fmt::format(", k={}", *k);
    }
    const auto wrong = [=](const Picture& picture) {
      const auto f = followed_in(picture);
      if (!f) return std::string("no sentence");
      if (at && (f->m != at->first || f->n != at->second)) return std::string("another element is followed");
      if (k && f->k != *k) return std::string("another slice is followed");
      if (f->m >= some.extent[0] || f->n >= some.extent[1] || f->k >= some.extent[2])
        return std::string("none of its elements is followed");
      return first_of(
          wrong_panels(picture, {"grid", "tile", "fragment", "way"}), [&] { return wrong_levels(picture, some, *f); },
          [&] { return wrong_way(picture, some, *f); });
    };
    return {fmt::format("hierarchy_figure({}{})", some.text, parameters), wrong};
  }
}

}  // namespace

TEST_CASE("a GEMM's figure says of every element of its tiles where it lies and who has it", "[pictures]") {
  Dice dice(241);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(gemm_case(dice));
  hold("gemm", cases);
}

TEST_CASE("a GEMM's levels say of every cell what it is, and of one product where it comes from", "[pictures]") {
  Dice dice(251);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(hierarchy_case(dice));
  hold("hierarchy", cases);
}

TEST_CASE("who has an element of a GEMM's tiles is explained as it is drawn", "[pictures]") {
  Dice dice(261);
  std::vector<Question> questions;
  for (int i = 0; i < cases_a_kind(); ++i) {
    const SomeGemm some = some_gemm(dice, 2048);
    for (const GemmTile& tile : some.tiles) ask(questions, dice, some.text, tile.name, tile.owners);
  }
  hold_explained("gemm", questions);
}
