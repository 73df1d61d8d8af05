// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what a device makes of a kernel before it runs: waves of tiles, occupancy, the roofline.
#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/pipeline_model.hpp"
#include "core/gemm/plan/limits.hpp"
#include "core/lang/builtins/builtins.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedGemm = std::shared_ptr<const GemmSpec>;

constexpr std::string_view kUsualDevice = "H200";

Result<Value> answer_of(Report report) { return Value{std::shared_ptr<const Report>(std::make_shared<const Report>(std::move(report)))}; }

Result<DeviceModel> device_named(const Call& call, std::size_t parameter) {
  TESSERA_TRY(name, argument<std::optional<std::string>>(call, parameter));
  Result<DeviceModel> device = find_device_model(name.value_or(std::string(kUsualDevice)));
  if (!device) return argument_error(call, call.names[parameter], call[parameter], std::move(device).error());
  return device;
}

bool is_device_word(std::string_view parameter, std::string_view) { return parameter == "device" || parameter == "sms"; }

// ceil_div() adds first, which leaves 64 bits for the largest extents.
std::int64_t up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Result<std::int64_t> count_of_sms(const Call& call, std::size_t parameter) {
  if (std::holds_alternative<std::string>(call[parameter].value->any)) {
    TESSERA_TRY(device, device_named(call, parameter));
    return device.sm_count;
  }
  return argument<std::int64_t>(call, parameter);
}

Result<Value> waves_of(std::int64_t tiles, std::int64_t sms, double inside, std::vector<std::string> notes) {
  const std::int64_t full = up(tiles, sms), last = tiles - (full - 1) * sms;
  const double busy = static_cast<double>(tiles) / (static_cast<double>(full) * static_cast<double>(sms));
  Report report;
  report.kind = "waves";
  report.sentence = fmt::format("{} tiles on {} SMs: {} wave{}, the last one with {} of {}; {:.1f} % of the SMs' time is used", tiles, sms,
                                full, full == 1 ? "" : "s", last, sms, 100 * busy);
  report.facts = {{"tiles", tiles}, {"waves", full}, {"last", last}, {"efficiency", busy}, {"inside", inside}};
  report.notes = std::move(notes);
  report.notes.push_back(fmt::format("waves = ceil({} / {}), one tile an SM at a time; efficiency = tiles / (waves * SMs)", tiles, sms));
  if (inside < 1) report.notes.push_back(fmt::format("{:.1f} % of the tiles' elements lie inside of the problem", 100 * inside));
  return answer_of(std::move(report));
}

// waves(144, 132): of so many tiles on so many SMs.
Result<Value> waves_of_tiles(const Call& call) {
  TESSERA_TRY(tiles, argument<std::int64_t>(call, 0));
  TESSERA_TRY(sms, argument<std::int64_t>(call, 1));
  if (tiles < 1 || sms < 1) return Error{ErrorCode::bad_extent, "tiles and SMs are at least 1", call.span(), {}};
  return waves_of(tiles, sms, 1, {});
}

Result<Value> waves_call(const Call& call) {
  if (!call.has(2) && !call.has(3)) return waves_of_tiles(call);
  if (!call.has(2) || !call.has(3))
    return Error{ErrorCode::wrong_arity, "waves takes (m, n, tile, sms), or of so many tiles (tiles, sms)", call.span(), {}};
  TESSERA_TRY(sms, count_of_sms(call, 3));
  return call_with(call, [sms = sms](std::int64_t m, std::int64_t n, const IntTuple& tile) -> Result<Value> {
    const bool two = tile.is_tuple() && tile.rank() >= 2 && tile[0].is_int() && tile[1].is_int();
    if (!two)
      return Error{ErrorCode::rank_mismatch, fmt::format("a tile has two extents, as in (128,128), not {}", to_string(tile)), {}, {}};
    if (m < 1 || n < 1 || tile[0].value() < 1 || tile[1].value() < 1 || sms < 1)
      return Error{ErrorCode::bad_extent, "extents, tiles and the number of SMs are at least 1", {}, {}};
    const std::int64_t rows = up(m, tile[0].value()), columns = up(n, tile[1].value());
    std::int64_t tiles = 0;
    if (__builtin_mul_overflow(rows, columns, &tiles)) return Error{ErrorCode::overflow, "the number of tiles leaves 64 bits", {}, {}};
    const double inside = static_cast<double>(m) * static_cast<double>(n) /
                          (static_cast<double>(tiles) * static_cast<double>(tile[0].value()) * static_cast<double>(tile[1].value()));
    return waves_of(
        tiles, sms, inside,
        {fmt::format("tiles = ceil({} / {}) * ceil({} / {}) = {} * {}", m, tile[0].value(), n, tile[1].value(), rows, columns)});
  });
}

