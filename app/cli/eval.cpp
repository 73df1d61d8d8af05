// SPDX-License-Identifier: BSD-3-Clause
// tessera eval: an expression, or a snippet of many statements, printed as the language writes it or as JSON.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/cli/answer_json.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/share_text.hpp"
#include "app/session/files/source_file.hpp"
#include "core/base/file.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/suggest_figures.hpp"
#include "core/lang/prints/prints.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/suggest/suggest.hpp"
#include "core/lang/syntax/language.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string expression, file;
  std::vector<std::string> given;  // NAME=EXPRESSION
  GivenValues parameters;          // those of `file`
  bool json = false;
  bool fix = false;
  Limits limits;
};

// Of --fix, the text that is evaluated: "expr":"...", and a comma.
std::string fixed_member(const Arguments& arguments) {
  return arguments.fix ? fmt::format("\"expr\":{},", json_string(arguments.expression)) : std::string();
}

Exit run_expression(const Arguments& arguments) {
  Result<EvaluatedExpression> evaluated = evaluate_with(arguments.expression, arguments.file, arguments.parameters);
  if (evaluated && !evaluated->value) suggest_with_figures(evaluated->value.error(), arguments.expression, evaluated->document.scope());
  const Error* error = !evaluated ? &evaluated.error() : !evaluated->value ? &evaluated->value.error() : nullptr;
  if (evaluated && !arguments.json) warn(evaluated->warnings, arguments.expression);
  if (!arguments.json) {
    if (error) return refuse(*error, evaluated ? arguments.expression : "");
    const auto* text = std::get_if<std::string>(&evaluated->value->any);
    print((text ? *text : to_string(*evaluated->value)) + "\n");  // what print_cpp(x) gives is for pasting: no quotes
    return Exit::right;
  }
  std::string line = (error ? "{\"ok\":false," : "{\"ok\":true,") + fixed_member(arguments);
  if (error)
    append_error(line, *error);
  else
    append_answer(line, *evaluated->value, evaluated->warnings);
  print_data(line + "}\n");
  return error ? exit_of(*error) : Exit::right;
}

// What a program printed: every object of it, one that cannot be read beside the others.
Exit run_prints(const Arguments& arguments) {
  const Result<std::vector<Pasted>> read = read_paste(arguments.expression, {});
  if (!read || read->size() < 2 || arguments.json) return run_expression(arguments);
  bool any = false;
  for (const Pasted& each : *read) {
    for (const Error& warning : each.warnings) note(fmt::format("warning: {}", describe(warning, arguments.expression)));
    if (!each.value) {
      note(describe(each.value.error(), arguments.expression));
      continue;
    }
    any = true;
    const std::string shown = to_string(*each.value);
    print(each.name.empty() ? shown + "\n" : fmt::format("{} = {}\n", each.name, shown));
  }
  return any ? Exit::right : run_expression(arguments);
}

// "bM = 128, bK = 64"
std::string likely_text(const std::vector<Symbol>& symbols) {
  std::string text;
  for (const Symbol& symbol : symbols) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol.name, symbol.likely);
  return text;
}

void append_statement(std::string& out, const StatementAnswer& answer) {
  fmt::format_to(std::back_inserter(out), "{{\"line\":{}", answer.statement.line);
  if (answer.statement.kind == Statement::Kind::passed_over) {
    out += ",\"passed_over\":";
    append_json_string(out, answer.statement.reason);
  }
  if (!answer.values.empty()) {
    out += ",\"values\":[";
    for (const auto& [name, value] : answer.values) {
      out += &name == &answer.values.front().first ? "{" : ",{";
      if (!name.empty()) {
        out += "\"name\":";
        append_json_string(out, name);
        out += ',';
      }
      append_answer(out, value, answer.warnings);
      out += '}';
    }
    out += ']';
  }
  if (answer.refused) {
    out += ',';
    append_error(out, *answer.refused);
  }
  if (!answer.remark.empty()) {
    out += ",\"remark\":";
    append_json_string(out, answer.remark);
  }
  append_json_list(out, "needs", answer.needs);
  append_json_list(out, "stated", answer.stated);
  out += '}';
}

