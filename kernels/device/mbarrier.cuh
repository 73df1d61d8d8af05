// A phase ends with this many arrivals and every byte that was announced (PTX ISA: mbarrier, sm_80).
__device__ __forceinline__ void mbarrier_init(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Until here, what was initialised is not seen by the cluster's other CTAs, nor by TMA.
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// An arrival that also announces bytes.
__device__ __forceinline__ void mbarrier_expect(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void mbarrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// On the same barrier of a CTA of the cluster. Spelled out, .release.cluster would be a fence of all memory.
__device__ __forceinline__ void mbarrier_arrive_at(unsigned barrier, unsigned cta) {
  asm volatile(
      "{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; "
      "mbarrier.arrive.shared::cluster.b64 _, [r]; }" ::"r"(barrier),
      "r"(cta)
      : "memory");
}

// Until the phase of this parity is over: 0 is the first one's; 1 is over on a barrier that is in its first.
__device__ __forceinline__ void mbarrier_wait(unsigned barrier, int phase) {
  unsigned is_over = 0;
  while (!is_over) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(is_over)
        : "r"(barrier), "r"(phase)
        : "memory");
  }
}
