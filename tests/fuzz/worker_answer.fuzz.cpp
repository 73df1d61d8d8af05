// SPDX-License-Identifier: BSD-3-Clause
// Bytes as what a worker says to its client: an event that was read says the same when it is written (long words are cut, and say so), a
// refusal is short and printable.
#include <string>
#include <string_view>

#include "core/base/utf8.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_worker_answer(std::string_view bytes) {
  const auto event = read_event(bytes);
  if (!event) {
    const std::string words = describe(event.error());
    if (!is_utf8(words)) return "a refusal is not UTF-8";
    return words.size() > 2000 ? "a refusal repeats what it was told" : "";
  }
  const std::string line = to_line(*event);
  if (!is_utf8(line)) return "an event is not UTF-8";
  const auto again = read_event(line);
  if (!again || again->index() != event->index()) return "an event does not read back: " + line.substr(0, 200);
  const bool shortened = line.find(" more bytes") != std::string::npos || line.find(" bytes more") != std::string::npos;
  if (!shortened && to_line(*again) != line) return "an event does not read back: " + line.substr(0, 200);
  return "";
}

}  // namespace tessera::fuzz
