// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/owners.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::pictures::owned {

namespace {

constexpr Int kWarp = 32, kQuad = 4;

std::string label_of(const Who& who, const Style& style, Int row, Int col, Int offset) {
  if (style.labels == "coordinate") return fmt::format("{},{}", row, col);
  if (style.labels == "offset") return offset < 0 ? "" : std::to_string(offset);
  if (who.thread < 0) return "";
  if (style.labels == "tv") return fmt::format("T{}\nV{}", who.thread, who.value);
  if (style.labels == "thread") return fmt::format("T{}", who.thread);
  if (style.labels == "value") return fmt::format("V{}", who.value);
  return "";
}

}  // namespace

Int Tile::threads() const {
  std::set<Int> all;
  for (const std::vector<Who>& owners : of) {
    for (const Who& who : owners) all.insert(who.thread);
  }
  return static_cast<Int>(all.size());
}

Tile nobodys(Int rows, Int cols) { return {rows, cols, std::vector<std::vector<Who>>(static_cast<std::size_t>(rows * cols))}; }

void add(Tile& tile, Int index, Who who) {
  std::vector<Who>& owners = tile.of.at(static_cast<std::size_t>(index));
  owners.insert(std::upper_bound(owners.begin(), owners.end(), who), who);
}

Lit some_highlight(attack::Dice& dice, const Tile& tile, bool cells) {
  Lit lit;
  std::vector<Who> all;
  for (const std::vector<Who>& owners : tile.of) all.insert(all.end(), owners.begin(), owners.end());
  const Int what = dice.up_to(cells ? 6 : 4);
  if (what < 5 && all.empty()) return lit;
  const Who who = what < 5 ? dice.of(all) : Who{};
  const Int row = dice.up_to(tile.rows - 1), col = dice.up_to(tile.cols - 1), last = std::min(tile.rows - 1, row + 2);
  lit.of_owners = what < 5;
  switch (what) {
    case 0:
      lit.parameter = fmt::format("thread={}", who.thread);
      lit.owner = [who](const Who& each) { return each.thread == who.thread; };
      break;
    case 1:
      lit.parameter = fmt::format("highlight=\"T{}-{}\"", who.thread, who.thread + 2);
      lit.owner = [who](const Who& each) { return each.thread >= who.thread && each.thread <= who.thread + 2; };
      break;
    case 2:
      lit.parameter = fmt::format("highlight=W{}", who.thread / kWarp);
      lit.owner = [who](const Who& each) { return each.thread / kWarp == who.thread / kWarp; };
      break;
    case 3:
      lit.parameter = fmt::format("highlight=Q{}", who.thread / kQuad);
      lit.owner = [who](const Who& each) { return each.thread / kQuad == who.thread / kQuad; };
      break;
    case 4:
      lit.parameter = fmt::format("highlight=V{}", who.value);
      lit.owner = [who](const Who& each) { return each.value == who.value; };
      break;
    case 5:
      lit.parameter = fmt::format("highlight=\"rows={}-{}\"", row, last);
      lit.cell = [row, last](Int r, Int) { return r >= row && r <= last; };
      break;
    default:
      lit.parameter = fmt::format("highlight=\"({},{})\"", row, col);
      lit.cell = [row, col](Int r, Int c) { return r == row && c == col; };
      break;
  }
  return lit;
}

std::vector<Wanted> wanted_cells(const Tile& tile, const Style& style) {
  const bool any = std::any_of(tile.of.begin(), tile.of.end(), [](const auto& owners) { return !owners.empty(); });
  const bool lights = !style.lit.parameter.empty() && (any || !style.lit.of_owners);
  std::vector<Wanted> wanted;
  for (Int row = 0; row < tile.rows; ++row) {
    for (Int col = 0; col < tile.cols; ++col) {
      const Int down = style.turned ? col : row, across = style.turned ? row : col;
      if (down < style.first_row || (style.rows >= 0 && down >= style.first_row + style.rows)) continue;
      if (across < style.first_col || (style.cols >= 0 && across >= style.first_col + style.cols)) continue;
      std::vector<Who> owners = tile.at(row, col);
      const auto chosen = std::find_if(owners.begin(), owners.end(), style.lit.owner);
      if (chosen != owners.end()) std::rotate(owners.begin(), chosen, chosen + 1);
      Wanted cell{down - style.first_row, across - style.first_col, {}, {}, false};
      const Int offset = style.offset ? style.offset(row, col) : -1;
      Link link;
      link.row = row, link.col = col;
      if (style.offset)
        link.offset = std::max<Int>(offset, -1), link.bank = bank_at(offset, style.bits, style.byte_offset), link.tensor = style.tensor;
      cell.label = label_of(owners.empty() ? Who{} : owners.front(), style, row, col, offset);
      if (owners.empty()) cell.links.push_back(link);
      for (const Who& who : owners) {
        link.thread = who.thread, link.value = who.value;
        cell.links.push_back(link);
      }
      cell.faint = lights && chosen == owners.end() && !style.lit.cell(row, col);
      wanted.push_back(std::move(cell));
    }
  }
  return wanted;
}

