// SPDX-License-Identifier: BSD-3-Clause
// Where tiles reach beyond the problem: each thread's coordinates, once; what is asked of them where it reads and writes.
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

constexpr std::int64_t kBits = 32;  // of a mask

bool depends(const Layout& coordinates, std::uint8_t mode) { return basis_part(coordinates, mode).cosize() > 1; }

// (vec, copy): the coordinates of mode i; a partition of one mode has no modes of its own.
Layout mode_of(const plan::Partition& coordinates, std::size_t i) {
  const Layout modes = plain_part(coordinates.layout)[1];
  return coordinates.modes.size() == 1 ? modes : modes[i];
}

std::string lower(std::string_view mode) { return std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(mode[0])))); }

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

std::string zero_of(const std::string& type) {
  if (type == "float") return "0.0f";
  return type == "uint2" || type == "uint4" ? type + "{}" : fmt::format("({})0", type);
}

}  // namespace

const plan::Partition& Body::coordinates(const plan::At& at) const { return plan_.partitions[partition(at).coordinates]; }

bool Body::has_edge(const plan::At& at, std::size_t mode) const { return plan::has_edge(plan_, tensor(at).operand, mode); }

// "tAcA_m": of the first value of a thread, along M and N in the matrix, along K in the tile.
std::string Body::first_coordinate(const plan::Partition& coordinates, std::size_t mode) const {
  return fmt::format("{}_{}", coordinates.name, lower(plan::mode_names(plan_.tensors[coordinates.tensor].operand)[mode]));
}

// Does a mode of the partition say whether a value is inside along M or N? Along K it depends on the tile, too.
std::optional<std::size_t> Body::masked_mode(const plan::Partition& coordinates) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < coordinates.modes.size(); ++i) {
    if (!depends(mode_of(coordinates, i), 0)) continue;
    if (found || coordinates.modes[i] == "MMA_K" || mode_of(coordinates, i).size() > kBits) return std::nullopt;
    found = i;
  }
  return found;
}

// What is known before the loops: is this thread's row of A (of B) inside, or which of its rows are?
void Body::declare_coordinates(const plan::Partition& of, std::int64_t count) {
  if (of.coordinates == plan::kNone) return;
  const plan::Partition& is = plan_.partitions[of.coordinates];
  const Operand operand = plan_.tensors[of.tensor].operand;
  const Layout threads = of_role(plain_part(is.layout)[0], count);
  const auto names = plan::mode_names(operand);
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
    if (!plan::has_edge(plan_, operand, mode)) continue;
    const bool moves = names[mode] != std::string("K") && !constants_.has_one_tile(operand, mode);
    const std::string tile = moves ? fmt::format("{} * BLK_{}", tile_name(operand == Operand::b ? 1 : mode), names[mode]) : "0";
    lines_.add(fmt::format("const int {} = {};", first_coordinate(is, mode), sum({tile, index_expr(basis_part(threads, mode), "thr")})),
               names[mode] == std::string("K") ? fmt::format("{} -> k in the tile", is.name)
                                               : fmt::format("{} -> {}", is.name, lower(names[mode])));
  }
  if (operand == Operand::c || !plan::has_edge(plan_, operand, 0)) return;
  std::string name = is.name;  // tApA
  name[2] = 'p';
  const std::string first = first_coordinate(is, 0);
  const bool by_value = is.modes[0] != "vec" && depends(mode_of(is, 0), 0);
  bool by_mode = false;
  for (std::size_t i = 1; i < is.modes.size(); ++i) by_mode = by_mode || depends(mode_of(is, i), 0);
  const std::optional<std::size_t> mode = masked_mode(is);
  if (by_value || (by_mode && !mode)) return;
  masks_[of.coordinates] = {name, by_mode ? is.modes[*mode] : std::string()};
  if (!by_mode) {
    lines_.add(fmt::format("const bool {} = {} < {};", name, first, names[0]));
    return;
  }
  const std::string variable = is.modes[*mode] == "MMA_M" ? "m" : is.modes[*mode] == "MMA_N" ? "n" : is.modes[*mode];
  lines_.add(fmt::format("unsigned {} = 0;", name), fmt::format("bit {}: is its {} inside?", variable, lower(names[0])));
  lines_.add("#pragma unroll");
  lines_.add(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {2} |= ({3} < {4} ? 1U : 0U) << {0};", variable,
                         to_string(constants_.extent(is.modes[*mode], mode_of(is, *mode).size())), name,
                         sum({first, index_expr(basis_part(mode_of(is, *mode), 0), variable)}), names[0]));
}

