// SPDX-License-Identifier: BSD-3-Clause
// tessera draw: an expression, or the figures of a document, as TikZ, SVG, PNG, PDF, JSON or text.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "app/cli/figure_files.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/figure.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/palette.hpp"
#include "core/render/detail.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string what, file, name, kind, style = "tessera", palette, title, to, out, width, labels = "fit";
  std::vector<std::string> set;
  double scale = 2, cell = 28;
  bool force = false, fragment = false, list = false, figures_only = false;
  Limits limits;  // of the document, and of each figure in each format
};

constexpr double kPixelsOfAPoint = 96.0 / 72;  // of SVG and CSS

struct Named {
  std::string name, expression;
  Result<Value> value;
  std::string place = {};               // "tour.tess:12: let sA: "; empty outside of a document
  std::vector<std::string> needs = {};  // symbols without a value
  double seconds = 0;                   // that its own evaluation took; a document's is a request for itself
};

// f1,f2
std::set<std::string> names_in(std::string_view list) {
  std::set<std::string> names;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    if (!trimmed(name).empty()) names.emplace(trimmed(name));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
  }
  return names;
}

// What the arguments name: one expression, one binding, or all drawable bindings of a document.
Result<std::vector<Named>> find_subjects(const Arguments& arguments) {
  const Budget budget(arguments.limits);
  const bool is_document = arguments.what.ends_with(".tess");
  if (!is_document) {
    TESSERA_TRY(evaluated, evaluate_with(arguments.what, arguments.file));
    const bool bound = evaluated.document.find(arguments.what) != nullptr;
    const std::string expression(bound ? evaluated.document.expression(arguments.what) : std::string_view(arguments.what));
    warn(evaluated.warnings, arguments.what);
    const std::string name = !arguments.name.empty() ? arguments.name : bound ? arguments.what : "figure";
    const std::vector<std::string> needs = bound ? evaluated.document.find(arguments.what)->needs : std::vector<std::string>();
    return std::vector<Named>{{name, expression, std::move(evaluated.value), "", needs, budget.seconds()}};
  }
  TESSERA_TRY(document, open_document(arguments.what, arguments.name.empty() ? Wanted::whole : Wanted::named));
  std::vector<Named> subjects;
  const std::set<std::string> names = names_in(arguments.name);
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
    document.warn(binding);
    const std::string name = binding.name.empty() ? fmt::format("line_{}", document.document.bindings[i].statement.line) : binding.name;
    subjects.push_back(
        {name, document.document.bindings[i].expression, std::move(binding.value), document.place(binding) + ": ", binding.needs});
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

Result<FigureOptions> figure_options(const Arguments& arguments) {
  constexpr double kSmallestCell = 1, kLargestCell = 1000, kLargestScale = 64;  // points; pixels a point
  if (!(arguments.cell >= kSmallestCell && arguments.cell <= kLargestCell)) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("--cell {} is no edge of a cell: {} to {} points", arguments.cell, kSmallestCell, kLargestCell),
                 {},
                 {}};
  }
  if (!(arguments.scale > 0 && arguments.scale <= kLargestScale))
    return Error{ErrorCode::out_of_range, fmt::format("--scale {} is above 0 and at most {}", arguments.scale, kLargestScale), {}, {}};
  FigureOptions options;
  options.kind = arguments.kind;
  options.palette = arguments.palette;
  options.title = arguments.title;
  if (!is_text_style(arguments.style)) {
    TESSERA_TRY(style, figure_style(arguments.style));
    options.style = style;
  }
  for (const std::string& setting : arguments.set) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::parse, fmt::format("--set takes name=value, and \"{}\" is none", setting), {}, {}};
    }
    options.parameters[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return options;
}

// Where each figure goes. One figure in one format may go to stdout or a named file; several need a folder.
struct Plan {
  std::vector<FigureFormat> formats;
  std::optional<fs::path> file, folder;
};

