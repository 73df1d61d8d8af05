// SPDX-License-Identifier: BSD-3-Clause
// Layouts as text in tests: "(4,8):(8,1)"_layout. Reads CuTe's print syntax without underscores on integers.
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/layout/composed_algebra.hpp"

namespace tessera::literals {

class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (const char c : text) {
      if (!std::isspace(static_cast<unsigned char>(c))) text_ += c;
    }
  }

  Result<Layout> layout() {
    IntTuple shape = int_tuple();
    if (peek() != ':') return Layout::make_compact(std::move(shape));
    take();
    return Layout::make(std::move(shape), int_tuple());
  }

  Result<AnyLayout> any_layout() {
    TESSERA_TRY(read, chain());
    if (auto* composed = std::get_if<ComposedLayout>(&read)) return AnyLayout(std::move(*composed));
    return AnyLayout(std::get<Layout>(std::move(read)));
  }

  // A, or A o offset o chain.
  Result<ChainPart> chain() {
    TESSERA_TRY(first, part());
    if (peek() != 'o') return first;
    take();
    ComposedLayout composed;
    composed.offset = int_tuple();
    expect('o');
    if (const auto* s = std::get_if<Swizzle>(&first)) composed.outer = *s;
    if (const auto* l = std::get_if<Layout>(&first)) composed.outer = *l;
    TESSERA_TRY(rest, chain());
    if (const auto* s = std::get_if<Swizzle>(&rest)) composed.inner = *s;
    if (const auto* l = std::get_if<Layout>(&rest)) composed.inner = *l;
    if (auto* c = std::get_if<ComposedLayout>(&rest)) composed.inner = Nested(std::move(*c));
    return ChainPart(std::move(composed));
  }

  Result<ChainPart> part() {
    if (peek() == 'S') {
      TESSERA_TRY(s, swizzle());
      return ChainPart(s);
    }
    TESSERA_TRY(l, layout());
    return ChainPart(std::move(l));
  }

  Result<Swizzle> swizzle() {
    for (const char c : {'S', 'w', '<'}) expect(c);
    const auto b = static_cast<int>(integer());
    expect(',');
    const auto m = static_cast<int>(integer());
    expect(',');
    const auto s = static_cast<int>(integer());
    expect('>');
    return Swizzle::make(b, m, s);
  }

  // A parenthesised list is a tuple tiler unless a ':' follows it.
  Result<Tiler> tiler() {
    if (peek() == '_') {
      take();
      return Tiler(Underscore{});
    }
    if (peek() == 'S') {
      TESSERA_TRY(l, any_layout());
      return std::visit([](auto& x) { return Tiler(std::move(x)); }, l);
    }
    if (peek() == '(' && text_[closing() + 1] != ':') {
      take();
      std::vector<Tiler> modes;
      while (peek() != ')') {
        TESSERA_TRY(mode, tiler());
        modes.push_back(std::move(mode));
        if (peek() == ',') take();
      }
      take();
      return Tiler(std::move(modes));
    }
    IntTuple shape = int_tuple();
    if (peek() != ':') return Tiler(shape.value());
    take();
    TESSERA_TRY(l, Layout::make(std::move(shape), int_tuple()));
    return Tiler(std::move(l));
  }

  IntTuple int_tuple() {
    if (peek() == '_') {
      take();
      return IntTuple::underscore();
    }
    if (peek() != '(') return leaf();
    take();
    std::vector<IntTuple> modes;
    while (peek() != ')') {
      modes.push_back(int_tuple());
      if (peek() == ',') take();
    }
    take();
    return IntTuple::tuple(std::move(modes));
  }

  bool at_end() const { return next_ == text_.size(); }

 private:
  char peek() const { return next_ < text_.size() ? text_[next_] : '\0'; }
  void take() {
    if (next_ >= text_.size()) throw std::runtime_error("unfinished literal: " + text_);
    ++next_;
  }
  void expect(char c) {
    if (peek() != c) throw std::runtime_error(std::string("expected ") + c + " in literal: " + text_);
    ++next_;
  }
  std::size_t closing() const {
    int open = 0;
    for (std::size_t i = next_; i < text_.size(); ++i) {
      if (text_[i] == '(') ++open;
      if (text_[i] == ')' && --open == 0) return i;
    }
    throw std::runtime_error("unbalanced literal: " + text_);
  }
  std::int64_t integer() {
    std::size_t used = 0;
    const std::int64_t value = std::stoll(text_.substr(next_, 24), &used);
    next_ += used;
    return value;
  }
  IntTuple leaf() {  // v, or v@j@i with the innermost mode first
    const std::int64_t value = integer();
    BasisPath reversed;
    while (peek() == '@') {
      take();
      reversed.modes[reversed.length++] = static_cast<std::uint8_t>(integer());
    }
    BasisPath path;
    path.length = reversed.length;
    for (int k = 0; k < path.length; ++k) {
      path.modes[static_cast<std::size_t>(k)] = reversed.modes[static_cast<std::size_t>(path.length - 1 - k)];
    }
    return IntTuple::basis(value, path);
  }

  std::string text_;
  std::size_t next_ = 0;
};

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error()));
  return std::move(result).value();
}

inline Layout operator""_layout(const char* text, std::size_t n) { return must(Reader({text, n}).layout()); }
inline AnyLayout operator""_any(const char* text, std::size_t n) { return must(Reader({text, n}).any_layout()); }
inline Swizzle operator""_swizzle(const char* text, std::size_t n) { return must(Reader({text, n}).swizzle()); }
inline Tiler operator""_tiler(const char* text, std::size_t n) { return must(Reader({text, n}).tiler()); }
inline IntTuple operator""_tuple(const char* text, std::size_t n) { return Reader({text, n}).int_tuple(); }

}  // namespace tessera::literals
