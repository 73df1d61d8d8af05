// SPDX-License-Identifier: BSD-3-Clause
// What emitted CUDA C++ is compiled against when a test runs it on the CPU: CUDA's words and types. Everything that a thread does to
// memory or by an instruction of PTX goes to the machine that runs it (machine.hpp), which tests/host/rewrite.cpp prepares in the text.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "abi.hpp"

#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __builtin_assume(condition)
#define __align__(bytes) __attribute__((aligned(bytes)))

extern "C" {  // one of each a library; the machine finds them by name
__attribute__((used)) inline HostMachine host_machine;
__attribute__((used)) inline HostIndex threadIdx, blockIdx, gridDim;
__attribute__((used)) inline unsigned char* smem;  // of the CTA whose thread runs
}

// Of a value that all lanes have.
inline int __shfl_sync(unsigned, int value, int) { return value; }

template <class T>
HostOperand host_operand(const char* constraint, T& variable) {
  HostOperand operand{constraint, const_cast<std::remove_const_t<T>*>(&variable), 0, sizeof(T)};
  std::memcpy(&operand.bits, &variable, sizeof(T));
  return operand;
}
template <class T>
HostOperand host_operand(const char* constraint, T&& value) {
  HostOperand operand{constraint, nullptr, 0, sizeof(T)};
  std::memcpy(&operand.bits, &value, sizeof(T));
  return operand;
}

// A pointer that is about to be read or written: of a type wider than an element, or in shared memory.
template <class Pointer, class From>
Pointer host_pointer(From* from) {
  using Element = std::remove_pointer_t<Pointer>;
  host_machine.access(from, sizeof(Element), !std::is_const_v<Element>);
  return reinterpret_cast<Pointer>(from);
}

// A pointer of the kernel: what is read and written through it goes to the machine.
template <class T>
struct HostElement {
  T* at;
  operator T() const {
    host_machine.access(at, sizeof(T), false);
    return *at;
  }
  const HostElement& operator=(T value) const {
    host_machine.access(at, sizeof(T), true);
    *at = value;
    return *this;
  }
  const HostElement& operator=(const HostElement& other) const { return *this = static_cast<T>(other); }
  template <class U>
  const HostElement& operator=(const HostElement<U>& other) const {
    return *this = static_cast<T>(static_cast<U>(other));
  }
};
template <class T>
struct HostPointer {
  T* at;
  HostPointer(T* pointer) : at(pointer) {}
  operator T*() const { return at; }
  HostElement<T> operator[](long long i) const { return {at + i}; }
  HostElement<T> operator*() const { return {at}; }
};
template <class Pointer, class From>
Pointer host_pointer(HostPointer<From> from) {
  return host_pointer<Pointer>(from.at);
}

inline void __syncthreads() { host_machine.barrier(); }

struct __attribute__((aligned(8))) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }

struct __half {
  unsigned short bits;
};
struct __nv_bfloat16 {
  unsigned short bits;
};

// What mma.h brings: fragments that a warp loads, multiplies and stores together.
namespace nvcuda::wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Order = void>
struct fragment {
  static_assert(M == 16 && N == 16 && K == 16);
  T x[8];
};

// Rows are `distance` elements apart, and begin where CUDA says: at a multiple of 32 bytes, of 16 bytes apart.
inline void check_rows(const void* first, unsigned long long bytes_apart) {
  if (reinterpret_cast<unsigned long long>(first) % 32 != 0) host_machine.instruction("wmma.at.no.multiple.of.32.bytes;", nullptr, 0);
  if (bytes_apart % 16 != 0) host_machine.instruction("wmma.rows.no.multiple.of.16.bytes.apart;", nullptr, 0);
}

template <class Use, class T, class Order>
void load_matrix_sync(fragment<Use, 16, 16, 16, T, Order>& to, const T* from, unsigned distance) {
  check_rows(from, distance * sizeof(T));
  for (int slot = 0; slot < 8; ++slot) {
    const int element = host_fragment_element(threadIdx.x % 32, slot), row = element % 16, column = element / 16;
    const T* const at = from + (std::is_same_v<Order, row_major> ? row * distance + column : row + column * distance);
    host_machine.access(at, sizeof(T), false);
    to.x[slot] = *at;
  }
}
inline void store_matrix_sync(float* to, const fragment<accumulator, 16, 16, 16, float>& from, unsigned distance, layout_t order) {
  check_rows(to, distance * sizeof(float));
  for (int slot = 0; slot < 8; ++slot) {
    const int element = host_fragment_element(threadIdx.x % 32, slot), row = element % 16, column = element / 16;
    float* const at = to + (order == mem_row_major ? row * distance + column : row + column * distance);
    host_machine.access(at, sizeof(float), true);
    *at = from.x[slot];
  }
}
inline void fill_fragment(fragment<accumulator, 16, 16, 16, float>& fragment, float value) {
  for (float& x : fragment.x) x = value;
}
template <class T, class OrderA, class OrderB>
void mma_sync(fragment<accumulator, 16, 16, 16, float>& d, const fragment<matrix_a, 16, 16, 16, T, OrderA>& a,
              const fragment<matrix_b, 16, 16, 16, T, OrderB>& b, const fragment<accumulator, 16, 16, 16, float>& c) {
  HostOperand operands[] = {host_operand("l", &d.x[0]), host_operand("l", &a.x[0]), host_operand("l", &b.x[0]), host_operand("l", &c.x[0])};
  host_machine.instruction(std::is_same_v<T, __half> ? "wmma.mma.sync.f16 %0, %1, %2, %3;" : "wmma.mma.sync.bf16 %0, %1, %2, %3;", operands,
                           4);
}
}  // namespace nvcuda::wmma

inline unsigned __float_as_uint(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float __uint_as_float(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
// Toward zero.
inline float __double2float_rz(double x) {
  const float nearest = static_cast<float>(x);
  return std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}
inline int __double2int_rn(double x) {
  const double whole = std::nearbyint(x);
  return whole >= 2147483647.0 ? 2147483647 : whole <= -2147483648.0 ? -2147483647 - 1 : static_cast<int>(whole);
}
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
