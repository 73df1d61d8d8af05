// SPDX-License-Identifier: BSD-3-Clause
// SM90 wgmma atoms by rule: 64 x N x K for N = 8, 16, .., 256, both operands in shared memory (SS) or A in registers (RS), dense or
// 2:4 sparse. One warpgroup of 128 threads computes.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

// What the type triple of an instruction implies.
struct WgmmaTypes {
  ValueType d, a, b;
  bool majors;  // 16-bit operands may be K- or MN-major in shared memory; the others are K-major (TN in the name)
  bool scales;  // floating point has ScaleIn parameters
};

const std::vector<WgmmaTypes>& type_table() {
  using enum ValueType;
  static const std::vector<WgmmaTypes> table = [] {
    std::vector<WgmmaTypes> t = {
        {f16, f16, f16, true, true}, {f32, f16, f16, true, true}, {f32, bf16, bf16, true, true}, {f32, tf32, tf32, false, true}};
    for (const ValueType d : {f16, f32}) {
      for (const ValueType a : {e4m3, e5m2}) {
        for (const ValueType b : {e4m3, e5m2}) t.push_back({d, a, b, false, true});
      }
    }
    for (const ValueType a : {i8, u8}) {
      for (const ValueType b : {i8, u8}) t.push_back({i32, a, b, false, false});
    }
    return t;
  }();
  return table;
}

const WgmmaTypes* types_of(ValueType d, ValueType a, ValueType b) {
  for (const WgmmaTypes& t : type_table()) {
    if (t.d == d && t.a == a && t.b == b) return &t;
  }
  return nullptr;
}

struct Wgmma {
  WgmmaTypes types{};
  int n = 0, k = 0;
  bool sparse = false, from_registers = false, saturate = false;
  bool a_k_major = true, b_k_major = true;
  std::array<bool, 2> negate{};  // ScaleIn::Neg for A, B
  int selector = 0;              // SparseSel
};

// K of one instruction: 32 bytes of A's row; a sparse A covers twice as many columns.
int depth_of(ValueType a, bool sparse) { return (sparse ? 64 : 32) * 8 / bits(a); }
// The integer instructions exist for N = 8, 16, 24 and multiples of 16.
bool has_extent(const WgmmaTypes& t, int n) { return n >= 8 && n <= 256 && n % 8 == 0 && (t.scales || n == 24 || n == 8 || n % 16 == 0); }

std::string op_of(const Wgmma& w) {
  return fmt::format("{}64x{}x{}_{}{}{}_{}{}{}", w.sparse ? "SM90::GMMA::SPARSE::GMMA_" : "SM90_", w.n, w.k, atom_token(w.types.d),
                     atom_token(w.types.a), atom_token(w.types.b), w.from_registers ? "RS" : "SS", w.types.majors ? "" : "_TN",
                     w.saturate ? "_SATURATE" : "");
}

// With the parameters that have no default, and those that differ from it.
std::string name_of(const Wgmma& w) {
  std::string args;
  const auto add = [&](std::string_view arg) { args += fmt::format("{}{}", args.empty() ? "" : ",", arg); };
  if (w.types.majors) {
    add(w.a_k_major ? "GMMA::Major::K" : "GMMA::Major::MN");
    add(w.b_k_major ? "GMMA::Major::K" : "GMMA::Major::MN");
  }
  if (w.types.scales && (w.negate[0] || w.negate[1] || w.selector != 0)) {
    for (const bool n : w.negate) add(n ? "GMMA::ScaleIn::Neg" : "GMMA::ScaleIn::One");
  }
  if (w.selector != 0) add("GMMA::SparseSel::One");
  return args.empty() ? op_of(w) : fmt::format("{}<{}>", op_of(w), args);
}

// (T128,V) -> (m, n): four warps of 16 rows; in a warp as mma.sync's accumulator, 8 columns at a time.
Layout accumulator(int n) {
  const Layout thread = value_modes({{4, 128}, {8, 1}, {4, 16}});
  const IntTuple shape = IntTuple::tuple({2, 2, n / 8});
  return layout_of({thread, Layout::trusted(shape, IntTuple::tuple({64, 8, 512}))});
}

// (T128,V) -> (m, k): A in registers, `packed` neighbours along K in each.
Layout register_operand(int k, int packed) {
  const Layout thread = value_modes({{4, 64 * packed}, {8, 1}, {4, 16}});
  const Layout value = value_modes({{packed, 64}, {2, 8}, {k / (4 * packed), 256 * packed}});
  return layout_of({thread, value});
}

