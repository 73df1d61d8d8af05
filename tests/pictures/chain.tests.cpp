// SPDX-License-Identifier: BSD-3-Clause
// chain_figure: at each stage of a tile's way every element is where its layout has it, and of the thread that the copy's partition gives
// it to; the line follows one element from each stage to the next.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/plan/gemm_plan.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::AnyLayout;
using tessera::GemmPlan;
using tessera::IntTuple;
using tessera::Layout;
using tessera::Operand;
using tessera::TiledCopy;
using tessera::TiledMma;
using tessera::attack::Dice;

namespace {

constexpr Int kLineBits = 1024;  // a row of all banks

enum class Memory { global, shared, registers };

// Who takes each element, [row + rows * col]; nobody: {-1, -1}.
using Takers = std::vector<Who>;

struct Stage {
  Memory memory = Memory::global;
  Int rows = 0, cols = 0, bits = 16, byte_offset = 0;
  std::optional<AnyLayout> layout = {};  // of memory
  std::vector<Takers> takers = {};       // any of these is right
  bool is_c = false;
  Int offset_of(Int row, Int col) const { return layout ? evaluate(*layout, row + rows * col) : -1; }
};

// Of several who take an element the first in the order of values, then threads.
template <class PlaceOf>
Takers takers_of(Int threads, Int each, Int elements, const PlaceOf& place) {
  Takers made(static_cast<std::size_t>(elements));
  for (Int v = 0; v < each; ++v) {
    for (Int t = 0; t < threads; ++t) {
      const Int at = place(t, v);
      if (at >= 0 && at < elements && made[static_cast<std::size_t>(at)].thread < 0) made[static_cast<std::size_t>(at)] = {t, v};
    }
  }
  return made;
}

std::optional<Takers> takers_of(const TiledCopy& copy, bool source, Int rows, Int cols) {
  const Layout tile = Layout::make_compact(IntTuple::tuple({rows, cols})).value();
  std::vector<std::vector<Int>> parts;
  for (Int t = 0; t < copy.num_threads(); ++t) {
    const auto part = source ? copy.partition_s(AnyLayout(tile), t) : copy.partition_d(AnyLayout(tile), t);
    if (!part) return std::nullopt;
    std::vector<Int> places;
    for (Int v = 0; v < size(part->layout); ++v) places.push_back(evaluate(part->layout, v) + part->offset.value());
    parts.push_back(std::move(places));
  }
  const auto place = [&](Int t, Int v) { return parts[static_cast<std::size_t>(t)][static_cast<std::size_t>(v)]; };
  return takers_of(copy.num_threads(), static_cast<Int>(parts.front().size()), rows * cols, place);
}

Takers first_owners(const Tile& tile) {
  Takers made;
  for (const std::vector<Who>& owners : tile.of) made.push_back(owners.empty() ? Who{} : owners.front());
  return made;
}

// ---- what is drawn of a stage -----------------------------------------------------------------------------------------------------------

struct DrawnPart {
  Int first_down = 0, down = 0, first_across = 0, across = 0;
  bool swap = false;
};

DrawnPart part_of(const Stage& stage, bool swap, Int row, Int col) {
  const Int down = swap ? stage.cols : stage.rows, across = swap ? stage.rows : stage.cols;
  const Int wide = std::clamp<Int>(kLineBits / stage.bits, 8, 128);
  DrawnPart part;
  part.swap = swap;
  part.across = std::min(across, wide), part.down = std::min<Int>(down, 8);
  part.first_across = std::min((swap ? row : col) / wide * wide, across - part.across);
  part.first_down = std::min((swap ? col : row) / 8 * 8, down - part.down);
  return part;
}

struct Element {
  Int row = -1, col = -1;
};

// The elements of the drawing, row by row; in shared memory by their addresses.
struct Drawing {
  std::vector<std::vector<Element>> rows;
  std::vector<Int> line;  // bytes at which rows begin
};

Drawing drawing_of(const Stage& stage, const DrawnPart& part) {
  Drawing made;
  const auto element = [&](Int d, Int a) {
    const Int down = part.first_down + d, across = part.first_across + a;
    return part.swap ? Element{across, down} : Element{down, across};
  };
  if (stage.memory != Memory::shared) {
    for (Int d = 0; d < part.down; ++d) {
      made.rows.emplace_back();
      for (Int a = 0; a < part.across; ++a) made.rows.back().push_back(element(d, a));
    }
    return made;
  }
  const auto cells = static_cast<std::size_t>(kLineBits / stage.bits);
  std::map<Int, std::vector<Element>> lines;
  for (Int d = 0; d < part.down; ++d) {
    for (Int a = 0; a < part.across; ++a) {
      const Element at = element(d, a);
      const Int bit = stage.byte_offset * 8 + stage.offset_of(at.row, at.col) * stage.bits;
      std::vector<Element>& line = lines.try_emplace(bit / kLineBits, cells).first->second;
      line[static_cast<std::size_t>(bit % kLineBits / stage.bits)] = at;
    }
  }
  for (auto& [number, line] : lines) {
    if (made.rows.size() == 16) break;
    made.line.push_back(number * kLineBits / 8);
    made.rows.push_back(std::move(line));
  }
  return made;
}

std::string wrong_stage(const PanelDrawn& panel, const Stage& stage, const Drawing& drawing, const Takers& takers) {
  const std::string tensor = panel.cells.empty() || panel.cells.front().links.empty() ? "" : panel.cells.front().links.front().tensor;
  if ((stage.memory == Memory::registers) != tensor.empty()) return fmt::format("{}: it is of {}", panel.id, tensor);
  std::vector<Wanted> wanted;
  for (std::size_t r = 0; r < drawing.rows.size(); ++r) {
    for (std::size_t c = 0; c < drawing.rows[r].size(); ++c) {
      const Element& at = drawing.rows[r][c];
      Link link;
      link.tensor = tensor;
      if (at.row >= 0) {
        const Who& who = takers[static_cast<std::size_t>(at.row + stage.rows * at.col)];
        link.row = at.row, link.col = at.col, link.thread = who.thread, link.value = who.value;
        link.offset = stage.offset_of(at.row, at.col);
        link.bank = stage.memory == Memory::shared ? bank_at(link.offset, stage.bits, stage.byte_offset) : -1;
      }
      std::vector<Link> links = {link};
      if (link == Link{}) links.clear();
      wanted.push_back({static_cast<Int>(r), static_cast<Int>(c), "", std::move(links), false});
    }
  }
  return wrong_cells(panel, std::move(wanted));
}

std::string wrong_numbers(const PanelDrawn& panel, const Drawing& drawing, const DrawnPart& part) {
  const Spread spread = spread_of(panel);
  for (const LabelDrawn& label : panel.labels) {
    if (label.role != "axis") continue;
    const Int number = std::stoll(label.text);
    if (label.anchor == "right") {
      const auto at = static_cast<std::size_t>(label.y - spread.ys.front());
      const Int want = drawing.line.empty() ? part.first_down + static_cast<Int>(at) : drawing.line.at(at);
      if (number != want) return fmt::format("{}: row {} is called {}", panel.id, want, number);
    } else {  // the number of the column that is followed stands a little right of it
      const double cells = drawing.line.empty() ? 1 : static_cast<double>(drawing.rows.front().size()) / 32;
      const double column = drawing.line.empty() ? static_cast<double>(number - part.first_across) : static_cast<double>(number) * cells;
      const double width =
          spread.xs.size() < 2 ? spread.width : (spread.xs.back() - spread.xs.front()) / static_cast<double>(spread.xs.size() - 1);
      const double middle = spread.xs.front() + (column + cells / 2) * width;
      if (label.x < middle - 0.01 || label.x > middle + 4) return fmt::format("{}: column {} stands elsewhere", panel.id, number);
    }
  }
  return {};
}

// "T5" and "T5 V3" on cells are those cells' threads.
std::string wrong_names(const Picture& picture) {
  static const std::regex name(R"(T(\d+)(?: V(\d+))?)");
  for (const LabelDrawn& label : picture.panel("way")->labels) {
    std::smatch found;
    if (label.role != "legend" || !std::regex_match(label.text, found, name)) continue;
    bool is_known = false;
    for (const PanelDrawn& panel : picture.panels) {
      for (const CellDrawn& cell : panel.cells) {
        if (!panel.id.starts_with("stage") || cell.links.empty()) continue;
        if (label.y < cell.y || label.y > cell.y + 1 || label.x < cell.x - 0.001 || label.x > cell.x + cell.w + 0.001) continue;
        is_known = is_known || cell.links.front().thread == std::stoll(found[1]);
      }
    }
    if (!is_known) return fmt::format("{} stands on cells of others", label.text);
  }
  return {};
}

// Strokes with these words touch both cells.
std::string wrong_way(const Picture& picture, const PanelDrawn& from, const PanelDrawn& to, const Element& at, const Element& there) {
  const auto cell_of = [](const PanelDrawn& panel, const Element& element) -> const CellDrawn* {
    const auto found = std::find_if(panel.cells.begin(), panel.cells.end(), [&](const CellDrawn& cell) {
      return !cell.links.empty() && cell.links.front().row == element.row && cell.links.front().col == element.col;
    });
    return found == panel.cells.end() ? nullptr : &*found;
  };
  const CellDrawn *a = cell_of(from, at), *b = cell_of(to, there);
  if (!a || !b) return "";
  const auto touches = [](const CellDrawn& cell, double x, double y) {
    constexpr double kNear = 0.01;
    return x > cell.x - kNear && x < cell.x + cell.w + kNear && y > cell.y - kNear && y < cell.y + cell.h + kNear;
  };
  bool begins = false, ends = false;
  const PanelDrawn& way = *picture.panel("way");
  for (const auto* strokes : {&way.lines, &way.arrows}) {
    for (const StrokeDrawn& stroke : *strokes) {
      begins = begins || touches(*a, stroke.x0, stroke.y0);
      ends = ends || touches(*b, stroke.x1, stroke.y1);
    }
  }
  return begins && ends ? "" : fmt::format("no line from {} to {}", from.id, to.id);
}

std::string wrong_chain(const Picture& picture, const std::vector<Stage>& stages, const Element& at, bool of_b) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < stages.size(); ++i) ids.push_back(fmt::format("stage{}", i + 1));
  ids.emplace_back("way");
  if (std::string found = wrong_panels(picture, ids); !found.empty()) return found;
  const Stage& first = stages.front();
  const bool down = first.layout && first.rows > 1 && first.offset_of(1, 0) == first.offset_of(0, 0) + 1 &&
                    !(first.cols > 1 && first.offset_of(0, 1) == first.offset_of(0, 0) + 1);
  std::vector<Element> followed;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    const PanelDrawn& panel = *picture.panel(ids[i]);
    // Its row m is in row m of C, and a row n of B in column n.
    followed.push_back(!stage.is_c ? at
                       : of_b      ? Element{0, std::min(at.row, stage.cols - 1)}
                                   : Element{std::min(at.row, stage.rows - 1), 0});
    const DrawnPart part = part_of(stage, down && !stage.is_c, followed.back().row, followed.back().col);
    const Drawing drawing = drawing_of(stage, part);
    std::string wrong = fmt::format("{}: nobody is known", panel.id);
    for (const Takers& takers : stage.takers) {
      wrong = wrong_stage(panel, stage, drawing, takers);
      if (wrong.empty()) break;
    }
    if (wrong.empty()) wrong = wrong_numbers(panel, drawing, part);
    if (wrong.empty() && i > 0 && !(stages[i - 1].is_c && !stage.is_c))
      wrong = wrong_way(picture, *picture.panel(ids[i - 1]), panel, followed[i - 1], followed[i]);
    if (!wrong.empty()) return wrong;
  }
  return first_of(wrong_names(picture),
                  [&] { return missing_words(picture, fmt::format("Element ({},{}) of the tile goes by", at.row, at.col)); });
}

