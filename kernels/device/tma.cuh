// A tensor's place, extents, pitch, box and swizzle, as the driver writes them (cuTensorMapEncodeTiled).
struct __align__(64) TensorMap {
  unsigned char bytes[128];
};

// The box at (row, column), by one thread; its bytes arrive on the barrier.
// (PTX ISA: cp.async.bulk.tensor, sm_90)
__device__ __forceinline__ void tma_load(unsigned to, const TensorMap* map, int column, int row,
                                         unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}

// To the same place of every CTA whose bit of `ctas` is set; each counts the bytes on its own barrier.
__device__ __forceinline__ void tma_load_multicast(unsigned to, const TensorMap* map, int column, int row,
                                                   unsigned barrier, unsigned short ctas) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(barrier), "h"(ctas)
      : "memory");
}

// A box of shared memory to (row, column), by one thread: after a fence_async_proxy of those who wrote it.
__device__ __forceinline__ void tma_store(const TensorMap* map, int column, int row, unsigned from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
               "r"(column), "r"(row), "r"(from)
               : "memory");
}

// The same of the matrix `matrix` of a batch, by a map of three dimensions.
__device__ __forceinline__ void tma_load_3d(unsigned to, const TensorMap* map, int column, int row, int matrix,
                                            unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(matrix), "r"(barrier)
      : "memory");
}

// To the same place of every CTA whose bit of `ctas` is set, of the matrix `matrix` of a batch.
__device__ __forceinline__ void tma_load_multicast_3d(unsigned to, const TensorMap* map, int column, int row,
                                                      int matrix, unsigned barrier, unsigned short ctas) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(matrix), "r"(barrier), "h"(ctas)
      : "memory");
}

// A box of shared memory to (row, column) of the matrix `matrix` of a batch.
__device__ __forceinline__ void tma_store_3d(const TensorMap* map, int column, int row, int matrix,
                                             unsigned from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map),
               "r"(column), "r"(row), "r"(matrix), "r"(from)
               : "memory");
}

// What this thread stored since the last commit is a group.
__device__ __forceinline__ void tma_store_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until all but PENDING of this thread's groups have read their boxes, which may then be written again.
template <int PENDING>
__device__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

// Waits until at most PENDING of this thread's groups are in flight.
template <int PENDING>
__device__ void tma_store_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(PENDING) : "memory");
}

// What this thread wrote to shared memory is seen by TMA and wgmma.
__device__ __forceinline__ void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The first copy by the map need not wait for it.
__device__ __forceinline__ void prefetch_tensor_map(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}
