// SPDX-License-Identifier: BSD-3-Clause
// tessera advise: what is wrong, slow or worth a look in a document or a source file.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/advise.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/lang/programs/explain.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestSource = std::size_t{4} << 20;  // bytes
constexpr std::size_t kMostFine = 12;                         // right ones that are listed

struct Arguments {
  std::string file, device = "H200";
  std::vector<std::string> given;
  bool json = false;
  Limits limits;
};

// What is looked at, with what keeps its values.
struct Read {
  std::vector<EvaluatedBinding> of_document;
  Explanation of_source;
  std::vector<AdvisedBinding> bindings;
};

Status read_document(const std::string& text, Read& read) {
  TESSERA_TRY(document, parse_document(text));
  read.of_document = evaluate(document);
  for (std::size_t i = 0; i < read.of_document.size(); ++i) {
    const EvaluatedBinding& each = read.of_document[i];
    AdvisedBinding& made = read.bindings.emplace_back();
    made.line = document.bindings[i].statement.line;
    made.name = each.name;
    made.warnings = each.warnings;
    if (each.value)
      made.value = &*each.value;
    else
      made.refusal = each.value.error().message;
  }
  for (const BadLine& bad : document.bad_lines) read.bindings.push_back({bad.line, "", nullptr, bad.error.message, {}});
  return Done{};
}

void read_source(const std::string& text, const GivenValues& given, Read& read) {
  read.of_source = explain(text, given);
  for (const Explained& each : read.of_source.objects) {
    // What is warned of a guessed value may be right of the one that is meant.
    const std::vector<Error> warnings = each.needs.empty() ? each.warnings : std::vector<Error>();
    read.bindings.push_back({each.line, each.name, &each.value, "", warnings, each.block});
  }
}

void print_json(const Advised& advised, const Read& read) {
  Json::List findings, fine;
  for (const Advice& each : advised.findings) {
    findings.push_back(Json::object({{"line", static_cast<std::int64_t>(each.line)},
                                     {"name", each.name},
                                     {"weight", to_string(each.weight)},
                                     {"times", each.times},
                                     {"finding", each.finding},
                                     {"remedy", each.remedy}}));
  }
  for (const std::string& each : advised.fine) fine.push_back(each);
  print_data(Json::object({{"bindings", static_cast<std::int64_t>(advised.bindings)},
                           {"findings", std::move(findings)},
                           {"fine", std::move(fine)},
                           {"without_value", static_cast<std::int64_t>(read.of_source.unexplained.size())},
                           {"likely_values", static_cast<std::int64_t>(read.of_source.symbols.size())}})
                 .dump(2) +
             "\n");
}

// What the findings rest on, and what was not looked at.
std::string beyond(const Explanation& source) {
  std::string made;
  if (!source.symbols.empty()) made += fmt::format("; with {} likely values", source.symbols.size());
  if (!source.unexplained.empty()) made += fmt::format("; {} statements without a value are left out", source.unexplained.size());
  return made.empty() ? made : made + ": `tessera explain` lists them, --let NAME=VALUE gives them";
}

void print_text(const Advised& advised, const Read& read) {
  std::vector<std::vector<std::string>> rows;
  for (const Advice& each : advised.findings) {
    const bool counted = each.times > 1 && each.weight == Advice::Weight::slow;
    rows.push_back({each.line > 0 ? fmt::format("{}", each.line) : "", each.name,
                    counted ? fmt::format("{} x{:.3g}", to_string(each.weight), each.times) : std::string(to_string(each.weight)),
                    each.finding});
    if (!each.remedy.empty()) rows.push_back({"", "", "", "try: " + each.remedy});
  }
  print(table(rows));
  for (std::size_t i = 0; i < std::min(advised.fine.size(), kMostFine); ++i) print_line("right: " + advised.fine[i]);
  if (advised.fine.size() > kMostFine) print_line(fmt::format("right: {} more", advised.fine.size() - kMostFine));
  print_line(fmt::format("{} finding{} in {} bindings{}", advised.findings.size(), advised.findings.size() == 1 ? "" : "s",
                         advised.bindings, beyond(read.of_source)));
}

Exit run(const Arguments& arguments) {
  const Budget budget(arguments.limits);
  const Result<DeviceModel> device = find_device_model(arguments.device);
  if (!device) return refuse(device.error());
  const bool from_stdin = arguments.file == "-";
  const Result<std::string> text =
      from_stdin ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_file(arguments.file, kLongestSource);
  if (!text) return refuse(text.error());
  if (text->find('\0') != std::string::npos)
    return refuse(
        {ErrorCode::parse, fmt::format("{} is no text: advise reads documents, and sources of C++ or Python", arguments.file), {}, {}});
  const Result<GivenValues> given = given_values(arguments.given);
  if (!given) return misuse(given.error().message);
  Read read;
  if (arguments.file.ends_with(".tess")) {
    if (!given->empty()) return misuse("--let gives values to the names of a source file; a document has its own");
    if (const Status readable = read_document(*text, read); !readable) return refuse(readable.error(), *text);
  } else {
    read_source(*text, *given, read);
  }
  const Advised advised = advise(read.bindings, *device);
  arguments.json ? print_json(advised, read) : print_text(advised, read);
  note_unused(read.of_source.unused);
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
            options.option("--let", a->given, "NAME=EXPRESSION: a value for a name that the source does not define; may be repeated");
            options.option("--device", a->device, "the device that kernels are for; H200 by default");
            options.flag("--json", a->json, "everything as one JSON object");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
