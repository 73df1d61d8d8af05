// SPDX-License-Identifier: BSD-3-Clause
// Puts the pieces of a kernel together: head, tensors, main loop, epilogue.
#include "kernels/codegen/emit_gemm.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/refuse.hpp"
#include "kernels/codegen/device_text.hpp"
#include "kernels/codegen/emit_steps.hpp"
#include "kernels/codegen/index_expr.hpp"

namespace tessera {

namespace {

using emitting::Address;
using emitting::Lines;
using emitting::TypeText;

std::string identifier(std::string_view name) {
  std::string text;
  for (const char c : name) text += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return text.empty() ? "gemm" : text;
}

bool uses_cp_async(const GemmPlan& plan) {
  return plan.g2s_a.instruction == GmemToSmem::cp_async || plan.g2s_b.instruction == GmemToSmem::cp_async;
}

bool uses_ldmatrix(const GemmPlan& plan) {
  return plan.s2r_a.instruction != SmemToRmem::load || plan.s2r_b.instruction != SmemToRmem::load;
}

bool is_swizzled(const AnyLayout& layout) { return std::holds_alternative<ComposedLayout>(layout); }

bool is_narrow(ValueType type) { return bits(type) < 32; }

std::string head(const GemmPlan& plan) {
  std::string text = fmt::format("// {}: C = alpha * A B^T + beta * C, {} x {} x {}. Made from this plan:\n", emitting::comment_name(plan),
                                 plan.m, plan.n, plan.k);
  for (const PlanLine& line : describe(plan)) text += fmt::format("//   {:<10} {}   {}\n", line.name, line.value, line.map);
  text += '\n';
  if (uses_cp_async(plan) || uses_ldmatrix(plan)) text += std::string(device_text::memory) + '\n';
  if (uses_ldmatrix(plan)) text += std::string(device_text::ldmatrix) + '\n';
  if (is_swizzled(plan.sA.layout) || is_swizzled(plan.sB.layout)) text += std::string(device_text::swizzle) + '\n';
  if (emitting::needs_conversions(plan.gC.type) || emitting::needs_conversions(plan.mma->atom().val_c))
    text += std::string(device_text::convert) + '\n';
  return text + emitting::mma_helper(plan.mma->atom()) + '\n';
}

// One operand's tensors: the CTA's tile in global memory, the thread's part of it, and the two places in shared memory.
void declare_operand(const GemmPlan& plan, Lines& lines, bool a) {
  const GmemTensor& gmem = a ? plan.gA : plan.gB;
  const SmemTensor& smem = a ? plan.sA : plan.sB;
  const GmemToSmemStep& g2s = a ? plan.g2s_a : plan.g2s_b;
  const SmemToRmemStep& s2r = a ? plan.s2r_a : plan.s2r_b;
  const std::string type = emitting::type_text(smem.type).value().memory;
  const char letter = a ? 'A' : 'B';
  lines.add(fmt::format("// {}: {} in global memory, {} in shared memory", letter, to_string(gmem.layout), to_string(smem.layout)));
  lines.add(fmt::format("{0}* s{1} = reinterpret_cast<{0}*>(smem + {2});  // {3}, {4} elements a stage", type, letter, smem.byte_offset,
                        to_string(smem.layout), smem.stage_elements));
  const std::string tile = index_expr(gmem.tiles[1][0], a ? "m_tile" : "n_tile");
  lines.add(fmt::format("const {}* t{}g{} = {};  // (thr, (vec, copy)) -> {}", type, letter, letter,
                        sum({a ? "A" : "B", tile, index_expr(g2s.gmem[0], emitting::gmem_variable(plan, "thr"))}), to_string(g2s.gmem)));
  Address(fmt::format("t{0}s{0}", letter), g2s.smem, {"vec", "copy"}, {g2s.vector, 1})
      .declare(lines, fmt::format("(thr, (vec, copy)) -> {}", to_string(g2s.smem)));
  const bool matrix = s2r.instruction != SmemToRmem::load;
  Address(fmt::format("tCs{}", letter), s2r.smem, {matrix ? "row" : "load", "copy", "k"}, {s2r.vector, 1, 1})
      .declare(lines, fmt::format("(thr, (val, MMA_{}, MMA_K)) -> {}", a ? 'M' : 'N', to_string(s2r.smem)));
}

void declare_fragments(const GemmPlan& plan, Lines& lines) {
  const MmaAtom& atom = plan.mma->atom();
  const auto reg = [](const RegisterUse& use) { return use.type == "float" || use.type == "double" ? use.type : std::string("unsigned"); };
  const std::int64_t packed_c = is_narrow(atom.val_c) ? 2 : 1;
  const std::int64_t packed = emitting::type_text(plan.sA.type).value().packed;
  lines.add(fmt::format("{} tCrA[{}];  // (val, MMA_M, MMA_K): {}, {} a register", reg(atom.registers_a), plan.tCrA.cosize() / packed,
                        to_string(plan.tCrA), packed));
  lines.add(
      fmt::format("{} tCrB[{}];  // (val, MMA_N, MMA_K): {}", reg(atom.registers_b), plan.tCrB.cosize() / packed, to_string(plan.tCrB)));
  lines.add(fmt::format("{} tCrC[{}] = {{}};  // (val, MMA_M, MMA_N): {}", reg(atom.registers_c), plan.tCrC.size() / packed_c,
                        to_string(plan.tCrC)));
}

// Where a stage of sA begins, as the step's instructions want it: a pointer, or an address in shared memory.
void declare_stage(const GemmPlan& plan, Lines& lines, bool a, bool write, const std::string& stage) {
  const SmemTensor& smem = a ? plan.sA : plan.sB;
  const bool address = write ? (a ? plan.g2s_a : plan.g2s_b).instruction == GmemToSmem::cp_async
                             : (a ? plan.s2r_a : plan.s2r_b).instruction != SmemToRmem::load;
  const char letter = a ? 'A' : 'B';
  const std::string type = emitting::type_text(smem.type).value().memory, name = fmt::format("s{}_{}", letter, write ? "write" : "read");
  if (address) {
    lines.add(fmt::format("const unsigned {} = {};", name,
                          sum({fmt::format("smem_address(s{})", letter),
                               stage == "0" ? "0" : fmt::format("{} * {}", stage, smem.stage_elements * bits(smem.type) / 8)})));
  } else {
    lines.add(fmt::format("{}{}* {} = {};", write ? "" : "const ", type, name,
                          sum({fmt::format("s{}", letter), stage == "0" ? "0" : fmt::format("{} * {}", stage, smem.stage_elements)})));
  }
}

void emit_functions(const GemmPlan& plan, Lines& lines, const char* index) {
  const bool one_stage = plan.stages == 1;
  lines.add("// Step 1: tile k_tile of A and B from global to shared memory.");
  lines.open(fmt::format("const auto copy_tile = [&]({} k_tile, int stage)", index));
  for (const bool a : {true, false}) {
    declare_stage(plan, lines, a, true, one_stage ? "0" : "stage");
    emitting::emit_copy_tile(plan, lines, a);
  }
  lines.close("};");
  lines.add("");
  lines.add("// Step 2: this thread's fragments of k-block k from shared memory to registers.");
  lines.open("const auto load_fragments = [&](int stage, int k)");
  for (const bool a : {true, false}) {
    declare_stage(plan, lines, a, false, one_stage ? "0" : "stage");
    emitting::emit_load_fragments(plan, lines, a);
  }
  lines.close("};");
  lines.add("");
  lines.add("// Step 3: C += A B^T for k-block k.");
  lines.open("const auto multiply = [&](int k)");
  emitting::emit_multiply(plan, lines);
  lines.close("};");
  lines.add("");
}

// One tile in shared memory: copy, wait, multiply, wait.
void emit_plain_loop(const GemmPlan& plan, Lines& lines, const char* index) {
  lines.open(fmt::format("for ({} k_tile = 0; k_tile < {}; ++k_tile)", index, plan.k_tiles));
  lines.add("copy_tile(k_tile, 0);");
  if (uses_cp_async(plan)) {
    lines.add("cp_async_commit();");
    lines.add("cp_async_wait<0>();");
  }
  lines.add("__syncthreads();  // the tile is there");
  lines.open(fmt::format("for (int k = 0; k < {}; ++k)", plan.mma_k));
  lines.add("load_fragments(0, k);");
  lines.add("multiply(k);");
  lines.close();
  lines.add("__syncthreads();  // the tile is no longer needed");
  lines.close();
}

// Fills all stages but one, which the loop fills while it reads the first.
void emit_filled_stages(const GemmPlan& plan, Lines& lines) {
  const std::int64_t ahead = plan.stages - 1;
  lines.add(
      fmt::format("// {} of {} stages are filled before the loop; a group is committed a tile, so that the count of groups tells the tile.",
                  ahead, plan.stages));
  lines.unroll("stage", ahead);
  lines.add(fmt::format("if (stage < {}) copy_tile(stage, stage);", plan.k_tiles));
  lines.add("cp_async_commit();");
  lines.close();
  lines.add("int read = 0;");
  lines.add(fmt::format("int write = {};", ahead));
}

void emit_next_stage(const GemmPlan& plan, Lines& lines, const char* stage) {
  lines.add(fmt::format("{0} = {0} == {1} ? 0 : {0} + 1;", stage, plan.stages - 1));
}

void emit_copy_ahead(const GemmPlan& plan, Lines& lines) {
  lines.add(fmt::format("if (k_tile + {0} < {1}) copy_tile(k_tile + {0}, write);", plan.stages - 1, plan.k_tiles));
  lines.add("cp_async_commit();");
  emit_next_stage(plan, lines, "write");
}

// `stages` tiles in flight. A tile is one k-block, so its registers are free only after its multiplication: nothing is loaded early.
void emit_single_block_loop(const GemmPlan& plan, Lines& lines, const char* index) {
  emit_filled_stages(plan, lines);
  lines.open(fmt::format("for ({} k_tile = 0; k_tile < {}; ++k_tile)", index, plan.k_tiles));
  lines.add(fmt::format("cp_async_wait<{}>();", plan.stages - 2));
  lines.add("__syncthreads();  // this tile is there, and nobody reads the last one, whose stage is written next");
  lines.add("load_fragments(read, 0);");
  emit_next_stage(plan, lines, "read");
  emit_copy_ahead(plan, lines);
  lines.add("multiply(0);");
  lines.close();
}

// `stages` tiles in flight: while k-block k is multiplied, k-block k + 1 comes from shared memory and a later tile from global memory.
void emit_pipelined_loop(const GemmPlan& plan, Lines& lines, const char* index) {
  const std::int64_t ahead = plan.stages - 1;
  emit_filled_stages(plan, lines);
  lines.add(fmt::format("cp_async_wait<{}>();", ahead - 1));
  lines.add("__syncthreads();");
  lines.add("load_fragments(read, 0);");
  lines.open(fmt::format("for ({} k_tile = 0; k_tile < {}; ++k_tile)", index, plan.k_tiles));
  lines.unroll("k", plan.mma_k);
  lines.open(fmt::format("if (k == {})", plan.mma_k - 1));
  lines.add(fmt::format("cp_async_wait<{}>();", ahead - 1));
  lines.add("__syncthreads();  // the next tile is there, and nobody reads the last one");
  emit_next_stage(plan, lines, "read");
  lines.close();
  lines.add(fmt::format("load_fragments(read, (k + 1) % {});", plan.mma_k));
  lines.open("if (k == 0)");
  emit_copy_ahead(plan, lines);
  lines.close();
  lines.add("multiply(k);");
  lines.close();
  lines.close();
}

// Threads that only repeat another thread's part must not write C.
std::string owner_condition(const GemmPlan& plan) {
  if (static_cast<std::int64_t>(plan.mma->thread_ids().size()) == plan.threads) return {};
  const std::vector<std::int64_t> extents = leaf_values(flatten(plan.mma->thr_layout_vmnk().shape()));
  const std::vector<std::int64_t> strides = leaf_values(flatten(plan.mma->thr_layout_vmnk().stride()));
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] > 1) terms.push_back(fmt::format("thr / {} % {} * {}", strides[i], extents[i], strides[i]));
  }
  return fmt::format("thr == {}", sum(terms));
}

