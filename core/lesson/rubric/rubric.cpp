// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/rubric/rubric.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/document/document.hpp"
#include "core/lesson/draws.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/question.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kIt = "it";

Error refusal(const Written& piece, std::string message, std::vector<std::string> notes = {}) {
  return Error{ErrorCode::parse, std::move(message), SourceSpan{piece.at, piece.at + piece.text.size()}, std::move(notes)};
}

// A part of a piece, without the blanks around it.
Written part_of(const Written& piece, std::size_t from, std::size_t to = std::string::npos) {
  const std::string_view all = piece.text, inner = trimmed(all.substr(from, to - from));
  return {std::string(inner), piece.at + (inner.empty() ? from : static_cast<std::size_t>(inner.data() - all.data()))};
}

// "1/4", "0.25", "25%", "0", "1"
Result<Share> share_of(const Written& piece) {
  const std::string_view text = piece.text;
  const auto wrong = [&] {
    return refusal(piece, fmt::format("\"{}\" is no share of the points", text), {"a share lies between 0 and 1, as in  1/4  or  25%"});
  };
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto part = number_in<std::int64_t>(trimmed(text.substr(0, slash))),
               whole = number_in<std::int64_t>(trimmed(text.substr(slash + 1)));
    if (!part || !whole || *part < 0 || *whole < 1 || *part > *whole) return wrong();
    return Share{*part, *whole};
  }
  const bool is_percent = text.ends_with('%');
  const auto number = number_in<double>(is_percent ? trimmed(text.substr(0, text.size() - 1)) : text);
  const double value = number.value_or(-1) / (is_percent ? 100 : 1);
  if (!(value >= 0 && value <= 1)) return wrong();
  constexpr std::int64_t kWhole = 10'000;
  return Share{std::llround(value * static_cast<double>(kWhole)), kWhole};
}

// "2 points", "1.5 points", in hundredths.
Result<std::int64_t> points_of(const Written& piece) {
  const std::string_view text = piece.text;
  const std::size_t blank = text.find(' ');
  const std::string_view word = blank == std::string_view::npos ? "" : trimmed(text.substr(blank));
  const auto number = number_in<double>(text.substr(0, blank));
  if (!number || (word != "points" && word != "point"))
    return refusal(piece, fmt::format("\"{}\" gives no points", text), {"as in  whose: 2 points"});
  if (!(*number >= 0 && *number <= static_cast<double>(kMostPoints)))
    return refusal(piece, fmt::format("a line has 0 to {} points, and this one {}", kMostPoints, text.substr(0, blank)));
  return std::llround(*number * static_cast<double>(kHundredths));
}

// The lines of a rubric one by one, each where it belongs.
class Reader {
 public:
  explicit Reader(std::string_view text) { made_.text = std::string(text); }

  Result<Rubric> read() && {
    for (std::size_t at = 0; at < made_.text.size();) {
      const std::size_t end = std::min(made_.text.find('\n', at), made_.text.size());
      const Written line = part_of({made_.text.substr(at, end - at), at}, 0);
      at = end + 1;
      if (line.empty() || line.text.starts_with('#')) continue;
      if (Status status = add(line); !status) return placed(std::move(status).error(), made_.text);
    }
    for (const RubricItem& item : made_.items) {
      if (!item.is_binding || !item.all.empty()) continue;
      const Written name{item.name, item.at};
      return placed(refusal(name, fmt::format("nothing says when {} is right", item.name),
                            {"write a line  same as: EXPRESSION  or  accept: CONDITION  below it"}),
                    made_.text);
    }
    if (made_.items.empty())
      return Error{ErrorCode::parse, "this rubric gives no points", {}, {"as in  lesson: 06_tv  and below it  whose: 2 points"}};
    return std::move(made_);
  }

 private:
  Status add(const Written& line) {
    if (line.text.starts_with("let ")) {
      if (!in_document_) return refusal(line, "a name is for the conditions of a document", {"write it below the line  document:"});
      made_.lets.push_back(line);
      return Done{};
    }
    const std::size_t colon = line.text.find(':');
    if (colon == std::string::npos) return refusal(line, "a ':' is missing", {"as in  whose: 2 points"});
    const Written key = part_of(line, 0, colon), value = part_of(line, colon + 1);
    if (key.text == "title") return set_title(key, value);
    if (key.text == "tries") return set_tries(value);
    if (key.text == "lesson") return begin_lesson(value);
    if (key.text == "document") return begin_document(value);
    if (key.text == "same as" || key.text == "accept" || key.text.starts_with("accept ")) return add_criterion(key, value);
    return add_item(key, value);
  }

