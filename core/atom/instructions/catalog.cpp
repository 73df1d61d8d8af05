// SPDX-License-Identifier: BSD-3-Clause
// Finding atoms by name, listing them, and suggesting near names.
#include "core/atom/instructions/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/copy_families.hpp"
#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

constexpr std::size_t kSuggestions = 3;
constexpr std::size_t kCompletions = 8;
constexpr std::size_t kSlips = 3, kMostSlips = 24;  // characters that a misspelt name may differ in

// Which characters a name has, a bit each; some share one.
std::uint64_t characters(std::string_view name) {
  std::uint64_t made = 0;
  for (const char c : name) made |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
  return made;
}

// Levenshtein distance, a row at a time; gives up with limit + 1 as soon as the distance must be larger than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit, std::vector<std::size_t>& row) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  // Each character that one name lacks takes an edit of its own: most names are told apart by that.
  const std::uint64_t of_a = characters(a), of_b = characters(b);
  const int lacking = std::max(std::popcount(of_a & ~of_b), std::popcount(of_b & ~of_a));
  if (static_cast<std::size_t>(lacking) > limit) return limit + 1;
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0], least = i + 1;
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min(std::min(above, row[j]) + 1, diagonal + (a[i] == b[j] ? 0 : 1));
      least = std::min(least, row[j + 1]);
      diagonal = above;
    }
    if (least > limit) return limit + 1;
  }
  return row[b.size()];
}

Error unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  Error error{ErrorCode::unknown_atom, fmt::format("no {} is named \"{}\"", what, name.substr(0, 200)), {}, {}};
  for (const std::string& near : nearest_names(name, known, kSuggestions)) error.notes.push_back(fmt::format("did you mean {}?", near));
  return error;
}

Error ambiguous(std::string_view what, std::string_view name, const std::vector<std::string>& begun) {
  Error error{ErrorCode::unknown_atom, fmt::format("\"{}\" is the beginning of {} {}s", name, begun.size(), what), {}, {}};
  for (std::size_t i = 0; i < std::min(begun.size(), kCompletions); ++i) error.notes.push_back(begun[i]);
  if (begun.size() > kCompletions)
    error.notes.push_back(fmt::format("and {} more: tessera atoms --filter {}", begun.size() - kCompletions, name));
  return error;
}

// What no family knows: a short form, or an error.
template <class Found>
Found find_by_beginning(std::string_view what, std::string_view name, const std::vector<std::string>& known,
                        Found (*find)(std::string_view)) {
  const std::string compact = compact_name(name);
  const std::vector<std::string> begun = completions(compact, known);
  if (begun.size() == 1) return find(begun.front());
  return begun.empty() ? unknown(what, compact, known) : ambiguous(what, compact, begun);
}

// What a family leaves to the type's ordinary name.
void name_types(MmaAtom& atom) {
  const auto name = [](std::string& text, ValueType type) {
    if (text.empty()) text = std::string(compiler_name(type));
  };
  name(atom.type_d, atom.val_d);
  name(atom.type_a, atom.val_a);
  name(atom.type_b, atom.val_b);
  name(atom.type_c, atom.val_c);
}

// MMA_Traits<Op> and MMA_Atom<Op> stand for the atom too.
std::string unwrapped(std::string_view name) {
  std::string text = compact_name(name);
  for (const std::string_view wrapper : {"MMA_Atom<", "MMA_Traits<"}) {
    if (text.starts_with(wrapper) && text.ends_with('>')) text = text.substr(wrapper.size(), text.size() - wrapper.size() - 1);
  }
  return text;
}

}  // namespace

Result<MmaAtom> find_mma_atom(std::string_view name) {
  TESSERA_TRY(parsed, parse_template_name(unwrapped(name)));
  for (const auto find :
       {find_sync_atom, find_simt_atom, find_wgmma_atom, find_umma_atom, find_sm120_atom, find_amd_atom, find_wmma_atom}) {
    FoundAtom found = find(parsed);
    if (!found) continue;
    if (found->has_value()) name_types(**found);
    return *std::move(found);
  }
  return find_by_beginning("MMA atom", unwrapped(name), mma_atom_names(), find_mma_atom);
}

Result<CopyTraits> find_copy_atom(std::string_view name) {
  if (auto found = find_copy_traits(name)) return *std::move(found);
  return find_by_beginning("copy atom", name, copy_atom_names(), find_copy_atom);
}

std::vector<std::string> mma_atom_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    list_simt_atoms(all);
    list_wmma_atoms(all);
    for (const int sm : {70, 75, 80, 89, 90}) list_sync_atoms(all, sm);
    list_wgmma_atoms(all);
    for (const int sm : {100, 103}) list_umma_atoms(all, sm);
    list_sm120_atoms(all);
    list_amd_atoms(all);
    return all;
  }();
  return names;
}

std::vector<std::string> copy_atom_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    list_copy_traits(all);
    return all;
  }();
  return names;
}

std::vector<std::string> completions(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::string> begun;
  if (name.empty()) return begun;
  for (const std::string& each : known) {
    if (each.size() > name.size() && each.starts_with(name) && (each[name.size()] == '_' || each[name.size()] == '<'))
      begun.push_back(each);
  }
  return begun;
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known, std::size_t count) {
  const std::string_view bounded = name.substr(0, 200);  // the distance is quadratic
  // Farther than this a name is another name, not a slip; it also keeps the search short.
  const std::size_t farthest = std::min(std::max(std::min(kSlips, bounded.size() / 2), bounded.size() / 3), kMostSlips);
  std::vector<std::pair<std::size_t, std::size_t>> best;  // (distance, index), nearest first, the earlier of two equals first
  std::vector<std::size_t> row;
  for (std::size_t i = 0; i < known.size() && count > 0; ++i) {
    const bool full = best.size() == count;
    if (full && best.back().first == 0) break;
    const std::size_t limit = full ? best.back().first - 1 : farthest;
    const std::size_t distance = edit_distance(bounded, known[i], limit, row);
    if (distance > limit) continue;
    if (full) best.pop_back();
    best.insert(std::upper_bound(best.begin(), best.end(), std::pair{distance, i}), {distance, i});
  }
  std::vector<std::string> names;
  for (const auto& [distance, index] : best) names.push_back(known[index]);
  return names;
}

std::string names_and_nearest(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest_names(name, known, 1);
  return fmt::format("{}{}", fmt::join(known, ", "), near.empty() ? "" : "; the nearest is " + near.front());
}

}  // namespace tessera
