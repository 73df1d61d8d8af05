// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/head.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/plan/edges.hpp"
#include "kernels/codegen/body.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

namespace {

constexpr int kSmOfMbarriers = 90;  // whose waits, as device/mbarrier.cuh has them, sleep; and of TMA

std::string product(const GemmPlan& plan) {
  const std::string sign = product_sign(plan.mma->atom()) < 0 ? "-" : "", alpha = sign + (plan.alpha == 1.0 ? "" : "alpha * ");
  if (plan.beta == 0.0) return fmt::format("C = {}A B^T", alpha);
  return fmt::format("C = {}A B^T + {}C", alpha, plan.beta == 1.0 ? "" : "beta * ");
}

// The widest access to a tensor in global memory, in bytes: its buffer begins at a multiple of them.
std::int64_t alignment(const GemmPlan& plan, Operand operand) {
  const plan::Id copied = plan.path(operand).tXgX;  // (thr, (vec, copy or store)); without it, fragments are loaded element by element
  const std::int64_t elements = copied == plan::kNone ? 1 : plain_part(plan.partitions[copied].layout)[1][0].size();
  return elements * bits(plan.gmem(operand).type) / 8;
}

void add_preconditions(const GemmPlan& plan, const Constants& constants, Lines& lines) {
  const auto fact = [&](const char* name, const std::string& what) { lines.comment(fmt::format("  {:<13} {}", name, what), "    "); };
  lines.comment("");
  lines.comment("Preconditions");
  const std::int64_t ctas = plan.cluster_size();
  const std::string memory =
      plan.smem_bytes == 0 ? "no shared memory" : fmt::format("{} bytes of dynamic shared memory each", plan.smem_bytes);
  const bool any_size = constants.are_arguments();
  if (any_size)
    fact("launch",
         fmt::format("{}{}; {} threads and {}", constants.has_a_cta_a_tile() ? "" : "at most ", constants.ctas(), plan.threads, memory));
  else
    fact("launch", fmt::format("{} CTA{} of {} threads{}, {}", plan.grid, plan.grid == 1 ? "" : "s", plan.threads,
                               ctas == 1 ? "" : fmt::format(" in clusters of {}", ctas), memory));
  if (plan.is_batched())
    fact("batch", any_size ? std::string("a grid for each product, blockIdx.z") : fmt::format("{} grids, blockIdx.z", plan.batch));
  const ArchRequirement arch = arch_of(plan);
  fact("architecture", arch.sm == 0 ? std::string("any") : to_string(arch) + (arch.suffix ? "" : " or later"));
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    const plan::Tensor& tensor = plan.gmem(operand);
    const std::string letter = tensor.name.substr(1), pitch = "LD" + letter;
    bool is_mapped = false;
    for (const plan::TensorMap& map : plan.maps) {
      if (&plan.tensors[map.tensor] != &tensor) continue;
      is_mapped = true;
      const plan::MatrixOfRows matrix = plan::matrix_of_rows(tensor).value();
      const std::string boxes = fmt::format("boxes of {} x {}, swizzled by {} bytes", map.box_rows, map.box_columns, map.swizzle_bytes);
      if (any_size) {
        const bool stores_units = operand == Operand::c && takes_pointer(plan, operand) && &map == &plan.maps.back();
        fact(map.name.c_str(),
             fmt::format("rows of {} elements of {}, each at a multiple of 16 bytes{}; {}", pitch, short_name(tensor.type),
                         stores_units ? ", of which it has N in whole multiples of 16 bytes" : "", boxes));
        continue;
      }
      const std::string rows =
          map.left_over == 0 ? std::string() : fmt::format(", of which it has {} elements", matrix.columns - map.left_over);
      fact(map.name.c_str(), fmt::format("{} elements of {} in rows of {} bytes{}, at a multiple of 16 bytes; {}", tensor.elements,
                                         short_name(tensor.type), matrix.pitch * bits(tensor.type) / 8, rows, boxes));
    }
    if (operand == Operand::c && is_mapped && takes_pointer(plan, operand))
      fact("C", "the same elements, of which threads store what TMA leaves over");
    if (is_mapped) continue;
    const std::int64_t bytes = alignment(plan, operand);
    if (any_size) {
      std::string is = fmt::format("rows (or columns) of {} elements of {}", pitch, short_name(tensor.type));
      if (bytes > bits(tensor.type) / 8) is += fmt::format(", each at a multiple of {} bytes, to which its end may be read", bytes);
      fact(letter.c_str(), is);
      continue;
    }
    fact(letter.c_str(), fmt::format("{} elements of {}, {} bytes, at a multiple of {} bytes", tensor.elements, short_name(tensor.type),
                                     tensor.elements * bits(tensor.type) / 8, bytes));
  }
  fact("alpha, beta", fmt::format("{} and {}", plan.alpha, plan.beta));
}

void add_layouts(const GemmPlan& plan, Lines& lines) {
  std::string step;
  for (const PlanLine& line : plan.extents == Extents::arguments ? describe_any_size(plan) : describe(plan)) {
    if (line.step != step) {
      lines.comment("");
      lines.comment(fmt::format("{}{}", static_cast<char>(std::toupper(static_cast<unsigned char>(line.step[0]))), line.step.substr(1)));
      step = line.step;
    }
    const std::string hang(13, ' '), together = fmt::format("  {:<10} {}   {}", line.name, line.value, line.map);
    if (together.size() + 3 <= kColumns) {
      lines.comment(together);
    } else {
      lines.comment(fmt::format("  {:<10} {}", line.name, line.value), hang);
      lines.comment(hang + line.map, hang);
    }
  }
}

}  // namespace

ArchRequirement arch_of(const GemmPlan& plan) {
  ArchRequirement arch = plan.arch;
  const bool has_mbarriers =
      std::any_of(plan.barriers.begin(), plan.barriers.end(), [](const auto& each) { return each.kind == plan::BarrierKind::mbarrier; });
  if (has_mbarriers || !plan.maps.empty()) arch.sm = std::max(arch.sm, kSmOfMbarriers);
  return arch;
}

std::string comment_name(const GemmPlan& plan) {
  std::string text;
  for (const char c : plan.name) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

std::string head(const GemmPlan& plan, const Constants& constants, const DeviceFunctions& functions, std::string_view code) {
  Lines lines(0);
  const std::string size =
      constants.are_arguments() ? "any M x N x K" : fmt::format("{} x {} x {} elements (M x N x K)", plan.m, plan.n, plan.k);
  lines.comment(fmt::format("{}: {} with {}. Made from the plan that stands here.", comment_name(plan), product(plan), size));
  add_preconditions(plan, constants, lines);
  add_layouts(plan, lines);
  lines.add("");
  std::string whole;
  for (const auto& [name, has_edge] : {std::pair{"M", plan::has_edge(plan, Operand::a, 0)},
                                       {"N", plan::has_edge(plan, Operand::b, 0)},
                                       {"K", plan::has_edge(plan, Operand::a, 1)}}) {
    if (!has_edge) whole += fmt::format("{}{} % BLK_{} == 0", whole.empty() ? "" : " && ", name, name);
  }
  const std::string whole_tiles = whole.empty() ? "" : fmt::format("static_assert({}, \"the tiles cover the problem\");\n", whole);
  std::string text = lines.text() + functions.types;
  text += constants.declarations(std::string(code) + whole_tiles) + whole_tiles;
  Lines called(0);
  called.add("");
  called.comment("Defined below the kernel.");
  return text + called.text() + functions.declarations;
}

}  // namespace tessera::emitting