Result<Plan> plan_output(const Arguments& arguments, std::size_t figures) {
  Plan plan;
  const fs::path out = arguments.out;
  std::error_code ignored;
  const bool names_a_file =
      !arguments.out.empty() && !fs::is_directory(out, ignored) && !arguments.out.ends_with('/') && out.has_extension();
  std::string to = arguments.to;
  if (to.empty() && names_a_file) to = out.extension().string().substr(1);
  if (to.empty())
    return Error{
        ErrorCode::parse, "say what to write: --to tex, svg, png, pdf, json, txt, md or csv, or --out with such an ending", {}, {}};
  TESSERA_TRY(formats, parse_formats(to));
  plan.formats = std::move(formats);
  const bool single = plan.formats.size() == 1 && figures == 1;
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

// What is drawn, or with a style of text what CuTe's function writes of the object.
// A report is a table where text is wanted.
using SharedReport = std::shared_ptr<const Report>;
using Drawn = std::variant<Scene, std::string, SharedReport>;

bool is_table(FigureFormat format) { return format == FigureFormat::txt || format == FigureFormat::md || format == FigureFormat::csv; }

std::string table_of(const Report& report, FigureFormat format) {
  return format == FigureFormat::csv ? to_csv(report) : format == FigureFormat::md ? to_markdown(report) : to_text(report) + "\n";
}

// The picture at the width that was asked for, with what can be read there. Text, Markdown, CSV and JSON have no size.
Result<std::string> drawn_at_size(const Arguments& arguments, const Scene& scene, FigureFormat format, RenderOptions options) {
  const bool has_size =
      format == FigureFormat::svg || format == FigureFormat::png || format == FigureFormat::pdf || format == FigureFormat::tex;
  if (!has_size) return render(scene, format, options);
  if (!arguments.width.empty()) {
    TESSERA_TRY(points, width_in_points(arguments.width));
    options.cell_points = cell_for_width(scene, points, format != FigureFormat::tex || !arguments.fragment);
  }
  const Scene readable = at_size(scene, options.cell_points, arguments.labels == "all");
  if (format == FigureFormat::svg && !arguments.width.empty()) options.cell_points *= kPixelsOfAPoint;
  return render(readable, format, options);
}

Exit write_figure(const Arguments& arguments, const Plan& plan, const Named& subject, const Drawn& drawn, const Limits& limits) {
  RenderOptions options;
  options.cell_points = arguments.cell;
  options.scale = arguments.scale;
  options.standalone = !arguments.fragment;
  for (const FigureFormat format : plan.formats) {
    const Budget budget(limits);
    const auto* text = std::get_if<std::string>(&drawn);
    const auto* report = std::get_if<SharedReport>(&drawn);
    const Result<std::string> bytes = text     ? Result<std::string>(*text)
                                      : report ? Result<std::string>(table_of(**report, format))
                                               : drawn_at_size(arguments, std::get<Scene>(drawn), format, options);
    if (!bytes) return refuse(bytes.error());
    if (!plan.file && !plan.folder) {
      print_data(*bytes);
      continue;
    }
    const Result<fs::path> path = plan.file ? *plan.file : path_in(*plan.folder, fmt::format("{}.{}", subject.name, extension(format)));
    if (!path) return refuse(path.error());
    if (const Status written = export_file(*path, *bytes, arguments.force); !written) return refuse(written.error());
    print_line(fmt::format("{}  {} bytes", path->string(), bytes->size()));
  }
  return Exit::right;
}

Exit refused(const Named& subject, const Error& error) {
  note(subject.place + describe(error, subject.expression));
  return exit_of(error);
}

// Every kind of figure with its parameters and their words, the styles and the palettes.
Exit list_kinds() {
  for (const FigureKind& kind : figure_kinds()) {
    print_line(fmt::format("{}  {}", kind.name, kind.help));
    std::vector<std::vector<std::string>> rows;
    for (const FigureParameter& each : kind.parameters)
      rows.push_back({"  ", std::string(each.name), fmt::format("{}", fmt::join(each.choices, ", ")), std::string(each.help)});
    print(table(rows));
  }
  print_line(fmt::format("palettes  {}", fmt::join(Palette::names(), ", ")));
  print_line("styles  tessera, print_latex, print_svg; of text print_layout, print");
  return Exit::right;
}

// What would be drawn, and nothing else.
Exit list_subjects(const std::vector<Named>& subjects) {
  std::vector<std::vector<std::string>> rows;
  for (const Named& each : subjects)
    rows.push_back(
        {each.name, each.value ? std::string(kind_name(*each.value)) : "refused", each.expression.substr(0, each.expression.find('\n'))});
  print(table(rows));
  return Exit::right;
}

Exit run(const Arguments& arguments) {
  if (arguments.list && arguments.what.empty()) return list_kinds();
  if (arguments.what.empty()) return misuse("draw takes an expression, or a .tess document; --list says which figures there are");
  const Result<FigureOptions> options = figure_options(arguments);
  if (!options) return misuse(describe(options.error()));
  Result<std::vector<Named>> subjects = find_subjects(arguments);
  if (!subjects) return refuse(subjects.error());
  if (arguments.list) return list_subjects(*subjects);
  const Result<Plan> plan = plan_output(arguments, subjects->size());
  if (!plan) return misuse(plan.error().message);
  if (!arguments.width.empty()) {
    if (const auto width = width_in_points(arguments.width); !width) return misuse(describe(width.error()));
  }
  const bool only_text =
      std::all_of(plan->formats.begin(), plan->formats.end(), [](FigureFormat format) { return format == FigureFormat::txt; });
  if (is_text_style(arguments.style) && !only_text) return misuse(fmt::format("--style {} writes text: --to txt", arguments.style));
  Exit worst = Exit::right;
  for (const Named& subject : *subjects) {
    Limits limits = after(arguments.limits, subject.seconds);
    const auto figure = [&]() -> Result<Drawn> {
      if (!subject.needs.empty()) return needs_values(subject.needs);
      const Budget budget(limits);
      if (is_text_style(arguments.style)) {
        TESSERA_TRY(text, text_of(*subject.value, arguments.style));
        return Drawn(std::move(text));
      }
      const auto* report = std::get_if<SharedReport>(&subject.value->any);
      if (report && std::all_of(plan->formats.begin(), plan->formats.end(), is_table)) return Drawn(*report);
      TESSERA_TRY(made, figure_of(*subject.value, subject.expression, *options));
      limits = after(limits, budget.seconds());
      return Drawn(std::move(made));
    };
    const Result<Drawn> drawn = subject.value ? figure() : Result<Drawn>(subject.value.error());
    const Exit exit = drawn ? write_figure(arguments, *plan, subject, *drawn, limits) : refused(subject, drawn.error());
    worst = std::max(worst, exit);
  }
  return worst;
}

}  // namespace

