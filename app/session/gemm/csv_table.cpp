// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/csv_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/gemm/measurement_csv.hpp"
#include "core/base/characters.hpp"
#include "core/base/literal.hpp"
#include "core/base/number_text.hpp"

namespace tessera {
namespace {

struct Column {
  std::string name;
  std::vector<std::string> cells;  // as in the file; empty: nothing is there
};

bool counts(const Column& column) {
  return std::all_of(column.cells.begin(), column.cells.end(), [](const auto& cell) { return number_in<double>(cell).has_value(); });
}

std::size_t different(const Column& column) { return std::set<std::string>(column.cells.begin(), column.cells.end()).size(); }

// "p 10 (us)" -> "p_10__us_", which the language takes as a name.
std::string as_name(std::string_view text, std::size_t place) {
  std::string made;
  for (const char c : text) made += is_word(c) ? c : '_';
  if (made.empty()) return fmt::format("column_{}", place + 1);
  return is_digit(made.front()) ? "_" + made : made;
}

std::string as_value(const std::string& cell) {
  if (cell.empty()) return "_";
  if (number_in<double>(cell)) return cell;
  return quoted_literal(cell);
}

std::string table_text(const std::vector<Column>& columns, std::size_t parameters) {
  std::string text = "table(";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += fmt::format("{}{}=(", i == 0 ? "" : ", ", columns[i].name);
    for (std::size_t row = 0; row < columns[i].cells.size(); ++row)
      text += fmt::format("{}{}", row == 0 ? "" : ",", as_value(columns[i].cells[row]));
    text += ")";
    if (i + 1 == parameters && parameters > 1) text += fmt::format(", parameters={}", parameters);
  }
  return text + ")";
}

Status check_numbers(const std::vector<Column>& columns, std::string_view name) {
  for (const Column& column : columns) {
    for (std::size_t row = 0; row < column.cells.size(); ++row) {
      const std::optional<double> value = number_in<double>(column.cells[row]);
      if (!value || std::isfinite(*value)) continue;
      return Error{ErrorCode::out_of_range,
                   fmt::format("{}, row {}: {} is {}, which has no place in a chart", name, row + 1, column.name, column.cells[row]),
                   {},
                   {"leave the cell empty where there is no number"}};
    }
  }
  return Done{};
}

// "stages=3 cluster=(2,1)" -> stages: 3, cluster: (2,1)
std::map<std::string, std::string> fields_in(std::string_view set) {
  std::map<std::string, std::string> made;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= set.size(); ++i) {
    const char c = i < set.size() ? set[i] : ' ';
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c != ' ' || (depth > 0 && i < set.size())) continue;
    const std::string_view field = set.substr(begin, i - begin);
    if (const std::size_t sign = field.find('='); sign != std::string_view::npos)
      made[std::string(field.substr(0, sign))] = field.substr(sign + 1);
    begin = i + 1;
  }
  return made;
}

class Measured {
 public:
  Measured(std::vector<CsvRow> rows, std::string_view name) : rows_(std::move(rows)), name_(name) {}

  Result<CsvTable> table() {
    std::vector<Column> where = places();
    keep_the_last(where);
    std::vector<Column> columns = where;
    const std::size_t parameters = columns.size();
    add_numbers(columns);
    TESSERA_CHECK(check_numbers(columns, name_));
    if (columns.size() == parameters) {
      std::string why;
      for (const CsvRow& row : rows_) why = why.empty() ? cell(row, "refused") : why;
      return Error{ErrorCode::out_of_range,
                   fmt::format("no row of {} has a time", name_),
                   {},
                   why.empty() ? std::vector<std::string>() : std::vector<std::string>{"refused: " + why}};
    }
    return CsvTable{table_text(columns, parameters), counts(columns.front()) && different(columns.front()) > 1 ? "series" : "chart"};
  }

