// SPDX-License-Identifier: BSD-3-Clause
// Builtins: gemm(...), whose parameters are the fields of GemmSpec.
#include "core/lang/builtins.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

// One parameter into one field.
template <class T, class Set>
Status take(const Call& call, std::size_t parameter, Set&& set) {
  if (!call.has(parameter)) return Done{};
  TESSERA_TRY(given, argument<T>(call, parameter));
  set(std::move(given));
  return Done{};
}

Result<Value> gemm_call(const Call& call) {
  GemmSpec spec;
  std::size_t i = 0;
  for (std::int64_t* extent : {&spec.m, &spec.n, &spec.k}) {
    TESSERA_CHECK(take<std::int64_t>(call, i++, [&](std::int64_t n) { *extent = n; }));
    if (*extent < 1)
      return Error{ErrorCode::bad_extent,
                   fmt::format("gemm: {} = {}, but an extent is at least 1", call.names[i - 1], *extent),
                   call[i - 1].span,
                   {}};
  }
  TESSERA_CHECK(take<std::shared_ptr<const TiledMma>>(call, i++, [&](const auto& mma) { spec.mma = *mma; }));
  TESSERA_CHECK(take<IntTuple>(call, i++, [&](IntTuple tiler) { spec.cta_tiler = std::move(tiler); }));
  for (std::optional<Layout>* layout : {&spec.gA, &spec.gB, &spec.gC}) {
    TESSERA_CHECK(take<Layout>(call, i++, [&](Layout l) { *layout = std::move(l); }));
  }
  for (std::optional<AnyLayout>* layout : {&spec.sA, &spec.sB}) {
    TESSERA_CHECK(take<AnyLayout>(call, i++, [&](AnyLayout l) { *layout = std::move(l); }));
  }
  for (std::optional<TiledCopy>* copy : {&spec.copy_a, &spec.copy_b}) {
    TESSERA_CHECK(take<std::shared_ptr<const TiledCopy>>(call, i++, [&](const auto& c) { *copy = *c; }));
  }
  for (std::optional<CopyTraits>* traits : {&spec.smem_copy_a, &spec.smem_copy_b}) {
    TESSERA_CHECK(take<CopyTraits>(call, i++, [&](CopyTraits t) { *traits = std::move(t); }));
  }
  TESSERA_CHECK(take<ValueType>(call, i++, [&](ValueType type) { spec.type_c = type; }));
  TESSERA_CHECK(take<std::int64_t>(call, i++, [&](std::int64_t n) { spec.stages = n; }));
  TESSERA_CHECK(take<std::int64_t>(call, i++, [&](std::int64_t n) { spec.raster_group = n; }));
  TESSERA_CHECK(take<double>(call, i++, [&](double x) { spec.alpha = x; }));
  TESSERA_CHECK(take<double>(call, i++, [&](double x) { spec.beta = x; }));
  TESSERA_CHECK(take<std::string>(call, i++, [&](std::string name) { spec.name = std::move(name); }));
  return Value{std::make_shared<const GemmSpec>(std::move(spec))};
}

constexpr Builtin kRows[] = {
    {"gemm",
     "gemm(m, n, k, mma, cta_tiler=(m,n,k), gA=, gB=, gC=, sA=, sB=, copy_a=, copy_b=, smem_copy_a=, smem_copy_b=, type_c=f32, stages=1, "
     "raster_group=0, alpha=1.0, beta=0.0, name=)",
     "C = alpha * A B^T + beta * C with A (M,K), B (N,K), C (M,N); what is left out is chosen and shown", gemm_call},
};

}  // namespace

std::span<const Builtin> gemm_builtins() { return kRows; }

}  // namespace tessera
