// A matrix of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x1(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(row)
               : "memory");
}

// Two matrices of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x2(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}

// Four matrices of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x4(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}

// A matrix, transposed, of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x1_trans(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(row)
               : "memory");
}

// Two matrices, transposed, of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x2_trans(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}

// Four matrices, transposed, of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x4_trans(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
