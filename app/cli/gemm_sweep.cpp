// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm sweep: every combination of some values in turn, a line and a row of each.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/sweep.hpp"
#include "core/base/units.hpp"
#include "core/gemm/lower/lower.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  std::string ms, ns, ks, csv;
  PlaceArguments place;
  bool resume = false;
};

// How often each thing happened.
struct Tally {
  int measured = 0, wrong = 0, refused = 0, skipped = 0;
};

Result<std::vector<SweepAxis>> axes_of(const Arguments& arguments) {
  std::vector<SweepAxis> axes;
  for (const auto& [name, values] : {std::pair{"m", &arguments.ms}, {"n", &arguments.ns}, {"k", &arguments.ks}}) {
    if (values->empty()) continue;
    TESSERA_TRY(axis, parse_axis(fmt::format("{}={}", name, *values)));
    axes.push_back(std::move(axis));
  }
  for (const std::string& text : arguments.set) {
    TESSERA_TRY(axis, parse_axis(text));
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::string reason_of(const Error& error) {
  std::string reason = error.message;
  for (const std::string& each : error.notes) reason += "; " + each;
  return reason;
}

// The work on the CPU, within the limits: nothing that cannot be lowered is sent to a worker.
Status lowers(const GemmRequest& request) {
  const Budget budget(request.limits);
  TESSERA_CHECK(plan_of(request));
  return Done{};
}

class Sweep {
 public:
  Sweep(const Arguments& arguments, GemmRequest base, GemmSpec spec, std::vector<CsvRow> rows)
      : arguments_(arguments), base_(std::move(base)), spec_(std::move(spec)), rows_(std::move(rows)) {}

  // Its errors end the sweep: a machine without a GPU, a file that cannot be written, a person who stops it.
  Status take(const std::vector<FieldText>& values, const std::string& number) {
    const std::string shown = fmt::format("{}  {}: ", number, set_text(values));
    TESSERA_TRY(request, with_values(base_, values));
    if (has_row(rows_, spec_, request)) {
      ++tally_.skipped;
      print_line(shown + "the file has it");
      return Done{};
    }
    if (const Status lowered = lowers(request); !lowered) return refused(request, shown, lowered.error());
    const std::unique_ptr<GemmJob> job = GemmJob::start(request, workers_);
    const Result<GemmReport> report = attended(*job);
    if (job->state() == GemmJob::State::cancelled || (!report && exit_of(report.error()) == Exit::environment)) return report.error();
    if (!report) return refused(request, shown, report.error());
    ++tally_.measured;
    if (!report->correct || !report->other_version.empty()) ++tally_.wrong;
    print_line(shown + result_line(*report));
    flush_output();
    return add_to_csv(arguments_.csv, *report, request.set);
  }

  const Tally& tally() const { return tally_; }

 private:
  Status refused(const GemmRequest& request, const std::string& shown, const Error& error) {
    ++tally_.refused;
    print_line(shown + "refused: " + reason_of(error));
    flush_output();
    if (arguments_.csv.empty()) return Done{};
    return append_row(arguments_.csv, refused_row(spec_, request, reason_of(error)));
  }

  const Arguments& arguments_;
  GemmRequest base_;
  GemmSpec spec_;
  std::vector<CsvRow> rows_;  // that the file had when the sweep began
  std::shared_ptr<WorkerPool> workers_ = make_worker_pool();
  Tally tally_;
};

Exit run(const Arguments& arguments) {
  if (arguments.resume && arguments.csv.empty()) return misuse("--resume goes on with a file: name it with --csv");
  GemmArguments plain = arguments;
  plain.set.clear();
  Result<GemmRequest> base = request_of(plain);
  if (!base) return refuse(base.error());
  if (const Status placed = put_in_place(*base, arguments.place); !placed) return refuse(placed.error());
  const Result<GemmSpec> spec = [&] {
    const Budget budget(base->limits);
    return spec_of(*base);
  }();
  if (!spec) return refuse(spec.error(), arguments.file.empty() ? arguments.what : "");
  const Result<std::vector<SweepAxis>> axes = axes_of(arguments);
  if (!axes) return refuse(axes.error());
  const auto all = combinations(*axes);
  if (!all) return refuse(all.error());
  for (const std::vector<FieldText>& values : *all) {  // a slip of the pen, before anything is measured
    if (const auto request = with_values(*base, values); !request) return refuse(request.error());
  }
  Result<std::vector<CsvRow>> rows = std::vector<CsvRow>();
  if (!arguments.csv.empty()) rows = measurement_rows(arguments.csv);
  if (!rows) return refuse(rows.error());
  if (!arguments.resume) rows->clear();
  Sweep sweep(arguments, *base, *spec, std::move(*rows));
  for (std::size_t i = 0; i < all->size(); ++i) {
    const Status taken = sweep.take((*all)[i], fmt::format("{}/{}", i + 1, all->size()));
    if (!taken) return refuse(taken.error());
  }
  const Tally& tally = sweep.tally();
  print_line(fmt::format("{} combinations: {} measured, {} of them wrong; {} refused, {} in the file already", all->size(), tally.measured,
                         tally.wrong, tally.refused, tally.skipped));
  return tally.wrong > 0 ? Exit::refused : Exit::right;
}

}  // namespace

Subcommand gemm_sweep_subcommand() {
  static const std::string examples =
      "  tessera gemm sweep tensor_gemm --m 1024,2048,4096 --set stages=2,3,4 --csv sweep.csv\n"
      "  tessera gemm sweep tensor_gemm --set \"cta_tiler=(128,128,32),(128,256,32)\" --set stages=2,3 --csv sweep.csv --resume\n\n"
      "What cannot be run has a row with the reason. --resume leaves out what the file has a row of, measured or refused.\n\n" +
      csv_help();
  return {"sweep",
          "Every combination of some values of its fields, each compiled, checked and timed in turn",
          examples.c_str(),
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("what", a->what, "the name of a GEMM, an expression, or a .tess document (its last GEMM)");
            options.option("--file", a->file, "the document with that name; by default the tour that comes with Tessera");
            options.option("--m", a->ms, "extents M, e.g. 1024,2048");
            options.option("--n", a->ns, "extents N");
            options.option("--k", a->ks, "extents K");
            options.option("--set", a->set, "values of a field, e.g. --set stages=2,3; a comma inside brackets parts nothing");
            options.limits(a->limits);
            declare_place(options, a->place);
            declare_csv(options, a->csv);
            options.flag("--resume", a->resume, "leave out the combinations that the file of --csv has");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
