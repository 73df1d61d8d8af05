// SPDX-License-Identifier: BSD-3-Clause
// SM100 tensor-memory copies by rule: tcgen05.ld and tcgen05.st between registers and tensor memory, tcgen05.cp from shared memory.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/copy_families.hpp"
#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kDataPath = std::int64_t{1} << 21;  // distance of two data paths of tensor memory, in bits of address

// What one repeat moves: `paths` data paths of `bits` bits each.
struct TmemShape {
  int paths, bits;
  std::string_view ptx;
  int most;  // largest repeat
};
constexpr std::array kShapes = {TmemShape{16, 256, "16x256b", 32}, TmemShape{16, 128, "16x128b", 64}, TmemShape{16, 64, "16x64b", 128},
                                TmemShape{16, 32, "16x32bx2", 128}, TmemShape{32, 32, "32x32b", 128}};

// (thr, val) -> bit: who holds which bit of the `repeat` times 16 (or 32) data paths.
Layout register_side(const TmemShape& s, std::int64_t repeat) {
  switch (s.bits) {
    case 256: return layout_of({value_modes({{4, 64}, {8, 256 * repeat}}), value_modes({{64, 1}, {2, 2048 * repeat}, {repeat, 256}})});
    case 128: return layout_of({value_modes({{4, 32}, {8, 128 * repeat}}), value_modes({{32, 1}, {2, 1024 * repeat}, {repeat, 128}})});
    case 64: return layout_of({value_modes({{2, 512 * repeat}, {2, 32}, {8, 64 * repeat}}), value_modes({{32, 1}, {repeat, 64}})});
    default: break;
  }
  const Layout value = Layout::trusted(32 * repeat, 1);
  if (s.paths == 32) return layout_of({Layout::trusted(32, 32 * repeat), value});
  return layout_of({value_modes({{16, 64 * repeat}, {2, 32 * repeat}}), value});
}

std::int64_t row_bits(const TmemShape& s, std::int64_t repeat) { return (s.paths == 16 && s.bits == 32 ? 64 : s.bits) * repeat; }

// value -> address in bits. A packed copy takes 16 of every 32 bits.
Layout tmem_side(const TmemShape& s, std::int64_t repeat, bool packed) {
  const std::int64_t row = row_bits(s, repeat);
  if (!packed) return value_modes({{row, 1}, {s.paths, kDataPath}});
  return layout_of({value_modes({{16, 1}, {row / 16, 32}}), Layout::trusted(s.paths, kDataPath)});
}

std::string move_name(const TmemShape& s, bool load, int repeat, bool packed) {
  return fmt::format("SM100_TMEM_{}_{}dp{}b{}x{}", load ? "LOAD" : "STORE", s.paths, s.bits, repeat, packed ? "_16b" : "");
}

CopyTraits make_move(const TmemShape& s, bool load, int repeat, bool packed) {
  const std::string_view pack = !packed ? "" : load ? ".pack::16b" : ".unpack::16b";
  CopyTraits t = copy_of_threads(move_name(s, load, repeat, packed),
                                 fmt::format("tcgen05.{}.sync.aligned.{}.x{}{}.b32", load ? "ld" : "st", s.ptx, repeat, pack), {100, 'a'},
                                 CopyKind::tmem, 32);
  const Layout memory = same_bits(32, s.paths * row_bits(s, repeat));
  const Layout registers = register_side(s, repeat);
  t.layout_src = load ? memory : registers;
  t.layout_dst = load ? registers : memory;
  t.layout_ref = memory;
  t.val_id = tmem_side(s, repeat, packed);
  return t;
}

