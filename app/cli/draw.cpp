// SPDX-License-Identifier: BSD-3-Clause
// tessera draw: an expression, the figures of a document, a CSV file's numbers, or a figure's file again, as TikZ, SVG, PNG, PDF, HTML,
// JSON or text.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/cli/draw_arguments.hpp"
#include "app/cli/draw_figures.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/document/comments.hpp"
#include "app/session/files/share_text.hpp"
#include "app/session/gemm/csv_table.hpp"
#include "core/base/file.hpp"
#include "core/base/items.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_source.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/export/formats.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// Of a name that a document binds by itself, or of an expression that uses its names.
Source source_of_name(const OpenDocument& document, std::string_view what) {
  const EvaluatedBinding* const bound = document.find(what);
  return bound && bound->name == what ? source_of(document.document, number_of(document.bindings, *bound))
                                      : source_of(document.document, what);
}

// With the names of a document; of one that has no value it is said why.
Status write_out_layouts(FigureOptions& options, const OpenDocument& document) {
  Status written = write_out_layouts(options, document.scope(), [&](std::string_view name) { return document.find(name) != nullptr; });
  if (!written) document.explain(written.error());
  return written;
}

bool is_csv(std::string_view what) { return what.ends_with(".csv"); }

// A file of numbers: a chart of the table that it stands for.
Result<std::vector<DrawSubject>> find_table(const DrawArguments& arguments, FigureOptions& options) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{16} << 20;
  TESSERA_TRY(parameters, given_values(arguments.given));
  TESSERA_TRY(bytes, read_file(arguments.what, kLargest));
  TESSERA_TRY(table, csv_table(bytes, arguments.what));
  TESSERA_TRY(evaluated, evaluate_with(table.expression, arguments.file, parameters));
  if (options.kind.empty()) options.kind = table.kind;
  const std::string name = arguments.name.empty() ? "figure" : arguments.name;
  DrawSubject subject{name, arguments.what, std::move(evaluated.value), "", {}, source_of(table.expression)};
  return std::vector<DrawSubject>{std::move(subject)};
}

// What the arguments name: one expression, one binding, or all drawable bindings of a document. The options may use the document's names.
Result<std::vector<DrawSubject>> find_subjects(const DrawArguments& arguments, FigureOptions& options) {
  const bool is_document = arguments.what.ends_with(".tess") || is_share_text(arguments.what);
  TESSERA_TRY(parameters, given_values(arguments.given));
  if (!is_document) {
    TESSERA_TRY(evaluated, evaluate_with(arguments.what, arguments.file, parameters, arguments.place));
    const std::string& what = evaluated.expression;
    TESSERA_CHECK(write_out_layouts(options, evaluated.document));
    const bool bound = evaluated.document.find(what) != nullptr;
    const std::string expression(bound ? evaluated.document.expression(what) : std::string_view(what));
    warn(evaluated.warnings, what);
    const std::string name = !arguments.name.empty() ? arguments.name : bound ? what : "figure";
    const std::vector<std::string> needs = bound ? evaluated.document.find(what)->needs : std::vector<std::string>();
    Source source = arguments.file.empty() ? source_of(what) : source_of_name(evaluated.document, what);
    // What rests on more than the text carries it in the picture.
    if (options.title.empty() && !evaluated.mark.empty()) options.title = fmt::format("{} ({})", arguments.what, evaluated.mark);
    DrawSubject subject{name, expression, std::move(evaluated.value), "", needs, std::move(source)};
    if (bound) {
      subject.bound = what;
      subject.modes = modes_said(evaluated.document.document, evaluated.document.bindings, *evaluated.document.find(what));
    }
    return std::vector<DrawSubject>{std::move(subject)};
  }
  TESSERA_TRY(document, open_document(arguments.what, arguments.name.empty() ? Wanted::whole : Wanted::named, parameters));
  TESSERA_CHECK(write_out_layouts(options, document));
  std::vector<DrawSubject> subjects;
  std::set<std::string> names;  // f1,f2
  for (std::string& name : items_of(arguments.name)) {
    if (!name.empty()) names.insert(std::move(name));
  }
  const auto is_wanted = [&](const Value& value) {
    return arguments.figures_only ? std::holds_alternative<std::shared_ptr<const FigureCall>>(value.any) : is_drawable(value);
  };
  if (arguments.name.empty()) {
    for (const BadLine& bad : document.document.bad_lines)
      subjects.push_back({"", document.text, bad.error, fmt::format("{}:{}: ", document.path, bad.line)});
  }
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {  // one for each of the document's bindings
    EvaluatedBinding& binding = document.bindings[i];
    // A binding without a value is refused in its turn: nothing of a document is left out without a word.
    const bool wanted = names.empty() ? !binding.value || is_wanted(*binding.value) : names.count(binding.name) > 0;
    if (!wanted) continue;
    TESSERA_CHECK(check_time(fmt::format("looking for the figures of {}", arguments.what)));
    document.warn(binding);
    const bool drawn = binding.value && is_drawable(*binding.value);
    const std::string modes = drawn ? modes_said(document.document, document.bindings, binding) : "";
    Source source = drawn ? source_of(document.document, i) : Source();
    const std::string name = binding.name.empty() ? fmt::format("line_{}", document.document.bindings[i].statement.line) : binding.name;
    subjects.push_back({name, document.document.bindings[i].expression, std::move(binding.value), document.place(binding) + ": ",
                        binding.needs, std::move(source), binding.name, 0, modes});
  }
  for (const std::string& name : names) {
    if (document.find(name) == nullptr)
      return Error{ErrorCode::unknown_name, fmt::format("{} has no binding \"{}\"", arguments.what, name), {}, {}};
  }
  if (subjects.empty()) {
    const std::string_view what = arguments.figures_only ? "no figure: only what one can be made of" : "nothing that can be drawn";
    return Error{ErrorCode::unknown_name, fmt::format("{} has {}", arguments.what, what), {}, {}};
  }
  return subjects;
}