Element default_place(Int rows, Int cols) { return {std::min<Int>(rows - 1, 3), std::min<Int>(cols - 1, 10)}; }

std::string at_words(Dice& dice, Int rows, Int cols, Element& at) {
  at = default_place(rows, cols);
  if (dice.one_in(2)) return "";
  at = {dice.up_to(rows - 1), dice.up_to(cols - 1)};
  return fmt::format(", at=\"({},{})\"", at.row, at.col);
}

// ---- chains of copies -------------------------------------------------------------------------------------------------------------------

// With neighbours in a row, or in a column, where vectors lie; in shared memory also swizzled.
std::string some_layout(Dice& dice, Int rows, Int cols, bool shared, bool by_row) {
  const Int pad = dice.one_in(2) ? 0 : shared ? 8 : 64;
  if (!by_row) return fmt::format("({},{}):(1,{})", rows, cols, rows + pad);
  if (shared && dice.one_in(2))
    return fmt::format("Sw<{},3,3> o 0 o ({},{}):({},1)", cols % 64 == 0 ? 3 : cols % 32 == 0 ? 2 : 1, rows, cols, cols);
  return fmt::format("({},{}):({},1)", rows, cols, cols + pad);
}

AnyLayout layout_of(const std::string& text) {
  if (auto plain = value_of<Layout>(text)) return *plain;
  return value_of<tessera::ComposedLayout>(text).value();
}

