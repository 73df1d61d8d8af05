// SPDX-License-Identifier: BSD-3-Clause
// The rungs: what each changes, that each is a GEMM that computes its definition, and what is said of them.
#include "core/gemm/rungs/ladder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/overloaded.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"

using namespace tessera;

namespace {

std::vector<std::string_view> changed(const GemmSpec& from, const GemmSpec& to) {
  std::vector<std::string_view> names;
  for (const SpecField* field : difference(from, to)) names.push_back(field->name);
  return names;
}

// The fields that the rung says, or where it is chosen for the size some of them, in their order.
void check_changed(const Rung& below, const Rung& rung, std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::vector<std::string_view> is = changed(below.spec(m, n, k).value(), rung.spec(m, n, k).value());
  std::vector<std::string_view> said(rung.fields.begin(), rung.fields.end());
  if (rung.is_of_size)
    said.erase(std::remove_if(said.begin(), said.end(), [&](auto name) { return std::find(is.begin(), is.end(), name) == is.end(); }),
               said.end());
  CHECK(is == said);
  CHECK_FALSE(is.empty());
}

void copy_field(GemmSpec& to, const GemmSpec& from, const SpecField& field) {
  std::visit(Overloaded{
                 [&](const ChoiceMember& member) { member.set(to, member.get(from)); },
                 [&](auto member) { to.*member = from.*member; },
             },
             field.member);
}

}  // namespace

TEST_CASE("a rung differs from the one below in the fields that it declares, at most four, and the last in some of them") {
  for (const std::int64_t size : {256, 4096, 8192}) {
    const Rung* below = nullptr;
    for (const Rung& rung : ladder()) {
      INFO(rung.number << " " << rung.name << " " << size);
      const std::vector<std::string_view> declared(rung.fields.begin(), rung.fields.end());
      if (below)
        check_changed(*below, rung, size, size, size);
      else
        CHECK(declared.empty());
      CHECK((rung.is_of_size || declared.size() <= 4));
      CHECK(rung.is_of_size == (&rung == &ladder().back()));
      below = &rung;
    }
  }
}

TEST_CASE("no two rungs have the same kernel, also where each adds one field") {
  for (const std::int64_t size : {4096, 8192}) {
    std::set<std::string> texts;
    for (const Rung& rung : ladder()) {
      INFO(rung.number << " " << rung.name << " " << size);
      GemmSpec spec = rung.spec(size, size, size).value();
      spec.name = "rung";
      const GemmPlan plan = lower(spec).value();
      CHECK(plan.notes.empty());
      const std::string text = emit_gemm(plan).value().text;
      CHECK(texts.insert(text.substr(text.find("constexpr "))).second);  // behind the comments
    }
  }
}

TEST_CASE("each field that a rung changes is needed for its kernel") {
  const auto text_of = [](GemmSpec spec) {
    spec.name = "rung";
    const auto plan = lower(spec);
    return plan ? emit_gemm(*plan).value().text : describe(plan.error());
  };
  const Rung* below = nullptr;
  for (const Rung& rung : ladder()) {
    const Rung* const before = std::exchange(below, &rung);
    if (rung.number < 10) continue;
    for (const std::string_view name : rung.fields) {
      INFO(rung.number << " " << rung.name << " without " << name);
      if (rung.is_of_size) continue;  // another size has another choice
      const GemmSpec whole = rung.spec(4096, 4096, 4096).value();
      GemmSpec without = whole;
      const GemmSpec other = before->spec(4096, 4096, 4096).value();
      copy_field(without, other, *find_spec_field(name));
      CHECK(text_of(without) != text_of(whole));
    }
  }
}

TEST_CASE("rungs 1 to 5 are of cuda cores, quad pairs are in the museum, and the others are of tensor cores") {
  for (const Rung& rung : ladder()) {
    INFO(rung.number);
    CHECK(to_string(rung.of) == (rung.number <= 5 ? "cuda_cores" : rung.number == 7 ? "museum" : "tensor_cores"));
    const MmaKind kind = rung.spec(64, 64, 64)->mma->atom().kind;
    CHECK((kind == MmaKind::fma) == (rung.of == RungOf::cuda_cores));
  }
}

TEST_CASE("every rung computes the definition, has a kernel, and no field of it names the rung") {
  for (const Rung& rung : ladder()) {
    INFO(rung.number << " " << rung.name);
    const GemmSpec spec = rung.spec(256, 256, 128).value();
    CHECK(to_string(spec).find(rung.name) == std::string::npos);
    const GemmPlan plan = lower(spec).value();
    const SimulationInput input = integer_input(plan, 7);
    const Simulation result = simulate(plan, input).value();
    CHECK((result.c == reference(plan, input)));
    CHECK(emit_gemm(plan).has_value());
  }
}

TEST_CASE("every rung is a GEMM of any size, and differs from the one below in the same fields") {
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 1}, {1000, 1000, 1000}, {257, 1009, 127}, {4096, 4095, 4097}}) {
    const Rung* below = nullptr;
    for (const Rung& rung : ladder()) {
      INFO(rung.number << " " << rung.name << " " << m << " x " << n << " x " << k);
      const auto plan = lower(support::of_rung(rung, m, n, k));
      if (!plan) FAIL(describe(plan.error()));
      CHECK(emit_gemm(*plan).has_value());
      if (below) check_changed(*below, rung, m, n, k);
      below = &rung;
    }
  }
  for (const Rung& rung : ladder()) CHECK_FALSE(lower(rung.spec(0, 256, 256).value_or(GemmSpec())).has_value());
}

TEST_CASE("rungs are numbered upwards, and each has a name, an idea and a question of its own") {
  std::set<std::string_view> names, ideas, questions;
  int below = 0;
  for (const Rung& rung : ladder()) {
    INFO(rung.number);
    CHECK(rung.number > below);
    below = rung.number;
    CHECK(names.insert(rung.name).second);
    CHECK(ideas.insert(rung.idea).second);
    CHECK(questions.insert(rung.question).second);
    CHECK(rung.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos);
    CHECK(rung.idea.ends_with('.'));
    if (rung.number >= 10) CHECK(std::count(rung.idea.begin(), rung.idea.end(), '.') == 1);  // a sentence
    CHECK(rung.question.ends_with('?'));
    CHECK(find_rung(rung.number) == &rung);
  }
  CHECK(find_rung(0) == nullptr);
  CHECK(find_rung(below + 1) == nullptr);
}
