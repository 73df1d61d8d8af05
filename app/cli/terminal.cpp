// SPDX-License-Identifier: BSD-3-Clause
// stdout, stderr, and the documents that `--file` names.
#include "app/cli/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/files/entries.hpp"
#include "app/session/files/shadows.hpp"
#include "app/session/files/share_text.hpp"
#include "app/session/files/source_file.hpp"
#include "core/base/file.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/syntax/language.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

bool progress_shown = false;

}  // namespace

Exit exit_of(const Error& error) {
  return error.code == ErrorCode::no_device || error.code == ErrorCode::no_compiler ? Exit::environment : Exit::refused;
}

Exit refuse(const Error& error, std::string_view source) {
  note(describe(error, source));
  return exit_of(error);
}

Exit misuse(std::string_view message) {
  note(message);
  return Exit::usage;
}

void print(std::string_view text) { write_output(printable(text, Lines::kept)); }
void print_line(std::string_view text) { write_output(printable(text) + '\n'); }
void print_data(std::string_view bytes) { write_output(bytes); }
void print_document(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size()), next = std::min(end + 1, text.size());
    const bool carriage = end > 0 && end < text.size() && text[end - 1] == '\r';
    out += printable(text.substr(0, end - (carriage ? 1 : 0)), Lines::kept);
    out += text.substr(end - (carriage ? 1 : 0), next - end + (carriage ? 1 : 0));
    text.remove_prefix(next);
  }
  write_output(out);
}
void note(std::string_view text) {
  end_progress();
  say(text);
}

void show_progress(std::string_view text) {
  if (!::isatty(STDERR_FILENO)) return;
  winsize size{};
  const std::size_t room = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
  say_raw("\r\033[K" + cut_to_columns(printable(text), room));
  progress_shown = true;
}

void end_progress() {
  if (std::exchange(progress_shown, false)) say_raw("\r\033[K");
}

std::string counted(std::size_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> cells = rows;
  std::vector<std::size_t> widths;
  for (auto& row : cells) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      if (i + 1 < row.size()) widths[i] = std::max(widths[i], columns(row[i]));  // a row's last is as long as it likes
    }
  }
  std::string text;
  for (const auto& row : cells) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += row[i];
      text.append(widths[i] - columns(row[i]) + 2, ' ');
    }
    text += row.empty() ? "\n" : row.back() + "\n";
  }
  return text;
}

namespace {

// bM, self.tile, Cfg::kM: what an expression can ask for.
bool is_name_or_path(std::string_view name) {
  while (true) {
    const std::size_t end = std::min(name.find_first_of(".:"), name.size());
    if (!is_binding_name(name.substr(0, end))) return false;
    if (end == name.size()) return true;
    name.remove_prefix(end + (name.substr(end).starts_with("::") ? 2 : 1));
  }
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last + 1 - first);
}

Error misgiven(const std::string& argument, std::string_view what) {
  return {ErrorCode::parse, fmt::format("--let {}: {}", argument, what), {}, {}};
}

}  // namespace

Result<std::string> read_stdin(std::size_t largest) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;  // bytes
  std::string text;
  for (;;) {
    const std::size_t held = text.size();
    text.resize(held + kPiece);
    ssize_t n = 0;
    while ((n = ::read(STDIN_FILENO, text.data() + held, kPiece)) < 0 && errno == EINTR) {
    }
    if (n < 0) return Error{ErrorCode::io, fmt::format("cannot read stdin: {}", std::strerror(errno)), {}, {}};
    text.resize(held + static_cast<std::size_t>(n));
    if (n == 0) return text;
    if (text.size() > largest)
      return Error{ErrorCode::limit, fmt::format("stdin has more than {} bytes, the most that is read", largest), {}, {}};
  }
}

namespace {
constexpr std::size_t kStoppedTold = 8;
}

bool Stopped::is_told(const Error& error) {
  Budget* const budget = Budget::current();
  const bool stopped = error.code == ErrorCode::limit && budget && budget->look();
  return !stopped || ++count_ <= kStoppedTold;
}

void Stopped::tell_rest() const {
  if (count_ > kStoppedTold) note(fmt::format("and {} more: {}", count_ - kStoppedTold, past_deadline("the request").message));
}

