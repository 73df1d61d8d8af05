// SPDX-License-Identifier: BSD-3-Clause
// Layouts as text in tests: "(4,8):(8,1)"_layout. Reads CuTe's print syntax without underscores on integers.
#pragma once

#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

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
    using Part = std::variant<Swizzle, Layout>;
    const auto part = [this]() -> Result<Part> {
      if (peek() == 'S') {
        TESSERA_TRY(s, swizzle());
        return Part(s);
      }
      TESSERA_TRY(l, layout());
      return Part(std::move(l));
    };
    TESSERA_TRY(first, part());
    if (peek() != 'o') return AnyLayout(std::get<Layout>(std::move(first)));
    take();
    IntTuple offset = int_tuple();
    expect('o');
    TESSERA_TRY(second, part());
    ComposedLayout composed;
    composed.offset = std::move(offset);
    std::visit([&](auto& p) { composed.outer = std::move(p); }, first);
    if (auto* l = std::get_if<Layout>(&second))
      composed.inner = std::move(*l);
    else
      composed.inner = std::get<Swizzle>(second);
    return AnyLayout(std::move(composed));
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
