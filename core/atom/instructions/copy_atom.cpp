// SPDX-License-Identifier: BSD-3-Clause
// Copy atoms of one thread and of one warp: a table of facts, and Copy_Atom, which counts them in values.
#include "core/atom/instructions/copy_atom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/copy_families.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

CopyTraits::CopyTraits() = default;
CopyTraits::CopyTraits(const CopyTraits& other) = default;
CopyTraits::CopyTraits(CopyTraits&& other) noexcept = default;
CopyTraits& CopyTraits::operator=(const CopyTraits& other) = default;
CopyTraits& CopyTraits::operator=(CopyTraits&& other) noexcept = default;
CopyTraits::~CopyTraits() = default;

namespace {

// Layouts of a warp: rows of 16 bytes that threads point at, and the registers that threads hold.
// (thr, val) -> bit
constexpr std::string_view kRows8 = "((8,4),128):((128,0),1)";  // 8 threads name 8 rows; the others' addresses are ignored
constexpr std::string_view kRows16 = "((16,2),128):((128,0),1)";
constexpr std::string_view kRows32 = "(32,128):(128,1)";
constexpr std::string_view kFrag1 = "(32,32):(32,1)";  // a matrix: thread t holds bits 32t ..
constexpr std::string_view kFrag2 = "(32,(32,2)):(32,(1,1024))";
constexpr std::string_view kFrag4 = "(32,(32,4)):(32,(1,1024))";
constexpr std::string_view kTrans1 = "((4,8),(16,2)):((256,16),(1,128))";  // the same, transposed, 16-bit elements
constexpr std::string_view kTrans2 = "((4,8),(16,2,2)):((256,16),(1,128,1024))";
constexpr std::string_view kTrans4 = "((4,8),(16,2,4)):((256,16),(1,128,1024))";
constexpr std::string_view kBytes1 = "((4,8),(8,2,2)):((256,8),(1,128,64))";  // transposed, 8-bit elements
constexpr std::string_view kBytes2 = "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))";
constexpr std::string_view kBytes4 = "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))";

struct WarpRow {
  std::string_view name, ptx;
  ArchRequirement arch;
  CopyKind kind;
  std::string_view src, dst;  // (thr, val) -> bit
  bool ref_is_src;
};

constexpr ArchRequirement kSm100a{100, 'a'};

const std::vector<WarpRow>& warp_rows() {
  using enum CopyKind;
  static const std::vector<WarpRow> table = {
      {"SM50_Shuffle_U32_2x2Trans_XOR1", "shfl.sync.bfly.b32", {50}, other, "(32,64):(64,1)", "((2,16),(32,2)):((32,128),(1,64))", true},
      {"SM50_Shuffle_U32_2x2Trans_XOR4",
       "shfl.sync.bfly.b32",
       {50},
       other,
       "(32,64):(64,1)",
       "((4,2,4),(32,2)):((64,32,512),(1,256))",
       true},
      {"SM75_U32x1_LDSM_N", "ldmatrix.sync.aligned.x1.m8n8.shared.b16", {75}, ldmatrix, kRows8, kFrag1, false},
      {"SM75_U32x2_LDSM_N", "ldmatrix.sync.aligned.x2.m8n8.shared.b16", {75}, ldmatrix, kRows16, kFrag2, false},
      {"SM75_U32x4_LDSM_N", "ldmatrix.sync.aligned.x4.m8n8.shared.b16", {75}, ldmatrix, kRows32, kFrag4, false},
      {"SM75_U16x2_LDSM_T", "ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16", {75}, ldmatrix_trans, kRows8, kTrans1, false},
      {"SM75_U16x4_LDSM_T", "ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16", {75}, ldmatrix_trans, kRows16, kTrans2, false},
      {"SM75_U16x8_LDSM_T", "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16", {75}, ldmatrix_trans, kRows32, kTrans4, false},
      {"SM75_U32x1_MOVM_T", "movmatrix.sync.aligned.m8n8.trans.b16", {75}, movmatrix, kFrag1, kFrag1, true},
      {"SM90_U32x1_STSM_N", "stmatrix.sync.aligned.x1.m8n8.shared.b16", {90}, stmatrix, kFrag1, kRows8, true},
      {"SM90_U32x2_STSM_N", "stmatrix.sync.aligned.x2.m8n8.shared.b16", {90}, stmatrix, kFrag2, kRows16, true},
      {"SM90_U32x4_STSM_N", "stmatrix.sync.aligned.x4.m8n8.shared.b16", {90}, stmatrix, kFrag4, kRows32, true},
      {"SM90_U16x2_STSM_T", "stmatrix.sync.aligned.x1.trans.m8n8.shared.b16", {90}, stmatrix_trans, kTrans1, kRows8, true},
      {"SM90_U16x4_STSM_T", "stmatrix.sync.aligned.x2.trans.m8n8.shared.b16", {90}, stmatrix_trans, kTrans2, kRows16, true},
      {"SM90_U16x8_STSM_T", "stmatrix.sync.aligned.x4.trans.m8n8.shared.b16", {90}, stmatrix_trans, kTrans4, kRows32, true},
      {"SM100_U8x8_LDSM_T", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", kSm100a, ldmatrix_trans,
       "((2,2,4,2),128):((128,1024,256,0),1)", kBytes2, false},
      {"SM100_U8x16_LDSM_T", "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", kSm100a, ldmatrix_trans,
       "((2,2,4,2),128):((128,1024,256,2048),1)", kBytes4, false},
      {"SM100_SU4_DU8x16_x1_LDSM_N", "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64", kSm100a, ldmatrix, kRows8, kFrag1, false},
      {"SM100_SU6_DU8x16_x1_LDSM_N", "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", kSm100a, ldmatrix, kRows8, kFrag1, false},
      {"SM100_SU4_DU8x16_x2_LDSM_N", "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64", kSm100a, ldmatrix, kRows16, kFrag2, false},
      {"SM100_SU6_DU8x16_x2_LDSM_N", "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32", kSm100a, ldmatrix, kRows16, kFrag2, false},
      {"SM100_SU4_DU8x16_x4_LDSM_N", "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64", kSm100a, ldmatrix, kRows32, kFrag4, false},
      {"SM100_SU6_DU8x16_x4_LDSM_N", "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", kSm100a, ldmatrix, kRows32, kFrag4, false},
      {"SM100_U8x4_STSM_T", "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8", kSm100a, stmatrix_trans, kBytes1, kRows8, true},
      {"SM100_U8x8_STSM_T", "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8", kSm100a, stmatrix_trans, kBytes2, kRows16, true},
      {"SM100_U8x16_STSM_T", "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", kSm100a, stmatrix_trans, kBytes4, kRows32, true},
  };
  return table;
}

std::string source_of(const ArchRequirement& arch, std::string_view ptx) {
  std::string source =
      arch.sm == 0 ? "CuTe copy_traits.hpp (CUTLASS 4.7.0)" : fmt::format("CuTe copy_traits_sm{}.hpp (CUTLASS 4.7.0)", arch.sm);
  if (!ptx.empty()) source += fmt::format("; PTX ISA, {}", ptx.substr(0, ptx.find('.')));
  return source;
}

CopyTraits make_traits(const WarpRow& row) {
  CopyTraits t = copy_of_threads(std::string(row.name), std::string(row.ptx), row.arch, row.kind, 32);
  t.layout_src = table_layout(row.src);
  t.layout_dst = table_layout(row.dst);
  t.layout_ref = row.ref_is_src ? t.layout_src : t.layout_dst;
  return t;
}

CopyTraits one_thread(std::string name, std::string ptx, ArchRequirement arch, CopyKind kind, std::int64_t bits) {
  CopyTraits t = copy_of_threads(std::move(name), std::move(ptx), arch, kind, 1);
  t.layout_src = t.layout_dst = t.layout_ref = same_bits(1, bits);
  return t;
}

// Width of a carrier: uint128_t, float, uint_bit_t<64>; 0 if it is no type.
int carrier_bits(const std::string& type) {
  if (type == "uint256_t") return 256;
  std::string_view text = type;
  if (take_prefix(text, "uint_bit_t<") && take_suffix(text, ">")) return std::max(0, parse_count(text));
  const auto value = value_type(type);
  return value ? bits(*value) : 0;
}

// cp.async.ca takes 4, 8 or 16 bytes; .cg takes 16.
FoundCopy cp_async(const TemplateName& name) {
  std::string_view rest = name.op;
  if (!take_prefix(rest, "SM80_CP_ASYNC_CACHE")) return std::nullopt;
  const bool zfill = take_suffix(rest, "_ZFILL");
  const bool always = rest == "ALWAYS";
  if (!always && rest != "GLOBAL") return std::nullopt;
  const int width = name.args.empty() ? 128 : carrier_bits(name.args[0]);
  if (!always && width != 128) {
    return Error{ErrorCode::unknown_atom,
                 fmt::format("{} copies 16 bytes, not {} bits: cp.async.cg has that size only", name.op, width),
                 {},
                 {"SM80_CP_ASYNC_CACHEALWAYS copies 4, 8 or 16 bytes"}};
  }
  if (width != 32 && width != 64 && width != 128) {
    return Error{ErrorCode::unknown_atom,
                 fmt::format("{} copies 4, 8 or 16 bytes, not {} bits", name.op, width),
                 {},
                 {"give uint32_t, uint64_t or uint128_t"}};
  }
  if (name.args.size() > 2 || (name.args.size() == 2 && carrier_bits(name.args[1]) != width))
    return Error{ErrorCode::unknown_atom, fmt::format("{} names a source and a destination type of one size", name.op), {}, {}};
  const std::string carrier = name.args.empty() ? "uint128_t" : name.args[0];
  std::string ptx = fmt::format("cp.async.{}.shared.global.L2::128B", always ? "ca" : "cg");
  return one_thread(fmt::format("SM80_CP_ASYNC_CACHE{}{}<{}>", rest, zfill ? "_ZFILL" : "", carrier), std::move(ptx), {80},
                    CopyKind::cp_async, width);
}

// In bits; refuses what is no type, and types narrower than the byte that a thread moves at least.
Result<int> carrier_of_bytes(const std::string& type) {
  const int width = carrier_bits(type);
  if (width == 0) return Error{ErrorCode::unknown_atom, fmt::format("UniversalCopy: \"{}\" is not a value type", type), {}, {}};
  if (width < 8) {
    return Error{ErrorCode::unknown_atom,
                 fmt::format("UniversalCopy moves whole bytes, and {} has {} bits", type, width),
                 {},
                 {fmt::format("carry several in one: Copy_Atom<UniversalCopy<uint8_t>, {}>", type)}};
  }
  return width;
}

FoundCopy thread_copy(const TemplateName& name) {
  if (name.op == "UniversalCopy") {
    const std::string carrier = name.args.empty() ? "float" : name.args[0];
    TESSERA_TRY(width, carrier_of_bytes(carrier));
    if (name.args.size() > 2)
      return Error{ErrorCode::unknown_atom, "UniversalCopy names a source type and at most a destination type", {}, {}};
    CopyTraits t = one_thread(fmt::format("UniversalCopy<{}>", carrier), "", {}, CopyKind::universal, width);
    if (name.args.size() < 2 || name.args[1] == carrier) return t;
    TESSERA_TRY(destination, carrier_of_bytes(name.args[1]));
    t.name = fmt::format("UniversalCopy<{},{}>", carrier, name.args[1]);
    t.layout_dst = same_bits(1, destination);
    return t;
  }
  if (name.op == "SM100_LOAD_256bit_CACHE_NOALLOCATION")
    return one_thread(name.op, "ld.global.L1::no_allocate.v8.f32", {100}, CopyKind::universal, 256);
  if (name.op == "SM100_STORE_256bit_CACHE_NOALLOCATION")
    return one_thread(name.op, "st.global.L1::no_allocate.v8.f32", {100}, CopyKind::universal, 256);
  // These choose their width when they meet their tensors: the trait is one bit of stride 0.
  int assumed = 0;
  if (name.op == "DefaultCopy") assumed = 8;
  if (name.op == "AutoVectorizingCopy") assumed = 128;
  if (name.op == "AutoVectorizingCopyWithAssumedAlignment") {
    assumed = name.args.empty()
                  ? 128
                  : carrier_bits("uint_bit_t<" +
                                 (name.args[0].starts_with("Int<") ? name.args[0].substr(4, name.args[0].size() - 5) : name.args[0]) + ">");
    if (assumed < 8 || assumed > 128 || (assumed & (assumed - 1)) != 0) {
      return Error{ErrorCode::unknown_atom,
                   fmt::format("{} needs an alignment of 8, 16, 32, 64 or 128 bits, not {}", name.op, name.args[0]),
                   {},
                   {}};
    }
  }
  if (assumed == 0) return std::nullopt;
  CopyTraits t = one_thread(fmt::format("AutoVectorizingCopyWithAssumedAlignment<{}>", assumed), "", {}, CopyKind::universal, 1);
  t.assumed_bits = assumed;
  t.layout_src = t.layout_dst = t.layout_ref = table_layout("(1,1):(0,0)");
  return t;
}

}  // namespace

