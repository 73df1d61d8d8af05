// SPDX-License-Identifier: BSD-3-Clause
// SHA-256 against the standard's own examples and against lengths around a block's end.
#include <string>
#include <string_view>

#include "core/base/sha256.hpp"

#include "tests/support/catch.hpp"

using tessera::Sha256;
using tessera::sha256_hex;

TEST_CASE("sha256 equals the examples of FIPS 180-4") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a message in pieces has the digest of the whole, wherever it is cut") {
  for (const std::size_t length : {55u, 56u, 57u, 63u, 64u, 65u, 119u, 128u}) {
    std::string message;
    for (std::size_t i = 0; i < length; ++i) message += static_cast<char>('a' + i % 26);
    const std::string whole = sha256_hex(message);
    for (std::size_t cut = 0; cut <= length; ++cut) {
      Sha256 pieces;
      pieces.update(std::string_view(message).substr(0, cut)).update(std::string_view(message).substr(cut));
      REQUIRE(pieces.hex_digest() == whole);
    }
  }
}
