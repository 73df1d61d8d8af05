// SPDX-License-Identifier: BSD-3-Clause
// tessera advise: what is wrong, slow or worth a look in a document or a source file.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/advice/advise.hpp"
#include "app/session/files/entries.hpp"
#include "app/session/files/source_file.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/lang/programs/explain_program.hpp"
#include "core/lang/syntax/language.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostFine = 12;  // right ones that are listed

struct Arguments {
  std::string file, device = "H200", trace;
  std::vector<std::string> given, entries;
  bool json = false;
  Limits limits;
};

// What is looked at, with what keeps its values.
struct Read {
  std::vector<EvaluatedBinding> of_document;
  SourceFile of_source;
  AdvisedProgram program;
};

Status read_document(const std::string& text, const GivenValues& given, Read& read) {
  TESSERA_TRY(written, parse_document(text));
  TESSERA_TRY(document, with_parameters(std::move(written), given));
  read.of_document = evaluate(document);
  read.program = program_of(document, read.of_document);
  return Done{};
}

Status read_source(const std::string& path, const std::string& text, const SourceWish& wish, Read& read) {
  TESSERA_TRY(file, open_source(path, text, wish));
  read.of_source = std::move(file);
  read.program = program_of(read.of_source.explanation);
  return Done{};
}

Json findings_json(const std::vector<Advice>& findings) {
  Json::List made;
  for (const Advice& each : findings) {
    Json::Members one = {{"line", static_cast<std::int64_t>(each.line)},
                         {"name", each.name},
                         {"weight", to_string(each.weight)},
                         {"times", each.times},
                         {"finding", each.finding},
                         {"remedy", each.remedy}};
    if (!each.guesses.empty()) one.push_back({"if", Json(each.guesses)});
    made.push_back(Json::object(std::move(one)));
  }
  return made;
}

void print_json(const Advised& advised, const Read& read) {
  Json::List fine, fine_if;
  for (const FoundRight& each : advised.fine) {
    if (each.guesses.empty())
      fine.push_back(each.words);
    else
      fine_if.push_back(Json::object({{"fine", each.words}, {"if", Json(each.guesses)}}));
  }
  print_data(Json::object({{"bindings", static_cast<std::int64_t>(advised.bindings)},
                           {"findings", findings_json(advised.findings)},
                           {"supposed", findings_json(advised.supposed)},
                           {"fine", std::move(fine)},
                           {"fine_supposed", std::move(fine_if)},
                           {"stopped", advised.stopped},
                           {"without_value", static_cast<std::int64_t>(read.of_source.explanation.unexplained.size())},
                           {"likely_values", static_cast<std::int64_t>(read.of_source.explanation.symbols.size())}})
                 .dump(2) +
             "\n");
}

// What was not looked at.
std::string beyond(const Explanation& source) {
  if (source.unexplained.empty()) return "";
  return fmt::format("; {} statement{} without a value {} left out: `tessera explain` lists them", source.unexplained.size(),
                     source.unexplained.size() == 1 ? "" : "s", source.unexplained.size() == 1 ? "is" : "are");
}

std::string if_words(const std::vector<std::string>& guesses) {
  constexpr std::size_t kMostNamed = 6;
  const std::vector<std::string> first(guesses.begin(),
                                       guesses.begin() + static_cast<std::ptrdiff_t>(std::min(guesses.size(), kMostNamed)));
  return fmt::format("if {}{}", fmt::join(first, ", "),
                     guesses.size() > kMostNamed ? fmt::format(" and {} more are as guessed", guesses.size() - kMostNamed) : "");
}

void print_findings(const std::vector<Advice>& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const Advice& each : findings) {
    const bool counted = each.times > 1 && each.weight == Advice::Weight::slow;
    rows.push_back({each.line > 0 ? fmt::format("{}", each.line) : "", each.name,
                    counted ? fmt::format("{} x{:.3g}", to_string(each.weight), each.times) : std::string(to_string(each.weight)),
                    each.finding});
    if (!each.guesses.empty()) rows.push_back({"", "", "", if_words(each.guesses)});
    if (!each.remedy.empty()) rows.push_back({"", "", "", "try: " + each.remedy});
  }
  print(table(rows));
}

