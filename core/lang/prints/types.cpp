// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/types.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/prints/notation.hpp"
#include "core/lang/prints/pointer.hpp"

namespace tessera {
namespace {

constexpr int kDeepestType = 64;
constexpr std::size_t kMostTypes = 2048;
constexpr std::size_t kMostLookedAt = std::size_t{1} << 26;  // characters of types that are looked at, those within others again

// Name<arguments>, as text: its arguments are taken apart when they are asked for.
struct Type {
  std::string_view name;  // without cute:: and qualifiers
  std::string_view text;  // all of it
  std::vector<std::string_view> arguments;
};

std::string_view unqualified(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    text = trimmed(text);
    for (const std::string_view word : {"const ", "class ", "struct ", "volatile ", "enum "}) {
      if (!text.starts_with(word)) continue;
      text.remove_prefix(word.size());
      again = true;
    }
    for (const std::string_view word : {"const", "&", "*"}) {
      if (!text.ends_with(word) || text.size() == word.size()) continue;
      if (word == "const" && is_word(text[text.size() - 6])) continue;
      text.remove_suffix(word.size());
      again = true;
    }
    for (const std::string_view word : {"::", "cute::", "cutlass::"}) {
      if (!text.starts_with(word)) continue;
      text.remove_prefix(word.size());
      again = true;
    }
  }
  return text;
}

Type parse_type(std::string_view text) {
  text = unqualified(text);
  Type type{text, text, {}};
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) return type;
  type.name = trimmed(text.substr(0, open));
  const std::size_t close = behind_bracket(text, open);
  if (close == std::string_view::npos) return type;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i < close; ++i) {
    const char c = text[i];
    if (c == '<' || c == '(') {
      const std::size_t behind = behind_bracket(text, i);
      if (behind == std::string_view::npos) break;
      i = behind - 1;
    } else if (c == ',' || i + 1 == close) {
      const std::string_view argument = trimmed(text.substr(begin, i - begin));
      if (!argument.empty()) type.arguments.push_back(argument);
      begin = i + 1;
    }
  }
  return type;
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Types -> the language. What is a number of the running program becomes `?` and is named.
class Writer {
 public:
  // Nothing where the type stands for no value.
  std::optional<std::string> value(std::string_view text) {
    const Type type = parse_type(text);
    if (++depth_ > kDeepestType) return std::nullopt;
    std::optional<std::string> made = object(type);
    --depth_;
    return made;
  }

  std::vector<std::string> unknown;

 private:
  std::optional<std::string> object(const Type& type) {
    const auto& arguments = type.arguments;
    if (type.name == "Layout" && !arguments.empty() && arguments.size() <= 2) return layout(arguments);
    if (type.name == "ComposedLayout" && arguments.size() == 3) return composed(arguments);
    if (type.name == "Swizzle" && arguments.size() == 3) {
      return fmt::format("Sw<{},{},{}>", arguments[0], arguments[1], arguments[2]);
    }
    if (type.name == "Tensor" && arguments.size() == 2) return tensor(arguments);
    if (one_of(type.name, {"tuple", "Shape", "Stride", "Coord", "Tile", "Step", "ArithmeticTuple"})) return tuple(arguments, "");
    if (one_of(type.name, {"TiledMMA", "TiledCopy", "MMA_Atom", "Copy_Atom", "ThrMMA", "ThrCopy"})) return std::string(type.text);
    return number(type, "");
  }

  std::optional<std::string> layout(const std::vector<std::string_view>& arguments) {
    const auto shape = int_tuple(arguments[0], "shape");
    if (!shape) return std::nullopt;
    if (arguments.size() == 1) return fmt::format("make_layout({})", *shape);
    const auto stride = int_tuple(arguments[1], "stride");
    if (!stride) return std::nullopt;
    return fmt::format("{}:{}", *shape, *stride);
  }

  std::optional<std::string> composed(const std::vector<std::string_view>& arguments) {
    const auto outer = value(arguments[0]);
    const Type middle = parse_type(arguments[1]);
    const auto inner = value(arguments[2]);
    if (!outer || !inner) return std::nullopt;
    if (middle.name == "smem_ptr_flag_bits" && middle.arguments.size() == 1) {
      return fmt::format("{} o smem_ptr[{}b](unset) o {}", *outer, middle.arguments[0], *inner);
    }
    const auto offset = int_tuple(arguments[1], "offset");
    if (!offset) return std::nullopt;
    return fmt::format("{} o {} o {}", *outer, *offset, *inner);
  }

  // ViewEngine<smem_ptr<half_t*>>, ArrayEngine<float, 8>, ViewEngine<ArithmeticTupleIterator<ArithmeticTuple<...>>>
  std::optional<std::string> tensor(const std::vector<std::string_view>& arguments) {
    const auto made = value(arguments[1]);
    if (!made) return std::nullopt;
    const std::string pointer = engine(arguments[0]);
    return pointer.empty() ? *made : fmt::format("{} o {}", pointer, *made);
  }

