// SPDX-License-Identifier: BSD-3-Clause
// divide_figure, product_figure and composition_figure: each cell says an offset, the element that has it, and its tile.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Plain;
using tessera::attack::Tree;

namespace {

// What a cell of these figures is: an element's coordinate and offset, and a tile. An index of -1: none of the layout.
struct Element {
  Int index = -1, offset = 0, tile = -1;
};
struct Extent {
  Int rows = 1, cols = 1;
};

Extent extent_of(const Plain& layout) {
  const Int all = size(layout);
  if (rank(layout) > 1) return {size(mode(layout, 0)), all / size(mode(layout, 0))};
  Int cols = std::min<Int>(all, 32);
  while (all % cols != 0) --cols;
  return {all / cols, cols};
}

// Of a layout that is drawn by itself: which 1-D coordinate is at a row and column.
Int index_at(const Plain& layout, const Extent& extent, Int r, Int c) {
  return rank(layout) > 1 ? r + extent.rows * c : r * extent.cols + c;
}

std::string label_of(const Element& is, Int rows, const std::string& labels) {
  if (labels == "offset") return std::to_string(is.offset);
  if (labels == "tile") return is.tile < 0 ? "–" : std::to_string(is.tile);
  if (labels == "coordinate") return is.index < 0 ? "–" : fmt::format("{},{}", is.index % rows, is.index / rows);
  return "";
}

Wanted wanted_of(const Element& is, Int rows, const std::string& labels, const std::string& tensor) {
  Link link;
  link.offset = std::max<Int>(is.offset, -1), link.tensor = tensor;
  if (is.index >= 0) link.row = is.index % rows, link.col = is.index / rows;
  return {label_of(is, rows, labels), {link}};
}

std::string some_labels(Dice& dice) {
  return std::vector<std::string>{"offset", "coordinate", "tile", "none"}[static_cast<std::size_t>(dice.up_to(3))];
}

// ---- divides -----------------------------------------------------------------------------------------------------------------------

struct Divide {
  Plain layout;
  std::vector<Plain> tilers;  // one a mode, or one of the whole
  bool by_mode = false;
  std::string tiler, op, labels;
  std::vector<Int> offsets;  // of the divide's elements, as the language answers it
};

// A mode's coordinates by place in the tile and which tile; without a tiler, all of it is in one place of many.
struct Parts {
  Int tile = 1, rest = 1;
  Plain map;  // (tile, rest) -> coordinate of the mode
};

std::optional<std::vector<Parts>> parts_of(const Divide& of) {
  std::vector<Parts> made;
  if (!of.by_mode) {
    const auto map = tessera::attack::tile_and_rest(of.layout, of.tilers[0]);
    if (!map) return std::nullopt;
    made.push_back({size(mode(*map, 0)), size(mode(*map, 1)), *map});
    return made;
  }
  for (std::size_t k = 0; k < rank(of.layout); ++k) {
    const Plain each = mode(of.layout, k);
    if (k >= of.tilers.size()) {
      made.push_back({1, size(each), Plain{std::vector<Tree>{1, size(each)}, std::vector<Tree>{0, 1}}});
      continue;
    }
    const auto map = tessera::attack::tile_and_rest(each, of.tilers[k]);
    if (!map) return std::nullopt;
    made.push_back({size(mode(*map, 0)), size(mode(*map, 1)), *map});
  }
  return made;
}

// The element at a place of each tile, and in a tile: by the coordinate in each mode, beyond which there is none.
Element element_at(const Divide& of, const std::vector<Parts>& parts, Int tile, Int rest) {
  Element is;
  is.tile = rest;
  if (!of.by_mode) {
    const Int index = at(parts[0].map, tile + parts[0].tile * rest);
    is.offset = at(of.layout, index);
    if (index < size(of.layout)) is.index = index;
    if (is.index < 0) is.tile = -1;
    return is;
  }
  Int step = 1, index = 0;
  bool inside = true;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Plain each = mode(of.layout, k);
    const Int here = at(parts[k].map, tile % parts[k].tile + parts[k].tile * (rest % parts[k].rest));
    tile /= parts[k].tile, rest /= parts[k].rest;
    inside = inside && here < size(each);
    index += step * here, step *= size(each);
    is.offset += at(each, here);
  }
  if (inside)
    is.index = index;
  else
    is.tile = -1;
  return is;
}

