// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/answer.hpp"

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/base/sha256.hpp"
#include "core/lang/values/user_function.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {
namespace {

using Fields = std::vector<AnswerField>;

template <class T>
void put(Fields& fields, std::string_view name, T value) {
  AnswerField& field = fields.emplace_back();
  field.name = name;
  field.value.emplace<T>(std::move(value));
}

// sha256 of "0,8,16,...", written piece by piece.
std::string image_hash(const AnyLayout& layout, std::int64_t n) {
  constexpr std::size_t kPiece = std::size_t{1} << 14;
  Sha256 hash;
  std::string piece;
  piece.reserve(kPiece + 32);
  const auto* plain = std::get_if<Layout>(&layout);
  for (std::int64_t i = 0; i < n; ++i) {
    char digits[24];
    if (i > 0) piece += ',';
    if (plain && plain->has_basis()) {
      piece += to_string(evaluate(*plain, i));
    } else {
      const auto [end, status] = std::to_chars(digits, digits + sizeof digits, evaluate(layout, i));
      piece.append(digits, end);
    }
    if (piece.size() >= kPiece) {
      hash.update(piece);
      piece.clear();
    }
  }
  return hash.update(piece).hex_digest();
}

void add_image(const AnyLayout& given, Fields& fields) {
  const std::int64_t n = size(given), width = numbers_in_a_value(given);
  if (n > kLongestHashedImage / width) {
    put(fields, "image_omitted",
        fmt::format("the layout has {} values{}; images of up to {} numbers are computed", n,
                    width == 1 ? "" : fmt::format(" of {} numbers", width), kLongestHashedImage));
    return;
  }
  const AnyLayout layout = shortest(given);
  if (n > kLongestImage) {
    put(fields, "image_sha256", image_hash(layout, n));
    return;
  }
  const auto* plain = std::get_if<Layout>(&layout);
  if (plain && plain->has_basis()) {
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(to_string(evaluate(*plain, i)));
    put(fields, "image", std::move(values));
  } else if (plain) {
    put(fields, "image", image(*plain));
  } else {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) values.push_back(evaluate(layout, i));
    put(fields, "image", std::move(values));
  }
}

void add_layout(const AnyLayout& layout, Fields& fields) {
  const Shape& s = shape(layout);
  put(fields, "rank", static_cast<std::int64_t>(rank(s)));
  put(fields, "depth", static_cast<std::int64_t>(depth(s)));
  put(fields, "size", size(layout));
  const auto* plain = std::get_if<Layout>(&layout);
  if (!plain || !plain->has_basis()) put(fields, "cosize", cosize(layout));
  add_image(layout, fields);
}

// A text field of a Result, or why there is none.
template <class T>
void add_or_refusal(Fields& fields, std::string_view name, std::string_view refused_name, const Result<T>& made) {
  if (made) {
    put(fields, name, to_string(*made));
  } else {
    put(fields, refused_name, made.error().message);
  }
}

std::string register_text(const RegisterUse& use) { return use.count == 0 ? "none" : fmt::format("{} x {}", use.count, use.type); }

void add(const MmaAtom& atom, Fields& fields) {
  put(fields, "name", atom.name);
  put(fields, "arch", to_string(atom.arch));
  put(fields, "instruction", std::string(to_string(atom.kind)));
  put(fields, "shape_mnk", to_string(atom.shape_mnk));
  put(fields, "thr_id", to_string(atom.thr_id));
  put(fields, "layout_a", to_string(atom.layout_a));
  put(fields, "layout_b", to_string(atom.layout_b));
  put(fields, "layout_c", to_string(atom.layout_c));
  if (atom.layout_e) put(fields, "layout_e", to_string(*atom.layout_e));
  if (atom.layout_sfa) put(fields, "layout_sfa", to_string(*atom.layout_sfa));
  if (atom.layout_sfb) put(fields, "layout_sfb", to_string(*atom.layout_sfb));
  put(fields, "val_d", atom.type_d);
  put(fields, "val_a", atom.type_a);
  put(fields, "val_b", atom.type_b);
  put(fields, "val_c", atom.type_c);
  put(fields, "registers_d", register_text(atom.registers_d));
  put(fields, "registers_a", register_text(atom.registers_a));
  put(fields, "registers_b", register_text(atom.registers_b));
  put(fields, "registers_c", register_text(atom.registers_c));
  put(fields, "sparse", atom.sparse);
  put(fields, "ptx", atom.ptx);
  put(fields, "source", atom.source);
  if (!atom.note.empty()) put(fields, "note", atom.note);
}

