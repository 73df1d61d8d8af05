// SPDX-License-Identifier: BSD-3-Clause
// The kernel with a main() around it: allocates, fills, launches, compares with the definition, times. One .cu that nvcc builds.
#include <fmt/format.h>

#include "kernels/codegen/emit_gemm.hpp"

namespace tessera {

namespace {

std::string element(const BufferSpec& buffer) {
  if (buffer.type == "f16" || buffer.type == "bf16") return "unsigned short";
  if (buffer.type == "f64") return "double";
  if (buffer.type == "s32") return "int";
  if (buffer.type == "s8") return "signed char";
  return buffer.element_bytes == 1 ? "unsigned char" : "float";
}

// Small integers are exact in every type, so the comparison can ask for equality.
std::string literal(const BufferSpec& buffer, const std::string& value) {
  if (buffer.type == "f16") return fmt::format("__half_as_ushort(__int2half_rn({}))", value);
  if (buffer.type == "bf16") return fmt::format("__bfloat16_as_ushort(__int2bfloat16_rn({}))", value);
  return fmt::format("({})({})", element(buffer), value);
}

}  // namespace

std::string standalone_program(const KernelSource& source) {
  const std::string suffix = source.arch_suffix != 0 ? std::string(1, source.arch_suffix) : "";
  const std::string arch = source.least_sm == 0 ? "native" : fmt::format("sm_{}{}", source.least_sm, suffix);
  std::string text = fmt::format(
      "// Build and run: nvcc -std=c++17 -arch={} FILE.cu && ./a.out\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n\n",
      arch);
  const std::size_t reference_kernel = source.reference_text.find("\nextern \"C\"") + 1;  // a name has no line of its own
  text += source.text + "\n";
  // The helpers above the reference kernel may stand in the kernel's own text already.
  const std::string helpers = source.reference_text.substr(0, reference_kernel);
  if (source.text.find("\n__device__ __forceinline__ float f16_to_float(") != std::string::npos) {
    text += source.reference_text.substr(reference_kernel);
  } else {
    text += helpers + source.reference_text.substr(reference_kernel);
  }
  text +=
      fmt::format(R"(
#define CHECK(call)                                                                          \
  if (const cudaError_t e = (call)) {{                                                        \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                          \
    std::exit(1);                                                                            \
  }}

template <class T>
T* to_device(const std::vector<T>& host) {{
  T* device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}}

int main() {{
  std::vector<{a}> a({a_count}LL);
  std::vector<{b}> b({b_count}LL);
  std::vector<{c}> c({c_count}LL);
  unsigned state = 1;
  const auto next = [&] {{ return (int)((state = state * 1664525u + 1013904223u) >> 16) % 9 - 4; }};
  for (auto& x : a) x = {a_value};
  for (auto& x : b) x = {b_value};
  for (auto& x : c) x = {c_value};
  {a}* A = to_device(a);
  {b}* B = to_device(b);
  {c}* C = to_device(c);
  {c}* R = to_device(c);
  CHECK(cudaFuncSetAttribute({entry}, cudaFuncAttributeMaxDynamicSharedMemorySize, {smem}));
  {entry}<<<{grid}, {block}, {smem}>>>(A, B, C, (float){alpha}, (float){beta});
  CHECK(cudaGetLastError());
  {reference}<<<{reference_grid}, {reference_block}>>>(A, B, R, (float){alpha}, (float){beta});
  CHECK(cudaDeviceSynchronize());
  std::vector<{c}> got(c.size()), want(c.size());
  CHECK(cudaMemcpy(got.data(), C, got.size() * sizeof({c}), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(want.data(), R, want.size() * sizeof({c}), cudaMemcpyDeviceToHost));
  long long wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
  std::printf("%lld of %zu elements differ from the definition\n", wrong, got.size());
  return wrong != 0;
}}
)",
                  fmt::arg("a", element(source.a)), fmt::arg("b", element(source.b)), fmt::arg("c", element(source.c)),
                  fmt::arg("a_count", source.a.elements), fmt::arg("b_count", source.b.elements), fmt::arg("c_count", source.c.elements),
                  fmt::arg("a_value", literal(source.a, "next()")), fmt::arg("b_value", literal(source.b, "next()")),
                  fmt::arg("c_value", literal(source.c, "next()")), fmt::arg("entry", source.entry),
                  fmt::arg("reference", source.reference_entry), fmt::arg("smem", source.smem_bytes), fmt::arg("grid", source.grid[0]),
                  fmt::arg("block", source.block[0]), fmt::arg("reference_grid", source.reference_grid[0]),
                  fmt::arg("reference_block", source.reference_block[0]), fmt::arg("alpha", source.alpha), fmt::arg("beta", source.beta));
  return text;
}

}  // namespace tessera