// Where the value lies along a mode of its matrix: "k_tile * BLK_K + tAcA_k + copy * 32".
std::string Body::coordinate_text(const plan::At& at, std::uint8_t mode, const std::string& value) const {
  const plan::Partition& is = coordinates(at);
  std::vector<std::string> terms;
  for (const plan::Pick& pick : at.picks) {
    const std::string k_tile = pick.mode == "k_tile" && mode == 1 ? index(pick.at) : "0";
    if (k_tile != "0") terms.push_back(fmt::format("{} * BLK_K", in_parentheses(k_tile)));
  }
  terms.push_back(first_coordinate(is, mode));
  for (std::size_t i = 1; i < is.modes.size(); ++i)
    terms.push_back(index_expr(basis_part(mode_of(is, i), mode), coordinate(at, is.modes[i])));
  terms.push_back(index_expr(basis_part(mode_of(is, 0), mode), value));
  return sum(terms);
}

// Is the value inside along M or N (mode 0 of A and B), or along any other mode?
std::string Body::inside_along(const plan::At& at, std::uint8_t mode, const std::string& value) const {
  const auto mask = masks_.find(partition(at).coordinates);
  if (mode == 0 && mask != masks_.end()) {
    const auto& [name, of_mode] = mask->second;
    if (of_mode.empty()) return name;
    const std::string bit = coordinate(at, of_mode);
    return bit == "0" ? fmt::format("({} & 1)", name) : fmt::format("({} >> {} & 1)", name, in_parentheses(bit));
  }
  return fmt::format("{} < {}", coordinate_text(at, mode, value), plan::mode_names(tensor(at).operand)[mode]);
}

// "tApA && k_tile * BLK_K + tAcA_k < K": is the value inside?
std::string Body::inside(const plan::At& at, const std::string& value) const {
  std::string text;
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
    if (has_edge(at, mode)) text += (text.empty() ? "" : " && ") + inside_along(at, mode, value);
  }
  return text;
}

// Does a vector that begins inside end outside?
bool Body::is_cut(const plan::Copy& copy) const {
  const std::size_t along = plan::contiguous_mode(tensor(copy.from).tiles[0]);
  return plan::cuts_vectors(plan_, tensor(copy.from).operand, along, copy.vector);
}

// Does where a value lies along a mode change in the loops of a copy?
bool Body::moves_in_loops(const plan::At& at, std::uint8_t mode) const {
  const plan::Partition& is = coordinates(at);
  for (std::size_t i = 1; i < is.modes.size(); ++i) {
    if (depends(mode_of(is, i), mode)) return true;
  }
  return false;
}

// What a copy asks of each element or vector: is it inside, and how much of it? A coordinate that is long, or asked twice, is declared:
// with the others that stay before the loops, or in them.
Body::Cut Body::declare_cut(const plan::Copy& copy, bool in_loops) {
  Cut cut;
  const plan::At& at = copy.from;
  const auto names = plan::mode_names(tensor(at).operand);
  const auto along = static_cast<std::uint8_t>(plan::contiguous_mode(tensor(at).tiles[0]));
  const bool is_cut = this->is_cut(copy);
  for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
    if (!has_edge(at, mode)) continue;
    const bool is_masked = mode == 0 && masks_.contains(partition(at).coordinates);
    std::string where = coordinate_text(at, mode, "0");
    if (where.find(' ') != std::string::npos && (!is_masked || (is_cut && mode == along))) {
      const std::string name = lower(names[mode]) + operand_letter(at);
      if (moves_in_loops(at, mode) == in_loops) lines_.add(fmt::format("const int {} = {};", name, where));
      where = name;
    }
    if (is_cut && mode == along) cut.left = fmt::format("{} - {}", names[mode], where);
    const std::string test = is_masked ? inside_along(at, mode, "0") : fmt::format("{} < {}", where, names[mode]);
    cut.inside += (cut.inside.empty() ? "" : " && ") + test;
  }
  return cut;
}

// Before the loops of a copy.
void Body::declare_fixed_cut(const plan::Copy& copy) {
  if (copy.predicate != plan::kNone && tensor(copy.from).space == plan::Space::global) declare_cut(copy, false);
}