// (T128,V) -> (m, k): the columns of A whose 2:4 metadata a thread holds. Two threads of a quad hold it; the other two repeat it.
Layout metadata(ValueType a, int k) {
  if (bits(a) == 8) return table_layout("((2,2,8,4),(32)):((8,2048,1,16),(64))");
  const Layout thread = table_layout(k == 32 ? "(2,2,8,4):(1024,0,1,16)" : "(2,2,8,4):(512,0,1,16)");
  return layout_of({thread, Layout::trusted(IntTuple::tuple({k / 2, 2}), IntTuple::tuple({64, 8}))});
}

MmaAtom make_atom(const Wgmma& w) {
  const WgmmaTypes& t = w.types;
  MmaAtom atom;
  atom.name = name_of(w);
  atom.ptx = fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}.{}.{}.{}{}", w.sparse ? ".sp" : "", w.n, w.k, short_name(t.d),
                         short_name(t.a), short_name(t.b), w.saturate ? ".satfinite" : "");
  atom.kind = MmaKind::wgmma;
  atom.arch = {90, 'a'};
  atom.val_d = atom.val_c = t.d;
  atom.val_a = t.a;
  atom.val_b = t.b;
  atom.source_a = w.from_registers ? OperandSource::registers : OperandSource::smem_descriptor;
  atom.source_b = OperandSource::smem_descriptor;
  atom.mn_major_a = !w.a_k_major, atom.mn_major_b = !w.b_k_major;
  atom.sparse = w.sparse;
  atom.shape_mnk = IntTuple::tuple({64, w.n, w.k});
  atom.thr_id = Layout::trusted(128, 1);
  const int packed = (w.sparse ? 64 : 32) / bits(t.a);
  atom.layout_a = w.from_registers ? register_operand(w.k, packed) : whole_tile(128, 64, w.k);  // (T128,V) -> (m, k)
  atom.layout_b = whole_tile(128, w.n, w.k);                                                    // (T128,V) -> (n, k)
  atom.layout_c = accumulator(w.n);                                                             // (T128,V) -> (m, n)
  atom.negative_a = w.negate[0], atom.negative_b = w.negate[1];
  atom.registers_d = {"void", 0};
  atom.registers_a = w.from_registers ? RegisterUse{"unsigned int", 4} : RegisterUse{"unsigned long", 1};
  atom.registers_b = {"unsigned long", 1};
  atom.registers_c = accumulator_registers(t.d, w.n / 2);
  if (w.sparse) {
    atom.type_a = sparse_type(2, t.a);
    atom.type_e = sparse_type(bits(t.a) == 32 ? 4 : 8, ValueType::u8);
    atom.layout_e = metadata(t.a, w.k);
    atom.registers_e = {"unsigned int", 1};
  }
  atom.source = fmt::format("CuTe mma_traits_sm90_gmma{}.hpp (CUTLASS 4.7.0); PTX ISA, wgmma.mma_async m64n{}k{}",
                            w.sparse ? "_sparse" : "", w.n, w.k);
  return atom;
}

// Reads Major, ScaleIn and SparseSel arguments in their order, trailing ones with defaults.
Status read_args(const TemplateName& name, Wgmma& w) {
  std::size_t next = 0;
  const auto more = [&] { return next < name.args.size(); };
  // The bare name, without parameters, is short for K-major operands.
  if (w.types.majors && more()) {
    for (bool* k_major : {&w.a_k_major, &w.b_k_major}) {
      if (!more()) return impossible_atom(name.op, "16-bit operands need two parameters, GMMA::Major::K or GMMA::Major::MN, for A and B");
      const std::string& arg = name.args[next++];
      const bool k = arg == "Major::K" || arg == "K", mn = arg == "Major::MN" || arg == "MN";  // the last word alone is short for it
      if (!k && !mn)
        return impossible_atom(name.op, fmt::format("\"{}\" is not GMMA::Major::K or GMMA::Major::MN, or K or MN for short", arg));
      *k_major = k;
    }
    if (w.from_registers && !w.a_k_major) return impossible_atom(name.op, "A in registers (RS) is K-major; give GMMA::Major::K first");
  }
  if (w.types.scales) {
    for (bool& negate : w.negate) {
      if (!more()) break;
      const std::string& arg = name.args[next++];
      if (arg != "ScaleIn::One" && arg != "ScaleIn::Neg")
        return impossible_atom(name.op, fmt::format("\"{}\" is not GMMA::ScaleIn::One or Neg", arg));
      negate = arg == "ScaleIn::Neg";
    }
  }
  if (w.sparse && more()) {
    const std::string& arg = name.args[next++];
    if (arg != "SparseSel::Zero" && arg != "SparseSel::One")
      return impossible_atom(name.op, fmt::format("\"{}\" is not GMMA::SparseSel::Zero or One", arg));
    w.selector = arg == "SparseSel::One" ? 1 : 0;
  }
  if (more()) return impossible_atom(name.op, fmt::format("\"{}\" is one parameter too many", name.args[next]));
  return Done{};
}

}  // namespace

