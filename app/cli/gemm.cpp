// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm show, simulate, emit and compile: each stops at one stage of the pipeline, so that it can be looked at.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/cache_arguments.hpp"
#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/gemm/kernel_texts.hpp"
#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/utf8.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/text/text.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/device/device_json.hpp"
#include "kernels/runtime/measure/result_check.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  std::string out, arch, pack;
  int device = 0;
  std::string after;  // the pass of `lower` whose plan is shown
  bool json = false, ir = false, standalone = false, force = false, with_checks = false, each = false, texts = false;
};

Result<GemmPlan> plan_of(const Arguments& arguments) {
  TESSERA_TRY(request, request_of(arguments));
  return tessera::plan_of(request);
}

// Text goes to stdout, or to --out.
Exit deliver(const Arguments& arguments, std::string_view bytes) {
  if (arguments.out.empty()) {
    print_data(bytes);
    return Exit::right;
  }
  if (const Status written = export_file(arguments.out, bytes, arguments.force); !written) return refuse(written.error());
  note(fmt::format("{}  {} bytes", arguments.out, bytes.size()));
  return Exit::right;
}

std::string source_text_of(const Arguments& arguments) { return arguments.file.empty() ? arguments.what : std::string(); }

Result<GemmPlan> plan_after(const Arguments& arguments) {
  if (arguments.after.empty()) return plan_of(arguments);
  TESSERA_TRY(request, request_of(arguments));
  TESSERA_TRY(spec, spec_of(request));
  return lower_until(spec, arguments.after);
}

Exit show(const Arguments& arguments) {
  if (arguments.ir && arguments.json) return misuse("--ir is a text, and --json a list of rows: one of them");
  const Result<GemmPlan> plan = plan_after(arguments);
  if (!plan) return refuse(plan.error(), source_text_of(arguments));
  if (arguments.ir || !arguments.after.empty()) {
    print_data(plan::to_text(*plan) + "\n");
    return Exit::right;
  }
  if (!arguments.json) {
    std::vector<std::vector<std::string>> rows;
    std::string step;
    for (const PlanLine& line : describe(*plan)) {
      if (line.step != step) {
        if (!step.empty()) rows.push_back({""});
        rows.push_back({line.step + ":"});
        step = line.step;
      }
      rows.push_back({"  " + line.name, line.value, line.map});
    }
    print(table(rows));
    return Exit::right;
  }
  std::string json = "[";
  for (const PlanLine& line : describe(*plan)) {
    json += json.size() == 1 ? "\n" : ",\n";
    json += fmt::format(R"(  {{"name":{},"value":{},"map":{},"step":{}}})", json_string(line.name), json_string(line.value),
                        json_string(line.map), json_string(line.step));
  }
  print_data(json + "\n]\n");
  return Exit::right;
}

Exit simulate(const Arguments& arguments) {
  const Result<GemmPlan> plan = plan_of(arguments);
  if (!plan) return refuse(plan.error(), source_text_of(arguments));
  const Result<GemmReport> report = emulate(*plan);
  if (!report) return refuse(report.error());
  print_report(*report, arguments.json);
  return report->correct ? Exit::right : Exit::refused;
}

Exit emit(const Arguments& arguments) {
  const Result<GemmPlan> plan = plan_of(arguments);
  if (!plan) return refuse(plan.error(), source_text_of(arguments));
  const Result<KernelSource> source = emit_gemm(*plan);
  if (!source) return refuse(source.error());
  if (const std::string beyond = beyond_smem(*plan); !beyond.empty()) note("warning: " + beyond);
  for (const std::string& said : plan->notes) note("note: " + said);
  return deliver(arguments, arguments.standalone ? standalone_program(*source) : source->text);
}

// --arch, or the device's, or where there is none the oldest that will do.
Result<ArchTarget> choose_arch(const Arguments& arguments, const KernelSource& source, const KernelCompiler& compiler) {
  if (!arguments.arch.empty()) {
    TESSERA_TRY(wanted, parse_arch(arguments.arch));
    TESSERA_TRY(decided, decide_arch(source, wanted.sm, "the architecture asked for", compiler.toolkit()));
    if (wanted.suffix != 0 && decided.suffix == 0)
      note(fmt::format("note: compiled for {}, since the kernel asks for nothing that only {} has", decided.name(), wanted.name()));
    else if (const std::string why = arch_note(decided, wanted.sm, compiler.toolkit()); !why.empty())
      note("note: " + why);
    return decided;
  }
  const Result<std::vector<DeviceSummary>> found = devices();
  if (found && arguments.device >= 0 && static_cast<std::size_t>(arguments.device) < found->size()) {
    return decide_arch(source, (*found)[static_cast<std::size_t>(arguments.device)], compiler.toolkit());
  }
  return least_arch(source, compiler.toolkit());
}

