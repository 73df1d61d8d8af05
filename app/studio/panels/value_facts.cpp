// SPDX-License-Identifier: BSD-3-Clause
// Facts about each kind of value.
#include "app/studio/panels/value_facts.hpp"

#include "core/lang/values/user_function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/figure/figure.hpp"
#include "core/gemm/spec_fields.hpp"

namespace tessera::studio {
namespace {

using Facts = std::vector<Fact>;

void add_layout(Facts& facts, const Layout& layout) {
  facts.push_back({"shape", to_string(layout.shape())});
  facts.push_back({"stride", to_string(layout.stride())});
  facts.push_back({"size", fmt::format("{}", layout.size())});
  if (!layout.has_basis()) facts.push_back({"cosize", fmt::format("{}", layout.cosize())});
  facts.push_back({"rank", fmt::format("{}", layout.rank())});
  facts.push_back({"depth", fmt::format("{}", layout.depth())});
}

void add_atom(Facts& facts, const MmaAtom& atom) {
  facts.push_back({"shape_mnk", to_string(atom.shape_mnk)});
  facts.push_back({"thr_id", to_string(atom.thr_id)});
  facts.push_back({"layout_a", to_string(atom.layout_a)});
  facts.push_back({"layout_b", to_string(atom.layout_b)});
  facts.push_back({"layout_c", to_string(atom.layout_c)});
  facts.push_back({"types", fmt::format("D {}  A {}  B {}  C {}", short_name(atom.val_d), short_name(atom.val_a), short_name(atom.val_b),
                                        short_name(atom.val_c))});
  facts.push_back({"needs", to_string(atom.arch)});
  if (!atom.ptx.empty()) facts.push_back({"ptx", atom.ptx});
}

void add_copy(Facts& facts, const CopyTraits& traits) {
  facts.push_back({"thr_id", to_string(traits.thr_id)});
  facts.push_back({"src bits", to_string(traits.layout_src)});
  facts.push_back({"dst bits", to_string(traits.layout_dst)});
  facts.push_back({"needs", to_string(traits.arch)});
  if (!traits.ptx.empty()) facts.push_back({"ptx", traits.ptx});
}

struct Describe {
  Facts facts;
  void operator()(const IntTuple& tuple) { facts.push_back({"rank", fmt::format("{}", tuple.rank())}); }
  void operator()(const Layout& layout) { add_layout(facts, layout); }
  void operator()(const ComposedLayout& layout) {
    const AnyLayout any = layout;
    facts.push_back({"size", fmt::format("{}", size(any))});
    facts.push_back({"shape", to_string(shape(any))});
  }
  void operator()(const Swizzle& swizzle) {
    facts.push_back({"bits", fmt::format("{} flipped", swizzle.bits())});
    facts.push_back({"base", fmt::format("{} low bits kept", swizzle.base())});
    facts.push_back({"shift", fmt::format("{} bits apart", swizzle.shift())});
  }
  void operator()(const Tiler&) {}
  void operator()(bool) {}
  void operator()(double) {}
  void operator()(const std::string&) {}
  void operator()(const std::shared_ptr<const Report>& report) {
    for (const Report::Fact& fact : report->facts) facts.push_back({std::string(fact.name), to_string(fact.value)});
  }
  void operator()(const std::shared_ptr<const UserFunction>& function) {
    facts.push_back({"parameters", fmt::format("{}", fmt::join(function->parameters, ", "))});
    facts.push_back({"expression", function->expression});
  }
  void operator()(const Pointer& pointer) { facts.push_back({"offset", fmt::format("{}", pointer.offset)}); }
  void operator()(const ThrMma& part) {
    facts.push_back({"thread", fmt::format("{}", part.thread)});
    (*this)(part.mma);
  }
  void operator()(const ThrCopy& part) {
    facts.push_back({"thread", fmt::format("{}", part.thread)});
    (*this)(part.copy);
  }
  void operator()(const std::shared_ptr<const ValueList>& list) {
    for (const Value& each : *list) facts.push_back({std::string(kind_name(each)), to_string(each)});
  }
  void operator()(const Tensor& slice) {
    facts.push_back({"layout", to_string(slice.layout)});
    facts.push_back({"offset", to_string(slice.offset)});
    facts.push_back({"size", fmt::format("{}", size(slice.layout))});
  }
  void operator()(const MmaAtom& atom) { add_atom(facts, atom); }
  void operator()(const CopyTraits& traits) { add_copy(facts, traits); }
  void operator()(const CopyAtom& atom) {
    facts.push_back({"type", std::string(cute_name(atom.value_type))});
    add_copy(facts, atom.traits);
  }
  void operator()(const std::shared_ptr<const TiledMma>& mma) {
    const auto tile = mma->tile_mnk();
    facts.push_back({"tile", fmt::format("M {}  N {}  K {}", tile[0], tile[1], tile[2])});
    facts.push_back({"threads", fmt::format("{}", mma->num_threads())});
    facts.push_back({"atom", mma->atom().name});
    facts.push_back({"atoms", to_string(mma->atom_layout_mnk())});
    facts.push_back({"permutation", to_string(mma->permutation_mnk())});
    facts.push_back({"vmnk", to_string(mma->thr_layout_vmnk())});
  }
  void operator()(const std::shared_ptr<const TiledCopy>& copy) {
    facts.push_back({"atom", copy->atom().traits.name});
    facts.push_back({"layout_tv", to_string(copy->layout_tv())});
    facts.push_back({"tiler_mn", to_string(copy->tiler_mn())});
    facts.push_back({"threads", fmt::format("{}", copy->num_threads())});
  }
  void operator()(const std::shared_ptr<const TmaValue>& tma) {
    facts.push_back({"atom", tma->copy.atom.traits.name});
    facts.push_back({"box", to_string(tma->copy.box)});
    facts.push_back({"tensor stride", to_string(tma->copy.tensor_stride)});
    facts.push_back({"swizzle", to_string(tma->copy.swizzle)});
  }
  void operator()(const std::shared_ptr<const GemmSpec>& spec) {
    for (const SpecField& field : spec_fields()) {
      if (std::string text = text_of(field, *spec); !text.empty()) facts.push_back({std::string(field.name), std::move(text)});
    }
  }
  void operator()(const std::shared_ptr<const FigureCall>& call) {
    facts.push_back({"figure of", fmt::format("{} argument{}", call->arguments.size(), call->arguments.size() == 1 ? "" : "s")});
    for (const auto& [name, value] : call->named) facts.push_back({name, to_string(value)});
  }
};

}  // namespace

std::vector<Fact> facts_of(const Value& value) {
  Describe describe;
  std::visit(describe, value.any);
  return std::move(describe.facts);
}

std::vector<Fact> differing_facts(const Value& was, const Value& now) {
  const std::vector<Fact> before = facts_of(was);
  std::vector<Fact> differ;
  for (Fact& each : facts_of(now)) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const Fact& other) { return other.name == each.name; });
    const std::string then = same == before.end() ? "-" : same->value;
    if (then != each.value) differ.push_back({each.name, fmt::format("{} \xe2\x86\x92 {}", then, each.value)});
  }
  return differ;
}

std::string said_in(const Value& value, std::string_view name) {
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&value.any);
  if (!call) return {};
  for (std::size_t i = 0; i < (*call)->named.size(); ++i) {
    if ((*call)->named[i].first == name) return named_text(**call, i);
  }
  return {};
}

}  // namespace tessera::studio
