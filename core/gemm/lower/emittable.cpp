// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/lower/emittable.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {

namespace {

Status check_types(const GemmPlan& plan) {
  const ValueType operands[] = {plan.gmem(Operand::a).type, plan.gmem(Operand::b).type, plan.gmem(Operand::c).type, plan.mma->atom().val_c};
  for (const ValueType& type : operands) {
    const bool is_factor = &type < operands + 2;
    switch (type) {
      case ValueType::e4m3:
      case ValueType::e5m2:
        if (is_factor) continue;
        return refuse(ErrorCode::bad_spec, fmt::format("no kernel stores elements of type {}; A and B may have them", short_name(type)),
                      "type_c=f16, bf16 or f32");
      case ValueType::f16:
      case ValueType::bf16:
      case ValueType::tf32:
      case ValueType::f32:
      case ValueType::f64:
      case ValueType::i8:
      case ValueType::u8:
      case ValueType::i32: continue;
      default: break;
    }
    return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for elements of type {}", short_name(type)),
                  "types with kernels: f16, bf16, tf32, f32, f64, s8, u8, s32, and of A and B e4m3 and e5m2");
  }
  return Done{};
}

// Which instructions the device function `mma` can be written for.
Status check_instruction(const MmaAtom& atom) {
  if (atom.kind == MmaKind::mma_sync || atom.kind == MmaKind::wmma) return Done{};
  const bool from_smem = atom.source_a == OperandSource::smem_descriptor && !atom.sparse;
  if (atom.kind == MmaKind::wgmma && from_smem) return Done{};
  const bool one_type = atom.val_a == atom.val_c && atom.val_b == atom.val_c && atom.val_d == atom.val_c;
  const bool multiplies = atom.val_c == ValueType::f32 || atom.val_c == ValueType::f64 || atom.val_c == ValueType::i32;
  if (atom.kind == MmaKind::fma && size(atom.shape_mnk) == 1 && one_type && multiplies) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {}", atom.name),
                "an mma.sync atom, such as SM80_16x8x16_F32F16F16F32_TN, a wgmma whose operands are in shared memory, or "
                "UniversalFMA of float, double or int32_t");
}

// alpha and beta are arguments of type float.
Status check_scales(const GemmPlan& plan) {
  if (!is_scaled_in_double(plan)) return Done{};
  for (const auto& [name, value] : {std::pair{"alpha", plan.alpha}, {"beta", plan.beta}}) {
    if (static_cast<double>(static_cast<float>(value)) == value) continue;
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}, which is no float; {} sums stored as {} are scaled in double, but {} is passed as a float", name,
                              value, short_name(plan.mma->atom().val_c), short_name(plan.gmem(Operand::c).type), name),
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

// Elements of a fragment fill whole registers.
Status check_registers(const GemmPlan& plan) {
  const std::int64_t packed = std::max<std::int64_t>(1, 32 / bits(plan.gmem(Operand::a).type));  // of B, too: one width
  const auto values = [&](Operand operand) { return plain_part(plan.partitions[plan.path(operand).fragment].layout)[0].size(); };
  const bool in_registers = plan.mma->atom().source_a == OperandSource::registers;
  if (in_registers && (values(Operand::a) % packed != 0 || values(Operand::b) % packed != 0)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} holds fewer than {} elements of {} a thread, which do not fill a register", plan.mma->atom().name, packed,
                              short_name(plan.gmem(Operand::a).type)),
                  "another atom");
  }
  const ValueType sums = plan.mma->atom().val_c;
  if (bits(sums) < 32 && sums != ValueType::f16) {
    return refuse(ErrorCode::bad_spec, fmt::format("no kernel is emitted for {} accumulators", short_name(sums)), "an f32 accumulator");
  }
  return Done{};
}

}  // namespace

bool is_scaled_in_double(const GemmPlan& plan) {
  const auto is_integer = [](ValueType type) { return type == ValueType::i32 || type == ValueType::i8 || type == ValueType::u8; };
  const ValueType sums = plan.mma->atom().val_c, c = plan.gmem(Operand::c).type;
  return sums == ValueType::f64 || c == ValueType::f64 || is_integer(sums) || is_integer(c);
}

Status check_emittable(const GemmPlan& plan) {
  if (!plan.mma) return refuse(ErrorCode::bad_spec, fmt::format("{} has no tiled MMA, and a kernel is emitted for a GEMM", plan.name), {});
  TESSERA_CHECK(check_types(plan));
  TESSERA_CHECK(check_instruction(plan.mma->atom()));
  TESSERA_CHECK(check_scales(plan));
  TESSERA_CHECK(check_grid(plan));
  return check_registers(plan);
}

}  // namespace tessera