Result<std::string> kernel(const GemmPlan& plan, const std::string& entry) {
  const char* index = emitting::index_type(plan);
  const auto memory = [](ValueType type) { return emitting::type_text(type).value().memory; };
  Lines lines;
  lines.add("extern __shared__ __align__(1024) unsigned char smem[];");
  lines.add("const int thr = threadIdx.x;");
  if (plan.m_tiles * plan.n_tiles > 1) {
    lines.add(fmt::format("const {} block = blockIdx.x;  // block -> (m_tile, n_tile): {}", index, to_string(plan.cta_raster)));
    if (plan.m_tiles > 1) lines.add(fmt::format("const {} m_tile = {};", index, index_expr(basis_part(plan.cta_raster, 0), "block")));
    if (plan.n_tiles > 1) lines.add(fmt::format("const {} n_tile = {};", index, index_expr(basis_part(plan.cta_raster, 1), "block")));
  }
  lines.add("");
  declare_operand(plan, lines, true);
  declare_operand(plan, lines, false);
  lines.add(fmt::format("// C: {}", to_string(plan.gC.layout)));
  lines.add(fmt::format("{}* tCgC = {};  // (thr, (val, MMA_M, MMA_N)) -> {}", memory(plan.gC.type),
                        sum({"C", index_expr(plan.gC.tiles[1][0], "m_tile"), index_expr(plan.gC.tiles[1][1], "n_tile"),
                             index_expr(plan.tCgC[0], emitting::gmem_variable(plan, "thr"))}),
                        to_string(plan.tCgC)));
  declare_fragments(plan, lines);
  lines.add("");
  emit_functions(plan, lines, index);
  if (plan.stages == 1) {
    emit_plain_loop(plan, lines, index);
  } else if (plan.mma_k == 1) {
    emit_single_block_loop(plan, lines, index);
  } else {
    emit_pipelined_loop(plan, lines, index);
  }
  lines.add("");
  lines.add("// Step 4: C = alpha * accumulator + beta * C.");
  const std::string owner = owner_condition(plan);
  if (!owner.empty()) lines.open(fmt::format("if ({})", owner));
  TESSERA_CHECK(emitting::emit_epilogue(plan, lines));
  if (!owner.empty()) lines.close();
  return fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({}) {}(const {}* __restrict__ A, const {}* __restrict__ B, {}* __restrict__ C,\n"
      "    float alpha, float beta) {{\n{}}}\n",
      plan.threads, entry, memory(plan.gA.type), memory(plan.gB.type), memory(plan.gC.type), lines.text());
}

