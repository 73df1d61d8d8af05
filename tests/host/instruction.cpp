// SPDX-License-Identifier: BSD-3-Clause
// Operands are found by their numbers in the instruction's text, so that a wrong binding is a wrong result.
#include "tests/host/instruction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/run/numerics.hpp"
#include "core/layout/value_table.hpp"

namespace tessera::host {
namespace {

Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

void store(HostOperand& operand, std::uint64_t bits) {
  operand.bits = bits;
  if (operand.variable) std::memcpy(operand.variable, &bits, static_cast<std::size_t>(operand.bytes));
}

std::string_view mnemonic(std::string_view instruction) {
  std::size_t end = 0;
  while (end < instruction.size() && instruction[end] != ' ' && instruction[end] != ';') ++end;
  return instruction.substr(0, end);
}

// The operands' numbers, a list for each pair of braces: "{%0, %1}, {%2}, [%3]" -> {0, 1}, {2}, {3}.
std::vector<std::vector<std::size_t>> operand_lists(std::string_view instruction) {
  std::vector<std::vector<std::size_t>> lists;
  bool in_braces = false;
  for (std::size_t at = 0; at < instruction.size(); ++at) {
    if (instruction[at] == '{') in_braces = true, lists.emplace_back();
    if (instruction[at] == '}') in_braces = false;
    if (instruction[at] != '%') continue;
    std::size_t number = 0;
    std::from_chars(instruction.data() + at + 1, instruction.data() + instruction.size(), number);
    if (!in_braces) lists.emplace_back();
    lists.back().push_back(number);
  }
  return lists;
}

std::uint64_t encoded(ValueType type, double value) {
  switch (type) {
    case ValueType::f16: return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    case ValueType::bf16: return std::bit_cast<std::uint32_t>(static_cast<float>(round_to(ValueType::bf16, value))) >> 16;
    case ValueType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ValueType::f64: return std::bit_cast<std::uint64_t>(value);
    case ValueType::i32: return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    default: return 0;
  }
}

std::int64_t per_register(ValueType type, int register_bytes) { return std::max<std::int64_t>(1, 8 * register_bytes / bits(type)); }

}  // namespace

double decoded(ValueType type, std::uint64_t bits) {
  switch (type) {
    case ValueType::f16: return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
    case ValueType::bf16: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
    case ValueType::tf32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) & 0xffffe000U));
    case ValueType::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ValueType::f64: return std::bit_cast<double>(bits);
    // A float whose exponent and mantissa begin with these bits, but for the bias; and the upper half of an f16.
    case ValueType::e4m3:
      if ((bits & 0x7f) == 0x7f) return std::nan("");
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>((bits & 0x80) << 24 | (bits & 0x7f) << 20))) * 0x1p120;
    case ValueType::e5m2: return decoded(ValueType::f16, bits << 8);
    case ValueType::i8: return static_cast<std::int8_t>(bits);
    case ValueType::u8: return static_cast<std::uint8_t>(bits);
    case ValueType::i32: return static_cast<std::int32_t>(bits);
    default: return std::nan("");
  }
}

std::vector<double> unpacked(ValueType type, std::span<const HostOperand> operands, const std::vector<std::size_t>& list) {
  std::vector<double> values;
  values.reserve(list.empty() ? 0 : list.size() * static_cast<std::size_t>(per_register(type, operands[list[0]].bytes)));
  for (const std::size_t number : list) {
    const std::int64_t count = per_register(type, operands[number].bytes);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t word = operands[number].bits >> (i * bits(type) % 64);
      values.push_back(decoded(type, bits(type) < 64 ? word & ((std::uint64_t{1} << bits(type)) - 1) : word));
    }
  }
  return values;
}

void pack(ValueType type, std::span<HostOperand> operands, const std::vector<std::size_t>& list, std::span<const double> values) {
  std::size_t next = 0;
  for (const std::size_t number : list) {
    std::uint64_t word = 0;
    const std::int64_t count = per_register(type, operands[number].bytes);
    for (std::int64_t i = 0; i < count && next < values.size(); ++i) word |= encoded(type, values[next++]) << (i * bits(type) % 64);
    store(operands[number], word);
  }
}

