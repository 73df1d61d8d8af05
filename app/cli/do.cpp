// SPDX-License-Identifier: BSD-3-Clause
// tessera do: an action of the studio on a document, without the studio. The document is written to stdout, or with --write to its file.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/actions/actions.hpp"
#include "core/base/json.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string action, file;
  std::vector<std::string> given;
  bool list = false, json = false, write = false;
};

std::string_view word_of(Takes takes) {
  switch (takes) {
    case Takes::binding: return "binding";
    case Takes::name: return "name";
    case Takes::expression:
    case Takes::value: return "expression";
    case Takes::text: return "text";
    case Takes::integer: return "integer";
    case Takes::number: return "number";
    case Takes::choice: return "choice";
  }
  return "text";
}

Json json_of(const ActionRow& row) {
  Json::List parameters;
  for (const ActionParameter& each : row.parameters) {
    Json::List choices;
    for (const std::string_view choice : each.choices) choices.push_back(choice);
    parameters.push_back(Json::object({{"name", each.name},
                                       {"help", each.help},
                                       {"takes", word_of(each.takes)},
                                       {"optional", each.optional},
                                       {"choices", std::move(choices)}}));
  }
  return Json::object({{"id", row.id},
                       {"title", row.title},
                       {"help", row.help},
                       {"menu", row.menu},
                       {"keys", row.keys},
                       {"parameters", std::move(parameters)},
                       {"effect", row.effect() != nullptr}});
}

Exit list(bool as_json) {
  if (as_json) {
    Json::List rows;
    for (const ActionRow& row : actions()) rows.push_back(json_of(row));
    print_data(Json(std::move(rows)).dump(1) + "\n");
    return Exit::right;
  }
  std::vector<std::vector<std::string>> rows;
  for (const ActionRow& row : actions()) {
    std::string takes;
    for (const ActionParameter& each : row.parameters)
      takes += fmt::format("{}{}{}", takes.empty() ? "" : " ", each.name, each.optional ? "" : "=");
    rows.push_back({std::string(row.id), std::string(row.keys), takes, std::string(row.help)});
  }
  print(table(rows));
  return Exit::right;
}

// "to=smem" -> {"to", "smem"}.
Result<tessera::Arguments> read_arguments(const std::vector<std::string>& given) {
  tessera::Arguments arguments;
  for (const std::string& each : given) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorCode::parse, fmt::format("\"{}\" is not NAME=VALUE", each), {}, {"e.g. binding=data to=smem"}};
    arguments[each.substr(0, equals)] = each.substr(equals + 1);
  }
  return arguments;
}

Exit run(const Arguments& arguments) {
  if (arguments.list) return list(arguments.json);
  if (arguments.action.empty() || arguments.file.empty()) return misuse("do: name an action and a document, or --list");
  if (!find_action(arguments.action)) {
    Session nothing;
    return refuse(perform(nothing, arguments.action).error());  // with the nearest
  }
  const Result<tessera::Arguments> given = read_arguments(arguments.given);
  if (!given) return misuse("do: " + given.error().message);
  Session session;
  if (const Status opened = session.open(arguments.file); !opened) return refuse(opened.error());
  const Status done = perform(session, arguments.action, *given);
  if (!done) return refuse(done.error());
  if (!session.dirty()) {
    note(fmt::format("{} changes only what the studio shows: the document is as it was", arguments.action));
    if (arguments.write) return Exit::right;
  }
  if (!arguments.write) {
    print_document(session.text());
    return Exit::right;
  }
  if (const Status saved = session.save(); !saved) return refuse(saved.error());
  note(fmt::format("{}: {}", arguments.file, session.undo_label()));
  return Exit::right;
}

Action declare(Options& options) {
  auto a = std::make_shared<Arguments>();
  options.positional("action", a->action, "Which: binding.rename; --list shows all", false);
  options.positional("file", a->file, "A .tess document", false);
  options.positionals("arguments", a->given, "What the action takes: NAME=VALUE");
  options.flag("--list", a->list, "The table of actions: what they are called, their keys in the studio, and what they take");
  options.flag("--json", a->json, "With --list: as JSON");
  options.flag("--write", a->write, "Write the document to its file, not to stdout");
  return [a] { return run(*a); };
}

}  // namespace

Subcommand do_subcommand() {
  return {"do",
          "Do to a document what the studio does: rename, add, move, mend ...",
          "  tessera do binding.rename lecture.tess binding=data to=smem --write\n  tessera do --list",
          declare,
          {}};
}

}  // namespace tessera