  Status set_title(const Written& key, const Written& value) {
    if (!made_.title.empty()) return refusal(key, "title stands here a second time", {"keep one of them"});
    made_.title = value.text;
    return Done{};
  }

  Status set_tries(const Written& value) {
    if (value.text != "first" && value.text != "last" && value.text != "best")
      return refusal(value, fmt::format("of several tries the first, the last or the best counts, and not \"{}\"", value.text),
                     {"as in  tries: last"});
    made_.tries = value.text == "first" ? Tries::first : value.text == "best" ? Tries::best : Tries::last;
    return Done{};
  }

  Status begin_lesson(const Written& value) {
    if (value.empty()) return refusal(value, "which lesson?", {"as in  lesson: 06_tv"});
    made_.lessons.push_back(value);
    in_document_ = false;
    has_section_ = true;
    return Done{};
  }

  Status begin_document(const Written& value) {
    if (!value.empty()) return refusal(value, "nothing stands behind document:", {"its bindings stand on lines of their own below it"});
    in_document_ = has_section_ = true;
    return Done{};
  }

  Status add_criterion(const Written& key, const Written& value) {
    if (made_.items.empty() || !made_.items.back().is_binding || !in_document_)
      return refusal(key, fmt::format("{} is of a binding", key.text), {"write it below a line such as  sA: 3 points  of document:"});
    if (value.empty()) return refusal(key, fmt::format("nothing stands behind {}", key.text));
    Criterion criterion{value, key.text == "same as", {1, 1}};
    if (key.text.starts_with("accept ")) {
      TESSERA_TRY(share, share_of(part_of(key, std::string_view("accept").size())));
      criterion.share = share;
    }
    RubricItem& item = made_.items.back();
    (criterion.share.part < criterion.share.whole ? item.part : item.all).push_back(std::move(criterion));
    return Done{};
  }

  Status add_item(const Written& key, const Written& value) {
    if (!has_section_)
      return refusal(key, fmt::format("of which lesson is {}?", key.text), {"write  lesson: NAME  or  document:  above it"});
    RubricItem item;
    item.name = key.text;
    item.at = key.at;
    item.is_binding = in_document_;
    item.lesson = made_.lessons.empty() ? 0 : made_.lessons.size() - 1;
    const bool is_twice = std::any_of(made_.items.begin(), made_.items.end(), [&](const RubricItem& each) {
      return each.name == item.name && each.is_binding == item.is_binding && (item.is_binding || each.lesson == item.lesson);
    });
    if (is_twice) return refusal(key, fmt::format("{} stands here a second time", key.text), {"keep one of them"});
    const std::vector<Written> parts = parts_between(value, ',');
    TESSERA_TRY(points, points_of(parts.front()));
    item.points = points;
    for (std::size_t i = 1; i < parts.size(); ++i) TESSERA_CHECK(add_option(item, parts[i]));
    made_.items.push_back(std::move(item));
    return Done{};
  }

  static Status add_option(RubricItem& item, const Written& part) {
    const std::size_t blank = part.text.find(' ');
    const std::string_view first = std::string_view(part.text).substr(0, blank);
    const Written behind = blank == std::string::npos ? Written{"", part.at + part.text.size()} : part_of(part, blank);
    const bool is_question = !item.is_binding;
    if (is_question && (behind.text == "seeds" || behind.text == "seed")) {
      const auto number = number_in<std::int64_t>(first);
      if (!number || *number < 1 || *number > kMostRubricSeeds)
        return refusal(part, fmt::format("a question wants 1 to {} seeds, and this is \"{}\"", kMostRubricSeeds, first));
      item.seeds = *number;
      return Done{};
    }
    if (is_question && (first == "seeds" || first == "seed")) return set_seeds(item, behind);
    if (is_question && first == "hint") {
      TESSERA_TRY(share, share_of(behind));
      item.hint = share;
      return Done{};
    }
    if (is_question && first == "some") {
      TESSERA_TRY(share, share_of(behind));
      item.some = share;
      return Done{};
    }
    if (item.is_binding)
      return refusal(part, fmt::format("\"{}\" says nothing of a binding", part.text), {"its conditions stand on lines below it"});
    return refusal(part, fmt::format("\"{}\" says nothing of a question", part.text),
                   {"known are  4 seeds,  seeds 0..3,  hint 1/4  and  some 1/2"});
  }

