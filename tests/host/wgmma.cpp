// SPDX-License-Identifier: BSD-3-Clause
#include "tests/host/wgmma.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/run/numerics.hpp"
#include "tests/host/instruction.hpp"
#include "tests/host/tensor_map.hpp"

namespace tessera::host {
namespace {

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// (m, k) or (n, k) -> value, the first fastest
std::vector<double> matrix(const OperandDescriptor& operand, ValueType type, std::int64_t extent, std::int64_t k, const ReadUnit& read) {
  const std::int64_t bytes = bits(type) / 8, of_unit = 16 / bytes;
  std::vector<double> values(static_cast<std::size_t>(extent * k));
  for (std::int64_t row = 0; row < operand.rows(extent); ++row) {
    for (std::int64_t unit = 0; unit < operand.units(extent); ++unit) {
      unsigned char data[16];
      read(operand.unit(row, unit), data);
      for (std::int64_t i = 0; i < of_unit; ++i) {
        std::uint64_t element = 0;
        std::memcpy(&element, data + i * bytes, static_cast<std::size_t>(bytes));
        const std::int64_t along = unit * of_unit + i, place = operand.is_transposed ? along + extent * row : row + extent * along;
        values[static_cast<std::size_t>(place)] = decoded(type, element);
      }
    }
  }
  return values;
}

}  // namespace

const WgmmaAtom* wgmma_atom(std::string_view opcode) {
  static std::map<std::string, WgmmaAtom, std::less<>> found;
  if (const auto known = found.find(opcode); known != found.end()) return &known->second;
  static const std::vector<std::string> names = mma_atom_names();
  const std::size_t shape = opcode.find(".m64n"), end = opcode.find_first_of('k', shape);
  if (end == std::string_view::npos) return nullptr;
  const std::string prefix = fmt::format("SM90_64x{}x", opcode.substr(shape + 5, end - shape - 5));
  for (const std::string& name : names) {
    if (!name.starts_with(prefix)) continue;
    const auto atom = find_mma_atom(name);
    if (!atom || atom->kind != MmaKind::wgmma || atom->sparse || atom->ptx != opcode || atom->source_a != OperandSource::smem_descriptor)
      continue;
    WgmmaAtom made{*atom, shape_extent(*atom, 0), shape_extent(*atom, 1), shape_extent(*atom, 2), {}, atom->layout_c[1].size()};
    for (std::int64_t thread = 0; thread < atom->layout_c[0].size(); ++thread) {
      for (std::int64_t value = 0; value < made.values; ++value) made.c.push_back(atom->layout_c(thread, value));
    }
    return &found.emplace(opcode, std::move(made)).first->second;
  }
  return nullptr;
}

std::int64_t OperandDescriptor::unit(std::int64_t row, std::int64_t of_row) const {
  const std::int64_t of_period = is_transposed ? swizzle_bytes / 16 : of_row + 1;  // units; a K-major row is not left
  const std::int64_t in_row = of_row / of_period * leading_bytes + of_row % of_period * 16;
  return swizzled(address + row / 8 * stride_bytes + row % 8 * swizzle_bytes + in_row, swizzle_bytes);
}

Result<OperandDescriptor> operand_descriptor(std::uint64_t bits, bool is_transposed) {
  const auto field = [&](int at, int width) { return static_cast<std::int64_t>(bits >> at & ((std::uint64_t{1} << width) - 1)); };
  constexpr std::array<int, 4> swizzles{0, 128, 64, 32};
  const OperandDescriptor made{field(0, 14) * 16, field(32, 14) * 16, field(16, 14) * 16, swizzles[static_cast<std::size_t>(field(62, 2))],
                               is_transposed};
  if (made.swizzle_bytes == 0 || field(49, 3) != 0)
    return Error{
        ErrorCode::wrong_result, fmt::format("the machine knows no descriptor {:#x}: it has no swizzle, or a base offset", bits), {}, {}};
  return made;
}

void compute(Multiplication& multiplication, const ReadUnit& read) {
  if (std::exchange(multiplication.is_done, true)) return;
  const WgmmaAtom& is = *multiplication.atom;
  const std::vector<double> a = matrix(multiplication.a, is.atom.val_a, is.m, is.k, read),
                            b = matrix(multiplication.b, is.atom.val_b, is.n, is.k, read);
  std::vector<double> c(static_cast<std::size_t>(is.m * is.n));
  std::vector<std::vector<HostOperand>>& lanes = multiplication.sums->lanes;
  const std::vector<std::size_t> all = first(lanes.front().size());
  for (std::size_t lane = 0; lane < lanes.size() && multiplication.adds; ++lane) {
    const std::vector<double> values = unpacked(is.atom.val_c, lanes[lane], all);
    for (std::size_t value = 0; value < values.size(); ++value)
      c[static_cast<std::size_t>(is.c[lane * values.size() + value])] = values[value];
  }
  for (std::int64_t n = 0; n < is.n; ++n) {
    double* const column = c.data() + n * is.m;
    for (std::int64_t k = 0; k < is.k; ++k) {
      const double factor = multiplication.sign * b[static_cast<std::size_t>(n + is.n * k)];
      const double* const other = a.data() + k * is.m;
      for (std::int64_t m = 0; m < is.m; ++m) column[m] += other[m] * factor;
    }
  }
  std::vector<double> values(static_cast<std::size_t>(is.values));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (std::size_t value = 0; value < values.size(); ++value)
      values[value] = round_to(is.atom.val_d, c[static_cast<std::size_t>(is.c[lane * values.size() + value])]);
    pack(is.atom.val_d, lanes[lane], all, values);
  }
}

void take(Sums& sums) {
  for (std::size_t lane = 0; lane < sums.lanes.size(); ++lane) {
    for (std::size_t i = 0; i < sums.lanes[lane].size(); ++i)
      std::memset(sums.variables[lane][i], 0xff, static_cast<std::size_t>(sums.lanes[lane][i].bytes));
  }
}

bool is_taken(const HostOperand& operand) {
  const auto* const bytes = static_cast<const unsigned char*>(operand.variable);
  return bytes && std::all_of(bytes, bytes + operand.bytes, [](unsigned char byte) { return byte == 0xff; });
}

bool give_back(Sums& sums) {
  bool untouched = true;
  for (std::size_t lane = 0; lane < sums.lanes.size(); ++lane) {
    for (std::size_t i = 0; i < sums.lanes[lane].size(); ++i) {
      const HostOperand& value = sums.lanes[lane][i];
      void* const variable = sums.variables[lane][i];
      untouched = untouched && is_taken({"", variable, 0, value.bytes});
      std::memcpy(variable, &value.bits, static_cast<std::size_t>(value.bytes));
    }
  }
  return untouched;
}

}  // namespace tessera::host