Result<DrawPlan> plan_output(const DrawArguments& arguments, std::size_t figures) {
  DrawPlan plan;
  const fs::path out = arguments.out;
  std::error_code ignored;
  const bool names_a_file =
      !arguments.out.empty() && !fs::is_directory(out, ignored) && !arguments.out.ends_with('/') && out.has_extension();
  std::string to = arguments.to;
  if (to.empty() && names_a_file) to = out.extension().string().substr(1);
  if (to.empty())
    return Error{
        ErrorCode::parse, "say what to write: --to tex, svg, png, pdf, html, json, txt, md or csv, or --out with such an ending", {}, {}};
  TESSERA_TRY(formats, parse_formats(to));
  plan.formats = std::move(formats);
  const bool single = plan.formats.size() == 1 && figures == 1;
  plan.one_page = plan.formats == std::vector{FigureFormat::html} && (names_a_file || arguments.out.empty());
  if (plan.one_page) {
    if (names_a_file) plan.file = out;
    if (figures > 1) plan.title = fs::path(arguments.what).stem().string();
    return plan;
  }
  if (!arguments.out.empty()) (names_a_file && single ? plan.file : plan.folder) = out;
  if (arguments.out.empty() && !single) return Error{ErrorCode::parse, "several figures or formats need a folder: --out DIR", {}, {}};
  if (arguments.out.empty() && !is_text(plan.formats.front())) {
    return Error{
        ErrorCode::parse, fmt::format("{} is not written to a terminal: name a file with --out", extension(plan.formats.front())), {}, {}};
  }
  if (names_a_file && !single)
    return Error{ErrorCode::parse, fmt::format("{} is one file, and there are several to write: --out DIR", arguments.out), {}, {}};
  return plan;
}

