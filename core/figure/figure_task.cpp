// SPDX-License-Identifier: BSD-3-Clause
#include "core/figure/figure_task.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/diagram/parts/steps.hpp"

namespace tessera {
namespace {

// Said by the figure's call, or chosen on the screen.
bool says(const FigureTask& task, std::string_view name) {
  if (task.options.parameters.contains(std::string(name))) return true;
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&task.value.any);
  return call && std::any_of((*call)->named.begin(), (*call)->named.end(), [&](const auto& each) { return each.first == name; });
}

SharedFigure shared(Result<Scene> made) { return std::make_shared<const Result<Scene>>(std::move(made)); }

}  // namespace

std::size_t chosen_step(const FigureOptions& options) {
  const auto found = options.parameters.find("step");
  if (found == options.parameters.end()) return 0;
  std::size_t step = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  return error == std::errc() && end == text.data() + text.size() ? step : 0;
}

FigureOptions with_step(FigureOptions options, std::size_t step) {
  if (step == 0)
    options.parameters.erase("step");
  else
    options.parameters["step"] = std::to_string(step);
  return options;
}

MadeFigure make(const FigureTask& task) {
  const std::size_t step = chosen_step(task.options);
  if (step == 0) return {shared(figure_of(task.value, task.expression, task.options))};
  MadeFigure made;
  made.whole = task.whole ? task.whole : shared(figure_of(task.value, task.expression, with_step(task.options, 0)));
  // What a step meets there is said, or drawn in another order, by the figure that is made for it.
  const bool meets = says(task, "highlight") || says(task, "thread") || says(task, "patterns");
  const bool has_steps = *made.whole && !(*made.whole)->steps.empty();
  made.scene = shared(has_steps && !meets ? at_step(**made.whole, step - 1) : figure_of(task.value, task.expression, task.options));
  return made;
}

}  // namespace tessera