Exit print_json(const SnippetAnswer& answer, const Arguments& arguments) {
  const StatementAnswer* last = answer.last();
  const Error* refused = nullptr;
  for (const StatementAnswer& each : answer.statements) {
    if (each.refused && !refused) refused = &*each.refused;
  }
  note_unused(answer.unused);
  std::string out = (refused ? "{\"ok\":false," : "{\"ok\":true,") + fixed_member(arguments);
  if (refused) {
    append_error(out, *refused);
    out += ',';
  } else if (last && !last->values.empty()) {
    append_answer(out, last->values.back().second);
    out += ',';
  }
  out += "\"statements\":[";
  for (const StatementAnswer& each : answer.statements) {
    if (&each != &answer.statements.front()) out += ',';
    append_statement(out, each);
  }
  out += "],\"symbols\":[";
  for (const Symbol& symbol : answer.symbols) {
    out += &symbol == &answer.symbols.front() ? "{\"name\":" : ",{\"name\":";
    append_json_string(out, symbol.name);
    out += ",\"likely\":";
    append_json_string(out, symbol.likely);
    fmt::format_to(std::back_inserter(out), ",\"line\":{}}}", symbol.line);
  }
  print_data(out + "]}\n");
  return refused ? exit_of(*refused) : Exit::right;
}

// What CuTe's print() of an atom and of what is tiled by one writes: its layouts, which no expression shows. Of other values nothing.
std::string lines_of(const Value& value) {
  const std::string_view kind = kind_name(value);
  if (!kind.ends_with("_atom") && !kind.starts_with("tiled_")) return "";
  const Result<std::string> lines = text_of(value, "print");
  return lines ? *lines : "";
}

// `path`: of the document that the text is; empty where it is none.
Exit print_text(const SnippetAnswer& answer, std::string_view text, std::string_view path) {
  Exit exit = Exit::right;
  bool has_functions = false;
  std::set<std::string> stated;
  Stopped stopped;
  for (const StatementAnswer& each : answer.statements) {
    if (each.refused && !stopped.is_told(*each.refused)) continue;
    const SourceSpan span = each.statement.span;
    const std::string place = path.empty() ? ""
                                           : fmt::format("{}:{}: {}: ", path, each.statement.line,
                                                         heading(text.substr(span.begin, span.end - span.begin), each.statement));
    for (const Error& warning : each.warnings) note(fmt::format("{}warning: {}", place, describe(warning, text)));
    if (each.statement.kind == Statement::Kind::passed_over)
      note(fmt::format("line {} is passed over: {}", each.statement.line, each.statement.reason));
    const bool is_function = each.statement.reason == "a kernel" || each.statement.reason == "a function";
    has_functions = has_functions || is_function;
    if (!each.remark.empty()) note(fmt::format("line {}: {}", each.statement.line, each.remark));
    stated.insert(each.stated.begin(), each.stated.end());
    if (each.refused) {
      note(place + describe(*each.refused, text));
      exit = exit_of(*each.refused);
    }
    for (const auto& [name, value] : each.values) {
      const auto* words = std::get_if<std::string>(&value.any);
      const std::string shown = words ? *words : to_string(value);
      print(name.empty() ? shown + "\n" + lines_of(value) : fmt::format("{} = {}\n", name, shown));
    }
  }
  stopped.tell_rest();
  if (has_functions) note("tessera explain FILE reads inside of functions");
  for (const std::string& each : stated) note("with " + each);
  note_unused(answer.unused);
  if (!answer.symbols.empty()) {
    note(fmt::format("not given, and taken as likely: {}\ngive what you mean: --let \"{}=...\"", likely_text(answer.symbols),
                     answer.symbols.front().name));
  }
  return exit;
}

bool is_file(const std::string& expression) {
  std::error_code ignored;
  return expression.size() < 4096 && std::filesystem::is_regular_file(expression, ignored);
}

bool is_source(const std::string& expression) { return dialect_of_file(expression).has_value(); }

// x.tess, x.cu: no expression ends so, unless it is one of many words.
bool names_file(const std::string& expression) {
  return (expression.ends_with(".tess") || is_source(expression)) && expression.find_first_of(" \n\t(){};,=") == std::string::npos;
}

// All bindings of a document, one line each.
Exit run_document(const Arguments& arguments, const SnippetOptions& options) {
  const Result<Document> document = load_document(arguments.expression);
  if (!document) return refuse(document.error());
  const std::string text = to_text(*document);
  const SnippetAnswer answer = evaluate_snippet(text, options);
  return arguments.json ? print_json(answer, arguments)
                        : print_text(answer, text, is_share_text(arguments.expression) ? kSharedTitle : arguments.expression);
}

// The refusals of a snippet say what was meant; of many only the first, since the others often follow from it.
void suggest_first(SnippetAnswer& answer, std::string_view text, const Scope& scope) {
  for (StatementAnswer& each : answer.statements) {
    if (each.refused) return suggest_with_figures(*each.refused, text, scope);
  }
}

