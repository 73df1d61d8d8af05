// SPDX-License-Identifier: BSD-3-Clause
// Leaves of values, counted up to a bound, and texts cut to a length for people.
#include "core/lang/values/value_size.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

class Counter {
 public:
  explicit Counter(std::int64_t at_most) : left_(at_most + 1) {}

  std::int64_t left() const { return left_; }

  void operator()(const IntTuple& tuple) {
    if (!tuple.is_tuple()) {
      --left_;
      return;
    }
    if (tuple.rank() == 0) --left_;
    for (const IntTuple& mode : tuple.modes()) {
      if (left_ <= 0) return;
      (*this)(mode);
    }
  }
  void operator()(const Layout& layout) { (*this)(layout.shape()); }  // whose profile is the stride's too
  void operator()(const Swizzle&) { left_ -= 3; }
  void operator()(const Nested& rest) { (*this)(*rest); }
  void operator()(const ComposedLayout& composed) {
    std::visit(*this, composed.outer);
    (*this)(composed.offset);
    std::visit(*this, composed.inner);
  }
  void operator()(Underscore) { --left_; }
  void operator()(TileSize) { --left_; }
  void operator()(const std::vector<Tiler>& modes) {
    for (const Tiler& mode : modes) {
      if (left_ <= 0) return;
      (*this)(mode);
    }
  }
  void operator()(const Tiler& tiler) { std::visit(*this, tiler.value); }
  void operator()(bool) { --left_; }
  void operator()(double) { --left_; }
  void operator()(const std::string&) { --left_; }
  void operator()(const Tensor& tensor) {
    std::visit(*this, tensor.layout);
    (*this)(tensor.offset);
  }
  void operator()(const Pointer&) { --left_; }
  void operator()(const std::shared_ptr<const UserFunction>&) { --left_; }
  void operator()(const ThrMma& part) { (*this)(part.mma); }
  void operator()(const ThrCopy& part) { (*this)(part.copy); }
  void operator()(const std::shared_ptr<const ValueList>& list) {
    if (list->empty()) --left_;
    for (const Value& each : *list) {
      if (left_ <= 0) return;
      std::visit(*this, each.any);
    }
  }
  void operator()(const MmaAtom&) { --left_; }
  void operator()(const CopyTraits&) { --left_; }
  void operator()(const CopyAtom&) { --left_; }
  void operator()(const std::shared_ptr<const TiledMma>& mma) {
    (*this)(mma->atom_layout_mnk());
    if (left_ > 0) (*this)(mma->permutation_mnk());
  }
  void operator()(const std::shared_ptr<const TiledCopy>& copy) {
    (*this)(copy->layout_tv());
    if (left_ > 0) (*this)(copy->tiler_mn());
  }
  void operator()(const std::shared_ptr<const TmaValue>& tma) {
    (*this)(tma->copy.box);
    if (left_ > 0) (*this)(tma->copy.tensor_stride);
    if (left_ > 0) (*this)(tma->request.gmem);
    if (left_ > 0) (*this)(tma->request.cta_values);
  }
  void operator()(const std::shared_ptr<const GemmSpec>&) { left_ -= 16; }
  void operator()(const std::shared_ptr<const Report>& report) {
    left_ -= static_cast<std::int64_t>(report->facts.size() + report->rows.size() * report->columns.size());
  }
  void operator()(const std::shared_ptr<const FigureCall>& call) {
    for (const Value& argument : call->arguments) {
      if (left_ <= 0) return;
      std::visit(*this, argument.any);
    }
    for (const auto& [name, argument] : call->named) {
      if (left_ <= 0) return;
      std::visit(*this, argument.any);
    }
  }

 private:
  std::int64_t left_;
};

}  // namespace

std::int64_t leaf_count(const Value& value, std::int64_t at_most) {
  Counter counter(at_most);
  std::visit(counter, value.any);
  return at_most + 1 - std::max<std::int64_t>(counter.left(), 0);
}

Status check_leaves(const Value& value) {
  if (leaf_count(value) <= kMostLeaves) return Done{};
  return Error{
      ErrorCode::limit, fmt::format("a value has at most {} leaves, and this {} would have more", kMostLeaves, kind_name(value)), {}, {}};
}

std::int64_t bytes_of_copy(const Value& value) {
  std::int64_t bytes = sizeof(Value);
  if (const auto* text = std::get_if<std::string>(&value.any)) bytes += static_cast<std::int64_t>(text->size());
  if (std::holds_alternative<Tiler>(value.any)) bytes += leaf_count(value) * static_cast<std::int64_t>(sizeof(Tiler) + 64);
  if (const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any))
    bytes += static_cast<std::int64_t>((*tma)->expression.size());
  return bytes;
}

void shorten(std::string& text) {
  constexpr std::size_t kLongest = 4096, kHead = 2048, kTail = 1024;  // bytes
  if (text.size() <= kLongest) return;
  const std::string_view head = utf8_prefix(text, kHead);
  std::size_t tail = text.size() - kTail;
  while (tail < text.size() && (static_cast<unsigned char>(text[tail]) & 0xC0) == 0x80) ++tail;
  text = fmt::format("{} ... {} bytes ... {}", head, tail - head.size(), std::string_view(text).substr(tail));
}

void shorten(Error& error) {
  constexpr std::size_t kMostNotes = 16;
  shorten(error.message);
  if (error.notes.size() > kMostNotes) error.notes.resize(kMostNotes);
  for (std::string& note : error.notes) shorten(note);
}

}  // namespace tessera
