// SPDX-License-Identifier: BSD-3-Clause
// Fields that mean nothing in the schedule that the other fields ask for: refused by name, never passed over.
#include <initializer_list>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"

namespace tessera::lowering {

namespace {

struct Unset {
  const char* name;
  bool is_unset;
};

// The first of these fields that says something; nothing where all are left out.
const char* first_said(std::initializer_list<Unset> fields) {
  for (const auto& [name, is_unset] : fields) {
    if (!is_unset) return name;
  }
  return nullptr;
}

bool is_left_out(const Shape& registers) { return registers.is_int() && registers.value() == 0; }

// Fields that only the producer and the consumers of wgmma have, of a GEMM of other atoms.
Status check_fields_of_wgmma(const GemmSpec& spec) {
  const bool one = spec.cluster.is_int() && spec.cluster.value() == 1;
  const char* const said = first_said({{"cluster", one},
                                       {"ctas", spec.ctas == 0},
                                       {"overlap", spec.overlap == Overlap::none},
                                       {"k_order", spec.k_order == KOrder::forward},
                                       {"registers", is_left_out(spec.registers)},
                                       {"store=staged", spec.store != Stores::staged},
                                       {"store_boxes", spec.store_boxes == GemmSpec().store_boxes},
                                       {"copies=producer", spec.copies != Copies::producer}});
  if (said == nullptr) return Done{};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} is for a producer and consumers of wgmma; {} multiplies from registers", said, spec.mma->atom().name),
                fmt::format("{} left out, or an atom such as SM90_64x128x16_F32BF16BF16_SS", said));
}

// And those that only a producer makes room for: those who multiply, and begin the copies of later tiles, have no time for more.
Status check_fields_of_producer(const GemmSpec& spec) {
  const char* const said = first_said({{"overlap", spec.overlap == Overlap::none},
                                       {"k_order", spec.k_order == KOrder::forward},
                                       {"registers", is_left_out(spec.registers)}});
  if (said == nullptr) return Done{};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} is for a producer and its consumers; with copies=ahead those who multiply begin the copies", said),
                fmt::format("{} left out, or copies=producer", said));
}

// And those of boxes of C, of a GEMM whose threads store their own sums.
Status check_fields_of_boxes(const GemmSpec& spec) {
  const char* const said =
      first_said({{"store_boxes", spec.store_boxes == GemmSpec().store_boxes}, {"overlap=deferred", spec.overlap != Overlap::deferred}});
  if (said == nullptr) return Done{};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} is for boxes of C in shared memory; with store=\"direct\" each thread stores its own sums", said),
                fmt::format("{} left out, or store=\"staged\"", said));
}

// And those that only threads have which copy and load, of a GEMM of wgmma.
Status check_fields_of_threads(const GemmSpec& spec) {
  const char* const said = first_said({{"copy_a", !spec.copy_a},
                                       {"copy_b", !spec.copy_b},
                                       {"smem_copy_a", !spec.smem_copy_a},
                                       {"smem_copy_b", !spec.smem_copy_b},
                                       {"operands", spec.operands == Operands::smem},
                                       {"fragments", spec.fragments == Fragments::automatic},
                                       {"copies=waited_for", spec.copies != Copies::waited_for}});
  if (said == nullptr) {
    if (spec.copies == Copies::ahead) TESSERA_CHECK(check_fields_of_producer(spec));
    return spec.store == Stores::direct ? check_fields_of_boxes(spec) : Status(Done{});
  }
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} is for threads that copy and load; {} reads shared memory itself, which TMA fills", said, spec.mma->atom().name),
      fmt::format("{} left out, or an atom such as SM80_16x8x16_F32F16F16F32_TN", said));
}

// And those of tiles in shared memory, of a GEMM that has none.
Status check_fields_of_smem(const GemmSpec& spec) {
  const char* const said = first_said({{"sA", !spec.sA},
                                       {"sB", !spec.sB},
                                       {"copy_a", !spec.copy_a},
                                       {"copy_b", !spec.copy_b},
                                       {"smem_copy_a", !spec.smem_copy_a},
                                       {"smem_copy_b", !spec.smem_copy_b},
                                       {"stages", spec.stages == GemmSpec().stages},
                                       {"copies", spec.copies == Copies::automatic}});
  if (said == nullptr) return Done{};
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} is for tiles in shared memory; with operands=\"gmem\" each thread loads its fragments from global memory itself",
                  said),
      fmt::format("{} left out, or operands=\"smem\"", said));
}

}  // namespace

Status check_fields(const GemmSpec& spec) {
  if (spec.mma->atom().kind == MmaKind::wgmma) return check_fields_of_threads(spec);
  TESSERA_CHECK(check_fields_of_wgmma(spec));
  if (spec.mma->atom().kind == MmaKind::wmma && spec.operands == Operands::gmem) {
    return refuse(ErrorCode::bad_spec, fmt::format("{} loads its fragments from shared memory", spec.mma->atom().name),
                  "operands=\"smem\", or an atom such as SM80_16x8x16_F32F16F16F32_TN");
  }
  return spec.operands == Operands::gmem ? check_fields_of_smem(spec) : Status(Done{});
}

}  // namespace tessera::lowering
