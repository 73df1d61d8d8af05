// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm run: on a GPU, in a worker process, here or on another machine.
#include <array>
#include <csignal>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/settings.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  std::string worker, inject;
  int device = -1;
  double timeout = GemmRequest().timeout_seconds, kernel_timeout = GemmRequest().kernel_seconds;
  bool json = false, emulate = false, recorded = false, check = false;
};

volatile std::sig_atomic_t interrupted = 0;

// While this lives, Ctrl-C, a kill and a terminal that closes ask the job to end, so that the worker ends in order and a word is said.
// The second one ends the program as ever; the worker dies with it. Signals that are ignored, as under nohup, stay so.
class Interrupts {
 public:
  Interrupts() {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      struct sigaction ours {};
      ours.sa_handler = [](int) { interrupted = 1; };
      ours.sa_flags = static_cast<int>(SA_RESETHAND);
      ::sigaction(numbers[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(numbers[i], &ours, nullptr);
    }
  }
  ~Interrupts() {
    for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &before_[i], nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  static constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, numbers.size()> before_{};
};

// The job's end; a signal cancels it, and the worker with it.
Result<GemmReport> wait_for(GemmJob& job) {
  const Interrupts interrupts;
  while (job.state() == GemmJob::State::running) {
    if (interrupted) job.cancel();
    const GemmJob::Progress progress = job.progress();
    show_progress(fmt::format("{:3.0f} %  {}", 100 * progress.fraction, progress.stage));
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  end_progress();
  return *job.result();
}

bool is_missing(const Error& error) { return exit_of(error) == Exit::environment; }

// The work on the CPU, within the limits.
Result<GemmPlan> lowered(const GemmRequest& request) {
  const Budget budget(request.limits);
  return plan_of(request);
}

Exit show_recordings(const Arguments& arguments, const GemmRequest& request) {
  const Result<GemmPlan> plan = lowered(request);
  if (!plan) return refuse(plan.error());
  const std::vector<GemmReport> found = recordings(*plan);
  if (found.empty()) return refuse(Error{ErrorCode::io, fmt::format("no measurement of \"{}\" comes with Tessera", plan->name), {}, {}});
  for (const GemmReport& report : found) {
    if (arguments.json && !report.other_version.empty()) note(report.headline);  // the measurement itself cannot say so
    print_report(report, arguments.json);
  }
  return Exit::right;
}

Exit run(const Arguments& arguments) {
  Result<GemmRequest> request = request_of(arguments);
  if (!request) return refuse(request.error());
  if (arguments.recorded) return show_recordings(arguments, *request);
  const Result<Settings> settings = load_settings();
  if (!settings) return refuse(settings.error());
  request->worker = arguments.worker.empty() ? settings->worker : arguments.worker;
  request->worker_shell = settings->shell;
  request->device = arguments.device >= 0 ? arguments.device : settings->device;
  request->timing = !arguments.check;
  request->timeout_seconds = arguments.timeout;
  request->kernel_seconds = arguments.kernel_timeout;
  request->inject = arguments.inject;
  // A GEMM that cannot be lowered is refused here, before another machine is asked.
  if (const Result<GemmPlan> plan = lowered(*request); !plan) return refuse(plan.error(), arguments.file.empty() ? arguments.what : "");
  Result<GemmReport> report = wait_for(*GemmJob::start(*request));
  if (!report && arguments.emulate && is_missing(report.error())) {
    note(describe(report.error()));
    report = wait_for(*GemmJob::start_emulation(*request));
  }
  if (!report) {
    Error error = std::move(report).error();
    if (is_missing(error))
      error.notes.push_back("`tessera gemm simulate` computes it on the CPU; --worker \"ssh HOST tessera worker\" uses another machine");
    return refuse(error);
  }
  if (arguments.json && !report->other_version.empty()) note(report->headline);
  print_report(*report, arguments.json);
  return (report->checked && !report->correct) || !report->other_version.empty() ? Exit::refused : Exit::right;
}

}  // namespace

Subcommand gemm_run_subcommand() {
  return {"run",
          "Compile, launch, check and time it on a GPU",
          "  tessera gemm run tensor_gemm\n  tessera gemm run tensor_gemm --worker \"ssh gpubox tessera worker\" --json > measurement.json",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            declare_gemm(options, *a);
            options.option("--device", a->device, "which GPU, as `tessera devices` counts; by default the settings'");
            options.option("--worker", a->worker,
                           "the program and arguments that start the worker; by default the settings', or this program");
            options.option("--timeout", a->timeout, "seconds after which a run that has not ended is ended, with its worker");
            options.option("--kernel-timeout", a->kernel_timeout, "seconds after which a kernel counts as hanging");
            options.flag("--check", a->check, "check the result and do not time it");
            options.flag("--emulate", a->emulate, "without a GPU, emulate on the CPU instead of failing");
            options.flag("--recorded", a->recorded, "show the measurements that come with Tessera");
            options.flag("--json", a->json, "the whole measurement, for machines");
            options.option("--inject", a->inject, "fault or hang: replace the kernel by one that misbehaves, to see it survived");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
