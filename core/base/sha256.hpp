// SPDX-License-Identifier: BSD-3-Clause
// SHA-256 (FIPS 180-4), for names of cached files and for comparing long index images in one line of text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

// The digest of text that arrives in pieces: update(a), update(b) equals update(a + b).
class Sha256 {
 public:
  Sha256& update(std::string_view bytes);

  // Ends the message; the object may not be updated afterwards.
  std::array<std::uint8_t, 32> digest();

  // The digest as 64 lower-case hexadecimal digits.
  std::string hex_digest();

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};  // bytes of the block that is not full yet
  std::size_t pending_size_ = 0;
  std::uint64_t total_bytes_ = 0;
};

// sha256_hex("abc") -> "ba7816bf 8f01cfea ..." (without the blanks)
std::string sha256_hex(std::string_view bytes);

}  // namespace tessera
