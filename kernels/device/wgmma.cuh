// Registers that another instruction touched may be multiplied into from here (PTX ISA: wgmma, sm_90a).
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// What this warpgroup began to multiply since the last commit is a group.
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most PENDING of this warpgroup's groups are in flight.
template <int PENDING>
__device__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

// A K-major operand, swizzled by rows of SWIZZLE_BYTES (128, 64 or 32); STRIDE_BYTES from 8 rows to the next.
// Bit 0: address / 16, bit 32: stride / 16, bit 62: which swizzle.
template <int STRIDE_BYTES, int SWIZZLE_BYTES>
__device__ unsigned long long smem_descriptor(unsigned address) {
  constexpr unsigned long long name = SWIZZLE_BYTES == 128 ? 1 : SWIZZLE_BYTES == 64 ? 2 : 3;
  constexpr unsigned long long fixed =
      name << 62 | (unsigned long long)(STRIDE_BYTES / 16) << 32 | 1ULL << 16;
  return fixed | (address & 0x3ffffU) >> 4;
}

// An MN-major operand: rows of SWIZZLE_BYTES along M or N, one for each k; STRIDE_BYTES from 8 of them to the
// next, LEADING_BYTES from a row to the one beside it. Bit 16: leading / 16; the others as above.
template <int LEADING_BYTES, int STRIDE_BYTES, int SWIZZLE_BYTES>
__device__ unsigned long long smem_descriptor_mn(unsigned address) {
  constexpr unsigned long long name = SWIZZLE_BYTES == 128 ? 1 : SWIZZLE_BYTES == 64 ? 2 : 3;
  constexpr unsigned long long fixed = name << 62 | (unsigned long long)(STRIDE_BYTES / 16) << 32 |
                                       (unsigned long long)(LEADING_BYTES / 16) << 16;
  return fixed | (address & 0x3ffffU) >> 4;
}

// The compiler reads a sum not before the wait that this stands behind.
__device__ __forceinline__ void keep_in_order(float& value) { asm volatile("" : "+f"(value)::"memory"); }

// The same of a sum, or of two, in a word.
__device__ __forceinline__ void keep_word_in_order(unsigned& value) { asm volatile("" : "+r"(value)::"memory"); }

// A sum, or two in a word, in a register of its own: the next wgmma writes the one that it lies in.
__device__ __forceinline__ unsigned moved_word(unsigned value) {
  unsigned copy;
  asm volatile("mov.b32 %0, %1;" : "=r"(copy) : "r"(value) : "memory");
  return copy;
}