void add(const CopyTraits& traits, Fields& fields) {
  put(fields, "name", traits.name);
  put(fields, "arch", to_string(traits.arch));
  put(fields, "instruction", std::string(to_string(traits.kind)));
  put(fields, "ptx", traits.ptx);
  put(fields, "thr_id", to_string(traits.thr_id));
  put(fields, "layout_src", to_string(traits.layout_src));
  put(fields, "layout_dst", to_string(traits.layout_dst));
  put(fields, "layout_ref", to_string(traits.layout_ref));
  put(fields, "source", traits.source);
}

void add(const CopyAtom& atom, Fields& fields) {
  add(atom.traits, fields);
  put(fields, "val_type", std::string(cute_name(atom.value_type)));
  put(fields, "val_layout_src", to_string(atom.val_layout_src));
  put(fields, "val_layout_dst", to_string(atom.val_layout_dst));
  put(fields, "val_layout_ref", to_string(atom.val_layout_ref));
}

void add(const TiledMma& mma, Fields& fields) {
  put(fields, "atom", mma.atom().name);
  put(fields, "atom_layout_mnk", to_string(mma.atom_layout_mnk()));
  put(fields, "permutation_mnk", to_string(mma.permutation_mnk()));
  put(fields, "threads", mma.num_threads());
  put(fields, "thr_layout_vmnk", to_string(mma.thr_layout_vmnk()));
  const auto tile = mma.tile_mnk();
  put(fields, "tile_mnk", fmt::format("({},{},{})", tile[0], tile[1], tile[2]));
  add_or_refusal(fields, "layout_a_tv", "layout_a_tv_refused", mma.layout_tv(Operand::a));
  add_or_refusal(fields, "layout_b_tv", "layout_b_tv_refused", mma.layout_tv(Operand::b));
  add_or_refusal(fields, "layout_c_tv", "layout_c_tv_refused", mma.layout_tv(Operand::c));
}

void add(const TiledCopy& copy, Fields& fields) {
  put(fields, "atom", copy.atom().traits.name);
  put(fields, "val_type", std::string(cute_name(copy.atom().value_type)));
  put(fields, "threads", copy.num_threads());
  put(fields, "tiler_mn", to_string(copy.tiler_mn()));
  put(fields, "layout_tv", to_string(copy.layout_tv()));
  add_or_refusal(fields, "layout_s_tv", "layout_s_tv_refused", copy.layout_s_tv());
  add_or_refusal(fields, "layout_d_tv", "layout_d_tv_refused", copy.layout_d_tv());
}

void add(const TmaCopy& tma, Fields& fields) {
  add(tma.atom, fields);
  put(fields, "box", to_string(tma.box));
  put(fields, "box_of_cta", to_string(tma.box_of_cta));
  put(fields, "tensor_stride", to_string(tma.tensor_stride));
  put(fields, "swizzle", to_string(tma.swizzle));
  put(fields, "multicast", tma.multicast);
  if (!tma.tiled) return;
  put(fields, "tiler_mn", to_string(tma.tiled->tiler_mn()));
  put(fields, "layout_tv", to_string(tma.tiled->layout_tv()));
}

