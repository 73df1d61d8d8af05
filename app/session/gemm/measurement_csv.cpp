// SPDX-License-Identifier: BSD-3-Clause
// The order of the columns is that of cells_of, for the first line and for every row.
#include "app/session/gemm/measurement_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file_append.hpp"
#include "core/base/table_text.hpp"
#include "kernels/runtime/measure/noise.hpp"

namespace tessera {
namespace {

constexpr std::uintmax_t kLargestCsv = std::uintmax_t{256} << 20;  // bytes

using Cells = std::vector<std::pair<std::string_view, std::string>>;

template <class T>
std::string raw(const std::optional<T>& number) {
  return number ? fmt::format("{}", *number) : "";
}

Cells cells_of(const Measurement& m, const std::vector<FieldText>& set, const std::string& baseline) {
  const TimedMode none, &mode = m.timing ? m.timing->interleaved : none;
  std::optional<double> median, spread, rate, best, noise, baseline_us, baseline_spread;
  std::optional<std::size_t> ways;
  std::string name;
  if (m.timing) {
    median = mode.kernel.median, spread = spread_percent(mode.kernel), rate = mode.kernel_tflops;
    noise = noise_of(mode, m.timing->ratio_control);
    name = baseline.empty() ? m.timing->baseline_name : baseline;
  }
  if (mode.baseline) baseline_us = mode.baseline->median, baseline_spread = spread_percent(*mode.baseline);
  if (m.timing && m.timing->best) best = beside_best(*m.timing).ratio, ways = m.timing->best->alone_us.size();
  const bool ran = m.correctness.compared > 0 || !m.correctness.reason.empty();
  return {{"gemm", m.name},
          {"m", fmt::format("{}", m.m)},
          {"n", fmt::format("{}", m.n)},
          {"k", fmt::format("{}", m.k)},
          {"median_us", raw(median)},
          {"spread_percent", raw(spread)},
          {"tflops", raw(rate)},
          {"ratio", raw(mode.ratio)},
          {"best_ratio", raw(best)},
          {"device", m.device.name},
          {"driver", m.device.driver_version},
          {"date", m.date},
          {"correct", !ran                   ? ""
                      : m.correctness.passed ? "yes"
                                             : "no"},
          {"set", set_text(set)},
          {"baseline", name},
          {"baseline_us", raw(baseline_us)},
          {"baseline_spread_percent", raw(baseline_spread)},
          {"ways", raw(ways)},
          {"noise", raw(noise)},
          {"refused", ""}};
}

CsvRow texts_of(const Cells& cells) {
  CsvRow row;
  for (const auto& [name, text] : cells) row.push_back(text);
  return row;
}

Result<std::vector<CsvRow>> rows_in(std::string_view bytes, const std::filesystem::path& path) {
  auto rows = read_csv(bytes);
  if (!rows) return Error{rows.error().code, fmt::format("{}: {}", path.string(), rows.error().message), {}, {}};
  if (rows->empty()) return rows;
  if (rows->front() != measurement_columns()) {
    return Error{ErrorCode::already_exists,
                 fmt::format("{} has other columns than a measurement's, so no row is added to it", path.string()),
                 {},
                 {"name a new file, or one that --csv made"}};
  }
  rows->erase(rows->begin());
  std::erase_if(*rows, [](const CsvRow& row) { return row.size() == 1 && row[0].empty(); });  // a blank line
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::size_t fields = (*rows)[i].size(), wanted = measurement_columns().size();
    if (fields == wanted) continue;
    const bool cut = i + 1 == rows->size() && !bytes.ends_with('\n');
    return Error{ErrorCode::corrupt,
                 fmt::format("{}: {} has {} of {} fields{}", path.string(), cut ? "the last row" : fmt::format("row {}", i + 2), fields,
                             wanted, cut ? " and no end: it was cut off while it was written" : ""),
                 {},
                 {"complete or remove that line, so that a row can be added"}};
  }
  return rows;
}

}  // namespace

std::string set_text(const std::vector<FieldText>& set) {
  std::string text;
  for (const FieldText& each : set) text += fmt::format("{}{}={}", text.empty() ? "" : " ", each.field, each.text);
  return text;
}

std::string csv_line(const CsvRow& row) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += ',';
    const std::string field = csv_field(row[i]);
    line += row.size() == 1 && field.empty() ? "\"\"" : field;  // a row of one empty field would be an empty line
  }
  return line + '\n';
}

Result<std::vector<CsvRow>> read_csv(std::string_view text) {
  std::vector<CsvRow> rows;
  const auto refuse = [&](const char* what) {
    return Error{ErrorCode::corrupt, fmt::format("row {} of the CSV {}", rows.size() + 1, what), {}, {}};
  };
  std::size_t at = 0;
  while (at < text.size()) {
    CsvRow row;
    for (bool more = true; more;) {
      std::string field;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          if (at >= text.size()) return refuse("has a quote that does not end");
          if (text[at] == '"' && !text.substr(at).starts_with("\"\"")) break;
          if (text[at] == '"') ++at;  // two stand for one
          field += text[at];
        }
        ++at;
        if (at < text.size() && text.find_first_of(",\r\n", at) != at) return refuse("has text behind a quote");
      } else {
        const std::size_t end = std::min(text.find_first_of(",\r\n", at), text.size());
        field = text.substr(at, end - at);
        at = end;
      }
      row.emplace_back(text_of_csv_field(field));
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    if (text.substr(at).starts_with("\r\n")) ++at;
    if (at < text.size()) ++at;
    rows.push_back(std::move(row));
  }
  return rows;
}

const CsvRow& measurement_columns() {
  static const CsvRow columns = [] {
    CsvRow names;
    for (const auto& [name, text] : cells_of({}, {}, "")) names.emplace_back(name);
    return names;
  }();
  return columns;
}

CsvRow measurement_row(const Measurement& measurement, const std::vector<FieldText>& set, const std::string& baseline) {
  return texts_of(cells_of(measurement, set, baseline));
}

CsvRow refused_row(const GemmSpec& spec, const std::vector<FieldText>& set, const std::string& reason) {
  Measurement none;
  none.name = spec.name, none.m = spec.m, none.n = spec.n, none.k = spec.k;
  Cells cells = cells_of(none, set, "");
  cells.back().second = reason;
  return texts_of(cells);
}

Result<std::vector<CsvRow>> measurement_rows(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return std::vector<CsvRow>();
  TESSERA_TRY(bytes, read_file(path, kLargestCsv));
  return rows_in(bytes, path);
}

Status append_row(const std::filesystem::path& path, const CsvRow& row) {
  return append_to_file(
      path,
      [&](std::string_view held) -> Result<std::string> {
        TESSERA_CHECK(rows_in(held, path));
        if (held.empty()) return csv_line(measurement_columns()) + csv_line(row);
        return (held.ends_with('\n') ? "" : "\n") + csv_line(row);
      },
      kLargestCsv);
}

}  // namespace tessera