struct Compiled {
  KernelSource source;
  CachedCubin cubin;
  std::vector<std::string> keys;  // of it and of what checks it
};

Result<Compiled> compile_plan(const Arguments& arguments, const GemmRequest& request, KernelCompiler& compiler) {
  TESSERA_TRY(plan, tessera::plan_of(request));
  TESSERA_TRY(source, emit_gemm(plan));
  TESSERA_TRY(arch, choose_arch(arguments, source, compiler));
  // The cubin is for that architecture, also where no device is here to refuse it.
  if (const auto smem = smem_bytes_per_block(arch.sm)) TESSERA_CHECK(check_device(plan, arch.sm, *smem));
  CubinCache cache(cache_settings());
  TESSERA_TRY(cubin, cache.get(source, arch, compiler));
  Compiled compiled{std::move(source), std::move(cubin), {}};
  compiled.keys.push_back(compiled.cubin.cache.key);
  if (!arguments.with_checks && arguments.pack.empty()) return compiled;
  TESSERA_TRY(more, check_sources(compiled.source));
  for (const KernelSource& one : more) {
    TESSERA_TRY(its_arch, decide_arch(one, arch.sm, "the architecture asked for", compiler.toolkit()));
    TESSERA_TRY(its_cubin, cache.get(one, its_arch, compiler));
    compiled.keys.push_back(its_cubin.cache.key);
  }
  return compiled;
}

Status show_compiled(const Arguments& arguments, const Compiled& compiled) {
  const Cubin& cubin = compiled.cubin.cubin;
  const CacheOutcome& cache = compiled.cubin.cache;
  const ResourceUse& use = cubin.resources;
  for (const std::string& line : cache.notes) note("note: " + line);
  if (!arguments.out.empty()) TESSERA_CHECK(export_file(arguments.out, cubin.bytes, arguments.force));
  if (arguments.json) {
    print_data(fmt::format(
        R"({{"entry":{},"arch":{},"compiler":{},"bytes":{},"registers":{},"spill_store_bytes":{},"spill_load_bytes":{},"smem_bytes":{},)"
        R"("ptxas":{},"cache_hit":{},"cache":{},"cache_key":{},"cache_differs":{},"cache_nearest":{},"compile_ms":{:.1f}}})"
        "\n",
        json_string(cubin.entry), json_string(cubin.arch.name()), json_string(cubin.compiler), cubin.bytes.size(), use.registers,
        use.spill_store_bytes, use.spill_load_bytes, compiled.source.smem_bytes, to_json(use.remarks).dump(), cache.hit,
        json_string(cache.reason), json_string(cache.key), Json(cache.differs).dump(), json_string(cache.nearest), cubin.compile_ms));
    return Done{};
  }
  std::vector<std::vector<std::string>> rows{
      {"entry", cubin.entry},
      {"architecture", cubin.arch.name()},
      {"compiler", fmt::format("{}, {}", cubin.compiler, time_text(1000 * cubin.compile_ms))},
      {"machine code", fmt::format("{} bytes", cubin.bytes.size())},
      {"registers", fmt::format("{} a thread", use.registers)},
      {"spills", fmt::format("{} bytes stored, {} bytes loaded", use.spill_store_bytes, use.spill_load_bytes)}};
  for (const std::string& remark : remarks_in_words(use)) rows.push_back({"ptxas", remark});
  rows.push_back({"shared memory", fmt::format("{} bytes a CTA", compiled.source.smem_bytes)});
  rows.push_back({"cache", fmt::format("{}: {}", cache.hit ? "HIT" : "MISS", cache.reason)});
  rows.push_back({"key", cache.key});
  print(table(rows));
  return Done{};
}

// One GEMM, or each of a document's.
Result<std::vector<GemmRequest>> requests_of(const Arguments& arguments) {
  TESSERA_TRY(request, request_of(arguments));
  if (!arguments.each) return std::vector<GemmRequest>{request};
  TESSERA_TRY(names, gemms_of(request));
  std::vector<GemmRequest> requests;
  for (std::string& name : names) {
    request.binding = std::move(name);
    requests.push_back(request);
  }
  return requests;
}

