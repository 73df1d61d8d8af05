// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/advice/answer_table.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/actions/action_parts.hpp"
#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {
namespace {

AnswerTable::Cell cell_of(const Report::Cell& cell) {
  AnswerTable::Cell made{to_string(cell)};
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) made.number = static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&cell)) made.number = *real;
  return made;
}

void add_findings(const std::vector<Advice>& findings, AnswerTable& table) {
  for (const Advice& each : findings) {
    AnswerTable::Row row{.cells = {}, .binding = each.name, .write = each.guesses.empty() ? each.write : "", .ask = each.ask};
    std::string finding = each.finding;
    if (!each.guesses.empty()) finding += fmt::format(" (if {})", fmt::join(each.guesses, ", "));
    const bool counted = each.weight == Advice::Weight::slow && each.times > 1;
    row.cells = {{each.guesses.empty() ? std::string(to_string(each.weight)) : fmt::format("perhaps {}", to_string(each.weight))},
                 counted ? AnswerTable::Cell{fmt::format("x{:.3g}", each.times), each.times} : AnswerTable::Cell{},
                 each.line > 0 ? AnswerTable::Cell{std::to_string(each.line), static_cast<double>(each.line)} : AnswerTable::Cell{},
                 {each.name},
                 {std::move(finding)},
                 {each.remedy}};
    table.rows.push_back(std::move(row));
  }
}

// One word of a filter. "all<200" compares where "all" begins the name of a column; what names none is looked for as it stands.
bool passes(const AnswerTable& table, const AnswerTable::Row& row, const std::string& word) {
  const std::size_t sign = word.find_first_of("<>=");
  if (sign != std::string::npos && sign > 0 && sign + 1 < word.size()) {
    const std::string name = word.substr(0, sign), than = word.substr(sign + 1);
    const auto column =
        std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& each) { return lower(each).starts_with(name); });
    if (column != table.columns.end()) {
      const AnswerTable::Cell& cell = row.cells[static_cast<std::size_t>(column - table.columns.begin())];
      const std::optional<double> wanted = number_in<double>(than);
      if (word[sign] == '=') return wanted && cell.number ? *cell.number == *wanted : lower(cell.words) == than;
      return wanted && cell.number && (word[sign] == '<' ? *cell.number < *wanted : *cell.number > *wanted);
    }
  }
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [&](const auto& cell) { return lower(cell.words).find(word) != std::string::npos; });
}

bool comes_before(const AnswerTable::Cell& a, const AnswerTable::Cell& b) {
  if (a.number && b.number) return *a.number < *b.number;
  if (a.number.has_value() != b.number.has_value()) return a.number.has_value();
  return a.words < b.words;
}

// Lines, those first that the answer's expression names.
std::vector<const EvaluatedBinding*> lines_for(const Session& session, std::string_view answer) {
  std::vector<const EvaluatedBinding*> lines;
  for (const EvaluatedBinding& each : session.bindings()) {
    if (each.value && !each.name.empty() && each.name != answer) lines.push_back(&each);
  }
  const std::string_view expression = session.expression(answer);
  std::stable_partition(lines.begin(), lines.end(),
                        [&](const EvaluatedBinding* line) { return statement_text::has_word(expression, line->name); });
  return lines;
}

// The layout itself, where a line is one, or the tensor that has it.
std::optional<AnyLayout> layout_in(const Value& value) {
  if (const auto* plain = std::get_if<Layout>(&value.any)) return *plain;
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return *composed;
  const auto* tensor = std::get_if<Tensor>(&value.any);
  return tensor && !tensor->part ? std::optional(tensor->layout) : std::nullopt;
}

// The same elements at the same coordinates, at other places.
bool has_extents_of(const AnyLayout& a, const AnyLayout& b) {
  const Shape of_a = shape(a), of_b = shape(b);
  if (of_a.rank() != of_b.rank()) return false;
  for (std::size_t mode = 0; mode < of_a.rank(); ++mode) {
    if (size(of_a[mode]) != size(of_b[mode])) return false;
  }
  return true;
}

void offer_layout(const Session& session, std::string_view answer, const AnyLayout& layout, std::vector<Offer>& offers) {
  constexpr std::size_t kMost = 12;
  for (const EvaluatedBinding* line : lines_for(session, answer)) {
    if (offers.size() == kMost) return;
    if (const auto now = layout_in(*line->value); now && has_extents_of(*now, layout) && to_string(*now) != to_string(layout))
      offers.push_back({"Use it for " + line->name,
                        "binding.set",
                        {{"binding", line->name}, {"expression", to_string(with_layout(*line->value, layout))}}});
    const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&line->value->any);
    if (!spec) continue;
    for (const auto& [field, member] : {std::pair("sA", &GemmSpec::sA), std::pair("sB", &GemmSpec::sB)}) {
      const std::optional<AnyLayout>& now = (**spec).*member;
      if (now && has_extents_of(*now, layout) && to_string(*now) != to_string(layout))
        offers.push_back({fmt::format("Use it for {} of {}", field, line->name),
                          "binding.parameter",
                          {{"binding", line->name}, {"parameter", field}, {"value", to_string(layout)}}});
    }
  }
}

}  // namespace

