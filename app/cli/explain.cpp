// SPDX-License-Identifier: BSD-3-Clause
// tessera explain: the layouts, tiled MMAs and copies of a source file, each with its line, value and remarks.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/answer_json.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/advice/advise.hpp"
#include "app/session/files/entries.hpp"
#include "app/session/files/source_file.hpp"
#include "core/base/file.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/programs/explain_program.hpp"

namespace tessera {
namespace {

constexpr std::string_view kDevice = "H200";  // where advise looks if nothing else is said; no remark on a source names it

struct Arguments {
  std::string file, trace;
  std::vector<std::string> given, entries;
  bool json = false;
  bool account = false;
  Limits limits;
};

// What its evaluation warns of, what `advise` finds of it, and why it may have another value. What rests on a guess begins with it.
std::vector<std::string> remarks_of(const Explained& object, const Advised& advised) {
  std::vector<std::string> made;
  const auto add = [&](const Advice& each) {
    if (each.line != object.line || each.name != object.name) return;
    made.push_back(each.guesses.empty() ? each.finding : fmt::format("if {}: {}", fmt::join(each.guesses, ", "), each.finding));
  };
  for (const Advice& each : advised.findings) add(each);
  for (const Advice& each : advised.supposed) add(each);
  made.insert(made.end(), object.doubts.begin(), object.doubts.end());
  if (!object.beside.empty()) made.push_back(object.beside);
  return made;
}

// "its first 3 elements when it ran: 0, 1, 2"; of many the first ones alone, which --json has all.
std::string words_of_run(const std::vector<std::string>& ran) {
  constexpr std::size_t kShown = 16;
  const std::size_t shown = std::min(ran.size(), kShown);
  return fmt::format("its first {} elements when it ran: {}{}", ran.size(),
                     fmt::join(ran.begin(), ran.begin() + static_cast<std::ptrdiff_t>(shown), ", "), shown < ran.size() ? ", ..." : "");
}

// What is found of lines that make no object: copy(a, b), a launch, a refusal.
std::vector<Advice> others_of(const Explanation& explanation, const Advised& advised) {
  std::vector<Advice> others;
  for (const Advice& each : advised.findings) {
    const bool of_object = std::any_of(explanation.objects.begin(), explanation.objects.end(),
                                       [&](const Explained& object) { return object.line == each.line && object.name == each.name; });
    const bool said = std::any_of(explanation.unexplained.begin(), explanation.unexplained.end(),
                                  [&](const Unexplained& line) { return line.line == each.line && line.message == each.finding; });
    if (!of_object && !said) others.push_back(each);
  }
  return others;
}

void append_calls(std::string& out, const std::vector<CalledFunction>& called) {
  for (const CalledFunction& each : called) {
    out += &each == called.data() ? "{\"function\":" : ",{\"function\":";
    append_json_string(out, each.path);
    fmt::format_to(std::back_inserter(out), ",\"line\":{},\"called_in\":[{}]", each.line, fmt::join(each.calls, ","));
    if (!each.written.empty()) {
      out += ",\"written\":";
      append_json_string(out, each.written);
    } else if (each.chosen > 0) {
      fmt::format_to(std::back_inserter(out), ",\"taken\":{}", each.chosen);
    }
    append_json_list(out, "given", each.given);
    append_json_list(out, "differs", each.differs);
    out += '}';
  }
}

void print_json(const SourceFile& source, const Advised& advised) {
  const Explanation& explanation = source.explanation;
  std::string out = "{\"objects\":[";
  for (const Explained& each : explanation.objects) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"column\":{},\"name\":", &each == explanation.objects.data() ? "" : ",",
                   each.line, each.column);
    append_json_string(out, each.name);
    fmt::format_to(std::back_inserter(out), ",\"source\":\"{}\",", to_string(each.source));
    append_answer(out, each.value);
    append_json_list(out, "needs", each.needs);
    append_json_list(out, "stated", each.stated);
    append_json_list(out, "given", each.given);
    if (!each.beside.empty()) {
      out += ",\"beside\":";
      append_json_string(out, each.beside);
    }
    append_json_list(out, "remarks", remarks_of(each, advised));
    if (!each.ran.empty()) append_json_list(out, "ran", each.ran);
    out += '}';
  }
  out += "],\"traced\":[";
  for (const TracedText& each : explanation.traced) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"column\":{},\"name\":", &each == explanation.traced.data() ? "" : ",",
                   each.line, each.column);
    append_json_string(out, each.name);
    out += ",\"text\":";
    append_json_string(out, each.words);
    out += ",\"why\":";
    append_json_string(out, each.why);
    out += ",\"beside\":";
    append_json_string(out, each.beside);
    if (!each.ran.empty()) append_json_list(out, "ran", each.ran);
    out += '}';
  }
  out += "],\"remarks\":[";
  bool first = true;
  for (const Advice& each : others_of(explanation, advised)) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"message\":", std::exchange(first, false) ? "" : ",", each.line);
    append_json_string(out, each.finding);
    out += '}';
  }
  out += "],\"unexplained\":[";
  for (const Unexplained& each : explanation.unexplained) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"text\":", &each == explanation.unexplained.data() ? "" : ",", each.line);
    append_json_string(out, each.text);
    out += ",\"message\":";
    append_json_string(out, each.message);
    out += '}';
  }
  out += "],\"passed_over\":[";
  for (const Unexplained& each : explanation.passed_over) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"reason\":", &each == explanation.passed_over.data() ? "" : ",", each.line);
    append_json_string(out, each.message);
    out += '}';
  }
  out += "],\"account\":[";
  for (const AccountEntry& each : explanation.account) {
    fmt::format_to(std::back_inserter(out), "{}{{\"line\":{},\"fate\":\"{}\"", &each == explanation.account.data() ? "" : ",", each.line,
                   to_string(each.fate));
    append_json_list(out, "names", each.names);
    append_json_list(out, "waits_for", each.waits_for);
    out += ",\"words\":";
    append_json_string(out, each.words);
    out += '}';
  }
  out += "],\"symbols\":[";
  for (const Symbol& each : explanation.symbols) {
    out += &each == explanation.symbols.data() ? "{\"name\":" : ",{\"name\":";
    append_json_string(out, each.name);
    out += ",\"likely\":";
    append_json_string(out, each.likely);
    fmt::format_to(std::back_inserter(out), ",\"line\":{}}}", each.line);
  }
  out += "],\"calls\":[";
  append_calls(out, explanation.called);
  out += ']';
  append_json_list(out, "included", source.included.files);
  out += ",\"trace\":";
  append_json_string(out, source.trace);
  append_json_list(out, "notes", source.notes);
  print_data(out + "}\n");
}

