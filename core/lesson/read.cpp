// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/read.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kRule = "---", kHint = "->";
constexpr std::size_t kFewestTicks = 3;
constexpr std::array<std::string_view, 5> kFences = {"tess", "figure", "vary", "ask", "run"};
constexpr std::array<std::string_view, 9> kWordsOnly = {"", "text", "cpp", "cuda", "python", "sh", "console", "tex", "json"};
constexpr std::array<std::string_view, 6> kHeadKeys = {"number", "title", "goal", "minutes", "needs", "confusions"};
constexpr std::array<std::string_view, 4> kVaryKeys = {"param", "show", "prompt", "truth"};
constexpr std::array<std::string_view, 11> kAskKeys = {"kind",  "draw",   "let",    "where", "prompt", "options",
                                                       "given", "answer", "accept", "wrong", "gates"};

struct Line {
  std::string_view text;  // without its end
  std::size_t at = 0;
};

// The lines of a text that begins at `at` in the lesson.
std::vector<Line> lines_of(std::string_view text, std::size_t at) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size()), next = std::min(end + 1, text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, at});
    at += next;
    text.remove_prefix(next);
  }
  return lines;
}

SourceSpan span_of(const Line& line) { return {line.at, line.at + line.text.size()}; }
SourceSpan span_of(const Written& piece) { return {piece.at, piece.at + piece.text.size()}; }

Error refusal(SourceSpan span, std::string message, std::vector<std::string> notes = {}) {
  return Error{ErrorCode::parse, std::move(message), span, std::move(notes)};
}

std::string joined(std::span<const std::string_view> words) {
  std::string made;
  for (std::size_t i = 0; i < words.size(); ++i)
    made += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i]);
  return made;
}

// What is known in the place of a word that is not: the nearest, or all.
std::vector<std::string> instead_of(std::string_view word, std::span<const std::string_view> known) {
  std::vector<std::string> notes = nearest_of(word, {known.begin(), known.end()});
  notes.push_back("known are " + joined(known));
  return notes;
}

// `text` is a part of a text that begins at `at`.
Written written(std::string_view text, const char* begin, std::size_t at) {
  const std::string_view inner = trimmed(text);
  return {std::string(inner), at + static_cast<std::size_t>((inner.empty() ? text : inner).data() - begin)};
}

// key: value, and a number between the two where there is one: wrong 2: ...
struct Entry {
  std::string_view key, number;
  Written value;
  SourceSpan key_at;
};

// A line that begins with a blank goes on with the value above it; one that begins with # is a comment.
Result<std::vector<Entry>> entries_of(std::string_view text, std::size_t at, std::span<const std::string_view> known,
                                      std::string_view what) {
  struct Begun {
    std::string_view key, number;
    SourceSpan key_at;
    std::size_t begin, end;  // of the value, in `text`
  };
  std::vector<Begun> all;
  for (const Line& line : lines_of(text, at)) {
    if (trimmed(line.text).empty() || line.text.starts_with('#')) continue;
    const std::size_t end = line.at - at + line.text.size();
    if (is_space(line.text.front())) {
      if (all.empty())
        return refusal(span_of(line), fmt::format("this line goes on with the one above it, but nothing stands there"),
                       {"remove the blanks before it"});
      all.back().end = end;
      continue;
    }
    const std::size_t colon = line.text.find(':');
    std::string_view head = line.text.substr(0, colon);
    std::string_view key = head.substr(0, head.find(' '));
    const SourceSpan key_at{line.at, line.at + key.size()};
    if (std::find(known.begin(), known.end(), key) == known.end())
      return refusal(key_at, fmt::format("{} has no key \"{}\"", what, key), instead_of(key, known));
    if (colon == std::string_view::npos)
      return refusal(span_of(line), fmt::format("a ':' is missing behind {}", key), {fmt::format("as in  {}: ...", key)});
    all.push_back({key, trimmed(head.substr(key.size())), key_at, line.at - at + colon + 1, end});
  }
  std::vector<Entry> entries;
  for (const Begun& each : all)
    entries.push_back({each.key, each.number, written(text.substr(each.begin, each.end - each.begin), text.data(), at), each.key_at});
  return entries;
}

