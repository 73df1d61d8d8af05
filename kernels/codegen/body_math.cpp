// SPDX-License-Identifier: BSD-3-Clause
// Multiplication by the atom, and what becomes of the accumulators.
#include <cstdint>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/gemm/lower/emittable.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

void Body::operator()(const plan::Mma& mma) {
  if (mma.by == plan::MmaBy::wgmma) return multiply_by_warpgroup(mma);
  const Layout c = plain_part(partition(mma.c).layout);
  const std::int64_t mma_m = c[1].size(), mma_n = c[2].size();
  int loops = 0;
  for (const auto& [variable, mode, extent] :
       {std::tuple{"k", "MMA_K", plain_part(partition(mma.a).layout)[2].size()}, std::tuple{"m", "MMA_M", mma_m}}) {
    if (extent == 1 || (variable == std::string("k") && !mma.a.picks.empty())) continue;
    lines_.loop(variable, to_string(constants_.extent(mode, extent)), true);
    ++loops;
  }
  const bool serpentine = mma.serpentine && mma_m > 1 && mma_n > 1;
  if (mma_n > 1) {
    lines_.loop(serpentine ? "i" : "n", to_string(constants_.extent("MMA_N", mma_n)), true);
    ++loops;
  }
  if (serpentine)
    lines_.add(fmt::format("const int n = m % 2 == 0 ? i : {} - i;", to_string(constants_.extent("MMA_N", mma_n) - 1)),
               "back and forth: neighbours share a fragment");
  if (mma.by == plan::MmaBy::wmma) {
    lines_.add(fmt::format("{}({}, {}, {});", needs_("mma"), fragment_of_warp(mma.c), fragment_of_warp(mma.a), fragment_of_warp(mma.b)));
    return close(loops);
  }
  const auto place = [&](const plan::At& at) { return fmt::format("&{}[{}]", array_of(at), fragment_register(at, "0")); };
  lines_.add(fmt::format("{}({}, {}, {});", needs_("mma"), place(mma.c), place(mma.a), place(mma.b)));
  close(loops);
}

std::string Body::times_alpha(const std::string& value) const {
  if (plan_.alpha == 1.0) return value;
  seen_.alpha = true;
  return "alpha * " + value;
}

std::string Body::times_beta(const std::string& value) const {
  if (plan_.beta == 1.0) return value;
  seen_.beta = true;
  return "beta * " + value;
}

// An accumulator as a float or a double.
std::string Body::accumulator(const std::string& name, const std::string& element, bool is_double) const {
  const char* const widened = is_double && plan_.mma->atom().val_c != ValueType::f64 ? "(double)" : "";
  switch (plan_.mma->atom().val_c) {
    case ValueType::f16:
      return fmt::format("{}{}(({})({}[({}) / 2] >> (({}) % 2 * 16)))", widened, needs_("f16_to_float"), memory_type(ValueType::f16), name,
                         element, element);
    case ValueType::i32: return fmt::format("(double)(int){}[{}]", name, element);
    default: return fmt::format("{}{}[{}]", widened, name, element);
  }
}

// wgmma's sums are read behind the wait for their group, where the compiler must not read them earlier.
void Body::keep_sum_in_order(const plan::Convert& convert, const std::string& element) {
  if (plan_.mma->atom().kind != MmaKind::wgmma) return;
  const bool packed = bits(tensor(convert.from).type) == 16;
  lines_.add(fmt::format("{}({}[{}]);", needs_(keep_in_order()), arrays_.at(partition(convert.from).tensor),
                         packed ? fmt::format("({}) / 2", element) : element));
}

void Body::operator()(const plan::Convert& convert) {
  if (boxed_.contains(partition(convert.to).tensor)) return convert_for_box(convert);
  const ValueType sums = plan_.mma->atom().val_c, type = tensor(convert.to).type;
  const bool is_double = is_scaled_in_double(plan_), reads = convert.c.partition != plan::kNone;
  const Layout from = plain_part(partition(convert.from).layout);  // (vec, store) -> register element
  const std::int64_t vector = from[0].size();
  const std::string element = sum({index_expr(from[0], "j"), index_expr(from[1], coordinate(convert.from, "store"))});
  result_.reset();
  if (reads) {
    lines_.add(fmt::format("{}* c = {};", memory_type(type), gmem_place(convert.c).sum()));
    result_ = convert.c;
  }
  std::string value;
  if (plan_.alpha == 1.0 && !reads && sums == type && sums != ValueType::f16) {
    value = fmt::format("{}{}[{}]", type == ValueType::i32 ? "(int)" : "", arrays_.at(partition(convert.from).tensor), element);
  } else {
    const std::string of_sums = accumulator(arrays_.at(partition(convert.from).tensor), element, is_double);
    value = times_alpha(of_sums);
    if (reads) value += " + " + times_beta(to_real(needs_, type, vector > 1 ? "c[j]" : "*c"));
    value = from_real(needs_, type, is_double, value);
  }
  const std::string name = partition(convert.to).name, memory = memory_type(type);
  if (vector == 1) {
    keep_sum_in_order(convert, element);
    lines_.add(fmt::format("const {} {} = {};", memory, name, value));
    return;
  }
  lines_.add(fmt::format("{} {}[{}];", memory, name, vector));
  lines_.loop("j", fmt::format("{}", vector), true);
  keep_sum_in_order(convert, element);
  lines_.add(fmt::format("{}[j] = {};", name, value));
  lines_.close();
}

}  // namespace tessera::emitting