std::string wrong_share(const Picture& picture, std::string_view verb, const Tile& tile) {
  std::map<Int, std::set<std::size_t>> cells;  // of each thread
  for (std::size_t i = 0; i < tile.of.size(); ++i) {
    for (const Who& who : tile.of[i]) cells[who.thread].insert(i);
  }
  if (cells.empty()) return {};
  std::size_t least = tile.of.size(), most = 0;
  for (const auto& [thread, has] : cells) least = std::min(least, has.size()), most = std::max(most, has.size());
  const std::string words = words_below(picture);
  static const std::regex share(
      R"((?:([Ee]ach of (\d+) threads)|[Oo]ne thread) (\w+) (?:(\d+)(?: to (\d+))? of the (\d+)|all (\d+)|the one) element)");
  for (auto at = std::sregex_iterator(words.begin(), words.end(), share); at != std::sregex_iterator(); ++at) {
    const std::smatch& found = *at;
    if (found[3].str() != verb) continue;
    const auto number = [&](std::size_t group, std::size_t otherwise) {
      return found[group].matched ? std::stoull(found[group].str()) : otherwise;
    };
    const std::size_t all = number(6, number(7, 1)), low = number(4, all), high = number(5, low);
    if (number(2, 1) == cells.size() && all == tile.of.size() && low == least && high == most) return {};
    return fmt::format("\"{}\", but {} threads have {} to {} of {}", found.str(), cells.size(), least, most, tile.of.size());
  }
  return fmt::format("how much each thread {} is not said: {}", verb, words);
}

std::string wrong_owner_colors(const Picture& picture, std::string_view by) {
  const auto key_of = [&](const Link& link) -> std::optional<Int> {
    if (link.thread < 0) return std::nullopt;
    return by == "value" ? link.value : by == "warp" ? link.thread / kWarp : by == "quad" ? link.thread / kQuad : link.thread;
  };
  std::map<Int, std::string> known;
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name == "caption" || panel.id.ends_with("warps")) continue;
    const auto key = [&](const CellDrawn& cell) { return cell.links.empty() || cell.faint ? std::nullopt : key_of(cell.links.front()); };
    if (std::string wrong = wrong_colors(panel, key, known); !wrong.empty()) return wrong;
  }
  // A swatch is called by the number that its words say: each one's own, or that of a group, whose strongest shade it has.
  const std::string words = words_below(picture);
  static const std::regex grouped(R"(hue: [^\n;]*? div (\d+)( mod 8)?; shade)");
  std::smatch found;
  const Int group = std::regex_search(words, found, grouped) ? std::stoll(found[1]) : 1;
  // Where numbers have gaps their places among those that take part count, which are known where all of them are drawn.
  static const std::regex by_place(R"(place of \w among the (\d+) )");
  std::vector<Int> places;
  for (const auto& [key, color] : known) places.push_back(key);
  const bool is_of_places = std::regex_search(words, found, by_place);
  if (is_of_places && std::stoull(found[1]) != places.size()) return {};
  for (const auto& [number, color] : swatches(picture)) {
    const Int last = number * group + group - 1;
    if (is_of_places && last >= static_cast<Int>(places.size())) continue;
    const auto at = known.find(is_of_places ? places[static_cast<std::size_t>(last)] : last);
    if (at != known.end() && at->second != color)
      return fmt::format("swatch {} has the colour {}, and its cells have {}", number, color, at->second);
  }
  return {};
}

bool is_in_registers(const MmaAtom& atom, Operand operand) {
  if (operand == Operand::c) return atom.kind != MmaKind::umma;
  return (operand == Operand::a ? atom.source_a : atom.source_b) == OperandSource::registers;
}

