// SPDX-License-Identifier: BSD-3-Clause
// JSON, read within bounds and written. Only json.cpp knows the JSON library.
//
// Whatever another process, another machine or a file says is foreign: it is read by parse_json, which is never asked to hold more than
// its bounds allow, and its fields by a JsonReader, which demands a kind and a range of each. What is refused is named by its byte and
// quoted by a few printable characters, never whole.
//
//   TESSERA_TRY(json, parse_json(line, kRequestJson, ErrorCode::bad_message));
//   JsonReader in(ErrorCode::bad_message, "the request cannot be read");
//   Request request{in.text(json, "spec"), in.whole_or<int>(json, "device", 0, 0, 1023)};
//   return in.done(std::move(request));  // the first field that was wrong, or the request
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

class Json;

// A template, so that it is whole as soon as Json is.
template <class Value>
struct JsonMemberOf {
  std::string name;
  Value value;
};
using JsonMember = JsonMemberOf<Json>;

// A value of JSON. Whole numbers are kept as they were written, in 64 bits; the members of an object keep their order.
class Json {
 public:
  using List = std::vector<Json>;
  using Members = std::vector<JsonMember>;

  // Long, and used by many sources: compiled once.
  Json();  // null
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  Json(std::nullptr_t) : Json() {}
  template <std::same_as<bool> T>
  Json(T truth) : value_(truth) {}
  template <std::signed_integral T>
  Json(T number) : value_(static_cast<std::int64_t>(number)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T number) : value_(whole_of(number)) {}
  Json(double number) : value_(number) {}  // one that is not finite is written as null: JSON has no NaN
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  Json(List items);
  template <class T>
  requires(!std::same_as<T, Json> && std::convertible_to<T, Json>) Json(const std::vector<T>& items)
      : value_(List(items.begin(), items.end())) {}
  template <std::convertible_to<Json> T, std::size_t N>
  Json(const std::array<T, N>& items) : value_(List(items.begin(), items.end())) {}
  template <class T>
  requires(std::convertible_to<T, Json>) Json(const std::optional<T>& value) : Json() {  // nothing is null
    if (value) *this = Json(*value);
  }
  static Json object(Members members);  // Json::object({{"name", "m"}, {"sizes", Json::List{1, 2}}})

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  // Null where the value is of another kind.
  const bool* truth() const { return std::get_if<bool>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const List* list() const { return std::get_if<List>(&value_); }
  const Members* members() const;
  const Json* find(std::string_view name) const;  // the member; null where there is none, or the value is no object
  std::optional<double> number() const;
  template <std::integral T>
  std::optional<T> whole() const {  // never cut: 1.9 is no whole number, and 2^32 is no int
    if (const auto* number = std::get_if<std::int64_t>(&value_); number && std::in_range<T>(*number)) return static_cast<T>(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value_); number && std::in_range<T>(*number)) return static_cast<T>(*number);
    return std::nullopt;
  }

  // Where it stood in the text that was read: bytes [begin, end).
  SourceSpan place() const { return {begin_, end_}; }

  // As text: on one line with `indent` < 0, else with that many spaces a level. Bytes that are not UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;
  // For a message: what it is, by at most 40 printable characters.
  std::string shown() const;

 private:
  friend class JsonBuilder;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Members>;
  static Value whole_of(std::uint64_t number) {
    if (std::in_range<std::int64_t>(number)) return static_cast<std::int64_t>(number);
    return number;
  }

  Value value_ = nullptr;
  std::uint32_t begin_ = 0, end_ = 0;
};

// What a text may hold at most. Memory is bounded by both: a value takes some 50 bytes here, however short its text.
struct JsonBounds {
  std::size_t bytes;
  std::size_t values;
};
inline constexpr JsonBounds kRequestJson{std::size_t{8} << 20, std::size_t{1} << 16};
inline constexpr JsonBounds kAnswerJson{std::size_t{64} << 20, std::size_t{1} << 20};
inline constexpr JsonBounds kFileJson{std::size_t{1} << 20, std::size_t{1} << 16};  // settings, the heads of kept cubins
inline constexpr std::size_t kDeepestJson = 64;                                     // lists and objects inside each other
inline constexpr std::size_t kLongestJsonToken = std::size_t{8} << 20;              // bytes of one text
inline constexpr std::size_t kLongestJsonNumber = 400;                              // characters