// What a CTA takes: of a GEMM, or (threads, bytes of shared memory).
struct Cta {
  std::int64_t threads = 0, smem_bytes = 0;
  std::int64_t registers = 0;  // of a thread, at least: what accumulators take before anything is compiled; 0: not known
};

// Accumulators lie in the threads that multiply. setmaxnreg may give these what the others do not need, so all threads share them.
std::int64_t registers_at_least(const GemmPlan& plan) {
  if (!plan.mma) return 0;
  for (const PlanLimit& limit : limits_of(plan)) {
    if (limit.what == "registers")
      return std::min(limit.takes, limit.of) * std::min<std::int64_t>(plan.mma->num_threads(), plan.threads) / plan.threads;
  }
  return 0;
}

Result<Cta> cta_of(const Call& call) {
  if (const auto* gemm = std::get_if<SharedGemm>(&call[0].value->any)) {
    TESSERA_TRY(plan, lower(**gemm));
    return Cta{plan.threads, plan.smem_bytes, registers_at_least(plan)};
  }
  const auto* tuple = std::get_if<IntTuple>(&call[0].value->any);
  if (tuple && tuple->is_tuple() && tuple->rank() == 2 && (*tuple)[0].is_int() && (*tuple)[1].is_int())
    return Cta{(*tuple)[0].value(), (*tuple)[1].value(), 0};
  return argument_error(
      call, call.names[0], call[0],
      {ErrorCode::wrong_type, "a GEMM is wanted, or the threads of a CTA and its bytes of shared memory, as in (256, 49152)", {}, {}});
}

Result<Value> occupancy_call(const Call& call) {
  TESSERA_TRY(cta, cta_of(call));
  TESSERA_TRY(registers, argument<std::optional<std::int64_t>>(call, 1));
  TESSERA_TRY(device, device_named(call, 2));
  const std::optional<SmLimits> limits = sm_limits(device.sm);
  if (!limits) return Error{ErrorCode::wrong_arch, fmt::format("the limits of sm_{} are not known", device.sm), call.span(), {}};
  TESSERA_TRY(made, occupancy(*limits, cta.threads, cta.smem_bytes, registers.value_or(cta.registers)));
  const bool is_bound = !registers && cta.registers > 0;
  Report report;
  report.kind = "occupancy";
  std::string by;
  for (const Occupancy::Limit& limit : made.limits) {
    if (limit.ctas == made.ctas) by += fmt::format("{}{}", by.empty() ? "" : " and ", limit.what);
  }
  const double part = static_cast<double>(made.warps) / static_cast<double>(made.most_warps);
  report.sentence =
      fmt::format("{}{} CTA{} of {} threads on a multiprocessor of {}: {} of {} warps, {:.3g} %, limited by {}", is_bound ? "at most " : "",
                  made.ctas, made.ctas == 1 ? "" : "s", cta.threads, device.name, made.warps, made.most_warps, 100 * part, by);
  report.facts = {
      {"ctas", made.ctas}, {"warps", made.warps}, {"occupancy", part}, {"limited_by", by}, {"registers_allowed", made.registers_allowed}};
  report.notes.push_back("CTAs = the least of: what the multiprocessor has, divided by what a CTA takes, rounded down");
  if (!registers) {
    const std::string counted =
        is_bound ? fmt::format("{} a thread were counted, for accumulators alone", cta.registers) : "they were left out";
    report.notes.push_back(
        fmt::format("registers are known when it is compiled; {}: up to {} a thread allow as many CTAs", counted, made.registers_allowed));
  }
  report.columns = {"limit", "has", "a CTA takes", "CTAs"};
  for (const Occupancy::Limit& limit : made.limits) report.rows.push_back({std::string(limit.what), limit.has, limit.a_cta, limit.ctas});
  return answer_of(std::move(report));
}

