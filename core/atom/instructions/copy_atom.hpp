// SPDX-License-Identifier: BSD-3-Clause
// CopyAtom: one copy instruction as CuTe describes it. Source, destination and reference layouts map (thr, val) to abstract bits;
// only the relation between them matters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/atom/instructions/mma_atom.hpp"
#include "core/atom/instructions/value_type.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

// What the instruction is, for those who emit or simulate it.
enum class CopyKind : std::uint8_t {
  universal,
  cp_async,
  ldmatrix,
  ldmatrix_trans,
  stmatrix,
  stmatrix_trans,
  movmatrix,
  tma,
  bulk,
  tmem,
  other
};

struct CopyTraits {
  // Long, and used by many sources: compiled once.
  CopyTraits();
  CopyTraits(const CopyTraits& other);
  CopyTraits(CopyTraits&& other) noexcept;
  CopyTraits& operator=(const CopyTraits& other);
  CopyTraits& operator=(CopyTraits&& other) noexcept;
  ~CopyTraits();

  std::string name;  // CuTe's spelling: SM75_U32x4_LDSM_N
  std::string ptx;   // ldmatrix.sync.aligned.x4.m8n8.shared.b16
  ArchRequirement arch;
  CopyKind kind = CopyKind::universal;
  Layout thr_id;                  // logical thread -> hardware thread
  Layout layout_src;              // (thr, val) -> bit
  Layout layout_dst;              // (thr, val) -> bit
  Layout layout_ref;              // (thr, val) -> bit
  std::optional<Layout> val_id;   // tensor memory: value -> address in bits, data paths 2^21 apart
  std::string source;             // where the fact comes from
  std::int64_t assumed_bits = 0;  // of alignment, where the width is found when the copy meets its tensors; 0: the layouts say the width
  bool automatic = false;         // the DSL's universal copy of no stated width: the compiler joins what it can
};

// The traits in units of a value type: CuTe's Copy_Atom<Op, T>.
struct CopyAtom {
  CopyTraits traits;
  ValueType value_type = ValueType::f32;
  Layout val_layout_src;  // (thr, val) -> value
  Layout val_layout_dst;  // (thr, val) -> value
  Layout val_layout_ref;  // (thr, val) -> value

  // Refuses types that would break up a thread's bits. A copy narrower than its value has a layout, as in CuTe, and no tiled copy.
  static Result<CopyAtom> make(CopyTraits traits, ValueType type);
};

// "Copy_Atom<SM75_U32x4_LDSM_N, half_t>" as text.
Result<CopyAtom> parse_copy_atom(std::string_view text);
std::string_view to_string(CopyKind kind);  // "ldmatrix"

}  // namespace tessera
