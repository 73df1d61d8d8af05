// SPDX-License-Identifier: BSD-3-Clause
// The library's parser says what it meets, one event after another; JsonBuilder puts it together and stops where a bound is passed, so
// that nothing is held of a text beyond its bounds. The nesting is on a stack of its own: no depth ends this process.
#include "core/base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/quote.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kShown = 40;       // bytes of foreign text in a message
constexpr std::size_t kFewMembers = 16;  // up to so many names are compared with each other, more are sorted

using Library = nlohmann::json;

// Where the parser is. All copies of its iterator share it, so that the events know their place.
struct Reading {
  std::string_view text;
  std::size_t at = 0;    // bytes taken
  std::size_t stop = 0;  // where the parser must see an end, so that no single token grows without bound
};

class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ByteIterator() = default;
  explicit ByteIterator(Reading& reading) : reading_(&reading) {}
  reference operator*() const { return reading_->text[reading_->at]; }
  ByteIterator& operator++() {
    ++reading_->at;
    return *this;
  }
  ByteIterator operator++(int) { return ++*this; }
  // The only question that is asked: is this the end?
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) {
    const Reading* reading = a.reading_ != nullptr ? a.reading_ : b.reading_;
    return reading == nullptr || reading->at == reading->stop;
  }

 private:
  Reading* reading_ = nullptr;
};

// Foreign text for a message: short and printable.
std::string shown_text(std::string_view text) {
  const std::string all = printable(utf8_prefix(text, kShown));
  const std::string_view kept = utf8_prefix(all, kShown);
  return std::string(kept) + (text.size() > kShown || kept.size() < all.size() ? "..." : "");
}

bool is_zero_by_rounding(double value, std::string_view token) {
  return value == 0 && token.substr(0, token.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
}

}  // namespace

// The library's event interface; each event returns whether to go on.
class JsonBuilder {
 public:
  using string_t = Library::string_t;

  JsonBuilder(Reading& reading, const JsonBounds& bounds, ErrorCode code) : reading_(reading), bounds_(bounds), code_(code) {}

  bool null() { return put(Json()); }
  bool boolean(bool truth) { return put(Json(truth)); }
  bool number_integer(std::int64_t number) { return put(Json(number)); }
  bool number_unsigned(std::uint64_t number) { return put(Json(number)); }
  bool number_float(double number, const string_t& token) {
    if (token.size() > kLongestJsonNumber)
      return refuse(ErrorCode::limit, fmt::format("a number has {} characters; up to {} are read", token.size(), kLongestJsonNumber));
    if (token.find_first_of(".eE") == string_t::npos)
      return refuse(code_, fmt::format("the whole number {} does not fit 64 bits", shown_text(token)));
    if (is_zero_by_rounding(number, token)) return refuse(code_, fmt::format("the number {} is too small for a double", shown_text(token)));
    return put(Json(number));
  }
  bool string(string_t& text) { return put(Json(std::move(text))); }
  bool binary(Library::binary_t&) { return refuse(code_, "this is no JSON"); }
  bool start_object(std::size_t) { return open(true); }
  bool start_array(std::size_t) { return open(false); }
  bool key(string_t& name) {
    open_.back().name = std::move(name);
    token_end_ = reading_.at;
    return go_on();
  }
  bool end_array() { return close(Json(std::move(open_.back().items))); }
  bool end_object() {
    if (const std::string* twice = said_twice(open_.back().members))
      return refuse(code_, fmt::format("an object says \"{}\" twice", shown_text(*twice)));
    return close(Json::object(std::move(open_.back().members)));
  }
  bool parse_error(std::size_t, const std::string&, const Library::exception& exception) {
    if (reading_.at == reading_.stop && reading_.stop < reading_.text.size())
      return refuse(ErrorCode::limit, fmt::format("a single text or number has more than {} bytes", kLongestJsonToken));
    if (exception.id == 406) return refuse(code_, "a number is too large for a double");
    return refuse(code_, "this is not JSON" + reason_in(exception.what()));
  }

  Error error() && { return std::move(*error_); }
  Json value() && { return std::move(root_); }