// What a window shows of the machine code: its own process is not the one that compiles.
Exit print_texts(const Arguments& arguments) {
  const auto spec = [&]() -> Result<GemmSpec> {
    TESSERA_TRY(request, request_of(arguments));
    return spec_of(request);
  }();
  if (!spec) return refuse(spec.error(), source_text_of(arguments));
  const KernelTexts texts = kernel_texts(*spec);
  print_data(to_json(texts) + "\n");
  return texts.ptx || texts.sass ? Exit::right : exit_of(texts.sass.error());
}

Exit compile(const Arguments& arguments) {
  if (arguments.texts) return print_texts(arguments);
  if (arguments.each && !arguments.out.empty()) return misuse("--out is one file, and --each several cubins: --pack FILE takes them all");
  const Result<std::vector<GemmRequest>> requests = requests_of(arguments);
  if (!requests) return refuse(requests.error());
  const std::unique_ptr<KernelCompiler> compiler = or_absent(open_nvrtc());  // a kept cubin needs none
  std::vector<std::string> keys;
  for (const GemmRequest& request : *requests) {
    const Result<Compiled> compiled = compile_plan(arguments, request, *compiler);
    if (!compiled)
      return refuse(arguments.each ? Error(compiled.error()).note(fmt::format("in the document's \"{}\"", request.binding))
                                   : compiled.error());
    if (const Status shown = show_compiled(arguments, *compiled); !shown) return refuse(shown.error());
    if (arguments.each && !arguments.json) print_line("");
    for (const std::string& key : compiled->keys) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  return arguments.pack.empty() ? Exit::right : write_pack(arguments.pack, keys, arguments.force, arguments.json ? note : print_line);
}

const char* pass_help() {
  static const std::string help = fmt::format("that text as it is after one pass: {}", fmt::join(passes(), ", "));
  return help.c_str();
}

Subcommand stage(const char* name, const char* help, const char* example, Exit (*run)(const Arguments&), bool writes, bool compiles) {
  return {name,
          help,
          example,
          [=](Options& options) {
            auto a = std::make_shared<Arguments>();
            declare_gemm(options, *a);
            if (!writes || compiles) options.flag("--json", a->json, "for machines");
            if (run == show) {
              options.flag("--ir", a->ir, "the plan as the text `plan { ... }`, which a document may hold and change");
              options.option("--after", a->after, pass_help());
            }
            if (writes) {
              options.option("--out", a->out, "a file to write");
              options.flag("--force", a->force, "replace a file that exists");
            }
            if (writes && !compiles) options.flag("--standalone", a->standalone, "a whole program with a main() that nvcc builds");
            if (compiles) {
              options.option("--arch", a->arch, "compile for this architecture, e.g. sm_90; by default the device's");
              options.option("--device", a->device, "which GPU, as `tessera devices` counts");
              options.flag("--texts", a->texts, "its PTX and SASS as one line of JSON, {\"ptx\":{\"text\":...},\"sass\":...}, or why not");
              options.flag("--each", a->each, "every GEMM of the document, such as one for each of NN, NT, TN and TT");
              options.option("--pack", a->pack,
                             "write them, with the kernels that check and time them, into this file for `tessera cache load`");
              options.flag("--with-checks", a->with_checks, "also the kernels that check and time it, for `tessera cache pack`");
            }
            return [a, run] {
              const Budget budget(a->limits);
              return run(*a);
            };
          },
          {}};
}

}  // namespace

Subcommand gemm_subcommand() {
  static const std::string examples =
      "  tessera gemm show article_gemm\n  tessera gemm run article_gemm --set stages=2\n\nFields of gemm(...), for --set:\n" +
      field_lines();
  return {
      "gemm",
      "Show, simulate, race, emit, compile, run, compare or sweep GEMMs, and climb the ladder of kernels",
      examples.c_str(),
      {},
      {stage("show", "The plan: every layout, size and atom of the kernel", "  tessera gemm show article_gemm", show, false, false),
       stage("simulate", "Run it on the CPU thread by thread and compare with the definition",
             "  tessera gemm simulate tensor_gemm --m 256 --n 256 --k 128", simulate, false, false),
       stage("emit", "Write the kernel's source", "  tessera gemm emit article_gemm --standalone --out article.cu", emit, true, false),
       stage("compile", "Compile it with NVRTC; needs no GPU",
             "  tessera gemm compile tensor_gemm --arch sm_90\n  tessera gemm compile layouts.tess --each --arch sm_90 --pack layouts.pack",
             compile, true, true),
       gemm_run_subcommand(), gemm_compare_subcommand(), gemm_diff_subcommand(), gemm_ladder_subcommand(), gemm_sweep_subcommand(),
       gemm_race_subcommand(), gemm_fastest_subcommand()}};
}

}  // namespace tessera