BufferSpec buffer(const GmemTensor& tensor) { return {std::string(short_name(tensor.type)), tensor.elements, bits(tensor.type) / 8}; }

// The stride of a plain row- or column-major matrix, or nothing.
bool leading_dimension(const Layout& layout, std::int64_t& stride, bool& second_mode_contiguous) {
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
  blas.m = plan.m, blas.n = plan.n, blas.k = plan.k;
  if (!leading_dimension(plan.gA.layout, blas.lda, blas.a_k_major) || !leading_dimension(plan.gB.layout, blas.ldb, blas.b_k_major) ||
      !leading_dimension(plan.gC.layout, blas.ldc, blas.c_row_major)) {
    blas.reason = "gA, gB and gC are not all plain row- or column-major matrices";
    return blas;
  }
  blas.expressible = true;
  return blas;
}

// Which instructions the device function `mma` can be written for.
Status check_instruction(const MmaAtom& atom) {
  if (atom.kind == MmaKind::mma_sync) return Done{};
  const bool one_type = atom.val_a == atom.val_c && atom.val_b == atom.val_c && atom.val_d == atom.val_c;
  const bool multiplies = atom.val_c == ValueType::f32 || atom.val_c == ValueType::f64 || atom.val_c == ValueType::i32;
  if (atom.kind == MmaKind::fma && size(atom.shape_mnk) == 1 && one_type && multiplies) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {}", atom.name),
                "an mma.sync atom, such as SM80_16x8x16_F32F16F16F32_TN, or UniversalFMA of float, double or int32_t");
}

