// SPDX-License-Identifier: BSD-3-Clause
// copy_figure: each cell of the source and the destination is where partition_S and partition_D put a thread's value. Rows and columns are
// the tensor's, also where a tiler's strides leave some out or take them in another order.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/owners.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::AnyLayout;
using tessera::CopyAtom;
using tessera::IntTuple;
using tessera::Layout;
using tessera::TiledCopy;
using tessera::attack::Dice;
using tessera::attack::Plain;

namespace {

constexpr Int kMostCells = 4096;

struct SomeCopy {
  std::string text;
  Tile source, destination;
  std::vector<Int> place_of[2];  // of each thread and value, values fastest: a cell
  Int threads = 0, at_once[2] = {1, 1};
  bool is_tiled = false;
  bool is_alike() const { return place_of[0] == place_of[1]; }
};

// A mode of a tiler that picks `extent` places: the first ones, every second one, halves that lie apart, ...
Plain some_mode(Dice& dice, Int extent) {
  switch (dice.up_to(4)) {
    case 0: return {extent, dice.of({2, 3, 4})};
    case 1:
      if (extent % 2 != 0) break;
      return tessera::attack::beside({{2, extent / 2}, {extent / 2, 1}});  // halves in turn
    case 2:
      if (extent % 2 != 0) break;
      return tessera::attack::beside({{extent / 2, 1}, {2, extent}});  // a gap in the middle
    case 3:
      if (extent % 4 != 0) break;
      return tessera::attack::beside({{2, 1}, {extent / 4, 4}, {2, 2}});
    default: break;
  }
  return {extent, 1};
}

// Modes of a tiler, each with the modes within it.
using Modes = std::vector<std::vector<Plain>>;

std::string text_of(const std::vector<Plain>& leaves) {
  std::string text;
  for (const Plain& leaf : leaves) {
    const bool simple = !leaf.shape.tuple && leaf.stride == tessera::attack::Tree(1);
    text += (text.empty() ? "" : ",") + (simple ? std::to_string(leaf.shape.value) : to_text(leaf));
  }
  return leaves.size() > 1 ? "(" + text + ")" : text;
}

std::string text_of(const Modes& modes) {
  std::string text;
  for (const std::vector<Plain>& leaves : modes) text += (text.empty() ? "" : ",") + text_of(leaves);
  return modes.size() > 1 ? "(" + text + ")" : text;
}

// In how many places a mode repeats.
Int repeated_in(const tessera::attack::Tree& shape, const tessera::attack::Tree& stride) {
  if (!shape.tuple) return shape.value * stride.value;
  Int most = 1;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) most = std::max(most, repeated_in(shape.modes[k], stride.modes[k]));
  return most;
}

// A tensor that is larger than a tile, and the box around its first tile.
struct Box {
  IntTuple shape = IntTuple::tuple({});
  std::vector<Int> extents, boxes;  // of each mode within the modes: of the tensor, and of the box
  Int rows = 1, cols = 1;
  // The cell of an element of the tensor.
  Int cell(Int element) const {
    Int cell = 0, unit = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      cell += element % extents[i] * unit;
      element /= extents[i];
      unit *= boxes[i];
    }
    return cell;
  }
};

Box box_of(const Modes& modes) {
  Box box;
  std::vector<IntTuple> shape;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    std::vector<IntTuple> within;
    for (const Plain& leaf : modes[k]) {
      box.extents.push_back(repeated_in(leaf.shape, leaf.stride));
      box.boxes.push_back(cosize(leaf));
      within.emplace_back(box.extents.back());
      (k == 0 ? box.rows : box.cols) *= box.boxes.back();
    }
    shape.push_back(within.size() == 1 ? within.front() : IntTuple::tuple(within));
  }
  shape.emplace_back(1);  // a mode that no tiler has
  box.shape = IntTuple::tuple(shape);
  return box;
}

