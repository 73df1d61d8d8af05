// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of shared memory: what they say is what the layout says, element by element, for all instructions and canonical layouts.
#include "core/atom/smem/smem_descriptor.hpp"

#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;

namespace {

MmaAtom mma(std::string_view name) { return find_mma_atom(name).value(); }
SmemOperand operand_of(std::string_view name, Operand operand) { return smem_operand(mma(name), operand).value(); }
AnyLayout tiled(const std::string& atom, const IntTuple& shape) {
  return tile_to_shape(find_smem_atom(atom).value().layout, shape).value();
}
IntTuple pair(std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); }
Layout read(std::string_view text) { return literals::Reader(text).layout().value(); }
AnyLayout swizzled(int b, int m, int s, std::string_view text) { return composition(Swizzle::make(b, m, s).value(), 0, read(text)); }

constexpr const char* kHalf = "SM90_64x64x16_F32F16F16_SS";

// Elements whose address, by the 64 bits alone, is another than the layout's own.
std::int64_t elements_elsewhere(const SmemOperand& operand, const AnyLayout& layout, const SmemDescription& made) {
  const auto fields = decode(encode(made.descriptor), operand.umma);
  REQUIRE(fields == made.descriptor);
  std::int64_t elsewhere = 0;
  const Layout& plain = layout_part(layout);
  for (std::int64_t mn = 0; mn < plain[0].size(); ++mn) {
    for (std::int64_t k = 0; k < plain[1].size(); ++k) {
      SmemDescriptor here = *fields;
      here.start +=
          (made.mn_starts[static_cast<std::size_t>(mn / operand.mn)] + made.k_starts[static_cast<std::size_t>(k / operand.k)]) / 16;
      const std::int64_t said = bit_address(here, operand.bits, operand.mn_major, mn % operand.mn, k % operand.k);
      elsewhere += said == evaluate(layout, mn, k) * operand.bits ? 0 : 1;
    }
  }
  return elsewhere;
}

// LBO and SBO as make_gmma_desc and make_umma_desc take them from one instruction's block: its layout in units of 16 bytes, divided by
// the atom's extents. Nothing where the block does not reach so far.
struct CuteFields {
  std::optional<std::int64_t> leading, stride;
};
CuteFields fields_by_division(const SmemOperand& operand, const AnyLayout& layout, SmemSwizzle swizzle) {
  const std::int64_t width = row_bytes(swizzle) / 16, rows = swizzle == SmemSwizzle::b128_base32 ? 4 : 8;
  const Layout block = composition(layout_part(layout), Tiler(std::vector<Tiler>{operand.mn, operand.k}), Law::as_cute).value();
  const Layout units = upcast(block, 128 / operand.bits).value();  // (mn, k) -> unit
  const std::vector<Tiler> extents = operand.mn_major ? std::vector<Tiler>{width, rows} : std::vector<Tiler>{8, 2};
  const Layout canonical = logical_divide(units, Tiler(extents)).value();  // ((mn, rest), (k, rest)) -> unit
  const auto stride = [&](std::size_t mode, std::size_t part) -> std::optional<std::int64_t> {
    const IntTuple &shape = canonical.shape()[mode][part], &step = canonical.stride()[mode][part];
    return shape.is_int() && shape.value() > 1 ? std::optional(step.value()) : std::nullopt;
  };
  if (!operand.mn_major) return {stride(1, 0), stride(0, 1)};
  return swizzle == SmemSwizzle::none ? CuteFields{stride(1, 1), stride(0, 1)} : CuteFields{stride(0, 1), stride(1, 1)};
}

}  // namespace

