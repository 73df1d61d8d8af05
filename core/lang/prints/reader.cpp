// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/reader.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/prints/dump.hpp"
#include "core/lang/prints/lines.hpp"
#include "core/lang/prints/number_table.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

bool is_table_rule(std::string_view line) {
  return line.size() >= 3 && line.starts_with("+-") && line.ends_with('+') && line.find_first_not_of("+-") == std::string_view::npos;
}

const AnyLayout* layout_part(const Value& value, AnyLayout& storage) {
  if (const auto layout = as_any_layout(value)) {
    storage = *layout;
    return &storage;
  }
  return nullptr;
}

// Goes through the lines; every print that it meets becomes an entry of `made`.
class Paste {
 public:
  Paste(std::string_view text, const Scope& scope) : text_(text), scope_(scope), lines_(lines_of_print(text)) {}

  std::vector<Pasted> run() {
    while (at_ < lines_.size() && made_.size() < kMostPrints && !late()) {
      if (lines_[at_].text.empty()) {
        ++at_;
      } else if (!(dump() || table() || numbers() || objects() || name())) {
        code();
        ++other_lines_;
        ++at_;
      }
    }
    if (vetoed()) return {};
    shape_and_stride();
    return std::move(made_);
  }

 private:
  const PrintLine& line() const { return lines_[at_]; }

  // ------------------------------------------------------------------------------------------------ what a line holds

  // The name on a line of its own just above: "tAgA", "tiled_copy:".
  std::string take_name() { return name_line_ + 1 == at_ ? std::exchange(name_, {}) : std::string(); }