// The first tile of partition_S or partition_D: the first mode is a thread's values of one tile.
std::optional<std::vector<Int>> partition_of(const TiledCopy& copy, bool source, Int thread, const Box& box) {
  const Layout tensor = Layout::make_compact(box.shape).value();
  const auto part = source ? copy.partition_s(AnyLayout(tensor), thread) : copy.partition_d(AnyLayout(tensor), thread);
  if (!part) return std::nullopt;
  const Int values = size(tessera::shape(part->layout)[0]);
  std::vector<Int> cells;
  for (Int v = 0; v < values; ++v) {
    const Int element = evaluate(part->layout, v) + part->offset.value();
    if (element >= tensor.size()) return std::nullopt;  // CuTe's copy of C counts on past N with atoms along K
    cells.push_back(box.cell(element));
  }
  return cells;
}

// `modes`: of its tiler.
std::optional<SomeCopy> tiled(std::string text, const Modes& modes) {
  const auto copy = value_of<TiledCopy>(text);
  if (!copy) return std::nullopt;
  const Box box = box_of(modes);
  const Int rows = box.rows, cols = box.cols;
  if (rows * cols > kMostCells) return std::nullopt;
  SomeCopy made{std::move(text), nobodys(rows, cols), nobodys(rows, cols), {}, copy->num_threads(), {1, 1}, true};
  for (const bool source : {true, false}) {
    for (Int t = 0; t < made.threads; ++t) {
      const auto cells = partition_of(*copy, source, t, box);
      if (!cells) return std::nullopt;
      for (std::size_t v = 0; v < cells->size(); ++v) {
        add(source ? made.source : made.destination, (*cells)[v], {t, static_cast<Int>(v)});
        made.place_of[source ? 0 : 1].push_back((*cells)[v]);
      }
    }
    made.at_once[source ? 0 : 1] = size((source ? copy->atom().val_layout_src : copy->atom().val_layout_dst).shape()[1]);
  }
  return made;
}

// Values of an atom alone, in rows of what a thread has of them in the reference.
std::optional<SomeCopy> alone(std::string text) {
  const auto atom = value_of<CopyAtom>(text);
  if (!atom) return std::nullopt;
  Int values = 0;
  for (const Layout* tv : {&atom->val_layout_src, &atom->val_layout_dst}) {
    for (Int i = 0; i < tv->size(); ++i) values = std::max(values, (*tv)(i) + 1);
  }
  if (values > kMostCells) return std::nullopt;
  Int cols = std::min(values, std::max(size(atom->val_layout_ref.shape()[1]), size(atom->val_layout_src.shape()[1])));
  if (values % cols != 0) cols = values;
  const Int rows = values / cols;
  SomeCopy made{std::move(text), nobodys(rows, cols), nobodys(rows, cols), {}, 0, {1, 1}, false};
  for (const bool source : {true, false}) {
    const Layout& tv = source ? atom->val_layout_src : atom->val_layout_dst;  // (thr, val) -> number
    const Int threads = size(tv.shape()[0]), each = size(tv.shape()[1]);
    made.threads = size(atom->val_layout_src.shape()[0]);
    made.at_once[source ? 0 : 1] = each;
    for (Int t = 0; t < threads; ++t) {
      for (Int v = 0; v < each; ++v) {
        const Int number = tv(t, v), cell = number / cols + rows * (number % cols);
        add(source ? made.source : made.destination, cell, {t, v});
        made.place_of[source ? 0 : 1].push_back(cell);
      }
    }
  }
  return made;
}

struct TypeOf {
  std::string name;
  Int bits;
};

std::string some_atom(Dice& dice) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const std::string& name : tessera::copy_atom_names()) {
      if (!name.starts_with("SM100_TMEM") || name.find("32dp32b") != std::string::npos) made.push_back(name);
    }
    return made;
  }();
  const std::string name = dice.of(names);
  const std::vector<std::string> types = {"half_t", "half_t", "float", "double", "float_e4m3_t", "uint32_t"};
  return fmt::format("Copy_Atom<{}, {}>", name,
                     name.find("LDSM") != std::string::npos || name.find("STSM") != std::string::npos ? "half_t" : dice.of(types));
}