void print_text(const Advised& advised, const Read& read) {
  print_findings(advised.findings);
  const auto known = static_cast<std::size_t>(
      std::count_if(advised.fine.begin(), advised.fine.end(), [](const FoundRight& each) { return each.guesses.empty(); }));
  for (std::size_t i = 0; i < std::min(known, kMostFine); ++i) print_line("right: " + advised.fine[i].words);
  if (known > kMostFine) print_line(fmt::format("right: {} more", known - kMostFine));
  print_line(fmt::format("{} finding{} in {} binding{}{}", advised.findings.size(), advised.findings.size() == 1 ? "" : "s",
                         advised.bindings, advised.bindings == 1 ? "" : "s", beyond(read.of_source.explanation)));
  if (!advised.stopped.empty()) print_line("not all was looked at: " + advised.stopped);
  if (advised.supposed.empty() && known == advised.fine.size()) return;
  print_line("no findings, since they rest on guesses; --let NAME=VALUE gives the names their values:");
  print_findings(advised.supposed);
  for (std::size_t i = known; i < std::min(advised.fine.size(), known + kMostFine); ++i)
    print_line(fmt::format("right {}: {}", if_words(advised.fine[i].guesses), advised.fine[i].words));
  if (advised.fine.size() > known + kMostFine) print_line(fmt::format("right so: {} more", advised.fine.size() - known - kMostFine));
}

Exit run(const Arguments& arguments) {
  const Result<DeviceModel> device = find_device_model(arguments.device);
  if (!device) return refuse(device.error());
  const bool from_stdin = arguments.file == "-";
  const Result<std::string> text = from_stdin ? read_stdin(kLongestSource) : read_file(arguments.file, kLongestSource);
  const Budget budget(arguments.limits);
  if (!text) return refuse(text.error());
  if (text->find('\0') != std::string::npos)
    return refuse(
        {ErrorCode::parse, fmt::format("{} is no text: advise reads documents, and sources of C++ or Python", arguments.file), {}, {}});
  const Result<GivenValues> given = given_values(arguments.given);
  if (!given) return misuse(given.error().message);
  const Result<std::vector<Entry>> entries = read_entries(arguments.entries);
  if (!entries) return misuse(entries.error().message);
  Read read;
  if (arguments.file.ends_with(".tess")) {
    if (const Status readable = read_document(*text, *given, read); !readable) return refuse(readable.error(), *text);
  } else {
    if (const Status readable = read_source(arguments.file, *text, {*given, arguments.trace, *entries}, read); !readable)
      return refuse(readable.error());
    for (const std::string& each : read.of_source.notes) note(each);
  }
  const Advised advised = advise(read.program, *device);
  arguments.json ? print_json(advised, read) : print_text(advised, read);
  note_unused(read.of_source.explanation.unused);
  if (const Status time = check_time(fmt::format("advising on {}", from_stdin ? "stdin" : arguments.file)); !time)
    return refuse(time.error());
  return Exit::right;
}

}  // namespace

Subcommand advise_subcommand() {
  return {"advise",
          "What is wrong, slow or worth a look in a document or a source file, the worst first",
          "  tessera advise assets/presets/tour.tess\n  tessera advise kernel.cu --let bM=128 --device H100",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("file", a->file, "a .tess document, or a source file in C++ or Python; - reads a source from stdin");
            declare_let(options, a->given, Let::both);
            options.option("--entry", a->entries, kEntryHelp);
            options.option("--trace", a->trace,
                           "what `tessera trace` or tessera/dump.hpp wrote of the source; FILE.trace beside it by default");
            options.option("--device", a->device, "the device that kernels are for; H200 by default");
            options.flag("--json", a->json, "everything as one JSON object");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
