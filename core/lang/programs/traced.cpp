// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/traced.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

bool is_shown(std::string_view kind) {
  constexpr std::array<std::string_view, 9> kinds = {"layout",     "composed",  "tensor", "tiled_mma", "mma_atom",
                                                     "tiled_copy", "copy_atom", "int",    "tuple"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// `typename Traits::SmemLayoutQ{}` is SmemLayoutQ where the class is read, and `Traits::SmemLayoutQ` where it is used.
std::string_view plain_name(std::string_view name) {
  if (name.starts_with("typename ")) name.remove_prefix(9);
  if (name.ends_with("{}") || name.ends_with("()")) name.remove_suffix(2);
  return trimmed(name);
}
std::string_view member(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

// Without blanks, the marks of static integers and what is known of dynamic ones: (_8,?{div=4}) is (8,?).
std::string comparable(std::string_view text) {
  std::string made;
  int braces = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '}') braces += c == '{' ? 1 : -1;
    const bool mark = c == '_' && i + 1 < text.size() && is_digit(text[i + 1]);
    if (braces == 0 && c != '}' && !is_space(c) && !mark) made += c;
  }
  return made;
}

// Does the text, in which ? stands for any number, say this?
bool fits(std::string_view with_unknown, std::string_view text) {
  std::size_t at = 0;
  for (const char c : with_unknown) {
    if (c != '?') {
      if (at == text.size() || text[at] != c) return false;
      ++at;
      continue;
    }
    if (at < text.size() && text[at] == '-') ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == begin) return false;
  }
  return at == text.size();
}

// Without the strides of modes n:1 and 1:0 that stand alone, as a tiler's mode may be written: (32,16:1) is (32,16).
std::string with_plain_modes(const std::string& text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    made += text[i];
    if (text[i] != '(' && text[i] != ',') continue;
    std::size_t colon = i + 1;
    while (colon < text.size() && is_digit(text[colon])) ++colon;
    const std::string_view extent = std::string_view(text).substr(i + 1, colon - i - 1), rest = std::string_view(text).substr(colon);
    const bool plain = !extent.empty() && rest.size() > 2 && (rest.starts_with(":1") || (extent == "1" && rest.starts_with(":0"))) &&
                       (rest[2] == ',' || rest[2] == ')');
    if (!plain) continue;
    made += extent;
    i = colon + 1;
  }
  return made;
}

// What is compared of a value: of a tensor its layout, which begins at its pointer.
std::string compared(const Value& value) {
  Result<AnyLayout> layout = as_any_layout(value);
  auto* composed = layout && value.element.swizzled_pointer ? std::get_if<ComposedLayout>(&*layout) : nullptr;
  if (composed) composed->offset = 0;
  return layout ? comparable(to_string(*layout)) : with_plain_modes(comparable(to_string(value)));
}

const Swizzle* outer_swizzle(const Value& value) {
  const auto* composed = std::get_if<ComposedLayout>(&value.any);
  return composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
}

// The DSL keeps the swizzle of a layout for shared memory as one of bytes, and a layout whose elements are known has it of elements here.
// Are they the same one?
bool same_in_bytes(const Value& in_elements, const Value& in_bytes) {
  const Swizzle* own = outer_swizzle(in_elements);
  if (!own || !outer_swizzle(in_bytes) || in_elements.element.bits == 0) return false;
  const Result<Swizzle> bytes = swizzle_in_bytes(*own, in_elements.element.bits);
  if (!bytes) return false;
  ComposedLayout made = std::get<ComposedLayout>(in_elements.any);
  made.outer = *bytes;
  return made == std::get<ComposedLayout>(in_bytes.any);
}

// What must be known of a layout of the DSL whose elements the trace does not say.
std::optional<Error> remark_bytes(const TracedObject& object, const Value& value) {
  const Swizzle* swizzle = outer_swizzle(value);
  if (object.kind != "composed" || object.at_dump || !swizzle || swizzle->bits() == 0) return std::nullopt;
  std::vector<std::string> notes;
  for (const std::int64_t bits : {8, 16, 32}) {
    if (const Result<Swizzle> elements = swizzle_in_elements(*swizzle, bits))
      notes.push_back(fmt::format("of elements of {} bits it is {}", bits, to_string(*elements)));
  }
  return Error{
      ErrorCode::wrong_type,
      fmt::format("the CuTe DSL counts {} in bytes where this is a layout for shared memory, and the trace does not say of which elements",
                  to_string(*swizzle)),
      {},
      std::move(notes)};
}

std::string read_words(const Explained& object) {
  std::string words = fmt::format("read from the text: {}", to_string(object.value));
  if (!object.needs.empty()) words += fmt::format(", with likely values of {}", fmt::join(object.needs, ", "));
  return words;
}

class Laying {
 public:
  explicit Laying(Explanation& explanation) : made_(explanation) {
    for (std::size_t i = 0; i < made_.objects.size(); ++i) places_[std::string(member(made_.objects[i].name))].push_back(i);
  }

  void lay(const TracedObject& object) {
    Result<Value> value = value_of(object);
    const std::size_t line = line_of(object);
    Explained* read = at(object, line);
    const bool is_number = object.kind == "int" || object.kind == "tuple";
    if (is_number && (!read || !value)) return;
    if (!value) return text_alone(object, line, read, value.error().message);
    if (read) {
      if (!object.values.empty()) read->ran = object.values;
      again(*read, object, *std::move(value));
    } else {
      Explained& made = made_.objects.emplace_back();
      made.line = line;
      made.column = object.column;
      made.name = std::string(plain_name(object.name));
      made.value = *std::move(value);
      made.source = ValueSource::traced;
      if (auto remark = remark_bytes(object, made.value)) made.warnings.push_back(*std::move(remark));
      made.ran = object.values;
      places_[std::string(member(made.name))].push_back(made_.objects.size() - 1);
    }
    has_value(object, line);
  }

