// SPDX-License-Identifier: BSD-3-Clause
// The kernel with a main() around it: allocates, fills, launches, compares with the definition. One .cu that nvcc builds.
#include <fmt/format.h>

#include <array>
#include <string>

#include "kernels/codegen/emit_gemm.hpp"

namespace tessera {

namespace {

constexpr const char* kProgram = R"(// Build and run: nvcc -std=c++17 {arch} FILE.cu{library} && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
{includes}
{kernel_text}
namespace definition {{

{reference_text}
}}  // namespace definition

void check(cudaError_t error, const char* what) {{
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}}

// Whole units of 16 bytes: a copy that takes only the first bytes of its 16 may end behind the last row,
// which compute-sanitizer counts as a read.
template <class T>
T* to_device(const std::vector<T>& host) {{
  T* device = nullptr;
  check(cudaMalloc(&device, (host.size() * sizeof(T) + 15) / 16 * 16), "allocating");
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copying");
  return device;
}}

template <class T>
std::vector<T> to_host(const T* device, std::size_t size) {{
  std::vector<T> host(size);
  check(cudaMemcpy(host.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost), "copying back");
  return host;
}}

{map_function}// -1, 0 and 1, and factors that are powers of two: sums are exact in any order, so every element of C must
// equal the definition's.
int main() {{
  const auto kernel = {entry};
  const auto reference = definition::{reference};
  const float alpha = {alpha}, beta = {beta};
  unsigned state = 1;
  const auto next = [&] {{ return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; }};
  std::vector<{a}> a({a_count}LL);
  std::vector<{b}> b({b_count}LL);
  std::vector<{c}> c({c_count}LL);
  for (auto& x : a) x = {a_value};
  for (auto& x : b) x = {b_value};
  for (auto& x : c) x = {c_value};
  {a}* const A = to_device(a);
  {b}* const B = to_device(b);
  {c}* const C = to_device(c);
  {c}* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {smem}), "shared memory");
  kernel<<<{grid}, {block}, {smem}>>>({operands}, alpha, beta{extents});
  check(cudaGetLastError(), "launching");
  reference<<<{reference_grid}, {reference_block}>>>(A, B, R, alpha, beta{extents}, nullptr);
  check(cudaDeviceSynchronize(), "running");
  const std::vector<{c}> got = to_host(C, c.size()), want = to_host(R, c.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
  std::printf("%zu of %zu elements differ from the definition\n", wrong, got.size());
  return wrong != 0;
}}
)";

// Where the kernel takes tensor maps: the driver writes them.
constexpr const char* kTensorMap = R"(// A matrix of rows as TMA is told of it, in boxes swizzled by rows of 128 bytes.
TensorMap tensor_map(void* base, CUtensorMapDataType type, long long rows, long long columns,
                     long long pitch_bytes, int box_rows, int box_columns, int dimensions = 2,
                     long long matrices = 1, long long batch_bytes = 0) {
  const cuuint64_t extents[] = {(cuuint64_t)columns, (cuuint64_t)rows, (cuuint64_t)matrices};
  const cuuint64_t pitch[] = {(cuuint64_t)pitch_bytes, (cuuint64_t)batch_bytes};
  const cuuint32_t box[] = {(cuuint32_t)box_columns, (cuuint32_t)box_rows, 1}, steps[] = {1, 1, 1};
  CUtensorMap written;
  if (cuTensorMapEncodeTiled(&written, type, dimensions, base, extents, pitch, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::fprintf(stderr, "the driver refuses a tensor map\n");
    std::exit(1);
  }
  TensorMap map;
  static_assert(sizeof map == sizeof written, "128 bytes");
  std::memcpy(&map, &written, sizeof map);
  return map;
}

)";

// The driver's name of an element type; TMA rounds floats to tf32 on their way.
const char* map_type(const std::string& type) {
  if (type == "f16") return "FLOAT16";
  if (type == "bf16") return "BFLOAT16";
  if (type == "tf32") return "TFLOAT32";
  if (type == "s32") return "INT32";
  return type == "f32" ? "FLOAT32" : "UINT8";
}

// What the kernel is given: the buffers, or maps of them.
std::string operands(const KernelSource& source) {
  if (source.maps.empty()) return "A, B, C";
  std::string text;
  for (const TensorMapSpec& map : source.maps)
    text += fmt::format("{}tensor_map({}, CU_TENSOR_MAP_DATA_TYPE_{}, {}, {}, {}, {}, {}{})", text.empty() ? "\n      " : ",\n      ",
                        "ABC"[map.buffer], map_type(map.type), map.rows, map.columns, map.pitch_bytes, map.box_rows, map.box_columns,
                        map.dimensions == 3 ? fmt::format(", 3, {}, {}", map.matrices, map.batch_bytes) : "");
  if (source.takes_c) text += ", C";
  return text;
}