 private:
  struct Open {
    bool is_object = false;
    std::size_t begin = 0;
    std::string name;  // of the member that comes next
    Json::List items;
    Json::Members members;
  };

  // The library's reason without the text that it quotes: " - invalid literal; last read: '...'; expected ..." -> ": invalid literal".
  static std::string reason_in(std::string_view words) {
    const std::size_t begin = words.find(" - ");
    const std::size_t end = words.find("; last read");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin || end - begin > 120) return {};
    return fmt::format(": {}", words.substr(begin + 3, end - begin - 3));
  }

  bool refuse(ErrorCode code, std::string words) {
    const std::size_t near = std::min(token_begin(), reading_.text.size());
    std::string message = fmt::format("byte {}: {}", near, std::move(words));
    if (near < reading_.text.size()) message += fmt::format(", near '{}'", shown_text(reading_.text.substr(near)));
    error_ = Error{code, std::move(message), {}, {}};
    return false;
  }

  // The first byte of the token that was read last.
  std::size_t token_begin() const {
    const std::size_t begin = reading_.text.find_first_not_of(" \t\r\n,:", token_end_);
    return begin == std::string_view::npos ? reading_.text.size() : begin;
  }

  bool go_on() {
    reading_.stop = reading_.text.size() - token_end_ > kLongestJsonToken ? token_end_ + kLongestJsonToken : reading_.text.size();
    return true;
  }

  bool count() {
    if (++values_ <= bounds_.values) return true;
    return refuse(ErrorCode::limit, fmt::format("the text has more than {} values", bounds_.values));
  }

  void attach(Json value) {
    if (open_.empty())
      root_ = std::move(value);
    else if (open_.back().is_object)
      open_.back().members.push_back({std::move(open_.back().name), std::move(value)});
    else
      open_.back().items.push_back(std::move(value));
  }

  bool put(Json value) {
    if (!count()) return false;
    const std::size_t begin = token_begin();
    token_end_ = reading_.at;
    if (value.number()) {  // the end of a number is known by the character after it
      while (std::isdigit(static_cast<unsigned char>(reading_.text[token_end_ - 1])) == 0) --token_end_;
    }
    value.begin_ = static_cast<std::uint32_t>(begin);
    value.end_ = static_cast<std::uint32_t>(token_end_);
    attach(std::move(value));
    return go_on();
  }

  bool open(bool is_object) {
    if (open_.size() == kDeepestJson)
      return refuse(ErrorCode::limit, fmt::format("lists and objects are nested more than {} deep", kDeepestJson));
    if (!count()) return false;
    open_.emplace_back();
    open_.back().is_object = is_object;
    open_.back().begin = reading_.at - 1;
    token_end_ = reading_.at;
    return go_on();
  }

  bool close(Json value) {
    token_end_ = reading_.at;
    value.begin_ = static_cast<std::uint32_t>(open_.back().begin);
    value.end_ = static_cast<std::uint32_t>(token_end_);
    open_.pop_back();
    attach(std::move(value));
    return go_on();
  }

  static const std::string* said_twice(const Json::Members& members) {
    if (members.size() <= kFewMembers) {
      for (std::size_t i = 1; i < members.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (members[i].name == members[j].name) return &members[i].name;
        }
      }
      return nullptr;
    }
    std::vector<const std::string*> names;
    names.reserve(members.size());
    for (const JsonMember& member : members) names.push_back(&member.name);
    std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
    const auto twice = std::adjacent_find(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a == *b; });
    return twice == names.end() ? nullptr : *twice;
  }

  Reading& reading_;
  const JsonBounds& bounds_;
  ErrorCode code_;
  std::vector<Open> open_;
  std::size_t values_ = 0;
  std::size_t token_end_ = 0;
  Json root_;
  std::optional<Error> error_;
};

Result<Json> parse_json(std::string_view text, const JsonBounds& bounds, ErrorCode code) {
  if (text.size() > bounds.bytes) return Error{ErrorCode::limit, fmt::format("the text has more than {} bytes", bounds.bytes), {}, {}};
  Reading reading{text, 0, std::min(text.size(), kLongestJsonToken)};
  JsonBuilder builder(reading, bounds, code);
  if (!Library::sax_parse(ByteIterator(reading), ByteIterator(), &builder)) return std::move(builder).error();
  return std::move(builder).value();
}