// The product that a roofline is asked of.
struct Product {
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  ValueType a = ValueType::f16, b = ValueType::f16, c = ValueType::f32;
  bool reads_c = false, tensor_cores = true;
};

Result<Product> product_of(const Call& call) {
  Product made;
  if (const auto* gemm = std::get_if<SharedGemm>(&call[0].value->any)) {
    const GemmSpec& spec = **gemm;
    TESSERA_TRY(plan, lower(spec));
    made = {spec.m,
            spec.n,
            spec.k,
            spec.batch,
            plan.mma->atom().val_a,
            plan.mma->atom().val_b,
            spec.type_c,
            spec.beta != 0,
            plan.mma->atom().kind != MmaKind::fma && plan.mma->atom().kind != MmaKind::dot};
    return made;
  }
  TESSERA_TRY(mnk, argument<IntTuple>(call, 0));
  if (!mnk.is_tuple() || mnk.rank() != 3 || !mnk[0].is_int() || !mnk[1].is_int() || !mnk[2].is_int())
    return argument_error(call, call.names[0], call[0],
                          {ErrorCode::rank_mismatch, "a GEMM is wanted, or its extents as in (4096,4096,4096)", {}, {}});
  made.m = mnk[0].value(), made.n = mnk[1].value(), made.k = mnk[2].value();
  if (made.m < 1 || made.n < 1 || made.k < 1) return Error{ErrorCode::bad_extent, "M, N and K are at least 1", call[0].span, {}};
  if (call.has(2)) {
    TESSERA_TRY(type, argument<ValueType>(call, 2));
    made.a = made.b = type;
    made.c = type == ValueType::f64 ? ValueType::f64 : type == ValueType::i8 || type == ValueType::u8 ? ValueType::i32 : ValueType::f32;
  }
  return made;
}

// "A, B f16, C f32, each moved once"
std::string moved_words(const Product& product) {
  const bool same = product.a == product.b;
  return fmt::format("A{} {}, {}C {}, each moved once{}", same ? ", B" : "", short_name(product.a),
                     same ? "" : fmt::format("B {}, ", short_name(product.b)), short_name(product.c),
                     product.reads_c ? ", C in and out" : "");
}

