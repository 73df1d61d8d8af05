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