Error with_line(Error error, std::string_view text) {
  constexpr std::string_view kByte = "byte ";
  const std::size_t said = error.message.rfind(kByte);  // what is quoted of the text stands before it, or behind the first one
  const std::size_t begins = error.message.starts_with(kByte) ? 0 : said;
  if (begins == std::string::npos) return error;
  const char* const first = error.message.data() + begins + kByte.size();
  std::size_t byte = 0;
  if (std::from_chars(first, error.message.data() + error.message.size(), byte).ec != std::errc()) return error;
  error.message = fmt::format("line {}: {}", quote(text, {byte, byte}).line, error.message);
  return error;
}

Json::Json() = default;
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(List items) : value_(std::move(items)) {}

Json Json::object(Members members) {
  Json json;
  json.value_ = std::move(members);
  return json;
}

const Json::Members* Json::members() const { return std::get_if<Members>(&value_); }

const Json* Json::find(std::string_view name) const {
  const Members* all = members();
  if (all == nullptr) return nullptr;
  const auto at = std::find_if(all->begin(), all->end(), [&](const JsonMember& member) { return member.name == name; });
  return at == all->end() ? nullptr : &at->value;
}

std::optional<double> Json::number() const {
  if (const auto* number = std::get_if<double>(&value_)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*number);
  return std::nullopt;
}

namespace {

// Values are made by this program or were read within kDeepestJson, so this may call itself.
struct Writer {
  std::string& out;
  int indent;
  int level = 0;

  void line(int at) const {
    if (indent >= 0) out += '\n', out.append(static_cast<std::size_t>(at * indent), ' ');
  }
  template <class Items, class Put>
  void group(const Items& items, char first, char last, Put put) {
    out += first;
    ++level;
    bool is_first = true;
    for (const auto& item : items) {
      if (!std::exchange(is_first, false)) out += ',';
      line(level);
      put(item);
    }
    --level;
    if (!items.empty()) line(level);
    out += last;
  }
};

}  // namespace

std::string Json::dump(int indent) const {
  std::string out;
  Writer writer{out, indent};
  const auto write = [&](const auto& self, const Json& json) -> void {
    if (const List* items = json.list()) {
      writer.group(*items, '[', ']', [&](const Json& item) { self(self, item); });
    } else if (const Members* members = json.members()) {
      writer.group(*members, '{', '}', [&](const JsonMember& member) {
        append_json_string(out, member.name);
        out += indent >= 0 ? ": " : ":";
        self(self, member.value);
      });
    } else if (const std::string* text = json.text()) {
      append_json_string(out, *text);
    } else if (const double* number = std::get_if<double>(&json.value_)) {
      out += Library(*number).dump();
    } else if (const bool* truth = json.truth()) {
      out += *truth ? "true" : "false";
    } else if (const auto* signed_number = std::get_if<std::int64_t>(&json.value_)) {
      out += std::to_string(*signed_number);
    } else if (const auto* large = std::get_if<std::uint64_t>(&json.value_)) {
      out += std::to_string(*large);
    } else {
      out += "null";
    }
  };
  write(write, *this);
  return out;
}

std::string Json::shown() const {
  if (list() != nullptr) return "a list";
  if (members() != nullptr) return "an object";
  if (const std::string* words = text()) return fmt::format("\"{}\"", shown_text(*words));
  return dump();
}

const Json* JsonReader::need(const Json& object, std::string_view name) {
  if (failed()) return nullptr;
  const Json* found = object.find(name);
  if (found == nullptr) refuse(object, fmt::format("the field '{}' is missing", name));
  return found;
}

void JsonReader::refuse(const Json& at, std::string words) {
  if (failed()) return;
  error_ = Error{code_, fmt::format("{}: {} (byte {})", context_, words, at.place().begin), {}, {}};
}

void JsonReader::demand(const Json& value, std::string_view name, const std::string& kind) {
  refuse(value, fmt::format("'{}' must be {}, and is {}", name, kind, value.shown()));
}