// A tiled MMA or copy in one line: what it is made of; a layout as it is written.
std::string short_text(const Value& value) {
  constexpr std::size_t kLongest = 110;
  std::string text = to_string(value);
  return text.size() > kLongest ? std::string(utf8_prefix(text, kLongest)) + "..." : text;
}

// Every statement: its line, the names that it binds, and what became of it.
void print_account(const Explanation& explanation) {
  std::vector<std::vector<std::string>> rows;
  for (const AccountEntry& each : explanation.account)
    rows.push_back(
        {fmt::format("{}", each.line), fmt::format("{}", fmt::join(each.names, ", ")), std::string(to_string(each.fate)), each.words});
  print(table(rows));
  print_line(summary_of(explanation.account));
}

// Names without a value that no line above says.
void print_names_without_value(const Explanation& explanation) {
  constexpr std::size_t kShown = 12;
  std::size_t count = 0;
  for (const AccountEntry& each : explanation.account) {
    const bool said = std::any_of(explanation.unexplained.begin(), explanation.unexplained.end(),
                                  [&](const Unexplained& other) { return other.line == each.line; });
    const bool lacks =
        each.fate == AccountEntry::Fate::refused || (each.fate == AccountEntry::Fate::waits && each.words.rfind("for ", 0) != 0);
    if (said || !lacks || each.names.empty()) continue;
    if (++count <= kShown) print_line(fmt::format("line {}: {} has no value: {}", each.line, fmt::join(each.names, ", "), each.words));
  }
  if (count > kShown) print_line(fmt::format("and {} more names without a value: --account lists every statement", count - kShown));
}

