// SPDX-License-Identifier: BSD-3-Clause
// Texts of the small kernels. Each type brings its storage and two conversions; the rest is common.
#include "kernels/runtime/measure/check_kernels.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tessera {
namespace {

struct TypeText {
  std::string_view name;
  std::int64_t bytes;
  double ulp;                // one unit in the last place, relative; 0: exact
  double least;              // the smallest distance of two numbers; of f32 and wider none that a sum of ours meets
  std::string_view storage;  // C++ type that holds the bits
  std::string_view to_double;
  std::string_view from_double;
};

// Conversions from a double go through float where that is exact enough for random inputs: they need not round twice correctly.
// e4m3 and e5m2 are cut off, not rounded: below the smallest normal number in units of the smallest one, else after the last bit. x is at
// most 1, so that nothing overflows.
constexpr std::array<TypeText, 10> types{{
    {"f16", 2, 0x1p-10, 0x1p-24, "unsigned short", "float f; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"(x)); return f;",
     "unsigned short h; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"((float)v)); return h;"},
    {"bf16", 2, 0x1p-7, 0, "unsigned short", "return __uint_as_float((unsigned)x << 16);",
     "unsigned u = __float_as_uint((float)v); return (unsigned short)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);"},
    {"tf32", 4, 0x1p-10, 0, "float", "return x;", "return __uint_as_float(__float_as_uint((float)v) & 0xffffe000u);"},
    {"f32", 4, 0x1p-23, 0, "float", "return x;", "return (float)v;"},
    {"f64", 8, 0x1p-52, 0, "double", "return x;", "return v;"},
    {"e4m3", 1, 0x1p-3, 0x1p-9, "unsigned char",
     "unsigned u = x & 0x7fu; if (u == 0x7fu) return __longlong_as_double(0x7ff8000000000000ll); "
     "return (double)(__uint_as_float((x & 0x80u) << 24 | u << 20) * 0x1p120f);",
     "unsigned u = __float_as_uint((float)v), sign = u >> 24 & 0x80u; float size = fabsf((float)v); "
     "return (unsigned char)(sign | (size < 0x1p-6f ? (unsigned)(size * 512.0f) : ((u & 0x7fffffffu) >> 20) - (120u << 3)));"},
    {"e5m2", 1, 0x1p-2, 0x1p-16, "unsigned char",
     "float f; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"((unsigned short)(x << 8))); return f;",
     "unsigned u = __float_as_uint((float)v), sign = u >> 24 & 0x80u; float size = fabsf((float)v); "
     "return (unsigned char)(sign | (size < 0x1p-14f ? (unsigned)(size * 65536.0f) : ((u & 0x7fffffffu) >> 21) - (112u << 2)));"},
    {"s32", 4, 0, 0, "int", "return x;", "return (int)rint(3.49 * v);"},
    {"s8", 1, 0, 0, "signed char", "return x;", "return (signed char)rint(3.49 * v);"},
    {"u8", 1, 0, 0, "unsigned char", "return x;", "return (unsigned char)rint(1.5 + 1.99 * v);"},
}};