std::string JsonReader::whole_words(const std::string& least, const std::string& most) {
  return fmt::format("a whole number from {} to {}", least, most);
}

std::string JsonReader::text_in(const Json* value, std::string_view name) {
  if (value == nullptr) return {};
  const std::string* text = value->text();
  if (text != nullptr && text->size() <= longest_text_) return *text;
  if (text == nullptr)
    demand(*value, name, "a string");
  else
    refuse(*value, fmt::format("'{}' has {} bytes; up to {} are read", name, text->size(), longest_text_));
  return {};
}

bool JsonReader::truth_in(const Json* value, std::string_view name) {
  if (value == nullptr) return false;
  if (const bool* truth = value->truth()) return *truth;
  demand(*value, name, "true or false");
  return false;
}

double JsonReader::number_in(const Json* value, std::string_view name, double least, double most) {
  if (value == nullptr) return 0;
  const std::optional<double> number = value->number();
  if (number && *number >= least && *number <= most) return *number;
  const bool any = least == -std::numeric_limits<double>::max() && most == std::numeric_limits<double>::max();
  demand(*value, name, any ? "a number" : fmt::format("a number from {:g} to {:g}", least, most));
  return 0;
}

const Json::List& JsonReader::list_in(const Json* value, std::string_view name, std::size_t most) {
  static const Json::List nothing;
  if (value == nullptr) return nothing;
  const Json::List* items = value->list();
  if (items != nullptr && items->size() <= most) return *items;
  if (items == nullptr)
    demand(*value, name, "a list");
  else
    refuse(*value, fmt::format("'{}' has {} items; up to {} are read", name, items->size(), most));
  return nothing;
}

std::vector<std::string> JsonReader::texts_in(const Json* value, std::string_view name, std::size_t most) {
  std::vector<std::string> texts;
  for (const Json& item : list_in(value, name, most)) {
    texts.push_back(text_in(&item, name));
    if (failed()) break;
  }
  return texts;
}

std::string JsonReader::text(const Json& object, std::string_view name) { return text_in(need(object, name), name); }
bool JsonReader::truth(const Json& object, std::string_view name) { return truth_in(need(object, name), name); }
double JsonReader::number(const Json& object, std::string_view name, double least, double most) {
  return number_in(need(object, name), name, least, most);
}
std::vector<std::string> JsonReader::texts(const Json& object, std::string_view name, std::size_t most_items) {
  return texts_in(need(object, name), name, most_items);
}
const Json::List& JsonReader::list(const Json& object, std::string_view name, std::size_t most) {
  return list_in(need(object, name), name, most);
}

const Json& JsonReader::object(const Json& object, std::string_view name) {
  static const Json nothing;
  const Json* found = need(object, name);
  if (found == nullptr) return nothing;
  if (found->members() == nullptr) demand(*found, name, "an object");
  return *found;
}

std::vector<double> JsonReader::numbers(const Json& object, std::string_view name, double least, double most, std::size_t most_items) {
  std::vector<double> numbers;
  for (const Json& item : list(object, name, most_items)) {
    numbers.push_back(number_in(&item, name, least, most));
    if (failed()) break;
  }
  return numbers;
}

std::string JsonReader::text_or(const Json& object, std::string_view name, std::string otherwise) {
  const Json* found = object.find(name);
  return found != nullptr ? text_in(found, name) : otherwise;
}
bool JsonReader::truth_or(const Json& object, std::string_view name, bool otherwise) {
  const Json* found = object.find(name);
  return found != nullptr ? truth_in(found, name) : otherwise;
}
double JsonReader::number_or(const Json& object, std::string_view name, double otherwise, double least, double most) {
  const Json* found = object.find(name);
  return found != nullptr ? number_in(found, name, least, most) : otherwise;
}
const Json& JsonReader::object_or_empty(const Json& object, std::string_view name) {
  static const Json empty = Json::object({});
  return object.find(name) != nullptr ? this->object(object, name) : empty;
}
std::vector<std::string> JsonReader::texts_or_none(const Json& object, std::string_view name, std::size_t most_items) {
  return texts_in(object.find(name), name, most_items);
}

}  // namespace tessera
