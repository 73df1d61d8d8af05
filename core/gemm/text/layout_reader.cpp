// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/text/layout_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera::plan::text {

bool LayoutReader::begins_statement() const {
  if (peek().begins || at_ == 0) return true;
  const std::string_view before = tokens_[at_ - 1].text;
  return before == "{" || before == "}" || before == ";";
}

bool LayoutReader::goes_on() const {
  const Token& token = peek();
  if (token.kind == Token::Kind::end || token.begins) return false;
  if (at_ > 0 && tokens_[at_ - 1].text == "}" && tokens_[at_ - 1].kind == Token::Kind::sign) return false;
  return token.kind != Token::Kind::sign || (token.text != ";" && token.text != "{" && token.text != "}");
}

int LayoutReader::line_of(const Token& token) const {
  const std::string_view from = text_.substr(line_begins_, token.at - line_begins_);
  line_ += static_cast<int>(std::count(from.begin(), from.end(), '\n'));
  line_begins_ = token.at;
  return line_;
}

void LayoutReader::fail_at(const Token& token, const std::string& message, std::string what_to_try) {
  if (!error_) error_ = error_at(text_, token.at, token.text.size(), ErrorCode::parse, message, std::move(what_to_try));
}

void LayoutReader::wants(const std::string& what) {
  const Token& token = peek();
  const std::string is = token.kind == Token::Kind::end ? "the text ends" : fmt::format("\"{}\" stands here", token.text);
  fail_at(token, fmt::format("{}, where {} is wanted", is, what));
}

std::int64_t LayoutReader::integer() {
  const bool minus = accept("-");
  const Token& token = peek();
  if (!ok() || token.kind != Token::Kind::number) return wants("a whole number"), 0;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (error != std::errc() || end != token.text.data() + token.text.size()) return wants("a whole number of at most 63 bits"), 0;
  next();
  return minus ? -value : value;
}

// 12, (4,(2,3)), and of strides 2@0 or 1@1@0, whose last mode is the outermost.
IntTuple LayoutReader::tuple() {
  if (accept("(")) {
    if (++depth_ > kDeepestTuple) return wants(fmt::format("at most {} parentheses inside each other", kDeepestTuple)), IntTuple();
    std::vector<IntTuple> modes;
    while (ok() && !accept(")")) {
      modes.push_back(tuple());
      if (!accept(",") && peek().text != ")") wants("\",\" or \")\"");
    }
    --depth_;
    return IntTuple::tuple(std::move(modes));
  }
  const std::int64_t value = integer();
  std::vector<std::uint8_t> path;
  while (ok() && accept("@")) {
    const std::int64_t mode = integer();
    if (mode < 0 || mode > 255 || path.size() >= BasisPath::kDeepest) return wants("a mode"), IntTuple();
    path.push_back(static_cast<std::uint8_t>(mode));
  }
  if (path.empty()) return value;
  BasisPath basis;
  basis.length = static_cast<std::uint8_t>(path.size()) & BasisPath::kDeepest;
  std::copy(path.rbegin(), path.rend(), basis.modes.begin());
  return IntTuple::basis(value, basis);
}

void LayoutReader::take(Layout& layout) {
  const Token& begins = peek();
  const IntTuple shape = tuple();
  if (!accept(":")) return wants("\":\" and strides");
  const IntTuple stride = tuple();
  if (!ok()) return;
  auto made = Layout::make(shape, stride);
  if (!made) return fail_at(begins, made.error().message);
  layout = *std::move(made);
}

std::variant<Swizzle, Layout> LayoutReader::part() {
  const Token& begins = peek();
  if (!accept("Sw")) {
    Layout layout;
    take(layout);
    return layout;
  }
  std::int64_t numbers[3] = {0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!accept(i == 0 ? "<" : ",")) wants(i == 0 ? "\"<\"" : "\",\"");
    numbers[i] = std::clamp<std::int64_t>(integer(), -1000, 1000);
  }
  if (!accept(">")) wants("\">\"");
  if (!ok()) return Swizzle();
  auto made = Swizzle::make(static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2]));
  if (!made) fail_at(begins, made.error().message);
  return made ? *made : Swizzle();
}

void LayoutReader::layout(AnyLayout& layout) {
  std::vector<std::variant<Swizzle, Layout>> parts{part()};
  std::vector<IntTuple> offsets;
  while (ok() && goes_on() && accept("o")) {
    offsets.push_back(tuple());
    if (!accept("o")) return wants("\"o\" and a layout");
    parts.push_back(part());
    if (parts.size() > kMostParts) return wants(fmt::format("a layout of at most {} parts", kMostParts));
  }
  if (!ok()) return;
  if (parts.size() == 1) {
    if (!std::holds_alternative<Layout>(parts[0])) return wants("\"o\", an offset, \"o\" and a layout");
    layout = std::get<Layout>(std::move(parts[0]));
    return;
  }
  const auto last = parts.size() - 1;
  ComposedLayout made{parts[last - 1], offsets[last - 1],
                      std::get_if<Layout>(&parts[last]) != nullptr ? std::variant<Layout, Swizzle, Nested>(std::get<Layout>(parts[last]))
                                                                   : std::variant<Layout, Swizzle, Nested>(std::get<Swizzle>(parts[last]))};
  for (std::size_t i = last - 1; i-- > 0;) made = ComposedLayout{parts[i], offsets[i], Nested(std::move(made))};
  layout = std::move(made);
}

Tiler LayoutReader::tiler() {
  if (accept("_")) return Underscore{};
  // A tuple of numbers and a colon is a layout; a tuple of tilers looks like it until the colon.
  const std::size_t begins = at_;
  std::size_t end = at_;
  for (int inside = 0; end < tokens_.size(); ++end) {
    inside += tokens_[end].text == "(" ? 1 : tokens_[end].text == ")" ? -1 : 0;
    if (inside == 0) break;
  }
  if (end + 1 < tokens_.size() && tokens_[end + 1].text == ":") {
    Layout layout;
    take(layout);
    return layout;
  }
  at_ = begins;
  if (!accept("(")) return integer();
  if (++depth_ > kDeepestTuple) return wants(fmt::format("at most {} parentheses inside each other", kDeepestTuple)), Underscore{};
  std::vector<Tiler> modes;
  while (ok() && !accept(")")) {
    modes.push_back(tiler());
    if (!accept(",") && peek().text != ")") wants("\",\" or \")\"");
  }
  --depth_;
  return modes;
}

}  // namespace tessera::plan::text
