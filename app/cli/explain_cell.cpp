// SPDX-License-Identifier: BSD-3-Clause
// tessera explain-cell: how the number in one cell comes about, step by step.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/answer_json.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/document/comments.hpp"
#include "core/base/json.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/kinds/recipes.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/suggest_figures.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string expression, at, file;
  std::vector<std::string> set, given;  // NAME=VALUE
  SourcePlace place;
  bool json = false;
  Limits limits;
};

Error no_cells(const Value& value) {
  return Error{ErrorCode::wrong_type,
               fmt::format("{} is of kind {}, and that has no cells", to_string(value), kind_name(value)),
               {},
               {"what has cells: a layout, a tensor, an MMA or copy atom, a tiled MMA or copy, a GEMM, and calls such as tv_figure(a, b)"}};
}

// --set NAME=VALUE: what figures take, as far as a cell depends on it.
Result<FigureOptions> options_of(const std::vector<std::string>& set) {
  FigureOptions options;
  for (const std::string& each : set) {
    const std::size_t sign = each.find('=');
    const std::string name = each.substr(0, sign);
    if (sign == std::string::npos || (name != "bits" && name != "bytes" && name != "type" && name != "tile")) {
      return Error{
          ErrorCode::unknown_name,
          fmt::format("--set {}: a cell depends on bits=, bytes= or type= of an element, and on the tile= of a thread-value layout", each),
          {},
          {"for example --set bytes=2"}};
    }
    options.parameters[name] = each.substr(sign + 1);
  }
  return options;
}

Result<ExplainedCell> explain_value(const Value& value, const std::string& expression, const Arguments& arguments,
                                    const OpenDocument& document) {
  TESSERA_TRY(place, read_place(arguments.at));
  TESSERA_TRY(options, options_of(arguments.set));
  if (const EvaluatedBinding* bound = document.find(expression)) options.modes = modes_said(document.document, document.bindings, *bound);
  const bool has_cells = is_drawable(value) || std::holds_alternative<Tiler>(value.any);
  if (!has_cells) return no_cells(value);
  TESSERA_TRY(spec, figure_spec_of(value, arguments.expression, options));
  TESSERA_TRY(recipes, recipes_of(spec));
  if (recipes.empty()) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("what a {} shows is not computed from coordinates, so that there is nothing to explain", kind_name(value)),
                 {},
                 {}};
  }
  return explain(recipes, place);
}

// With "ran": of each name of the source that the program ran with, its first elements.
Json with_run(Json cell, const std::vector<FirstElements>& all) {
  if (all.empty() || !cell.members()) return cell;
  Json::Members members = *cell.members();
  Json::List list;
  for (const FirstElements& each : all) list.push_back(Json::object({{"name", each.name}, {"line", each.line}, {"elements", each.ran}}));
  members.push_back({"ran", std::move(list)});
  return Json::object(std::move(members));
}

// In words, or with --json as `eval` writes it.
Exit refused(const Arguments& arguments, const Error& error, std::string_view source = {}) {
  if (!arguments.json) return refuse(error, source);
  std::string out = "{\"ok\":false,";
  append_error(out, error);
  print_data(out + "}\n");
  return exit_of(error);
}

Exit run(const Arguments& arguments) {
  if (arguments.at.empty()) return misuse("explain-cell wants a cell: --at \"(5,2)\", of one of several tiles --at \"A(5,2)\"");
  const Budget budget(arguments.limits);
  const Result<GivenValues> parameters = given_values(arguments.given);
  if (!parameters) return misuse(parameters.error().message);
  Result<EvaluatedExpression> evaluated = evaluate_with(arguments.expression, arguments.file, *parameters, arguments.place);
  if (!evaluated) return refused(arguments, evaluated.error());
  if (!evaluated->value) {
    suggest_with_figures(evaluated->value.error(), arguments.expression, evaluated->document.scope());
    return refused(arguments, evaluated->value.error(), arguments.expression);
  }
  if (!arguments.json) warn(evaluated->warnings, arguments.expression);
  const Result<ExplainedCell> cell = explain_value(*evaluated->value, evaluated->expression, arguments, evaluated->document);
  if (!cell) return refused(arguments, cell.error());
  if (arguments.json) {
    print_data(with_run(to_json(*cell), evaluated->ran).dump() + "\n");
    return Exit::right;
  }
  print(to_text(*cell));
  for (const FirstElements& each : evaluated->ran)
    print_line(fmt::format("{} of line {}, its first {} elements when it ran: {}", each.name, each.line, each.ran.size(),
                           fmt::join(each.ran, ", ")));
  return Exit::right;
}

}  // namespace

Subcommand explain_cell_subcommand() {
  return {"explain-cell",
          "How the number in a cell comes about, step by step",
          "  tessera explain-cell \"Sw<3,3,3> o 0 o (8,64):(64,1)\" --at \"(5,2)\" --set bytes=2\n"
          "  tessera explain-cell SM80_16x8x16_F32F16F16F32_TN --at \"A(5,2)\"\n"
          "  tessera explain-cell sA --file assets/presets/tour.tess --at 21 --json\n"
          "  tessera explain-cell sA --file kernel.cu --line 120 --at \"(3,8)\"",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("expression", a->expression, "a layout, a tensor, an atom, a tiled MMA or copy, a GEMM, or a figure call");
            options.option("--at", a->at, "(5,2), ((1,0),3) or one number; of one of several tiles A(5,2); of a thread and value T3 V1");
            options.option("--set", a->set, "bits=, bytes= or type= of an element, tile= of a thread-value layout; may be repeated");
            options.option("--file", a->file, "a document or a source of C++ or Python, whose names the expression may use");
            declare_source_place(options, a->place);
            declare_let(options, a->given, Let::both);
            options.flag("--json", a->json, "the steps as one JSON object");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
