// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/source/source_text.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/source_file.hpp"
#include "core/lang/statements/statements.hpp"
#include "core/lang/syntax/language.hpp"

namespace tessera {
namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::string with_plain_ends(std::string_view bytes) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // that some editors begin a text with
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r' || i + 1 == bytes.size() || bytes[i + 1] != '\n') text += bytes[i];
  }
  return text;
}

Result<std::shared_ptr<const std::string>> text_in(const std::filesystem::path& path) {
  TESSERA_TRY(bytes, read_file(path, kLongestSource));
  if (bytes.find('\0') != std::string::npos)
    return Error{ErrorCode::parse, fmt::format("{} is no text: sources of C++ or Python are read", path.string()), {}, {}};
  return std::make_shared<const std::string>(with_plain_ends(bytes));
}

}  // namespace

bool is_source_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return dialect_of_file(slash == std::string_view::npos ? path : path.substr(slash + 1)).has_value();
}

bool is_whole_program(std::string_view text) {
  const std::vector<Statement> statements = read_statements(text);
  return std::any_of(statements.begin(), statements.end(), [](const Statement& each) {
    return each.kind == Statement::Kind::passed_over &&
           (each.reason == "a kernel" || each.reason == "a function" || each.reason == "a class");
  });
}

Result<SourceText> open_source_text(const std::filesystem::path& path) {
  SourceText made{path.filename().string(), path};
  TESSERA_TRY(stamp, file_stamp(path));
  TESSERA_TRY(text, text_in(path));
  made.stamp = stamp;
  made.text = std::move(text);
  made.version = next_version();
  return made;
}

SourceText pasted_source(std::string_view text) {
  SourceText made{"what was pasted"};
  made.text = std::make_shared<const std::string>(with_plain_ends(text));
  made.version = next_version();
  return made;
}

bool look_again(SourceText& source) {
  if (!source.path) return false;
  const Result<FileStamp> stamp = file_stamp(*source.path);
  if (!stamp) return std::exchange(source.lost, stamp.error().message) != stamp.error().message;
  if (*stamp == source.stamp && source.lost.empty()) return false;
  source.stamp = *stamp;
  Result<std::shared_ptr<const std::string>> text = text_in(*source.path);
  if (!text) return std::exchange(source.lost, text.error().message) != text.error().message;
  const bool was_lost = !std::exchange(source.lost, std::string()).empty();
  if (**text == *source.text) return was_lost;
  source.text = *std::move(text);
  source.version = next_version();
  return true;
}

}  // namespace tessera
