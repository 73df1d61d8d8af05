// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/document.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins.hpp"
#include "core/lang/lexer.hpp"
#include "core/lang/weight.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestDocument = std::size_t{16} << 20;  // bytes
constexpr std::size_t kMostBindings = std::size_t{1} << 18;      // each takes more than a kilobyte, whatever its value

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

// Reads bindings one after another; everything between them is kept.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Document> run() {
    Document made;
    std::size_t leading = 0;  // where what precedes the next binding begins
    for (;;) {
      skip_to_statement();
      if (at_ == text_.size()) {
        made.trailing = text_.substr(leading);
        return made;
      }
      const std::size_t begin = at_;
      Binding binding;
      Status read = read_binding(binding);
      if (read) read = take_name(binding.name, begin);
      if (read && made.bindings.size() == kMostBindings)
        return Error{ErrorCode::limit, fmt::format("a document has at most {} bindings", kMostBindings), SourceSpan{begin, at_}, {}};
      if (read) {
        binding.leading = text_.substr(leading, begin - leading);
        made.bindings.push_back(std::move(binding));
        leading = at_;
        continue;
      }
      at_ = end_of_expression(text_, begin);
      if (made.bad_lines.size() == kMostBadLines) return no_document(made.bad_lines.front());
      made.bad_lines.push_back({made.bindings.size(), line_of(begin), {begin, at_}, std::move(read).error()});
    }
  }

 private:
  // Over blanks and comment lines.
  void skip_to_statement() {
    if (at_ == 0 && text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#' || text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::size_t end_of_line(std::size_t from) const { return std::min(text_.find('\n', from), text_.size()); }

  // The number of the line at `at`, which never goes back from one call to the next.
  std::size_t line_of(std::size_t at) {
    for (; counted_ < at; ++counted_) line_ += text_[counted_] == '\n';
    return line_;
  }

  Error error(std::size_t begin, std::size_t end, std::string message) const {
    return {ErrorCode::parse,
            std::move(message),
            SourceSpan{begin, std::max(end, begin + 1)},
            {"a line of a document reads: let name = expression"}};
  }

  Error no_document(const BadLine& first) const {
    Error error = first.error;
    error.message = fmt::format("more than {} lines are neither a binding nor a comment, so this is no document; line {}: {}",
                                kMostBadLines, first.line, first.error.message);
    return error;
  }

  // A name means one expression: the first that it is given to.
  Status take_name(const std::string& name, std::size_t begin) {
    const auto [first, is_new] = first_uses_.emplace(name, line_of(begin));
    if (is_new) return Done{};
    return Error{ErrorCode::parse,
                 fmt::format("the name {} is bound twice: it means what line {} says, and this line is not used", name, first->second),
                 name_span_,
                 {"give one of them another name"}};
  }

  Status read_binding(Binding& binding) {
    const std::size_t begin = at_;
    const std::string_view here = text_.substr(at_);
    if (!here.starts_with("let ") && !here.starts_with("let\t")) {
      return error(begin, end_of_line(begin), fmt::format("this line is neither a binding nor a comment: {}", shown_line(begin)));
    }
    at_ += 4;
    if (text_.substr(begin, 4) != "let " || (skip_spaces(), at_ != begin + 4)) {
      return error(begin, at_, "one space stands between `let` and the name");
    }
    const std::size_t name_begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '=' && text_[at_] != '#') ++at_;
    binding.name = text_.substr(name_begin, at_ - name_begin);
    name_span_ = {name_begin, at_};
    if (!is_binding_name(binding.name)) {
      return error(
          name_begin, at_,
          fmt::format("\"{}\" cannot be a name: names are letters, digits and _, and not `o`, `let`, true or false", binding.name));
    }
    const std::size_t between = at_;
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != '=') return error(at_, at_ + 1, fmt::format("'=' is missing after the name {}", binding.name));
    ++at_;
    skip_spaces();
    binding.between = text_.substr(between, at_ - between);
    const std::size_t expression = at_;
    at_ = end_of_expression(text_, expression);
    binding.expression = text_.substr(expression, at_ - expression);
    binding.span = {expression, at_};
    // What follows on the line can only be a comment: end_of_expression stopped at one or at the end of the line.
    return Done{};
  }

  std::string shown_line(std::size_t begin) const {
    constexpr std::size_t kLongest = 60;
    const std::string_view line = text_.substr(begin, end_of_line(begin) - begin);
    return std::string(line.substr(0, kLongest)) + (line.size() > kLongest ? "..." : "");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SourceSpan name_span_;
  std::size_t counted_ = 0, line_ = 1;                       // of line_of
  std::unordered_map<std::string, std::size_t> first_uses_;  // a name and its line
};