void print_text(const Explanation& explanation, const Advised& advised) {
  std::vector<std::vector<std::string>> rows;
  std::vector<TracedText> traced = explanation.traced;
  std::stable_sort(traced.begin(), traced.end(), [](const TracedText& a, const TracedText& b) { return a.line < b.line; });
  std::size_t next = 0;
  const auto add_traced = [&](std::size_t before) {  // 0: the rest
    for (; next < traced.size() && (before == 0 || traced[next].line < before); ++next) {
      rows.push_back({fmt::format("{}", traced[next].line), traced[next].name, "traced", traced[next].words});
      if (!traced[next].beside.empty()) rows.push_back({"", "", "", "! " + traced[next].beside});
      if (!traced[next].ran.empty()) rows.push_back({"", "", "", words_of_run(traced[next].ran)});
    }
  };
  for (const Explained& each : explanation.objects) {
    add_traced(each.line);
    rows.push_back({fmt::format("{}", each.line), each.name, std::string(to_string(each.source)), short_text(each.value)});
    for (const std::string& remark : remarks_of(each, advised)) {
      for (std::size_t from = 0; from <= remark.size();) {  // a remark may have several lines
        const std::size_t to = std::min(remark.find('\n', from), remark.size());
        rows.push_back({"", "", "", (from == 0 ? "! " : "  ") + remark.substr(from, to - from)});
        from = to + 1;
      }
    }
    if (!each.ran.empty()) rows.push_back({"", "", "", words_of_run(each.ran)});
    for (const std::string& stated : each.stated) rows.push_back({"", "", "", "with " + stated});
    if (!each.given.empty()) rows.push_back({"", "", "", fmt::format("with {} as given", fmt::join(each.given, ", "))});
    if (!each.needs.empty()) rows.push_back({"", "", "", fmt::format("with likely values of {}", fmt::join(each.needs, ", "))});
  }
  add_traced(0);
  print(table(rows));
  for (const Advice& each : others_of(explanation, advised)) print_line(fmt::format("line {}: ! {}", each.line, each.finding));
  for (const Unexplained& each : explanation.unexplained)
    print(fmt::format("line {} has no value: {}\n  {}\n", each.line, each.text, each.message));
  print_names_without_value(explanation);
  for (const Unexplained& each : explanation.passed_over) print_line(fmt::format("line {} is passed over: {}", each.line, each.message));
  std::string likely;
  for (const Symbol& each : explanation.symbols) likely += fmt::format("{}{} = {}", likely.empty() ? "" : ", ", each.name, each.likely);
  const std::size_t objects = explanation.objects.size(), without = explanation.unexplained.size();
  print_line(fmt::format("{} object{}, {} statement{} without a value{}", objects, objects == 1 ? "" : "s", without,
                         without == 1 ? "" : "s", likely.empty() ? "" : "; taken as likely: " + likely));
  if (explanation.objects.empty() && explanation.unexplained.empty()) {
    print_line("looked for statements of C++ or Python that make a layout, a tensor, an atom, a tiled MMA or a tiled copy, such as");
    print_line("  auto sA = make_layout(make_shape(bM, bK));");
  }
}

Exit run(const Arguments& arguments) {
  const bool from_stdin = arguments.file == "-";
  const Result<std::string> source = from_stdin ? read_stdin(kLongestSource) : read_file(arguments.file, kLongestSource);
  const Budget budget(arguments.limits);
  if (!source) return refuse(source.error(), "");
  if (source->find('\0') != std::string::npos) {
    return refuse({ErrorCode::parse, fmt::format("{} is no text: explain reads source files of C++ or Python", arguments.file), {}, {}},
                  "");
  }
  const Result<GivenValues> given = given_values(arguments.given);
  if (!given) return misuse(given.error().message);
  const Result<std::vector<Entry>> entries = read_entries(arguments.entries);
  if (!entries) return misuse(entries.error().message);
  const Result<SourceFile> file = open_source(arguments.file, *source, {*given, arguments.trace, *entries});
  if (!file) return refuse(file.error(), "");
  const Explanation& explanation = file->explanation;
  const Advised advised =
      arguments.account && !arguments.json ? Advised() : advise(program_of(explanation), find_device_model(kDevice).value());
  if (arguments.json) {
    print_json(*file, advised);
  } else if (arguments.account) {
    print_account(explanation);
  } else {
    print_text(explanation, advised);
    for (const std::string& each : words_of_calls(explanation.called)) print_line(each);
    if (!file->included.files.empty()) print_line(fmt::format("with what it includes: {}", fmt::join(file->included.files, ", ")));
    if (!file->trace.empty()) print_line(fmt::format("with what was traced: {}", file->trace));
  }
  for (const std::string& each : file->notes) note(each);
  note_unused(explanation.unused);
  if (const Status time = check_time(fmt::format("explaining {}", from_stdin ? "stdin" : arguments.file)); !time)
    return refuse(time.error());
  return Exit::right;
}

}  // namespace

Subcommand explain_subcommand() {
  return {"explain",
          "The layouts, tiled MMAs and copies of a source file",
          "  tessera explain kernel.cu --let bM=128\n  tessera explain kernel.py --json",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("file", a->file, "a source file in C++ or Python; - reads stdin");
            options.option("--trace", a->trace,
                           "what `tessera trace` or tessera/dump.hpp wrote of the file; FILE.trace beside it by default");
            declare_let(options, a->given, Let::names);
            options.option("--entry", a->entries, kEntryHelp);
            options.flag("--account", a->account, "every statement: valued, waiting for names, refused, or passed over");
            options.flag("--json", a->json, "everything as one JSON object");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