TEST_CASE("every wgmma and UMMA atom has a descriptor of every canonical layout of its operands, and it says the layout's addresses") {
  using Key = std::tuple<bool, bool, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Key, SmemOperand> operands;
  std::int64_t atoms = 0;
  for (const std::string& name : mma_atom_names()) {
    const MmaAtom atom = mma(name);
    if (atom.kind != MmaKind::wgmma && atom.kind != MmaKind::umma) continue;
    if (name.starts_with("SM103") || atom.source_b != OperandSource::smem_descriptor) continue;
    ++atoms;
    for (const Operand each : {Operand::a, Operand::b}) {
      const auto operand = smem_operand(atom, each);
      const OperandSource source = each == Operand::a ? atom.source_a : atom.source_b;
      CHECK(operand.has_value() == (source == OperandSource::smem_descriptor));
      if (operand) operands.try_emplace({operand->umma, operand->mn_major, operand->bits, operand->mn, operand->k}, *operand);
    }
  }
  CHECK(atoms > 1000);
  CHECK(operands.size() > 100);
  std::int64_t made_of = 0, with_leading = 0, with_stride = 0;
  std::map<SmemSwizzle, std::int64_t> kinds;
  for (const auto& [key, operand] : operands) {
    for (const std::string& name : smem_atom_names()) {
      if (!name.starts_with(operand.umma ? "UMMA" : "GMMA") || name.find(operand.mn_major ? "_MN_" : "_K_") == std::string::npos) continue;
      const auto atom = find_smem_atom(fmt::format("{}<{}>", name, operand.type));
      REQUIRE(atom.has_value());
      const Layout& block = layout_part(atom->layout);
      for (const std::int64_t copies : {1, 2}) {
        // The smallest tile of whole atoms and whole instructions, and twice of it along either mode.
        const std::int64_t mn = std::lcm(operand.mn, block[0].size()) * copies, k = std::lcm(operand.k, block[1].size()) * copies;
        const AnyLayout layout = tile_to_shape(atom->layout, pair(mn, k)).value();
        const auto made = smem_descriptor(operand, layout);
        INFO(name << " " << to_string(layout) << " for blocks of " << operand.mn << "x" << operand.k << " of " << operand.bits << " bits");
        // A row of 32 bytes does not hold 64 bytes of K; and of blocks that neither are whole rows of M or N nor parts of one, some lie
        // across two.
        const std::int64_t row = atom->row_bytes * 8 / operand.bits;
        const bool cut = atom->row_bytes > 16 && (operand.mn_major ? operand.mn % row != 0 && row % operand.mn != 0 : operand.k > row);
        if (cut) {
          CHECK(!made.has_value());
          continue;
        }
        if (!made) FAIL(made.error().message);
        CHECK(elements_elsewhere(operand, layout, *made) == 0);
        CHECK(made->addresses == mn * k);
        CHECK(row_bytes(made->descriptor.swizzle) == atom->row_bytes);
        const std::int64_t row_units = atom->row_bytes / 16, in_unit = 128 / operand.bits;
        if (!operand.mn_major || operand.mn / in_unit % row_units == 0) {  // CuTe divides whole rows
          const CuteFields cute = fields_by_division(operand, layout, made->descriptor.swizzle);
          if (cute.leading) CHECK(made->descriptor.leading == *cute.leading);
          if (cute.stride) CHECK(made->descriptor.stride == *cute.stride);
          with_leading += cute.leading ? 1 : 0, with_stride += cute.stride ? 1 : 0;
        }
        ++made_of, ++kinds[made->descriptor.swizzle];
      }
    }
  }
  CHECK(made_of > 500);
  CHECK(with_leading > 300);
  CHECK(with_stride > 300);
  CHECK(kinds.size() == 5);
}

TEST_CASE("the fields of well-known layouts are CuTe's") {
  // (128,64) halves along K: 8 rows of 128 bytes, so SBO is 64 units, and CuTe writes 1 for LBO.
  const auto k = smem_descriptor(operand_of(kHalf, Operand::a), tiled("GMMA::Layout_K_SW128_Atom<half_t>", pair(128, 64))).value();
  CHECK(encode(k.descriptor) == 0x4000004000010000);
  CHECK(k.k_starts == std::vector<std::int64_t>{0, 32, 64, 96});
  CHECK(k.mn_starts == std::vector<std::int64_t>{0, 8192});
  // The same of UMMA: version 1, layout type 2 of 3 bits.
  const auto umma =
      smem_descriptor(operand_of("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>", Operand::a),
                      tiled("UMMA::Layout_K_SW128_Atom<half_t>", pair(128, 64)))
          .value();
  CHECK(encode(umma.descriptor) == 0x4000404000010000);
  // Without a swizzle along K: the second 16 bytes of K lie behind all rows, 128 * 16 bytes.
  const auto inter = smem_descriptor(operand_of(kHalf, Operand::a), tiled("GMMA::Layout_K_INTER_Atom<half_t>", pair(128, 64))).value();
  CHECK(inter.descriptor == SmemDescriptor{false, 0, 128, 8, SmemSwizzle::none});
  CHECK(inter.k_starts == std::vector<std::int64_t>{0, 4096, 8192, 12288});
  // Along M: 64 of M and 8 of K are an atom of 1024 bytes; a second one along M comes next, the next 8 of K behind all of M.
  const auto mn = smem_descriptor(operand_of("SM90_64x128x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>", Operand::b),
                                  tiled("GMMA::Layout_MN_SW128_Atom<half_t>", pair(128, 64)))
                      .value();
  CHECK(mn.descriptor == SmemDescriptor{false, 0, 64, 128, SmemSwizzle::b128});
  CHECK(mn.k_starts == std::vector<std::int64_t>{0, 4096, 8192, 12288});
  // Units of 32 bytes, four rows of 128.
  const auto wide =
      smem_descriptor(operand_of("SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,128,128,UMMA::Major::MN,UMMA::Major::MN>", Operand::a),
                      tiled("UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>", pair(128, 16)))
          .value();
  CHECK(wide.descriptor == SmemDescriptor{true, 0, 32, 128, SmemSwizzle::b128_base32});
}

