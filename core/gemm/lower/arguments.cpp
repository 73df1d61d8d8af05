// SPDX-License-Identifier: BSD-3-Clause
// Extents as arguments: one kernel for every size. Its text is made of a plan that is larger than any number of the schedule, so that no
// extent or count of tiles decides anything there; and that plan does what the one of the asked size does.
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"

namespace tessera::lowering {

namespace {

constexpr std::int64_t kTiles = 1009;  // along M, N and K: more than stages, boxes or k-blocks, and no multiple of anything

// The tensor with other extents: along the same mode, and with rows that begin at multiples of as many elements as before, up to 16 bytes.
Result<Layout> larger(const plan::Tensor& tensor, const plan::TwoModes& extents) {
  const plan::MatrixOfRows matrix = plan::matrix_of_rows(tensor).value();
  const std::int64_t of_16_bytes = 128 / bits(tensor.type), row = extents[matrix.along_first ? 0 : 1];
  const std::int64_t pitch = padded_pitch(tensor.type, row) + std::gcd(matrix.pitch, of_16_bytes) % of_16_bytes;
  return Layout::make(IntTuple::tuple({extents[0], extents[1]}),
                      matrix.along_first ? IntTuple::tuple({1, pitch}) : IntTuple::tuple({pitch, 1}));
}

Status check_matrix(const char* name, const std::optional<Layout>& layout) {
  if (!layout) return Done{};
  GmemTensor first;
  first.layout = first_matrix(*layout);
  const auto matrix = rows_of(first);
  if (matrix && matrix->pitch >= 2 && matrix->pitch >= matrix->columns) return Done{};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} is {}; with extents=arguments a kernel knows a matrix by its leading dimension, 2 or more elements from a "
                            "row (or column) to the next, which do not overlap",
                            name, to_string(*layout)),
                fmt::format("{} left out, or extents=\"literals\"", name));
}

// What differs first between two plans, in words. Counts of tiles, and what lies in global memory, may.
class Same {
 public:
  Same(const GemmPlan& plan, const GemmPlan& other) : plan_(plan), other_(other) {}

  std::optional<std::string> difference() {
    if (plan_.smem_bytes != other_.smem_bytes || plan_.threads != other_.threads || plan_.cluster_m != other_.cluster_m ||
        plan_.cluster_n != other_.cluster_n || plan_.mma_k != other_.mma_k)
      return "the CTA";
    if (plan_.tensors.size() != other_.tensors.size() || plan_.partitions.size() != other_.partitions.size() ||
        plan_.functions.size() != other_.functions.size() || plan_.roles.size() != other_.roles.size() ||
        plan_.cursors.size() != other_.cursors.size() || plan_.maps.size() != other_.maps.size())
      return "the lists of tensors, partitions, functions, roles, cursors and maps";
    for (std::size_t i = 0; i < plan_.partitions.size(); ++i) {
      if (!is_same(plan_.partitions[i], other_.partitions[i])) return plan_.partitions[i].name;
    }
    for (std::size_t i = 0; i < plan_.functions.size(); ++i) {
      if (!is_same(plan_.functions[i].body, other_.functions[i].body)) return plan_.functions[i].name;
    }
    for (std::size_t i = 0; i < plan_.roles.size(); ++i) {
      if (!is_same(plan_.roles[i].block, other_.roles[i].block)) return plan_.roles[i].name;
    }
    return std::nullopt;
  }

 private:
  bool is_same(const plan::Partition& a, const plan::Partition& b) const {
    if (a.name != b.name || a.tensor != b.tensor || a.modes != b.modes || a.coordinates != b.coordinates) return false;
    if (plan_.tensors[a.tensor].space != plan::Space::global) return to_string(a.layout) == to_string(b.layout);
    // Where strides happen to continue each other, modes are one; the coordinates beside it say that the values are the same.
    const Layout &x = plain_part(a.layout), &y = plain_part(b.layout);
    return x[0].size() == y[0].size() && x.size() == y.size() && a.coordinates != plan::kNone;
  }

  // A count of tiles of K, or one less.
  void take_count(std::int64_t& a, std::int64_t b) const {
    if ((a == plan_.k_tiles && b == other_.k_tiles) || (a == plan_.k_tiles - 1 && b == other_.k_tiles - 1)) a = b;
  }
  // Whole, once what may differ in the first is as in the second.
  bool is_same(const plan::Block& a, const plan::Block& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      plan::Op op = a[i];
      const auto both = [&]<class T>(auto take) {
        if (auto* x = std::get_if<T>(&op.op); x != nullptr && std::holds_alternative<T>(b[i].op)) take(*x, std::get<T>(b[i].op));
      };
      const auto take_body = [&](plan::SharedBlock& x, const plan::SharedBlock& y) {
        if (is_same(*x, *y)) x = y;
      };
      both.operator()<plan::Loop>([&](auto& x, const auto& y) { take_count(x.count, y.count), take_body(x.body, y.body); });
      both.operator()<plan::When>([&](auto& x, const auto& y) { take_count(x.bound, y.bound), take_body(x.body, y.body); });
      both.operator()<plan::Advance>([&](auto& x, const auto& y) { take_count(x.by, y.by); });
      if (!(op == b[i])) return false;
    }
    return true;
  }

  const GemmPlan &plan_, &other_;
};

}  // namespace

Status check_arguments(const GemmSpec& spec) {
  if (spec.extents != Extents::arguments) return Done{};
  if (spec.cta_tiler.is_int()) {
    return refuse(ErrorCode::bad_spec, "without cta_tiler the whole problem is one tile, whose size no kernel for every size can know",
                  "cta_tiler=(128,128,32), or extents=\"literals\"");
  }
  for (const auto& [name, layout] : {std::pair{"gA", &spec.gA}, {"gB", &spec.gB}, {"gC", &spec.gC}})
    TESSERA_CHECK(check_matrix(name, *layout));
  return Done{};
}

Result<GemmSpec> spec_of_any_size(const GemmSpec& spec, const GemmPlan& plan) {
  GemmSpec any = spec;
  any.m = kTiles * plan.blk_m, any.n = kTiles * plan.blk_n, any.k = kTiles * plan.blk_k;
  TESSERA_TRY(gA, larger(plan.gmem(Operand::a), {any.m, any.k}));
  TESSERA_TRY(gB, larger(plan.gmem(Operand::b), {any.n, any.k}));
  TESSERA_TRY(gC, larger(plan.gmem(Operand::c), {any.m, any.n}));
  any.gA = std::move(gA), any.gB = std::move(gB), any.gC = std::move(gC);
  return any;
}

Status check_same_program(const GemmPlan& plan, const GemmPlan& of_any_size) {
  const auto different = Same(plan, of_any_size).difference();
  if (!different) return Done{};
  return refuse(ErrorCode::breaks_law,
                fmt::format("at {} x {} x {} the program is not that of every size: {} differs", plan.m, plan.n, plan.k, *different),
                "extents=\"literals\"");
}

}  // namespace tessera::lowering