FoundAtom find_wgmma_atom(const TemplateName& name) {
  std::string_view rest = name.op;
  Wgmma w;
  if (take_prefix(rest, "SM90::GMMA::SPARSE::GMMA_") || take_prefix(rest, "GMMA::SPARSE::GMMA_") ||
      take_prefix(rest, "SM90::GMMA::SPARSE::MMA_")) {
    w.sparse = true;
  } else if (!take_prefix(rest, "SM90_") && !take_prefix(rest, "SM90::GMMA::MMA_") && !take_prefix(rest, "GMMA::MMA_") &&
             !take_prefix(rest, "MMA_")) {
    return std::nullopt;
  }
  if (!take_prefix(rest, "64x")) return std::nullopt;
  w.n = take_count(rest);
  if (!take_prefix(rest, "x")) return std::nullopt;
  w.k = take_count(rest);
  if (!take_prefix(rest, "_")) return std::nullopt;
  const ValueType d = take_atom_token(rest), a = take_atom_token(rest), b = take_atom_token(rest);
  const WgmmaTypes* types = types_of(d, a, b);
  if (types == nullptr) return std::nullopt;
  w.types = *types;
  w.saturate = take_suffix(rest, "_SATURATE");
  if (!types->majors && !take_suffix(rest, "_TN")) return std::nullopt;
  w.from_registers = rest == "_RS";
  if ((!w.from_registers && rest != "_SS") || (w.saturate && types->scales)) return std::nullopt;
  if (!has_extent(*types, w.n)) {
    return impossible_atom(name.op,
                           types->scales ? "wgmma has N = 8, 16, 24, .., 256" : "integer wgmma has N = 8, 16, 24, 32, 48, 64, .., 256");
  }
  if (w.k != depth_of(a, w.sparse)) return impossible_atom(name.op, fmt::format("its types have K = {}", depth_of(a, w.sparse)));
  if (auto status = read_args(name, w); !status) return std::move(status).error();
  return make_atom(w);
}

void list_wgmma_atoms(std::vector<std::string>& names) {
  for (const bool sparse : {false, true}) {
    for (const WgmmaTypes& t : type_table()) {
      for (int n = 8; n <= 256; n += 8) {
        if (!has_extent(t, n)) continue;
        for (const bool from_registers : {false, true}) {
          Wgmma w{t, n, depth_of(t.a, sparse), sparse, from_registers};
          names.push_back(name_of(w));
          if (!t.scales) {
            w.saturate = true;
            names.push_back(name_of(w));
          }
          if (!t.majors) continue;
          w.b_k_major = false;
          names.push_back(name_of(w));
          if (from_registers) continue;
          w.a_k_major = false;
          names.push_back(name_of(w));
          w.b_k_major = true;
          names.push_back(name_of(w));
        }
      }
    }
  }
}

std::string with_other_major(const MmaAtom& atom, bool of_a) {
  const WgmmaTypes* types = atom.kind == MmaKind::wgmma ? types_of(atom.val_d, atom.val_a, atom.val_b) : nullptr;
  const bool from_registers = atom.source_a == OperandSource::registers;
  if (types == nullptr || !types->majors || (of_a && from_registers)) return {};
  Wgmma w{*types, static_cast<int>(shape_extent(atom, 1)), static_cast<int>(shape_extent(atom, 2)), atom.sparse, from_registers};
  w.a_k_major = atom.mn_major_a == of_a, w.b_k_major = atom.mn_major_b != of_a;
  w.negate = {atom.negative_a, atom.negative_b};
  return name_of(w);
}

}  // namespace tessera