FoundCopy find_move(std::string_view rest, const std::string& op) {
  const bool load = take_prefix(rest, "LOAD_");
  if (!load && !take_prefix(rest, "STORE_")) return std::nullopt;
  const bool statistics = load && take_prefix(rest, "STAT_");  // also returns the maximum of what it loads
  const int paths = take_count(rest);
  if (!take_prefix(rest, "dp")) return std::nullopt;
  const int bits = take_count(rest);
  if (!take_prefix(rest, "b")) return std::nullopt;
  const int repeat = take_count(rest);
  if (!take_prefix(rest, "x")) return std::nullopt;
  const bool packed = take_prefix(rest, "_16b");
  if (!rest.empty()) return std::nullopt;
  for (const TmemShape& s : kShapes) {
    if (s.paths != paths || s.bits != bits) continue;
    if (repeat < 1 || repeat > s.most || (repeat & (repeat - 1)) != 0) {
      return Error{ErrorCode::unknown_atom, fmt::format("{} does not exist: {} repeats 1, 2, 4, .., {} times", op, s.ptx, s.most), {}, {}};
    }
    CopyTraits t = make_move(s, load, repeat, packed);
    if (!statistics) return t;
    if (paths != 32 || packed || (repeat != 32 && repeat != 128)) return std::nullopt;
    t.name = op;
    t.ptx = fmt::format("tcgen05.ld.red.sync.aligned.32x32b.x{}.max.f32", repeat);
    t.arch = {103, 'a'};
    return t;
  }
  return std::nullopt;
}

// tcgen05.cp: shared memory -> tensor memory, for one CTA or a pair.
struct UtccpRow {
  std::string_view name, ptx, src, dst, val_id;  // value layouts; the thread mode is added
};
constexpr std::array kUtccp = {
    UtccpRow{"128dp256bit", "128x256b", "32768:1", "32768:1", "(128,256):(2097152,1)"},
    UtccpRow{"128dp128bit", "128x128b", "16384:1", "16384:1", "(128,128):(2097152,1)"},
    UtccpRow{"4dp256bit", "4x256b", "(4,256):(32,128)", "(4,256):(32,128)", "(128,256):(2097152,1)"},
    UtccpRow{"4x32dp128bit", "32x128b.warpx4", "(32,128,4):(1,32,0)", "16384:1", "(32,128,4):(2097152,1,67108864)"},
    UtccpRow{"2x64dp128bitlw0213", "64x128b.warpx2::02_13", "(64,128,2):(1,64,0)", "16384:1", "(64,128,2):(2097152,1,134217728)"},
    UtccpRow{"2x64dp128bitlw0123", "64x128b.warpx2::01_23", "(32,128,2,2):(1,32,4096,0)", "16384:1",
             "(32,128,2,2):(2097152,1,134217728,67108864)"},
};

FoundCopy find_utccp(std::string_view rest, const std::string& op) {
  const int ctas = take_suffix(rest, "_1cta") ? 1 : take_suffix(rest, "_2cta") ? 2 : 0;
  if (ctas == 0) return std::nullopt;
  for (const UtccpRow& row : kUtccp) {
    if (row.name != rest) continue;
    CopyTraits t = copy_of_threads(op, fmt::format("tcgen05.cp.cta_group::{}.{}", ctas, row.ptx), {100, 'a'}, CopyKind::tmem, ctas);
    const Layout thread = Layout::trusted(ctas, 0);
    t.layout_src = layout_of({thread, table_layout(row.src)});
    t.layout_dst = t.layout_ref = layout_of({thread, table_layout(row.dst)});
    t.val_id = table_layout(row.val_id);
    return t;
  }
  return std::nullopt;
}

}  // namespace

FoundCopy find_tmem_copy(const TemplateName& name) {
  std::string_view rest = name.op;
  const auto at = rest.rfind("SM100_");  // CuTe also spells them SM100::TMEM::LOAD::SM100_TMEM_LOAD_..
  if (at == std::string_view::npos || !name.args.empty()) return std::nullopt;
  rest.remove_prefix(at);
  const std::string op(rest);
  if (take_prefix(rest, "SM100_TMEM_")) return find_move(rest, op);
  if (take_prefix(rest, "SM100_UTCCP_")) return find_utccp(rest, op);
  return std::nullopt;
}

void list_tmem_copies(std::vector<std::string>& names) {
  for (const bool load : {true, false}) {
    for (const TmemShape& s : kShapes) {
      for (int repeat = 1; repeat <= s.most; repeat *= 2) {
        for (const bool packed : {false, true}) names.push_back(move_name(s, load, repeat, packed));
      }
    }
  }
  for (const int repeat : {32, 128}) names.push_back(fmt::format("SM100_TMEM_LOAD_STAT_32dp32b{}x", repeat));
  for (const UtccpRow& row : kUtccp) {
    for (const int ctas : {1, 2}) names.push_back(fmt::format("SM100_UTCCP_{}_{}cta", row.name, ctas));
  }
}

}  // namespace tessera
