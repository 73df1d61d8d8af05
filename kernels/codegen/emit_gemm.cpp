// SPDX-License-Identifier: BSD-3-Clause
// Puts a kernel together: head, kernel, the device functions that it calls; and what its launch needs.
#include "kernels/codegen/emit_gemm.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/advice/atoms_instead.hpp"
#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/lower/emittable.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "kernels/codegen/body.hpp"
#include "kernels/codegen/can_emit.hpp"
#include "kernels/codegen/device_functions.hpp"
#include "kernels/codegen/emit_reference.hpp"
#include "kernels/codegen/head.hpp"

namespace tessera {

namespace {

std::string identifier(std::string_view name) {
  std::string text;
  for (const char c : name) text += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return text.empty() ? "gemm" : text;
}

// alpha and beta are always passed; where the plan needs no factor, its parameter has none but in a comment.
emitting::Lines kernel(const GemmPlan& plan, const std::string& entry, const emitting::Constants& constants, emitting::Needs& needs) {
  emitting::Body writer(plan, constants);
  const emitting::Lines& lines_of_body = writer.lines();
  needs = writer.needs();
  const auto memory = [&](ValueType type) { return needs(emitting::type_text(type).memory); };
  const std::string& body = lines_of_body.text();
  const auto parameter = [](const char* name, bool is_named) {
    return is_named ? fmt::format("float {}", name) : fmt::format("float /*{}*/", name);
  };
  emitting::Lines lines(0);
  const std::string computed = constants.computed(body), extents = constants.parameters(body + computed);
  const std::string last = fmt::format("{}, {}{})", parameter("alpha", writer.names_alpha()), parameter("beta", writer.names_beta()),
                                       extents.empty() ? "" : ", " + extents);
  const auto with_body = [&] {
    lines.append(computed);
    // Else ptxas would keep sums of no tile apart from those of wgmma, and wait for each (C7515).
    if (emitting::has_word(computed, "K_TILES")) lines.add("__builtin_assume(K_TILES > 0);", "as K is");
    lines.append(lines_of_body);
    lines.close();
    return lines;
  };
  if (!plan.maps.empty()) {
    if (plan.cluster_size() > 1)
      lines.add("extern \"C\" __global__ void __cluster_dims__(CLUSTER_M * CLUSTER_N, 1, 1) __launch_bounds__(THREADS, 1)");
    else
      lines.add("extern \"C\" __global__ void __launch_bounds__(THREADS, 1)");
    std::string parameters;
    for (const plan::TensorMap& map : plan.maps) parameters += fmt::format("const __grid_constant__ {} {}, ", needs("TensorMap"), map.name);
    if (emitting::takes_pointer(plan, Operand::c)) parameters += fmt::format("{}* __restrict__ C, ", memory(plan.gmem(Operand::c).type));
    lines.open(fmt::format("{}({}{}", entry, parameters, last));
    return with_body();
  }
  lines.add("extern \"C\" __global__ void __launch_bounds__(THREADS)");
  lines.add(fmt::format("{}(const {}* __restrict__ A, const {}* __restrict__ B, {}* __restrict__ C,", entry,
                        memory(plan.gmem(Operand::a).type), memory(plan.gmem(Operand::b).type), memory(plan.gmem(Operand::c).type)));
  lines.open(std::string(entry.size() < 40 ? entry.size() + 1 : 4, ' ') + last);
  return with_body();
}

BufferSpec buffer(const GemmPlan& plan, Operand operand) {
  const ValueType type = plan.gmem(operand).type;
  return {std::string(short_name(type)), plan.buffer_elements(operand), bits(type) / 8};
}

TensorMapSpec tensor_map(const GemmPlan& plan, const plan::TensorMap& map) {
  const plan::Tensor& tensor = plan.tensors[map.tensor];
  const plan::MatrixOfRows matrix = plan::matrix_of_rows(tensor).value();
  TensorMapSpec spec;
  spec.name = map.name, spec.buffer = static_cast<int>(tensor.operand), spec.type = short_name(tensor.type);
  spec.rows = matrix.rows, spec.columns = matrix.columns - map.left_over;
  spec.box_rows = map.box_rows, spec.box_columns = map.box_columns;
  spec.pitch_bytes = matrix.pitch * bits(tensor.type) / 8;
  spec.swizzle_bytes = map.swizzle_bytes;
  spec.dimensions = plan.is_batched() ? 3 : 2;
  spec.matrices = plan.batch, spec.batch_bytes = plan.is_batched() ? tensor.batch_elements * bits(tensor.type) / 8 : 0;
  return spec;
}

// The stride of a plain row- or column-major matrix, or nothing.
bool leading_dimension(const plan::Tensor& tensor, std::int64_t& stride, bool& second_mode_contiguous) {
  const Layout& layout = plain_part(tensor.layout);
  const Shape& shape = layout.shape();
  const Stride& strides = layout.stride();
  if (layout.rank() != 2 || !shape[0].is_int() || !shape[1].is_int()) return false;
  const std::int64_t d0 = strides[0].value(), d1 = strides[1].value();
  if (d1 == 1 && d0 >= shape[1].value()) return second_mode_contiguous = true, stride = d0, true;
  if (d0 == 1 && d1 >= shape[0].value()) return second_mode_contiguous = false, stride = d1, true;
  return false;
}

BlasProblem blas_problem(const GemmPlan& plan) {
  BlasProblem blas;
  blas.batch = plan.batch, blas.batch_a = plan.gmem(Operand::a).batch_elements, blas.batch_b = plan.gmem(Operand::b).batch_elements;
  blas.batch_c = plan.gmem(Operand::c).batch_elements;
  blas.m = plan.m, blas.n = plan.n, blas.k = plan.k, blas.sign = product_sign(plan.mma->atom());
  if (!leading_dimension(plan.gmem(Operand::a), blas.lda, blas.a_k_major) ||
      !leading_dimension(plan.gmem(Operand::b), blas.ldb, blas.b_k_major) ||
      !leading_dimension(plan.gmem(Operand::c), blas.ldc, blas.c_row_major)) {
    blas.reason = "gA, gB and gC are not all plain row- or column-major matrices";
    return blas;
  }
  blas.expressible = true;
  return blas;
}

// In the order of the parameters of Constants.
std::vector<ExtentArgument> extents_of(const GemmPlan& plan) {
  std::vector<ExtentArgument> extents{{"M", plan.m}, {"N", plan.n}, {"K", plan.k}};
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    const plan::Tensor& tensor = plan.gmem(operand);
    extents.push_back({"LD" + tensor.name.substr(1), plan::matrix_of_rows(tensor).value().pitch, true});
  }
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    const plan::Tensor& tensor = plan.gmem(operand);
    extents.push_back({"BATCH_" + tensor.name.substr(1), tensor.batch_elements, true});
  }
  return extents;
}

