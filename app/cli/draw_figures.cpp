// SPDX-License-Identifier: BSD-3-Clause
// Figures are independent of each other: each is made, rendered and written by one thread, within a budget of its own of bytes and cells.
// The time is that of the request, whatever the number of its figures.
#include "app/cli/draw_figures.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/terminal.hpp"
#include "core/base/budget.hpp"
#include "core/base/file.hpp"
#include "core/figure/figure_source.hpp"
#include "core/figure/kinds_taking.hpp"
#include "core/render/export/export.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/said.hpp"
#include "core/render/shared/source_embed.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// What is drawn, or with a style of text what CuTe's function writes of the object.
// A report is a table where text is wanted.
using SharedReport = std::shared_ptr<const Report>;
using Drawn = std::variant<Scene, std::string, SharedReport>;

bool is_table(FigureFormat format) { return format == FigureFormat::txt || format == FigureFormat::md || format == FigureFormat::csv; }

// What there is to say of a figure when its turn comes.
struct Outcome {
  struct Line {
    enum class To { out, data, error } to;
    std::string text;
  };
  std::vector<Line> lines;
  Exit exit = Exit::right;
  std::optional<HtmlFigure> part{};  // of a page

  std::optional<Error> refused{};

  void refuse(const Error& error, std::string words) {
    refused = error;
    lines.push_back({Line::To::error, std::move(words)});
    exit = std::max(exit, exit_of(error));
  }
  void refuse(const Error& error) { refuse(error, describe(error)); }
};

// Of a page of one figure.
std::string title_of(const HtmlFigure& part) {
  if (!part.source.title.empty()) return part.source.title;
  return part.name == "figure" ? part.source.expression : part.name;
}

// Another kind of figure was asked for than takes the value: which do.
Error with_kinds(Error error, const Value& value, const FigureOptions& options) {
  if (options.kind.empty() || !figure_kind(options.kind)) return error;
  const std::vector<std::string_view> kinds = kinds_taking(value);
  if (kinds.empty() || std::find(kinds.begin(), kinds.end(), options.kind) != kinds.end()) return error;
  return std::move(error).note(fmt::format("what draws this {}: --figure {}", kind_name(value), fmt::join(kinds, ", ")));
}

class Drawing {
 public:
  Drawing(const DrawArguments& arguments, const FigureOptions& options, const DrawPlan& plan)
      : arguments_(arguments), options_(options), plan_(plan) {}

  Outcome draw(const DrawSubject& subject) const {
    const Budget request(arguments_.limits, arguments_.begun);
    Outcome outcome;
    const Result<Drawn> drawn = subject.value ? figure(subject, outcome) : Result<Drawn>(subject.value.error());
    if (drawn)
      write(subject, *drawn, outcome);
    else
      outcome.refuse(drawn.error(), subject.place + describe(drawn.error(), subject.expression));
    return outcome;
  }

 private:
  Result<Drawn> figure(const DrawSubject& subject, Outcome& outcome) const {
    if (!subject.needs.empty()) return needs_values(subject.needs);
    const Budget budget(arguments_.limits);
    TESSERA_CHECK(check_time("drawing " + subject.name));
    const FigureOptions options = options_of(subject, options_);
    if (is_text_style(arguments_.style)) {
      TESSERA_TRY(text, text_of(*subject.value, arguments_.style));
      return Drawn(std::move(text));
    }
    const auto* report = std::get_if<SharedReport>(&subject.value->any);
    if (report && std::all_of(plan_.formats.begin(), plan_.formats.end(), is_table)) return Drawn(*report);
    Result<Scene> drawn = figure_of(*subject.value, subject.expression, options);
    if (!drawn) return with_kinds(std::move(drawn).error(), *subject.value, options);
    Scene made = *std::move(drawn);
    made.source = with_options(with_sizes(subject.source, arguments_), options);
    if (const std::size_t bytes = to_line(made.source).size(); bytes > kLongestSource) {
      made.source = {};
      outcome.lines.push_back({Outcome::Line::To::error,
                               fmt::format("{}warning: the files of {} cannot be drawn again: their source would take {} bytes, and {} "
                                           "is the limit",
                                           subject.place, subject.name, bytes, kLongestSource)});
    }
    return Drawn(std::move(made));
  }