Status set_once(Written& to, const Entry& entry) {
  if (to.at != 0) return refusal(entry.key_at, fmt::format("{} stands here a second time", entry.key), {"keep one of them"});
  if (entry.value.empty()) return refusal(entry.key_at, fmt::format("nothing stands behind {}", entry.key), {});
  to = entry.value;
  return Done{};
}

Result<std::int64_t> number_of(const Entry& entry, std::int64_t least) {
  const auto number = number_in<std::int64_t>(entry.value.text);
  if (number && *number >= least) return *number;
  return refusal(span_of(entry.value), fmt::format("{} is a number, at least {}, and this is \"{}\"", entry.key, least, entry.value.text));
}

Result<std::vector<std::int64_t>> numbers_of(const Entry& entry) {
  std::vector<std::int64_t> made;
  std::string_view rest = entry.value.text;
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto number = number_in<std::int64_t>(trimmed(rest.substr(0, comma)));
    if (!number || *number < 1)
      return refusal(span_of(entry.value),
                     fmt::format("{} are numbers with commas between them, and this is \"{}\"", entry.key, entry.value.text),
                     {fmt::format("as in  {}: 2, 3", entry.key)});
    made.push_back(*number);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return made;
}

Result<Head> head_of(std::string_view text, std::size_t at) {
  TESSERA_TRY(entries, entries_of(text, at, kHeadKeys, "the head of a lesson"));
  Head head;
  std::vector<std::string_view> seen;
  for (const Entry& entry : entries) {
    if (std::find(seen.begin(), seen.end(), entry.key) != seen.end())
      return refusal(entry.key_at, fmt::format("{} stands here a second time", entry.key), {"keep one of them"});
    seen.push_back(entry.key);
    if (entry.key == "number" || entry.key == "minutes") {
      TESSERA_TRY(number, number_of(entry, 1));
      (entry.key == "number" ? head.number : head.minutes) = number;
    } else if (entry.key == "needs" || entry.key == "confusions") {
      TESSERA_TRY(numbers, numbers_of(entry));
      (entry.key == "needs" ? head.needs : head.confusions) = std::move(numbers);
    } else {
      (entry.key == "title" ? head.title : head.goal) = entry.value.text;
    }
  }
  for (const std::string_view needed : {"number", "title", "goal", "minutes"}) {
    if (std::find(seen.begin(), seen.end(), needed) == seen.end())
      return refusal({0, kRule.size()}, fmt::format("the head has no {}", needed), {fmt::format("as in  {}: ...", needed)});
  }
  return head;
}

// wrong 2: EXPRESSION -> HINT
Result<Wrong> wrong_of(const Entry& entry) {
  const std::size_t arrow = entry.value.text.find(kHint);
  if (arrow == std::string::npos) {
    return refusal(span_of(entry.value), "a wrong answer has no hint",
                   {"write  wrong: EXPRESSION -> what to say to somebody who answers so"});
  }
  const std::string_view all = entry.value.text;
  Wrong wrong{written(all.substr(0, arrow), all.data(), entry.value.at),
              written(all.substr(arrow + kHint.size()), all.data(), entry.value.at), 0};
  if (wrong.expression.empty() || wrong.hint.empty())
    return refusal(span_of(entry.value), "a wrong answer is an expression, an arrow and a hint", {"write  wrong: EXPRESSION -> words"});
  if (entry.number.empty()) return wrong;
  const auto number = number_in<std::int64_t>(entry.number);
  if (!number || *number < 1)
    return refusal(entry.key_at, fmt::format("\"{}\" behind wrong is no number of a confusion", entry.number),
                   {"as in  wrong 2: ... -> ..."});
  wrong.confusion = *number;
  return wrong;
}

Written* field_of(Ask& ask, std::string_view key) {
  if (key == "kind") return &ask.kind;
  if (key == "where") return &ask.where;
  if (key == "prompt") return &ask.prompt;
  if (key == "options") return &ask.options;
  if (key == "given") return &ask.given;
  if (key == "answer") return &ask.answer;
  if (key == "accept") return &ask.accept;
  return nullptr;
}