Result<Value> roofline_call(const Call& call) {
  TESSERA_TRY(product, product_of(call));
  TESSERA_TRY(device, device_named(call, 1));
  const std::optional<double> peak = peak_tflops(device, product.a, product.tensor_cores);
  if (!peak) {
    return Error{
        ErrorCode::wrong_arch, fmt::format("no rate of {} for {} is known here", device.name, cute_name(product.a)), call.span(), {}};
  }
  const auto number = [](std::int64_t n) { return static_cast<double>(n); };
  const double m = number(product.m), n = number(product.n), k = number(product.k), batch = number(product.batch);
  const double flops = 2 * m * n * k * batch, of_c = (product.reads_c ? 2 : 1) * m * n * bits(product.c);
  const double bytes = batch * (m * k * bits(product.a) + n * k * bits(product.b) + of_c) / 8;
  const double bandwidth = device.gigabytes_per_second * 1e9, rate = *peak * 1e12;
  const double intensity = flops / bytes, ridge = rate / bandwidth, seconds = std::max(flops / rate, bytes / bandwidth);
  const bool computes = intensity >= ridge;
  Report report;
  report.kind = "roofline";
  report.sentence = fmt::format("bound by {} on {}: {:.4g} FLOP/byte where {:.4g} are wanted; at best {:.4g} us, {:.4g} TFLOP/s",
                                computes ? "arithmetic" : "memory", device.name, intensity, ridge, seconds * 1e6, flops / seconds * 1e-12);
  report.facts = {{"flops", flops},
                  {"bytes", bytes},
                  {"intensity", intensity},
                  {"ridge", ridge},
                  {"bound_by", std::string(computes ? "arithmetic" : "memory")},
                  {"microseconds", seconds * 1e6},
                  {"tflops", flops / seconds * 1e-12},
                  {"device", std::string(device.name)},
                  {"type", std::string(short_name(product.a))},
                  {"moved", moved_words(product)},
                  {"problem", fmt::format("{} × {} × {}{}", product.m, product.n, product.k,
                                          product.batch > 1 ? fmt::format(", {} of them", product.batch) : "")}};
  report.notes = {fmt::format("FLOP = 2 M N K{} = {:.4g}", product.batch > 1 ? " * batch" : "", flops),
                  fmt::format("bytes = A + B + C of {}, {} and {} bits, each once{}: {:.4g}", bits(product.a), bits(product.b),
                              bits(product.c), product.reads_c ? ", and C read too" : "", bytes),
                  fmt::format("wanted = {:.4g} TFLOP/s of {} / {:.4g} GB/s, as the maker states them", *peak, cute_name(product.a),
                              device.gigabytes_per_second),
                  "at best = the larger of FLOP / rate and bytes / bandwidth"};
  return answer_of(std::move(report));
}

Result<Value> pipeline_call(const Call& call) {
  return call_with(call, [](std::int64_t tiles, std::int64_t load, std::int64_t multiply, std::int64_t stages) -> Result<Value> {
    TESSERA_TRY(model, pipeline_model(tiles, load, multiply, stages));
    const double busy = static_cast<double>(multiply) * static_cast<double>(tiles) / static_cast<double>(model.duration());
    Report report;
    report.kind = "pipeline";
    report.sentence = fmt::format("{} k-tile{} in {} stage{}: {} units as declared; in {} of them nothing is multiplied", tiles,
                                  tiles == 1 ? "" : "s", stages, stages == 1 ? "" : "s", model.duration(), model.waiting());
    report.facts = {{"duration", model.duration()},
                    {"waiting", model.waiting()},
                    {"busy", busy},
                    {"tiles", tiles},
                    {"load", load},
                    {"multiply", multiply},
                    {"stages", stages}};
    report.columns = {"k-tile", "stage", "copy from", "copy to", "multiply from", "multiply to"};
    for (std::int64_t i = 0; i < tiles; ++i) {
      const PipelineTile& tile = model.tiles[static_cast<std::size_t>(i)];
      report.rows.push_back({i, tile.stage, tile.copy_from, tile.copy_to, tile.multiply_from, tile.multiply_to});
    }
    report.notes = {"a stage is filled again when its tile has been multiplied; copies go on side by side"};
    return answer_of(std::move(report));
  });
}

// clang-format off
constexpr Builtin kRows[] = {
  {"waves", "waves(m, n, tile=, sms=)", "how many waves of tiles a GEMM takes, and how full the last one is; sms: their number, or a device; waves(tiles, sms) of so many tiles", waves_call, is_device_word},
  {"occupancy", "occupancy(kernel, registers=, device=)",
   "how many CTAs a multiprocessor holds at once, and what limits them; kernel: a GEMM, or (threads, bytes of shared memory)", occupancy_call, is_device_word},
  {"pipeline", "pipeline(tiles, load, multiply, stages)",
   "when each k-tile of a ring of stages is copied and multiplied, by durations that you declare: .duration, .waiting, .busy", pipeline_call},
  {"roofline", "roofline(gemm, device=, type=)",
   "is a GEMM bound by arithmetic or by memory, and how fast can it be; gemm: a GEMM, or (M,N,K)", roofline_call, is_device_word},
};
// clang-format on

}  // namespace

std::span<const Builtin> device_builtins() { return kRows; }

}  // namespace tessera