// Every kind of figure with its parameters and what they take, the styles and the palettes.
Exit list_kinds() {
  const auto list = [](std::string_view name, std::string_view help, std::span<const FigureParameter> parameters) {
    print_line(fmt::format("{}  {}", name, help));
    std::vector<std::vector<std::string>> rows;
    for (const FigureParameter& each : parameters) rows.push_back({"  ", std::string(each.name), values_of(each), std::string(each.help)});
    print(table(rows));
  };
  for (const FigureKind& kind : figure_kinds()) list(kind.name, kind.help, kind.parameters);
  list("every kind", "has these besides its own", common_parameters());
  print_line("palettes  colours of every figure: palette=\"greys\", or your own, palette=\"#0072b2, #e69f00, #009e73\"");
  std::vector<std::vector<std::string>> palettes;
  for (const PaletteRow& row : Palette::rows()) palettes.push_back({"  ", std::string(row.name), std::string(row.help)});
  print(table(palettes));
  print_line("styles  tessera, print_latex, print_svg; of text print_layout, print");
  return Exit::right;
}

// What would be drawn, and nothing else.
Exit list_subjects(const std::vector<DrawSubject>& subjects) {
  std::vector<std::vector<std::string>> rows;
  for (const DrawSubject& each : subjects)
    rows.push_back(
        {each.name, each.value ? std::string(kind_name(*each.value)) : "refused", each.expression.substr(0, each.expression.find('\n'))});
  print(table(rows));
  return Exit::right;
}

// A subject for each step of a figure. What cannot be drawn stays as it is, and is refused in its turn.
Result<std::vector<DrawSubject>> step_by_step(const std::vector<DrawSubject>& subjects, const DrawArguments& arguments,
                                              const FigureOptions& options) {
  std::vector<DrawSubject> made;
  for (const DrawSubject& subject : subjects) {
    const Budget budget(arguments.limits, arguments.begun);
    if (!subject.value || !subject.needs.empty()) {
      made.push_back(subject);
      continue;
    }
    const Result<Scene> whole = figure_of(*subject.value, subject.expression, options_of(subject, options));
    if (!whole) {
      made.push_back(subject);
      continue;
    }
    if (whole->steps.empty()) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("{} has no steps", subject.name),
                   {},
                   {"a timeline has them, and a picture of grids with --set steps=thread, steps=k, ...; --set step= draws one alone"}};
    }
    const std::size_t digits = std::to_string(whole->steps.size()).size();  // names in order are steps in order
    for (std::size_t i = 1; i <= whole->steps.size(); ++i) {
      made.push_back(subject);
      made.back().name = fmt::format("{}-{:0{}}", subject.name, i, digits);
      made.back().step = static_cast<std::int64_t>(i);
    }
  }
  return made;
}

Exit draw(const DrawArguments& arguments, const FigureOptions& options, Result<std::vector<DrawSubject>> subjects) {
  if (subjects && arguments.all_steps) subjects = step_by_step(*subjects, arguments, options);
  if (!subjects) return refuse(subjects.error());
  if (arguments.list) return list_subjects(*subjects);
  const Result<DrawPlan> plan = plan_output(arguments, subjects->size());
  if (!plan) return misuse(plan.error().message);
  if (const auto room = room_of(arguments); !room) return misuse(describe(room.error()));
  if (arguments.caption_file && !plan->file && !plan->folder)
    return misuse("--caption-file is a file beside the figure's: name that one with --out");
  const bool only_text =
      std::all_of(plan->formats.begin(), plan->formats.end(), [](FigureFormat format) { return format == FigureFormat::txt; });
  if (is_text_style(arguments.style) && !only_text) return misuse(fmt::format("--style {} writes text: --to txt", arguments.style));
  return draw_figures(arguments, options, *plan, *subjects);
}

// A figure's file: what it says stands for what the arguments leave open.
Exit draw_again(DrawArguments arguments) {
  if (const Result<FigureOptions> options = figure_options(arguments); !options) return misuse(describe(options.error()));
  Result<FigureFile> file = read_figure_file(arguments);
  if (!file) return refuse(file.error());
  Result<FigureOptions> options = figure_options(arguments);
  if (!options) return misuse(describe(options.error()));
  if (const Status written = write_out_layouts(*options, file->scope()); !written) return refuse(written.error());
  return draw(arguments, *options, std::move(file->subjects));
}