std::string grid(const std::array<unsigned, 3>& grid) {
  return grid[2] == 1 ? fmt::format("{}", grid[0]) : fmt::format("dim3({}, 1, {})", grid[0], grid[2]);
}

// A kernel that takes maps does not name its elements.
std::string element(const BufferSpec& buffer, bool maps = false) {
  if (maps && buffer.element_bytes == 2) return "unsigned short";
  if (!maps && (buffer.type == "e4m3" || buffer.type == "e5m2")) return buffer.type + "_t";
  if (buffer.type == "f16") return "half_t";
  if (buffer.type == "bf16") return "bf16_t";
  if (buffer.type == "f64") return "double";
  if (buffer.type == "s32") return "int";
  if (buffer.type == "s8") return "signed char";
  return buffer.element_bytes == 1 ? "unsigned char" : "float";
}

std::string literal(const BufferSpec& buffer, const std::string& value, bool maps) {
  // The bits of -1, 0 and 1.
  if (buffer.type == "e4m3") return fmt::format(R"x(({})"\xb8\x00\x38"[{} + 1])x", element(buffer, maps), value);
  if (buffer.type == "e5m2") return fmt::format(R"x(({})"\xbc\x00\x3c"[{} + 1])x", element(buffer, maps), value);
  if (buffer.type == "f16") return fmt::format("__half_as_ushort(__int2half_rn({}))", value);
  if (buffer.type == "bf16") return fmt::format("__bfloat16_as_ushort(__int2bfloat16_rn({}))", value);
  return element(buffer) == "int" ? value : fmt::format("({}){}", element(buffer), value);
}

}  // namespace

std::string standalone_program(const KernelSource& source) {
  // What one architecture alone has must not be compiled for its family as well.
  const std::string sm = fmt::format("{}{}", source.least_sm, source.arch_suffix != 0 ? std::string(1, source.arch_suffix) : "");
  const std::string arch = source.arch_suffix != 0 ? fmt::format("-gencode arch=compute_{0},code=sm_{0}", sm)
                           : source.least_sm == 0  ? "-arch=native"
                                                   : "-arch=sm_" + sm;
  const auto has = [&](const char* type) { return source.a.type == type || source.b.type == type || source.c.type == type; };
  // A factor of 1 or 0 the kernel may not read; any other is an argument, and so may be one that rounds nothing.
  const auto factor = [](double asked, double exact) { return asked == 1.0 || asked == 0.0 ? asked : exact; };
  const bool maps = !source.maps.empty();
  std::string extents;
  for (const ExtentArgument& extent : source.extents) extents += fmt::format(", {}{}", extent.value, extent.is_wide ? "LL" : "");
  const std::string includes = std::string(maps ? "#include <cstring>\n#include <cuda.h>\n" : "") +
                               (has("f16") ? "#include <cuda_fp16.h>\n" : "") + (has("bf16") ? "#include <cuda_bf16.h>\n" : "");
  return fmt::format(kProgram, fmt::arg("arch", arch), fmt::arg("includes", includes), fmt::arg("library", maps ? " -lcuda" : ""),
                     fmt::arg("map_function", maps ? kTensorMap : ""), fmt::arg("operands", operands(source)), fmt::arg("extents", extents),
                     fmt::arg("kernel_text", source.text), fmt::arg("reference_text", source.reference_text),
                     fmt::arg("a", element(source.a, maps)), fmt::arg("b", element(source.b, maps)), fmt::arg("c", element(source.c, maps)),
                     fmt::arg("a_count", source.a.elements), fmt::arg("b_count", source.b.elements), fmt::arg("c_count", source.c.elements),
                     fmt::arg("a_value", literal(source.a, "next()", maps)), fmt::arg("b_value", literal(source.b, "next()", maps)),
                     fmt::arg("c_value", literal(source.c, "next()", maps)), fmt::arg("entry", source.entry),
                     fmt::arg("reference", source.reference_entry), fmt::arg("smem", source.smem_bytes),
                     fmt::arg("grid", grid(source.grid)), fmt::arg("block", source.block[0]),
                     fmt::arg("reference_grid", grid(source.reference_grid)), fmt::arg("reference_block", source.reference_block[0]),
                     fmt::arg("alpha", factor(source.alpha, 2)), fmt::arg("beta", factor(source.beta, -1)));
}

}  // namespace tessera