Subcommand draw_subcommand() {
  return {"draw",
          "Draw an expression, or the figures of a document",
          "  tessera draw \"tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))\" --out tv.svg\n"
          "  tessera draw SM70_8x8x4_F32F16F16F32_NT --style print_latex --to tex > atom.tex\n"
          "  tessera draw assets/presets/tour.tess --to svg,pdf --out figures",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("what", a->what, "an expression, or a .tess document", false);
            options.option("--file", a->file, "a document whose names the expression may use");
            options.option("--name", a->name, "the bindings to draw, several with commas; all by default");
            options.flag("--figures-only", a->figures_only, "of a document only the bindings that are figures");
            options.flag("--list", a->list, "what a document would draw; without one, every kind of figure with its parameters");
            options.option("--figure", a->kind, "the kind of figure; the object's own by default");
            options.option("--style", a->style,
                           "tessera, print_latex or print_svg; of text also print_layout and print, as CuTe's functions write");
            options.option("--palette", a->palette, "the style's own by default");
            options.option("--title", a->title, "a line above the figure");
            options.option("--set", a->set, "a parameter of the figure, e.g. --set thread=3");
            options.option("--to", a->to, "formats: tex, svg, png, pdf, json, txt, md, csv; several with commas");
            options.option("--out", a->out, "a file, or a folder for several; text goes to stdout by default");
            options.option("--width", a->width, "of the picture: 3.33in, 84mm, 240pt, columnwidth, textwidth or slide");
            options.choice("--labels", a->labels, {"fit", "all"}, "fit: those of at least 4.5 pt at the picture's size");
            options.option("--cell", a->cell, "edge of a cell in points");
            options.option("--scale", a->scale, "pixels a point, for png");
            options.flag("--fragment", a->fragment, "tex: the picture without a document around it");
            options.flag("--force", a->force, "replace files that exist");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
