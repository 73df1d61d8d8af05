// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/dump.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/prints/lines.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

struct Words {
  std::string_view cpp, dsl;
};
constexpr Words kHeadings[] = {
    {"TiledMMA", "Tiled MMA"},  {"TiledCopy", "Tiled Copy"}, {"MMA_Atom", "MMA Atom"},
    {"Copy_Atom", "Copy Atom"}, {"ThrMMA", "Thr MMA"},       {"ThrCopy", "Thr Copy"},
};
constexpr Words kLabels[] = {
    {"ThrLayoutVMNK", "Thr Layout VMNK"},
    {"PermutationMNK", "Permutation MNK"},
    {"ThrID", "ThrID"},
    {"Shape_MNK", "Shape MNK"},
    {"LayoutA_TV", "TV Layout A"},
    {"LayoutB_TV", "TV Layout B"},
    {"LayoutC_TV", "TV Layout C"},
    {"Tiler_MN", "Tiler MN"},
    {"TiledLayout_TV", "TV Layout tiled"},
    {"ValLayoutSrc", "TV Layout Src"},
    {"ValLayoutDst", "TV Layout Dst"},
    {"ValLayoutRef", "TV Layout Ref"},
    {"ValueType", "Value type"},
    {"ThrVMNK", "Thr VMNK"},
    {"ThrIdx", "Thr Idx"},
};

// C++'s name of a line that holds nothing but a heading.
std::string_view heading_name(std::string_view line) {
  line = trimmed(line);
  if (line.ends_with(':')) line = trimmed(line.substr(0, line.size() - 1));
  for (const Words& heading : kHeadings) {
    if (line == heading.cpp || line == heading.dsl) return heading.cpp;
  }
  return {};
}

const DumpField* field(const Dump& dump, std::string_view label) {
  for (const DumpField& each : dump.fields) {
    if (each.label == label) return &each;
  }
  return nullptr;
}

// A field as a value; the error points at the field.
Result<Value> field_value(const Dump& dump, std::string_view label, const Scope& scope) {
  const DumpField* const found = field(dump, label);
  if (!found) {
    return Error{ErrorCode::parse, fmt::format("the line \"{}: ...\" is missing in what was pasted", label), {}, {}};
  }
  Result<Value> made = evaluate_best_reading(found->expression, scope, nullptr);
  if (made) return made;
  Error error = std::move(made).error();
  error.span = found->span;
  return error;
}

Result<Layout> field_layout(const Dump& dump, std::string_view label, const Scope& scope) {
  TESSERA_TRY(value, field_value(dump, label, scope));
  return as_layout(value);
}

// How layouts are compared: as they stand, or, if no atom has them so, as maps.
enum class Same { spelling, map };

// The same map of (thr, val), however its modes are nested: the DSL leaves out modes of one element that C++ has.
bool same_layout(const Layout& a, const Layout& b, Same same) {
  if (a == b) return true;
  if (same == Same::spelling) return false;
  if (a.rank() != b.rank() || a.size() != b.size()) return false;
  for (std::size_t mode = 0; mode < a.rank(); ++mode) {
    if (a[mode].size() != b[mode].size() || !(coalesce(a[mode]) == coalesce(b[mode]))) return false;
  }
  return true;
}

