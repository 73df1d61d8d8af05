// SPDX-License-Identifier: BSD-3-Clause
// Near names and beginnings of names, against definitions that try everything.
#include "core/atom/instructions/catalog.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/dsl_ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

// Levenshtein's distance by its definition.
std::size_t distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a.back() == b.back()) return distance(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1));
  return 1 + std::min({distance(a.substr(0, a.size() - 1), b), distance(a, b.substr(0, b.size() - 1)),
                       distance(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1))});
}

// How far a misspelt name may be: three slips, or a third of it, but not more than half of it or 24.
std::size_t farthest(std::size_t length) {
  const std::size_t slips = length / 2 < 3 ? length / 2 : 3;
  return std::min<std::size_t>(std::max(slips, length / 3), 24);
}

std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& known, std::size_t count) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& each : known) {
    if (distance(name, each) <= farthest(name.size())) near.emplace_back(distance(name, each), each);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, near.size()); ++i) names.push_back(near[i].second);
  return names;
}

}  // namespace

TEST_CASE("the nearest names are those of the fewest slips, the earlier of two equals first", "[catalog]") {
  std::mt19937 random(9);
  const auto word = [&](std::size_t most) {
    std::string text;
    for (std::size_t n = random() % (most + 1); n > 0; --n) text += static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> known;
    for (std::size_t n = random() % 12; n > 0; --n) known.push_back(word(6));
    const std::string name = word(7);
    const std::size_t count = random() % 5;
    INFO(name);
    REQUIRE(nearest_names(name, known, count) == nearest(name, known, count));
  }
}

TEST_CASE("a name may be misspelt in so many places and no more, whatever its length", "[catalog]") {
  for (std::size_t length = 1; length < 90; ++length) {
    INFO(length);
    const std::string name(length, 'a');
    const std::size_t most = farthest(length);
    const std::vector<std::string> known{std::string(length - most, 'a') + std::string(most, 'b'),
                                         std::string(length - most, 'a') + std::string(most, 'b') + "b", name + std::string(most, 'b'),
                                         name + std::string(most + 1, 'b')};
    CHECK(nearest_names(name, known, 9) == std::vector<std::string>{known[0], known[2]});
  }
  // Of a long name, its first 200 characters are compared.
  CHECK(nearest_names(std::string(1000, 'a'), {std::string(200 + 24, 'a')}, 1).size() == 1);
  CHECK(nearest_names(std::string(1000, 'a'), {std::string(200 + 25, 'a')}, 1).empty());
}

TEST_CASE("the beginning of an atom's name names the one atom, or counts them all and lists eight", "[catalog]") {
  const auto check = [](const std::vector<std::string>& known, auto&& find) {
    std::vector<std::string> beginnings;
    for (const std::string& name : known) {
      for (std::size_t i = 1; i < name.size(); ++i) {
        if (name[i] == '_' || name[i] == '<') beginnings.push_back(name.substr(0, i));
      }
    }
    std::sort(beginnings.begin(), beginnings.end());
    beginnings.erase(std::unique(beginnings.begin(), beginnings.end()), beginnings.end());
    std::vector<std::size_t> counts;
    for (const std::string& beginning : beginnings) {
      if (std::find(known.begin(), known.end(), beginning) != known.end()) continue;
      std::vector<std::string> begun;
      for (const std::string& name : known) {
        if (name.rfind(beginning + "_", 0) == 0 || name.rfind(beginning + "<", 0) == 0) begun.push_back(name);
      }
      INFO(beginning);
      CHECK(completions(beginning, known) == begun);
      const auto found = find(beginning);
      if (begun.size() == 1 || found) continue;  // a template's name alone may be an atom
      counts.push_back(begun.size());
      const std::vector<std::string>& notes = found.error().notes;
      if (found.error().message.find("is the beginning of") == std::string::npos) continue;
      CHECK(found.error().message.find("is the beginning of " + std::to_string(begun.size()) + " ") != std::string::npos);
      REQUIRE(notes.size() == std::min<std::size_t>(begun.size(), 8) + (begun.size() > 8 ? 1 : 0));
      for (std::size_t i = 0; i < std::min<std::size_t>(begun.size(), 8); ++i) CHECK(notes[i] == begun[i]);
      if (begun.size() > 8) CHECK(notes.back() == "and " + std::to_string(begun.size() - 8) + " more: tessera atoms --filter " + beginning);
    }
    return counts;
  };
  std::vector<std::size_t> counts = check(mma_atom_names(), [](std::string_view name) { return find_mma_atom(name); });
  const std::vector<std::size_t> copies = check(copy_atom_names(), [](std::string_view name) { return find_copy_atom(name); });
  counts.insert(counts.end(), copies.begin(), copies.end());
  CHECK(std::count(counts.begin(), counts.end(), std::size_t{8}) > 0);
  CHECK(std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 8; }));
  CHECK(completions("", mma_atom_names()).empty());
}

