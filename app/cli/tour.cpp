// SPDX-License-Identifier: BSD-3-Clause
// tessera tour: everything at once, without a display. Writes the figures of the tour document and runs its GEMMs, on a GPU where there
// is one and emulated where there is none.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/draw_arguments.hpp"
#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/document/comments.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/settings.hpp"
#include "app/session/gemm/jobs.hpp"
#include "core/base/file.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_source.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/export/formats.hpp"
#include "core/render/export/page.hpp"
#include "kernels/runtime/device/device.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string out = "out", document, worker;
  int device = -1;
  bool force = false;
  Limits limits;  // of the document, of each figure in each format, and of each GEMM
};

constexpr FigureFormat kFormats[] = {FigureFormat::tex, FigureFormat::svg, FigureFormat::png, FigureFormat::pdf};

using Rows = std::vector<std::vector<std::string>>;

// One figure in all formats; a row for the table.
Status write_figures(const OpenDocument& document, const EvaluatedBinding& binding, const Arguments& arguments, Rows& rows) {
  const std::string modes = modes_said(document.document, document.bindings, binding);
  const auto figure = [&](const FigureRoom& room) -> Result<Scene> {
    if (!binding.needs.empty()) return needs_values(binding.needs);
    FigureOptions options;
    options.room = room;
    options.modes = modes;
    options.name = binding.name;
    return figure_of(*binding.value, document.expression(binding.name), options);
  };
  const auto first = [&] {
    const Budget budget(arguments.limits);
    return figure({});
  };
  TESSERA_TRY(scene, first());
  scene.source = source_of(document.document, number_of(document.bindings, binding));
  scene.source.labels = "fit";
  scene.source.modes = modes;
  RenderOptions options;
  options.scale = usual_scale(with_margins(bounds(scene)).width * options.cell_points);
  std::string written;
  for (const FigureFormat format : kFormats) {
    const Budget budget(arguments.limits);
    const Result<std::string> bytes = render_for_page(scene, figure, page_renderer(format), options);
    if (!bytes) return bytes.error();
    TESSERA_TRY(path, path_in(arguments.out, fmt::format("{}.{}", binding.name, extension(format))));
    TESSERA_CHECK(export_file(path, *bytes, arguments.force));
    written += fmt::format("{} ", extension(format));
  }
  const Bounds size = bounds(scene);
  rows.push_back({binding.name, std::string(kind_name(*binding.value)), fmt::format("{:.0f} x {:.0f}", size.width(), size.height()),
                  std::to_string(cell_count(scene)), written});
  return Done{};
}

// Where the tour's GEMMs run: one worker serves them all.
struct Place {
  GemmRequest request;  // the worker's command, the device, the limits
  std::shared_ptr<WorkerPool> workers = make_worker_pool();
  bool has_device = false;
};

// Live where there is a device, emulated where there is none. Another failure (a wrong result, a fault) is one.
Result<GemmReport> run_gemm(const OpenDocument& document, const std::string& name, const Place& place) {
  GemmRequest request = place.request;
  request.document = document.text;
  request.binding = name;
  const auto emulated = [&] {
    const Budget budget(request.limits);
    return emulate_soon(request);
  };
  if (!place.has_device) return emulated();
  const std::unique_ptr<GemmJob> job = GemmJob::start(request, place.workers);
  while (job->state() == GemmJob::State::running) {
    const GemmJob::Progress progress = job->progress();
    show_progress(fmt::format("{}: {:3.0f} %  {}", name, 100 * progress.fraction, progress.stage));
    job->wait_for(std::chrono::milliseconds(50));
  }
  end_progress();
  const Result<GemmReport>& report = *job->result();
  if (report || exit_of(report.error()) != Exit::environment) return report;
  note(describe(report.error()));  // e.g. a GPU, but no NVRTC
  return emulated();
}

// Why no GPU is used, or empty when one is.
std::string reason_without_device(const std::string& worker) {
  if (!worker.empty()) return {};
  const Result<std::vector<DeviceSummary>> found = devices();
  if (!found) return found.error().message;
  return found->empty() ? "no GPU was found" : "";
}

