// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/tmem_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/budget.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

// What follows the MMA: a shape of C, a tcgen05.ld, or both.
Status read_rest(const FigureSpec& spec, TmemPicture& p) {
  for (std::size_t i = 1; i < spec.objects.size(); ++i) {
    if (const auto* copy = std::get_if<CopyAtom>(&spec.objects[i])) {
      TESSERA_TRY(registers, tmem_registers(copy->traits));
      p.registers = std::move(registers);
      p.ld = copy->traits.ptx;
      for (const TmemRegister& each : p.registers) {
        p.ld_lanes = std::max(p.ld_lanes, each.place.lane + 1);
        p.ld_columns = std::max(p.ld_columns, each.place.column + 1);
      }
      continue;
    }
    const auto* shape = std::get_if<Layout>(&spec.objects[i]);
    if (!shape || shape->rank() != 2)
      return Error{ErrorCode::wrong_type,
                   fmt::format("behind the MMA stand the shape of C or a copy of tensor memory, and not {}", object_name(spec.objects[i])),
                   {},
                   {"for example tmem_figure(mma, (256,128)) or tmem_figure(mma, SM100_TMEM_LOAD_32dp32b8x)"}};
    p.m = (*shape)[0].size(), p.n = (*shape)[1].size();
  }
  return Done{};
}

}  // namespace

Result<TmemPicture> tmem_picture(const FigureSpec& spec) {
  TmemPicture p;
  TESSERA_TRY(mma, mma_object(spec));
  const MmaAtom& atom = mma.atom();
  if (atom.kind != MmaKind::umma)
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} has its accumulators in registers, and only tcgen05.mma (UMMA) has them in tensor memory", atom.name),
                 {},
                 {"draw them by threads: tv_c_figure(...)"}};
  p.m = mma.tile_mnk()[0], p.n = mma.tile_mnk()[1];
  TESSERA_CHECK(read_rest(spec, p));
  p.name = atom.name;
  p.ctas = mma.num_threads();
  TESSERA_TRY(cta, integer(spec, kCta));
  p.cta = cta.value_or(0);
  if (p.cta >= p.ctas)
    return Error{ErrorCode::out_of_range,
                 fmt::format("cta={}: {} is computed by {}", p.cta, atom.name, p.ctas == 1 ? "one CTA" : fmt::format("{} CTAs", p.ctas)),
                 {},
                 {}};
  TESSERA_TRY(c, Layout::make_compact(IntTuple::tuple({p.m, p.n})));  // (m, n) -> m + M * n
  TESSERA_TRY(part, mma.partition(Operand::c, c, p.cta));             // ((m, n), MMA_M, MMA_N) -> m + M * n
  TESSERA_TRY(fragment, mma.fragment(Operand::c, c));                 // the same -> address
  const std::int64_t in_atom = size(shape(part.layout)[0]), count = size(part.layout);
  if (fragment.size() != count)
    return Error{ErrorCode::not_congruent, fmt::format("{} and its fragment differ in size", to_string(part.layout)), {}, {}};
  p.atoms = count / in_atom;
  p.at.assign(static_cast<std::size_t>(kTmemLanes * kTmemColumns), {});
  for (std::int64_t i = 0; i < count && !late(); ++i) {
    const std::int64_t element = part.offset.value() + evaluate(part.layout, i);
    const TmemPlace place = tmem_place(fragment(i) * bits(atom.val_c));
    if (place.lane >= kTmemLanes || place.column >= kTmemColumns)
      return Error{ErrorCode::limit,
                   fmt::format("C of {} × {} takes column {}, and tensor memory has {}", p.m, p.n, place.column, kTmemColumns),
                   {},
                   {"choose a smaller tile"}};
    p.at[static_cast<std::size_t>(place.lane + kTmemLanes * place.column)] = {
        static_cast<std::int32_t>(element % p.m), static_cast<std::int32_t>(element / p.m), static_cast<std::int32_t>(i / in_atom)};
    p.used = std::max(p.used, place.column + 1);
  }
  p.allocated = tmem_allocation(p.used);
  return p;
}

Result<TmemPlace> tmem_opened(const FigureSpec& spec, const TmemPicture& p) {
  const std::string_view written = parameter(spec, "at");
  if (written.empty()) return TmemPlace{};
  TESSERA_TRY(element, read_coordinate(written, "at"));
  for (std::int64_t column = 0; element && column < p.used; ++column) {
    for (std::int64_t lane = 0; lane < kTmemLanes; ++lane) {
      const Lying& here = p.lying(lane, column);
      if (here.m == element->first && here.n == element->second) return TmemPlace{lane, column, 0};
    }
  }
  return Error{ErrorCode::out_of_range,
               fmt::format("at={} is no element of C that CTA {} has", written, p.cta),
               {},
               {fmt::format("C is {} × {}{}", p.m, p.n, p.ctas > 1 ? ", and each CTA of a pair has a part: cta=1 is the other one" : "")}};
}

}  // namespace tessera