Layout same_bits(std::int64_t threads, std::int64_t bits) {
  return Layout::trusted(IntTuple::tuple({threads, bits}), IntTuple::tuple({0, 1}));
}

CopyTraits copy_of_threads(std::string name, std::string ptx, ArchRequirement arch, CopyKind kind, int threads) {
  CopyTraits t;
  t.source = source_of(arch, ptx);
  t.name = std::move(name);
  t.ptx = std::move(ptx);
  t.arch = arch;
  t.kind = kind;
  t.thr_id = Layout::trusted(threads, threads == 1 ? 0 : 1);
  return t;
}

FoundCopy find_copy_traits(std::string_view text) {
  auto parsed = parse_template_name(text);
  if (!parsed) return std::move(parsed).error();
  TemplateName name = std::move(parsed).value();
  std::optional<int> bits;
  if (name.op == "Copy_Traits" || name.op == "Copy_Atom") {
    if (name.args.empty()) return std::nullopt;
    for (std::size_t i = 1; i < name.args.size(); ++i) {
      std::string_view number = name.args[i];
      if (take_prefix(number, "Int<") && take_suffix(number, ">")) bits = parse_count(number);
    }
    auto inner = parse_template_name(name.args[0]);
    if (!inner) return std::move(inner).error();
    name = std::move(inner).value();
  }
  for (const WarpRow& row : warp_rows()) {
    if (row.name != name.op || !name.args.empty()) continue;
    if (bits) return Error{ErrorCode::unknown_atom, fmt::format("Copy_Traits<{}> takes no further arguments", name.op), {}, {}};
    return make_traits(row);
  }
  if (auto found = cp_async(name)) return found;
  if (auto found = thread_copy(name)) return found;
  if (auto found = find_tmem_copy(name)) return found;
  return find_tma_copy(name, bits);
}