  void finish(const std::vector<std::string>& from_trace) {
    std::size_t index = 0;
    std::erase_if(made_.objects, [&](const Explained& each) {
      const std::size_t i = index++;
      return unfit_.contains(i) && !fit_.contains(i) && each.source != ValueSource::traced;
    });
    for (Explained& each : made_.objects) {
      const bool had = !each.given.empty();
      std::erase_if(each.given,
                    [&](const std::string& name) { return std::find(from_trace.begin(), from_trace.end(), name) != from_trace.end(); });
      if (had && each.given.empty() && each.source == ValueSource::given) each.source = ValueSource::traced;
    }
    std::stable_sort(made_.objects.begin(), made_.objects.end(), [](const Explained& a, const Explained& b) { return a.line < b.line; });
  }

 private:
  // Those that bind the row's name: with its path, or where none does by its last part.
  std::vector<std::size_t> named(const TracedObject& object) const {
    const std::string_view name = plain_name(object.name);
    const auto found = places_.find(std::string(member(name)));
    if (found == places_.end()) return {};
    std::vector<std::size_t> exact;
    std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(exact),
                 [&](std::size_t i) { return made_.objects[i].name == name; });
    return exact.empty() ? found->second : exact;
  }

  // Where the statement stands that gave the object its value.
  std::size_t line_of(const TracedObject& object) const {
    std::size_t above = 0;
    for (const std::size_t i : named(object)) {
      const std::size_t line = made_.objects[i].line;
      if (line == object.line) return line;
      if (line < object.line) above = std::max(above, line);
    }
    return above > 0 && object.at_dump ? above : object.line;
  }

  Explained* at(const TracedObject& object, std::size_t line) {
    for (const std::size_t i : named(object)) {
      if (made_.objects[i].line == line) return &made_.objects[i];
    }
    return nullptr;
  }

  void again(Explained& read, const TracedObject& object, Value value) {
    const bool same = compared(read.value) == compared(value) || same_in_bytes(read.value, value);
    if (read.source == ValueSource::traced) {  // another row of this place
      const auto is_same = [&](const Explained& each) {
        return each.line == read.line && each.name == read.name &&
               (compared(each.value) == compared(value) || same_in_bytes(each.value, value));
      };
      if (same || std::any_of(made_.objects.begin(), made_.objects.end(), is_same)) return;
      Explained other = read;
      other.beside.clear();
      other.value = std::move(value);
      other.ran = object.values;
      made_.objects.push_back(std::move(other));
      return;
    }
    if (!same) {
      read.beside = read_words(read);
      read.warnings.clear();
      read.value = std::move(value);
      if (auto remark = remark_bytes(object, read.value)) read.warnings.push_back(*std::move(remark));
    }
    read.source = ValueSource::traced;
    if (read.column == 0) read.column = object.column;
    read.needs.clear();
    read.doubts.clear();
    read.stated.clear();
    read.given.clear();
  }

  void text_alone(const TracedObject& object, std::size_t line, Explained* read, const std::string& why) {
    const std::string words = words_of(object), *layout = object.fact("layout");
    const auto index = read ? static_cast<std::size_t>(read - made_.objects.data()) : made_.objects.size();
    if (read && !object.values.empty()) read->ran = object.values;
    if (read && (read->source == ValueSource::traced || !layout)) return;
    if (read && fits(comparable(*layout), compared(read->value))) {
      fit_.insert(index);
      return;
    }
    made_.traced.push_back(
        {line, object.column, std::string(plain_name(object.name)), words, why, read ? read_words(*read) : "", object.values});
    if (read) unfit_.insert(index);
    has_value(object, line);
  }

  // The statement is refused or waits no more.
  void has_value(const TracedObject& object, std::size_t line) {
    const std::string_view name = plain_name(object.name);
    std::erase_if(made_.unexplained,
                  [&](const Unexplained& each) { return each.line == line && (each.name == name || each.name == member(name)); });
    for (AccountEntry& entry : made_.account) {
      const bool binds = std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end();
      if (entry.line != line || !binds || entry.fate == AccountEntry::Fate::valued) continue;
      entry.fate = AccountEntry::Fate::valued;
      entry.words = "traced: " + words_of(object);
      entry.waits_for.clear();
    }
  }

  Explanation& made_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
  std::set<std::size_t> fit_, unfit_;  // objects that were read: with what a row leaves open, and with no row
};

}  // namespace

void lay_over(Explanation& explanation, const std::vector<TracedObject>& objects, const std::vector<std::string>& from_trace) {
  Laying laying(explanation);
  for (const TracedObject& object : objects) {
    if (is_shown(object.kind)) laying.lay(object);
  }
  laying.finish(from_trace);
}

std::vector<std::pair<std::string, std::string>> values_for(const std::vector<Symbol>& symbols, const std::vector<TracedObject>& objects) {
  std::unordered_map<std::string_view, std::vector<const TracedObject*>> rows;
  for (const TracedObject& each : objects) rows[each.name].push_back(&each);
  std::vector<std::pair<std::string, std::string>> made;
  for (const Symbol& symbol : symbols) {
    const auto found = rows.find(symbol.name);
    if (found == rows.end()) continue;
    std::string text;
    const bool one = std::all_of(found->second.begin(), found->second.end(), [&](const TracedObject* each) {
      const Result<Value> value = value_of(*each);
      if (!value) return false;
      const std::string own = to_string(*value);
      if (text.empty()) text = own;
      return own == text;
    });
    if (one) made.emplace_back(symbol.name, text);
  }
  return made;
}

}  // namespace tessera