namespace {

// An atom with its layouts written out: thread * values + value -> element of the matrix.
struct Atom {
  explicit Atom(const MmaAtom& atom) : is(atom), thr_id(image(atom.thr_id)) {
    for (const auto& [layout, table] : {std::pair{&atom.layout_a, &a}, {&atom.layout_b, &b}, {&atom.layout_c, &c}}) {
      table->values = (*layout)[1].size();
      const ValueTable element(*layout);
      for (std::int64_t thread = 0; thread < element.size(0); ++thread) {
        for (std::int64_t value = 0; value < table->values; ++value) table->elements.push_back(element(thread, value));
      }
    }
  }
  struct Table {
    std::vector<std::int64_t> elements;
    std::int64_t values = 0;
  };
  MmaAtom is;
  std::vector<std::int64_t> thr_id;  // logical thread -> lane
  Table a, b, c;
};

// Atoms that say this mnemonic; where there are several, they differ in what this execution does not use.
const Atom* atom_of(std::string_view name) {
  static const auto atoms = [] {
    auto all = std::make_unique<std::map<std::string, Atom, std::less<>>>();
    for (const std::string& each : mma_atom_names()) {
      if (const auto atom = find_mma_atom(each); atom && atom->kind == MmaKind::mma_sync && !atom->sparse)
        all->try_emplace(atom->ptx, *atom);
    }
    return all;
  }();
  const auto found = atoms->find(name);
  return found == atoms->end() ? nullptr : &found->second;
}

// One matrix product of the lanes that begin at lane `first`.
Status multiply(const Atom& of, const std::vector<std::vector<std::size_t>>& lists, const Lanes& lanes, int first) {
  const MmaAtom& atom = of.is;
  const std::int64_t m = shape_extent(atom, 0), n = shape_extent(atom, 1), k = shape_extent(atom, 2);
  const auto cells = [](std::int64_t count) { return std::vector<double>(static_cast<std::size_t>(count), std::nan("")); };
  std::vector<double> a = cells(m * k), b = cells(n * k), c = cells(m * n);
  const auto gather = [&](const Atom::Table& table, ValueType type, std::size_t list, std::vector<double>& matrix) -> Status {
    const std::int64_t* element = table.elements.data();
    for (const std::int64_t lane : of.thr_id) {
      const std::vector<double> values = unpacked(type, lanes[static_cast<std::size_t>(lane + first)], lists[list]);
      if (static_cast<std::int64_t>(values.size()) != table.values)
        return fault(fmt::format("{} takes {} values a thread as operand {}, but gets {}", atom.ptx, table.values, list, values.size()));
      for (const double value : values) matrix[static_cast<std::size_t>(*element++)] = value;
    }
    return Done{};
  };
  TESSERA_CHECK(gather(of.a, atom.val_a, 1, a));
  TESSERA_CHECK(gather(of.b, atom.val_b, 2, b));
  TESSERA_CHECK(gather(of.c, atom.val_c, 3, c));
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      double& sum = c[static_cast<std::size_t>(row + column * m)];
      for (std::int64_t i = 0; i < k; ++i) sum += a[static_cast<std::size_t>(row + i * m)] * b[static_cast<std::size_t>(column + i * n)];
      sum = round_to(atom.val_d, sum);
    }
  }
  const std::int64_t* element = of.c.elements.data();
  std::vector<double> values(static_cast<std::size_t>(of.c.values));
  for (const std::int64_t lane : of.thr_id) {
    for (double& value : values) value = c[static_cast<std::size_t>(*element++)];
    pack(atom.val_d, lanes[static_cast<std::size_t>(lane + first)], lists[0], values);
  }
  return Done{};
}

Status execute_mma(std::string_view instruction, const Lanes& lanes) {
  const Atom* atom = atom_of(mnemonic(instruction));
  if (!atom) return fault(fmt::format("no atom is {}", mnemonic(instruction)));
  const auto lists = operand_lists(instruction);
  if (lists.size() != 4) return fault(fmt::format("{} has {} lists of operands instead of 4", atom->is.ptx, lists.size()));
  // A quad pair is 8 lanes, and the four of a warp run the instruction together.
  const int together = atom->thr_id.size() == 8 ? 4 : 1;
  for (int i = 0; i < together; ++i) TESSERA_CHECK(multiply(*atom, lists, lanes, 4 * i));
  return Done{};
}

