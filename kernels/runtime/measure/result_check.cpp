// SPDX-License-Identifier: BSD-3-Clause
// Fill, poison, fence, launch, compare, and say what was wrong in words.
#include "kernels/runtime/measure/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>  // std::memcpy
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/half.hpp"

namespace tessera {
namespace {

// Bytes before and after the output that nobody may write.
constexpr std::int64_t fence_bytes = 1024;
constexpr std::uint8_t fence_byte = 0xa5;

Result<double> read_element(Device& device, const BufferSpec& buffer, DevicePointer from, std::int64_t index) {
  std::array<std::byte, 8> bytes{};
  const auto size = static_cast<std::size_t>(buffer.element_bytes);
  TESSERA_CHECK(device.download(std::span(bytes).first(size), from + static_cast<DevicePointer>(index * buffer.element_bytes)));
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  };
  if (buffer.type == "f16") return half_value(as(std::uint16_t{}));
  if (buffer.type == "bf16") return static_cast<double>(std::bit_cast<float>(std::uint32_t{as(std::uint16_t{})} << 16));
  if (buffer.type == "f64") return as(double{});
  if (buffer.type == "s32") return static_cast<double>(as(std::int32_t{}));
  if (buffer.type == "s8") return static_cast<double>(as(std::int8_t{}));
  if (buffer.type == "u8") return static_cast<double>(as(std::uint8_t{}));
  return static_cast<double>(as(float{}));
}

Status fill_random(Device& device, KernelCompiler& compiler, CubinCache& cache, const BufferSpec& buffer, DevicePointer to,
                   std::int64_t seed, std::optional<double> density) {
  TESSERA_TRY(source, density ? sign_kernel(buffer.type, *density) : fill_kernel(buffer.type));
  TESSERA_TRY(fill, load_small(device, compiler, cache, source));
  TESSERA_CHECK(fill.launch(std::array<KernelArgument, 3>{to, buffer.elements, seed}));
  return device.synchronize();
}

}  // namespace

std::int64_t operand_seed(std::uint64_t seed, int operand) {
  return static_cast<std::int64_t>(seed * 16 + static_cast<std::uint64_t>(operand));
}

std::vector<KernelArgument> gemm_arguments(const KernelSource& source, DevicePointer a, DevicePointer b, DevicePointer c) {
  std::vector<KernelArgument> arguments;
  const std::array<DevicePointer, 3> buffers{a, b, c};
  for (const TensorMapSpec& map : source.maps)
    arguments.emplace_back(TensorMapArgument{map, buffers[static_cast<std::size_t>(map.buffer)]});
  if (source.takes_c) arguments.emplace_back(c);
  if (source.maps.empty()) arguments.assign(buffers.begin(), buffers.end());
  arguments.emplace_back(static_cast<float>(source.alpha)), arguments.emplace_back(static_cast<float>(source.beta));
  for (const ExtentArgument& extent : source.extents) {
    if (extent.is_wide)
      arguments.emplace_back(extent.value);
    else
      arguments.emplace_back(static_cast<std::int32_t>(extent.value));
  }
  return arguments;
}

Result<DeviceKernel> load_small(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source) {
  TESSERA_TRY(arch, decide_arch(source, device.properties(), compiler.toolkit()));
  TESSERA_TRY(cached, cache.get(source, arch, compiler));
  return DeviceKernel::load(device, cached.cubin, LaunchShape{source.grid, source.block, source.smem_bytes});
}

Result<std::vector<KernelSource>> check_sources(const KernelSource& source) {
  std::vector<KernelSource> sources{reference_of(source), hold_kernel()};
  TESSERA_TRY(compare, compare_kernel(source.c.type));
  sources.push_back(std::move(compare));
  for (const std::string& type : std::set<std::string>{source.a.type, source.b.type, source.c.type}) {
    TESSERA_TRY(fill, fill_kernel(type));  // the timing's, of every operand
    sources.push_back(std::move(fill));
    if (const std::optional<double> density = sign_density(source)) {
      TESSERA_TRY(signs, sign_kernel(type, *density));
      sources.push_back(std::move(signs));
    }
  }
  return sources;
}

std::int64_t depth_of(const KernelSource& source) {
  if (source.blas.k > 0) return source.blas.k;
  const double outputs = static_cast<double>(std::max<std::int64_t>(source.c.elements, 1));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(source.flops / 2.0 / outputs));
}