std::optional<Tile> tile_of(const TiledMma& mma, Operand operand, Int rows, Int cols) {
  Tile tile = nobodys(rows, cols);
  if (!is_in_registers(mma.atom(), operand)) return tile;
  const Layout places = Layout::make_compact(IntTuple::tuple({rows, cols})).value();  // (row, col) -> row + rows * col
  for (const std::int64_t thread : mma.thread_ids()) {
    const Result<SliceAndOffset> part = mma.partition(operand, AnyLayout(places), thread);
    if (!part) return std::nullopt;
    for (Int value = 0; value < size(part->layout); ++value)
      add(tile, evaluate(part->layout, value) + part->offset.value(), {thread, value});
  }
  return tile;
}

void ask(std::vector<Question>& questions, attack::Dice& dice, const std::string& expression, const std::string& panel, const Tile& tile) {
  questions.push_back({expression, panel, tile, dice.up_to(tile.rows - 1), dice.up_to(tile.cols - 1)});
}

namespace {

// What is wrong with the step "thread" of an answer.
std::string wrong_thread(const nlohmann::json& answer, const Question& asked) {
  if (answer.at("coordinate") != fmt::format("({},{})", asked.row, asked.col)) return "another cell is explained: " + answer.dump();
  const auto& steps = answer.at("steps");
  const auto step = std::find_if(steps.begin(), steps.end(), [](const auto& each) { return each.at("name") == "thread"; });
  if (step == steps.end()) return "no thread is named: " + answer.dump();
  const std::vector<Who>& owners = asked.tile.at(asked.row, asked.col);
  const auto name = [](const Who& who) { return fmt::format("T{} V{}", who.thread, who.value); };
  if (step->at("to") != (owners.empty() ? "no thread" : name(owners.front()))) return "another thread is named: " + answer.dump();
  constexpr std::size_t kNamed = 4;
  std::string also;
  for (std::size_t i = 1; i < owners.size() && i <= kNamed; ++i) also += (i == 1 ? "; also " : ", ") + name(owners[i]);
  if (owners.size() > kNamed + 1) also += fmt::format(" and {} more", owners.size() - kNamed - 1);
  const std::string rule = step->at("rule"), said = rule.find("; also ") == std::string::npos ? "" : rule.substr(rule.find("; also "));
  if (said != also) return fmt::format("others are \"{}\", not \"{}\": {}", said, also, answer.dump());
  if (owners.empty()) return "";
  const std::string lane = fmt::format("warp {}, lane {}", owners.front().thread / kWarp, owners.front().thread % kWarp);
  return (step + 1)->at("to") == lane ? "" : "another lane is named: " + answer.dump();
}

}  // namespace

void hold_explained(std::string_view kind, const std::vector<Question>& questions) {
  const test::TemporaryFolder home;
  std::string run = "set -e\n";  // a file: one line would be too long for an argument
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& each = questions[i];
    test::put(home / fmt::format("{}.tess", i), fmt::format("let asked = {}\n", each.expression));
    const std::string explain = fmt::format("tessera explain-cell asked --file {}.tess --json --at", i);
    run += fmt::format("{} '{}({},{})' > {}.json\n", explain, each.panel, each.row, each.col, i);
    const std::vector<Who>& owners = each.tile.at(each.row, each.col);
    if (!owners.empty() && each.panel.size() != 2)  // of offsets no coordinate is looked for
      run += fmt::format("{} '{} T{} V{}' > {}.back\n", explain, each.panel, owners.back().thread, owners.back().value, i);
  }
  test::put(home / "run.sh", run);
  const test::Run done = test::shell_in(home.path(), ". ./run.sh");
  INFO(done.err);
  REQUIRE(done.code == 0);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    CAPTURE(questions[i].expression, questions[i].panel);
    CHECK(wrong_thread(nlohmann::json::parse(test::contents(home / fmt::format("{}.json", i))), questions[i]) == "");
    const auto back = home / fmt::format("{}.back", i);
    if (!std::filesystem::exists(back)) continue;
    CHECK(nlohmann::json::parse(test::contents(back)).at("coordinate") == fmt::format("({},{})", questions[i].row, questions[i].col));
  }
  std::puts(fmt::format("explain-cell of {}: {} cells", kind, questions.size()).c_str());
}

