// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/pointer.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/lang/prints/notation.hpp"

namespace tessera {
namespace {

constexpr int kWidestElement = 1024;  // bits

// gmem_ptr -> gmem
std::string_view space_of(std::string_view name) { return name.substr(0, name.find('_')); }

// A name and what stands behind it; `begin` is where the name begins.
struct Place {
  std::string_view text;
  std::size_t begin = 0;
  std::string_view name, swizzle;
  std::size_t behind() const { return begin + name.size(); }
  bool followed_by(char c) const { return behind() < text.size() && text[behind()] == c; }
};

// ptr[16b](0x7f48), ptr[16b]
std::optional<PrintedPointer> in_brackets(const Place& place) {
  if (!place.followed_by('[') || !(place.name.ends_with("ptr") || place.name.ends_with('_'))) return std::nullopt;
  const std::string_view text = place.text;
  int bits = 0;
  const auto [digits, status] = std::from_chars(text.data() + place.behind() + 1, text.data() + text.size(), bits);
  if (status != std::errc() || bits < 1 || bits > kWidestElement) return std::nullopt;
  auto at = static_cast<std::size_t>(digits - text.data());
  if (at < text.size() && text[at] == 'b') ++at;
  if (at == text.size() || text[at] != ']') return std::nullopt;
  ++at;
  if (at < text.size() && text[at] == '(') at = behind_bracket(text, at);
  if (at == std::string_view::npos) return std::nullopt;
  return PrintedPointer{at, pointer_text(space_of(place.name), bits, place.swizzle), {}, false};
}

// gmem_ptr_32b(0x7f48), as older versions print it
std::optional<PrintedPointer> with_width_in_name(const Place& place) {
  const std::string_view name = place.name;
  const std::size_t bar = name.rfind('_');
  if (!place.followed_by('(') || bar == std::string_view::npos || name.find("ptr") == std::string_view::npos || !name.ends_with('b')) {
    return std::nullopt;
  }
  const std::string_view digits = name.substr(bar + 1, name.size() - bar - 2);
  int bits = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (status != std::errc() || end != digits.data() + digits.size() || bits < 1 || bits > kWidestElement) return std::nullopt;
  const std::size_t behind = behind_bracket(place.text, place.behind());
  if (behind == std::string_view::npos) return std::nullopt;
  return PrintedPointer{behind, pointer_text(space_of(name), bits, place.swizzle), {}, false};
}

// Of descriptors and coordinates the layout says all; a counting iterator's begin moves nothing in it.
std::optional<PrintedPointer> iterator(const Place& place) {
  const bool brackets = place.followed_by('(') || place.followed_by('<');
  const std::size_t behind = brackets ? behind_bracket(place.text, place.behind()) : place.behind();
  if (behind == std::string_view::npos) return std::nullopt;
  if (place.name.ends_with("DescriptorIterator")) return PrintedPointer{behind, "DescriptorIterator", {}, false};
  if (!brackets) return std::nullopt;
  if (place.name == "counting_iter") return PrintedPointer{behind, {}, {}, false};
  if (place.name == "vector") return PrintedPointer{behind, {}, {}, true};
  if (place.name != "ArithTuple" && place.name != "ArithmeticTuple" && place.name != "ArithmeticTupleIterator") return std::nullopt;
  auto offset = read_notation(place.text.substr(0, behind), place.behind());
  if (!offset || offset->kind != Notation::Kind::tuple || offset->end != behind) return std::nullopt;
  for (std::string& each : offset->unknown) each = "the offset's number " + each;
  return PrintedPointer{behind, "ArithTuple" + offset->expression, offset->unknown, false};
}

// ptr<f16, smem, align<1024>, S<3,4,3>>, raw_ptr(0x0400: f16, smem, align<1024>)
std::optional<PrintedPointer> of_the_dsl(const Place& place) {
  const bool addressed = place.name == "raw_ptr" && place.followed_by('(');
  if (!addressed && !(place.name == "ptr" && place.followed_by('<'))) return std::nullopt;
  const std::size_t behind = behind_bracket(place.text, place.behind());
  if (behind == std::string_view::npos) return std::nullopt;
  std::string_view inside = place.text.substr(place.behind() + 1, behind - place.behind() - 2);
  const std::size_t colon = inside.find(':');
  if (addressed && colon != std::string_view::npos) inside.remove_prefix(colon + 1);
  std::string_view space, swizzle;
  for (const std::string_view each : {"gmem", "smem", "rmem", "tmem"}) {
    if (inside.find(each) != std::string_view::npos) space = each;
  }
  const std::size_t at = inside.find("S<");
  if (at != std::string_view::npos) swizzle = swizzle_at(inside, at);
  const std::string_view type = trimmed(inside.substr(0, inside.find(',')));
  const int bits = element_bits(type);
  PrintedPointer made{behind, {}, {}, false};
  if (bits > 0) made.expression = pointer_text(space, bits, swizzle);
  if (bits == 0 && !swizzle.empty()) made.unknown.push_back(fmt::format("the width of {}", type));
  return made;
}

}  // namespace

std::optional<PrintedPointer> read_pointer(std::string_view text, std::size_t at) {
  const std::string_view swizzle = swizzle_at(text, at);
  at += swizzle.size();
  if (!swizzle.empty() && (at == text.size() || text[at++] != '_')) return std::nullopt;
  const Place place{text, at, printed_word(text, at), swizzle};
  if (place.name.empty()) return std::nullopt;
  for (const auto read : {in_brackets, with_width_in_name, of_the_dsl, iterator}) {
    if (auto made = read(place)) return made;
  }
  return std::nullopt;
}

std::string_view swizzle_at(std::string_view text, std::size_t at) {
  for (const std::string_view name : {"Sw<", "S<", "Swizzle<"}) {
    if (!text.substr(at).starts_with(name)) continue;
    std::size_t end = at + name.size();
    while (end < text.size() && (is_digit(text[end]) || text[end] == ',' || text[end] == ' ' || text[end] == '-')) ++end;
    if (end < text.size() && text[end] == '>') return text.substr(at, end + 1 - at);
  }
  return {};
}

std::string_view printed_word(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (;;) {
    while (end < text.size() && is_word(text[end])) ++end;
    if (text.substr(end).starts_with("::")) {
      end += 2;
      continue;
    }
    std::size_t number = end + 1;
    while (number < text.size() && is_digit(text[number])) ++number;
    const bool parameter = end > at && end < text.size() && text[end] == '<' && number > end + 1 && number + 1 < text.size() &&
                           text[number] == '>' && text[number + 1] == '_';
    if (!parameter) return text.substr(at, end - at);
    end = number + 1;
  }
}

int element_bits(std::string_view type) {
  if (const auto known = value_type(type)) return bits(*known);
  if (type == "tf32") return 32;
  // f8E4M3FN, f4E2M1FN, bf16, i1, ui8: the first number is the width.
  std::size_t at = 0;
  while (at < type.size() && is_letter(type[at])) ++at;
  int width = 0;
  std::from_chars(type.data() + at, type.data() + type.size(), width);
  return at > 0 && at <= 3 && width <= 1024 ? width : 0;
}

std::string pointer_text(std::string_view space, int bits, std::string_view swizzle) {
  if (!swizzle.empty()) return fmt::format("Sw{} o smem_ptr[{}b](unset)", swizzle.substr(swizzle.find('<')), bits);
  const bool known = space == "gmem" || space == "smem" || space == "rmem" || space == "tmem";
  return fmt::format("{}ptr[{}b](unset)", known ? fmt::format("{}_", space) : "", bits);
}

std::size_t behind_bracket(std::string_view text, std::size_t at) {
  std::string open;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') open += ')';
    if (c == '[') open += ']';
    if (c == '{') open += '}';
    if (c == '<') open += '>';
    if (c == '>' && i > 0 && text[i - 1] == '-') continue;  // auto (int)->auto
    if (c != ')' && c != ']' && c != '}' && c != '>') continue;
    // A comparison's '>' or '<' among numbers does not count: the innermost bracket that fits is closed.
    while (!open.empty() && open.back() != c && open.back() == '>') open.pop_back();
    if (open.empty() || open.back() != c) return std::string_view::npos;
    open.pop_back();
    if (open.empty()) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace tessera