namespace {

bool has_float8(const KernelSource& source) {
  const auto is = [](const BufferSpec& buffer) { return buffer.type == "e4m3" || buffer.type == "e5m2"; };
  return is(source.a) || is(source.b);
}

// The bits that the sums have as tensor cores keep them: of products of fp8 in f32 one and 13 behind it.
double unit_of_sums(const KernelSource& source) {
  const double unit = unit_in_last_place(source.accumulator);
  return has_float8(source) ? std::max(unit, 0x1p-13) : unit;
}

constexpr std::int64_t kDeepestUniform = 16384;  // k: of f32 the bound is then 0.2, about, and a product 1/3

}  // namespace

std::optional<double> sign_density(const KernelSource& source) {
  const double unit = unit_of_sums(source);
  const bool hides = unit > 0x1p-23 || (unit == 0x1p-23 && depth_of(source) > kDeepestUniform);
  if (!hides) return std::nullopt;
  // A sum of k products has the standard deviation density * sqrt(k), and the spread is twice that, about. Of 170, six times the spread
  // stays below 2048, up to which f16 holds every integer.
  return std::min(2.0 / 3.0, 170.0 / std::sqrt(static_cast<double>(depth_of(source))));
}

Tolerance tolerance_of(const KernelSource& source) {
  const double k = static_cast<double>(depth_of(source)), alpha = std::abs(source.alpha), beta = std::abs(source.beta);
  const double unit = unit_of_sums(source), unit_of_factors = std::max(unit_in_last_place(source.accumulator), 0x1p-23);
  const std::optional<double> density = sign_density(source);
  const bool is_double = source.accumulator == "f64", whole_c = unit_in_last_place(source.c.type) == 0;
  const bool has_factors = (alpha != 1 && alpha != 0) || beta != 0;
  constexpr double kLargestInput = 4;                                                 // of integers; others have none above 1
  const double factors = has_factors ? 2 * (is_double ? unit : unit_of_factors) : 0;  // alpha times the sum, and the sum with beta times C
  Tolerance tolerance;
  tolerance.typical = alpha * density.value_or(1.0 / 3.0) * std::sqrt(k) + beta;  // of uniform inputs a product's deviation is 1/3
  tolerance.relative = unit_in_last_place(source.c.type);
  tolerance.of_exact = alpha * factors;
  tolerance.of_rounded =
      alpha * (1.5 * k * unit + (is_double ? k * unit : 0)) + tolerance.of_exact;  // the reference's sums are of f64, too
  if (density) tolerance.exact_below = std::min(0x1p24, 2.0 / unit);
  tolerance.absolute = least_step(source.c.type) + beta * kLargestInput * factors;
  const bool may_round = unit > 0 || (has_factors && source.alpha != std::nearbyint(source.alpha));
  if (whole_c && may_round) tolerance.absolute += 1.0;  // the two may round to neighbours
  return tolerance;
}

Result<ResultCheck> ResultCheck::make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                      std::uint64_t seed) {
  TESSERA_TRY(a, DeviceBuffer::make(device, source.a.bytes()));
  TESSERA_TRY(b, DeviceBuffer::make(device, source.b.bytes()));
  TESSERA_TRY(c_before, DeviceBuffer::make(device, source.c.bytes()));
  TESSERA_TRY(c_expected, DeviceBuffer::make(device, source.c.bytes()));
  TESSERA_TRY(c_fenced, DeviceBuffer::make(device, source.c.bytes() + 2 * fence_bytes));
  TESSERA_TRY(spreads, DeviceBuffer::make(device, source.c.elements * static_cast<std::int64_t>(sizeof(float))));
  TESSERA_TRY(report, DeviceBuffer::make(device, sizeof(CompareReport)));
  const std::optional<double> density = sign_density(source);
  TESSERA_CHECK(fill_random(device, compiler, cache, source.a, a.pointer(), operand_seed(seed, 0), density));
  TESSERA_CHECK(fill_random(device, compiler, cache, source.b, b.pointer(), operand_seed(seed, 1), density));
  if (source.beta != 0) {
    TESSERA_CHECK(fill_random(device, compiler, cache, source.c, c_before.pointer(), operand_seed(seed, 2), density));
  } else {
    TESSERA_CHECK(device.fill_bytes(c_before.pointer(), poison_byte(source.c.type), source.c.bytes()));
  }
  TESSERA_CHECK(device.copy(c_expected.pointer(), c_before.pointer(), source.c.bytes()));
  const KernelSource reference_source = reference_of(source);
  TESSERA_TRY(reference, load_small(device, compiler, cache, reference_source));
  TESSERA_CHECK(device.fill_bytes(spreads.pointer(), 0, spreads.bytes()));
  std::vector<KernelArgument> arguments = gemm_arguments(reference_source, a.pointer(), b.pointer(), c_expected.pointer());
  arguments.emplace_back(spreads.pointer());
  TESSERA_CHECK(reference.launch(arguments));
  TESSERA_CHECK(device.synchronize());
  TESSERA_TRY(compare_source, compare_kernel(source.c.type));
  TESSERA_TRY(compare, load_small(device, compiler, cache, compare_source));
  return ResultCheck(device, source,
                     Parts{std::move(a), std::move(b), std::move(c_before), std::move(c_expected), std::move(c_fenced), std::move(spreads),
                           std::move(report), std::move(compare)});
}