bool has_heading(const Dump& dump, std::string_view name) {
  return std::find(dump.headings.begin(), dump.headings.end(), name) != dump.headings.end();
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

// Every atom of the catalogue, made once: a log may print many.
const std::vector<MmaAtom>& all_mma_atoms() {
  static const std::vector<MmaAtom> atoms = [] {
    std::vector<MmaAtom> all;
    for (const std::string& name : mma_atom_names()) {
      if (Result<MmaAtom> atom = find_mma_atom(name)) all.push_back(std::move(*atom));
    }
    return all;
  }();
  return atoms;
}

// CuTe prints an atom's layouts and not its name: the likeliest atom of the catalogue that has all of them.
Result<MmaAtom> atom_of_dump(const Dump& dump, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_TRY(thr_id, field_layout(dump, "ThrID", scope));
  std::optional<IntTuple> shape;  // older versions do not print it
  if (field(dump, "Shape_MNK")) {
    TESSERA_TRY(shape_value, field_value(dump, "Shape_MNK", scope));
    TESSERA_TRY(shape_mnk, as_int_tuple(shape_value));
    shape = std::move(shape_mnk);
  }
  TESSERA_TRY(a, field_layout(dump, "LayoutA_TV", scope));
  TESSERA_TRY(b, field_layout(dump, "LayoutB_TV", scope));
  TESSERA_TRY(c, field_layout(dump, "LayoutC_TV", scope));
  std::vector<MmaAtom> same;
  for (const Same how : {Same::spelling, Same::map}) {
    for (const MmaAtom& atom : all_mma_atoms()) {
      if ((shape && !(atom.shape_mnk == *shape)) || !same_layout(atom.thr_id, thr_id, how)) continue;
      if (!same_layout(atom.layout_a, a, how) || !same_layout(atom.layout_b, b, how)) continue;
      if (same_layout(atom.layout_c, c, how)) same.push_back(atom);
    }
    if (!same.empty()) break;
  }
  std::stable_sort(same.begin(), same.end(), likelier);
  std::vector<std::string> names;
  for (const MmaAtom& atom : same) names.push_back(atom.name);
  warn_of_twins(names, warnings);
  if (!same.empty()) return std::move(same.front());
  return Error{ErrorCode::unknown_atom,
               fmt::format("no known MMA atom{} has these layouts", shape ? " of shape " + to_string(*shape) : std::string()),
               {},
               {}};
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
    const std::int64_t start = threads.size() == 1 ? 0 : threads.stride().value();
    while (atoms < kMostAtoms && starts(atoms) != start) ++atoms;
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
  if (!same_layout(mma.thr_layout_vmnk(), vmnk, Same::map)) {
    return Error{ErrorCode::not_representable,
                 fmt::format("ThrLayoutVMNK {} is not one that make_tiled_mma gives; the nearest is {}", to_string(vmnk),
                             to_string(mma.thr_layout_vmnk())),
                 {},
                 {}};
  }
  return mma;
}

// C++ prints the width of the values and not their type: the usual type of that width. The DSL prints the type.
Result<ValueType> value_type_of(const Dump& dump) {
  const std::string_view text = dump.value_type;
  if (const auto named = value_type(text)) return *named;
  if (text == "f8E4M3FN") return ValueType::e4m3;
  if (text == "f8E5M2") return ValueType::e5m2;
  if (text == "f8E8M0FNU") return ValueType::ue8m0;
  if (text == "f4E2M1FN") return ValueType::e2m1;
  constexpr std::pair<std::string_view, ValueType> kUsual[] = {{"64b", ValueType::f64}, {"32b", ValueType::f32}, {"16b", ValueType::f16},
                                                               {"8b", ValueType::u8},   {"4b", ValueType::u4},   {"1b", ValueType::b1},
                                                               {"", ValueType::f16}};
  for (const auto& [width, type] : kUsual) {
    if (text == width) return type;
  }
  const bool is_width = text.ends_with('b') && text.find_first_not_of("0123456789") == text.size() - 1;
  const std::string type = is_width ? fmt::format("of {} bits", text.substr(0, text.size() - 1)) : std::string(text);
  return Error{ErrorCode::wrong_type, fmt::format("no element type {} is known", type), {}, {}};
}

Result<CopyAtom> copy_atom_of_dump(const Dump& dump, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_TRY(thr_id, field_layout(dump, "ThrID", scope));
  TESSERA_TRY(src, field_layout(dump, "ValLayoutSrc", scope));
  TESSERA_TRY(dst, field_layout(dump, "ValLayoutDst", scope));
  std::optional<Layout> ref;  // the DSL does not print it
  if (field(dump, "ValLayoutRef")) {
    TESSERA_TRY(ref_layout, field_layout(dump, "ValLayoutRef", scope));
    ref = std::move(ref_layout);
  }
  TESSERA_TRY(type, value_type_of(dump));
  std::vector<std::string> same;
  std::optional<CopyAtom> first;
  for (const Same how : {Same::spelling, Same::map}) {
    for (const std::string& name : copy_atom_names()) {
      Result<CopyTraits> traits = find_copy_atom(name);
      if (!traits || !same_layout(traits->thr_id, thr_id, how)) continue;
      Result<CopyAtom> atom = CopyAtom::make(std::move(*traits), type);
      if (!atom || !same_layout(atom->val_layout_src, src, how) || !same_layout(atom->val_layout_dst, dst, how)) continue;
      if (ref && !same_layout(atom->val_layout_ref, *ref, how)) continue;
      if (!first) first = *std::move(atom);
      same.push_back(name);
    }
    if (first) break;
  }
  warn_of_twins(same, warnings);
  if (first) return *std::move(first);
  return Error{ErrorCode::unknown_atom, "no known copy atom has these layouts", {}, {}};
}

}  // namespace