template <class T>
std::optional<T> value_of(const std::string& expression) {
  const Result<Value> value = evaluate(expression);
  if (!value) return std::nullopt;
  if constexpr (std::is_same_v<T, TiledMma> || std::is_same_v<T, TiledCopy> || std::is_same_v<T, GemmSpec>) {
    const auto* held = std::get_if<std::shared_ptr<const T>>(&value->any);
    return held ? std::optional<T>(**held) : std::nullopt;
  } else {
    const auto* held = std::get_if<T>(&value->any);
    return held ? std::optional<T>(*held) : std::nullopt;
  }
}
template std::optional<TiledMma> value_of<TiledMma>(const std::string&);
template std::optional<TiledCopy> value_of<TiledCopy>(const std::string&);
template std::optional<GemmSpec> value_of<GemmSpec>(const std::string&);
template std::optional<Layout> value_of<Layout>(const std::string&);
template std::optional<ComposedLayout> value_of<ComposedLayout>(const std::string&);
template std::optional<MmaAtom> value_of<MmaAtom>(const std::string&);
template std::optional<CopyAtom> value_of<CopyAtom>(const std::string&);

namespace {

// One mode of a permutation: so many elements in any order of some of their factors.
std::string some_permutation(attack::Dice& dice, Int extent) {
  if (dice.one_in(3) || extent % 4 != 0) return std::to_string(extent);
  std::vector<Int> factors{dice.of({2, 4}), 2};
  if (extent % (factors[0] * 2) != 0) return std::to_string(extent);
  factors.push_back(extent / factors[0] / 2);
  std::vector<std::size_t> order{0, 1, 2};
  for (std::size_t k = 3; k-- > 1;) std::swap(order[k], order[static_cast<std::size_t>(dice.up_to(static_cast<Int>(k)))]);
  std::vector<Int> strides(3);
  Int reached = 1;
  for (const std::size_t k : order) strides[k] = reached, reached *= factors[k];
  return fmt::format("({},{},{}):({},{},{})", factors[0], factors[1], factors[2], strides[0], strides[1], strides[2]);
}

}  // namespace

SomeMma some_mma(attack::Dice& dice, Int most_cells) {
  static const std::map<std::string, std::vector<std::string>> names = [] {  // by architecture and kind
    std::map<std::string, std::vector<std::string>> made;
    for (const std::string& name : mma_atom_names()) {
      const auto atom = find_mma_atom(name);
      if (!atom || !atom->refusal_a.empty()) continue;
      made[fmt::format("{} {}{}", to_string(atom->arch), to_string(atom->kind), atom->sparse ? " sparse" : "")].push_back(name);
    }
    return made;
  }();
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> made;
    for (const auto& [kind, of] : names) made.push_back(kind);
    return made;
  }();
  for (;;) {
    SomeMma some;
    some.atom = dice.of(names.at(dice.of(kinds)));
    const auto atom = find_mma_atom(some.atom);
    Int shape[3], threads[3], reached = 1;
    for (std::size_t k = 0; k < 3; ++k) shape[k] = shape_extent(*atom, k);
    const bool alone = dice.one_in(5);
    std::array<std::size_t, 3> order{0, 1, 2};
    for (std::size_t k = 3; k-- > 1;) std::swap(order[k], order[static_cast<std::size_t>(dice.up_to(static_cast<Int>(k)))]);
    Int strides[3];
    for (const std::size_t k : order) {
      threads[k] = alone ? 1 : k == 2 ? dice.of({1, 1, 1, 2}) : dice.of({1, 1, 2, 2, 3});
      strides[k] = threads[k] == 1 ? 0 : reached;
      reached *= threads[k];
    }
    std::string permutations;
    for (std::size_t k = 0; k < 3; ++k) {
      some.extent[k] = shape[k] * threads[k];
      std::string words = "_";
      if (!alone && dice.one_in(2)) {
        some.extent[k] *= dice.of({1, 1, 2});
        words = some_permutation(dice, some.extent[k]);
      }
      permutations += (k ? "," : "") + words;
    }
    const auto [m, n, k] = some.extent;
    if (std::max({m * n, m * k, n * k}) > most_cells) continue;
    some.text = alone && dice.one_in(2) ? some.atom
                                        : fmt::format("make_tiled_mma({}, ({},{},{}):({},{},{}), ({}))", some.atom, threads[0], threads[1],
                                                      threads[2], strides[0], strides[1], strides[2], permutations);
    some.mma = value_of<TiledMma>(some.text == some.atom ? fmt::format("make_tiled_mma({})", some.atom) : some.text);
    // Where two logical threads are one, the MMA itself is refused.
    if (some.mma && static_cast<std::int64_t>(some.mma->thread_ids().size()) == some.mma->num_threads()) return some;
  }
}

}  // namespace tessera::pictures::owned