// Says why a name that an expression uses has no value in its document.
class Explainer {
 public:
  explicit Explainer(const Document& document) : document_(document) {
    for (std::size_t i = 0; i < document.bindings.size(); ++i) places_.emplace(document.bindings[i].name, i);
  }

  void explain(Error& error, std::size_t current, const std::vector<EvaluatedBinding>& done) {
    if (error.code != ErrorCode::unknown_name || !error.span) return;
    const std::string& text = document_.bindings[current].expression;
    const std::string name = text.substr(error.span->begin, error.span->end - error.span->begin);
    if (const auto found = places_.find(name); found != places_.end()) {
      explain_bound(error, name, found->second, current, done);
    } else if (error.message.find("is not defined") != std::string::npos || error.message.find("no function") != std::string::npos) {
      error.notes = near_names(name, current);
    }
  }

 private:
  static void explain_bound(Error& error, const std::string& name, std::size_t at, std::size_t current,
                            const std::vector<EvaluatedBinding>& done) {
    if (at < done.size()) {
      if (done[at].value) return;  // the name has a value; it is a parameter or a word of that name that is not known
      error.message = fmt::format("{} has no value, since its own expression is refused", name);
      error.notes = {fmt::format("{}: {}", name, done[at].value.error().message)};
    } else {
      error.message =
          at == current ? fmt::format("{} is used in its own expression", name) : fmt::format("{} is defined further down", name);
      error.notes = {"a binding may use the names above it"};
    }
  }

  // Of the names just above, and only as long as the document has not asked for very many: a hint is not worth seconds.
  std::vector<std::string> near_names(const std::string& name, std::size_t current) {
    constexpr std::size_t kNamesAbove = 2048, kMostCompared = std::size_t{1} << 20;
    const std::size_t first = current - std::min(current, kNamesAbove);
    compared_ += current - first + builtins().size();
    if (compared_ > kMostCompared) return {};
    std::vector<std::string> names;
    for (std::size_t i = first; i < current; ++i) names.push_back(document_.bindings[i].name);
    return nearest_note(name, std::move(names));
  }

  const Document& document_;
  std::unordered_map<std::string_view, std::size_t> places_;  // by name
  std::size_t compared_ = 0;
};

// About what a document keeps of a binding.
std::int64_t kept_bytes(const EvaluatedBinding& binding) {
  constexpr std::int64_t kLeafBytes = 64;
  const auto of_error = [](const Error& error) {
    std::int64_t bytes = sizeof(Error) + static_cast<std::int64_t>(error.message.size());
    for (const std::string& note : error.notes) bytes += static_cast<std::int64_t>(sizeof(std::string) + note.size());
    return bytes;
  };
  std::int64_t bytes = sizeof(EvaluatedBinding);
  for (const Error& warning : binding.warnings) bytes += of_error(warning);
  if (!binding.value) return bytes + of_error(binding.value.error());
  return bytes + bytes_of_copy(*binding.value) + kLeafBytes * leaf_count(*binding.value);
}

}  // namespace

Result<Document> parse_document(std::string_view text) {
  if (text.size() > kLongestDocument) {
    return Error{ErrorCode::limit, fmt::format("the document has {} bytes; the limit is {}", text.size(), kLongestDocument), {}, {}};
  }
  return Reader(text).run();
}

std::string to_text(const Document& document) {
  std::string text;
  for (const Binding& binding : document.bindings) text += binding.leading + "let " + binding.name + binding.between + binding.expression;
  return text + document.trailing;
}

std::vector<EvaluatedBinding> evaluate(const Document& document) {
  const DefaultBudget budget;  // of the whole document: what is used up by one binding is missing to the next
  Explainer explainer(document);
  std::vector<EvaluatedBinding> done;
  done.reserve(document.bindings.size());
  std::unordered_map<std::string_view, const Value*> values;
  const Scope scope = [&](std::string_view name) -> const Value* {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second;
  };
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {
    const Binding& binding = document.bindings[i];
    std::vector<Error> warnings;
    Result<Value> value = evaluate(binding.expression, scope, &warnings);
    if (!value) {
      explainer.explain(value.error(), i, done);
    } else if (auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value->any); spec && (*spec)->name == GemmSpec().name) {
      GemmSpec named = **spec;  // a GEMM is called as its binding is
      named.name = binding.name;
      *spec = std::make_shared<const GemmSpec>(std::move(named));
    }
    done.push_back({binding.name, std::move(value), std::move(warnings)});
    if (Status kept = spend_bytes(kept_bytes(done.back()), "the value"); !kept) {
      done.back().value = std::move(kept).error();
      done.back().warnings.clear();
    }
    if (done.back().value) values.emplace(binding.name, &*done.back().value);
  }
  return done;
}

}  // namespace tessera
