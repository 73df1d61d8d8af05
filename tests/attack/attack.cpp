// SPDX-License-Identifier: BSD-3-Clause
// Random layouts, questions to the language, and the tally.
#include "tests/attack/attack.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

namespace tessera::attack {
namespace {

constexpr std::size_t kMostFindings = 40;  // that one report lists
constexpr Int kLargest = 1024;             // coordinates of a random layout

Int number_in(const char* variable, Int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::max(1LL, std::atoll(text));
}

}  // namespace

int factor() { return static_cast<int>(number_in("TESSERA_ATTACK_FACTOR", 1)); }

Dice::Dice(unsigned salt) : engine_(static_cast<std::uint64_t>(number_in("TESSERA_ATTACK_SEED", 1)) * 1000003U + salt) {}

Plain wild_layout(Dice& dice, int most_modes, Signs signs) {
  const auto leaf = [&](Int& left) {
    Int extent = dice.of({1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 24});
    if (extent > left) extent = 1;
    left /= extent;
    Int stride = dice.one_in(6) ? dice.up_to(100) : dice.of({0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16, 24, 32, 48, 64, 96, 128});
    if (signs == Signs::any && dice.one_in(3)) stride = -stride;
    return Plain{extent, stride};
  };
  Int left = kLargest;
  const Int modes = dice.between(1, most_modes);
  if (modes == 1 && dice.one_in(2)) return leaf(left);
  std::vector<Plain> parts;
  for (Int k = 0; k < modes; ++k) {
    Plain part = leaf(left);
    if (dice.one_in(4)) part = dice.one_in(4) ? beside({part, leaf(left), leaf(left)}) : beside({part, leaf(left)});
    parts.push_back(std::move(part));
  }
  return beside(parts);
}

Plain compact_layout(Dice& dice, int most_modes) {
  const std::size_t modes = static_cast<std::size_t>(dice.between(1, most_modes));
  std::vector<Plain> parts(modes);
  std::vector<std::size_t> order(modes);
  for (std::size_t k = 0; k < modes; ++k) order[k] = k;
  for (std::size_t k = modes; k-- > 1;) std::swap(order[k], order[static_cast<std::size_t>(dice.up_to(static_cast<Int>(k)))]);
  Int reached = 1;
  for (const std::size_t k : order) {
    Int extent = dice.of({1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 16, 32});
    if (reached * extent > kLargest) extent = 1;
    parts[k] = {extent, extent == 1 ? 0 : reached};
    reached *= extent;
  }
  std::vector<Plain> top;  // two neighbours as one mode, now and then
  for (std::size_t k = 0; k < modes; ++k) {
    if (k + 1 < modes && dice.one_in(4)) {
      top.push_back(beside({parts[k], parts[k + 1]}));
      ++k;
    } else {
      top.push_back(parts[k]);
    }
  }
  return top.size() == 1 && dice.one_in(2) ? top[0] : beside(top);
}

Plain some_layout(Dice& dice) { return dice.one_in(2) ? wild_layout(dice) : compact_layout(dice); }

Bits some_swizzle(Dice& dice) {
  Bits bits;
  bits.b = static_cast<int>(dice.between(1, 3));
  bits.m = static_cast<int>(dice.up_to(4));
  bits.s = static_cast<int>(dice.between(bits.b, 4)) * (dice.one_in(5) ? -1 : 1);
  return bits;
}

Function swizzled(const Bits& swizzle, Int offset, Plain layout) { return {Function::Part(swizzle), offset, std::move(layout)}; }
Function plain(Plain layout) { return {std::nullopt, 0, std::move(layout)}; }

Answer ask(const std::string& expression) {
  Answer answer;
  std::vector<Error> warnings;
  const Result<Value> value = evaluate(expression, {}, &warnings);
  answer.refused = !value;
  answer.text = value ? to_string(*value) : value.error().message;
  if (!value) answer.code = to_string(value.error().code);
  for (const Error& warning : warnings) {
    // Of the instruction that is to read a layout, and not of the partition's values, which alone are modelled here.
    if (warning.message.find(" cannot read this ") == std::string::npos) answer.warnings.push_back(warning.message);
  }
  return answer;
}

void Tally::count(const std::string& operation, const std::string& expression, const Answer& answer, Verdict verdict, Verdict cutes) {
  Row& row = rows_[operation];
  ++row.calls;
  const auto found = [&](const char* what, int& counter, const std::string& seen) {
    ++counter;
    findings_.push_back(fmt::format("{}: {}\n    -> {}", what, expression, seen));
  };
  if (answer.refused) {
    ++row.refused;
    if (cutes == Verdict::right) found("refused, though CuTe's answer is right", row.false_refusals, answer.code + ": " + answer.text);
    return;
  }
  const bool warned = !answer.warnings.empty();
  if (warned) ++row.warned;
  if (verdict == Verdict::right) ++row.right;
  if (verdict == Verdict::wrong && !warned) found("wrong without a word", row.silent, answer.text);
  if (verdict == Verdict::right && warned) found("right, but warned of", row.false_warnings, answer.text + "   " + answer.warnings[0]);
}

void Tally::report(const std::string& title) const {
  Row all;
  fmt::print("{}\n  {:<24}{:>8}{:>8}{:>9}{:>8}{:>14}{:>16}{:>16}\n", title, "operation", "calls", "right", "refused", "warned",
             "silent wrong", "false warnings", "false refusals");
  const auto print = [](const std::string& name, const Row& row) {
    fmt::print("  {:<24}{:>8}{:>8}{:>9}{:>8}{:>14}{:>16}{:>16}\n", name, row.calls, row.right, row.refused, row.warned, row.silent,
               row.false_warnings, row.false_refusals);
  };
  for (const auto& [name, row] : rows_) {
    print(name, row);
    all.calls += row.calls;
    all.right += row.right;
    all.refused += row.refused;
    all.warned += row.warned;
    all.silent += row.silent;
    all.false_warnings += row.false_warnings;
    all.false_refusals += row.false_refusals;
  }
  print("all", all);
  for (std::size_t k = 0; k < std::min(findings_.size(), kMostFindings); ++k) fmt::print("  {}\n", findings_[k]);
  std::fflush(stdout);
  CHECK(all.silent == 0);
  CHECK(all.false_warnings == 0);
  CHECK(all.false_refusals == 0);
}

}  // namespace tessera::attack