std::optional<SomeCopy> some_copy(Dice& dice) {
  const TypeOf type = dice.of(std::vector<TypeOf>{{"half_t", 16}, {"float", 32}, {"float_e4m3_t", 8}});
  const Int vector = dice.of({1, 1, 2, 4, 8}), width = vector * type.bits;
  const bool async = width >= 32 && width <= 128 && dice.one_in(3);
  const std::string universal =
      width > 128 ? fmt::format("Copy_Atom<UniversalCopy<{}>, {}>", type.name, type.name)
                  : fmt::format("Copy_Atom<{}<uint{}_t>, {}>", async ? "SM80_CP_ASYNC_CACHEALWAYS" : "UniversalCopy", width, type.name);
  const Int threads_m = dice.of({1, 2, 4, 8, 16}), threads_n = dice.of({1, 2, 3, 4, 8});
  switch (dice.up_to(5)) {
    case 0: return alone(some_atom(dice));
    case 1: {  // threads and their values side by side
      const bool down = dice.one_in(2);
      const Int more = dice.of({1, 1, 2});
      const std::string thr = down ? fmt::format("({},{}):(1,{})", threads_m, threads_n, threads_m)
                                   : fmt::format("({},{}):({},1)", threads_m, threads_n, threads_n);
      const std::string val =
          down ? fmt::format("({},{}):(1,{})", vector, more, vector) : fmt::format("({},{}):({},1)", more, vector, vector);
      const Plain rows{threads_m * (down ? vector : more), 1}, cols{threads_n * (down ? more : vector), 1};
      return tiled(fmt::format("make_tiled_copy({}, {}, {})", universal, thr, val), {{rows}, {cols}});
    }
    case 2: {  // an operand's of a tiled MMA
      SomeMma mma = some_mma(dice, kMostCells);
      static const std::vector<std::string> warps = {"SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x1_LDSM_N", "SM75_U16x8_LDSM_T",
                                                     "SM75_U16x4_LDSM_T"},
                                            stores = {"SM90_U32x4_STSM_N", "SM90_U32x2_STSM_N", "SM90_U16x4_STSM_T"},
                                            plain = {"UniversalCopy<uint16_t>", "UniversalCopy<uint32_t>", "AutoVectorizingCopy"};
      const char operand = "ABC"[dice.up_to(2)];
      const std::string atom = dice.one_in(3) ? dice.of(plain) : operand == 'C' ? dice.of(stores) : dice.of(warps);
      const int row = operand == 'B' ? 1 : 0, col = operand == 'C' ? 1 : 2;
      const std::string text = fmt::format("make_tiled_copy_{}(Copy_Atom<{}, half_t>, {})", operand, atom, mma.text);
      return tiled(text, {{Plain{mma.extent[row], 1}}, {Plain{mma.extent[col], 1}}});
    }
    default: {  // any tiler
      const Int rows = threads_m, cols = threads_n * vector;
      Modes modes = {{some_mode(dice, rows)}, {some_mode(dice, cols)}};
      if (dice.one_in(6)) modes = {{some_mode(dice, rows * cols)}};
      if (dice.one_in(6)) modes.front() = {some_mode(dice, rows), some_mode(dice, cols)}, modes.resize(1), modes.push_back({Plain{1, 1}});
      if (dice.one_in(6)) modes = {{some_mode(dice, rows)}, {some_mode(dice, threads_n), some_mode(dice, vector)}};
      if (dice.one_in(8)) modes = {{some_mode(dice, rows)}, {some_mode(dice, threads_n)}, {some_mode(dice, vector)}};
      // Each thread's values are neighbours in a row; threads in any order, now and then several in one place.
      Plain tv = tessera::attack::beside({tessera::attack::beside({{threads_n, rows * vector}, {threads_m, 1}}), {vector, rows}});
      if (dice.one_in(3))
        tv = tessera::attack::beside({tessera::attack::beside({{threads_m, 1}, {threads_n, rows * vector}}), {vector, rows}});
      if (dice.one_in(4))
        tv = tessera::attack::beside({tessera::attack::beside({{threads_n, rows * vector}, {2, 0}, {threads_m, 1}}), {vector, rows}});
      const std::string tiler = text_of(modes);
      return tiled(fmt::format("make_tiled_copy_impl({}, {}, {})", universal, to_text(tv), tiler), modes);
    }
  }
}