  // "1..3", or one seed
  static Status set_seeds(RubricItem& item, const Written& range) {
    const std::string_view text = range.text;
    const std::size_t dots = text.find("..");
    const auto from = number_in<std::uint64_t>(trimmed(text.substr(0, dots)));
    const auto to = dots == std::string_view::npos ? from : number_in<std::uint64_t>(trimmed(text.substr(dots + 2)));
    if (!from || !to || *to < *from || *to - *from >= static_cast<std::uint64_t>(kMostRubricSeeds))
      return refusal(range, fmt::format("\"{}\" names no seeds", text), {fmt::format("at most {}, as in  seeds 0..2", kMostRubricSeeds)});
    item.only = SeedRange{*from, *to};
    item.seeds = static_cast<std::int64_t>(*to - *from) + 1;
    return Done{};
  }

  Rubric made_;
  bool in_document_ = false, has_section_ = false;
};

// The text with everything but its `let` lines blanked out: places in it are places in the rubric.
std::string lets_of(const Rubric& rubric) {
  std::string made;
  for (const char c : rubric.text) made += c == '\n' ? '\n' : ' ';
  for (const Written& each : rubric.lets) made.replace(each.at, each.text.size(), each.text);
  return made;
}

Result<std::vector<EvaluatedBinding>> values_of_lets(const Rubric& rubric) {
  const Budget budget;
  TESSERA_TRY(document, parse_document(lets_of(rubric)));
  if (!document.bad_lines.empty()) {
    Error error = document.bad_lines.front().error;
    if (!error.span) error.span = document.bad_lines.front().span;
    return error;
  }
  std::vector<EvaluatedBinding> values = evaluate(document);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].value) return moved(values[i].value.error(), {document.bindings[i].expression, document.bindings[i].span.begin});
  }
  return values;
}

// "vary 2" is the second slider of a lesson; 0: a question's name.
std::int64_t slider_of(std::string_view name) {
  constexpr std::string_view kSlider = "vary ";
  return name.starts_with(kSlider) ? number_in<std::int64_t>(trimmed(name.substr(kSlider.size()))).value_or(0) : 0;
}

// Of seeds that are named, those that ask the same are one.
Status check_question(RubricItem& item, const OpenLesson& opened) {
  const Written name{item.name, item.at};
  if (const std::int64_t slider = slider_of(item.name); slider > 0) {
    const Result<std::size_t> part = opened.find_vary(slider);
    if (!part) return refusal(name, part.error().message);
    if (item.seeds > 1) return refusal(name, "a slider draws nothing: one seed is all that can be wanted");
    return Done{};
  }
  const Result<std::size_t> part = opened.find(item.name);
  if (!part) {
    Error error = part.error();
    error.span = SourceSpan{item.at, item.at + item.name.size()};
    return error;
  }
  const Ask& ask = std::get<Ask>(opened.lesson().parts[*part]);
  TESSERA_TRY(draws, draw_count(ask));
  if (item.seeds > 1 && draws == 0)
    return refusal(name, fmt::format("{} draws nothing: each seed asks the same, so one is all that can be wanted", item.name));
  std::set<std::string> different;
  for (std::int64_t i = 0; item.only && i < item.seeds; ++i) {
    const Result<Question> question = question_of(ask, opened.above(*part), item.only->first + static_cast<std::uint64_t>(i));
    if (!question) return refusal(name, fmt::format("{} cannot be asked: {}", item.name, question.error().message));
    different.insert(asked_by(*question));
  }
  if (item.only) item.seeds = static_cast<std::int64_t>(different.size());
  return Done{};
}

