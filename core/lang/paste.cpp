// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/paste.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/atom/catalog.hpp"
#include "core/lang/convert.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The text after "Label:", where the dump has it.
std::optional<std::string_view> field(std::string_view dump, std::string_view label) {
  std::size_t at = 0;
  while (at < dump.size()) {
    const std::size_t end = std::min(dump.find('\n', at), dump.size());
    std::string_view line = trimmed(dump.substr(at, end - at));
    if (line.starts_with(label) && line.size() > label.size() && line[label.size()] == ':') return trimmed(line.substr(label.size() + 1));
    at = end + 1;
  }
  return std::nullopt;
}

// A field as a value; the error points at the field.
Result<Value> field_value(std::string_view dump, std::string_view label, const Scope& scope) {
  const auto text = field(dump, label);
  if (!text) {
    return Error{ErrorCode::parse,
                 fmt::format("the line \"{}: ...\" is missing in what was pasted", label),
                 SourceSpan{0, std::min<std::size_t>(dump.size(), 8)},
                 {}};
  }
  const std::size_t begin = static_cast<std::size_t>(text->data() - dump.data());
  Result<Value> made = evaluate(*text, scope);
  if (!made) {
    Error error = std::move(made).error();
    const SourceSpan inside = error.span.value_or(SourceSpan{0, text->size()});
    error.span = SourceSpan{begin + inside.begin, begin + inside.end};
    return error;
  }
  return made;
}

Result<Layout> field_layout(std::string_view dump, std::string_view label, const Scope& scope) {
  TESSERA_TRY(value, field_value(dump, label, scope));
  return as_layout(value);
}

// Several atoms have these layouts, and a dump names none: the first is taken, with a word.
void warn_of_twins(const std::vector<std::string>& names, std::vector<Error>* warnings) {
  if (names.size() < 2 || !warnings) return;
  Error warning{ErrorCode::unknown_atom,
                fmt::format("CuTe prints no name, and {} atoms have these layouts: {} is taken", names.size(), names.front()),
                {},
                {}};
  constexpr std::size_t kShown = 6;
  for (std::size_t i = 1; i < std::min(names.size(), kShown); ++i) warning.notes.push_back("it may be " + names[i]);
  warnings->push_back(std::move(warning));
}

// Whether people mean `a` rather than `b` when both have the layouts: dense before sparse, the plain form before scaled ones, f32 sums
// before others, f16 operands before others.
bool likelier(const MmaAtom& a, const MmaAtom& b) {
  const auto key = [](const MmaAtom& atom) {
    return std::tuple(atom.sparse, atom.name.find("SCALED") != std::string::npos, atom.val_c != ValueType::f32,
                      atom.val_a != ValueType::f16);
  };
  return key(a) < key(b);
}

// CuTe prints an atom's layouts and not its name: the likeliest atom of the catalogue that has all of them.
Result<MmaAtom> atom_of_dump(std::string_view dump, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_TRY(thr_id, field_layout(dump, "ThrID", scope));
  TESSERA_TRY(shape_value, field_value(dump, "Shape_MNK", scope));
  TESSERA_TRY(shape, as_int_tuple(shape_value));
  TESSERA_TRY(a, field_layout(dump, "LayoutA_TV", scope));
  TESSERA_TRY(b, field_layout(dump, "LayoutB_TV", scope));
  TESSERA_TRY(c, field_layout(dump, "LayoutC_TV", scope));
  std::vector<MmaAtom> same;
  for (const std::string& name : mma_atom_names()) {
    Result<MmaAtom> atom = find_mma_atom(name);
    if (!atom || !(atom->shape_mnk == shape) || !(atom->thr_id == thr_id)) continue;
    if (atom->layout_a == a && atom->layout_b == b && atom->layout_c == c) same.push_back(std::move(*atom));
  }
  std::stable_sort(same.begin(), same.end(), likelier);
  std::vector<std::string> names;
  for (const MmaAtom& atom : same) names.push_back(atom.name);
  warn_of_twins(names, warnings);
  if (!same.empty()) return std::move(same.front());
  return Error{ErrorCode::unknown_atom, fmt::format("no known MMA atom of shape {} has these layouts", to_string(shape)), {}, {}};
}