void list_copy_traits(std::vector<std::string>& names) {
  for (const int width : {8, 16, 32, 64, 128}) names.push_back(fmt::format("UniversalCopy<uint{}_t>", width));
  for (const int width : {8, 16, 32, 64, 128}) names.push_back(fmt::format("AutoVectorizingCopyWithAssumedAlignment<{}>", width));
  const auto warp = [&](int sm) {
    for (const WarpRow& row : warp_rows()) {
      if (row.arch.sm == sm) names.emplace_back(row.name);
    }
  };
  warp(50);
  warp(75);
  for (const std::string_view zfill : {"", "_ZFILL"}) {
    for (const int width : {32, 64, 128}) names.push_back(fmt::format("SM80_CP_ASYNC_CACHEALWAYS{}<uint{}_t>", zfill, width));
    names.push_back(fmt::format("SM80_CP_ASYNC_CACHEGLOBAL{}<uint128_t>", zfill));
  }
  warp(90);
  list_tma_copies(names);
  warp(100);
  names.emplace_back("SM100_LOAD_256bit_CACHE_NOALLOCATION");
  names.emplace_back("SM100_STORE_256bit_CACHE_NOALLOCATION");
  list_tmem_copies(names);
}

std::string_view to_string(CopyKind kind) {
  switch (kind) {
    case CopyKind::universal: return "universal";
    case CopyKind::cp_async: return "cp.async";
    case CopyKind::ldmatrix: return "ldmatrix";
    case CopyKind::ldmatrix_trans: return "ldmatrix.trans";
    case CopyKind::stmatrix: return "stmatrix";
    case CopyKind::stmatrix_trans: return "stmatrix.trans";
    case CopyKind::movmatrix: return "movmatrix";
    case CopyKind::tma: return "tma";
    case CopyKind::bulk: return "bulk";
    case CopyKind::tmem: return "tmem";
    case CopyKind::other: return "other";
  }
  return "";
}

