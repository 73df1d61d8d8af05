// SPDX-License-Identifier: BSD-3-Clause
// A file of kernels/device is a list of functions and types with an empty line between two; a kernel has those that its
// text needs, and what these need.
#include "kernels/codegen/device_functions.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/device_text.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

namespace {

struct DeviceFunction {
  std::string text;       // with its comment
  std::string signature;  // template <int BYTES> __device__ void cp_async(unsigned to, const void* from)
  std::string name;
  bool is_type = false;
};

// Names of element types, in the order in which they are declared: what they are, and what that is.
constexpr std::pair<std::string_view, std::pair<std::string_view, std::string_view>> kTypes[] = {
    {"e4m3_t", {"unsigned char", "8 bits: a sign, 4 of exponent, 3 of mantissa"}},
    {"e5m2_t", {"unsigned char", "8 bits: a sign, 5 of exponent, 2 of mantissa"}},
    {"half_t", {"unsigned short", "16 bits of fp16"}},
    {"bf16_t", {"unsigned short", "16 bits of bf16"}},
};

constexpr std::string_view kFragment = "FragmentC";

DeviceFunction function_of(std::string_view text) {
  DeviceFunction function;
  function.text = text;
  std::size_t begin = 0;
  while (text.substr(begin).starts_with("//")) begin = text.find('\n', begin) + 1;
  std::string_view signature = text.substr(begin, text.find(" {", begin) - begin);
  for (const char c : signature) {  // on one line
    if (c != '\n' && (c != ' ' || !function.signature.ends_with(' '))) function.signature += c;
    if (c == '\n') function.signature += ' ';
  }
  constexpr std::string_view kInline = "__forceinline__ ";
  if (const std::size_t at = function.signature.find(kInline); at != std::string::npos) function.signature.erase(at, kInline.size());
  function.is_type = function.signature.starts_with("struct ");  // struct __align__(64) TensorMap
  const std::size_t end = function.is_type ? function.signature.size() : function.signature.find('('),
                    start = function.signature.rfind(' ', end) + 1;
  function.name = function.signature.substr(start, end - start);
  return function;
}

void append_functions(std::vector<DeviceFunction>& functions, std::string_view file) {
  while (!file.empty()) {
    const std::size_t gap = file.find("\n\n");
    functions.push_back(function_of(file.substr(0, gap == std::string_view::npos ? file.size() : gap + 1)));
    file = gap == std::string_view::npos ? std::string_view() : file.substr(gap + 2);
  }
}

// The numbers behind the descriptors and the predicate: of floating point the signs of a and b, and of 16 bits which is MN-major.
std::string wgmma_immediates(const MmaAtom& atom) {
  const auto sign = [](bool negative) { return negative ? -1 : 1; };
  std::string text;
  if (atom.val_c != ValueType::i32) text += fmt::format(", {}, {}", sign(atom.negative_a), sign(atom.negative_b));
  if (bits(atom.val_a) == 16) text += fmt::format(", {}, {}", int{atom.mn_major_a}, int{atom.mn_major_b});
  return text;
}

// d += a * b of a warpgroup, both operands in shared memory; where accumulate is 0, d = a * b.
std::string wgmma_function(const MmaAtom& atom) {
  const int count = atom.registers_c.count;
  const bool floats = atom.registers_c.type == "float";
  const std::string product = product_sign(atom) < 0 ? "-a * b" : "a * b";
  Lines lines(0);
  lines.comment(
      fmt::format("{}, or d = {} where accumulate is 0: {}", product_sign(atom) < 0 ? "d -= a * b" : "d += a * b", product, atom.name));
  lines.open(fmt::format("__device__ __forceinline__ void wgmma({}* d, unsigned long long a, unsigned long long b, int accumulate)",
                         floats ? "float" : "unsigned"));
  constexpr int kALine = 14;  // operands: a literal is not broken
  const std::string in = "             ";
  std::string bound;
  for (int i = 0; i < count; ++i) bound += fmt::format("{}\"+{}\"(d[{}])", i ? ", " : "", floats ? 'f' : 'r', i);
  lines.add(fmt::format("asm volatile(\"{{ .reg .pred p; setp.ne.b32 p, %{}, 0; \"", count + 2));
  lines.add(fmt::format("{}\"{} \"", in, atom.ptx));
  for (int i = 0; i < count; i += kALine) {
    std::string sums;
    for (int j = i; j < std::min(count, i + kALine); ++j) sums += fmt::format("%{}{}", j, j + 1 < count ? ", " : "}, ");
    lines.add(fmt::format("{}\"{}{}\"", in, i == 0 ? "{" : "", sums));
  }
  lines.add(fmt::format("{}\"%{}, %{}, p{}; }}\"", in, count, count + 1, wgmma_immediates(atom)));
  lines.add(fmt::format("{}: {}", in, bound));
  lines.add(fmt::format("{}: \"l\"(a), \"l\"(b), \"r\"(accumulate));", in));
  lines.close();
  return lines.text();
}

// The fragments of a warp, which only CUDA's header knows.
std::string fragment_types(const MmaAtom& atom) {
  const std::string element = atom.val_a == ValueType::f16 ? "__half" : "__nv_bfloat16";
  const std::string shape = fmt::format("{}, {}, {}", shape_extent(atom, 0), shape_extent(atom, 1), shape_extent(atom, 2));
  const auto type = [&](char name, const char* use, const std::string& of, const char* order) {
    return fmt::format("using Fragment{} = nvcuda::wmma::fragment<nvcuda::wmma::{}, {}, {}{}>;\n", name, use, shape, of, order);
  };
  return "#include <mma.h>\n" +
         type('A', "matrix_a", element, atom.mn_major_a ? ", nvcuda::wmma::col_major" : ", nvcuda::wmma::row_major") +
         type('B', "matrix_b", element, atom.mn_major_b ? ", nvcuda::wmma::row_major" : ", nvcuda::wmma::col_major") +
         type('C', "accumulator", "float", "");
}

// d += a * b by the atom's instruction, an operand's registers in braces.
std::string mma_function(const MmaAtom& atom) {
  const auto constraint = [](const std::string& type) { return type == "float" ? 'f' : type == "double" ? 'd' : 'r'; };
  const auto cpp = [](const std::string& type) { return type == "float" || type == "double" ? type : std::string("unsigned"); };
  const RegisterUse &d = atom.registers_c, &a = atom.registers_a, &b = atom.registers_b;
  Lines lines(0);
  lines.comment(fmt::format("d += a * b: {}", atom.name));
  if (atom.kind == MmaKind::wmma) {
    lines.open("__device__ __forceinline__ void mma(FragmentC& d, const FragmentA& a, const FragmentB& b)");
    lines.add("nvcuda::wmma::mma_sync(d, a, b, d);");
    lines.close();
    return lines.text();
  }
  lines.open(fmt::format("__device__ __forceinline__ void mma({}* d, const {}* a, const {}* b)", cpp(d.type), cpp(a.type), cpp(b.type)));
  if (atom.kind == MmaKind::fma) {
    lines.add("d[0] += a[0] * b[0];");
    lines.close();
    return lines.text();
  }
  if (atom.kind == MmaKind::wgmma) return wgmma_function(atom);
  int operand = 0;
  const auto list = [&](int count) {
    std::string braces = "{";
    for (int i = 0; i < count; ++i) braces += fmt::format("{}%{}", i ? ", " : "", operand++);
    return braces + "}";
  };
  const std::string d_list = list(d.count), a_list = list(a.count), b_list = list(b.count);
  const auto bind = [](const char* prefix, char kind, const char* array, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += fmt::format("{}\"{}{}\"({}[{}])", i ? ", " : "", prefix, kind, array, i);
    return out;
  };
  const std::string in = "             ";
  lines.add(fmt::format("asm volatile(\"{} \"", atom.ptx));
  lines.add(fmt::format("{}\"{}, {}, {}, \"", in, d_list, a_list, b_list));
  lines.add(fmt::format("{}\"{};\"", in, d_list));
  lines.add(fmt::format("{}: {}", in, bind("+", constraint(d.type), "d", d.count)));
  lines.add(fmt::format("{}: {}, {});", in, bind("", constraint(a.type), "a", a.count), bind("", constraint(b.type), "b", b.count)));
  lines.close();
  return lines.text();
}

}  // namespace

