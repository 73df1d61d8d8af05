// SPDX-License-Identifier: BSD-3-Clause
// A .zip whose files are stored: APPNOTE 6.3.10, local headers, the files, and a directory of them at the end. What is written here is text
// of some hundred kilobytes, for which no library is worth its name.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/quiz/quiz.hpp"

namespace tessera::lesson {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kDirectoryEnd = 0x06054b50;
constexpr std::uint32_t kVersion = 20, kUtf8Names = 1U << 11;
constexpr std::uint32_t kDate = (0U << 9) | (1U << 5) | 1U;  // 1980-01-01: the same files are the same bytes

void put(std::string& out, std::uint32_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((number >> (8 * i)) & 0xff);
}

// CRC-32 of ISO 3309, bit by bit.
std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320U & (0U - (crc & 1U)));
  }
  return ~crc;
}

// What a local header and an entry of the directory have in common.
std::string facts_of(const QuizFile& file) {
  const auto size = static_cast<std::uint32_t>(file.bytes.size());
  std::string made;
  put(made, kVersion, 2);
  put(made, kUtf8Names, 2);
  put(made, 0, 2);  // stored
  put(made, 0, 2);  // midnight
  put(made, kDate, 2);
  put(made, crc_of(file.bytes), 4);
  put(made, size, 4);
  put(made, size, 4);
  put(made, static_cast<std::uint32_t>(file.path.size()), 2);
  put(made, 0, 2);  // no extra field
  return made;
}

}  // namespace

std::string zip_of(const std::vector<QuizFile>& files) {
  std::string out, directory;
  for (const QuizFile& file : files) {
    const std::string facts = facts_of(file);
    put(directory, kDirectoryEntry, 4);
    put(directory, kVersion, 2);  // made by
    directory += facts;
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // the first disk
    put(directory, 0, 2);  // no attributes of its own
    put(directory, 0, 4);
    put(directory, static_cast<std::uint32_t>(out.size()), 4);
    directory += file.path;
    put(out, kLocalHeader, 4);
    out += facts + file.path + file.bytes;
  }
  const auto begin = static_cast<std::uint32_t>(out.size());
  const auto count = static_cast<std::uint32_t>(files.size());
  out += directory;
  put(out, kDirectoryEnd, 4);
  put(out, 0, 4);  // disks
  put(out, count, 2);
  put(out, count, 2);
  put(out, static_cast<std::uint32_t>(directory.size()), 4);
  put(out, begin, 4);
  put(out, 0, 2);  // no comment
  return out;
}

}  // namespace tessera::lesson