  // The picture at the size that was asked for, with what can be read there.
  Result<Exported> exported(const DrawSubject& subject, const Scene& scene, FigureFormat format) const {
    const MakeFigure make = [&](const FigureRoom& room) {
      FigureOptions again = options_of(subject, options_);
      again.room = room;
      return figure_of(*subject.value, subject.expression, again);
    };
    return export_figure(scene, make, format, arguments_);
  }

  void write(const DrawSubject& subject, const Drawn& drawn, Outcome& outcome) const {
    for (const FigureFormat format : plan_.formats) {
      const Budget budget(arguments_.limits);
      if (const Status time = check_time(fmt::format("writing {}.{}", subject.name, extension(format))); !time)
        return outcome.refuse(time.error());
      const auto* text = std::get_if<std::string>(&drawn);
      const auto* report = std::get_if<SharedReport>(&drawn);
      Result<Exported> made = text     ? Result<Exported>(Exported{*text, {}})
                              : report ? Result<Exported>(Exported{table_of(**report, extension(format)), {}})
                                       : exported(subject, std::get<Scene>(drawn), format);
      if (!made) return outcome.refuse(made.error());
      if (!made->left_out.empty()) {
        outcome.lines.push_back(
            {Outcome::Line::To::error, fmt::format("note: {}.{}: {}", subject.name, extension(format), made->left_out)});
      }
      if (format == FigureFormat::html && !text && !report) {
        HtmlFigure part{subject.bound.empty() ? "figure" : subject.bound, std::move(made->bytes), std::get<Scene>(drawn).source};
        if (plan_.one_page) {
          outcome.part = std::move(part);
          continue;
        }
        made->bytes = html_page(title_of(part), {part});
      }
      if (!plan_.file && !plan_.folder) {
        outcome.lines.push_back({Outcome::Line::To::data, std::move(made->bytes)});
        continue;
      }
      const Result<fs::path> path =
          plan_.file ? *plan_.file : path_in(*plan_.folder, fmt::format("{}.{}", subject.name, extension(format)));
      if (!path) return outcome.refuse(path.error());
      if (const Status written = export_file(*path, made->bytes, arguments_.force); !written) return outcome.refuse(written.error());
      outcome.lines.push_back({Outcome::Line::To::out, fmt::format("{}  {} bytes", path->string(), made->bytes.size())});
      if (const auto* scene = std::get_if<Scene>(&drawn);
          scene && arguments_.caption_file && !write_caption(*scene, format, *path, outcome))
        return;
    }
  }

  // Beside the figure's file. Those who set their captions with TeX take it as it is: \caption{\input{fig.caption}}.
  bool write_caption(const Scene& scene, FigureFormat format, fs::path path, Outcome& outcome) const {
    const bool tex = format == FigureFormat::tex || format == FigureFormat::pdf;
    path.replace_extension(tex ? ".caption.tex" : ".caption.txt");
    const std::string words = caption_text(scene, tex);
    // Two formats of one figure may have one such file, with the same words.
    const Result<std::string> there = read_file(path, words.size() + 1);
    if (there && *there == words) return true;
    if (const Status written = export_file(path, words, arguments_.force); !written) {
      outcome.refuse(written.error());
      return false;
    }
    outcome.lines.push_back({Outcome::Line::To::out, fmt::format("{}  {} bytes", path.string(), words.size())});
    return true;
  }

  const DrawArguments& arguments_;
  const FigureOptions& options_;
  const DrawPlan& plan_;
};

void tell(const Outcome& outcome) {
  for (const Outcome::Line& line : outcome.lines) {
    end_progress();
    switch (line.to) {
      case Outcome::Line::To::out: print_line(line.text); break;
      case Outcome::Line::To::data: print_data(line.text); break;
      case Outcome::Line::To::error: note(line.text); break;
    }
  }
}

// Two figures of one name would race for one file: then the first takes it, as ever.
std::size_t threads_for(const std::vector<DrawSubject>& subjects) {
  std::set<std::string_view> names;
  for (const DrawSubject& subject : subjects) {
    if (subject.value && !names.insert(subject.name).second) return 1;
  }
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::max<std::size_t>(subjects.size(), 1));
}

