// A matrix of 8x8 16-bit elements (PTX ISA: stmatrix, sm_90).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void stmatrix_x1(unsigned row, const unsigned* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(r[0]) : "memory");
}

// Two matrices of 8x8 16-bit elements (PTX ISA: stmatrix, sm_90).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void stmatrix_x2(unsigned row, const unsigned* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(row), "r"(r[0]), "r"(r[1])
               : "memory");
}

// Four matrices of 8x8 16-bit elements (PTX ISA: stmatrix, sm_90).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void stmatrix_x4(unsigned row, const unsigned* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}