// The values that an item compares with meet its conditions, and no condition misses a name.
Status check_binding(const RubricItem& item, const std::vector<std::optional<Value>>& compared, const Scope& names) {
  const auto same = std::find_if(compared.begin(), compared.end(), [](const auto& each) { return each.has_value(); });
  const Value probe = same == compared.end() ? Value{IntTuple(1)} : **same;
  const Names of{{std::string(kIt), probe}};
  const Scope scope = with_names(of, names);
  const auto check = [&](const Criterion& criterion, bool has_to_hold) -> Status {
    if (criterion.same) return Done{};
    const Result<bool> holds = condition(criterion.text, scope);
    if (!holds && (same != compared.end() || holds.error().code == ErrorCode::unknown_name || holds.error().code == ErrorCode::parse))
      return holds.error();
    if (same != compared.end() && has_to_hold && !*holds)
      return Error{ErrorCode::wrong_result,
                   fmt::format("the value that {} is to be the same as does not meet this", item.name),
                   SourceSpan{criterion.text.at, criterion.text.at + criterion.text.text.size()},
                   {"`it` is the value"}};
    return Done{};
  };
  for (const Criterion& each : item.all) TESSERA_CHECK(check(each, true));
  for (const Criterion& each : item.part) TESSERA_CHECK(check(each, false));
  return Done{};
}

// A function or an object that a person defines, or something in which one is.
bool answers_by_itself(const Value& value) {
  if (const auto* list = std::get_if<std::shared_ptr<const ValueList>>(&value.any))
    return std::any_of((*list)->begin(), (*list)->end(), answers_by_itself);
  return std::holds_alternative<std::shared_ptr<const UserFunction>>(value.any);
}

}  // namespace

std::int64_t Rubric::points() const {
  std::int64_t sum = 0;
  for (const RubricItem& each : items) sum += each.points;
  return sum;
}

bool Rubric::has_bindings() const {
  return std::any_of(items.begin(), items.end(), [](const RubricItem& each) { return each.is_binding; });
}

Result<Rubric> read_rubric(std::string_view text) { return Reader(text).read(); }

Result<OpenRubric> OpenRubric::open(std::string_view text, const Opener& opener) {
  OpenRubric made;
  TESSERA_TRY(rubric, read_rubric(text));
  made.rubric_ = std::move(rubric);
  const auto at_place = [&](Error error) { return placed(std::move(error), made.rubric_.text); };
  for (const Written& file : made.rubric_.lessons) {
    Result<OpenLesson> opened = opener(file.text);
    if (!opened) return moved(std::move(opened).error(), file);
    for (const OpenLesson& each : made.lessons_) {
      if (each.lesson().head.number == opened->lesson().head.number)
        return at_place(refusal(file, fmt::format("this is lesson {}, and so is another one of the rubric", each.lesson().head.number),
                                {"worklogs tell lessons by their numbers"}));
    }
    made.lessons_.push_back(*std::move(opened));
  }
  Result<std::vector<EvaluatedBinding>> values = values_of_lets(made.rubric_);
  if (!values) return at_place(std::move(values).error());
  made.values_ = *std::move(values);
  const Budget budget;
  for (RubricItem& item : made.rubric_.items) {
    std::vector<std::optional<Value>> compared;
    for (const Criterion& each : item.all) {
      compared.emplace_back();
      if (!each.same) continue;
      Result<Value> value = value_of(each.text, made.names());
      if (!value) return at_place(std::move(value).error());
      if (answers_by_itself(*value))
        return at_place(refusal(each.text, "a function cannot be compared with", {"compare with what it gives"}));
      compared.back() = *std::move(value);
    }
    Status status = item.is_binding ? check_binding(item, compared, made.names()) : check_question(item, made.lessons_[item.lesson]);
    if (!status) return at_place(std::move(status).error());
    made.compared_.push_back(std::move(compared));
  }
  return made;
}

std::string refusal_of(const Criterion& criterion, const std::optional<Value>& compared, const std::string& name, const Value& value,
                       const Scope& names) {
  Expected expected;
  expected.kind = Kind::binding;
  expected.name = name;
  if (compared) {
    const Result<std::string> differs = difference(expected, value, *compared);
    return differs ? *differs : differs.error().message;
  }
  if (answers_by_itself(value))
    return fmt::format("{} is made of a function or an object of its own, which would answer whatever is asked", name);
  const Names of{{std::string(kIt), value}};
  std::string why;
  const Result<bool> holds = condition(criterion.text, with_names(of, names), &why);
  if (!holds) return holds.error().message;
  if (*holds) return {};
  return why.empty() ? fmt::format("{} does not hold", criterion.text.text) : why;
}

}  // namespace tessera::lesson