TEST_CASE("an atom is found inside MMA_Atom and MMA_Traits, and each name is listed once", "[catalog]") {
  for (const std::string name : {"SM80_16x8x16_F32F16F16F32_TN", "UniversalFMA<float,float,float>"}) {
    for (const std::string& wrapped : {name, "MMA_Atom<" + name + ">", "MMA_Traits<" + name + ">", "MMA_Atom<MMA_Traits<" + name + ">>"})
      CHECK(find_mma_atom(wrapped)->name == find_mma_atom(name)->name);
    CHECK_FALSE(find_mma_atom("MMA_Atom<" + name));
    CHECK_FALSE(find_mma_atom("Atom<" + name + ">"));
  }
  for (std::vector<std::string> names : {mma_atom_names(), copy_atom_names()}) {
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  }
}

TEST_CASE("every family of atoms lists all of its names", "[catalog]") {
  // Names by what they begin with: the architecture and the instruction's first word.
  const auto families = [](const std::vector<std::string>& names) {
    std::map<std::string, int> counts;
    for (const std::string& name : names) {
      const std::size_t first = name.find_first_of("_<");
      const bool by_architecture = name.starts_with("SM") && first != std::string::npos && name[first] == '_';
      ++counts[name.substr(0, by_architecture ? name.find_first_of("_<", first + 1) : first)];
    }
    std::string text;
    for (const auto& [family, count] : counts) text += family + " " + std::to_string(count) + "\n";
    return text;
  };
  const std::string copies = families(copy_atom_names()), mmas = families(mma_atom_names());
  CHECK(copies == testing::golden("atoms/copy_families.txt", copies));
  CHECK(mmas == testing::golden("atoms/mma_families.txt", mmas));
}

TEST_CASE("names and the nearest of them are said together", "[catalog]") {
  CHECK(names_and_nearest("fp16", {"f16", "f32"}) == "f16, f32; the nearest is f16");
  CHECK(names_and_nearest("zzzzzz", {"f16", "f32"}) == "f16, f32");
}

TEST_CASE("an operation of the DSL that is no atom says which operation that was", "[catalog]") {
  std::size_t refused = 0, without_atom = 0;
  for (const DslMmaSignature& signature : dsl_mma_signatures()) {
    for (const ValueType type : {ValueType::f16, ValueType::f32, ValueType::i8}) {
      for (const IntTuple& shape : {IntTuple::tuple({16, 8, 16}), IntTuple::tuple({7, 9, 11}), IntTuple::tuple({64, 24, 16})}) {
        DslMmaOp op{signature.name, type, type, ValueType::f32};
        op.shape_mnk = shape;
        const Result<MmaAtom> found = find_dsl_mma(op);
        if (found) continue;
        ++refused;
        INFO(signature.name << " " << to_string(shape) << ": " << describe(found.error()));
        const std::vector<std::string>& notes = found.error().notes;
        const bool noted = std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
          return note.find("with these parameters is no atom of CuTe's C++") != std::string::npos;
        });
        without_atom += noted;
        CHECK((noted || found.error().message.starts_with(std::string(op.name) + ": ") || found.error().code != ErrorCode::unknown_atom));
      }
    }
  }
  CHECK(refused > 0);
  CHECK(without_atom > 0);
}
