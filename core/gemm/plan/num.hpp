// SPDX-License-Identifier: BSD-3-Clause
// A number that knows its name: K_TILES, STAGES - 1, BLK_M * 64. Who counts reads its value, a text prints its name, and a kernel whose
// extents are arguments finds the value when it is launched. Two numbers that happen to be equal stay two.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#if __has_include(<fmt/format.h>)  // the programs around the library may have none
#include <fmt/format.h>
#endif

namespace tessera::plan {

// The numbers of a plan that have names; of which plan, GemmPlan::value_of says.
enum class Symbol : std::uint8_t {
  none,
  m,
  n,
  k,
  blk_m,
  blk_n,
  blk_k,
  k_tiles,
  stages,
  mma_m,
  mma_n,
  mma_k,
  threads,
  cluster_m,
  cluster_n,
  stage_bytes  // of a stage of sA and one of sB together
};
inline constexpr std::string_view kSymbols[] = {"",        "M",         "N",         "K",          "BLK_M", "BLK_N",
                                                "BLK_K",   "K_TILES",   "STAGES",    "MMA_M",      "MMA_N", "MMA_K",
                                                "THREADS", "CLUSTER_M", "CLUSTER_N", "STAGE_BYTES"};  // by Symbol
constexpr std::string_view name_of(Symbol symbol) { return kSymbols[static_cast<std::size_t>(symbol)]; }
// none: there is no such name
constexpr Symbol symbol_of(std::string_view name) {
  for (std::size_t i = 1; i < std::size(kSymbols); ++i) {
    if (kSymbols[i] == name) return static_cast<Symbol>(i);
  }
  return Symbol::none;
}
// Does the size of the problem decide it? Where extents are arguments, such a number is known at the launch; it is 1 at least.
constexpr bool is_of_size(Symbol symbol) {
  return symbol == Symbol::m || symbol == Symbol::n || symbol == Symbol::k || symbol == Symbol::k_tiles;
}

// times * of + plus. A literal has no symbol and is its value.
struct Num {
  std::int64_t value = 0;
  Symbol of = Symbol::none;
  std::int64_t times = 1, plus = 0;

  Num() = default;
  // A 4 of the source is a literal. A number that was calculated is one only where its writer says so, Num(boxes): else a count of tiles
  // would lose its name on the way.
  template <std::same_as<int> I>
  Num(I literal) : value(literal) {}
  template <std::same_as<std::int64_t> I>
  explicit Num(I calculated) : value(calculated) {}
  Num(Symbol symbol, std::int64_t of_symbol) : value(of_symbol), of(symbol) {}

  operator std::int64_t() const { return value; }
  bool is_named() const { return of != Symbol::none; }

  template <std::integral I>
  friend Num operator+(Num a, I b) {
    a.value += b;
    if (a.is_named()) a.plus += b;
    return a;
  }
  template <std::integral I>
  friend Num operator-(Num a, I b) {
    return a + -static_cast<std::int64_t>(b);
  }
  template <std::integral I>
  friend Num operator*(Num a, I b) {
    a.value *= b;
    if (a.is_named()) a.times *= b, a.plus *= b;
    return a;
  }
  template <std::integral I>
  Num& operator+=(I b) {
    return *this = *this + b;
  }
  Num& operator++() { return *this += 1; }
  Num& operator--() { return *this += -1; }
  friend bool operator==(const Num&, const Num&) = default;
  template <std::integral I>
  friend bool operator==(const Num& a, I b) {
    return a.value == b;
  }
};

// "8", "K_TILES", "STAGES - 1", "BLK_M * 64 + 1"
std::string to_string(const Num& number);

}  // namespace tessera::plan

#if __has_include(<fmt/format.h>)
// In a message a number is its value; to_string says its name.
template <>
struct fmt::formatter<tessera::plan::Num> : fmt::formatter<std::int64_t> {
  template <class Context>
  auto format(const tessera::plan::Num& number, Context& context) const {
    return fmt::formatter<std::int64_t>::format(number.value, context);
  }
};
#endif