const TypeText* find_type(const std::string& name) {
  for (const TypeText& type : types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

Error unknown_type(const std::string& name) {
  std::string known;
  for (const TypeText& type : types) known += (known.empty() ? "" : ", ") + std::string(type.name);
  return Error{ErrorCode::bad_spec, fmt::format("no result check is known for elements of type {}", name), {}, {"known are " + known}};
}

std::string conversions(const TypeText& type) {
  return fmt::format(
      "typedef {} T;\nstatic __device__ double to_double(T x) {{ {} }}\nstatic __device__ T from_double(double v) {{ {} }}\n", type.storage,
      type.to_double, type.from_double);
}

constexpr std::string_view fill_text = R"(
// splitmix64: well mixed from a counter, so each element depends on (seed, i) alone and not on the launch.
static __device__ unsigned long long mixed(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
extern "C" __global__ void tessera_fill(T* out, long long elements, long long seed) {
  const long long step = (long long)gridDim.x * blockDim.x;
  const unsigned long long start = mixed((unsigned long long)seed);
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step) {
    const double x = (double)(mixed(start + i) >> 11) * 0x1p-52 - 1.0;
    out[i] = from_double(VALUE);
  }
}
)";

constexpr std::string_view compare_text = R"(
struct Report { unsigned long long compared, untouched, mismatches, first_bad, max_abs_error_bits, max_rel_error_bits, max_bound_bits; };

static __device__ bool is_poison(const T* element) {
  const unsigned char* bytes = (const unsigned char*)element;
  for (int i = 0; i < (int)sizeof(T); ++i) if (bytes[i] != POISON) return false;
  return true;
}
extern "C" __global__ void tessera_compare(const T* got, const T* expected, const float* spreads, long long elements, double absolute,
                                           double relative, double of_rounded, double of_exact, double exact_below, double typical,
                                           Report* report) {
  unsigned long long compared = 0, untouched = 0, mismatches = 0, first_bad = ~0ull;
  double max_abs = 0.0, max_rel = 0.0, max_bound = 0.0;
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step) {
    bool good;
    if (is_poison(expected + i)) {
      ++untouched;
      good = is_poison(got + i);
    } else {
      ++compared;
      const double x = to_double(got[i]), y = to_double(expected[i]);
      const double error = x == y ? 0.0 : fabs(x - y);  // equal infinities do not differ
      const double spread = spreads[i], bound = absolute + (spread <= exact_below ? of_exact : of_rounded) * spread;
      good = error <= bound + relative * fabs(y);  // false for NaN
      max_bound = fmax(max_bound, bound);
      if (error < 1e300) {
        max_abs = fmax(max_abs, error);
        max_rel = fmax(max_rel, error / (fabs(y) + typical));
      }
    }
    if (!good) {
      ++mismatches;
      if ((unsigned long long)i < first_bad) first_bad = i;
    }
  }
  if (compared) atomicAdd(&report->compared, compared);
  if (untouched) atomicAdd(&report->untouched, untouched);
  if (mismatches) { atomicAdd(&report->mismatches, mismatches); atomicMin(&report->first_bad, first_bad); }
  if (max_abs > 0) atomicMax(&report->max_abs_error_bits, (unsigned long long)__double_as_longlong(max_abs));
  if (max_rel > 0) atomicMax(&report->max_rel_error_bits, (unsigned long long)__double_as_longlong(max_rel));
  if (max_bound > 0) atomicMax(&report->max_bound_bits, (unsigned long long)__double_as_longlong(max_bound));
}
)";

constexpr std::string_view hold_text = R"(
extern "C" __global__ void tessera_hold(long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); } while (now - begin < (unsigned long long)nanoseconds);
}
)";

KernelSource small_kernel(std::string name, std::string entry, std::string text) {
  KernelSource source;
  source.name = std::move(name);
  source.entry = std::move(entry);
  source.text = std::move(text);
  source.grid = {512, 1, 1};
  source.block = {256, 1, 1};
  return source;
}

Result<KernelSource> fill_with(const std::string& type, const std::string& name, const std::string& value) {
  const TypeText* found = find_type(type);
  if (found == nullptr) return unknown_type(type);
  return small_kernel(name, "tessera_fill", fmt::format("#define VALUE {}\n", value) + conversions(*found) + std::string(fill_text));
}

}  // namespace

Result<KernelSource> fill_kernel(const std::string& type) { return fill_with(type, "tessera_fill_" + type, "x"); }

Result<KernelSource> sign_kernel(const std::string& type, double density) {
  return fill_with(type, "tessera_signs_" + type, fmt::format("(fabs(x) < {} ? (x < 0 ? -1.0 : 1.0) : 0.0)", density));
}

Result<KernelSource> compare_kernel(const std::string& type) {
  const TypeText* found = find_type(type);
  if (found == nullptr) return unknown_type(type);
  const std::string poison = fmt::format("#define POISON {}\n", poison_byte(type));
  return small_kernel("tessera_compare_" + type, "tessera_compare", poison + conversions(*found) + std::string(compare_text));
}

KernelSource hold_kernel() {
  KernelSource source = small_kernel("tessera_hold", "tessera_hold", std::string(hold_text));
  source.grid = source.block = {1, 1, 1};
  return source;
}

std::uint8_t poison_byte(const std::string& type) { return unit_in_last_place(type) > 0 ? 0xff : 0x80; }

double least_step(const std::string& type) {
  const TypeText* found = find_type(type);
  return found != nullptr ? found->least : 0;
}

double unit_in_last_place(const std::string& type) {
  const TypeText* found = find_type(type);
  return found != nullptr ? found->ulp : 0;
}

}  // namespace tessera
