// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm ladder, the rungs with their ideas and on a GPU their times; tessera gemm diff, what one GEMM does otherwise than another.
#include <memory>
#include <set>

#include <fmt/format.h>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/climb.hpp"
#include "core/base/units.hpp"
#include "kernels/runtime/worker/worker_pool.hpp"

namespace tessera {
namespace {

struct LadderArguments {
  std::optional<std::int64_t> size;
  PlaceArguments place;
  bool json = false, plain = false;
};

std::string ladder_text(const std::vector<LadderStep>& steps) {
  std::string text;
  for (const LadderStep& step : steps) {
    text += fmt::format("{} {}\n  {}\n", step.rung->number, step.rung->name, step.rung->idea);
    for (const std::string& change : step.changes) text += fmt::format("    {}\n", change);
    text += fmt::format("  Question: {}\n", step.rung->question);
    if (step.is_refused) text += fmt::format("  Refused at this size: {}\n", step.not_measured);
    if (step.report) text += fmt::format("  On {}: {}\n", step.report->device, result_line(*step.report));
    text += "\n";
  }
  return text;
}

// Every rung in turn, on one worker; what one refuses is told, and the next is tried. Nothing is tried again where there is no device.
// False where a worker measured what it was not asked.
bool measure(std::vector<LadderStep>& steps, const ProblemSize& extents, const PlaceArguments& place) {
  const std::shared_ptr<WorkerPool> workers = make_worker_pool();
  bool other = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].is_refused) continue;
    GemmRequest request = request_of(*steps[i].rung, extents);
    Status placed = put_in_place(request, place);
    Result<GemmReport> report = placed ? attended(*GemmJob::start(request, workers)) : Result<GemmReport>(std::move(placed).error());
    if (report && report->other_version.empty()) {
      steps[i].report = *std::move(report);
      continue;
    }
    if (report) {
      steps[i].not_measured = "another GEMM was measured: " + report->other_version;
      other = true;
      continue;
    }
    steps[i].not_measured = "nothing was measured: " + report.error().message;
    if (exit_of(report.error()) != Exit::environment) continue;
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      if (!steps[j].is_refused) steps[j].not_measured = steps[i].not_measured;
    }
    break;
  }
  return !other;
}

Exit ladder(const LadderArguments& arguments) {
  ProblemSize extents;
  if (arguments.size) extents = {*arguments.size, *arguments.size, *arguments.size};
  Result<std::vector<LadderStep>> steps = climb(extents);
  if (!steps) return refuse(steps.error());
  bool wrong = !arguments.plain && !measure(*steps, extents, arguments.place);
  if (arguments.json)
    print_data(to_json(*steps, extents) + "\n");
  else
    print(ladder_text(*steps));
  std::set<std::string> told;
  for (const LadderStep& step : *steps) {
    wrong = wrong || (step.report && !step.report->correct);
    if (step.report || step.is_refused || arguments.plain) continue;
    if (told.insert(step.not_measured).second) note(step.not_measured);
  }
  return wrong ? Exit::refused : Exit::right;
}

struct DiffArguments : GemmArguments {
  std::string other;
};

// "8" is the rung with that number, of 1024 x 1024 x 1024 where nothing else is said.
GemmArguments with_rungs(GemmArguments arguments) {
  const bool number = !arguments.what.empty() && arguments.what.find_first_not_of("0123456789") == std::string::npos;
  if (!number) return arguments;
  arguments.what = fmt::format("rung({}, 1024, 1024, 1024)", arguments.what);
  return arguments;
}

// Only what differs, with a few lines around it.
std::string hunks(const std::vector<DiffLine>& lines) {
  constexpr std::size_t kAround = 2;
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::same) continue;
    for (std::size_t j = i < kAround ? 0 : i - kAround; j < std::min(lines.size(), i + kAround + 1); ++j) shown[j] = true;
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      if (i > 0 && shown[i - 1]) text += "  ...\n";
      continue;
    }
    const char sign = lines[i].kind == DiffLine::Kind::same ? ' ' : lines[i].kind == DiffLine::Kind::removed ? '-' : '+';
    text += fmt::format("{} {}{}", sign, lines[i].text, lines[i].text.ends_with('\n') ? "" : "\n");
  }
  return text.empty() ? "  the same\n" : text;
}

Exit diff_of(const DiffArguments& arguments) {
  GemmArguments first = arguments, second = arguments;
  first.set.clear();
  if (!arguments.other.empty()) second.what = arguments.other;
  const Result<GemmRequest> a = request_of(with_rungs(first)), b = request_of(with_rungs(second));
  for (const Result<GemmRequest>* request : {&a, &b}) {
    if (!*request) return refuse(request->error());
  }
  const Result<GemmDiff> made = diff(*a, *b);
  if (!made) return refuse(made.error());
  print(fmt::format("spec: {} -> {}\n  {}\n\nplan\n{}\nsource\n{}", made->a, made->b,
                    made->changes.empty() ? "both ask for the same kernel" : fmt::format("{}", fmt::join(made->changes, "\n  ")),
                    hunks(made->plan), hunks(made->source)));
  return Exit::right;
}

}  // namespace

Subcommand gemm_ladder_subcommand() {
  return {"ladder",
          "The ladder of kernels: the idea of each rung, what it changes, and on a GPU its time beside cuBLASLt's",
          "  tessera gemm ladder\n  tessera gemm ladder --size 8192 --json > ladder.json\n\n"
          "A rung is a GEMM like any other: rung(9, 4096, 4096, 4096) is its expression, for every command.",
          [](Options& options) {
            auto a = std::make_shared<LadderArguments>();
            options.option("--size", a->size, "M, N and K of every rung, in elements; by default 4096");
            options.flag("--plain", a->plain, "measure nothing");
            options.flag("--json", a->json, "for machines");
            declare_place(options, a->place);
            return [a] { return ladder(*a); };
          },
          {}};
}

Subcommand gemm_diff_subcommand() {
  return {"diff",
          "Two GEMMs, or two rungs by their numbers: the fields in which they differ, and their plans and sources line by line",
          "  tessera gemm diff 8 9\n  tessera gemm diff tensor_gemm --set stages=2",
          [](Options& options) {
            auto a = std::make_shared<DiffArguments>();
            options.positional("a", a->what,
                               "the number of a rung, the name of a GEMM, an expression, or a .tess document (its last GEMM)");
            options.positional("b", a->other, "the other one; by default a with what --set says", false);
            declare_document(options, *a);
            options.option("--set", a->set, "another value of a field of b, e.g. --set stages=3; `tessera gemm --help` lists the fields");
            return [a] { return diff_of(*a); };
          },
          {}};
}

}  // namespace tessera