struct Outcome {
  Rows figures{{"figure", "kind", "cells", "drawn", "files"}};
  std::string reports;
  int figure_count = 0, gemm_count = 0, failures = 0;
};

void visit_binding(const OpenDocument& document, const EvaluatedBinding& binding, const Arguments& arguments, const Place& place,
                   Outcome& outcome) {
  if (!binding.value) {
    ++outcome.failures;
    note(document.words(binding, binding.value.error()));
    return;
  }
  document.warn(binding);
  if (!is_drawable(*binding.value)) return;
  show_progress("drawing " + binding.name);
  if (const Status status = write_figures(document, binding, arguments, outcome.figures); !status) {
    ++outcome.failures;
    note(fmt::format("{}: {}", document.place(binding), describe(status.error())));
  } else {
    ++outcome.figure_count;
  }
  if (kind_name(*binding.value) != "gemm") return;
  ++outcome.gemm_count;
  show_progress("running " + binding.name);
  const Result<GemmReport> report = run_gemm(document, binding.name, place);
  const auto write_report = [&]() -> Status {
    TESSERA_TRY(path, path_in(arguments.out, binding.name + ".json"));
    return export_file(path, report->json + "\n", arguments.force);
  };
  const Status written = report ? write_report() : Done{};
  if (!report) note(fmt::format("{}: {}", document.place(binding), describe(report.error())));
  if (!written) note(describe(written.error()));
  if (!report || !written || !report->correct) ++outcome.failures;
  if (report) outcome.reports += report_text(*report);
}

Exit run(Arguments arguments) {
  const auto began = std::chrono::steady_clock::now();
  if (arguments.document.empty()) {
    const Result<fs::path> tour = find_asset("presets/tour.tess");
    if (!tour) return refuse(tour.error());
    arguments.document = tour->string();
  }
  const Result<Settings> settings = load_settings();
  if (!settings) return refuse(settings.error());
  Place place;
  place.request.worker = arguments.worker.empty() ? settings->worker : arguments.worker;
  place.request.worker_shell = settings->shell;
  place.request.device = arguments.device >= 0 ? arguments.device : settings->device;
  const std::string reason = reason_without_device(place.request.worker);
  place.has_device = reason.empty();
  if (!reason.empty()) print_line(fmt::format("SIMULATED: GEMMs are computed on the CPU, without times ({})", reason));
  place.request.limits = arguments.limits;
  const auto opened = [&] {
    const Budget budget(arguments.limits);
    return open_document(arguments.document);
  };
  const Result<OpenDocument> document = opened();
  if (!document) return refuse(document.error());
  if (const Status ready = make_folder(arguments.out); !ready) return refuse(ready.error());  // one word, not one for each file
  Outcome outcome;
  outcome.failures = static_cast<int>(document->document.bad_lines.size());  // each was named when it was read
  for (const EvaluatedBinding& binding : document->bindings) visit_binding(*document, binding, arguments, place, outcome);
  end_progress();
  if (!outcome.reports.empty()) {
    if (const Status written = export_file(fs::path(arguments.out) / "gemm_report.txt", outcome.reports, arguments.force); !written) {
      ++outcome.failures;
      note(describe(written.error()));
    }
  }
  print(table(outcome.figures));
  print("\n" + outcome.reports + "\n");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  print_line(fmt::format("{} figures and {} GEMM reports in {}/, {:.1f} s{}", outcome.figure_count, outcome.gemm_count, arguments.out,
                         seconds, outcome.failures == 0 ? "" : fmt::format("; {} FAILED", outcome.failures)));
  return outcome.failures == 0 ? Exit::right : Exit::refused;
}

}  // namespace

Subcommand tour_subcommand() {
  return {"tour",
          "Write the tour's figures and GEMM reports into a folder",
          "  tessera tour --out out",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.option("--out", a->out, "the folder");
            options.option("--document", a->document, "another document than the tour");
            options.option("--worker", a->worker, "the command that starts a worker with a GPU; by default the settings'");
            options.option("--device", a->device, "which GPU of the worker's machine; by default the settings'");
            options.flag("--force", a->force, "replace files that exist");
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