// Gives work to threads in order, and takes their outcomes in order.
class Crew {
 public:
  Crew(std::size_t jobs, std::size_t threads, std::function<Outcome(std::size_t)> work) : work_(std::move(work)), done_(jobs) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }

  // The next outcome in order; nothing where it is not there within a moment.
  std::optional<Outcome> next(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [&] { return done_[told_].has_value(); });
    std::optional<Outcome> outcome = std::exchange(done_[told_], std::nullopt);
    if (outcome) ++told_;
    return outcome;
  }
  std::size_t finished() {
    const std::lock_guard lock(mutex_);
    return finished_;
  }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const std::size_t job = [&] {
        const std::lock_guard lock(mutex_);
        return begun_ < done_.size() ? begun_++ : done_.size();
      }();
      if (job == done_.size()) return;
      Outcome outcome = work_(job);
      const std::lock_guard lock(mutex_);
      done_[job] = std::move(outcome);
      ++finished_;
      changed_.notify_all();
    }
  }

  std::function<Outcome(std::size_t)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<Outcome>> done_;
  std::size_t begun_ = 0, finished_ = 0, told_ = 0;
  std::vector<std::jthread> threads_;  // last: they end before the rest does
};

// The page of all figures that could be drawn; none where there is none.
Exit write_page(const DrawArguments& arguments, const DrawPlan& plan, std::vector<HtmlFigure> parts) {
  if (parts.empty()) return Exit::right;  // each was refused in its turn
  std::vector<Source> sources;
  for (const HtmlFigure& part : parts) sources.push_back(part.source);
  if (const Status time = check_time(fmt::format("the page of {} figures", parts.size())); !time) return refuse(time.error());
  const std::vector<std::vector<std::size_t>> kin = kin_of(sources);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].kin = kin[i];
  const std::string page = html_page(!arguments.title.empty() ? arguments.title
                                     : !plan.title.empty()    ? plan.title
                                                              : title_of(parts.front()),
                                     parts);
  if (!plan.file) {
    print_data(page);
    return Exit::right;
  }
  if (const Status written = export_file(*plan.file, page, arguments.force); !written) return refuse(written.error());
  print_line(fmt::format("{}  {} bytes", plan.file->string(), page.size()));
  return Exit::right;
}

// All figures in their order; of one page the parts.
Exit draw_all(const DrawArguments& arguments, const FigureOptions& options, const DrawPlan& plan, const std::vector<DrawSubject>& subjects,
              std::vector<HtmlFigure>& parts) {
  constexpr std::chrono::milliseconds kMoment(100);
  const Drawing drawing(arguments, options, plan);
  Exit worst = Exit::right;
  Stopped stopped;
  const std::size_t threads = threads_for(subjects);
  if (threads == 1) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (subjects.size() > 1) show_progress(fmt::format("{} of {}: {}", i + 1, subjects.size(), subjects[i].name));
      Outcome outcome = drawing.draw(subjects[i]);
      if (!outcome.refused || stopped.is_told(*outcome.refused)) tell(outcome);
      if (outcome.part) parts.push_back(std::move(*outcome.part));
      worst = std::max(worst, outcome.exit);
    }
    end_progress();
    stopped.tell_rest();
    return worst;
  }
  Crew crew(subjects.size(), threads, [&](std::size_t i) { return drawing.draw(subjects[i]); });
  for (std::size_t told = 0; told < subjects.size();) {
    if (std::optional<Outcome> outcome = crew.next(kMoment)) {
      if (!outcome->refused || stopped.is_told(*outcome->refused)) tell(*outcome);
      if (outcome->part) parts.push_back(std::move(*outcome->part));
      worst = std::max(worst, outcome->exit);
      ++told;
    }
    if (told < subjects.size()) show_progress(fmt::format("{} of {}: {}", crew.finished(), subjects.size(), subjects[told].name));
  }
  end_progress();
  stopped.tell_rest();
  return worst;
}

}  // namespace

Exit draw_figures(const DrawArguments& arguments, const FigureOptions& options, const DrawPlan& plan,
                  const std::vector<DrawSubject>& subjects) {
  std::vector<HtmlFigure> parts;
  const Exit drawn = draw_all(arguments, options, plan, subjects, parts);
  return plan.one_page ? std::max(drawn, write_page(arguments, plan, std::move(parts))) : drawn;
}

}  // namespace tessera
