// SPDX-License-Identifier: BSD-3-Clause
// One line of `tessera batch`: the request is read, its expression evaluated, the answer written.
#include "app/cli/batch_line.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/answer_json.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

Error bad_line(std::string message) {
  return Error{ErrorCode::bad_message, std::move(message), {}, {"a line is {\"id\":\"a1\",\"expr\":\"(4,8):(8,1)\"}"}};
}

// The expression of a request; its id goes into the answer as it was given.
Result<std::string> read_request(std::string_view line, std::string& id) {
  if (line.size() > kLongestLine) return bad_line(fmt::format("the line has more than {} bytes, the most that are read", kLongestLine));
  const Json request = Json::parse(line, nullptr, false);
  if (request.is_discarded()) return bad_line("the line is not JSON");
  if (!request.is_object()) return bad_line("the line is JSON, but no object");
  if (const auto at = request.find("id"); at != request.end()) id = at->dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto expr = request.find("expr");
  if (expr == request.end() || !expr->is_string()) return bad_line("the object has no string \"expr\"");
  return expr->get<std::string>();
}

}  // namespace

std::string answer_line(std::string_view line) {
  std::string out;
  append_answer_line(out, line);
  return out;
}

void append_answer_line(std::string& out, std::string_view line) {
  std::string id = "null";
  const Result<std::string> expression = read_request(line, id);
  std::vector<Error> warnings;
  const Result<Value> value = expression ? evaluate(*expression, {}, &warnings) : Result<Value>(expression.error());
  fmt::format_to(std::back_inserter(out), "{{\"id\":{},\"ok\":{},", id, value.has_value());
  if (value)
    append_answer(out, *value, warnings);
  else
    append_error(out, value.error());
  out += "}\n";
}

}  // namespace tessera