Result<Ask> ask_of(const Line& opening, std::string_view id, std::string_view text, std::size_t at) {
  if (!is_binding_name(id)) {
    return refusal(span_of(opening), id.empty() ? "a question has a name" : fmt::format("\"{}\" is no name of a question", id),
                   {"as in  ```ask first_cell"});
  }
  TESSERA_TRY(entries, entries_of(text, at, kAskKeys, "a question"));
  Ask ask;
  ask.id = std::string(id);
  ask.place = opening.at;
  bool has_gates = false;
  for (const Entry& entry : entries) {
    if (!entry.number.empty() && entry.key != "wrong")
      return refusal(entry.key_at, fmt::format("a ':' is missing behind {}", entry.key), {fmt::format("as in  {}: ...", entry.key)});
    if (Written* const field = field_of(ask, entry.key)) {
      TESSERA_CHECK(set_once(*field, entry));
    } else if (entry.key == "wrong") {
      TESSERA_TRY(wrong, wrong_of(entry));
      ask.wrong.push_back(std::move(wrong));
    } else if (entry.key == "gates") {
      if (has_gates || (entry.value.text != "yes" && entry.value.text != "no"))
        return refusal(entry.key_at, "gates is yes or no, once", {"no: what follows does not wait for the answer"});
      has_gates = true;
      ask.gates = entry.value.text == "yes";
    } else {
      if (entry.value.empty()) return refusal(entry.key_at, fmt::format("nothing stands behind {}", entry.key));
      (entry.key == "draw" ? ask.draw : ask.let).push_back(entry.value);
    }
  }
  for (const auto& [name, field] : {std::pair("kind", &ask.kind), std::pair("prompt", &ask.prompt), std::pair("answer", &ask.answer)}) {
    if (field->empty())
      return refusal(span_of(opening), fmt::format("the question {} has no {}", id, name), {fmt::format("add a line  {}: ...", name)});
  }
  return ask;
}

Result<Vary> vary_of(const Line& opening, std::string_view text, std::size_t at) {
  TESSERA_TRY(entries, entries_of(text, at, kVaryKeys, "a vary"));
  Vary vary;
  for (const Entry& entry : entries) {
    Written& field = entry.key == "param" ? vary.param : entry.key == "show" ? vary.show : entry.key == "prompt" ? vary.prompt : vary.truth;
    TESSERA_CHECK(set_once(field, entry));
  }
  if (vary.param.empty() || vary.show.empty())
    return refusal(span_of(opening), "a vary has a param and a show", {"as in  param: s = 4 in (1,2,4)  and  show: tv_figure(...)"});
  return vary;
}

// What opens a fence, ``` or ~~~ or more of them; empty: the line is none.
std::string_view ticks_of(std::string_view line) {
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const std::size_t ticks = std::min(line.find_first_not_of(line[0]), line.size());
  return ticks >= kFewestTicks ? line.substr(0, ticks) : std::string_view();
}

// Reads the lines one by one; what stands between two fences is words.
class Reader {
 public:
  explicit Reader(std::string_view text) { lesson_.text = std::string(text); }

