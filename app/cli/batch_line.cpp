// SPDX-License-Identifier: BSD-3-Clause
// One line of `tessera batch`: the request is read, its expression evaluated, the answer written.
#include "app/cli/batch_line.hpp"
#include "core/figure/suggest_figures.hpp"
#include "core/lang/programs/evaluate.hpp"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/answer_json.hpp"
#include "app/session/files/shadows.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestId = 1024;  // bytes: an id is repeated in the answer

Error bad_line(ErrorCode code, std::string message) {
  return Error{code, std::move(message), {}, {"a line is {\"id\":\"a1\",\"expr\":\"(4,8):(8,1)\"}"}};
}

struct Request {
  std::string expression;
  bool fix = false;  // a refusal says what was meant: that takes some ten times as long as the refusal
};

// The request of a line; its id goes into the answer as it was given.
Result<Request> read_request(std::string_view line, std::string& id) {
  const Result<Json> request = parse_json(line, kRequestJson, ErrorCode::bad_message);
  if (!request) return bad_line(request.error().code, "the line cannot be read: " + request.error().message);
  if (request->members() == nullptr) return bad_line(ErrorCode::bad_message, "the line is JSON, but no object");
  if (const Json* given = request->find("id")) {
    std::string words = given->dump();
    if (words.size() > kLongestId)
      return bad_line(ErrorCode::limit, fmt::format("the \"id\" has {} bytes; up to {} are answered", words.size(), kLongestId));
    id = std::move(words);
  }
  const Json* expression = request->find("expr");
  const std::string* text = expression != nullptr ? expression->text() : nullptr;
  if (text == nullptr) return bad_line(ErrorCode::bad_message, "the object has no string \"expr\"");
  const Json* fix = request->find("fix");
  const bool* wanted = fix != nullptr ? fix->truth() : nullptr;
  if (fix != nullptr && wanted == nullptr) return bad_line(ErrorCode::bad_message, "\"fix\" is true or false");
  return Request{*text, wanted != nullptr && *wanted};
}

}  // namespace

std::string answer_line(std::string_view line, const Limits& limits) {
  std::string out;
  append_answer_line(out, line, limits);
  return out;
}

void append_answer_line(std::string& out, std::string_view line, const Limits& limits, const Surroundings& around) {
  const Budget budget(limits);
  std::string id = "null";
  const Result<Request> request = read_request(line, id);
  std::vector<Error> warnings;
  const ShadowWatch watch(around.scope, around.shadows);
  Result<Value> value = request ? evaluate(request->expression, watch.scope(), &warnings) : Result<Value>(request.error());
  if (!value && around.explain) around.explain(value.error());
  if (!value && request && request->fix) suggest_with_figures(value.error(), request->expression, around.scope);
  fmt::format_to(std::back_inserter(out), "{{\"id\":{},\"ok\":{},", id, value.has_value());
  if (value)
    append_answer(out, *value, warnings);
  else
    append_error(out, value.error());
  for (const std::string& name : watch.met()) {
    out += &name == &*watch.met().begin() ? ",\"shadows\":[" : ",";
    append_json_string(out, name);
  }
  out += watch.met().empty() ? "}\n" : "]}\n";
}

}  // namespace tessera
