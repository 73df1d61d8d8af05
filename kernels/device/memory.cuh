// Where `pointer` lies in shared memory, as PTX wants it: in bytes, 32 bits.
__device__ __forceinline__ unsigned smem_address(const void* pointer) {
  unsigned long long address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
  return (unsigned)address;
}

// Copies BYTES (4, 8 or 16) from global to shared memory (PTX ISA: cp.async, sm_80); 16 bytes go past L1.
template <int BYTES>
__device__ void cp_async(unsigned to, const void* from) {
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
  }
}

// What this thread copied since the last commit is a group.
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most PENDING of this thread's groups are in flight.
template <int PENDING>
__device__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// The same, but only the first `bytes` are read: zeros take the place of the others.
template <int BYTES>
__device__ void cp_async_first(unsigned to, const void* from, int bytes) {
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(from), "r"(bytes), "n"(BYTES) : "memory");
  }
}

// The first `bytes` of one or several 32-bit words, and zeros behind them.
template <class T>
__device__ T first_bytes(T x, int bytes) {
  unsigned(&words)[sizeof(T) / 4] = reinterpret_cast<unsigned(&)[sizeof(T) / 4]>(x);
  #pragma unroll
  for (int i = 0; i < (int)(sizeof(T) / 4); ++i) {
    const int inside = bytes - 4 * i;
    words[i] = inside >= 4 ? words[i] : inside <= 0 ? 0U : words[i] & ((1U << 8 * inside) - 1);
  }
  return x;
}
