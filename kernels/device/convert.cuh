__device__ __forceinline__ float f16_to_float(half_t x) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
  return r;
}

__device__ __forceinline__ half_t float_to_f16(float x) {
  half_t r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  return r;
}

__device__ __forceinline__ float bf16_to_float(bf16_t x) { return __uint_as_float((unsigned)x << 16); }

__device__ __forceinline__ bf16_t float_to_bf16(float x) {
  const unsigned r = __float_as_uint(x);
  if ((r & 0x7fffffffU) > 0x7f800000U) return 0x7fff;      // NaN stays NaN
  return (bf16_t)((r + 0x7fffU + (r >> 16 & 1U)) >> 16);  // to nearest, ties to even
}

// A sign, 4 bits of exponent with a bias of 7, 3 of mantissa; all ones are NaN, and there is no infinity
// (OCP 8-bit floating point, 1.0). The bits of a float begin alike, but for the bias.
__device__ __forceinline__ float e4m3_to_float(e4m3_t x) {
  const unsigned sign = (unsigned)(x & 0x80) << 24, size = x & 0x7fU;
  if (size == 0x7fU) return __uint_as_float(0x7fffffffU);
  return __uint_as_float(sign | size << 20) * 1.329227995784916e36f;  // 2^120
}

// The upper half of an f16.
__device__ __forceinline__ float e5m2_to_float(e5m2_t x) { return f16_to_float((half_t)(x << 8)); }

__device__ __forceinline__ float float_to_tf32(float x) {
  const unsigned r = __float_as_uint(x);
  if ((r & 0x7fffffffU) > 0x7f800000U) return x;
  return __uint_as_float((r + 0xfffU + (r >> 13 & 1U)) & 0xffffe000U);  // to nearest, ties to even
}

// Rounds to odd: a second rounding to fewer bits then gives what one rounding would have given.
__device__ __forceinline__ float double_to_float_odd(double x) {
  const float r = __double2float_rz(x);
  return (double)r == x ? r : __uint_as_float(__float_as_uint(r) | 1U);
}

// Two elements of 16 bits in a register.
__device__ __forceinline__ unsigned pack16(unsigned short low, unsigned short high) {
  return (unsigned)low | (unsigned)high << 16;
}

// Four elements of 8 bits in a register.
__device__ __forceinline__ unsigned pack8(unsigned char b0, unsigned char b1, unsigned char b2,
                                          unsigned char b3) {
  return (unsigned)b0 | (unsigned)b1 << 8 | (unsigned)b2 << 16 | (unsigned)b3 << 24;
}

// Two floats as two halves in a register, to nearest, ties to even (PTX ISA: cvt, sm_80).
__device__ __forceinline__ unsigned floats_to_f16x2(float low, float high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

__device__ __forceinline__ unsigned floats_to_bf16x2(float low, float high) {
  unsigned r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