struct Adder {
  Fields& fields;
  void operator()(const IntTuple& tuple) const {
    if (tuple.is_int()) return;
    put(fields, "rank", static_cast<std::int64_t>(rank(tuple)));
    put(fields, "depth", static_cast<std::int64_t>(depth(tuple)));
  }
  void operator()(const Layout& layout) const { add_layout(layout, fields); }
  void operator()(const ComposedLayout& layout) const { add_layout(layout, fields); }
  void operator()(const Swizzle& swizzle) const {
    put(fields, "bits", std::int64_t{swizzle.bits()});
    put(fields, "base", std::int64_t{swizzle.base()});
    put(fields, "shift", std::int64_t{swizzle.shift()});
  }
  void operator()(const Tensor& tensor) const {
    put(fields, "offset", to_string(tensor.offset));
    add_layout(tensor.layout, fields);
  }
  void operator()(const std::shared_ptr<const UserFunction>& function) const { put(fields, "parameters", function->parameters); }
  void operator()(const Pointer& pointer) const { put(fields, "offset", pointer.offset); }
  void operator()(const ThrMma& part) const {
    put(fields, "thread", part.thread);
    add(*part.mma, fields);
  }
  void operator()(const ThrCopy& part) const {
    put(fields, "thread", part.thread);
    add(*part.copy, fields);
  }
  void operator()(const std::shared_ptr<const ValueList>& list) const {
    std::vector<std::string> elements;
    for (const Value& each : *list) elements.push_back(to_string(each));
    put(fields, "elements", std::move(elements));
  }
  void operator()(const Tiler&) const {}
  void operator()(bool) const {}
  void operator()(double) const {}
  void operator()(const std::string&) const {}
  void operator()(const MmaAtom& atom) const { add(atom, fields); }
  void operator()(const CopyTraits& traits) const { add(traits, fields); }
  void operator()(const CopyAtom& atom) const { add(atom, fields); }
  void operator()(const std::shared_ptr<const TiledMma>& mma) const { add(*mma, fields); }
  void operator()(const std::shared_ptr<const TiledCopy>& copy) const { add(*copy, fields); }
  void operator()(const std::shared_ptr<const TmaValue>& tma) const { add(tma->copy, fields); }
  void operator()(const std::shared_ptr<const GemmSpec>& spec) const { put(fields, "name", spec->name); }
  void operator()(const std::shared_ptr<const FigureCall>& call) const { put(fields, "figure", call->kind); }
  void operator()(const std::shared_ptr<const Report>& report) const {
    put(fields, "report", std::string(report->kind));
    put(fields, "sentence", report->sentence);
    for (const Report::Fact& fact : report->facts) {
      std::visit(Overloaded{[&](const AnyLayout& layout) { put(fields, fact.name, to_string(layout)); },
                            [&](const auto& value) { put(fields, fact.name, value); }},
                 fact.value);
    }
    if (!report->notes.empty()) put(fields, "notes", report->notes);
    if (report->rows.empty()) return;
    put(fields, "columns", report->columns);
    std::vector<std::string> cells;
    for (const auto& row : report->rows) {
      for (const Report::Cell& cell : row) cells.push_back(to_string(cell));
    }
    put(fields, "cells", std::move(cells));
  }
};

}  // namespace

std::vector<AnswerField> answer(const Value& value) {
  Fields fields;
  fields.reserve(8);
  put(fields, "kind", std::string(kind_name(value)));
  const auto* truth = std::get_if<bool>(&value.any);
  const auto* text = std::get_if<std::string>(&value.any);
  const auto* report = std::get_if<std::shared_ptr<const Report>>(&value.any);
  if (report) {
    put(fields, "value", (*report)->sentence);
  } else if (truth) {
    put(fields, "value", *truth);
  } else {
    put(fields, "value", text ? *text : to_string(value));
  }
  std::visit(Adder{fields}, value.any);
  if (value.element.bits != 0) put(fields, "element_bits", value.element.bits);
  if (value.element.type) put(fields, "element_type", std::string(cute_name(*value.element.type)));
  if (value.element.space != MemorySpace::unknown) put(fields, "memory", std::string(memory_name(value.element.space)));
  return fields;
}

}  // namespace tessera