bool keeps_modes(const Divide& of) { return of.op == "logical" && of.by_mode; }

Int rows_of(const Divide& of, const std::vector<Parts>& parts) {
  if (keeps_modes(of)) return parts[0].tile * parts[0].rest;
  Int each = 1;
  for (const Parts& part : parts) each *= part.tile;
  return each;
}

// What stands at a row and column of the divide.
Element element_of(const Divide& of, const std::vector<Parts>& parts, Int r, Int c) {
  if (!keeps_modes(of)) return element_at(of, parts, r, c);
  Int tile = r % parts[0].tile, rest = r / parts[0].tile, left = c, tile_step = parts[0].tile, rest_step = parts[0].rest;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    tile += tile_step * (left % parts[k].tile), left /= parts[k].tile, tile_step *= parts[k].tile;
    rest += rest_step * (left % parts[k].rest), left /= parts[k].rest, rest_step *= parts[k].rest;
  }
  return element_at(of, parts, tile, rest);
}

bool has_own_offsets(const Divide& of, const std::vector<Parts>& parts) {
  const Int rows = rows_of(of, parts);
  for (std::size_t i = 0; i < of.offsets.size(); ++i) {
    const Element is = element_of(of, parts, static_cast<Int>(i) % rows, static_cast<Int>(i) / rows);
    if (is.index >= 0 && of.offsets[i] != is.offset) return false;
  }
  return true;
}

std::string wrong_divide(const Picture& picture, const Divide& of) {
  const std::vector<Parts> parts = *parts_of(of);
  Int tiles = 1, each = 1;
  for (const Parts& part : parts) tiles *= part.rest, each *= part.tile;
  const Int rows = rows_of(of, parts), cols = each * tiles / rows;
  const Int layout_rows = rank(of.layout) > 1 ? size(mode(of.layout, 0)) : size(of.layout);
  // Of each element the first tile that has it.
  std::map<Int, Int> tile_of;
  for (Int rest = 0; rest < tiles; ++rest) {
    for (Int tile = 0; tile < each; ++tile) {
      if (const Element is = element_at(of, parts, tile, rest); is.index >= 0) tile_of.try_emplace(is.index, rest);
    }
  }
  const std::string tensor = to_text(of.layout);
  WantedCells before, after;
  const Extent extent = extent_of(of.layout);
  for (Int r = 0; r < extent.rows; ++r) {
    for (Int c = 0; c < extent.cols; ++c) {
      Element is{index_at(of.layout, extent, r, c), 0, -1};
      is.offset = at(of.layout, is.index);
      if (const auto found = tile_of.find(is.index); found != tile_of.end()) is.tile = found->second;
      before[{r, c}] = wanted_of(is, layout_rows, of.labels, tensor);
    }
  }
  Int beyond = 0;
  std::vector<std::pair<Int, std::string>> colors;
  const PanelDrawn& panel = *picture.panel("divide");
  for (Int r = 0; r < rows; ++r) {
    for (Int c = 0; c < cols; ++c) {
      Element is = element_of(of, parts, r, c);
      is.offset = of.offsets[static_cast<std::size_t>(r + rows * c)];
      if (is.index >= 0) is.tile = tile_of.at(is.index);
      beyond += is.index < 0 ? 1 : 0;
      after[{r, c}] = wanted_of(is, layout_rows, of.labels, tensor);
      const auto cell = static_cast<std::size_t>(r * cols + c);
      if (is.index >= 0 && cell < panel.cells.size()) colors.emplace_back(is.tile, panel.cells[cell].fill);
    }
  }
  std::vector<std::string> words{fmt::format("{} of {}", count_of(tiles, "tile"), count_of(each, "element"))};
  if (beyond > 0) words.push_back(fmt::format("grey: {} beyond the layout", count_of(beyond, "coordinate")));
  if (beyond == 0 && words_below(picture).find("beyond the layout") != std::string::npos) return "nothing is beyond the layout";
  const PanelDrawn& first = *picture.panel("layout");
  return first_of({wrong_cells(first, before, place_of(first)), wrong_cells(panel, after, place_of(panel)), wrong_colors(picture, colors),
                   wrong_words(picture, words)});
}

