// SPDX-License-Identifier: BSD-3-Clause
// A combination is told from another by its name, its extents and what --set says: the columns that a refused row has too.
#include "app/session/gemm/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/number_text.hpp"
#include "core/gemm/spec_fields.hpp"

namespace tessera {
namespace {

std::vector<std::string> parted(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    if (c == ',' && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Result<std::int64_t> extent_of(const FieldText& value) {
  if (const std::optional<std::int64_t> extent = number_in<std::int64_t>(value.text); extent && *extent > 0) return *extent;
  return Error{
      ErrorCode::bad_spec, fmt::format("{} = {} is no extent: it must be a positive whole number", value.field, value.text), {}, {}};
}

std::size_t column(std::string_view name) {
  const CsvRow& names = measurement_columns();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

Result<SweepAxis> parse_axis(std::string_view text) {
  TESSERA_TRY(given, parse_field_text(text));
  SweepAxis axis{given.field, parted(given.text)};
  for (const std::string& value : axis.values) {
    if (value.find_first_not_of(' ') != std::string::npos) continue;
    return Error{ErrorCode::parse, fmt::format("\"{}\" has a comma without a value beside it", text), {}, {"--set stages=2,3,4"}};
  }
  return axis;
}

Result<std::vector<std::vector<FieldText>>> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<FieldText>> made(1);
  for (const SweepAxis& axis : axes) {
    const auto same = [&](const SweepAxis& other) { return other.field == axis.field; };
    if (std::count_if(axes.begin(), axes.end(), same) > 1)
      return Error{ErrorCode::bad_spec, fmt::format("{} is given values twice; write them as one list", axis.field), {}, {}};
    if (made.size() * axis.values.size() > kMostCombinations) {
      return Error{ErrorCode::limit,
                   fmt::format("there are more than {} combinations", kMostCombinations),
                   {},
                   {"sweep fewer fields at once; --csv with the same file collects them"}};
    }
    std::vector<std::vector<FieldText>> longer;
    for (const std::vector<FieldText>& before : made) {
      for (const std::string& value : axis.values) {
        longer.push_back(before);
        longer.back().push_back({axis.field, value});
      }
    }
    made = std::move(longer);
  }
  return made;
}

Result<GemmRequest> with_values(GemmRequest request, const std::vector<FieldText>& values) {
  for (const FieldText& value : values) {
    std::optional<std::int64_t>* extent = value.field == "m"   ? &request.m
                                          : value.field == "n" ? &request.n
                                          : value.field == "k" ? &request.k
                                                               : nullptr;
    if (extent == nullptr) {
      request.set.push_back(value);
      continue;
    }
    TESSERA_TRY(number, extent_of(value));
    *extent = number;
  }
  return request;
}

CsvRow refused_row(const GemmSpec& base, const GemmRequest& request, const std::string& reason) {
  GemmSpec spec = base;
  spec.m = request.m.value_or(base.m), spec.n = request.n.value_or(base.n), spec.k = request.k.value_or(base.k);
  return refused_row(spec, request.set, reason);
}

bool has_row(const std::vector<CsvRow>& rows, const GemmSpec& base, const GemmRequest& request) {
  const CsvRow wanted = refused_row(base, request, "");
  const std::size_t refused = column("refused");
  return std::any_of(rows.begin(), rows.end(), [&](const CsvRow& row) {
    if (row.size() != wanted.size()) return false;
    for (const char* name : {"gemm", "m", "n", "k", "set"}) {
      if (row[column(name)] != wanted[column(name)]) return false;
    }
    return !row[column("median_us")].empty() || row[column("correct")] == "no" || !row[refused].empty();
  });
}

}  // namespace tessera