TEST_CASE("a slice that begins inside of the pattern has its own start address, since the swizzle is on addresses") {
  const Layout plain = read("(64,64):(64,1)");
  const AnyLayout rows_below = composition(Swizzle::make(3, 3, 3).value(), 64, plain);  // from row 1 of the pattern
  const auto made = smem_descriptor(operand_of(kHalf, Operand::a), rows_below).value();
  CHECK(made.descriptor.start == 8);
  CHECK(elements_elsewhere(operand_of(kHalf, Operand::a), rows_below, made) == 0);
}

TEST_CASE("stages and partitioned tiles are taken apart") {
  const SmemOperand operand = operand_of(kHalf, Operand::a);
  const auto piped = smem_descriptor(operand, tiled("GMMA::Layout_K_SW128_Atom<half_t>", IntTuple::tuple({64, 64, 3}))).value();
  CHECK(piped.stage_starts == std::vector<std::int64_t>{0, 8192, 16384});
  CHECK(piped.addresses == 64 * 64 * 3);
  // ((mn, k), blocks of mn, blocks of k) as a tiled MMA partitions it.
  const auto parted = smem_descriptor(operand, swizzled(3, 3, 3, "((64,16),2,4):((64,1),4096,16)")).value();
  CHECK(parted.mn_starts == std::vector<std::int64_t>{0, 8192});
  CHECK(parted.k_starts == std::vector<std::int64_t>{0, 32, 64, 96});
}

TEST_CASE("layouts that no descriptor says are refused, each by its rule") {
  struct Case {
    const char* why;
    const char* atom;
    Operand operand;
    AnyLayout layout;
    const char* brief;
  };
  const char* kTf32 = "SM90_64x64x8_F32TF32TF32_SS_TN";
  const Case kCases[] = {
      {"padded rows", kHalf, Operand::a, read("(64,64):(72,1)"), "rows 144 B apart"},
      {"padded rows behind a swizzle", kHalf, Operand::a, swizzled(3, 3, 3, "(64,64):(72,1)"), "rows 144 B apart"},
      {"a swizzle in bytes over halves", kHalf, Operand::a, swizzled(3, 4, 3, "(64,64):(64,1)"), "Sw<3,5,3> over bytes"},
      {"tf32 along M", kTf32, Operand::a, tiled("GMMA::Layout_MN_SW128_Atom<tfloat32_t>", pair(64, 32)), "K-major only"},
      {"int8 along N", "SM90_64x64x32_S32S8S8_SS_TN", Operand::b, tiled("GMMA::Layout_MN_SW128_Atom<int8_t>", pair(128, 32)),
       "K-major only"},
      {"fp8 along M", "SM90_64x64x32_F32E4M3E4M3_SS_TN", Operand::a, tiled("GMMA::Layout_MN_SW64_Atom<float_e4m3_t>", pair(64, 32)),
       "K-major only"},
      {"rows of M where K-major is asked", kHalf, Operand::a, tiled("GMMA::Layout_MN_SW128_Atom<half_t>", pair(64, 64)), "K-major only"},
      {"a swizzle for the wrong rows", kHalf, Operand::a, swizzled(2, 3, 3, "(64,64):(64,1)"), "rows 128 B apart"},
      {"32-byte units of wgmma", kHalf, Operand::a, swizzled(2, 4, 2, "(64,64):(64,1)"), "Sw<2,5,2> over bytes"},
      {"LBO of 136 bytes", kHalf, Operand::a, read("((8,8),(8,8)):((8,512),(1,68))"), "LBO of 136 B"},
      {"a start at 8 bytes", kHalf, Operand::a, ComposedLayout{Swizzle::make(3, 3, 3).value(), 4, read("(64,64):(64,1)")},
       "begins off 16 B"},
      {"no contiguous mode", kHalf, Operand::a, read("(64,64):(2,128)"), "no neighbours"},
      {"a block that is no whole one", kHalf, Operand::a, read("(32,64):(64,1)"), "no whole blocks"},
      {"blocks that go on elsewhere", kHalf, Operand::a, swizzled(3, 3, 3, "((8,4,2),64):((64,512,4096),1)"), "(32,0) elsewhere"},
  };
  for (const Case& c : kCases) {
    INFO(c.why);
    const SmemFinding found = find_smem_descriptor(operand_of(c.atom, c.operand), c.layout);
    CHECK(!found.made);
    CHECK(found.brief == c.brief);
    CHECK(!found.error.message.empty());
  }
  CHECK(smem_operand(mma("SM80_16x8x16_F32F16F16F32_TN"), Operand::a).error().code == ErrorCode::wrong_type);
  CHECK(smem_operand(mma("SM90_64x64x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::K>"), Operand::a).error().code == ErrorCode::wrong_type);
  CHECK(smem_operand(mma(kHalf), Operand::c).error().code == ErrorCode::wrong_type);
}