DeviceFunctions device_functions(Needs needs, const MmaAtom* atom) {
  std::vector<DeviceFunction> functions;
  for (const std::string_view file :
       {device_text::memory, device_text::mbarrier, device_text::cluster, device_text::tma, device_text::ldmatrix, device_text::stmatrix,
        device_text::wgmma, device_text::wmma, device_text::registers, device_text::swizzle, device_text::convert})
    append_functions(functions, file);
  const std::string mma = atom ? mma_function(*atom) : "";
  if (atom) functions.push_back(function_of(mma));
  // What the files' own texts name is the same for every kernel.
  const std::function<void(const DeviceFunction&)> ask = [&](const DeviceFunction& caller) {
    for (const DeviceFunction& function : functions) {
      if (needs.contains(function.name) || !has_word(caller.text, function.name)) continue;
      needs(function.name);
      ask(function);
    }
    for (const std::string_view type : {kTypes[0].first, kTypes[1].first, kTypes[2].first, kTypes[3].first, kFragment}) {
      if (has_word(caller.text, type)) needs(type);
    }
  };
  for (const DeviceFunction& function : functions) {
    if (needs.contains(function.name)) ask(function);
  }
  DeviceFunctions result;
  Lines declarations(0);
  for (const DeviceFunction& function : functions) {
    if (!needs.contains(function.name)) continue;
    if (function.is_type) {
      result.types += function.text;
      continue;
    }
    declarations.add(function.signature + ";");
    result.definitions += "\n" + function.text;
  }
  result.declarations = declarations.text();
  if (atom != nullptr && atom->kind == MmaKind::wmma && needs.contains(kFragment)) result.types = fragment_types(*atom) + result.types;
  for (const auto& [type, is] : kTypes) {
    if (needs.contains(type)) result.types += fmt::format("typedef {} {};  // {}\n", is.first, type, is.second);
  }
  return result;
}

}  // namespace tessera::emitting