AnswerTable table_of(const Report& report) {
  AnswerTable table{report.sentence, report.notes, report.columns, {}};
  for (const std::vector<Report::Cell>& row : report.rows) {
    AnswerTable::Row& made = table.rows.emplace_back();
    for (const Report::Cell& cell : row) {
      made.cells.push_back(cell_of(cell));
      if (const auto* layout = std::get_if<AnyLayout>(&cell)) made.layout = *layout;
    }
    for (std::size_t c = 0; c < report.parameters; ++c) made.at.emplace_back(report.columns[c], made.cells[c].words);
  }
  if (!report.rows.empty()) return table;
  table.columns = {"fact", "value"};
  for (const Report::Fact& fact : report.facts) {
    const auto* layout = std::get_if<AnyLayout>(&fact.value);
    table.rows.push_back(
        {.cells = {{std::string(fact.name)}, cell_of(fact.value)}, .layout = layout ? std::optional(*layout) : std::nullopt});
  }
  return table;
}

AnswerTable table_of(const Advised& advised) {
  AnswerTable table;
  table.columns = {"weight", "times", "line", "name", "finding", "remedy"};
  table.sentence = fmt::format("{} finding{} in {} line{}", advised.findings.size(), advised.findings.size() == 1 ? "" : "s",
                               advised.bindings, advised.bindings == 1 ? "" : "s");
  if (!advised.stopped.empty()) table.notes.push_back("not all was looked at: " + advised.stopped);
  if (!advised.supposed.empty()) table.notes.emplace_back("\"perhaps\" rests on a guess, which stands behind the finding");
  add_findings(advised.findings, table);
  add_findings(advised.supposed, table);
  for (const FoundRight& each : advised.fine) {
    std::string words = each.words;
    if (!each.guesses.empty()) words += fmt::format(" (if {})", fmt::join(each.guesses, ", "));
    table.rows.push_back({.cells = {{"right"}, {}, {}, {}, {std::move(words)}, {}}});
  }
  return table;
}

std::vector<std::size_t> shown_rows(const AnswerTable& table, const TableView& view) {
  std::vector<std::string> words;
  const std::string filter = lower(view.filter);
  for (std::size_t at = filter.find_first_not_of(' '); at < filter.size(); at = filter.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(filter.find(' ', at), filter.size());
    words.push_back(filter.substr(at, end - at));
    at = end;
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (std::all_of(words.begin(), words.end(), [&](const std::string& word) { return passes(table, table.rows[row], word); }))
      rows.push_back(row);
  }
  if (!view.by || *view.by >= table.columns.size()) return rows;
  const auto cell = [&](std::size_t row) -> const AnswerTable::Cell& { return table.rows[row].cells[*view.by]; };
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return view.descending ? comes_before(cell(b), cell(a)) : comes_before(cell(a), cell(b));
  });
  return rows;
}

std::vector<Offer> offers_of(const Session& session, std::string_view answer, const AnswerTable::Row& row) {
  std::vector<Offer> offers;
  const bool has_line = !row.binding.empty() && session.find(row.binding);
  if (has_line && !row.write.empty())
    offers.push_back({"Fix " + row.binding, "binding.set", {{"binding", row.binding}, {"expression", row.write}}});
  if (has_line && row.write.empty()) {
    const Arguments line{{"binding", row.binding}};
    if (const ActionRow* mend = find_action("binding.fix"); check(session, *mend, line))
      offers.push_back({"Mend " + row.binding, "binding.fix", line});
  }
  if (!row.ask.empty()) {
    const std::string name = action::free_name(session, "better");
    offers.push_back({"Ask what is better", "binding.add", {{"name", name}, {"expression", row.ask}}});
  }
  // Where a row was asked: a parameter that is a line of the document, too.
  for (const auto& [name, number] : row.at) {
    const EvaluatedBinding* line = session.find(name);
    if (line && line->value && std::holds_alternative<IntTuple>(line->value->any) && to_string(*line->value) != number)
      offers.push_back({fmt::format("Let {} be {}", name, number), "binding.set", {{"binding", name}, {"expression", number}}});
  }
  if (has_line) offers.push_back({"Show " + row.binding, "figure.show", {{"binding", row.binding}}});
  if (!row.layout) return offers;
  offer_layout(session, answer, *row.layout, offers);
  offers.push_back(
      {"Add it as a line", "binding.add", {{"name", action::free_name(session, "found")}, {"expression", to_string(*row.layout)}}});
  return offers;
}

std::vector<Offer> offers_of(const Session& session, std::string_view answer, const Report& report) {
  const std::string better = [&]() -> std::string {
    if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&report.picture)) return to_string(Value{*copy});
    if (const auto* mma = std::get_if<std::shared_ptr<const TiledMma>>(&report.picture)) return to_string(Value{*mma});
    return {};
  }();
  std::vector<Offer> offers;
  if (better.empty()) return offers;
  const bool is_copy = std::holds_alternative<std::shared_ptr<const TiledCopy>>(report.picture);
  for (const EvaluatedBinding* line : lines_for(session, answer)) {
    const bool is_alike = is_copy ? std::holds_alternative<std::shared_ptr<const TiledCopy>>(line->value->any)
                                  : std::holds_alternative<std::shared_ptr<const TiledMma>>(line->value->any);
    // Only of what was asked about: another copy of the document has another task.
    const bool is_asked = statement_text::has_word(session.expression(answer), line->name);
    if (is_alike && is_asked && to_string(*line->value) != better)
      offers.push_back({"Use the better one for " + line->name, "binding.set", {{"binding", line->name}, {"expression", better}}});
  }
  offers.push_back(
      {"Add the better one as a line", "binding.add", {{"name", action::free_name(session, "better")}, {"expression", better}}});
  return offers;
}

}  // namespace tessera