bool is_dump_heading(std::string_view line) { return !heading_name(line).empty(); }

std::pair<std::string, std::string_view> dump_heading(std::string_view line) {
  if (is_dump_heading(line)) return {"", heading_name(line)};
  for (const std::size_t words : {std::size_t{1}, std::size_t{2}}) {
    std::size_t begin = line.size();
    for (std::size_t i = 0; i < words && begin != std::string_view::npos && begin > 0; ++i) begin = line.find_last_of(" \t", begin - 1);
    if (begin == std::string_view::npos || begin == 0) continue;
    const std::string_view heading = heading_name(line.substr(begin));
    if (heading.empty()) continue;
    std::string_view before = line.substr(0, begin);
    if (before.ends_with("{}")) before.remove_suffix(2);
    const std::size_t name_end = before.find_last_not_of(" \t:=");
    return {name_end == std::string_view::npos ? "" : binding_name(before.substr(0, name_end + 1)), heading};
  }
  return {"", {}};
}

std::optional<DumpField> dump_field(std::string_view line) {
  line = trimmed(line);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view label = trimmed(line.substr(0, colon));
  for (const Words& words : kLabels) {
    if (label == words.cpp || label == words.dsl) return DumpField{words.cpp, std::string(trimmed(line.substr(colon + 1))), {}};
  }
  return std::nullopt;
}

Result<Value> object_of(const Dump& dump, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_CHECK(check_time("looking for the atom"));
  const bool mma = has_heading(dump, "TiledMMA") || has_heading(dump, "ThrMMA");
  const bool copy = has_heading(dump, "TiledCopy") || has_heading(dump, "ThrCopy");
  if (mma || has_heading(dump, "MMA_Atom")) {
    TESSERA_TRY(atom, atom_of_dump(dump, scope, warnings));
    if (!mma) return Value{std::move(atom)};
    TESSERA_TRY(vmnk, field_layout(dump, "ThrLayoutVMNK", scope));
    Tiler permutation = Underscore{};
    if (field(dump, "PermutationMNK")) {
      TESSERA_TRY(permutation_value, field_value(dump, "PermutationMNK", scope));
      TESSERA_TRY(tiler, as_tiler(permutation_value));
      permutation = std::move(tiler);
    }
    TESSERA_TRY(made, mma_of_threads(std::move(atom), vmnk, permutation));
    return Value{std::make_shared<const TiledMma>(std::move(made))};
  }
  TESSERA_TRY(atom, copy_atom_of_dump(dump, scope, warnings));
  if (!copy) return Value{std::move(atom)};
  TESSERA_TRY(layout, field_layout(dump, "TiledLayout_TV", scope));
  TESSERA_TRY(tiler_value, field_value(dump, "Tiler_MN", scope));
  TESSERA_TRY(tiler, as_tiler(tiler_value));
  TESSERA_TRY(made, TiledCopy::make(std::move(atom), std::move(layout), std::move(tiler)));
  return Value{std::make_shared<const TiledCopy>(std::move(made))};
}

}  // namespace tessera