// alpha and beta are arguments of type float.
Status check_scales(const GemmPlan& plan) {
  if (!emitting::is_double_epilogue(plan)) return Done{};
  for (const auto& [name, value] : {std::pair{"alpha", plan.alpha}, {"beta", plan.beta}}) {
    if (static_cast<double>(static_cast<float>(value)) == value) continue;
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}, which is no float; {} sums stored as {} are scaled in double, but {} is passed as a float", name,
                              value, short_name(plan.mma->atom().val_c), short_name(plan.gC.type), name),
                  fmt::format("{}={}", name, static_cast<double>(static_cast<float>(value))));
  }
  return Done{};
}

// gridDim.x has 31 bits, and the reference kernel's blocks are 256 elements of C.
Status check_grid(const GemmPlan& plan) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (plan.m_tiles * plan.n_tiles > most) {
    return refuse(
        ErrorCode::limit,
        fmt::format("{} x {} tiles of C are {} CTAs; a grid has at most {}", plan.m_tiles, plan.n_tiles, plan.m_tiles * plan.n_tiles, most),
        "a larger cta_tiler, or a smaller m or n");
  }
  if (ceil_div(plan.m * plan.n, 256) > most) {
    return refuse(ErrorCode::limit, fmt::format("C has {} elements; the check's kernel has at most {}", plan.m * plan.n, 256 * most),
                  "a smaller m or n");
  }
  return Done{};
}