Divide some_divide(Dice& dice) {
  for (;;) {
    Divide of;
    of.layout = tessera::attack::some_layout(dice);
    if (size(of.layout) > 256 || size(of.layout) < 2) continue;
    of.labels = some_labels(dice);
    of.op = std::vector<std::string>{"zipped", "logical", "tiled", "flat"}[static_cast<std::size_t>(dice.up_to(3))];
    of.by_mode = rank(of.layout) > 1 && dice.one_in(2);
    if (of.by_mode) {
      const std::size_t modes = std::min<std::size_t>(2, rank(of.layout));
      std::vector<Tree> extents;
      for (std::size_t k = 0; k < modes; ++k) extents.emplace_back(dice.between(1, std::min<Int>(8, size(mode(of.layout, k)))));
      for (const Tree& extent : extents) of.tilers.push_back({extent, 1});
      of.tiler = to_text(Tree(extents));
    } else {
      of.tilers.push_back(dice.one_in(2) ? Plain{dice.of({2, 3, 4, 5, 8}), dice.of({1, 1, 2, 3, 4})}
                                         : tessera::attack::wild_layout(dice, 2));
      of.tiler = to_text(of.tilers[0]);
      if (size(of.tilers[0]) > size(of.layout) || cosize(of.tilers[0]) > size(of.layout)) continue;
    }
    const auto parts = parts_of(of);
    if (!parts) continue;
    Int all = 1;
    for (const Parts& part : *parts) all *= part.tile * part.rest;
    if (all > 600) continue;
    // What the language refuses is no divide; of what it warns of, as of tiles that pass the end of a mode, all elements must be A's own.
    const tessera::attack::Answer answer = tessera::attack::ask(fmt::format("{}_divide({}, {})", of.op, to_text(of.layout), of.tiler));
    if (answer.refused || (!of.by_mode && !answer.warnings.empty())) continue;
    const auto function = tessera::attack::read_function(answer.text);
    if (!function) continue;
    of.offsets = tessera::attack::image(*function);
    if (static_cast<Int>(of.offsets.size()) != all || !has_own_offsets(of, *parts)) continue;
    return of;
  }
}

// ---- products ----------------------------------------------------------------------------------------------------------------------

struct Product {
  Plain block, tiler, result;  // result: as it is drawn
  std::string op, labels;
  bool interleaved() const { return op == "blocked" || op == "raked"; }
};

std::vector<Plain> modes_of(const Plain& layout) {
  std::vector<Plain> modes;
  for (std::size_t k = 0; k < rank(layout); ++k) modes.push_back(layout.shape.tuple ? mode(layout, k) : layout);
  return modes;
}

// Both of as many modes; missing ones are 1:0.
Plain padded(const Plain& layout, std::size_t to) {
  std::vector<Plain> modes = modes_of(layout);
  while (modes.size() < to) modes.push_back({1, 0});
  return tessera::attack::beside(modes);
}

std::optional<Plain> multiplied(const Product& of) {
  if (!of.interleaved()) return tessera::attack::logical_product(of.block, of.tiler);
  const std::size_t modes = std::max(rank(of.block), rank(of.tiler));
  const auto both = tessera::attack::logical_product(padded(of.block, modes), padded(of.tiler, modes));
  if (!both) return std::nullopt;
  const Plain inner = mode(*both, 0), outer = mode(*both, 1);
  std::vector<Plain> made;
  for (std::size_t k = 0; k < modes; ++k)
    made.push_back(of.op == "blocked" ? tessera::attack::beside({mode(inner, k), mode(outer, k)})
                                      : tessera::attack::beside({mode(outer, k), mode(inner, k)}));
  return tessera::attack::beside(made);
}

