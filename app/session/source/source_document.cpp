// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/source/source_document.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/source_file.hpp"
#include "core/base/characters.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostChecked = 2000;  // statements that are tried as they stand
constexpr int kMostRounds = 12;

// self.tile and threadIdx.x as names of a document.
std::string plain_name(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if (is_word(c))
      made += c;
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (!made.empty() && made.back() == '_') made.pop_back();
  return made;
}

bool stands_at(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t behind = at + name.size();
  return text.substr(at, name.size()) == name && (at == 0 || !is_word(text[at - 1])) && (behind == text.size() || !is_word(text[behind]));
}

struct Line {
  std::vector<const SourceVariable*> variables;  // that its statement binds
  std::string statement;                         // as it stands in the source
  bool as_values = false;
  std::size_t begin = 0, end = 0;  // in the document
};

class DocumentWriter {
 public:
  DocumentWriter(const SourceReading& reading, std::string_view text, std::string_view title)
      : reading_(reading), text_(text), title_(title) {
    for (const OutsideValue& each : reading.outside) {
      const std::string plain = plain_name(each.name);
      if (plain != each.name) renamed_.emplace_back(each.name, plain);
    }
    for (const SourceVariable& each : reading.variables) {
      if (!each.value) continue;
      if (lines_.empty() || lines_.back().variables.front()->statement != each.statement)
        lines_.push_back({{}, statement_of(each.statement), false});
      lines_.back().variables.push_back(&each);
    }
  }

  std::string write() {
    const bool checks = lines_.size() <= kMostChecked;
    if (!checks) {
      for (Line& line : lines_) line.as_values = true;
    }
    std::string document = written();
    for (int round = 0; checks && round < kMostRounds; ++round) {
      if (!mend(document, round + 1 == kMostRounds)) break;
      document = written();
    }
    return document;
  }

 private:
  std::string statement_of(SourceSpan span) const {
    std::string made(trimmed(text_.substr(span.begin, span.end - span.begin)));
    for (const auto& [from, to] : renamed_) {
      for (std::size_t at = made.find(from); at != std::string::npos; at = made.find(from, at + to.size())) {
        if (stands_at(made, at, from)) made.replace(at, from.size(), to);
      }
    }
    return made;
  }

  std::string written() {
    std::set<std::string> names;
    std::string made = fmt::format("# the variables of {}\n", title_);
    for (const OutsideValue& each : reading_.outside) {
      const std::string plain = plain_name(each.name);
      if (!plain.empty() && names.insert(plain).second) made += fmt::format("let {} = {}  # {}\n", plain, each.text, each.words);
    }
    made += '\n';
    for (Line& line : lines_) {
      line.begin = made.size();
      if (!line.as_values) {
        made += line.statement + (line.statement.ends_with(';') || line.statement.ends_with('}') ? "\n" : ";\n");
        for (const SourceVariable* each : line.variables) names.insert(plain_name(each->name));
      } else {
        for (const SourceVariable* each : line.variables) {
          const std::string plain = plain_name(each->name);
          std::string name = plain;
          for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}_{}", plain, n);
          made += fmt::format("let {} = {}  # line {}\n", name, text_again(*each->value), each->line);
        }
      }
      line.end = made.size();
    }
    for (const SourceVariable& each : reading_.variables) {
      if (each.fate == SourceFate::refused)
        made += fmt::format("# line {}: {} has no value: {}\n", each.line, each.name, one_line(each.words));
    }
    return made;
  }

  static std::string one_line(std::string words) {
    std::replace(words.begin(), words.end(), '\n', ' ');
    return words;
  }

  // Has every variable of the line the source's value in the document?
  static bool holds(const Line& line, const Document& document, const std::vector<EvaluatedBinding>& values) {
    std::size_t found = 0;
    const auto is_it = [&](std::string_view name, const Value& value) {
      return std::any_of(line.variables.begin(), line.variables.end(),
                         [&](const SourceVariable* each) { return plain_name(each->name) == name && to_string(value) == each->words; });
    };
    for (std::size_t i = 0; i < values.size() && i < document.bindings.size(); ++i) {
      const std::size_t at = document.bindings[i].statement.span.begin;
      if (at < line.begin || at >= line.end) continue;
      const EvaluatedBinding& each = values[i];
      if (!each.value || !each.needs.empty()) return false;
      if (each.parts.empty()) found += is_it(each.name, *each.value) ? 1 : 0;
      for (const auto& [name, value] : each.parts) found += is_it(name, value) ? 1 : 0;
    }
    return found >= line.variables.size();
  }

  // Lines that say something else than in the source have their values from then on; those that use such a line's names are asked again.
  bool mend(const std::string& text, bool all) {
    const Result<Document> document = parse_document(text);
    if (!document) {
      const bool changed = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return !line.as_values; });
      for (Line& line : lines_) line.as_values = true;
      return changed;
    }
    const std::vector<EvaluatedBinding> values = evaluate(*document);
    std::vector<std::string> failed;
    for (Line& line : lines_) {
      if (line.as_values || holds(line, *document, values)) continue;
      const bool follows = std::any_of(failed.begin(), failed.end(),
                                       [&](const std::string& name) { return statement_text::has_word(line.statement, name); });
      for (const SourceVariable* each : line.variables) failed.push_back(plain_name(each->name));
      line.as_values = !follows || all;
    }
    return !failed.empty();
  }

  const SourceReading& reading_;
  std::string_view text_, title_;
  std::vector<std::pair<std::string, std::string>> renamed_;
  std::vector<Line> lines_;
};

}  // namespace

std::string document_of(const SourceReading& reading, std::string_view text, std::string_view title) {
  return DocumentWriter(reading, text, title).write();
}

}  // namespace tessera