Result<CopyAtom> CopyAtom::make(CopyTraits traits, ValueType type) {
  CopyAtom atom;
  atom.value_type = type;
  const auto in_values = [&](const Layout& in_bits, Layout& out) -> Status {
    auto layout = recast_layout(in_bits, 1, bits(type));
    if (!layout) {
      return std::move(layout).error().note(
          fmt::format("{} moves vectors that {} ({} bits) does not divide; choose an instruction at least as wide as the value",
                      traits.name, cute_name(type), bits(type)));
    }
    if (size(layout->shape()[0]) != traits.thr_id.size()) {
      return Error{ErrorCode::not_divisible,
                   fmt::format("{} is not an instruction for {} ({} bits): a value would lie in several threads", traits.name,
                               cute_name(type), bits(type)),
                   {},
                   {}};
    }
    out = std::move(layout).value();
    return Done{};
  };
  if (bits(type) == 0) return Error{ErrorCode::wrong_type, "a copy atom needs a value type with a width", {}, {}};
  TESSERA_CHECK(in_values(traits.layout_src, atom.val_layout_src));
  TESSERA_CHECK(in_values(traits.layout_dst, atom.val_layout_dst));
  TESSERA_CHECK(in_values(traits.layout_ref, atom.val_layout_ref));
  atom.traits = std::move(traits);
  return atom;
}

Result<CopyAtom> parse_copy_atom(std::string_view text) {
  TESSERA_TRY(name, parse_template_name(text));
  if (name.op != "Copy_Atom" || name.args.size() != 2) {
    return Error{ErrorCode::parse, fmt::format("\"{}\" is not a copy atom", text), {}, {"write Copy_Atom<SM75_U32x4_LDSM_N, half_t>"}};
  }
  const auto type = value_type(name.args[1]);
  if (!type) return Error{ErrorCode::wrong_type, fmt::format("\"{}\" is not a value type", name.args[1]), {}, {}};
  TESSERA_TRY(traits, find_copy_atom(name.args[0]));
  return CopyAtom::make(std::move(traits), *type);
}

}  // namespace tessera