  std::string engine(std::string_view text) {
    const Type type = parse_type(text);
    if (++depth_ > kDeepestType) return {};
    std::string made = engine(type, text);
    --depth_;
    return made;
  }
  std::string engine(const Type& type, std::string_view text) {
    const auto& arguments = type.arguments;
    if (one_of(type.name, {"ViewEngine", "ConstViewEngine"}) && !arguments.empty()) return engine(arguments[0]);
    if (type.name == "ArrayEngine" && !arguments.empty()) return flat(arguments[0]);
    if (type.name == "ArithmeticTupleIterator" && !arguments.empty()) {
      // Where the tile begins is a number of the running program, and moves nothing in the layout.
      std::vector<std::string> dynamic;
      std::swap(dynamic, unknown);
      auto offset = tuple(parse_type(arguments[0]).arguments, "");
      std::swap(dynamic, unknown);
      if (!offset) return {};
      std::replace(offset->begin(), offset->end(), '?', '0');
      return "ArithTuple" + (offset->starts_with('(') ? *offset : '(' + *offset + ')');
    }
    if (type.name.ends_with("DescriptorIterator") || type.name.ends_with("smem_desc")) return "DescriptorIterator";
    for (const std::string_view space : {"gmem", "smem", "rmem", "tmem"}) {
      if (!type.name.starts_with(space) || !type.name.ends_with("_ptr") || arguments.empty()) continue;
      std::string inside = engine(arguments[0]);
      const std::size_t at = inside.find("ptr[");
      if (at == std::string::npos || inside.starts_with("Sw<")) return inside;
      return fmt::format("{}_{}", space, inside.substr(at));
    }
    if (type.name == "swizzle_ptr" && arguments.size() == 2) {
      const auto swizzle = value(arguments[0]);
      const std::string inside = engine(arguments[1]);
      const std::size_t at = inside.find('['), end = inside.find('b', at);
      if (!swizzle || at == std::string::npos || end == std::string::npos) return {};
      return fmt::format("{} o smem_ptr[{}b](unset)", *swizzle, inside.substr(at + 1, end - at - 1));
    }
    if (type.name == "subbyte_iterator" && !arguments.empty()) return flat(arguments[0]);
    return text.find('*') != std::string_view::npos ? flat(text) : std::string();
  }
  static std::string flat(std::string_view element) {
    element = unqualified(element);
    const int bits = element_bits(element);
    return bits > 0 ? pointer_text("", bits) : std::string();
  }

  std::optional<std::string> int_tuple(std::string_view text, const std::string& part) {
    const Type type = parse_type(text);
    if (++depth_ > kDeepestType) return std::nullopt;
    const bool nests = one_of(type.name, {"tuple", "Shape", "Stride", "Coord", "Step", "ArithmeticTuple"}) && !type.arguments.empty();
    auto made = nests ? tuple(type.arguments, part) : number(type, part);
    --depth_;
    return made;
  }

  std::optional<std::string> tuple(const std::vector<std::string_view>& arguments, const std::string& part) {
    if (arguments.empty()) return std::nullopt;
    std::string text;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string inside = fmt::format("{}[{}]", part.empty() ? "element " : part, i);
      const Type type = parse_type(arguments[i]);
      const bool layout = one_of(type.name, {"Layout", "ComposedLayout"});
      const auto element = layout ? value(arguments[i]) : int_tuple(arguments[i], inside);
      if (!element) return std::nullopt;
      text += (i ? "," : "") + *element;
    }
    return '(' + text + ')';
  }

  std::optional<std::string> number(const Type& type, const std::string& part) {
    const std::string_view name = type.name;
    if (name == "Underscore" || name == "_") return "_";
    if (name.size() > 1 && name[0] == '_' && (is_digit(name[1]) || (name[1] == 'm' && name.size() > 2))) {
      return name[1] == 'm' ? '-' + std::string(name.substr(2)) : std::string(name);
    }
    if (one_of(name, {"C", "Int", "constant", "integral_constant", "UInt", "v"}) && !type.arguments.empty()) {
      std::string_view digits = unqualified(type.arguments.back());
      if (digits.starts_with('(')) digits = trimmed(digits.substr(std::min(digits.find(')') + 1, digits.size())));  // (int)4
      std::size_t end = digits.starts_with('-') ? 1 : 0;
      while (end < digits.size() && is_digit(digits[end])) ++end;
      if (end == 0 || !is_digit(digits[end - 1])) return std::nullopt;
      return '_' + std::string(digits.substr(0, end));
    }
    if (name == "ScaledBasis" && type.arguments.size() >= 2) {
      const auto scale = int_tuple(type.arguments[0], part);
      if (!scale) return std::nullopt;
      // Outermost mode first; print() writes the innermost first.
      std::string modes;
      for (std::size_t i = type.arguments.size(); i-- > 1;) modes += '@' + std::string(type.arguments[i].substr(0, 3));
      return *scale + modes;
    }
    const std::string what = part.empty() ? std::string("a number") : part;
    if (name == "R" && type.arguments.size() == 2) {
      unknown.push_back(fmt::format("{} (it is the ratio {}/{})", what, type.arguments[0], type.arguments[1]));
      return "?";
    }
    constexpr std::array kDynamic = {
        "int",      "unsigned",          "unsigned int", "long",     "unsigned long", "long long",   "unsigned long long",
        "int32_t",  "uint32_t",          "int64_t",      "uint64_t", "size_t",        "short",       "signed int",
        "long int", "long unsigned int", "int16_t",      "uint16_t", "std::size_t",   "std::int64_t"};
    if (std::find(kDynamic.begin(), kDynamic.end(), name) != kDynamic.end()) {
      unknown.push_back(fmt::format("{} (of type {})", what, name));
      return "?";
    }
    return std::nullopt;
  }

  int depth_ = 0;
};