// Refuses with `code` what is not JSON, says the same name twice in an object, or has a number that 64 bits or a double do not hold;
// with ErrorCode::limit what passes a bound.
Result<Json> parse_json(std::string_view text, const JsonBounds& bounds, ErrorCode code);

// A refusal of parse_json or of a JsonReader, which name the byte, for a person with an editor: its message begins with the line of `text`.
Error with_line(Error error, std::string_view text);

// Reads fields and keeps the first thing that is wrong, so that a caller reads all its fields and asks once. What is read after that, or
// from a value that was missing, has its kind's empty value.
class JsonReader {
 public:
  JsonReader(ErrorCode code, std::string context, std::size_t longest_text = kLongestJsonToken)
      : code_(code), context_(std::move(context)), longest_text_(longest_text) {}

  std::string text(const Json& object, std::string_view name);
  bool truth(const Json& object, std::string_view name);
  double number(const Json& object, std::string_view name, double least = -std::numeric_limits<double>::max(),
                double most = std::numeric_limits<double>::max());
  template <std::integral T>
  T whole(const Json& object, std::string_view name, T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max()) {
    return whole_in<T>(need(object, name), name, least, most);
  }
  const Json& object(const Json& object, std::string_view name);
  const Json::List& list(const Json& object, std::string_view name, std::size_t most = std::numeric_limits<std::size_t>::max());
  std::vector<std::string> texts(const Json& object, std::string_view name,
                                 std::size_t most_items = std::numeric_limits<std::size_t>::max());
  std::vector<double> numbers(const Json& object, std::string_view name, double least, double most, std::size_t most_items);

  // The same for a field that may be missing.
  std::string text_or(const Json& object, std::string_view name, std::string otherwise);
  bool truth_or(const Json& object, std::string_view name, bool otherwise);
  double number_or(const Json& object, std::string_view name, double otherwise, double least = -std::numeric_limits<double>::max(),
                   double most = std::numeric_limits<double>::max());
  template <std::integral T>
  T whole_or(const Json& object, std::string_view name, T otherwise, T least = std::numeric_limits<T>::min(),
             T most = std::numeric_limits<T>::max()) {
    const Json* found = object.find(name);
    return found ? whole_in<T>(found, name, least, most) : otherwise;
  }
  const Json& object_or_empty(const Json& object, std::string_view name);
  std::vector<std::string> texts_or_none(const Json& object, std::string_view name,
                                         std::size_t most_items = std::numeric_limits<std::size_t>::max());

  // A value that is no field, such as an item of a list; `name` is for the message.
  template <std::integral T>
  T whole_in(const Json* value, std::string_view name, T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max()) {
    const std::optional<T> number = value ? value->whole<T>() : std::nullopt;
    if (number && *number >= least && *number <= most) return *number;
    if (value) demand(*value, name, whole_words(std::to_string(least), std::to_string(most)));
    return T{};
  }

  // Something else that is wrong with a value, in words: "must be at least 1".
  void refuse(const Json& at, std::string words);
  bool failed() const { return error_.has_value(); }
  Error error() const { return *error_; }
  template <class T>
  Result<T> done(T value) const {
    if (error_) return *error_;
    return value;
  }

 private:
  const Json* need(const Json& object, std::string_view name);  // null, with the error kept, where it is missing
  void demand(const Json& value, std::string_view name, const std::string& kind);
  static std::string whole_words(const std::string& least, const std::string& most);
  std::string text_in(const Json* value, std::string_view name);
  bool truth_in(const Json* value, std::string_view name);
  double number_in(const Json* value, std::string_view name, double least, double most);
  const Json::List& list_in(const Json* value, std::string_view name, std::size_t most);
  std::vector<std::string> texts_in(const Json* value, std::string_view name, std::size_t most);

  ErrorCode code_;
  std::string context_;
  std::size_t longest_text_;  // bytes of one text
  std::optional<Error> error_;
};

}  // namespace tessera
