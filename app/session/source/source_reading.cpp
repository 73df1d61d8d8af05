// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/source/source_reading.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/files/source_file.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/gemm/device_model.hpp"
#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/symbol_table.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {
namespace {

constexpr std::string_view kDevice = "H200";  // as of explain
constexpr std::size_t kShortGuess = 24;       // bytes of a guess that is said beside its name
constexpr std::string_view kNoValue = "the value given for ";

std::optional<SourceSpan> word_in(std::string_view text, std::string_view name, std::size_t from) {
  const std::size_t at = name.empty() ? std::string_view::npos : statement_text::find_word(text, name, from);
  return at == std::string_view::npos ? std::nullopt : std::optional(SourceSpan{at, at + name.size()});
}

// Places in a text by lines.
class LinePlaces {
 public:
  explicit LinePlaces(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) starts_.push_back(at + 1);
  }
  std::size_t begin(std::size_t line) const { return line == 0 || line > starts_.size() ? text_.size() : starts_[line - 1]; }
  std::size_t end(std::size_t line) const { return line == 0 || line >= starts_.size() ? text_.size() : starts_[line] - 1; }
  // Of a name in its line, from a column on (from 1; 0: anywhere); nothing where it stands in another one.
  std::optional<SourceSpan> of(std::string_view name, std::size_t line, std::size_t column = 0) const {
    return word_in(text_.substr(0, end(line)), name, begin(line) + (column > 0 ? column - 1 : 0));
  }
  // The line without the blanks around it.
  SourceSpan whole(std::size_t line) const {
    std::size_t first = begin(line), last = end(line);
    while (first < last && is_space(text_[first])) ++first;
    while (last > first && is_space(text_[last - 1])) --last;
    return {first, last};
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

// "threadIdx.x = 0, the first thread"
struct Stated {
  std::string_view name, value, words;
};
std::optional<Stated> stated_in(std::string_view note) {
  const std::size_t equals = note.find(" = "), comma = note.rfind(", ");
  if (equals == std::string_view::npos || comma == std::string_view::npos || comma < equals) return std::nullopt;
  return Stated{note.substr(0, equals), note.substr(equals + 3, comma - equals - 3), note.substr(comma + 2)};
}

class ReadingMaker {
 public:
  ReadingMaker(const SourceQuestion& question, const SourceFile& file)
      : question_(question), file_(file), all_(file.explanation), lines_(*question.text), symbols_(all_.symbols) {}

  SourceReading make() {
    made_.version = question_.version;
    made_.said = file_.notes;
    add_notes();
    add_variables();
    add_findings();
    add_outside();
    return std::move(made_);
  }

 private:
  std::string guess(const std::string& name) const {
    const auto found = symbols_.among({name});
    const bool is_short = !found.empty() && !found.front()->likely.empty() && found.front()->likely.size() <= kShortGuess;
    return is_short ? fmt::format("{}={}", name, found.front()->likely) : name;
  }
  std::string guesses(const std::vector<std::string>& needs) const {
    std::vector<std::string> words;
    for (const Symbol* symbol : symbols_.among(needs)) words.push_back(guess(symbol->name));
    return words.empty() ? fmt::format("{}", fmt::join(needs, ", ")) : fmt::format("{}", fmt::join(words, ", "));
  }
  std::string gifts(const std::vector<std::string>& names) const {
    std::vector<std::string> words;
    for (const std::string& name : names) {
      const auto found = std::find_if(question_.given.begin(), question_.given.end(), [&](const auto& each) { return each.first == name; });
      const bool is_short = found != question_.given.end() && found->second.size() <= kShortGuess;
      words.push_back(is_short ? fmt::format("{}={}", name, found->second) : name);
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  // What was tried with guesses is not refused for good.
  std::string refusal_of(const AccountEntry& entry) const {
    return entry.tried.empty() ? "refused: " + entry.words : fmt::format("refused if {}: {}", guesses(entry.tried), entry.words);
  }

  // Nothing: it was passed over.
  std::optional<SourceNote> note_of(const AccountEntry& entry) const {
    using Fate = AccountEntry::Fate;
    switch (entry.fate) {
      case Fate::passed: return std::nullopt;
      case Fate::refused: return SourceNote{entry.line, SourceFate::refused, refusal_of(entry)};
      case Fate::waits:
        if (!entry.guessed) return SourceNote{entry.line, SourceFate::refused, refusal_of(entry)};
        return SourceNote{entry.line, SourceFate::guessed,
                          "guessed: " + (entry.waits_for.empty() ? entry.words : guesses(entry.waits_for))};
      case Fate::valued:
        if (entry.given.empty()) return SourceNote{entry.line, SourceFate::read, "read"};
        return SourceNote{entry.line, SourceFate::given, "given: " + gifts(entry.given)};
    }
    return std::nullopt;
  }

  void add_notes() {
    std::map<std::size_t, SourceNote> notes;
    for (const AccountEntry& entry : all_.account) {
      if (entry.words.starts_with(kNoValue)) continue;  // which is said beside the name
      const std::optional<SourceNote> note = note_of(entry);
      if (!note) continue;
      ++made_.statements[static_cast<std::size_t>(note->fate)];
      const auto [there, is_new] = notes.try_emplace(note->line, *note);
      if (!is_new && there->second.fate < note->fate) there->second = *note;  // of several statements in a line the one to look at
    }
    for (auto& [line, note] : notes) made_.notes.push_back(std::move(note));
  }

  void add(const Explained& each) {
    const std::optional<SourceSpan> span = lines_.of(last_part(each.name), each.line, each.column);
    if (!span) return;  // print(x) binds none
    SourceVariable& made = made_.variables.emplace_back();
    made.line = each.line;
    made.span = *span;
    made.name = each.name;
    made.words = to_string(each.value);
    made.value = each.value;
    made.statement = each.statement;
    made.fate = !each.needs.empty() || !each.doubts.empty() ? SourceFate::guessed
                : !each.given.empty()                       ? SourceFate::given
                                                            : SourceFate::read;
    if (!each.needs.empty()) made.rests_on.push_back("guessed: " + guesses(each.needs));
    if (!each.given.empty()) made.rests_on.push_back("given: " + gifts(each.given));
    if (each.source == ValueSource::traced) made.rests_on.push_back("traced when the program ran");
    for (const std::vector<std::string>* words : {&each.stated, &each.doubts})
      made.rests_on.insert(made.rests_on.end(), words->begin(), words->end());
    if (!each.beside.empty()) made.rests_on.push_back(each.beside);
  }

  std::vector<std::string> rests_of(const AccountEntry& entry) const {
    if (entry.tried.empty()) return {};
    return {"guessed: " + guesses(entry.tried)};
  }

  void add_variables() {
    for (const Explained& each : all_.objects) add(each);
    for (const Explained& each : all_.others) add(each);
    for (const TracedText& each : all_.traced) {
      if (const auto span = lines_.of(last_part(each.name), each.line, each.column))
        made_.variables.push_back({each.line, *span, each.name, SourceFate::read, each.words, {each.why}, {}, {}});
    }
    std::set<std::size_t> known;
    for (const SourceVariable& each : made_.variables) known.insert(each.span.begin);
    for (const AccountEntry& entry : all_.account) {
      if (entry.fate != AccountEntry::Fate::refused && (entry.fate != AccountEntry::Fate::waits || entry.guessed)) continue;
      for (const std::string& name : entry.names) {
        const std::optional<SourceSpan> span = lines_.of(last_part(name), entry.line);
        if (span && known.insert(span->begin).second)
          made_.variables.push_back({entry.line, *span, name, SourceFate::refused, entry.words, rests_of(entry), {}, {}});
      }
    }
    std::stable_sort(made_.variables.begin(), made_.variables.end(),
                     [](const SourceVariable& a, const SourceVariable& b) { return a.span.begin < b.span.begin; });
  }

  void add_findings() {
    Advised advised = advise(program_of(all_), find_device_model(kDevice).value());
    for (std::vector<Advice>* list : {&advised.findings, &advised.supposed}) {
      for (Advice& each : *list) {
        const std::optional<SourceSpan> name = lines_.of(last_part(each.name), each.line);
        made_.findings.push_back({name.value_or(lines_.whole(each.line)), std::move(each)});
      }
    }
    if (!advised.stopped.empty()) made_.said.push_back("not all was looked at: " + advised.stopped);
  }

  std::int64_t most_threads() const {
    std::int64_t most = 0;
    for (const ExplainedUse& use : all_.uses) {
      if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&use.what.by.any))
        most = std::max(most, (*copy)->layout_tv()[0].size());
      if (const auto* mma = std::get_if<std::shared_ptr<const TiledMma>>(&use.what.by.any)) most = std::max(most, (*mma)->num_threads());
    }
    constexpr std::int64_t kMostOfBlock = 1024;
    return most > 0 ? most : kMostOfBlock;
  }

  void add_outside() {
    std::map<std::string, OutsideValue, std::less<>> all;
    for (const Symbol& symbol : all_.symbols) {
      if (!symbol.likely.empty()) all.emplace(symbol.name, OutsideValue{symbol.name, symbol.likely, false, "guessed"});
    }
    const auto add_stated = [&](const std::vector<std::string>& notes) {
      for (const std::string& note : notes) {
        const std::optional<Stated> stated = stated_in(note);
        if (!stated || (!names_place(stated->name) && !rests_on_default(note))) continue;
        all.emplace(stated->name, OutsideValue{std::string(stated->name), std::string(stated->value), false, std::string(stated->words)});
      }
    };
    for (const Explained& each : all_.objects) add_stated(each.stated);
    for (const Explained& each : all_.others) add_stated(each.stated);
    for (const auto& [name, text] : question_.given) all.insert_or_assign(name, OutsideValue{name, text, true, "given"});
    for (const AccountEntry& entry : all_.account) {
      if (entry.names.size() != 1 || !entry.words.starts_with(kNoValue)) continue;
      if (const auto found = all.find(entry.names.front()); found != all.end()) found->second.refused = entry.words;
    }
    // Which thread and block it is comes first, since one looks through these; then in the order of the text.
    std::map<std::pair<std::size_t, std::string>, OutsideValue> placed;
    for (auto& [name, value] : all) {
      if (name == "threadIdx.x") value.most = most_threads() - 1;
      const std::optional<SourceSpan> first = word_in(*question_.text, name, 0);
      const std::size_t at = names_block(name) ? 1 : names_place(name) ? 0 : first ? first->begin + 2 : question_.text->size() + 2;
      placed.emplace(std::pair(at, name), std::move(value));
    }
    for (auto& [at, value] : placed) made_.outside.push_back(std::move(value));
  }

  const SourceQuestion& question_;
  const SourceFile& file_;
  const Explanation& all_;
  LinePlaces lines_;
  SymbolTable symbols_;
  SourceReading made_;
};

// self.tiled_mma and Traits::c are names as wholes.
SourceSpan name_around(std::string_view text, std::size_t at) {
  SourceSpan span{at, at};
  while (span.begin > 0 && is_word(text[span.begin - 1])) --span.begin;
  while (span.end < text.size() && is_word(text[span.end])) ++span.end;
  return span;
}

}  // namespace

std::string_view to_string(SourceFate fate) {
  switch (fate) {
    case SourceFate::read: return "read";
    case SourceFate::given: return "given";
    case SourceFate::guessed: return "guessed";
    case SourceFate::refused: return "refused";
  }
  return "";
}

std::string words_of(const SourceFinding& finding) {
  const Advice& advice = finding.advice;
  std::string words(to_string(advice.weight));
  if (advice.weight == Advice::Weight::slow && advice.times > 1) words += fmt::format(" x{:.3g}", advice.times);
  if (!advice.guesses.empty()) words += fmt::format(", if {}", fmt::join(advice.guesses, ", "));
  words += ": " + advice.finding;
  if (!advice.remedy.empty()) words += "\ntry: " + advice.remedy;
  return words;
}

SourceReading reading_of(const SourceQuestion& question) {
  const DefaultBudget budget;
  Result<SourceFile> file = open_source(question.path, *question.text, {question.given, {}, {}});
  if (!file) return {.version = question.version, .refused = file.error()};
  SourceReading made = ReadingMaker(question, *file).make();
  if (const Status time = check_time("reading the source"); !time) made.said.push_back(time.error().message);
  return made;
}

const SourceVariable* variable_at(const SourceReading& reading, std::string_view text, std::size_t at) {
  if (at > text.size()) return nullptr;
  const SourceSpan word = name_around(text, at);
  const std::string_view name = text.substr(word.begin, word.end - word.begin);
  if (name.empty() || is_digit(name.front())) return nullptr;
  const auto line_end = std::min(text.find('\n', at), text.size());
  const SourceVariable* last = nullptr;
  for (const SourceVariable& each : reading.variables) {
    if (each.span.begin >= line_end) break;
    if (last_part(each.name) == name) last = &each;
  }
  return last;
}

}  // namespace tessera
