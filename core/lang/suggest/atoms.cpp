// SPDX-License-Identifier: BSD-3-Clause
// Rules of suggest.hpp about the names of instructions and of shared-memory layouts.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/lang/suggest/rules.hpp"

namespace tessera::mistakes {
namespace {

// The types of an instruction: F32F16F16F32 -> F32, F16, F16, F32.
std::vector<std::string> types_of(std::string_view word) {
  std::vector<std::string> made;
  for (const char c : word) {
    const bool letter = c >= 'A' && c <= 'Z';
    const bool begins = letter && (made.empty() || (made.back().back() >= '0' && made.back().back() <= '9'));
    if (begins) made.emplace_back();
    if (made.empty()) return {};
    made.back() += c;
  }
  return made;
}

std::string upper(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return made;
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 -> SM80_16x8x16_F32F16F16F32_TN
std::vector<std::string> atoms_of_ptx(std::string_view name) {
  if (!name.starts_with("mma.")) return {};
  std::string extents, types;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 1;
    const std::size_t n = part.find('n'), k = part.find('k');
    const bool shape =
        part.starts_with('m') && n != std::string_view::npos && k != std::string_view::npos && n > 1 && part[1] >= '0' && part[1] <= '9';
    if (shape) extents = fmt::format("{}x{}x{}", part.substr(1, n - 1), part.substr(n + 1, k - n - 1), part.substr(k + 1));
    if (!extents.empty() && part.size() > 1 && part.back() >= '0' && part.back() <= '9' && !shape) types += upper(part);
  }
  if (types.empty()) types = "F32F16F16F32";
  std::vector<std::string> made;
  for (const std::string_view arch : {"SM80", "SM75", "SM89", "SM90", "SM120", "SM70"})
    made.push_back(fmt::format("{}_{}_{}_TN", arch, extents, types));
  return extents.empty() ? std::vector<std::string>() : made;
}

// The word as CuTe's capitals have it: sm80_16x8x16_f32f16f16f32_tn, gmma::layout_k_sw128_atom.
std::string in_capitals(std::string_view word) {
  for (const std::string& each : smem_atom_names()) {
    if (lower(each) == lower(word)) return each;
  }
  std::string name = upper(word);
  const auto digit = [&](std::size_t k) { return name[k] >= '0' && name[k] <= '9'; };
  if (!name.starts_with("SM") || name.size() < 6 || !digit(2)) return {};
  for (std::size_t at = 5; at + 1 < name.size(); ++at) {  // the x between two extents stays small
    if (name[at] == 'X' && digit(at - 1) && digit(at + 1)) name[at] = 'x';
  }
  return name;
}

void capitals(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string name = mistake.is_name(i) ? in_capitals(mistake.word(i)) : std::string();
    if (!name.empty() && name != mistake.word(i))
      ideas.replace(mistake.tokens[i].span, name, "the names of instructions are written in capitals");
  }
}

// ldmatrix.x4, ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
std::string matrix_copy(std::string_view word) {
  const bool loads = word.starts_with("ldmatrix.");
  if (!loads && !word.starts_with("stmatrix.")) return {};
  const auto has = [&](std::string_view part) { return word.find(part) != std::string_view::npos; };
  const int count = has("x4") ? 4 : has("x2") ? 2 : 1;
  const std::string_view arch = loads ? "SM75" : "SM90", what = loads ? "LDSM" : "STSM";
  return has("trans") ? fmt::format("{}_U16x{}_{}_T", arch, 2 * count, what) : fmt::format("{}_U32x{}_{}_N", arch, count, what);
}

void ptx_names(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    if (!mistake.is_name(i)) continue;
    std::vector<std::string> names = atoms_of_ptx(mistake.word(i));
    if (std::string copy = matrix_copy(mistake.word(i)); !copy.empty()) names.push_back(std::move(copy));
    for (const std::string& each : names)
      ideas.replace(mistake.tokens[i].span, each, fmt::format("CuTe's name of this PTX instruction is {}", each));
  }
}

// GMMA::Layout_K_SW128 without _Atom<half_t>
void smem_layouts(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string word(mistake.word(i));
    if (!mistake.is_name(i) || word.find("Layout_") == std::string::npos) continue;
    const std::string atom = word.ends_with("_Atom") ? word : word + "_Atom";
    for (const std::string& each : {atom, "GMMA::" + atom}) {
      ideas.replace(mistake.tokens[i].span, mistake.is(i + 1, '<') ? each : each + "<half_t>",
                    "a shared-memory layout is an atom of a type: GMMA::Layout_K_SW128_Atom<half_t>");
    }
  }
}

// Four types where a wgmma has three, three where an mma has four.
void types_of_operands(const Mistake& mistake, Ideas& ideas) {
  for (std::size_t i = 0; i < mistake.tokens.size(); ++i) {
    const std::string_view word = mistake.word(i);
    if (!mistake.is_name(i) || !word.starts_with("SM")) continue;
    const std::size_t first = word.find('_'), second = first == std::string_view::npos ? first : word.find('_', first + 1);
    if (second == std::string_view::npos) continue;
    const std::size_t third = std::min(word.find('_', second + 1), word.size());
    std::vector<std::string> types = types_of(word.substr(second + 1, third - second - 1));
    const bool wgmma = types.size() == 4;
    if (!wgmma && types.size() != 3) continue;
    if (wgmma)
      types.pop_back();
    else
      types.push_back(types.front());
    ideas.replace(mistake.tokens[i].span, fmt::format("{}_{}{}", word.substr(0, second), fmt::join(types, ""), word.substr(third)),
                  wgmma ? "a wgmma adds in place: its name has the types of the accumulator, A and B"
                        : "the name of an mma has four types: D, A, B and C");
  }
}

// An atom whose name is near: only where the refusal is about one, since there are thousands.
void near_atoms(const Mistake& mistake, Ideas& ideas) {
  const std::size_t at = mistake.place();
  if (mistake.error.code != ErrorCode::unknown_atom || !mistake.is_name(at)) return;
  const std::string_view name = mistake.word(at);
  for (const auto& known : {mma_atom_names(), copy_atom_names(), smem_atom_names()}) {
    for (const std::string& each : nearest_names(name, known, 2))
      ideas.replace(mistake.tokens[at].span, each, fmt::format("the nearest atom is {}", each));
  }
}

constexpr Rule kRules[] = {capitals, ptx_names, smem_layouts, types_of_operands, near_atoms};

}  // namespace

std::span<const Rule> atom_rules() { return kRules; }

}  // namespace tessera::mistakes
