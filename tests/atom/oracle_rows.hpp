// SPDX-License-Identifier: BSD-3-Clause
// Reading tests/oracle: facts that CuTe itself computed, one JSON object a line.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/atom_text.hpp"
#include "core/layout/tiler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

namespace tessera::oracle {

using Row = nlohmann::json;

inline std::vector<Row> rows(const std::string& file) {
  std::ifstream in(test::source_dir() + "/tests/oracle/" + file);
  std::vector<Row> all;
  for (std::string line; std::getline(in, line);) all.push_back(Row::parse(line));
  return all;
}

inline std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Counts how many answers were asked and which differ, so that one failing row does not hide the others.
class Tally {
 public:
  void same(const Row& row, const std::string& field, const std::string& got, const std::string& want) {
    ++asked_;
    if (without_spaces(got) == without_spaces(want)) return;
    ++wrong_;
    if (wrong_ <= 8) UNSCOPED_INFO(name(row) << " " << field << ": " << got << " for " << want);
  }
  void refused(const Row& row, const std::string& field, bool was) {
    ++asked_;
    if (was) return;
    ++wrong_;
    if (wrong_ <= 8) UNSCOPED_INFO(name(row) << " " << field << " should be refused");
  }
  // `value` is a Result of something with to_string.
  template <class R>
  void same_value(const Row& row, const std::string& field, const R& value, const std::string& want) {
    if (value.has_value()) return same(row, field, to_string(value.value()), want);
    same(row, field, "refused: " + value.error().message, want);
  }
  std::size_t asked() const { return asked_; }
  std::size_t wrong() const { return wrong_; }

 private:
  static std::string name(const Row& row) {
    return row.contains("id") ? row["id"].get<std::string>() : row["cute_type"].get<std::string>();
  }
  std::size_t asked_ = 0, wrong_ = 0;
};

// CuTe's C++ spelling in the rows' arguments: Layout<Shape<_32,_4>,Stride<_4,_1>>, or shape:stride.
inline Layout layout_argument(std::string text) {
  text = without_spaces(text);
  if (!text.starts_with("Layout<")) return parse_layout_text(text).value();
  std::string flat = text.substr(7, text.size() - 8);
  const auto tuples = [](std::string s) {
    for (const std::string word : {"Shape", "Stride"}) {
      for (auto at = s.find(word + "<"); at != std::string::npos; at = s.find(word + "<")) s.replace(at, word.size() + 1, "(");
    }
    for (char& c : s) {
      if (c == '>') c = ')';
    }
    return s;
  };
  const auto split = flat.find(",Stride");
  if (split == std::string::npos) return Layout::make_compact(parse_int_tuple_text(tuples(flat)).value()).value();
  return Layout::make(parse_int_tuple_text(tuples(flat.substr(0, split))).value(),
                      parse_int_tuple_text(tuples(flat.substr(split + 1))).value())
      .value();
}

// "(_,(2,16):(1,2),4)" -> a tuple tiler. Splits at the top level and reads each part.
inline Tiler permutation_argument(std::string text) {
  text = without_spaces(text);
  std::vector<Tiler> modes;
  int level = 0;
  std::string part;
  const auto finish = [&] {
    if (part == "_") {
      modes.emplace_back(Underscore{});
    } else if (part.find(':') != std::string::npos) {
      modes.emplace_back(parse_layout_text(part).value());
    } else {
      modes.push_back(to_tiler(parse_int_tuple_text(part).value()));
    }
    part.clear();
  };
  for (const char c : text.substr(1, text.size() - 2)) {
    if (c == '(') ++level;
    if (c == ')') --level;
    if (c == ',' && level == 0) {
      finish();
    } else {
      part.push_back(c);
    }
  }
  finish();
  return Tiler(std::move(modes));
}

}  // namespace tessera::oracle
