// SPDX-License-Identifier: BSD-3-Clause
// cuBLASLt speaks of column-major matrices. A row-major C (m x n) is a column-major C^T (n x m), so for it the product is asked for as
// C^T = B^T A^T: the operands change places and each one's "transposed" flag is read from which of its modes is contiguous.
#include "kernels/runtime/measure/cublaslt_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/device/shared_library.hpp"
#include "kernels/runtime/measure/half.hpp"

#if defined(TESSERA_HAVE_CUDA) && __has_include(<cublasLt.h>)
#define TESSERA_HAVE_CUBLASLT 1
#include <cublasLt.h>
#endif

namespace tessera {

namespace {

bool is_float8(const BufferSpec& buffer) { return buffer.type == "e4m3" || buffer.type == "e5m2"; }
bool is_byte(const BufferSpec& buffer) { return buffer.type == "s8" || buffer.type == "u8"; }

std::optional<std::string> not_of_float8(const KernelSource& source) {
  if (source.a.type == "e5m2" && source.b.type == "e5m2") return "it multiplies e4m3 by e4m3 or e5m2, and not e5m2 by e5m2";
  if (!source.blas.a_k_major || !source.blas.b_k_major) return "it multiplies fp8 where A and B both lie along K (TN) alone";
  if (source.accumulator != "f32") return fmt::format("its sums of fp8 are f32; these are {}", source.accumulator);
  if (source.c.type != "f16" && source.c.type != "bf16" && source.c.type != "f32")
    return fmt::format("it stores sums of fp8 as f16, bf16 or f32; C is {}", source.c.type);
  return std::nullopt;
}

std::optional<std::string> not_of_bytes(const KernelSource& source) {
  if (source.a.type != "s8" || source.b.type != "s8") return "of bytes it multiplies signed ones, s8 by s8";
  if (source.c.type != "s32") return fmt::format("its sums of s8 are set up to be stored as s32; C is {}", source.c.type);
  for (const double factor : {source.alpha, source.beta}) {
    if (factor != std::nearbyint(factor)) return fmt::format("it scales sums of s8 by integers; {} is none", factor);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> not_of_cublaslt(const KernelSource& source) {
  if (!source.blas.expressible) return source.blas.reason;
  if (is_float8(source.a) || is_float8(source.b)) return not_of_float8(source);
  if (is_byte(source.a) || is_byte(source.b)) return not_of_bytes(source);
  if (source.a.type != source.b.type) return fmt::format("it multiplies one type; A is {} and B {}", source.a.type, source.b.type);
  for (const BufferSpec* buffer : {&source.a, &source.c}) {
    const std::string& type = buffer->type;
    if (type == "f16" || type == "bf16" || type == "tf32" || type == "f32" || type == "f64") continue;
    return fmt::format("no product of its is set up for elements of {}", type);
  }
  return std::nullopt;
}

#ifndef TESSERA_HAVE_CUBLASLT

Result<std::unique_ptr<Baseline>> make_cublaslt_baseline(Device&, const KernelSource&) {
  return Error{ErrorCode::no_compiler, "this build of Tessera has no cuBLASLt: cublasLt.h was not there when it was built", {}, {}};
}

#else

namespace {

constexpr int most_ways = 8;  // that the heuristic is asked for

struct LtFunctions {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtGetVersion) version = nullptr;
  decltype(&cublasLtMatmulDescCreate) desc_create = nullptr;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;

  bool find_in(const SharedLibrary& library) {
    return library.find(create, "cublasLtCreate") && library.find(destroy, "cublasLtDestroy") &&
           library.find(version, "cublasLtGetVersion") && library.find(desc_create, "cublasLtMatmulDescCreate") &&
           library.find(desc_destroy, "cublasLtMatmulDescDestroy") && library.find(desc_set, "cublasLtMatmulDescSetAttribute") &&
           library.find(layout_create, "cublasLtMatrixLayoutCreate") && library.find(layout_destroy, "cublasLtMatrixLayoutDestroy") &&
           library.find(layout_set, "cublasLtMatrixLayoutSetAttribute") &&
           library.find(preference_create, "cublasLtMatmulPreferenceCreate") &&
           library.find(preference_destroy, "cublasLtMatmulPreferenceDestroy") &&
           library.find(preference_set, "cublasLtMatmulPreferenceSetAttribute") &&
           library.find(heuristic, "cublasLtMatmulAlgoGetHeuristic") && library.find(matmul, "cublasLtMatmul");
  }
};

std::optional<cudaDataType_t> data_type(const std::string& name) {
  if (name == "f16") return CUDA_R_16F;
  if (name == "bf16") return CUDA_R_16BF;
  if (name == "tf32" || name == "f32") return CUDA_R_32F;
  if (name == "f64") return CUDA_R_64F;
  if (name == "s8") return CUDA_R_8I;
  if (name == "s32") return CUDA_R_32I;
#if CUBLAS_VER_MAJOR >= 12
  if (name == "e4m3") return CUDA_R_8F_E4M3;
  if (name == "e5m2") return CUDA_R_8F_E5M2;
#endif
  return std::nullopt;
}

cublasComputeType_t compute_type(const KernelSource& source) {
  if (source.a.type == "f64") return CUBLAS_COMPUTE_64F;
  if (source.a.type == "s8") return CUBLAS_COMPUTE_32I;
  if (source.a.type == "tf32") return CUBLAS_COMPUTE_32F_FAST_TF32;
  if (source.accumulator == "f16") return CUBLAS_COMPUTE_16F;
  return CUBLAS_COMPUTE_32F;
}

// One operand as cuBLASLt wants it: op(X) is rows x columns; stored column-major as it is, or transposed.
struct Operand {
  bool transposed = false;
  std::uint64_t rows = 0, columns = 0;  // of what is stored
  std::int64_t ld = 0;
};

class LtBaseline final : public Baseline {
 public:
  LtBaseline(const LtFunctions& lt, DeviceBuffer workspace, void* stream) : lt_(lt), workspace_(std::move(workspace)), stream_(stream) {}
  ~LtBaseline() override {
    for (cublasLtMatrixLayout_t layout : {layout_a_, layout_b_, layout_c_}) {
      if (layout != nullptr) lt_.layout_destroy(layout);
    }
    if (desc_ != nullptr) lt_.desc_destroy(desc_);
    if (handle_ != nullptr) lt_.destroy(handle_);
  }

  std::string name() const override { return name_; }
  int ways() const override { return static_cast<int>(algorithms_.size()); }

  Status set_up(const KernelSource& source) {
    const BlasProblem& p = source.blas;
    swapped_ = p.c_row_major;
    scale_is_double_ = source.a.type == "f64";
    scale_is_half_ = compute_type(source) == CUBLAS_COMPUTE_16F;
    scale_is_integer_ = compute_type(source) == CUBLAS_COMPUTE_32I;
    sign_ = p.sign;
    const std::int64_t m = swapped_ ? p.n : p.m, n = swapped_ ? p.m : p.n;
    // Column-major op(A) is m x k. Of ours, A as stored is column-major (m x k) when M is contiguous, else its transpose (k x m).
    const Operand of_a = p.a_k_major ? Operand{true, u64(p.k), u64(p.m), p.lda} : Operand{false, u64(p.m), u64(p.k), p.lda};
    const Operand of_b = p.b_k_major ? Operand{false, u64(p.k), u64(p.n), p.ldb} : Operand{true, u64(p.n), u64(p.k), p.ldb};
    // For C^T = B^T A^T each operand's transpose is asked for instead.
    const Operand first = swapped_ ? flipped(of_b) : of_a, second = swapped_ ? flipped(of_a) : of_b;
    const cudaDataType_t first_type = *data_type(swapped_ ? source.b.type : source.a.type);
    const cudaDataType_t second_type = *data_type(swapped_ ? source.a.type : source.b.type);
    const cudaDataType_t scale = scale_is_double_ ? CUDA_R_64F : scale_is_half_ ? CUDA_R_16F : scale_is_integer_ ? CUDA_R_32I : CUDA_R_32F;
    // Sums of fp8 as the tensor cores keep them, which is what the kernels do that are compared.
    const std::int8_t fast = is_float8(source.a) ? 1 : 0;
    const cublasOperation_t op_a = first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasStatus_t s = lt_.create(&handle_);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.desc_create(&desc_, compute_type(source), scale);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, sizeof op_b);
    if (s == CUBLAS_STATUS_SUCCESS && fast != 0) s = lt_.desc_set(desc_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.layout_create(&layout_a_, first_type, first.rows, first.columns, first.ld);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.layout_create(&layout_b_, second_type, second.rows, second.columns, second.ld);
    if (s == CUBLAS_STATUS_SUCCESS) s = lt_.layout_create(&layout_c_, *data_type(source.c.type), u64(m), u64(n), p.ldc);
    if (s == CUBLAS_STATUS_SUCCESS && p.batch > 1) {
      s = set_batch(layout_a_, p.batch, swapped_ ? p.batch_b : p.batch_a);
      if (s == CUBLAS_STATUS_SUCCESS) s = set_batch(layout_b_, p.batch, swapped_ ? p.batch_a : p.batch_b);
      if (s == CUBLAS_STATUS_SUCCESS) s = set_batch(layout_c_, p.batch, p.batch_c);
    }
    if (s != CUBLAS_STATUS_SUCCESS) return refused("describing the problem", s);
    return choose();
  }

  Status launch(int way, DevicePointer a, DevicePointer b, DevicePointer c, double factor, double beta) override {
    const double alpha = sign_ * factor;
    const auto* first = reinterpret_cast<const void*>(swapped_ ? b : a);
    const auto* second = reinterpret_cast<const void*>(swapped_ ? a : b);
    auto* output = reinterpret_cast<void*>(c);
    const float alpha_single = static_cast<float>(alpha), beta_single = static_cast<float>(beta);
    const std::uint16_t alpha_half = half_bits(alpha), beta_half = half_bits(beta);
    const auto alpha_integer = static_cast<std::int32_t>(alpha), beta_integer = static_cast<std::int32_t>(beta);
    const auto scale = [this](const double& wide, const float& single, const std::uint16_t& half, const std::int32_t& integer) {
      return scale_is_double_    ? static_cast<const void*>(&wide)
             : scale_is_half_    ? static_cast<const void*>(&half)
             : scale_is_integer_ ? static_cast<const void*>(&integer)
                                 : static_cast<const void*>(&single);
    };
    const void* const scale_a = scale(alpha, alpha_single, alpha_half, alpha_integer);
    const void* const scale_b = scale(beta, beta_single, beta_half, beta_integer);
    const cublasStatus_t s =
        lt_.matmul(handle_, desc_, scale_a, first, layout_a_, second, layout_b_, scale_b, output, layout_c_, output, layout_c_,
                   &algorithms_[static_cast<std::size_t>(way)], reinterpret_cast<void*>(workspace_.pointer()),
                   static_cast<std::size_t>(workspace_.bytes()), static_cast<cudaStream_t>(stream_));
    if (s != CUBLAS_STATUS_SUCCESS) return refused("launching", s);
    return Done{};
  }

 private:
  static std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  static Operand flipped(Operand operand) {
    operand.transposed = !operand.transposed;
    return operand;
  }
  static Error refused(const std::string& doing, cublasStatus_t status) {
    return Error{ErrorCode::launch_failed,
                 fmt::format("cuBLASLt refused the problem (status {} while {})", static_cast<int>(status), doing),
                 {},
                 {}};
  }

  cublasStatus_t set_batch(cublasLtMatrixLayout_t layout, std::int64_t batch, std::int64_t elements) const {
    const auto count = static_cast<std::int32_t>(batch);
    const cublasStatus_t s = lt_.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
    if (s != CUBLAS_STATUS_SUCCESS) return s;
    return lt_.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &elements, sizeof elements);
  }

  // The heuristic's proposals, in its order; a caller of cuBLAS gets the first.
  Status choose() {
    cublasLtMatmulPreference_t preference = nullptr;
    cublasStatus_t s = lt_.preference_create(&preference);
    if (s != CUBLAS_STATUS_SUCCESS) return refused("stating a preference", s);
    const std::uint64_t bytes = u64(workspace_.bytes());
    lt_.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
    std::array<cublasLtMatmulHeuristicResult_t, most_ways> results{};
    int found = 0;
    s = lt_.heuristic(handle_, desc_, layout_a_, layout_b_, layout_c_, layout_c_, preference, most_ways, results.data(), &found);
    lt_.preference_destroy(preference);
    for (int i = 0; s == CUBLAS_STATUS_SUCCESS && i < std::min(found, most_ways); ++i) {
      const cublasLtMatmulHeuristicResult_t& result = results[static_cast<std::size_t>(i)];
      if (result.state == CUBLAS_STATUS_SUCCESS) algorithms_.push_back(result.algo);
    }
    if (algorithms_.empty()) return refused("choosing an algorithm", s);
    const std::size_t version = lt_.version();  // 130100 for 13.1.0
    name_ = fmt::format("cuBLASLt {}.{}, top-1 heuristic", version / 10000, version / 100 % 100);
    return Done{};
  }

  LtFunctions lt_;
  DeviceBuffer workspace_;
  void* stream_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t desc_ = nullptr;
  cublasLtMatrixLayout_t layout_a_ = nullptr, layout_b_ = nullptr, layout_c_ = nullptr;
  std::vector<cublasLtMatmulAlgo_t> algorithms_;
  bool swapped_ = false, scale_is_double_ = false, scale_is_half_ = false, scale_is_integer_ = false;
  double sign_ = 1;
  std::string name_;
};

}  // namespace

Result<std::unique_ptr<Baseline>> make_cublaslt_baseline(Device& device, const KernelSource& source) {
  if (const auto why = not_of_cublaslt(source))
    return Error{ErrorCode::bad_spec, fmt::format("cuBLASLt has no such product: {}", *why), {}, {}};
  for (const BufferSpec* buffer : {&source.a, &source.b, &source.c}) {
    if (!data_type(buffer->type)) return Error{ErrorCode::bad_spec, fmt::format("no baseline is set up for type {}", buffer->type), {}, {}};
  }
  TESSERA_TRY(library, SharedLibrary::open({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so"},
                                           ErrorCode::no_compiler, "no cuBLASLt on this machine, so there is no baseline to compare with"));
  LtFunctions lt;
  if (!lt.find_in(library)) return Error{ErrorCode::no_compiler, fmt::format("{} is too old for a baseline", library.path()), {}, {}};
  TESSERA_TRY(workspace, DeviceBuffer::make(device, 64 << 20));
  auto baseline = std::make_unique<LtBaseline>(lt, std::move(workspace), device.stream());
  TESSERA_CHECK(baseline->set_up(source));
  return std::unique_ptr<Baseline>(std::move(baseline));
}

#endif

}  // namespace tessera
