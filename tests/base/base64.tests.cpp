// SPDX-License-Identifier: BSD-3-Clause
// Base64: the vectors of RFC 4648, 10, and the signs in which its two alphabets differ.
#include <string_view>
#include <utility>

#include "core/base/base64.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("base64 is that of RFC 4648", "[base64]") {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, word] : vectors) {
    CHECK(padded_base64(bytes) == word);
    const std::string_view padded(word);
    CHECK(base64(bytes, kBase64) == padded.substr(0, padded.find('=')));
  }
  CHECK(base64("\xfb\xff", kBase64) == "+/8");
  CHECK(base64("\xfb\xff", kBase64Url) == "-_8");
}
