// SPDX-License-Identifier: BSD-3-Clause
// Arguments of `tessera draw`, checked, and completed by a figure's file.
#include "app/cli/draw_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/figure/figure_source.hpp"
#include "core/render/export/formats.hpp"
#include "core/render/shared/source_embed.hpp"

namespace tessera {
namespace {

constexpr std::uintmax_t kLargestFigureFile = std::uintmax_t{64} << 20;  // bytes

template <class T>
void complete(T& given, const T& otherwise) {
  if (given == T()) given = otherwise;
}

// What was asked for when the file was written, where nothing else is asked for now.
void complete(DrawArguments& arguments, const Source& source) {
  complete(arguments.kind, source.kind);
  complete(arguments.style, source.style);
  complete(arguments.palette, source.palette);
  complete(arguments.title, source.title);
  if (arguments.width.empty() && arguments.height.empty() && arguments.fit.empty())  // one of them stands for all
    arguments.width = source.width, arguments.height = source.height, arguments.fit = source.fit;
  complete(arguments.labels, source.labels);
  complete(arguments.cell, source.cell);
  if (!arguments.dpi) complete(arguments.scale, source.scale);
  arguments.transparent = arguments.transparent || source.transparent;
  arguments.fragment = arguments.fragment || source.fragment;
  std::vector<std::string> set;  // what is given stands behind it, and wins
  for (const auto& [name, text] : source.parameters) set.push_back(name + "=" + text);
  arguments.set.insert(arguments.set.begin(), set.begin(), set.end());
}

// What one source draws. `several`: there are others beside it, so that it is called as its binding is.
Result<FigureFile> read_figure(const DrawArguments& arguments, Source read, bool several, std::set<std::string>& versions) {
  const std::filesystem::path path = arguments.what;
  const Budget budget(arguments.limits, arguments.begun);
  Result<SourceValue> value = evaluate(read);
  if (!value) {
    Error error = std::move(value).error();
    error.message = fmt::format("{}: its source cannot be evaluated: {}", arguments.what, error.message);
    error.span.reset();
    return error;
  }
  if (!read.labels.empty() && read.labels != "fit" && read.labels != "all")
    return Error{ErrorCode::corrupt,
                 fmt::format("{}: its source asks for labels \"{}\", which is neither fit nor all", arguments.what, read.labels),
                 {},
                 {}};
  warn(value->warnings, value->expression);
  const std::string name = several && !value->name.empty() ? value->name : !arguments.name.empty() ? arguments.name : path.stem().string();
  DrawSubject subject{name, value->expression, std::move(value->value)};
  subject.needs = std::move(value->needs);
  subject.modes = read.modes;
  subject.source = std::move(read);
  subject.bound = std::move(value->name);
  const std::string wrote = std::exchange(subject.source.version, TESSERA_VERSION);
  if (!wrote.empty() && wrote != TESSERA_VERSION && versions.insert(wrote).second)
    note(fmt::format("{} was drawn by Tessera {}; this is {}, whose pictures may differ", arguments.what, wrote, TESSERA_VERSION));
  FigureFile file;
  file.subjects.push_back(std::move(subject));
  file.bindings = std::move(value->bindings);
  return file;
}

}  // namespace

Result<FigureOptions> figure_options(const DrawArguments& arguments) {
  TESSERA_CHECK(check(arguments));
  FigureOptions options;
  options.kind = arguments.kind;
  options.palette = arguments.palette;
  options.title = arguments.title;
  if (!arguments.style.empty() && !is_text_style(arguments.style)) {
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
  if (arguments.caption_file) options.parameters["caption"] = "no";
  return options;
}

FigureOptions options_of(const DrawSubject& subject, FigureOptions options) {
  if (subject.step > 0) options.parameters["step"] = std::to_string(subject.step);
  options.modes = subject.modes;
  options.name = subject.bound;
  return options;
}

bool is_figure_file(std::string_view what) {
  return std::any_of(std::begin(kFormatsWithSource), std::end(kFormatsWithSource), [&](FigureFormat format) {
    return what.size() > extension(format).size() && what.ends_with(fmt::format(".{}", extension(format)));
  });
}

Scope FigureFile::scope() const { return scope_of(bindings); }

Result<FigureFile> read_figure_file(DrawArguments& arguments) {
  const std::filesystem::path path = arguments.what;
  if (!arguments.file.empty())
    return Error{ErrorCode::parse, fmt::format("--file names a document, and {} carries its own lines", arguments.what), {}, {}};
  if (!arguments.given.empty())
    return Error{
        ErrorCode::parse,
        fmt::format("--let {}: {} carries its own lines, with the values that their parameters had", arguments.given[0], arguments.what),
        {},
        {"draw it from its document: --file names that"}};
  TESSERA_TRY(bytes, read_file(path, kLargestFigureFile));
  Result<std::vector<Source>> all = read_sources(bytes);
  if (!all) {
    Error error = std::move(all).error();
    error.message = fmt::format("{}: {}", arguments.what, error.message);
    return error;
  }
  complete(arguments, all->front());  // figures of one page were drawn by one command
  if (arguments.to.empty() && arguments.out.empty()) arguments.to = path.extension().string().substr(1);
  FigureFile file;
  std::set<std::string> versions;
  for (Source& source : *all) {
    TESSERA_TRY(read, read_figure(arguments, std::move(source), all->size() > 1, versions));
    file.subjects.push_back(std::move(read.subjects.front()));
    for (EvaluatedBinding& binding : read.bindings) file.bindings.push_back(std::move(binding));
  }
  return file;
}

}  // namespace tessera