// Moves the values of parameters of the document that --file names from `given` to `arguments`.
Status take_parameters(Arguments& arguments, GivenValues& given) {
  if (arguments.file.empty() || given.empty()) return Done{};
  TESSERA_TRY(document, load_document(arguments.file));
  const auto others =
      std::stable_partition(given.begin(), given.end(), [&](const auto& each) { return has_parameter(document, each.first); });
  arguments.parameters.assign(given.begin(), others);
  given.erase(given.begin(), others);
  return Done{};
}

// --fix: what is evaluated is the text as it was probably meant.
Status mend(Arguments& arguments) {
  OpenDocument document;
  if (!arguments.file.empty()) {
    TESSERA_TRY(opened, open_document(arguments.file, Wanted::named, arguments.parameters));
    document = std::move(opened);
  }
  TESSERA_TRY(text, mended_text(arguments.expression, document.scope()));
  arguments.expression = std::move(text);
  if (!arguments.json) print_line(arguments.expression);
  return Done{};
}

Exit run(Arguments arguments) {
  SnippetOptions options;
  bool from_stdin = arguments.expression == "-";
  if (!from_stdin && names_file(arguments.expression) && !is_file(arguments.expression))
    return refuse({ErrorCode::io, fmt::format("there is no file {}", arguments.expression), {}, {}}, "");
  if (!from_stdin && names_file(arguments.expression) && is_source(arguments.expression)) {
    Result<std::string> source = read_file(arguments.expression, kLongestSource);
    if (!source) return refuse(source.error(), "");
    note(fmt::format("{} is read as statements; tessera explain {} reads inside of functions, and remarks on what it finds",
                     arguments.expression, arguments.expression));
    options.statements.language = dialect_of_file(arguments.expression);
    arguments.expression = *std::move(source);
    from_stdin = true;
  } else if (from_stdin) {
    Result<std::string> text = read_stdin(kLongestSource);
    if (!text) return refuse(text.error(), "");
    arguments.expression = *std::move(text);
  }
  const Budget budget(arguments.limits);
  Result<GivenValues> given = given_values(arguments.given);
  if (!given) return misuse(given.error().message);
  if (const Status taken = take_parameters(arguments, *given); !taken) return refuse(taken.error());
  options.given = std::move(*given);
  if (arguments.fix && !options.given.empty()) {
    const auto& [name, value] = options.given[0];
    return misuse(fmt::format("--fix mends one expression, where --let {} is no name of it: write its value there, {}", name, value));
  }
  if (arguments.fix) {
    if (const Status mended = mend(arguments); !mended) return refuse(mended.error(), arguments.expression);
  }
  const bool is_document =
      is_share_text(arguments.expression) || (arguments.expression.ends_with(".tess") && is_file(arguments.expression));
  if (!from_stdin && is_document) return run_document(arguments, options);
  const bool statements = (from_stdin || has_statements(arguments.expression)) && !is_print(arguments.expression);
  if (!statements && options.given.empty()) return run_expression(arguments);
  // What a program printed is one value, although it has many lines.
  std::vector<Error> warnings;
  if (options.given.empty() && evaluate_print(arguments.expression, {}, &warnings)) return run_prints(arguments);
  OpenDocument document;
  if (!arguments.file.empty()) {
    Result<OpenDocument> opened = open_document(arguments.file, Wanted::named, arguments.parameters);
    if (!opened) return refuse(opened.error(), "");
    document = std::move(*opened);
  }
  SnippetAnswer answer = evaluate_snippet(arguments.expression, options, document.scope());
  suggest_first(answer, arguments.expression, document.scope());
  return arguments.json ? print_json(answer, arguments) : print_text(answer, arguments.expression, "");
}

}  // namespace

Subcommand eval_subcommand() {
  return {"eval",
          "Evaluate an expression or a snippet",
          "  tessera eval \"composition((4,8):(8,1), (2,4):(1,2))\"\n  tessera eval data --file assets/presets/tour.tess --json\n"
          "  tessera eval - --let bM=128 < snippet.cu\n  tessera eval assets/presets/tour.tess\n"
          "  tessera eval --fix \"coalesce (4,8):(1,4)\"",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional(
                "expression", a->expression,
                "an expression, many statements of C++, Python or Tessera, or a .tess document; - reads statements from stdin");
            options.option("--file", a->file, "a document whose names the expression may use");
            declare_let(options, a->given, Let::both);
            options.flag("--json", a->json, "kind, value and further facts as one JSON object; of statements, each one's");
            options.flag("--fix", a->fix, "a text with a mistake is evaluated as it was probably meant, and printed first");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