  Result<Lesson> lesson() && {
    const std::vector<Line> lines = lines_of(lesson_.text, 0);
    TESSERA_TRY(first, head(lines));
    std::size_t words = first;
    for (std::size_t i = first; i < lines.size();) {
      const std::string_view ticks = ticks_of(lines[i].text);
      if (ticks.empty()) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < lines.size() && !closes(lines[end].text, ticks)) ++end;
      if (end == lines.size())
        return refusal(span_of(lines[i]), "this fence is not closed", {fmt::format("end it by a line of {}", ticks)});
      TESSERA_TRY(is_part, is_ours(lines[i], ticks.size()));
      if (is_part) {
        add_words(lines, words, i);
        TESSERA_CHECK(add(lines, i, end, ticks.size()));
        words = end + 1;
      }
      i = end + 1;
      if (lesson_.parts.size() > kMostParts)
        return Error{ErrorCode::limit, fmt::format("a lesson has at most {} parts", kMostParts), {}, {}};
    }
    add_words(lines, words, lines.size());
    return std::move(lesson_);
  }

 private:
  static bool closes(std::string_view line, std::string_view ticks) {
    const std::string_view text = trimmed(line);
    return text.size() >= ticks.size() && text.find_first_not_of(ticks[0]) == std::string_view::npos;
  }

  // The number of the first line behind the head.
  Result<std::size_t> head(const std::vector<Line>& lines) {
    if (lines.empty() || trimmed(lines[0].text) != kRule) {
      return refusal({0, 0}, "a lesson begins with its head",
                     {"write  number:, title:, goal: and minutes:  between two lines of ---, before everything else"});
    }
    std::size_t end = 1;
    while (end < lines.size() && trimmed(lines[end].text) != kRule) ++end;
    if (end == lines.size()) return refusal(span_of(lines[0]), "the head is not closed", {"end it by a line of ---"});
    const std::size_t from = lines[1].at;
    TESSERA_TRY(made, head_of(std::string_view(lesson_.text).substr(from, lines[end].at - from), from));
    lesson_.head = std::move(made);
    return end + 1;
  }

  // A fence of ours, of another language, or a word that nobody knows.
  static Result<bool> is_ours(const Line& opening, std::size_t ticks) {
    const std::string_view info = trimmed(opening.text.substr(ticks)), word = info.substr(0, info.find(' '));
    if (std::find(kFences.begin(), kFences.end(), word) != kFences.end()) return true;
    if (std::find(kWordsOnly.begin(), kWordsOnly.end(), word) != kWordsOnly.end()) return false;
    std::vector<std::string> notes = nearest_of(word, {kFences.begin(), kFences.end()});
    notes.push_back(fmt::format("a lesson has {}, and as words {}", joined(kFences), joined(std::span(kWordsOnly).subspan(1))));
    return refusal(span_of(opening), fmt::format("a lesson has no fence \"{}\"", word), std::move(notes));
  }

  // Lines [from, to).
  Written piece(const std::vector<Line>& lines, std::size_t from, std::size_t to) const {
    if (from >= to) return {"", from < lines.size() ? lines[from].at : lesson_.text.size()};
    const std::size_t begin = lines[from].at, end = to < lines.size() ? lines[to].at : lesson_.text.size();
    return {lesson_.text.substr(begin, end - begin), begin};
  }

  void add_words(const std::vector<Line>& lines, std::size_t from, std::size_t to) {
    Written words = piece(lines, from, to);
    if (!trimmed(words.text).empty()) lesson_.parts.push_back(Prose{std::move(words)});
  }

  Status add(const std::vector<Line>& lines, std::size_t opening, std::size_t end, std::size_t ticks) {
    const std::string_view info = trimmed(lines[opening].text.substr(ticks)), word = info.substr(0, info.find(' '));
    const std::string_view name = trimmed(info.substr(word.size()));
    const Written body = piece(lines, opening + 1, end);
    if (word != "ask" && !name.empty())
      return refusal(span_of(lines[opening]), fmt::format("\"{}\" behind {} means nothing", name, word), {"remove it"});
    if (trimmed(body.text).empty()) return refusal(span_of(lines[opening]), fmt::format("this {} is empty", word));
    const std::string_view text = body.text;
    if (word == "tess") {
      lesson_.parts.push_back(Bind{body});
    } else if (word == "figure") {
      lesson_.parts.push_back(Figure{written(text, text.data(), body.at)});
    } else if (word == "run") {
      lesson_.parts.push_back(Run{written(text, text.data(), body.at)});
    } else if (word == "vary") {
      TESSERA_TRY(vary, vary_of(lines[opening], text, body.at));
      lesson_.parts.push_back(std::move(vary));
    } else {
      TESSERA_TRY(ask, ask_of(lines[opening], name, text, body.at));
      if (std::find(ids_.begin(), ids_.end(), ask.id) != ids_.end())
        return refusal(span_of(lines[opening]), fmt::format("there is a question {} above", ask.id), {"give this one another name"});
      ids_.push_back(ask.id);
      lesson_.parts.push_back(std::move(ask));
    }
    return Done{};
  }

  Lesson lesson_;
  std::vector<std::string> ids_;
};

}  // namespace

Result<Lesson> read_lesson(std::string_view text) {
  if (text.size() > kLargestLesson)
    return Error{ErrorCode::limit, fmt::format("a lesson has at most {} bytes, and this text {}", kLargestLesson, text.size()), {}, {}};
  Result<Lesson> lesson = Reader(text).lesson();
  if (!lesson) return placed(std::move(lesson).error(), text);
  return lesson;
}

}  // namespace tessera::lesson
