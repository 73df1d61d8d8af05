// SPDX-License-Identifier: BSD-3-Clause
// JSON by hand: fields are few, flat and known.
#include "app/cli/answer_json.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/lang/values/answer.hpp"

namespace tessera {
namespace {

struct Writer {
  std::string& out;

  void operator()(const std::string& text) const { append_json_string(out, text); }
  void operator()(std::int64_t number) const { out += fmt::format_int(number).c_str(); }
  void operator()(bool truth) const { out += truth ? "true" : "false"; }
  void operator()(double number) const {
    if (std::isfinite(number))
      fmt::format_to(std::back_inserter(out), "{}", number);
    else
      out += "null";
  }
  template <class T>
  void operator()(const std::vector<T>& items) const {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ',';
      (*this)(items[i]);
    }
    out += ']';
  }
};

// {"code":...,"message":...,"span":[..],"notes":[..],"fix":{"span":[..],"replacement":"..."}}
void append_details(std::string& out, const Error& error) {
  out += "{\"code\":";
  append_json_string(out, to_string(error.code));
  out += ",\"message\":";
  append_json_string(out, error.message);
  if (error.span) fmt::format_to(std::back_inserter(out), ",\"span\":[{},{}]", error.span->begin, error.span->end);
  if (!error.notes.empty()) {
    out += ",\"notes\":";
    Writer{out}(error.notes);
  }
  if (error.fix) {
    fmt::format_to(std::back_inserter(out), ",\"fix\":{{\"span\":[{},{}],\"replacement\":", error.fix->span.begin, error.fix->span.end);
    append_json_string(out, error.fix->replacement);
    out += '}';
  }
  out += '}';
}

}  // namespace

void append_answer(std::string& out, const Value& value, const std::vector<Error>& warnings) {
  bool first = true;
  for (const AnswerField& field : answer(value)) {
    if (!std::exchange(first, false)) out += ',';
    out += '"';
    out += field.name;
    out += "\":";
    std::visit(Writer{out}, field.value);
  }
  if (warnings.empty()) return;
  out += ",\"warnings\":[";
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (i > 0) out += ',';
    append_details(out, warnings[i]);
  }
  out += ']';
}

void append_error(std::string& out, const Error& error) {
  out += "\"error\":";
  append_details(out, error);
}

void append_json_list(std::string& out, std::string_view name, const std::vector<std::string>& items) {
  if (items.empty()) return;
  fmt::format_to(std::back_inserter(out), ",\"{}\":[", name);
  for (const std::string& each : items) {
    if (&each != &items.front()) out += ',';
    append_json_string(out, each);
  }
  out += ']';
}

}  // namespace tessera