std::string wrong_grid(const Picture& picture, const char* id, const Plain& layout, const std::string& tensor, const std::string& labels,
                       const std::function<Int(Int, Int, Int)>& tile) {
  const PanelDrawn* panel = picture.panel(id);
  if (panel == nullptr) return fmt::format("there is no {}", id);
  const Extent extent = extent_of(layout);
  const Int rows = rank(layout) > 1 ? size(mode(layout, 0)) : size(layout);
  WantedCells wanted;
  for (Int r = 0; r < extent.rows; ++r) {
    for (Int c = 0; c < extent.cols; ++c) {
      const Int index = index_at(layout, extent, r, c);
      wanted[{r, c}] = wanted_of({index, at(layout, index), tile(index % rows, index / rows, index)}, rows, labels, tensor);
    }
  }
  return wrong_cells(*panel, wanted, place_of(*panel));
}

std::string wrong_product(const Picture& picture, const Product& of) {
  const auto size_of = [](const Plain& layout, std::size_t k) {
    return k < rank(layout) ? size(layout.shape.tuple ? mode(layout, k) : layout) : 1;
  };
  const auto tile = [&](Int row, Int col, Int index) {
    if (!of.interleaved()) return index / size(of.block);
    const bool raked = of.op == "raked";
    const auto copy = [&](Int n, std::size_t k) { return raked ? n % size_of(of.tiler, k) : n / size_of(of.block, k); };
    return copy(row, 0) + size_of(of.tiler, 0) * copy(col, 1);
  };
  const std::string wrong =
      first_of({wrong_grid(picture, "block", of.block, to_text(of.block), of.labels, [](Int, Int, Int) { return Int{0}; }),
                wrong_grid(picture, "copies", of.tiler, to_text(of.tiler), of.labels, [](Int, Int, Int index) { return index; })});
  if (!wrong.empty()) return wrong;
  // The product's own text is not known here: its cells' tensor is its heading.
  const PanelDrawn& panel = *picture.panel("product");
  const std::string before = of.op + "_product:  ";
  if (!panel.name.starts_with(before)) return "the product has another heading: " + panel.name;
  const auto said = tessera::attack::read_function(panel.name.substr(before.size()));
  if (!said || tessera::attack::image(*said) != tessera::attack::image(of.result))
    return "the product's heading is another layout: " + panel.name;
  std::vector<std::pair<Int, std::string>> colors;
  const bool by_number = words_below(picture).find("by its number in the layout of copies") != std::string::npos;
  const std::vector<Int> numbers = tessera::attack::image(of.tiler);
  const Extent extent = extent_of(of.result);
  for (std::size_t i = 0; i < panel.cells.size(); ++i) {
    const Int index = index_at(of.result, extent, static_cast<Int>(i) / extent.cols, static_cast<Int>(i) % extent.cols);
    const Int rows = rank(of.result) > 1 ? size(mode(of.result, 0)) : size(of.result);
    const Int copy = tile(index % rows, index / rows, index);
    if (!by_number || tessera::attack::injective(numbers))
      colors.emplace_back(by_number ? numbers[static_cast<std::size_t>(copy)] : copy, panel.cells[i].fill);
  }
  return first_of(
      {wrong_grid(picture, "product", of.result, panel.name.substr(before.size()), of.labels, tile), wrong_colors(picture, colors)});
}

Product some_product(Dice& dice) {
  for (;;) {
    Product of;
    of.block = tessera::attack::some_layout(dice), of.tiler = tessera::attack::some_layout(dice);
    of.op = std::vector<std::string>{"blocked", "raked", "logical", "zipped", "tiled", "flat"}[static_cast<std::size_t>(dice.up_to(5))];
    of.labels = some_labels(dice);
    if (size(of.block) * size(of.tiler) > 400 || size(of.block) < 2 || rank(of.block) > 2 || rank(of.tiler) > 2) continue;
    const auto result = multiplied(of);
    if (!result) continue;
    of.result = *result;
    const tessera::attack::Answer answer =
        tessera::attack::ask(fmt::format("{}_product({}, {})", of.op, to_text(of.block), to_text(of.tiler)));
    const auto function = tessera::attack::read_function(answer.text);
    if (answer.refused || !answer.warnings.empty() || !function) continue;
    // How its modes are nested is another test's; here the drawn shape is the language's.
    of.result = std::get<Plain>(function->inner);
    if (tessera::attack::image(of.result) != tessera::attack::image(*result)) continue;
    return of;
  }
}