void declare_let(Options& options, std::vector<std::string>& given, Let what) {
  const std::string_view sign = what == Let::parameters ? "NAME=VALUE" : "NAME=EXPRESSION";
  const std::string_view is = what == Let::parameters ? "another value of a parameter of the document"
                              : what == Let::names    ? "a value for a name that the file does not define"
                                                      : "a value for a name that nothing defines, or for a parameter of the document";
  options.option("--let", given, fmt::format("{}: {}; may be repeated", sign, is).c_str());
}

Status check_let(const std::vector<std::string>& given, bool has_document) {
  if (given.empty() || has_document) return Done{};
  const std::string name = given[0].substr(0, given[0].find('='));
  return Error{ErrorCode::unknown_name,
               fmt::format("--let {}: there is no document whose parameter it could be", name),
               {},
               {"--file names the document"}};
}

Result<GivenValues> given_values(const std::vector<std::string>& arguments) {
  GivenValues made;
  for (const std::string& each : arguments) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos || equals == 0) return misgiven(each, "a name and its value are given as NAME=EXPRESSION");
    const std::string_view text = each, name = without_blanks(text.substr(0, equals)), value = without_blanks(text.substr(equals + 1));
    if (!is_name_or_path(name))
      return misgiven(each,
                      fmt::format("\"{}\" cannot be a name; write --let bM=128, with letters, digits and _, not a digit first", name));
    if (value.empty()) return misgiven(each, fmt::format("the value is missing; write --let {}=128", name));
    if (const std::size_t end = value.find(';'); end != std::string_view::npos && value.find('"') == std::string_view::npos) {
      const std::string_view rest = without_blanks(value.substr(end + 1));
      return misgiven(each, fmt::format("one --let gives one value; write --let {}={}{}{}", name, value.substr(0, end),
                                        rest.empty() ? "" : " --let ", rest));
    }
    for (const auto& [other, first] : made) {
      if (other == name) return misgiven(each, fmt::format("{} is given twice, and was {}; write one of the two", name, first));
    }
    made.emplace_back(name, value);
  }
  return made;
}

void note_unused(const std::vector<Unused>& unused) {
  for (const Unused& each : unused) {
    note(each.line == 0 ? fmt::format("--let {}: nothing needs this name", each.name)
                        : fmt::format("--let {} is not used: line {} gives {} its value", each.name, each.line, each.name));
  }
}

const EvaluatedBinding* OpenDocument::find(std::string_view name) const { return find_binding(bindings, name); }

void warn(const std::vector<Error>& warnings, std::string_view expression) {
  for (const Error& warning : warnings) note("warning: " + describe(warning, expression));
}

Scope OpenDocument::scope() const { return scope_of(bindings); }

std::string_view OpenDocument::expression(std::string_view name) const {
  const EvaluatedBinding* const found = find(name);
  return found ? document.bindings[number_of(bindings, *found)].expression : std::string_view();
}

std::string OpenDocument::place(const EvaluatedBinding& binding) const {
  return fmt::format("{}:{}", path, place_of(document.bindings[number_of(bindings, binding)]));
}

std::string OpenDocument::words(const EvaluatedBinding& binding, const Error& error, std::string_view kind) const {
  const Binding& written = document.bindings[number_of(bindings, binding)];
  return fmt::format("{}: {}{}", place(binding), kind, describe(error, written.expression));
}

void OpenDocument::warn(const EvaluatedBinding& binding) const {
  for (const Error& warning : binding.warnings) note(words(binding, warning, "warning: "));
}

void OpenDocument::explain(Error& error) const {
  const EvaluatedBinding* const binding = error.missing.empty() ? nullptr : find(error.missing);
  if (!binding || binding->value) return;
  error.message = fmt::format("{} has no value: its own line is refused", error.missing);
  error.notes = {words(*binding, binding->value.error())};
}

Result<Document> load_document(const std::filesystem::path& path, Wanted wanted, const GivenValues& parameters) {
  TESSERA_TRY(read, load_document(path));
  TESSERA_TRY(document, with_parameters(std::move(read), parameters));
  if (wanted == Wanted::named) {
    for (const BadLine& bad : document.bad_lines) note(fmt::format("{}:{}: {}", path.string(), bad.line, bad.error.message));
  }
  if (const std::string later = needs_later(document); !later.empty()) note(fmt::format("{}: {}", path.string(), later));
  const std::string warning = unfinished_end(document);
  if (warning.empty()) return document;
  std::string words = fmt::format("{}: {}", is_share_text(path.native()) ? kSharedTitle : path.string(), warning);
  if (wanted == Wanted::whole)
    return Error{ErrorCode::corrupt, std::move(words), {}, {"complete or remove that line, or name what is wanted of the others"}};
  note(words);
  return document;
}