 private:
  static std::string cell(const CsvRow& row, std::string_view column) {
    const CsvRow& names = measurement_columns();
    return row[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())];
  }

  // The columns in which rows differ: one or two of them.
  std::vector<Column> places() const {
    std::vector<Column> all;
    const bool cubes = std::all_of(rows_.begin(), rows_.end(),
                                   [](const CsvRow& row) { return cell(row, "m") == cell(row, "n") && cell(row, "m") == cell(row, "k"); });
    for (const char* name : {"m", "n", "k", "gemm"}) {
      if (cubes && (name == std::string_view("n") || name == std::string_view("k"))) continue;
      all.push_back({cubes && name == std::string_view("m") ? "size" : name, {}});
      for (const CsvRow& row : rows_) all.back().cells.push_back(cell(row, name));
    }
    std::set<std::string> fields;
    for (const CsvRow& row : rows_) {
      for (const auto& [field, value] : fields_in(cell(row, "set"))) fields.insert(field);
    }
    for (const std::string& field : fields) {
      all.push_back({as_name(field, 0), {}});
      for (const CsvRow& row : rows_) {
        const auto set = fields_in(cell(row, "set"));
        const auto found = set.find(field);
        all.back().cells.push_back(found == set.end() ? "as written" : found->second);
      }
    }
    std::erase_if(all, [](const Column& column) { return different(column) < 2; });
    if (all.empty()) {  // one point
      all.push_back({"gemm", {}});
      for (const CsvRow& row : rows_) all.back().cells.push_back(cell(row, "gemm"));
    }
    // Numbers before words, those with the most values first.
    std::stable_sort(all.begin(), all.end(),
                     [](const Column& a, const Column& b) { return counts(a) != counts(b) ? counts(a) : different(a) > different(b); });
    drop_followers(all);
    if (all.size() <= 2) return all;
    Column rest{"others", std::vector<std::string>(rows_.size())};
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (std::size_t row = 0; row < rows_.size(); ++row)
        rest.cells[row] += fmt::format("{}{} {}", i == 1 ? "" : ", ", all[i].name, all[i].cells[row]);
    }
    return {all.front(), rest};
  }

  // What is the same wherever another column is the same says nothing beside it.
  static void drop_followers(std::vector<Column>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size();) {
        std::set<std::pair<std::string, std::string>> pairs;
        for (std::size_t row = 0; row < all[i].cells.size(); ++row) pairs.insert({all[i].cells[row], all[j].cells[row]});
        if (pairs.size() == different(all[i]))
          all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
        else
          ++j;
      }
    }
  }

  void keep_the_last(std::vector<Column>& where) {
    std::map<std::vector<std::string>, std::size_t> last;
    const auto place = [&](std::size_t row) {
      std::vector<std::string> at;
      for (const Column& column : where) at.push_back(column.cells[row]);
      return at;
    };
    for (std::size_t row = 0; row < rows_.size(); ++row) last[place(row)] = row;
    std::vector<CsvRow> rows;
    std::vector<Column> kept = where;
    for (Column& column : kept) column.cells.clear();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (last[place(row)] != row) continue;
      for (std::size_t i = 0; i < where.size(); ++i) kept[i].cells.push_back(where[i].cells[row]);
      rows.push_back(rows_[row]);
    }
    rows_ = std::move(rows);
    where = std::move(kept);
  }

  void add_numbers(std::vector<Column>& columns) const {
    struct Number {
      const char *name, *from;
    };
    constexpr Number kNumbers[] = {{"tflops", "tflops"},
                                   {"tflops_spread_percent", "spread_percent"},
                                   {"ratio", "ratio"},
                                   {"ratio_noise", "noise"},
                                   {"median_us", "median_us"},
                                   {"median_us_spread_percent", "spread_percent"},
                                   {"baseline_us", "baseline_us"},
                                   {"baseline_us_spread_percent", "baseline_spread_percent"},
                                   {"best_ratio", "best_ratio"}};
    for (const Number& number : kNumbers) {
      Column column{number.name, {}};
      for (const CsvRow& row : rows_) column.cells.push_back(cell(row, "correct") == "no" ? "" : cell(row, number.from));
      const bool any = std::any_of(column.cells.begin(), column.cells.end(),
                                   [](const std::string& text) { return number_in<double>(text).has_value(); });
      if (any) columns.push_back(std::move(column));
    }
  }

  std::vector<CsvRow> rows_;
  std::string_view name_;
};

}  // namespace

Result<CsvTable> csv_table(std::string_view csv, std::string_view name) {
  auto rows = read_csv(csv);
  if (!rows) return Error{rows.error().code, fmt::format("{}: {}", name, rows.error().message), {}, {}};
  if (rows->size() < 2)
    return Error{ErrorCode::out_of_range,
                 fmt::format("{} has {}: a chart is of rows of numbers below a row of names", name,
                             rows->empty() ? "no rows" : "no row below its names"),
                 {},
                 {"tessera gemm sweep ... --csv FILE writes such a file"}};
  const CsvRow names = rows->front();
  rows->erase(rows->begin());
  for (std::size_t row = 0; row < rows->size(); ++row) {
    if ((*rows)[row].size() == names.size()) continue;
    return Error{ErrorCode::corrupt,
                 fmt::format("{}, row {}: it has {} fields, and {} columns are named", name, row + 1, (*rows)[row].size(), names.size()),
                 {},
                 {}};
  }
  if (names == measurement_columns()) return Measured(std::move(*rows), name).table();
  if (names.size() < 2)
    return Error{ErrorCode::out_of_range, fmt::format("{} has one column: a chart needs one that says where, and numbers", name), {}, {}};
  std::vector<Column> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({as_name(names[i], i), {}});
    for (const CsvRow& row : *rows) columns.back().cells.push_back(row[i]);
  }
  TESSERA_CHECK(check_numbers(columns, name));
  if (std::none_of(columns.begin() + 1, columns.end(), [](const Column& column) {
        return std::any_of(column.cells.begin(), column.cells.end(),
                           [](const std::string& text) { return number_in<double>(text).has_value(); });
      }))
    return Error{ErrorCode::out_of_range, fmt::format("{} has no numbers behind its first column", name), {}, {}};
  return CsvTable{table_text(columns, 1), counts(columns.front()) && different(columns.front()) > 1 ? "series" : "chart"};
}

}  // namespace tessera