// The fragments of nvcuda::wmma, each lane's in memory: d(m, n) = c(m, n) + sum over k of a(m, k) b(k, n).
Status execute_wmma(std::string_view instruction, const Lanes& lanes) {
  constexpr std::size_t kExtent = 16, kSlots = 8;
  const ValueType type = instruction.find(".bf16") != std::string_view::npos ? ValueType::bf16 : ValueType::f16;
  const auto fragment = [&](std::size_t operand, auto visit) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      unsigned char* at = nullptr;
      std::memcpy(&at, &lanes[lane][operand].bits, sizeof at);
      for (std::size_t slot = 0; slot < kSlots; ++slot)
        visit(static_cast<std::size_t>(host_fragment_element(static_cast<int>(lane), static_cast<int>(slot))), at, slot);
    }
  };
  const auto read = [&](std::size_t operand, ValueType of) {
    std::vector<double> matrix(kExtent * kExtent);  // row + 16 column
    fragment(operand, [&](std::size_t element, const unsigned char* at, std::size_t slot) {
      std::uint32_t word = 0;
      const std::size_t bytes = static_cast<std::size_t>(bits(of)) / 8;
      std::memcpy(&word, at + slot * bytes, bytes);
      matrix[element] = decoded(of, word);
    });
    return matrix;
  };
  const std::vector<double> a = read(1, type), b = read(2, type);
  std::vector<double> sums = read(3, ValueType::f32);
  for (std::size_t m = 0; m < kExtent; ++m) {
    for (std::size_t n = 0; n < kExtent; ++n) {
      double& sum = sums[m + kExtent * n];
      for (std::size_t k = 0; k < kExtent; ++k) sum += a[m + kExtent * k] * b[k + kExtent * n];
    }
  }
  fragment(0, [&](std::size_t element, unsigned char* at, std::size_t slot) {
    const auto rounded = static_cast<float>(sums[element]);
    std::memcpy(at + slot * sizeof rounded, &rounded, sizeof rounded);
  });
  return Done{};
}

// Lane 8 i + r gives row r of matrix i; lane l gets elements 2 (l % 4) and the next of row l / 4, transposed: of column l / 4.
Status execute_ldmatrix(std::string_view instruction, const Lanes& lanes, const ReadRow& read_row) {
  const auto lists = operand_lists(instruction);
  const bool transposed = instruction.find(".trans") != std::string_view::npos;
  const std::size_t matrices = lists.empty() ? 0 : lists[0].size();
  if (lists.size() != 2 || instruction.find(fmt::format(".x{}", matrices)) == std::string_view::npos)
    return fault(fmt::format("{} has {} results", mnemonic(instruction), matrices));
  for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
    std::array<std::array<std::uint16_t, 8>, 8> rows{};
    for (std::size_t row = 0; row < 8; ++row) {
      const std::size_t lane = 8 * matrix + row;
      TESSERA_TRY(read, read_row(static_cast<int>(lane), static_cast<std::int64_t>(lanes[lane][lists[1][0]].bits)));
      rows[row] = read;
    }
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t major = lane / 4, minor = lane % 4 * 2;
      const std::uint32_t low = transposed ? rows[minor][major] : rows[major][minor];
      const std::uint32_t high = transposed ? rows[minor + 1][major] : rows[major][minor + 1];
      store(lanes[lane][lists[0][matrix]], low | high << 16);
    }
  }
  return Done{};
}

// As ldmatrix, the other way round.
Status execute_stmatrix(std::string_view instruction, const Lanes& lanes, const WriteRow& write_row) {
  const auto lists = operand_lists(instruction);
  const bool transposed = instruction.find(".trans") != std::string_view::npos;
  const std::size_t matrices = lists.size() < 2 ? 0 : lists[1].size();
  if (lists.size() != 2 || instruction.find(fmt::format(".x{}", matrices)) == std::string_view::npos)
    return fault(fmt::format("{} has {} registers", mnemonic(instruction), matrices));
  for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
    std::array<std::array<std::uint16_t, 8>, 8> rows{};
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t major = lane / 4, minor = lane % 4 * 2;
      const std::uint64_t pair = lanes[lane][lists[1][matrix]].bits;
      (transposed ? rows[minor][major] : rows[major][minor]) = static_cast<std::uint16_t>(pair);
      (transposed ? rows[minor + 1][major] : rows[major][minor + 1]) = static_cast<std::uint16_t>(pair >> 16);
    }
    for (std::size_t row = 0; row < 8; ++row) {
      const std::size_t lane = 8 * matrix + row;
      TESSERA_CHECK(write_row(static_cast<int>(lane), static_cast<std::int64_t>(lanes[lane][lists[0][0]].bits), rows[row]));
    }
  }
  return Done{};
}

}  // namespace

