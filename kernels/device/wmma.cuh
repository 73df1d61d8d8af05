// A fragment of fp16 from rows that are `distance` elements apart, by a whole warp (nvcuda::wmma, sm_70).
template <class Fragment>
__device__ void load_matrix_f16(Fragment& to, const half_t* from, int distance) {
  nvcuda::wmma::load_matrix_sync(to, reinterpret_cast<const __half*>(from), distance);
}

// A fragment of bf16 from rows that are `distance` elements apart, by a whole warp (nvcuda::wmma, sm_80).
template <class Fragment>
__device__ void load_matrix_bf16(Fragment& to, const bf16_t* from, int distance) {
  nvcuda::wmma::load_matrix_sync(to, reinterpret_cast<const __nv_bfloat16*>(from), distance);
}

// A fragment of sums to rows that are `distance` elements apart, by a whole warp (nvcuda::wmma, sm_70).
template <class Fragment>
__device__ void store_matrix(float* to, const Fragment& from, int distance) {
  nvcuda::wmma::store_matrix_sync(to, from, distance, nvcuda::wmma::mem_row_major);
}