Exit run(DrawArguments arguments) {
  arguments.begun = std::chrono::steady_clock::now();
  if (arguments.list && arguments.what.empty()) return list_kinds();
  if (arguments.what.empty())
    return misuse("draw takes an expression, a .tess document, a .csv of numbers or a figure's file; --list says which figures there are");
  const Budget budget(arguments.limits, arguments.begun);
  if (is_figure_file(arguments.what)) return draw_again(arguments);
  Result<FigureOptions> options = figure_options(arguments);
  if (!options) return misuse(describe(options.error()));
  Result<std::vector<DrawSubject>> subjects = is_csv(arguments.what) ? find_table(arguments, *options) : find_subjects(arguments, *options);
  return draw(arguments, *options, std::move(subjects));
}

// The rows of the table of what can be said about a figure's size.
void declare_sizes(Options& options, ExportOptions& sizes) {
  for (const ExportOption& row : export_options()) {
    const std::string name = "--" + std::string(row.name), help(row.help);
    if (const auto* text = std::get_if<std::string ExportOptions::*>(&row.member)) {
      if (row.only_choices)
        options.choice(name.c_str(), sizes.**text, {row.choices.begin(), row.choices.end()}, help.c_str());
      else
        options.option(name.c_str(), sizes.**text, help.c_str());
    } else if (const auto* number = std::get_if<std::optional<double> ExportOptions::*>(&row.member)) {
      options.option(name.c_str(), sizes.**number, help.c_str());
    } else {
      options.flag(name.c_str(), sizes.*std::get<bool ExportOptions::*>(row.member), help.c_str());
    }
  }
}

}  // namespace

Subcommand draw_subcommand() {
  return {"draw",
          "Draw an expression, or the figures of a document",
          "  tessera draw \"tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))\" --out tv.svg\n"
          "  tessera draw SM70_8x8x4_F32F16F16F32_NT --style print_latex --to tex > atom.tex\n"
          "  tessera draw assets/presets/tour.tess --to svg,pdf --out figures\n"
          "  tessera draw assets/presets/tour.tess --to html --out tour.html\n"
          "  tessera draw runs.csv --set columns=tflops --out runs.svg\n"
          "  tessera draw tiled_mma --file kernel.py --out mma.svg\n"
          "  tessera draw figures/tv.svg --palette greys --out tv.pdf\n"
          "  tessera draw tessera:1:bGV0IGEgPSA0OjEK.0a5b7b50c0f87150 --to svg",
          [](Options& options) {
            auto a = std::make_shared<DrawArguments>();
            options.positional("what", a->what,
                               "an expression, a .tess document, a .csv of numbers, or the file of a figure, which is drawn again", false);
            options.option("--file", a->file, "a document or a source of C++ or Python, whose names the expression may use");
            declare_source_place(options, a->place);
            declare_let(options, a->given, Let::both);
            options.option("--name", a->name, "the bindings to draw, several with commas; all by default");
            options.flag("--figures-only", a->figures_only, "of a document only the bindings that are figures");
            options.flag("--list", a->list, "what a document would draw; without one, every kind of figure with its parameters");
            options.option("--figure", a->kind, "the kind of figure; the object's own by default");
            options.option("--style", a->style,
                           "tessera, print_latex or print_svg; of text also print_layout and print, as CuTe's functions write");
            options.option("--palette", a->palette, "a name of --list, or colours of your own: \"#0072b2, #e69f00, #009e73\"");
            options.option("--title", a->title, "a line above the figure");
            options.option(
                "--set", a->set,
                "a parameter of the figure, e.g. --set thread=3, or --set color=NAME, a layout of the document; --list says what there is");
            options.flag("--all-steps", a->all_steps, "a file for each step of a figure that has steps: fig-1.svg, fig-2.svg, ...");
            options.flag("--caption-file", a->caption_file,
                         "the words below stand in a file beside the figure: fig.caption.tex for tex and pdf, fig.caption.txt for others");
            options.option("--to", a->to, "formats: tex, svg, png, pdf, html, json, txt, md, csv; several with commas");
            options.option("--out", a->out,
                           "a file, or a folder for several, where html has one page for all; text goes to stdout by default");
            declare_sizes(options, *a);
            options.flag("--force", a->force, "replace files that exist");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