DevicePointer ResultCheck::output() const { return parts_.c_fenced.pointer() + static_cast<DevicePointer>(fence_bytes); }

Result<Correctness> ResultCheck::run(const Launch& launch) {
  const Tolerance tolerance = tolerance_of(source_);
  TESSERA_CHECK(device_->fill_bytes(parts_.c_fenced.pointer(), fence_byte, parts_.c_fenced.bytes()));
  TESSERA_CHECK(device_->copy(output(), parts_.c_before.pointer(), source_.c.bytes()));
  TESSERA_CHECK(launch(parts_.a.pointer(), parts_.b.pointer(), output()));
  TESSERA_CHECK(device_->synchronize());
  CompareReport report;
  TESSERA_CHECK(device_->upload(parts_.report.pointer(), std::as_bytes(std::span(&report, 1))));
  TESSERA_CHECK(parts_.compare.launch(std::array<KernelArgument, 11>{
      output(), parts_.c_expected.pointer(), parts_.spreads.pointer(), source_.c.elements, tolerance.absolute, tolerance.relative,
      tolerance.of_rounded, tolerance.of_exact, tolerance.exact_below, tolerance.typical, parts_.report.pointer()}));
  TESSERA_CHECK(device_->download(std::as_writable_bytes(std::span(&report, 1)), parts_.report.pointer()));

  Correctness correctness;
  correctness.compared = static_cast<std::int64_t>(report.compared);
  correctness.untouched = static_cast<std::int64_t>(report.untouched);
  correctness.mismatches = static_cast<std::int64_t>(report.mismatches);
  correctness.first_bad_index = report.mismatches > 0 ? static_cast<std::int64_t>(report.first_bad) : -1;
  correctness.max_abs_error = std::bit_cast<double>(report.max_abs_error_bits);
  correctness.max_rel_error = std::bit_cast<double>(report.max_rel_error_bits);
  correctness.abs_tolerance = std::bit_cast<double>(report.max_bound_bits);
  correctness.rel_tolerance = tolerance.relative;
  TESSERA_CHECK(explain(correctness));
  return correctness;
}

Status ResultCheck::explain(Correctness& correctness) const {
  const std::int64_t total = correctness.compared + correctness.untouched;
  if (correctness.mismatches > 0) {
    TESSERA_TRY(got, read_element(*device_, source_.c, output(), correctness.first_bad_index));
    TESSERA_TRY(expected, read_element(*device_, source_.c, parts_.c_expected.pointer(), correctness.first_bad_index));
    correctness.first_bad_got = got;
    correctness.first_bad_expected = expected;
    const std::string what = std::isnan(expected) ? "was written, though C has no element there"
                             : std::isnan(got)    ? fmt::format("was not written, or is NaN; it should be {:.6g}", expected)
                                                  : fmt::format("is {:.6g}; it should be {:.6g}", got, expected);
    correctness.reason = fmt::format("{} of {} elements are wrong; the first, at index {} of C's buffer, {}", correctness.mismatches, total,
                                     correctness.first_bad_index, what);
  } else if (total != source_.c.elements) {
    correctness.reason = fmt::format("the comparison saw {} of {} elements", total, source_.c.elements);
  } else if (correctness.compared == 0) {
    correctness.reason = "the reference wrote no element of C, so nothing was compared";
  } else {
    TESSERA_TRY(hold, fences_hold());
    if (!hold) correctness.reason = fmt::format("something was written within {} bytes before or after C's buffer", fence_bytes);
  }
  correctness.passed = correctness.reason.empty();
  return Done{};
}

Result<bool> ResultCheck::fences_hold() const {
  const DevicePointer behind = output() + static_cast<DevicePointer>(source_.c.bytes());
  for (const DevicePointer fence : {parts_.c_fenced.pointer(), behind}) {
    std::array<std::byte, fence_bytes> bytes{};
    TESSERA_CHECK(device_->download(bytes, fence));
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{fence_byte}; })) return false;
  }
  return true;
}

}  // namespace tessera