// What a copy reads from global memory: an element or a vector, zeros where it is outside.
std::string Body::loaded(const plan::Copy& copy) {
  const ValueType type = tensor(copy.from).type;
  std::string value = access(gmem_place(copy.from), type, copy.vector, true);
  if (copy.predicate == plan::kNone) return value;
  const Cut cut = declare_cut(copy, true);
  const std::int64_t bytes = bits(type) / 8;
  if (!cut.left.empty())
    value = fmt::format("{}({}, {})", needs_("first_bytes"), value, bytes == 1 ? cut.left : fmt::format("({}) * {}", cut.left, bytes));
  return fmt::format("{} ? {} : {}", cut.inside, value,
                     zero_of(copy.vector == 1 ? memory_type(type) : access_type(copy.vector * bits(type))));
}

// The element at `place`, or 0 where the value is outside.
std::string Body::element_inside(const plan::Copy& copy, const Place& place, const std::string& value) const {
  if (copy.predicate == plan::kNone) return place.element();
  return fmt::format("({} ? {} : {})", inside(copy.from, value), place.element(), zero_of(memory_type(tensor(copy.from).type)));
}

// A store, and the sum that it stores, where the element is inside.
bool Body::emit_store_inside(const plan::Op& first, const plan::Op& second) {
  const auto* convert = std::get_if<plan::Convert>(&first.op);
  const auto* copy = std::get_if<plan::Copy>(&second.op);
  if (convert == nullptr || copy == nullptr || copy->predicate == plan::kNone || tensor(copy->to).space != plan::Space::global ||
      boxed_.contains(partition(convert->to).tensor))
    return false;
  lines_.open(fmt::format("if ({})", inside(copy->to, "0")));
  why_ = first.why;
  (*this)(*convert);
  why_ = second.why;
  lines_.of(&second);
  store_result(*copy);
  lines_.close();
  return true;
}

// Where a tile begins: so many tiles of rows, "m_tile * (BLK_M * LDA)", or of elements in a row.
std::string Body::tile_offset(const plan::Tensor& gmem, std::size_t mode, const std::string& variable) const {
  const std::string blk = fmt::format("BLK_{}", plan::mode_names(gmem.operand)[mode]);
  if (variable == "0") return variable;
  if (!plan::has_edge(plan_, gmem.operand) || constants_.leading(gmem) == 0 || constants_.has_one_tile(gmem.operand, mode))
    return index_expr(gmem.tiles[1][mode], variable, constants_.stride(gmem, blk));
  const std::string factor = mode == constants_.contiguous_mode(gmem) ? blk : fmt::format("({} * {})", blk, constants_.leading_name(gmem));
  return fmt::format("{} * {}", in_parentheses(variable), factor);
}

// Of the partition's mode.
std::string Body::gmem_offset(const plan::At& at, std::size_t mode, const std::string& variable, std::int64_t step) const {
  const plan::Partition& part = partition(at);
  std::optional<Layout> coordinates;
  if (part.coordinates != plan::kNone) coordinates = mode_of(plan_.partitions[part.coordinates], mode);
  return gmem_offset(tensor(at), mode_of(part, mode), coordinates ? &*coordinates : nullptr, variable, step);
}

// An offset in a tile as a person says it: so many rows, and so many elements in the row. `values` and `coordinates` are of the same mode
// of a partition.
std::string Body::gmem_offset(const plan::Tensor& gmem, const Layout& values, const Layout* coordinates, std::string_view variable,
                              std::int64_t step) const {
  const std::int64_t leading = constants_.leading(gmem);
  if (coordinates == nullptr || leading == 0) return stepped_expr(values, variable, step, constants_.stride(gmem));
  const std::uint8_t along = constants_.contiguous_mode(gmem);
  const Layout across = basis_part(*coordinates, static_cast<std::uint8_t>(1 - along)), in_row = basis_part(*coordinates, along);
  if (is_number(variable)) {
    const std::int64_t number = std::stoll(std::string(variable)) * step, row = across(number);
    const std::string rows = row == 1 ? constants_.leading_name(gmem) : fmt::format("{} * {}", row, constants_.leading_name(gmem));
    return sum({row == 0 ? "0" : rows, fmt::format("{}", in_row(number))});
  }
  const Layout rows = with_strides(across, [&](std::int64_t stride) { return stride * leading; });
  return sum({stepped_expr(rows, variable, step, constants_.stride(gmem)), stepped_expr(in_row, variable, step)});
}

}  // namespace tessera::emitting