// The (M,N,K) -> atom layout that gives these strides over threads: an atom's first thread is at complement(thr_id)(atom).
Result<TiledMma> mma_of_threads(MmaAtom atom, const Layout& vmnk, const Tiler& permutation) {
  constexpr std::int64_t kMostAtoms = 4096;
  if (vmnk.rank() != 4) return Error{ErrorCode::rank_mismatch, "ThrLayoutVMNK has four modes, but this is " + to_string(vmnk), {}, {}};
  TESSERA_TRY(starts, complement(atom.thr_id, IntTuple(atom.thr_id.cosize() * kMostAtoms)));
  std::vector<IntTuple> shape, stride;
  for (std::size_t mode = 1; mode < 4; ++mode) {
    const Layout threads = vmnk[mode];
    if (!threads.shape().is_int())
      return Error{
          ErrorCode::not_representable, "an atom layout with nested modes is not read from a dump; write make_tiled_mma(...)", {}, {}};
    shape.push_back(threads.shape());
    std::int64_t atoms = 0;
    while (atoms < kMostAtoms && starts(atoms) != threads.stride().value()) ++atoms;
    if (atoms == kMostAtoms) {
      return Error{ErrorCode::not_representable,
                   fmt::format("no atom begins at thread {} of ThrLayoutVMNK {}", to_string(threads.stride()), to_string(vmnk)),
                   {},
                   {}};
    }
    stride.emplace_back(atoms);
  }
  TESSERA_TRY(layout, Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))));
  TESSERA_TRY(mma, TiledMma::make(std::move(atom), std::move(layout), permutation));
  if (!(mma.thr_layout_vmnk() == vmnk)) {
    return Error{ErrorCode::not_representable,
                 fmt::format("ThrLayoutVMNK {} is not one that make_tiled_mma gives; the nearest is {}", to_string(vmnk),
                             to_string(mma.thr_layout_vmnk())),
                 {},
                 {}};
  }
  return mma;
}

Result<CopyAtom> copy_atom_of_dump(std::string_view dump, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_TRY(thr_id, field_layout(dump, "ThrID", scope));
  TESSERA_TRY(src, field_layout(dump, "ValLayoutSrc", scope));
  TESSERA_TRY(dst, field_layout(dump, "ValLayoutDst", scope));
  TESSERA_TRY(ref, field_layout(dump, "ValLayoutRef", scope));
  const std::string_view width_text = field(dump, "ValueType").value_or("16b");
  int width = 0;
  for (const char c : width_text) {
    if (c < '0' || c > '9' || width > 1024) break;
    width = width * 10 + (c - '0');
  }
  // CuTe prints the width of the values and not their type: the usual type of that width.
  const std::optional<ValueType> type = value_type(width == 64   ? "double"
                                                   : width == 32 ? "float"
                                                   : width == 8  ? "uint8_t"
                                                   : width == 4  ? "uint4_t"
                                                                 : "half_t");
  if (!type || bits(*type) != width) return Error{ErrorCode::wrong_type, fmt::format("no element type of {} bits is known", width), {}, {}};
  std::vector<std::string> same;
  std::optional<CopyAtom> first;
  for (const std::string& name : copy_atom_names()) {
    Result<CopyTraits> traits = find_copy_atom(name);
    if (!traits || !(traits->thr_id == thr_id)) continue;
    Result<CopyAtom> atom = CopyAtom::make(std::move(*traits), *type);
    if (!atom || !(atom->val_layout_src == src && atom->val_layout_dst == dst && atom->val_layout_ref == ref)) continue;
    if (!first) first = *std::move(atom);
    same.push_back(name);
  }
  warn_of_twins(same, warnings);
  if (first) return *std::move(first);
  return Error{ErrorCode::unknown_atom, "no known copy atom has these layouts", {}, {}};
}