// Of which operation of the plan each line is, behind the lines of the head.
std::vector<const plan::Op*> ops_of_lines(const std::string& head, const emitting::Lines& lines) {
  std::vector<const plan::Op*> ops(static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')), nullptr);
  ops.insert(ops.end(), lines.ops().begin(), lines.ops().end());
  return ops;
}

// Who needs the plan's architecture, and what to try where it is not: for the refusal.
void say_who_asks(const GemmPlan& plan, KernelSource& source) {
  const MmaAtom& atom = plan.mma->atom();
  source.asks_for_arch = "atom " + atom.name;
  if (plan.arch.sm != atom.arch.sm) {
    source.asks_for_arch = fmt::format("{} beside atom {}",
                                       plan.arch.sm == 80   ? "cp.async"
                                       : plan.arch.sm == 75 ? "ldmatrix"
                                                            : "a copy",
                                       atom.name);
    return;
  }
  for (const AtomInstead& other : atoms_instead(atom))
    source.other_atoms.push_back({other.least_sm, other.name, std::string(short_name(other.type))});
}

}  // namespace

namespace {

Result<KernelSource> emit(const GemmPlan& plan, std::vector<const plan::Op*>* ops) {
  TESSERA_CHECK(emitting::check_operations(plan));
  TESSERA_CHECK(check_emittable(plan));
  KernelSource source;
  source.name = plan.name;
  source.entry = "gemm_" + identifier(plan.name);
  const emitting::Constants constants(plan);
  emitting::Needs needs;
  const emitting::Lines lines = kernel(plan, source.entry, constants, needs);
  const std::string code = emitting::aligned(lines.text());
  const emitting::DeviceFunctions functions = emitting::device_functions(std::move(needs), &plan.mma->atom());
  const std::string head = emitting::head(plan, constants, functions, code) + "\n";
  source.text = head + code + functions.definitions;
  if (ops != nullptr) *ops = ops_of_lines(head, lines);
  source.least_sm = emitting::arch_of(plan).sm;
  source.arch_suffix = plan.arch.suffix;
  say_who_asks(plan, source);
  source.grid = {static_cast<unsigned>(plan.grid), 1, static_cast<unsigned>(plan.batch)};
  source.cluster = static_cast<unsigned>(plan.cluster_size());
  for (const plan::TensorMap& map : plan.maps) source.maps.push_back(tensor_map(plan, map));
  source.takes_c = !plan.maps.empty() && emitting::takes_pointer(plan, Operand::c);
  source.block = {static_cast<unsigned>(plan.threads), 1, 1};
  source.smem_bytes = plan.smem_bytes;
  source.a = buffer(plan, Operand::a), source.b = buffer(plan, Operand::b), source.c = buffer(plan, Operand::c);
  source.accumulator = short_name(plan.mma->atom().val_c);
  source.alpha = plan.alpha, source.beta = plan.beta;
  source.flops =
      2.0 * static_cast<double>(plan.m) * static_cast<double>(plan.n) * static_cast<double>(plan.k) * static_cast<double>(plan.batch);
  if (plan.extents == Extents::arguments) source.extents = extents_of(plan);
  for (const PlanLine& line : plan.extents == Extents::arguments ? describe_any_size(plan) : describe(plan))
    source.plan_text += fmt::format("{}\t{}\t{}\n", line.name, line.value, line.map);
  source.reference_entry = "reference_" + identifier(plan.name);
  source.reference_text = emitting::reference_kernel(plan, source.reference_entry);
  source.reference_block = {256, 1, 1};
  source.reference_grid = {static_cast<unsigned>(ceil_div(plan.m * plan.n, 256)), 1, static_cast<unsigned>(plan.batch)};
  source.blas = blas_problem(plan);
  TESSERA_CHECK(check_time("emitting the kernel"));
  return source;
}

}  // namespace

Result<KernelSource> emit_gemm(const GemmPlan& plan) { return emit(plan, nullptr); }

namespace emitting {

Result<std::vector<SourceLine>> emit_lines(const GemmPlan& plan) {
  std::vector<const plan::Op*> ops;
  TESSERA_TRY(source, emit(plan, &ops));
  std::vector<SourceLine> lines;
  for (std::string_view rest = source.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back({std::string(rest.substr(0, end)), lines.size() < ops.size() ? ops[lines.size()] : nullptr});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace emitting

}  // namespace tessera
