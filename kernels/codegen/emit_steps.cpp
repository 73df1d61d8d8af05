// SPDX-License-Identifier: BSD-3-Clause
// The four steps of a CTA as text. Every index comes from a layout of the plan.
#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "kernels/codegen/emit_steps.hpp"
#include "kernels/codegen/index_expr.hpp"

namespace tessera::emitting {

namespace {

// The type that moves `bits` at once.
std::string access_type(std::int64_t bits) {
  switch (bits) {
    case 8: return "unsigned char";
    case 16: return "unsigned short";
    case 32: return "unsigned";
    case 64: return "uint2";
    default: return "uint4";
  }
}

// Elements to registers: strides in elements become strides in registers.
Layout in_registers(const Layout& mode, std::int64_t packed) {
  std::vector<IntTuple> shapes, strides;
  append_leaves(mode.shape(), shapes);
  for (const std::int64_t stride : leaf_values(mode.stride())) strides.emplace_back(stride / packed);
  return Layout::trusted(IntTuple::tuple(shapes), IntTuple::tuple(strides));
}

struct OperandNames {
  char mode;               // 'A' or 'B'
  std::string gmem, smem;  // tAgA, tAsA
  std::string read;        // tCsA
  std::string registers;   // tCrA
  std::string extent;      // MMA_M or MMA_N
};

OperandNames names(bool a) {
  return a ? OperandNames{'A', "tAgA", "tAsA", "tCsA", "tCrA", "MMA_M"} : OperandNames{'B', "tBgB", "tBsB", "tCsB", "tCrB", "MMA_N"};
}

Address write_address(const GmemToSmemStep& step, const OperandNames& n) { return {n.smem, step.smem, {"vec", "copy"}, {step.vector, 1}}; }

Address read_address(const SmemToRmemStep& step, const OperandNames& n) {
  const bool matrix = step.instruction != SmemToRmem::load;
  return {n.read, step.smem, {matrix ? "row" : "load", "copy", "k"}, {step.vector, 1, 1}};
}

void emit_matrix_load(const SmemToRmemStep& step, const OperandNames& n, std::int64_t packed, Lines& lines) {
  std::string arguments;
  for (std::int64_t i = 0; i < step.matrices; ++i) {
    const std::string index =
        sum({fmt::format("{}", step.rmem[0](i * packed) / packed), index_expr(in_registers(step.rmem[1], packed), "copy"),
             index_expr(in_registers(step.rmem[2], packed), "k")});
    arguments += fmt::format("{}[{}], ", n.registers, index);
  }
  const char* suffix = step.instruction == SmemToRmem::ldmatrix_trans ? "_trans" : "";
  lines.add(fmt::format("ldmatrix_x{}{}({}s{}_read + {} * {});", step.matrices, suffix, arguments, n.mode,
                        in_parentheses(read_address(step, n).at()), 2));
}

// Loads of `vector` elements; two or four narrow elements are packed into a register by hand.
void emit_plain_load(const SmemToRmemStep& step, const OperandNames& n, ValueType type, const TypeText& text, Lines& lines) {
  const std::string base = fmt::format("s{}_read + {}", n.mode, read_address(step, n).at());
  const auto register_index = [&](const std::string& value_expr) {
    return sum({value_expr, index_expr(in_registers(step.rmem[1], text.packed), "copy"),
                index_expr(in_registers(step.rmem[2], text.packed), "k")});
  };
  if (step.vector >= text.packed) {
    const std::int64_t registers = step.vector / text.packed, loads = step.values / step.vector;
    lines.unroll("load", loads);
    const std::string access = type == ValueType::f64 ? (registers == 1 ? "double" : "double2") : access_type(step.vector * bits(type));
    lines.add(fmt::format("const {0} words = *reinterpret_cast<const {0}*>({1});", access, base));
    const char* fields[] = {"words.x", "words.y", "words.z", "words.w"};
    for (std::int64_t r = 0; r < registers; ++r) {
      const std::string first = loads == 1 ? "0" : registers == 1 ? "load" : fmt::format("load * {}", registers);
      const std::string word = registers == 1 ? "words" : fields[r];
      const std::string value = text.reg == "float" ? fmt::format("__uint_as_float({})", word) : word;
      lines.add(fmt::format("{}[{}] = {};", n.registers, register_index(sum({first, fmt::format("{}", r)})), value));
    }
    lines.close();
    return;
  }
  lines.unroll("word", step.values / text.packed);
  lines.add(fmt::format("unsigned packed = 0;  // {} elements of {}", text.packed, short_name(type)));
  lines.unroll("part", text.packed);
  lines.add(fmt::format("const int load = word * {} + part;", text.packed));
  lines.add(fmt::format("packed |= (unsigned)*reinterpret_cast<const {}*>({}) << (part * {});", access_type(bits(type)), base, bits(type)));
  lines.close();
  lines.add(fmt::format("{}[{}] = packed;", n.registers, register_index("word")));
  lines.close();
}

std::string accumulator(const MmaAtom& atom, bool is_double, const std::string& i) {
  const char* widened = is_double ? "(double)" : "";
  switch (atom.val_c) {
    case ValueType::f16: return fmt::format("{}f16_to_float((unsigned short)(tCrC[({}) / 2] >> (({}) % 2 * 16)))", widened, i, i);
    case ValueType::i32: return fmt::format("(double)(int)tCrC[{}]", i);
    default: return fmt::format("{}tCrC[{}]", widened, i);
  }
}

// `vector` values of 32 or 64 bits as one store.
void emit_real_store(ValueType type, bool is_double, std::int64_t vector, Lines& lines) {
  const std::string store = fmt::format("{}{}", type == ValueType::f64 ? "double" : "float", vector);
  std::string values;
  for (std::int64_t j = 0; j < vector; ++j)
    values += fmt::format("{}{}", j ? ", " : "", from_real(type, is_double, fmt::format("out[{}]", j)));
  lines.add(fmt::format("*reinterpret_cast<{0}*>(c) = make_{0}({1});", store, values));
}

// `vector` values packed into words of 32 bits as one store.
void emit_packed_store(ValueType type, bool is_double, std::int64_t vector, Lines& lines) {
  const std::int64_t width = bits(type), words = vector * width / 32;
  const std::string element = from_real(type, is_double, "out[j]");
  if (words == 0 || words == 3) {
    lines.unroll("j", vector);
    lines.add(fmt::format("c[j] = {};", element));
    lines.close();
    return;
  }
  lines.add(fmt::format("unsigned words[{}] = {{}};", words));
  lines.unroll("j", vector);
  const std::int64_t per_word = 32 / width;
  // A negative s8 must not fill its word with copies of its sign.
  const char* bit_pattern = type == ValueType::i8 ? "(unsigned)(unsigned char)" : "(unsigned)";
  lines.add(fmt::format("words[j / {0}] |= {1}{2} << (j % {0} * {3});", per_word, bit_pattern, element, width));
  lines.close();
  const char* value = words == 1   ? "words[0]"
                      : words == 2 ? "make_uint2(words[0], words[1])"
                                   : "make_uint4(words[0], words[1], words[2], words[3])";
  lines.add(fmt::format("*reinterpret_cast<{}*>(c) = {};", access_type(vector * width), value));
}

}  // namespace

void emit_copy_tile(const GemmPlan& plan, Lines& lines, bool a) {
  const GmemToSmemStep& step = a ? plan.g2s_a : plan.g2s_b;
  const SmemTensor& smem = a ? plan.sA : plan.sB;
  const GmemTensor& gmem = a ? plan.gA : plan.gB;
  const OperandNames n = names(a);
  const std::string k_offset = index_expr(gmem.tiles[1][1], "k_tile"),
                    copy_offset = index_expr(step.gmem[1][1], gmem_variable(plan, "copy"));
  const std::string from = sum({n.gmem, k_offset, copy_offset});
  const std::string to = write_address(step, n).at();
  if (step.threads < plan.threads) lines.open(fmt::format("if (thr < {})", step.threads));
  lines.unroll("copy", step.copies);
  if (step.instruction == GmemToSmem::cp_async) {
    const std::int64_t bytes = step.vector * bits(smem.type) / 8;
    lines.add(fmt::format("cp_async<{}>(s{}_write + {} * {}, {});", bytes, n.mode, in_parentheses(to), bits(smem.type) / 8, from));
  } else {
    const std::string type = access_type(step.vector * bits(smem.type));
    lines.add(fmt::format("*reinterpret_cast<{0}*>(s{1}_write + {2}) = *reinterpret_cast<const {0}*>({3});", type, n.mode, to, from));
  }
  lines.close();
  if (step.threads < plan.threads) lines.close();
}

void emit_load_fragments(const GemmPlan& plan, Lines& lines, bool a) {
  const SmemToRmemStep& step = a ? plan.s2r_a : plan.s2r_b;
  const ValueType type = (a ? plan.sA : plan.sB).type;
  const OperandNames n = names(a);
  const TypeText text = type_text(type).value();
  lines.unroll("copy", step.rmem[1].size());
  if (step.instruction == SmemToRmem::load) {
    emit_plain_load(step, n, type, text, lines);
  } else {
    emit_matrix_load(step, n, text.packed, lines);
  }
  lines.close();
}

void emit_multiply(const GemmPlan& plan, Lines& lines) {
  const std::int64_t packed = type_text(plan.sA.type).value().packed;
  const std::int64_t packed_c = plan.mma->atom().val_c == ValueType::f16 ? 2 : 1;
  const auto index = [](const Layout& layout, std::int64_t per_register, const char* v1, const char* v2) {
    return sum({index_expr(in_registers(layout[1], per_register), v1), index_expr(in_registers(layout[2], per_register), v2)});
  };
  lines.unroll("m", plan.mma_m);
  lines.unroll("i", plan.mma_n);
  lines.add(
      fmt::format("const int n = m % 2 == 0 ? i : {} - i;  // back and forth: neighbours share a fragment of A or B", plan.mma_n - 1));
  lines.add(fmt::format("mma(&tCrC[{}], &tCrA[{}], &tCrB[{}]);", index(plan.tCrC, packed_c, "m", "n"), index(plan.tCrA, packed, "m", "k"),
                        index(plan.tCrB, packed, "n", "k")));
  lines.close();
  lines.close();
}

Status emit_epilogue(const GemmPlan& plan, Lines& lines) {
  const MmaAtom& atom = plan.mma->atom();
  const bool is_double = is_double_epilogue(plan);
  const std::int64_t vector = plan.epilogue_vector;
  const ValueType type = plan.gC.type;
  const Layout stores = plan.store_order[1];               // store -> value
  TESSERA_TRY(places, composition(plan.tCgC[1], stores));  // store -> element
  const std::string index = sum({index_expr(plan.store_order[0], "j"), index_expr(stores, "store")});
  lines.add(fmt::format("// store_order: {}, {} elements at once", to_string(plan.store_order), vector));
  lines.unroll("store", stores.size());
  lines.add(fmt::format("{}* c = {};", type_text(type).value().memory, sum({"tCgC", index_expr(places, gmem_variable(plan, "store"))})));
  lines.add(fmt::format("{} out[{}];", is_double ? "double" : "float", vector));
  lines.unroll("j", vector);
  lines.add(fmt::format("out[j] = alpha * {};", accumulator(atom, is_double, index)));
  lines.add(fmt::format("if (beta != 0.0f) out[j] += beta * {};", to_real(type, "c[j]")));
  lines.close();
  if (vector == 1) {
    lines.add(fmt::format("*c = {};", from_real(type, is_double, "out[0]")));
  } else if (type == ValueType::f32 || type == ValueType::tf32 || type == ValueType::f64) {
    emit_real_store(type, is_double, vector, lines);
  } else {
    emit_packed_store(type, is_double, vector, lines);
  }
  lines.close();
  return Done{};
}

std::string mma_helper(const MmaAtom& atom) {
  const auto constraint = [](const std::string& type) { return type == "float" ? 'f' : type == "double" ? 'd' : 'r'; };
  const auto cpp = [](const std::string& type) { return type == "float" || type == "double" ? type : std::string("unsigned"); };
  const RegisterUse& d = atom.registers_c;
  std::string text = fmt::format("// {}: d += a * b\n__device__ __forceinline__ void mma({}* d, const {}* a, const {}* b) {{\n", atom.name,
                                 cpp(d.type), cpp(atom.registers_a.type), cpp(atom.registers_b.type));
  if (atom.kind == MmaKind::fma) return text + "  d[0] += a[0] * b[0];\n}\n";
  int operand = 0;
  const auto list = [&](int count) {
    std::string braces = "{";
    for (int i = 0; i < count; ++i) braces += fmt::format("{}%{}", i ? ", " : "", operand++);
    return braces + "}";
  };
  const std::string d_list = list(d.count), a_list = list(atom.registers_a.count), b_list = list(atom.registers_b.count);
  text += fmt::format("  asm volatile(\"{} {}, {}, {}, {};\"\n", atom.ptx, d_list, a_list, b_list, d_list);
  const auto bind = [](const char* prefix, char kind, const char* array, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += fmt::format("{}\"{}{}\"({}[{}])", i ? ", " : "", prefix, kind, array, i);
    return out;
  };
  text += fmt::format("               : {}\n               : {}, {});\n}}\n", bind("+", constraint(d.type), "d", d.count),
                      bind("", constraint(atom.registers_a.type), "a", atom.registers_a.count),
                      bind("", constraint(atom.registers_b.type), "b", atom.registers_b.count));
  return text;
}

}  // namespace tessera::emitting
