// SPDX-License-Identifier: BSD-3-Clause
// A batch: several products of one launch, whose matrices lie as far apart as the third mode of gA = (M,K,L) says.
#include <cstdint>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"

namespace tessera::lowering {

namespace {

constexpr std::int64_t kMostProducts = 65535;  // gridDim.z has 16 bits
constexpr std::int64_t kMostElements = std::int64_t{1} << 56;

}  // namespace

Layout first_matrix(const Layout& layout) { return layout.rank() == 3 ? make_layout({layout[0], layout[1]}) : layout; }

Status check_batch(const GemmSpec& spec) {
  if (spec.batch >= 1 && spec.batch <= kMostProducts) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("batch is {}; a launch has 1 to {} products", spec.batch, kMostProducts), "batch=1");
}

Status check_extent_of_batch(const GmemTensor& gmem, std::int64_t batch) {
  if (gmem.batch_elements <= kMostElements / batch) return Done{};
  return refuse(ErrorCode::limit,
                fmt::format("{} matrices of {} that are {} elements apart are more than the limit of {} elements", batch, gmem.name,
                            gmem.batch_elements, kMostElements),
                "a smaller batch");
}

Result<GmemTensor> gmem_tensor(const Draft& plan, Operand operand, const char* name, ValueType type, const Layout& given) {
  GmemTensor tensor;
  tensor.name = name, tensor.type = type, tensor.layout = first_matrix(given), tensor.batch_elements = -1;
  if (given.rank() != 3) return tensor;
  const Layout matrices = given[2];
  if (matrices.size() != plan.batch || matrices.depth() != 0 || matrices.has_basis()) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}, whose third mode counts the matrices of a batch; batch is {}", name, to_string(given), plan.batch),
                  fmt::format("batch={}, or {} of two modes", matrices.size(), name));
  }
  const std::int64_t apart = matrices.stride().value(), of_16_bytes = 128 / bits(type);
  const bool is_shared = apart == 0 && operand != Operand::c && plan.mma->atom().kind != MmaKind::wgmma;
  if (plan.batch > 1 && (apart % of_16_bytes != 0 || apart < 0 || (apart == 0 && !is_shared))) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("the matrices of {} = {} are {} elements apart; each begins at a multiple of 16 bytes{}", name,
                              to_string(given), apart, apart == 0 ? ", of C and by TMA in a place of its own" : ""),
                  fmt::format("{} of two modes, so that they follow each other", name));
  }
  tensor.batch_elements = apart;
  return tensor;
}

}  // namespace tessera::lowering
