// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm ladder, the rungs with their ideas and on a GPU their times; tessera gemm diff, what one GEMM does otherwise than another.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/cache_arguments.hpp"
#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/ladder_chart.hpp"
#include "app/session/gemm/ladder_recording.hpp"
#include "app/session/gemm/ladder_steps.hpp"
#include "core/base/file.hpp"
#include "core/base/items.hpp"
#include "core/base/json.hpp"
#include "core/base/number_text.hpp"
#include "core/base/units.hpp"
#include "core/render/export/formats.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/worker/worker_pool.hpp"

namespace tessera {
namespace {

struct LadderArguments {
  std::optional<std::int64_t> size;
  PlaceArguments place;
  std::string rungs, from, gpu, record, figure, modes = "interleaved", palette, title;
  bool json = false, plain = false, recorded = false, force = false, explain = false, rates = false, compile = false;
};

// "8": a rung by its number; null for anything else.
const Rung* rung_of(std::string_view what) {
  const std::optional<std::int64_t> number = number_in<std::int64_t>(what);
  return number ? find_rung(*number) : nullptr;
}

// "8-11" or "1,4,9"; empty: every rung.
Result<std::set<int>> chosen_rungs(std::string_view list) {
  std::set<int> chosen;
  for (const Rung& rung : tessera::ladder()) {
    if (list.empty()) chosen.insert(rung.number);
  }
  const auto number = [&](std::string_view word) -> Result<int> {
    if (const Rung* rung = rung_of(word)) return rung->number;
    return Error{
        ErrorCode::unknown_name,
        fmt::format("--rungs: there is no rung \"{}\"", word),
        {},
        {fmt::format("they are {} to {}: --rungs 8-11, or 1,4,9", tessera::ladder().front().number, tessera::ladder().back().number)}};
  };
  for (const std::string_view item : items_of(list)) {
    const std::size_t dash = item.find('-');
    TESSERA_TRY(first, number(item.substr(0, dash)));
    TESSERA_TRY(last, number(dash == item.npos ? item : item.substr(dash + 1)));
    for (int i = first; i <= last; ++i) chosen.insert(i);
  }
  if (chosen.empty()) return Error{ErrorCode::out_of_range, "--rungs: a list goes upwards, such as 8-11", {}, {}};
  return chosen;
}

// "stages: 1 -> 3"; what is too long for that stands below each other, so that the eye finds the difference.
std::string change_text(const std::string& change, std::string_view indent) {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kTo = " -> ";
  const std::size_t colon = change.find(": "), to = change.find(kTo);
  if (change.size() <= kLongest || colon == change.npos || to == change.npos) return fmt::format("{}{}\n", indent, change);
  return fmt::format("{0}{1}:\n{0}  - {2}\n{0}  + {3}\n", indent, change.substr(0, colon), change.substr(colon + 2, to - colon - 2),
                     change.substr(to + kTo.size()));
}

// What the compiler made of a rung; nothing where it was not asked.
std::string compiled_text(const LadderStep& step) {
  if (!step.not_compiled.empty()) return fmt::format("  Not compiled: {}\n", step.not_compiled);
  if (!step.compiled) return {};
  const ResourceUse& use = step.compiled->resources;
  std::string text = fmt::format("  Compiled by {} for {}: {} registers a thread; remarks of ptxas: {}\n", step.compiled->compiler,
                                 step.compiled->arch.name(), use.registers, remarks_in_short(use));
  if (!use.remarks || use.remarks->empty()) return text;
  for (const std::string& remark : remarks_in_words(use)) text += fmt::format("    {}\n", remark);
  return text;
}

std::string ladder_text(const std::vector<LadderStep>& steps) {
  std::string text;
  std::string_view before;
  for (const LadderStep& step : steps) {
    if (const std::string_view name = name_of_ladder(step.rung->of); name != before) text += fmt::format("ON {}\n\n", name), before = name;
    text += fmt::format("{} {}\n  {}\n", step.rung->number, step.rung->name, step.rung->idea);
    for (const std::string& change : step.changes) text += change_text(change, "    ");
    text += fmt::format("  Question: {}\n", step.rung->question);
    if (step.is_refused) text += fmt::format("  Refused at this size: {}\n", step.not_measured);
    text += compiled_text(step);
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

// "RECORDED: NVIDIA H200, ..." and a row a rung.
std::string measured_text(const MeasuredLadder& ladder) {
  const bool here = ladder.provenance == Provenance::live;
  std::string text = fmt::format("{}{}: {}, {}\n", to_string(ladder.provenance), here ? "" : ", not measured here", origin_text(ladder),
                                 size_text(ladder.extents));
  std::vector<std::vector<std::string>> rows{{"  rung", "of cuBLASLt", "alone", "burst", "median", "rate", "result"}};
  const bool has_remarks = std::any_of(ladder.rungs.begin(), ladder.rungs.end(),
                                       [](const MeasuredRung& rung) { return rung.measurement && rung.measurement->resources.remarks; });
  if (has_remarks) rows.front().push_back("ptxas");
  bool unknown = false;
  std::string_view before;
  for (const MeasuredRung& rung : ladder.rungs) {
    const Rung* const known = find_rung(rung.number);
    if (known && known->name == rung.name && name_of_ladder(known->of) != before) {
      before = name_of_ladder(known->of);
      rows.push_back({fmt::format("  {}, {}:", before, rung.measurement ? rung.measurement->type_a : "not measured")});
    }
    std::vector<std::string> row{fmt::format("  {} {}", rung.number, rung.name)};
    if (!rung.measurement) {
      row.insert(row.end(), {"-", "-", "-", "-", "-", rung.not_measured});
      rows.push_back(std::move(row));
      continue;
    }
    const Measurement& m = *rung.measurement;
    const auto ratio = [&](TimedMode Timing::*mode) {
      return m.timing && ((*m.timing).*mode).ratio ? percent_text(100 * *((*m.timing).*mode).ratio) : std::string("-");
    };
    row.insert(row.end(), {ratio(&Timing::interleaved), ratio(&Timing::alone), ratio(&Timing::burst)});
    row.push_back(m.timing ? time_text(m.timing->interleaved.kernel.median) : "-");
    row.push_back(m.timing ? rate_text(1e12 * m.timing->interleaved.kernel_tflops) : "-");
    std::string result = m.correctness.passed ? "CORRECT" : "WRONG";
    if (!rung.other_version.empty()) result += ", OF ANOTHER VERSION: " + rung.other_version;
    unknown = unknown || (!here && rung.other_version.empty() && !rung.same_code);
    row.push_back(std::move(result));
    if (has_remarks) row.push_back(remarks_in_short(m.resources));
    rows.push_back(std::move(row));
  }
  text += table(rows);
  if (!has_remarks) text += "  what ptxas remarked of the kernels was not recorded\n";
  if (unknown) text += "  the code of the kernels was not recorded beside their figures: whether it is this version's cannot be told\n";
  return text + "\n";
}

// The ladders that are shown: the one measured now, or recorded ones.
struct Shown {
  std::vector<MeasuredLadder> ladders;
  std::optional<Error> none;  // why there is none
};

Shown recordings_for(const LadderArguments& arguments) {
  RecordedLadders found;
  if (!arguments.from.empty()) {
    const Result<std::string> text = read_file(arguments.from);
    Result<MeasuredLadder> ladder = text ? read_ladder(*text) : Result<MeasuredLadder>(text.error());
    if (!ladder) {
      Error error = std::move(ladder).error();
      if (text) error.message = fmt::format("{}: {}", arguments.from, error.message);
      return {{}, std::move(error)};
    }
    found.ladders.push_back(*std::move(ladder));
  } else {
    found = recorded_ladders();
    for (const Error& damaged : found.damaged) note(describe(damaged));
  }
  std::optional<ProblemSize> extents;
  if (arguments.size) extents = {*arguments.size, *arguments.size, *arguments.size};
  Result<std::vector<MeasuredLadder>> chosen = choose(std::move(found.ladders), extents, arguments.gpu);
  if (!chosen) return {{}, std::move(chosen).error()};
  for (MeasuredLadder& ladder : *chosen) compare_with_rungs(ladder);
  return {*std::move(chosen), {}};
}

Status write_chart(const LadderArguments& arguments, const MeasuredLadder& ladder) {
  LadderChart wanted;
  wanted.modes = items_of(arguments.modes);
  wanted.palette = arguments.palette, wanted.title = arguments.title, wanted.rates = arguments.rates;
  const std::string ending = std::filesystem::path(arguments.figure).extension().string();
  if (ending.empty()) return Error{ErrorCode::parse, "--figure FILE ends with .svg, .pdf, .png, .tex, .html or .json", {}, {}};
  TESSERA_TRY(formats, parse_formats(ending.substr(1)));
  if (formats.empty()) return Error{ErrorCode::parse, "--figure FILE ends with .svg, .pdf, .png, .tex, .html or .json", {}, {}};
  TESSERA_TRY(scene, draw_chart(ladder, wanted));
  TESSERA_TRY(bytes, render(scene, formats.front(), RenderOptions()));
  TESSERA_CHECK(export_file(arguments.figure, bytes, arguments.force));
  note(fmt::format("{}: {}: {}, {}", arguments.figure, to_string(ladder.provenance), origin_text(ladder), size_text(ladder.extents)));
  return Done{};
}

// What is kept beside the text: the chart, and the recording of what was measured or came from a file.
Status keep(const LadderArguments& arguments, const Shown& shown) {
  if (arguments.figure.empty() && arguments.record.empty()) return Done{};
  if (shown.ladders.empty() && shown.none) return *shown.none;
  if (shown.ladders.empty()) return Error{ErrorCode::parse, "--plain measures and shows nothing that could be drawn or recorded", {}, {}};
  const MeasuredLadder& first = shown.ladders.front();
  if (!arguments.figure.empty()) {
    TESSERA_CHECK(write_chart(arguments, first));
    if (shown.ladders.size() > 1)
      note(fmt::format("the first of {} recorded ladders is drawn; --gpu and --size choose another", shown.ladders.size()));
  }
  if (arguments.record.empty()) return Done{};
  if (first.provenance != Provenance::live && arguments.from.empty())
    return Error{ErrorCode::no_device, "nothing was measured, so there is nothing to record", {}, {"--from FILE records what FILE says"}};
  TESSERA_TRY(path, record(first, arguments.record));
  note("recorded in " + path.string());
  return Done{};
}

void print_ladder(const LadderArguments& arguments, const std::vector<LadderStep>& steps, const ProblemSize& extents, const Shown& shown) {
  const bool live = !shown.ladders.empty() && shown.ladders.front().provenance == Provenance::live;
  if (arguments.json) {
    std::vector<Json> recordings;
    for (const MeasuredLadder& ladder : shown.ladders) {
      if (!live) recordings.push_back(ladder_json(ladder));
    }
    print_data(to_json(steps, extents, recordings) + "\n");
    return;
  }
  print(ladder_text(steps));
  for (const LadderStep& step : steps) {
    if (!arguments.explain || !step.rung->is_of_size) continue;
    const auto choices = fastest_choices(step.spec);
    print(fmt::format("WHY THIS TILE, on rung {}\n\n{}", step.rung->number,
                      choices ? fastest_text(*choices, kHopperMultiprocessors) : choices.error().message) +
          "\n");
  }
  for (const MeasuredLadder& ladder : shown.ladders) print(measured_text(ladder));
}

Exit ladder(const LadderArguments& arguments) {
  const bool stored = arguments.recorded || !arguments.from.empty();
  const Result<std::set<int>> chosen = chosen_rungs(arguments.rungs);
  if (!chosen) return misuse(describe(chosen.error()));
  Shown shown;
  if (stored) {
    shown = recordings_for(arguments);
    if (shown.none) return refuse(*shown.none);
  }
  ProblemSize extents = stored ? shown.ladders.front().extents : ProblemSize();
  if (arguments.size) extents = {*arguments.size, *arguments.size, *arguments.size};
  Result<std::vector<LadderStep>> steps = climb(extents);
  if (!steps) return refuse(steps.error());
  steps->erase(std::remove_if(steps->begin(), steps->end(), [&](const LadderStep& step) { return !chosen->contains(step.rung->number); }),
               steps->end());
  const bool plain = arguments.plain || arguments.compile;
  bool wrong = !plain && !stored && !measure(*steps, extents, arguments.place);
  if (arguments.compile) {
    const std::unique_ptr<KernelCompiler> compiler = or_absent(open_nvrtc());  // a kept cubin needs none
    CubinCache cache(cache_settings());
    compile(*steps, *compiler, cache);
  }
  const bool measured = std::any_of(steps->begin(), steps->end(), [](const LadderStep& step) { return step.report.has_value(); });
  if (measured) {
    Result<MeasuredLadder> now = measured_ladder(*steps, extents);
    if (now)
      shown.ladders.push_back(*std::move(now));
    else
      shown.none = std::move(now).error();
  } else if (!stored && !plain) {
    shown = recordings_for(arguments);
  }
  print_ladder(arguments, *steps, extents, shown);
  std::set<std::string> told;
  bool missing = false;  // machine code that was asked for
  for (const LadderStep& step : *steps) {
    wrong = wrong || (step.report && !step.report->correct) || (step.compiled && !forbidden_remarks(step.compiled->resources).empty());
    missing = missing || !step.not_compiled.empty();
    if (step.report || step.is_refused || plain || stored) continue;
    if (told.insert(step.not_measured).second) note(step.not_measured);
  }
  if (shown.none && !measured && !told.empty()) note(describe(*shown.none));
  if (const Status kept = keep(arguments, shown); !kept) return refuse(kept.error());
  return wrong ? Exit::refused : missing ? Exit::environment : Exit::right;
}

struct DiffArguments : GemmArguments {
  std::string other;
};

// Of 1024 x 1024 x 1024 where nothing else is said. Of a number that no rung has the language says so.
GemmArguments with_rungs(GemmArguments arguments) {
  const bool number = !arguments.what.empty() && arguments.what.find_first_not_of("0123456789") == std::string::npos;
  if (number) arguments.what = fmt::format("rung({}, 1024, 1024, 1024)", arguments.what);
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
  std::string text = fmt::format("spec: {} -> {}\n", made->a, made->b);
  if (made->changes.empty()) text += "  both ask for the same kernel\n";
  for (const std::string& change : made->changes) text += change_text(change, "  ");
  if (const Rung* rung = made->rung) text += fmt::format("\nidea\n  {}\n\nquestion\n  {}\n", rung->idea, rung->question);
  print(text + fmt::format("\nplan\n{}\nsource\n{}", hunks(made->plan), hunks(made->source)));
  return Exit::right;
}

}  // namespace

Subcommand gemm_ladder_subcommand() {
  return {"ladder",
          "The ladder of kernels: the idea of each rung, what it changes, and on a GPU its time beside cuBLASLt's",
          "  tessera gemm ladder\n  tessera gemm ladder --size 8192 --json > ladder.json\n"
          "  tessera gemm ladder --compile --rungs 10-16\n"
          "  tessera gemm ladder --recorded --gpu h200 --figure ladder.svg\n"
          "  tessera gemm ladder --from ladder.json --modes interleaved,burst --figure ladder.pdf\n\n"
          "Where there is no GPU, the ladders that were recorded on others are shown, with their device and date.\n"
          "A rung is a GEMM like any other: rung(9, 4096, 4096, 4096) is its expression, for every command.",
          [](Options& options) {
            auto a = std::make_shared<LadderArguments>();
            options.option("--size", a->size,
                           "M, N and K of every rung, in elements; by default 4096; of the recorded ladders those of that size");
            options.option("--rungs", a->rungs, "measure and explain only these: 8-11, or 1,4,9; recorded ladders are shown whole");
            options.flag("--explain", a->explain, "say by which numbers the last rung was chosen for the size");
            options.flag("--plain", a->plain, "measure nothing, and show no recording");
            options.flag(
                "--compile", a->compile,
                "measure nothing; compile each rung, without a GPU, and tell what ptxas remarks of it: 1 where a remark is not allowed");
            options.flag("--recorded", a->recorded, "measure nothing, and show the ladders that come with Tessera");
            options.option("--from", a->from, "measure nothing, and show the ladder of a file that --json or --record wrote");
            options.option("--gpu", a->gpu, "of the recorded ladders those of this GPU: h200, or its whole name");
            options.option("--record", a->record, "keep what was measured in DIR/ladder, without what is of one machine alone");
            options.option("--figure", a->figure,
                           "a bar chart of the ladder: a file that ends with .svg, .pdf, .png, .tex, .html or .json");
            options.option("--modes", a->modes, "what the chart's bars are, of interleaved (the default), alone and burst, with commas");
            options.flag("--rates", a->rates, "the chart's bars are TFLOP/s on one scale of powers of ten, not percent of cuBLASLt");
            options.option("--palette", a->palette, "of the chart");
            options.option("--title", a->title, "of the chart");
            options.flag("--force", a->force, "replace a chart that exists");
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
