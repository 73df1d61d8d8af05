// The registers of a thread, for all of a warpgroup (PTX ISA: setmaxnreg, sm_90a): waits until another has
// given them back.
template <int COUNT>
__device__ void raise_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT) : "memory");
}

// Gives back what the warpgroup has above COUNT registers a thread.
template <int COUNT>
__device__ void lower_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT) : "memory");
}

// So many threads of the CTA arrive; these wait for all of them. Barrier 0 is __syncthreads' own.
__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// The same without waiting.
__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