Result<OpenDocument> open_document(const std::filesystem::path& path, Wanted wanted, const GivenValues& parameters) {
  TESSERA_TRY(document, load_document(path, wanted, parameters));
  OpenDocument open;
  open.path = is_share_text(path.native()) ? kSharedTitle : path.string();
  open.text = to_text(document);
  open.bindings = evaluate(document);
  open.document = std::move(document);
  return open;
}

namespace {

Result<EvaluatedExpression> evaluate_in(OpenDocument document, std::string_view expression) {
  std::vector<Error> warnings;
  // A name that is bound but has no value gives the binding's own error rather than "unknown name".
  const EvaluatedBinding* const binding = document.find(expression);
  if (binding && !binding->value) {
    Error error = binding->value.error();
    error.message = fmt::format("{}: {}", document.place(*binding), error.message);
    error.span.reset();  // it counts within the binding's expression
    return error;
  }
  if (binding) document.warn(*binding);
  const Scope scope = document.scope();
  const std::vector<std::string> shadows = shadows_of(document.document);
  const ShadowWatch watch(scope, shadows);
  Result<Value> value = evaluate(expression, watch.scope(), &warnings);
  if (!value) document.explain(value.error());
  for (const std::string& name : watch.met()) {
    if (binding && binding->name == name) continue;  // it has said so itself
    warnings.push_back({ErrorCode::already_exists,
                        fmt::format("{} is what {} binds here, and no longer the language's own", name, document.path),
                        {},
                        {fmt::format("cute::{} is still the function, where it is one", name)}});
  }
  return EvaluatedExpression{std::move(document), std::move(value), std::move(warnings), std::string(expression)};
}

Result<EvaluatedExpression> evaluate_in_source(std::string_view expression, const std::string& path, const GivenValues& given,
                                               const SourcePlace& place) {
  TESSERA_TRY(text, read_file(path, kLongestSource));
  TESSERA_TRY(entries, read_entries(place.entries));
  TESSERA_TRY(source, open_source(path, std::move(text), {given, place.trace, std::move(entries)}));
  for (const std::string& each : source.notes) note(each);
  note_unused(source.explanation.unused);
  TESSERA_TRY(named, expression_in(source, expression, static_cast<std::size_t>(place.line)));
  for (const std::string& each : named.notes) note(each);
  if (!named.mark.empty()) note(fmt::format("{}: {}", expression, named.mark));
  OpenDocument open;
  open.path = path;
  TESSERA_TRY(document, parse_document(named.document));
  open.text = named.document;
  open.bindings = evaluate(document);
  open.document = std::move(document);
  TESSERA_TRY(made, evaluate_in(std::move(open), named.expression));
  made.mark = std::move(named.mark);
  for (const Explained* each : named.names) {
    if (!each->ran.empty()) made.ran.push_back({each->name, each->line, each->ran});
  }
  return made;
}

}  // namespace

void declare_source_place(Options& options, SourcePlace& place) {
  options.option("--trace", place.trace,
                 "of a source file: what `tessera trace` or tessera/dump.hpp wrote of it; FILE.trace beside it by default");
  options.option("--line", place.line, "of a source file: each name has its last value at or before this line",
                 Between{0, std::numeric_limits<int>::max()});
  options.option("--entry", place.entries, kEntryHelp);
}

Result<EvaluatedExpression> evaluate_with(std::string_view expression, const std::string& file, const GivenValues& parameters,
                                          const SourcePlace& place) {
  if (!parameters.empty()) TESSERA_CHECK(check_let({parameters[0].first}, !file.empty()));
  const bool is_source = !file.empty() && !is_share_text(file) && !file.ends_with(".tess") && dialect_of_file(file);
  if (is_source) return evaluate_in_source(expression, file, parameters, place);
  if (!place.trace.empty() || place.line > 0 || !place.entries.empty())
    return Error{ErrorCode::unknown_name,
                 "--trace, --line and --entry are of a source file",
                 {},
                 {"--file kernel.cu or --file kernel.py names one"}};
  if (file.empty()) {
    std::vector<Error> warnings;
    Result<Value> value = evaluate(expression, {}, &warnings);
    return EvaluatedExpression{{}, std::move(value), std::move(warnings), std::string(expression)};
  }
  TESSERA_TRY(document, open_document(file, Wanted::named, parameters));
  return evaluate_in(std::move(document), expression);
}

}  // namespace tessera