std::optional<Case> copies_case(Dice& dice) {
  const Int rows = dice.of({32, 64}), cols = dice.of({16, 32, 64});
  const bool by_row = !dice.one_in(4);
  const Int vector = dice.of({1, 2, 8}), across = (by_row ? cols : rows) / vector, threads = 128,
            other = std::max<Int>(1, threads / across);
  if ((by_row ? rows : cols) % other != 0) return std::nullopt;  // it would reach beyond the tile
  const std::string atom = fmt::format("Copy_Atom<{}<uint{}_t>, half_t>",
                                       vector == 1 || dice.one_in(2) ? "UniversalCopy" : "SM80_CP_ASYNC_CACHEALWAYS", 16 * vector);
  const std::string in = by_row ? fmt::format("make_tiled_copy({}, ({},{}):({},1), (1,{}))", atom, other, across, across, vector)
                                : fmt::format("make_tiled_copy({}, ({},{}):(1,{}), ({},1))", atom, across, other, across, vector);
  const std::string mma = fmt::format("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, ({},{},1), ({},{},16))", 2, dice.of({1, 2}), 32, 16);
  const std::string out =
      fmt::format("make_tiled_copy_A(Copy_Atom<{}, half_t>, {})",
                  by_row ? dice.of(std::vector<std::string>{"SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "UniversalCopy<uint16_t>"})
                         : std::string("UniversalCopy<uint16_t>"),
                  mma);
  const std::string global = some_layout(dice, rows, cols, false, by_row), shared = some_layout(dice, rows, cols, true, by_row);
  const auto copy_in = value_of<TiledCopy>(in), copy_out = value_of<TiledCopy>(out);
  if (!copy_in || !copy_out) return std::nullopt;
  const auto written = takers_of(*copy_in, false, rows, cols), read = takers_of(*copy_in, true, rows, cols);
  const auto taken = takers_of(*copy_out, true, rows, cols), held = takers_of(*copy_out, false, rows, cols);
  if (!written || !read || !taken || !held) return std::nullopt;
  std::vector<Stage> stages = {{Memory::global, rows, cols, 16, 0, layout_of(global), {*read}, false},
                               {Memory::shared, rows, cols, 16, 0, layout_of(shared), {*written}, false}};
  std::string text = fmt::format("{}, {}, {}", global, in, shared);
  const bool goes_on = !dice.one_in(3);
  if (!goes_on && atom.find("CP_ASYNC") == std::string::npos) stages.back().memory = Memory::global;  // where nothing says otherwise
  if (goes_on) {
    text += ", " + out;
    stages.push_back({Memory::shared, rows, cols, 16, 0, layout_of(shared), {*taken}, false});
    stages.push_back({Memory::registers, rows, cols, 16, 0, {}, {*held}, false});
    if (!dice.one_in(3)) {
      const Int n = dice.of({16, 32});
      const std::string store = fmt::format("make_tiled_copy_C(Copy_Atom<UniversalCopy<float>, float>, {})", mma),
                        c = some_layout(dice, rows, n, false, dice.one_in(2));
      const auto copy_c = value_of<TiledCopy>(store);
      const auto tiled = value_of<TiledMma>(mma);
      if (!copy_c || !tiled) return std::nullopt;
      const auto owners = tile_of(*tiled, Operand::c, rows, n);
      const auto stored = takers_of(*copy_c, false, rows, n);
      if (!owners || !stored) return std::nullopt;
      text += fmt::format(", {}, {}, {}", mma, store, c);
      stages.push_back({Memory::registers, rows, n, 32, 0, {}, {first_owners(*owners)}, true});
      stages.push_back({Memory::global, rows, n, 32, 0, layout_of(c), {*stored}, true});
    }
  }
  Element at;
  const std::string where = at_words(dice, rows, cols, at);
  return Case{fmt::format("chain_figure({}{})", text, where),
              [stages, at](const Picture& picture) { return wrong_chain(picture, stages, at, false); }};
}

// ---- chains of GEMMs
// ----------------------------------------------------------------------------------------------------------------------

// Every partition of a tensor that the plan has: one of them is drawn.
std::vector<Takers> takers_in(const GemmPlan& plan, const tessera::plan::Tensor& tensor, const Stage& stage) {
  std::map<Int, Int> element_of;
  for (Int i = 0; i < stage.rows * stage.cols; ++i) element_of.emplace(evaluate(*stage.layout, i), i);
  std::vector<Takers> all;
  for (const tessera::plan::Partition& partition : plan.partitions) {
    if (plan.tensors[partition.tensor].name != tensor.name || partition.coordinates != tessera::plan::kNone) continue;
    if (shape(partition.layout).rank() < 2) continue;
    const Int threads = size(shape(partition.layout)[0]);
    all.push_back(takers_of(threads, size(partition.layout) / threads, stage.rows * stage.cols, [&](Int t, Int v) {
      const auto found = element_of.find(evaluate(partition.layout, t, v));
      return found == element_of.end() ? Int{-1} : found->second;
    }));
  }
  return all;
}

std::optional<Case> gemm_case(Dice& dice) {
  const SomeGemm some = some_gemm(dice, 4096);
  const GemmPlan& plan = *some.plan;
  const bool of_b = dice.one_in(2);
  const GemmTile &tile = some.tiles[of_b ? 1 : 0], &c = some.tiles[2];
  const auto whole = [&](std::size_t k) { return some.extent[k] % some.blk[k] == 0; };
  if (!whole(0) || !whole(1) || !whole(2) || some.text.find(":(0,1)") != std::string::npos) return std::nullopt;
  if (!is_in_registers(some.mma.mma->atom(), tile.operand) || !is_in_registers(some.mma.mma->atom(), Operand::c)) return std::nullopt;
  if (some.mma.atom.starts_with("WMMA")) return std::nullopt;  // which lane holds what is not said
  const Int rows = tile.owners.rows, cols = tile.owners.cols;
  const auto memory = [&](const tessera::plan::Tensor& tensor, bool shared, Int r, Int s, bool is_c) {
    Stage stage{shared ? Memory::shared : Memory::global,
                r,
                s,
                bits(tensor.type),
                shared ? tensor.byte_offset : 0,
                shared ? tensor.layout : AnyLayout(tensor.tiles[0]),
                {},
                is_c};
    stage.takers = takers_in(plan, tensor, stage);
    return stage;
  };
  std::vector<Stage> stages = {memory(plan.gmem(tile.operand), false, rows, cols, false)};
  if (plan.has_smem()) {
    stages.push_back(memory(plan.smem(tile.operand), true, rows, cols, false));
    stages.push_back(stages.back());
  }
  stages.push_back({Memory::registers, rows, cols, stages.back().bits, 0, {}, {first_owners(tile.owners)}, false});
  stages.push_back(
      {Memory::registers, c.owners.rows, c.owners.cols, bits(some.mma.mma->atom().val_c), 0, {}, {first_owners(c.owners)}, true});
  stages.push_back(memory(plan.gmem(Operand::c), false, c.owners.rows, c.owners.cols, true));
  Element at;
  const std::string where = at_words(dice, rows, cols, at);
  return Case{fmt::format("chain_figure({}, operand={}{})", some.text, of_b ? "B" : "A", where),
              [stages, at, of_b](const Picture& picture) { return wrong_chain(picture, stages, at, of_b); }};
}

}  // namespace

TEST_CASE("a chain says at every stage where each element lies and who takes it", "[pictures]") {
  Dice dice(281);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    if (auto made = dice.one_in(2) ? copies_case(dice) : gemm_case(dice)) cases.push_back(std::move(*made));
  }
  hold("chain", cases);
}
