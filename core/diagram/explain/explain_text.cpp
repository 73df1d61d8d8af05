// SPDX-License-Identifier: BSD-3-Clause
// What is asked for, read from text; and what is explained, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"
#include "core/base/overloaded.hpp"
#include "core/diagram/explain/explain_cell.hpp"

namespace tessera {

namespace {

class PlaceReader {
 public:
  explicit PlaceReader(std::string_view text) : rest_(text) {}

  void skip_blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  std::optional<std::int64_t> number() {
    skip_blanks();
    std::int64_t n = 0;
    const auto [after, bad] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (bad != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(after - rest_.data()));
    return n;
  }
  // T3: the letter and a number; nothing is taken where it is something else.
  std::optional<std::int64_t> numbered(char letter) {
    skip_blanks();
    const std::string_view before = rest_;
    if (!rest_.empty() && (rest_.front() == letter || rest_.front() == (letter | 0x20))) {
      rest_.remove_prefix(1);
      if (!rest_.empty() && is_digit(rest_.front())) {
        if (const auto n = number()) return n;
      }
    }
    rest_ = before;
    return std::nullopt;
  }
  std::string word() {
    skip_blanks();
    std::size_t end = 0;
    while (end < rest_.size() && is_word(rest_[end])) ++end;
    std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return word;
  }
  bool begins_word() {
    skip_blanks();
    return !rest_.empty() && is_word(rest_.front()) && !is_digit(rest_.front());
  }
  // Modes between commas up to the bracket's end, which is taken.
  std::optional<Coord> tuple(int depth) {
    std::vector<IntTuple> modes;
    do {
      std::optional<Coord> mode = coord(depth + 1);
      if (!mode) return std::nullopt;
      modes.push_back(std::move(*mode));
    } while (take(','));
    if (!take(')')) return std::nullopt;
    return IntTuple::tuple(std::move(modes));
  }
  std::optional<Coord> coord(int depth = 0) {
    if (depth > kDeepestTuple) return std::nullopt;
    if (take('(')) return tuple(depth);
    if (const auto n = number()) return Coord(*n);
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

Error no_place(std::string_view text) {
  return Error{
      ErrorCode::parse,
      fmt::format("\"{}\" is no place in a figure", text),
      {},
      {"a coordinate is (5,2), ((1,0),3) or one number, 21; of one of several tiles A(5,2); a thread and value are T3 V1 or A T3 V1"}};
}

// Digits in groups of three, from the right.
std::string binary(std::int64_t number, int width) {
  const std::string digits = fmt::format("{:0{}b}", number, width);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ' ';
    out += digits[i];
  }
  return out;
}

Json json_of(const IntTuple& t) {  // nested lists of whole numbers; 2@1@0 is {"by":2,"of":[0,1]}
  if (t.is_tuple()) {
    Json::List modes;
    for (const IntTuple& mode : t.modes()) modes.push_back(json_of(mode));
    return modes;
  }
  if (!t.is_basis()) return t.value();
  Json::List path;
  for (int i = 0; i < t.path().length; ++i) path.emplace_back(static_cast<std::int64_t>(t.path().modes[static_cast<std::size_t>(i)]));
  return Json::object({{"by", t.value()}, {"of", std::move(path)}});
}

Json json_of(const Layout& layout) { return Json::object({{"shape", json_of(layout.shape())}, {"stride", json_of(layout.stride())}}); }

Json stages_of(const std::vector<CellRecipe::Stage>& stages) {
  Json::List list;
  for (const CellRecipe::Stage& stage : stages) {
    list.push_back(std::visit(Overloaded{[](const Layout& layout) { return json_of(layout); },
                                         [](const Swizzle& swizzle) {
                                           return Json::object({{"swizzle", Json::List{swizzle.bits(), swizzle.base(), swizzle.shift()}}});
                                         },
                                         [](const CellRecipe::Add& more) {
                                           return Json::object({{"add", json_of(more.elements)}});
                                         }},
                              stage));
  }
  return list;
}

}  // namespace

Result<CellPlace> read_place(std::string_view text) {
  PlaceReader reader(text);
  CellPlace place;
  const auto owner = [&]() -> bool {
    const auto thread = reader.numbered('T');
    if (!thread) return false;
    reader.take(',');
    const auto value = reader.numbered('V');
    if (!value || *thread > 0x7fffffff || *value > 0x7fffffff) return false;
    place.owner = Owner{static_cast<std::int32_t>(*thread), static_cast<std::int32_t>(*value)};
    return true;
  };
  if (!owner() && reader.begins_word()) {
    place.panel = reader.word();
    owner();
  }
  if (!place.owner) {
    place.coord = reader.coord();
    if (!place.coord) return no_place(text);
    std::vector<IntTuple> modes = {*place.coord};  // 5,2 without brackets
    while (reader.take(',')) {
      std::optional<Coord> next = reader.coord();
      if (!next) return no_place(text);
      modes.push_back(std::move(*next));
    }
    if (modes.size() > 1) place.coord = IntTuple::tuple(std::move(modes));
  }
  if (!reader.at_end()) return no_place(text);
  return place;
}

std::vector<std::string> lines_of(const SwizzleBits& bits) {
  std::string marks = binary(bits.flips, bits.width);
  for (char& c : marks) c = c == '1' ? '^' : ' ';
  marks.erase(marks.find_last_not_of(' ') + 1);
  std::vector<std::string> lines = {"in   " + binary(bits.in, bits.width), "xor  " + binary(bits.flips, bits.width),
                                    "out  " + binary(bits.out, bits.width)};
  if (!marks.empty()) lines.push_back("     " + marks);
  return lines;
}

std::string to_text(const ExplainedCell& cell) {
  std::string out = fmt::format("{} at {}\n", cell.of, cell.coordinate);
  std::size_t name = 0, from = 0, to = 0;
  for (const ExplainStep& step : cell.steps) {
    name = std::max(name, step.name.size());
    from = std::max(from, step.from.size());
    to = std::max(to, step.to.size());
  }
  for (const ExplainStep& step : cell.steps) {
    std::string line = fmt::format("  {:<{}}  {:>{}} -> {:<{}}  {}", step.name, name, step.from, from, step.to, to, step.rule);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (!step.swizzle) continue;
    for (const std::string& bits : lines_of(*step.swizzle)) out += fmt::format("  {:<{}}  {}\n", "", name, bits);
  }
  for (const std::string& note : cell.notes) out += fmt::format("  {}\n", note);
  return out;
}

Json to_json(const ExplainedCell& cell) {
  Json::List steps;
  for (const ExplainStep& step : cell.steps) {
    Json::Members members = {{"name", step.name}, {"from", step.from}, {"to", step.to}, {"rule", step.rule}};
    if (step.from_coordinate) members.push_back({"from_coordinate", true});
    if (step.swizzle) {
      const SwizzleBits& of = *step.swizzle;
      members.push_back({"bits", Json::object({{"in", of.in},
                                               {"flips", of.flips},
                                               {"out", of.out},
                                               {"count", of.bits},
                                               {"read", of.read},
                                               {"flip", of.flip},
                                               {"width", of.width},
                                               {"lines", lines_of(of)}})});
    }
    steps.push_back(Json::object(std::move(members)));
  }
  return Json::object(
      {{"of", cell.of}, {"coordinate", cell.coordinate}, {"offset", cell.offset}, {"steps", std::move(steps)}, {"notes", cell.notes}});
}

Json to_json(const CellRecipe& recipe) {
  constexpr const char* kMemories[] = {"", "shared", "global", "other"};
  Json::Members members = {
      {"of", recipe.of},     {"shape", json_of(recipe.shape)}, {"stages", stages_of(recipe.stages)},
      {"bits", recipe.bits}, {"begins", recipe.byte_offset},   {"memory", kMemories[static_cast<std::size_t>(recipe.memory)]}};
  if (recipe.thread_mode >= 0) members.push_back({"thread_mode", recipe.thread_mode});
  if (recipe.value_mode >= 0) members.push_back({"value_mode", recipe.value_mode});
  if (recipe.thread) members.push_back({"thread", *recipe.thread});
  if (recipe.holders) {
    const CellRecipe::Holders& holders = *recipe.holders;
    Json::Members held = {{"verb", holders.verb}, {"nobody", holders.nobody}};
    if (holders.layout_tv) {
      held.push_back({"tv", to_string(*holders.layout_tv)});
      held.push_back({"stages", stages_of(stages_of_chain(*holders.layout_tv))});
      held.push_back({"gives_offset", holders.gives_offset});
    }
    const CellRecipe::Instruction& of = holders.instruction;
    if (!of.name.empty()) {
      held.push_back({"instruction", Json::object({{"name", of.name},
                                                   {"values", of.values},
                                                   {"letter", of.letter},
                                                   {"value_bits", of.value_bits},
                                                   {"register_bits", of.register_bits}})});
    }
    members.push_back({"holders", Json::object(std::move(held))});
  }
  return Json::object(std::move(members));
}

}  // namespace tessera