TEST_CASE("what is suggested in a refusal's place has a descriptor") {
  CHECK(canonical_smem_layout(operand_of(kHalf, Operand::a), 64, 64) == "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64))");
  CHECK(canonical_smem_layout(operand_of(kHalf, Operand::a), 64, 16) == "tile_to_shape(GMMA::Layout_K_SW32_Atom<half_t>, (64,16))");
  // 96 columns are three rows of 64 bytes: the widest row that ends where the instruction's N ends.
  const SmemOperand n96 = operand_of("SM90_64x96x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>", Operand::b);
  CHECK(canonical_smem_layout(n96, 96, 64) == "tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>, (96,64))");
}

TEST_CASE("64 bits that are no descriptor are not decoded") {
  CHECK(decode(0x4000004000010000, false).has_value());
  CHECK(!decode(0x4000004000010000, true).has_value());                               // no version
  CHECK(!decode(0x4002004000010000, false).has_value());                              // base_offset 1
  CHECK(!decode(std::uint64_t{3} << 61 | std::uint64_t{1} << 46, true).has_value());  // layout type 3
}

TEST_CASE("a descriptor's steps lead to elements that lie so far behind the first, and only to those that an instruction reads") {
  struct Case {
    const char *atom, *smem, *steps;
    std::int64_t mn, k;
  };
  for (const Case& each :
       {Case{kHalf, "GMMA::Layout_K_SW128_Atom<half_t>", "SBO 1024;", 64, 64},
        Case{kHalf, "GMMA::Layout_K_SW32_Atom<half_t>", "SBO 256;", 64, 64},
        Case{kHalf, "GMMA::Layout_K_INTER_Atom<half_t>", "LBO 1024;SBO 128;", 64, 32},
        Case{"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>", "GMMA::Layout_MN_SW64_Atom<half_t>", "LBO 512;SBO 1024;", 64,
             32},
        Case{"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>", "GMMA::Layout_MN_SW128_Atom<half_t>", "SBO 1024;", 64, 32},
        Case{"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>", "GMMA::Layout_MN_INTER_Atom<half_t>", "LBO 1024;SBO 128;", 64,
             32}}) {
    CAPTURE(each.atom, each.smem);
    const SmemOperand operand = operand_of(each.atom, Operand::a);
    const AnyLayout layout = tiled(each.smem, pair(each.mn, each.k));
    const SmemDescription made = smem_descriptor(operand, layout).value();
    const Swizzle swizzle = swizzle_of_bits(made.descriptor.swizzle);
    const auto unswizzled = [&](std::int64_t mn, std::int64_t k) { return swizzle(evaluate(layout, mn, k) * operand.bits) / 8; };
    std::string said;
    for (const DescriptorStep& step : descriptor_steps(operand, made.descriptor)) {
      CHECK(unswizzled(step.mn, step.k) - unswizzled(0, 0) == step.bytes);
      said += fmt::format("{} {};", step.field, step.bytes);
    }
    CHECK(said == each.steps);
    for (std::int64_t mn = 0; mn < each.mn; ++mn) {
      for (std::int64_t k = 0; k < each.k; ++k) CHECK(bit_address(operand, made, mn, k) == evaluate(layout, mn, k) * operand.bits);
    }
  }
}

TEST_CASE("a tile that is of A and of B by its extents is the one that can be read so") {
  // A along K and B along N: a tile of rows along MN is no A.
  const MmaAtom turned = mma("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>");
  const AnyLayout along_k = tiled("GMMA::Layout_K_SW128_Atom<half_t>", pair(64, 64)),
                  along_mn = tiled("GMMA::Layout_MN_SW128_Atom<half_t>", pair(64, 64));
  CHECK(choose_operand(turned, along_k)->operand == Operand::a);
  CHECK(choose_operand(turned, along_mn)->operand == Operand::b);
  CHECK(choose_operand(turned, along_mn)->either);
  CHECK(smem_descriptor(smem_operand(turned, Operand::b).value(), along_mn));
  // Of a tile that neither can read A is asked.
  CHECK(choose_operand(turned, read("(64,64):(65,1)"))->operand == Operand::a);
}
