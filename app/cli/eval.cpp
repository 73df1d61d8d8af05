// SPDX-License-Identifier: BSD-3-Clause
// tessera eval: one expression, printed as the language writes it or as JSON.
#include <memory>

#include "app/cli/answer_json.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string expression, file;
  bool json = false;
  Limits limits;
};

Exit run(const Arguments& arguments) {
  const Budget budget(arguments.limits);
  const Result<EvaluatedExpression> evaluated = evaluate_with(arguments.expression, arguments.file);
  const Error* error = !evaluated ? &evaluated.error() : !evaluated->value ? &evaluated->value.error() : nullptr;
  if (evaluated && !arguments.json) warn(evaluated->warnings, arguments.expression);
  if (!arguments.json) {
    if (error) return refuse(*error, evaluated ? arguments.expression : "");
    const auto* text = std::get_if<std::string>(&evaluated->value->any);
    print_data(repair_utf8(text ? *text : to_string(*evaluated->value)) + "\n");  // what print_cpp(x) gives is for pasting: no quotes
    return Exit::right;
  }
  std::string line = error ? "{\"ok\":false," : "{\"ok\":true,";
  if (error)
    append_error(line, *error);
  else
    append_answer(line, *evaluated->value, evaluated->warnings);
  print_data(line + "}\n");
  return error ? exit_of(*error) : Exit::right;
}

}  // namespace

Subcommand eval_subcommand() {
  return {"eval",
          "Evaluate an expression",
          "  tessera eval \"composition((4,8):(8,1), (2,4):(1,2))\"\n  tessera eval data --file assets/presets/tour.tess --json",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("expression", a->expression, "the expression");
            options.option("--file", a->file, "a document whose names the expression may use");
            options.flag("--json", a->json, "kind, value and further facts as one JSON object");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