// "T5 V0-7" stands once on each vector, in the middle of its cells.
std::string wrong_names(const PanelDrawn& panel, const Tile& tile) {
  static const std::regex name(R"(T(\d+) V(\d+)-(\d+))");
  const Spread spread = spread_of(panel);
  std::vector<Int> named(tile.of.size(), 0);
  for (const LabelDrawn& label : panel.labels) {
    std::smatch found;
    if (label.role != "legend" || !std::regex_match(label.text, found, name)) continue;
    const Who first{std::stoll(found[1]), std::stoll(found[2])};
    const Int last = std::stoll(found[3]), count = last - first.value + 1;
    const auto row = static_cast<Int>(label.y - spread.ys.front());
    const auto col = static_cast<Int>((label.x - spread.xs.front()) / spread.width - static_cast<double>(count) / 2 + 0.01);
    for (Int k = 0; k < count; ++k) {
      if (row >= tile.rows || col + k >= tile.cols || tile.at(row, col + k) != std::vector<Who>{{first.thread, first.value + k}})
        return fmt::format("{}: {} stands at ({},{})", panel.id, label.text, row, col);
      ++named[static_cast<std::size_t>(row + tile.rows * (col + k))];
    }
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i] != (tile.of[i].empty() ? 0 : 1)) return fmt::format("{}: cell {} is named {} times", panel.id, i, named[i]);
  }
  return {};
}

Case copy_case(Dice& dice) {
  for (;;) {
    const auto some = some_copy(dice);
    if (!some) continue;
    Style style;
    std::string parameters, color = "thread";
    if (dice.one_in(2)) {
      style.labels = dice.of(std::vector<std::string>{"tv", "thread", "value", "coordinate", "none"});
      parameters += ", labels=" + style.labels;
    }
    if (dice.one_in(2)) {
      color = dice.of(std::vector<std::string>{"thread", "value", "warp", "quad"});
      parameters += ", color=" + color;
    }
    if (dice.one_in(3)) style.lit = some_highlight(dice, some->source, false);
    if (!style.lit.parameter.empty()) parameters += ", " + style.lit.parameter;
    const bool may_name = parameters.find("labels") == std::string::npos && style.lit.parameter.empty();
    const auto wrong = [=, some = *some](const Picture& picture) {
      const std::vector<std::string> ids =
          some.is_alike() ? std::vector<std::string>{"source"} : std::vector<std::string>{"source", "destination"};
      std::string found = wrong_panels(picture, ids);
      for (std::size_t i = 0; found.empty() && i < ids.size(); ++i) {
        const PanelDrawn& panel = *picture.panel(ids[i]);
        const Tile& tile = i == 0 ? some.source : some.destination;
        Style drawn = style;
        const bool named =
            may_name && std::all_of(panel.cells.begin(), panel.cells.end(), [](const CellDrawn& cell) { return cell.label.empty(); });
        if (named) drawn.labels = "none";
        found = first_of(
            wrong_cells(panel, wanted_cells(tile, drawn)), [&] { return named ? wrong_names(panel, tile) : std::string(); },
            [&] { return wrong_axes(panel, numbers, numbers); });
      }
      return first_of(
          found, [&] { return wrong_owner_colors(picture, color); },
          [&] { return missing_words(picture, fmt::format(", {} thread{}\n", some.threads, some.threads == 1 ? "" : "s")); });
    };
    return {fmt::format("copy_figure({}{})", some->text, parameters), wrong};
  }
}

}  // namespace

TEST_CASE("a copy's figure says of every element who reads and who writes it", "[pictures]") {
  Dice dice(231);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(copy_case(dice));
  hold("copy", cases);
}

TEST_CASE("who reads and who writes an element of a copy is explained as it is drawn", "[pictures]") {
  Dice dice(232);
  std::vector<Question> questions;
  for (int i = 0; i < cases_a_kind();) {
    const auto some = some_copy(dice);
    if (!some) continue;
    ++i;
    ask(questions, dice, some->text, "source", some->source);
    ask(questions, dice, some->text, "destination", some->destination);
  }
  hold_explained("copy", questions);
}