struct OtherName {
  std::string_view pasted, name;
};
constexpr OtherName kOtherNames[] = {
    {"cute.make_tiled_copy", "make_tiled_copy_impl"},  // (atom, layout_tv, tiler_mn)
    {"cute.dice", "dice_"},                            // (src, coord)
    {"group_modes", "group"},
    {"make_identity_tensor", "make_identity_layout"},
    {"is_congruent", "congruent"},
    {"is_weakly_congruent", "weakly_congruent"},
    {"product", "size"},
    {"layout", "get"},  // layout<0>(x)
    {"retile_S", "retile"},
    {"retile_D", "retile"},
    {"filter_tuple", "filter"},
    {"get_swizzle_portion", "get_swizzle"},
    {"get_nonswizzle_portion", "get_nonswizzle"},
    {"make_tiled_copy_tv", "make_tiled_copy"},
    {"tiled_mma", "make_tiled_mma"},
    {"make_ordered_layout_like", "make_layout_like"},
};

}  // namespace

bool is_print_dump(std::string_view text) {
  const std::string_view begin = trimmed(text);
  for (const std::string_view word : {"TiledMMA", "TiledCopy", "MMA_Atom", "Copy_Atom"}) {
    if (begin.starts_with(word) && begin.size() > word.size() && (begin[word.size()] == '\n' || begin[word.size()] == '\r')) return true;
  }
  return false;
}

Result<Value> evaluate_print_dump(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  if (text.size() > kLongestText)
    return Error{ErrorCode::limit, "what was pasted is longer than an expression may be", SourceSpan{0, 1}, {}};
  const std::string_view begin = trimmed(text);
  if (begin.starts_with("MMA_Atom")) {
    TESSERA_TRY(atom, atom_of_dump(text, scope, warnings));
    return Value{std::move(atom)};
  }
  if (begin.starts_with("Copy_Atom")) {
    TESSERA_TRY(atom, copy_atom_of_dump(text, scope, warnings));
    return Value{std::move(atom)};
  }
  if (begin.starts_with("TiledMMA")) {
    TESSERA_TRY(atom, atom_of_dump(text, scope, warnings));
    TESSERA_TRY(vmnk, field_layout(text, "ThrLayoutVMNK", scope));
    TESSERA_TRY(permutation_value, field_value(text, "PermutationMNK", scope));
    TESSERA_TRY(permutation, as_tiler(permutation_value));
    TESSERA_TRY(mma, mma_of_threads(std::move(atom), vmnk, permutation));
    return Value{std::make_shared<const TiledMma>(std::move(mma))};
  }
  TESSERA_TRY(atom, copy_atom_of_dump(text, scope, warnings));
  TESSERA_TRY(layout, field_layout(text, "TiledLayout_TV", scope));
  TESSERA_TRY(tiler_value, field_value(text, "Tiler_MN", scope));
  TESSERA_TRY(tiler, as_tiler(tiler_value));
  TESSERA_TRY(copy, TiledCopy::make(std::move(atom), std::move(layout), std::move(tiler)));
  return Value{std::make_shared<const TiledCopy>(std::move(copy))};
}

std::string_view function_name(std::string_view pasted, std::string_view name) {
  // tcgen05.copy.Ld32x32bOp is tcgen05.Ld32x32bOp: the modules tcgen05 and warp pass on what their parts have.
  for (const std::string_view part : {"tcgen05.copy.", "tcgen05.mma.", "warp.copy.", "warp.mma.", "warpgroup.mma."}) {
    if (!name.starts_with(part)) continue;
    for (const BuiltinHelp& row : builtins()) {
      const std::size_t dot = part.find('.');
      if (row.name.starts_with(part.substr(0, dot + 1)) && row.name.substr(dot + 1) == name.substr(part.size())) return row.name;
    }
  }
  for (const OtherName& other : kOtherNames) {
    if (other.pasted == pasted || other.pasted == name) return other.name;
  }
  return name;
}

std::optional<std::string_view> dsl_constant(std::string_view name) {
  for (const std::string_view type :
       {"OperandMajorMode.", "OperandSource.", "LoadCacheMode.", "CtaGroup.", "Repetition.", "Pack.", "Unpack."}) {
    const std::size_t at = name.find(type);
    if (at == 0 || (at != std::string_view::npos && name[at - 1] == '.')) return name.substr(at + type.size());
  }
  return std::nullopt;
}

}  // namespace tessera