std::optional<Kind> kind_of(std::string_view instruction) {
  const std::string_view name = mnemonic(instruction);
  if (name.starts_with("mma.sync.aligned.") || name.starts_with("wmma.mma.sync.") || name.starts_with("ldmatrix.sync.aligned.m8n8.") ||
      name.starts_with("stmatrix.sync.aligned.m8n8."))
    return Kind::warp;
  if (name == "cvta.to.shared.u64") return Kind::shared_address;
  if (name == "cvt.f32.f16" || name == "cvt.rn.f16.f32" || name == "cvt.rn.f16x2.f32" || name == "cvt.rn.bf16x2.f32" || name == "mov.b32")
    return Kind::convert;
  if (name == "cp.async.commit_group") return Kind::commit;
  if (name == "cp.async.wait_group") return Kind::wait;
  if (name.starts_with("cp.async.cg.shared.global") || name.starts_with("cp.async.ca.shared.global")) return Kind::copy_async;
  return std::nullopt;
}

Status convert(std::string_view instruction, std::span<HostOperand> operands) {
  if (mnemonic(instruction).find("x2.") != std::string_view::npos) {  // the upper half is the first source's
    const ValueType type = mnemonic(instruction).find(".bf16x2.") != std::string_view::npos ? ValueType::bf16 : ValueType::f16;
    const auto half = [&](std::size_t source) { return encoded(type, decoded(ValueType::f32, operands[source].bits)); };
    store(operands[0], half(1) << 16 | half(2));
    return Done{};
  }
  if (mnemonic(instruction) == "mov.b32") {
    store(operands[0], operands[1].bits);
    return Done{};
  }
  const bool widens = mnemonic(instruction) == "cvt.f32.f16";
  const double value = decoded(widens ? ValueType::f16 : ValueType::f32, operands[1].bits);
  store(operands[0], encoded(widens ? ValueType::f32 : ValueType::f16, value));
  return Done{};
}

Result<AsyncCopy> copy_of(std::string_view instruction, std::span<const HostOperand> operands) {
  AsyncCopy copy{static_cast<std::int64_t>(operands[0].bits), nullptr, 0, 0};
  std::memcpy(&copy.from, &operands[1].bits, sizeof copy.from);
  const auto number = [&](std::string_view text) {  // "16" or "%2"
    std::size_t value = 0;
    const bool is_operand = text.starts_with('%');
    std::from_chars(text.data() + is_operand, text.data() + text.size(), value);
    return is_operand ? static_cast<std::int64_t>(static_cast<std::int32_t>(operands[value].bits)) : static_cast<std::int64_t>(value);
  };
  const std::string_view sizes = instruction.substr(instruction.rfind("], ") + 3);  // "16;", "16, %2;"
  copy.bytes = copy.read = number(sizes);
  if (const std::size_t comma = sizes.find(", "); comma != std::string_view::npos) copy.read = number(sizes.substr(comma + 2));
  if (copy.read < 0 || copy.read > copy.bytes)
    return fault(fmt::format("{} reads {} of {} bytes", mnemonic(instruction), copy.read, copy.bytes));
  const bool past_l1 = instruction.starts_with("cp.async.cg");
  if (copy.bytes != 16 && (past_l1 || (copy.bytes != 4 && copy.bytes != 8)))
    return fault(fmt::format("{} does not copy {} bytes", mnemonic(instruction), copy.bytes));
  return copy;
}

Status execute(std::string_view instruction, const Lanes& lanes, const ReadRow& read_row, const WriteRow& write_row) {
  if (instruction.starts_with("wmma")) return execute_wmma(instruction, lanes);
  if (instruction.starts_with("stmatrix")) return execute_stmatrix(instruction, lanes, write_row);
  return instruction.starts_with("ldmatrix") ? execute_ldmatrix(instruction, lanes, read_row) : execute_mma(instruction, lanes);
}

}  // namespace tessera::host