// ---- compositions ------------------------------------------------------------------------------------------------------------------

struct Composition {
  Plain a, b;
  std::vector<Int> elements;
};

std::string wrong_composition(const Picture& picture, const Composition& of) {
  const auto grid = [&](const char* id, const Plain& layout, const std::string& tensor,
                        const std::function<std::pair<std::string, Int>(Int)>& says) {
    const PanelDrawn& panel = *picture.panel(id);
    const Extent extent = extent_of(layout);
    const Int rows = rank(layout) > 1 ? size(mode(layout, 0)) : size(layout);
    WantedCells wanted;
    for (Int r = 0; r < extent.rows; ++r) {
      for (Int c = 0; c < extent.cols; ++c) {
        const Int index = index_at(layout, extent, r, c);
        const auto [label, offset] = says(index);
        Link link;
        link.row = index % rows, link.col = index / rows, link.offset = std::max<Int>(offset, -1), link.tensor = tensor;
        wanted[{r, c}] = {label, {link}};
      }
    }
    return wrong_cells(panel, wanted, place_of(panel));
  };
  const Int of_a = size(of.a);
  const auto plain = [](Int n) { return std::pair(std::to_string(n), n); };
  const std::string wrong =
      first_of({grid("B", of.b, "A's index", [&](Int i) { return plain(at(of.b, i)); }),
                grid("A", of.a, "A's offset", [&](Int i) { return std::pair(fmt::format("{}\n{}", i, at(of.a, i)), at(of.a, i)); }),
                grid("composition", of.b, "A's offset", [&](Int i) { return plain(at(of.a, at(of.b, i))); })});
  if (!wrong.empty()) return wrong;
  // Each element that is followed has an arrow from B's cell to A's and one from there to the result's.
  std::vector<Int> followed = of.elements;
  if (followed.empty()) followed = {std::min<Int>(1, size(of.b) - 1), size(of.b) / 2, size(of.b) - 1};
  std::sort(followed.begin(), followed.end());
  followed.erase(std::unique(followed.begin(), followed.end()), followed.end());
  const auto call = [](const char* name, const Plain& layout, Int i) {
    const std::string at = coordinate_of(layout.shape, i);
    return at.front() == '(' ? name + at : fmt::format("{}({})", name, at);
  };
  std::vector<std::string> words;
  std::map<std::string, int> arrows;
  for (const Int i : followed) {
    const Int index = at(of.b, i), offset = at(of.a, index);
    const std::string first = fmt::format("A({})", index);
    if (index < 0 || index >= of_a) {
      words.push_back(fmt::format("{} = {}, beyond A's {} elements: {} = {}", call("B", of.b, i), index, of_a, first, offset));
      continue;
    }
    const std::string there = call("A", of.a, index);
    words.push_back(fmt::format("{} = {}, {}{} = {}", call("B", of.b, i), index, first, there == first ? "" : " = " + there, offset));
    arrows[words.back()] += 2;
  }
  const PanelDrawn& panel = *picture.panel("followed");
  std::map<std::string, int> drawn;
  const auto place = [&](const char* id) { return place_of(*picture.panel(id)); };
  const auto where = [&](const char* id, const Plain& layout, Int i) {
    const Extent extent = extent_of(layout);
    const Place at = place(id);
    const Int r = rank(layout) > 1 ? i % extent.rows : i / extent.cols, c = rank(layout) > 1 ? i / extent.rows : i % extent.cols;
    return std::pair(at.x + at.w * (static_cast<double>(c) + 0.5), at.y + static_cast<double>(r) + 0.5);
  };
  const bool beside = place("A").x > place("B").x;
  for (const StrokeDrawn& arrow : panel.arrows) {
    if (arrow.links.size() != 1) return "an arrow stands for nothing";
    const std::string& said = arrow.links.front().words;
    ++drawn[said];
    const auto element =
        std::find_if(followed.begin(), followed.end(), [&](Int i) { return said.starts_with(call("B", of.b, i) + " = "); });
    if (element == followed.end()) return "an arrow follows " + said;
    const auto in_b = where("B", of.b, *element), in_a = where("A", of.a, at(of.b, *element)), in_c = where("composition", of.b, *element);
    const auto joins = [&](const std::pair<double, double>& from, const std::pair<double, double>& to, const Place& next) {
      const double reach = beside ? 0.5 : place("B").w / 2;
      const double at_from = beside ? arrow.y0 - from.second : arrow.x0 - from.first,
                   at_to = beside ? arrow.y1 - to.second : arrow.x1 - to.first;
      const bool between = beside ? arrow.x0 > from.first && arrow.x1 < next.x : arrow.y0 > from.second && arrow.y1 < next.y;
      return std::abs(at_from) < reach && std::abs(at_to) < reach && between;
    };
    if (!joins(in_b, in_a, place("A")) && !joins(in_a, in_c, place("composition"))) return "an arrow does not join its cells: " + said;
  }
  if (drawn != arrows) return "not each element that is followed has its two arrows";
  Int beyond = 0;
  for (Int i = 0; i < size(of.b); ++i) beyond += at(of.b, i) >= of_a || at(of.b, i) < 0 ? 1 : 0;
  if (beyond > 0) words.push_back(fmt::format("{} of B's values lie beyond A's {} elements", beyond, of_a));
  return wrong_words(picture, words);
}