Status check_emittable(const GemmPlan& plan) {
  for (const ValueType type : {plan.gA.type, plan.gB.type, plan.gC.type, plan.mma->atom().val_c}) {
    if (const auto text = emitting::type_text(type); !text) return text.error();
  }
  TESSERA_CHECK(check_instruction(plan.mma->atom()));
  TESSERA_CHECK(check_scales(plan));
  TESSERA_CHECK(check_grid(plan));
  const std::int64_t packed = emitting::type_text(plan.sA.type)->packed;
  if (plan.tCrA[0].size() % packed != 0 || plan.tCrB[0].size() % packed != 0) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} holds fewer than {} elements of {} a thread, which do not fill a register", plan.mma->atom().name, packed,
                              short_name(plan.sA.type)),
                  "another atom");
  }
  if (is_narrow(plan.mma->atom().val_c) && plan.mma->atom().val_c != ValueType::f16) {
    return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {} accumulators", short_name(plan.mma->atom().val_c)),
                  "an f32 accumulator");
  }
  return Done{};
}

}  // namespace

Result<KernelSource> emit_gemm(const GemmPlan& plan) {
  TESSERA_CHECK(check_emittable(plan));
  KernelSource source;
  source.name = plan.name;
  source.entry = "gemm_" + identifier(plan.name);
  TESSERA_TRY(body, kernel(plan, source.entry));
  source.text = head(plan) + body;
  source.least_sm = plan.arch.sm;
  source.arch_suffix = plan.arch.suffix;
  source.grid = {static_cast<unsigned>(plan.m_tiles * plan.n_tiles), 1, 1};
  source.block = {static_cast<unsigned>(plan.threads), 1, 1};
  source.smem_bytes = plan.smem_bytes;
  source.a = buffer(plan.gA), source.b = buffer(plan.gB), source.c = buffer(plan.gC);
  source.accumulator = short_name(plan.mma->atom().val_c);
  source.alpha = plan.alpha, source.beta = plan.beta;
  source.flops = 2.0 * static_cast<double>(plan.m) * static_cast<double>(plan.n) * static_cast<double>(plan.k);
  for (const PlanLine& line : describe(plan)) source.plan_text += fmt::format("{}\t{}\t{}\n", line.name, line.value, line.map);
  source.reference_entry = "reference_" + identifier(plan.name);
  TESSERA_TRY(reference, emitting::reference_kernel(plan, source.reference_entry));
  source.reference_text = std::move(reference);
  source.reference_block = {256, 1, 1};
  source.reference_grid = {static_cast<unsigned>(ceil_div(plan.m * plan.n, 256)), 1, 1};
  source.blas = blas_problem(plan);
  TESSERA_CHECK(check_time("emitting the kernel"));
  return source;
}

}  // namespace tessera
