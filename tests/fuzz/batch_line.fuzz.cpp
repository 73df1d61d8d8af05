// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a line of `tessera batch`: the answer is one line of JSON that repeats the id and says ok or why not.
#include <string>
#include <string_view>

#include "app/cli/batch_line.hpp"
#include "core/base/utf8.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_batch_line(std::string_view bytes) {
  const std::string answer = answer_line(bytes);
  if (answer.empty() || answer.find('\n') != answer.size() - 1) return "an answer is not one line";
  if (!is_utf8(answer)) return "an answer is not UTF-8";
  const Result<Json> json = parse_json(answer, kAnswerJson, ErrorCode::bad_message);
  if (!json) return json.error().code == ErrorCode::limit ? "" : "an answer is not JSON: " + json.error().message;
  const Json* ok = json->find("ok");
  if (!json->find("id") || !ok || !ok->truth()) return "an answer lacks id or ok";
  if (*ok->truth() ? !json->find("kind") || !json->find("value") : !json->find("error")) return "an answer lacks its value or error";
  return "";
}

}  // namespace tessera::fuzz