Composition some_composition(Dice& dice) {
  for (;;) {
    Composition of{tessera::attack::some_layout(dice), tessera::attack::some_layout(dice), {}};
    if (dice.one_in(3)) of.b = Plain{dice.of({4, 8, 16}), 1};  // one mode, of which the result may make several
    if (size(of.a) > 200 || size(of.b) > 200) continue;
    const tessera::attack::Answer answer = tessera::attack::ask(fmt::format("composition({}, {})", to_text(of.a), to_text(of.b)));
    const auto function = tessera::attack::read_function(answer.text);
    if (answer.refused || !answer.warnings.empty() || !function) continue;
    bool right = true;  // another test asks the language
    for (Int i = 0; i < size(of.b); ++i) right = right && tessera::attack::at(*function, i) == at(of.a, at(of.b, i));
    if (!right) continue;
    for (Int k = dice.one_in(2) ? dice.between(1, 5) : 0; k > 0; --k) of.elements.push_back(dice.up_to(size(of.b) - 1));
    std::sort(of.elements.begin(), of.elements.end());
    of.elements.erase(std::unique(of.elements.begin(), of.elements.end()), of.elements.end());
    return of;
  }
}

}  // namespace

TEST_CASE("a divide's picture says of every cell which element it is, and of which tile", "[pictures]") {
  Dice dice(215);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Divide of = some_divide(dice);
    cases.push_back({fmt::format("divide_figure({}, {}, op={}, labels={})", to_text(of.layout), of.tiler, of.op, of.labels),
                     [of](const Picture& picture) { return wrong_divide(picture, of); }});
  }
  hold("divide", cases);
}

TEST_CASE("a product's picture says of every cell its offset, and which copy it is of", "[pictures]") {
  Dice dice(216);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Product of = some_product(dice);
    cases.push_back({fmt::format("product_figure({}, {}, op={}, labels={})", to_text(of.block), to_text(of.tiler), of.op, of.labels),
                     [of](const Picture& picture) { return wrong_product(picture, of); }});
  }
  hold("product", cases);
}

TEST_CASE("a composition's picture has at every coordinate of B what A has where B points", "[pictures]") {
  Dice dice(217);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Composition of = some_composition(dice);
    std::string figure = fmt::format("composition_figure({}, {}", to_text(of.a), to_text(of.b));
    if (!of.elements.empty()) figure += fmt::format(", elements=\"{}\"", fmt::join(of.elements, ","));
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_composition(picture, of); }});
  }
  hold("composition", cases);
}