  bool name() {
    std::string_view text = line().text;
    while (!text.empty() && (text.back() == ':' || text.back() == '=' || text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    // print2D(layout) above what it wrote
    const std::size_t call = text.find('(');
    if (call != std::string_view::npos && call > 0 && text.back() == ')') text = text.substr(call + 1, text.size() - call - 2);
    const bool one_word = text.find_first_of(" \t(){[<;") == std::string_view::npos;
    const std::string made = one_word ? binding_name(text) : std::string();
    if (made.empty()) return false;
    name_ = made;
    name_line_ = at_++;
    return true;
  }

  bool objects() {
    if (!line().comment && line().text.ends_with(';')) return false;  // a statement: `int c = a ? 1 : 2;` has no layout
    std::vector<NamedNotation> found = objects_in_line(line().text);
    if (found.empty()) return false;
    for (NamedNotation& each : found) {
      const auto kind = each.notation.kind;
      const bool small = kind == Notation::Kind::integer || kind == Notation::Kind::tuple;
      const bool printed = each.notation.printed;
      if (small && !printed && (each.name.empty() || !each.separated)) continue;
      // `thread 1 -> (0, 8)` says where something goes, and `T0: (0,0) (0,1)` has several: no value by itself.
      const std::string_view before = trimmed(std::string_view(line().text).substr(0, each.notation.begin));
      if (small && !printed && (found.size() > 1 || before.ends_with("->") || before.ends_with("=>"))) continue;
      if (kind == Notation::Kind::integer) continue;  // counts and sizes, of which logs have many
      std::string name = each.name.empty() && found.size() == 1 ? take_name() : std::move(each.name);
      // `M:(3,8)` and `x = (3,8)` are expressions or code; `tiler : (3,8)` is printed.
      const std::size_t sign = line().text.find_last_not_of(" \t\"'", each.notation.begin > 0 ? each.notation.begin - 1 : 0);
      const bool by_colon = each.separated && line().text[sign] != '=';
      const bool spaced = each.notation.begin > 0 && line().text[each.notation.begin - 1] == ' ';
      layouts_ = layouts_ || !small;
      marked_ = marked_ || printed || line().comment || !each.notation.unknown.empty() || (by_colon && (!small || spaced));
      add(std::move(name), each.notation, line().span);
    }
    ++at_;
    return true;
  }

  // Code with its value in a comment: `print(mA);  // mA: gmem_ptr[16b](A) o (512,256):(256,_1)`
  void code() {
    const std::string& text = line().text;
    const std::size_t comment = line().comment ? std::string::npos : comment_begin(text);
    const std::string_view statement = std::string_view(text).substr(0, comment);
    const bool is_code = !line().comment && is_statement(statement);
    const bool prints = statement.find("print") != std::string_view::npos;
    const std::string declared = declared_name(statement);
    if (is_code && !prints) ++other_code_;
    if (comment == std::string::npos || (declared.empty() && !prints)) return;
    for (NamedNotation& each : object_in_comment(text.substr(comment))) {
      add(declared.empty() ? std::move(each.name) : declared, each.notation, line().span);
      if (!prints && made_.back().value) {
        made_.back().warnings.push_back(
            {ErrorCode::unknown_name,
             fmt::format("what defines {} is not known here: the value is the one that the comment states", declared),
             line().span,
             {}});
      }
      said_in_comment_ = marked_ = true;
    }
  }

  // gA of `Tensor gA = ...` and of `gA : cute.Tensor`
  static std::string declared_name(std::string_view statement) {
    const std::size_t sign = statement.find_first_of(":=(");
    if (sign == std::string_view::npos || statement[sign] == '(') return {};
    statement = statement.substr(0, sign);
    while (!statement.empty() && (statement.back() == ' ' || statement.back() == '\t')) statement.remove_suffix(1);
    return binding_name(statement.substr(statement.find_last_of(" \t&") + 1));
  }

  // Code among which values stand is a snippet: what it computes is not for a reader of prints to say.
  bool vetoed() const {
    const bool only_objects = layouts_ && other_lines_ == 0 && made_.size() > 1;  // tA = (32,8):(1,32), line by line
    if (!marked_ && !recovered_ && !only_objects) return true;
    if (other_code_ == 0) return false;
    return !(other_code_ == 1 && said_in_comment_ && made_.size() == 1);
  }

  // ------------------------------------------------------------------------------------------------ TiledMMA and its kin

  // ThrMMA stands before TiledMMA, which stands before MMA_Atom.
  static int rank(std::string_view heading) { return heading.starts_with("Thr") ? 0 : heading.starts_with("Tiled") ? 1 : 2; }

  bool dump() {
    auto [name, heading] = dump_heading(line().text);
    if (heading.empty()) return false;
    if (name.empty()) name = take_name();
    const std::size_t first = at_;
    Dump read;
    SourceSpan span = line().span;
    for (; at_ < lines_.size(); ++at_) {
      const auto next = dump_heading(line().text);
      if (!next.second.empty()) {
        if (!read.headings.empty() && rank(next.second) <= rank(read.headings.back())) break;
        read.headings.push_back(next.second);
      } else if (auto field = dump_field(line().text)) {
        field->span = line().span;
        if (field->label == "ValueType") read.value_type = field->expression.substr(0, field->expression.find_first_of(" \t/#"));
        if (const auto notation = read_notation(field->expression, 0)) field->expression = notation->expression;
        read.fields.push_back(std::move(*field));
      } else {
        break;
      }
      span.end = line().span.end;
    }
    if (read.fields.empty()) return at_ = first, false;  // words of a comment
    marked_ = true;
    Pasted pasted{std::move(name), span, {}, Error{}, {}};
    pasted.value = object_of(read, scope_, &pasted.warnings);
    if (pasted.value) {
      add_thread(read);
    } else {
      add_fields(read, pasted);
    }
    made_.push_back(std::move(pasted));
    return true;
  }

  // Of ThrMMA and ThrCopy the language has the tiled object; which thread it was is a value beside it.
  void add_thread(const Dump& dump) {
    for (const DumpField& field : dump.fields) {
      if (field.label == "ThrVMNK" || field.label == "ThrIdx") add_text(std::string(field.label), field.expression, field.span);
    }
  }

  // An atom that is not known here still has its layouts.
  void add_fields(const Dump& dump, Pasted& whole) {
    if (whole.value.error().code != ErrorCode::unknown_atom) {
      if (!whole.value.error().span) whole.value.error().span = whole.span;
      return;
    }
    for (const DumpField& field : dump.fields) {
      if (field.label != "ValueType") add_text(std::string(field.label), field.expression, field.span);
    }
    if (!whole.value.error().span) whole.value.error().span = whole.span;
  }

  void add_text(std::string name, const std::string& expression, SourceSpan span) {
    Notation notation;
    notation.expression = expression;
    notation.end = expression.size();
    add(std::move(name), notation, span);
  }

  // ------------------------------------------------------------------------------------------------ tables of numbers

  // print_layout's table. Its first line, the layout, was read before; the line of column numbers was passed over.
  bool table() {
    if (!is_table_rule(line().text)) return false;
    const std::size_t first = at_;
    NumberTable table;
    bool numeric = true;
    for (; at_ < lines_.size(); ++at_) {
      std::string_view text = line().text;
      if (is_table_rule(text)) continue;
      const std::size_t bar = text.find('|');
      if (bar == std::string_view::npos || text.back() != '|') break;
      std::string row(text.substr(bar));
      std::replace(row.begin(), row.end(), '|', ' ');
      const std::vector<std::int64_t> numbers = numbers_in_line(row);
      numeric = numeric && !numbers.empty() && (table.rows == 0 || numbers.size() == table.columns);
      table.columns = numbers.size();
      ++table.rows;
      table.numbers.insert(table.numbers.end(), numbers.begin(), numbers.end());
    }
    marked_ = true;
    const SourceSpan span{lines_[first].span.begin, lines_[at_ - 1].span.end};
    constexpr std::size_t kHeaderLines = 3;
    const bool has_header = layout_line_ != std::string::npos && layout_line_ + kHeaderLines >= first;
    if (has_header) {
      if (numeric && numbers_are_offsets_) compare(table, made_[layout_entry_]);
    } else if (numeric) {
      recover(table, span, {});
    } else if (table.rows > 0) {
      made_.push_back({{}, span, {}, Error{ErrorCode::parse, "the line with the layout is missing above this table", span, {}}, {}});
    }
    return true;
  }

  // Rows of numbers without rules, as loops over a layout print them; `Coord : 0 1 2` asks for the row below it.
  bool numbers() {
    const std::size_t colon = line().text.find_first_of(":=");
    if (colon != std::string::npos) return number_row(colon);
    NumberTable table;
    const std::size_t first = at_;
    std::string name = take_name();
    for (; at_ < lines_.size(); ++at_) {
      const std::vector<std::int64_t> row = numbers_in_line(line().text);
      if (row.empty() || (table.rows > 0 && row.size() != table.columns)) break;
      table.columns = row.size();
      ++table.rows;
      table.numbers.insert(table.numbers.end(), row.begin(), row.end());
    }
    if (table.rows == 0) return name_ = std::move(name), false;
    if (at_ < lines_.size() && is_table_rule(lines_[at_].text)) return true;  // the numbers of columns
    const SourceSpan span{lines_[first].span.begin, lines_[at_ - 1].span.end};
    const bool said = layout_line_ != std::string::npos && layout_line_ + 1 == first;
    constexpr std::size_t kFewest = 3;
    if (said) {
      numbers_follow_ = true;
      if (numbers_are_offsets_) compare(table, made_[layout_entry_]);
    } else if (pending_shape() && first > 0) {
      numbers_follow_ = true;
    } else if ((made_.empty() || recovered_) && table.columns > 1 && table.numbers.size() >= kFewest &&
               (table.rows > 1 || table.numbers[0] == 0)) {
      recover(table, span, std::move(name));
    }
    return true;
  }

  bool number_row(std::size_t colon) {
    const std::string label = binding_name(std::string_view(line().text).substr(0, colon));
    const std::vector<std::int64_t> row = numbers_in_line(std::string_view(line().text).substr(colon + 1));
    if (row.size() < 2 || label.empty()) return false;
    marked_ = true;
    const bool follows = layout_line_ != std::string::npos && layout_line_ + 1 == at_;
    if (follows && label.starts_with("Coord")) {
      const bool answered = at_ + 1 < lines_.size() && lines_[at_ + 1].text.starts_with("Ind");
      if (!answered) image(row);
    }
    ++at_;
    return true;
  }

  // The row that the documentation's tables have below the coordinates.
  void image(const std::vector<std::int64_t>& coordinates) {
    const Pasted& said = made_[layout_entry_];
    AnyLayout storage = Layout();
    const AnyLayout* layout = said.value ? layout_part(*said.value, storage) : nullptr;
    if (!layout) return;
    std::vector<IntTuple> indices;
    for (const std::int64_t each : coordinates) {
      const auto index = evaluate(*layout, IntTuple(each));
      if (!index) return;
      indices.push_back(*index);
    }
    made_.push_back({"Index", line().span, {}, Value{IntTuple::tuple(std::move(indices))}, {}});
  }

  void recover(const NumberTable& table, SourceSpan span, std::string name) {
    recovered_ = true;
    Pasted pasted{std::move(name), span, {}, layout_of(table), {}};
    if (!pasted.value) {
      pasted.value.error().span = span;
    } else {
      pasted.expression = to_string(*pasted.value);
      pasted.warnings.push_back(
          {ErrorCode::not_representable,
           fmt::format("the layout is found from the numbers: {} gives them; how its modes were nested they do not tell",
                       pasted.expression),
           span,
           {}});
    }
    made_.push_back(std::move(pasted));
  }

  static void compare(const NumberTable& table, Pasted& said) {
    AnyLayout storage = Layout();
    const AnyLayout* layout = said.value ? layout_part(*said.value, storage) : nullptr;
    if (!layout || plain_part(*layout).has_basis() || static_cast<std::int64_t>(table.numbers.size()) != size(*layout)) return;
    const std::string differs = contradiction(table, *layout);
    if (!differs.empty()) said.warnings.push_back({ErrorCode::wrong_result, differs, said.span, {}});
  }

  // ------------------------------------------------------------------------------------------------ values

  void add(std::string name, const Notation& notation, SourceSpan span) {
    Pasted pasted{std::move(name), span, notation.expression, Error{}, {}};
    if (!notation.unknown.empty()) {
      pasted.value = unknown_numbers(notation.expression, notation.unknown, span);
    } else {
      pasted.value = evaluate_best_reading(notation.expression, scope_, &pasted.warnings);
      place(pasted);
    }
    layout_line_ = at_;
    layout_entry_ = made_.size();
    numbers_are_offsets_ = !notation.printed;  // of a tensor they are its elements
    made_.push_back(std::move(pasted));
  }

  // Errors of the expression are about the text: at their place where the expression stands there as it is.
  void place(Pasted& pasted) const {
    const std::string_view there = text_.substr(pasted.span.begin, pasted.span.end - pasted.span.begin);
    const std::size_t at = there.find(pasted.expression);
    const std::size_t begin = pasted.span.begin + at;
    const auto move = [&](Error& error) {
      const bool stands_there = at != std::string_view::npos && error.span;
      error.span = stands_there ? SourceSpan{begin + error.span->begin, begin + error.span->end} : pasted.span;
    };
    if (!pasted.value) move(pasted.value.error());
    for (Error& warning : pasted.warnings) move(warning);
  }

  bool pending_shape() const { return made_.size() >= 2 && lower(made_.back().name).ends_with("stride"); }

  // "Shape : (4,2)" and "Stride: (1,4)" are a layout. As the head of a table that is not there, they ask for its numbers.
  void shape_and_stride() {
    for (std::size_t i = 0; i + 1 < made_.size(); ++i) {
      const std::string shape = lower(made_[i].name), stride = lower(made_[i + 1].name);
      if (!shape.ends_with("shape") || !stride.ends_with("stride")) continue;
      if (shape.substr(0, shape.size() - 5) != stride.substr(0, stride.size() - 6)) continue;
      std::string name = binding_name(made_[i].name.substr(0, shape.size() - 5));
      while (name.ends_with('_')) name.pop_back();
      const SourceSpan span{made_[i].span.begin, made_[i + 1].span.end};
      Pasted pasted{name.empty() ? "layout" : name, span, made_[i].expression + ':' + made_[i + 1].expression, Error{}, {}};
      pasted.value = evaluate_best_reading(pasted.expression, scope_, &pasted.warnings);
      place(pasted);
      if (!pasted.value) pasted.value.error().span = span;
      const bool heads_table = made_.size() == 2 && shape == "shape" && !numbers_follow_;
      std::vector<IntTuple> indices;
      constexpr std::int64_t kMostIndices = 4096;
      if (const auto* layout = pasted.value ? std::get_if<Layout>(&pasted.value->any) : nullptr;
          layout && heads_table && layout->size() <= kMostIndices && !layout->has_basis()) {
        for (std::int64_t n = 0; n < layout->size(); ++n) indices.emplace_back((*layout)(n));
      }
      made_.insert(made_.begin() + static_cast<std::ptrdiff_t>(i) + 2, std::move(pasted));
      if (indices.size() > 1) made_.push_back({"Index", span, {}, Value{IntTuple::tuple(std::move(indices))}, {}});
      i += 2;
    }
  }

  std::string_view text_;
  const Scope& scope_;
  std::vector<PrintLine> lines_;
  std::size_t at_ = 0;
  std::vector<Pasted> made_;
  std::string name_;
  std::size_t name_line_ = std::string::npos - 1;
  std::size_t layout_line_ = std::string::npos, layout_entry_ = 0;  // of the object that was read last
  bool marked_ = false;                                             // something that only prints have was met
  bool recovered_ = false, said_in_comment_ = false, numbers_follow_ = false, numbers_are_offsets_ = false, layouts_ = false;
  std::size_t other_code_ = 0, other_lines_ = 0;  // lines of code that print nothing; all that hold no object
};

}  // namespace

std::vector<Pasted> read_lines(std::string_view text, const Scope& scope) { return Paste(text, scope).run(); }

}  // namespace tessera