bool has_any(std::string_view text, std::initializer_list<std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

}  // namespace

std::string name_before(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  for (bool again = true; again;) {
    again = false;
    while (!before.empty() && (is_space(before.back()) || before.back() == '"' || before.back() == '\'' || before.back() == '`')) {
      before.remove_suffix(1);
    }
    for (const std::string_view word : {"const", "class", "struct", "cute::", "::", "\xE2\x80\x98"}) {
      if (!before.ends_with(word)) continue;
      before.remove_suffix(word.size());
      again = true;
    }
  }
  if (!before.ends_with('=')) return {};
  before.remove_suffix(1);
  while (!before.empty() && is_space(before.back())) before.remove_suffix(1);
  if (before.ends_with('>')) before.remove_suffix(1);  // <auto-1>
  std::size_t begin = before.size();
  while (begin > 0 && (is_word(before[begin - 1]) || before[begin - 1] == '-')) --begin;
  std::string name(before.substr(begin));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_compiler_output(std::string_view text) {
  if (!has_any(text, {"cute::"}) || has_any(text, {"#include", "#pragma"})) return false;  // a source file is none
  if (has_any(text, {"error:", ": error", "error #", "static assertion failed", "instantiation of", "[with ", "required from",
                     ": note:", "warning #", "static_assert failed"})) {
    return true;
  }
  // Only types, as print_type and debuggers show them.
  return text.find('<') != std::string_view::npos &&
         !has_any(text, {"auto ", "using ", "make_", "#include", "template", "return", "print", "{}", "decltype", "()", "let "});
}

std::vector<PrintedType> compiler_types(std::string_view text) {
  std::vector<PrintedType> found;
  std::unordered_set<std::string> seen;
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < text.size() && found.size() < kMostTypes && looked_at < kMostLookedAt;) {
    if (!is_letter(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() &&
           (is_word(text[end]) || (text[end] == ':' && (text.substr(end).starts_with("::") || text[end - 1] == ':')))) {
      ++end;
    }
    const std::string_view word = unqualified(text.substr(i, end - i));
    const bool object = one_of(word, {"Layout", "ComposedLayout", "Tensor", "TiledMMA", "TiledCopy", "ThrMMA", "ThrCopy", "Swizzle"});
    const bool tuple = one_of(word, {"tuple", "Shape", "Stride", "Coord", "Tile"});
    const bool number = word == "C" || (word.size() > 1 && word[0] == '_' && is_digit(word[1]));
    std::size_t behind = end;
    if (!(object || tuple || number)) {
      i = end;
      continue;
    }
    if (behind < text.size() && text[behind] == '<') behind = behind_bracket(text, behind);
    looked_at += std::min(behind, text.size()) - i;
    const bool whole = behind != std::string_view::npos && (behind > end || number);
    const std::string name = whole ? name_before(text, i) : std::string();
    std::optional<std::string> expression;
    if (whole && (object || !name.empty())) {
      Writer writer;
      expression = writer.value(text.substr(i, behind - i));
      if (expression && seen.insert(name + '=' + *expression).second) {
        found.push_back({name, {i, behind}, *expression, std::move(writer.unknown)});
      }
    }
    i = expression ? behind : end;
  }
  // One that has no name says nothing that one with a name has said.
  std::unordered_set<std::string> named;
  for (const PrintedType& type : found) {
    if (!type.name.empty()) named.insert(type.expression);
  }
  std::erase_if(found, [&](const PrintedType& type) { return type.name.empty() && named.count(type.expression) > 0; });
  return found;
}

}  // namespace tessera
