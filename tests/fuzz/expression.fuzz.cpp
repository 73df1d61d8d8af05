// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer's entry: bytes as an expression, and as a document. Whatever they are, the answer is a value or an error, and a value that
// was printed reads back as a value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/lang/answer.hpp"
#include "core/lang/document.hpp"
#include "core/lang/evaluate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto value = evaluate(text)) {
    answer(*value);
    if (!evaluate(to_string(*value)) && to_string(*value).size() < kLongestText) std::abort();
  } else {
    describe(value.error(), text);
  }
  if (const auto document = parse_document(text)) {
    if (to_text(*document) != text) std::abort();
    for (const EvaluatedBinding& binding : evaluate(*document)) {
      if (!binding.value) describe(binding.value.error(), text);
    }
  }
  return 0;
}
