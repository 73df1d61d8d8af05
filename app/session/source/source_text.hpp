// SPDX-License-Identifier: BSD-3-Clause
// SourceText: a program's text as it is shown, from a file that is followed, or pasted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/file.hpp"
#include "core/base/result.hpp"

namespace tessera {

// kernel.cu, kernel.cuh, kernel.hpp, kernel.py: by the ending.
bool is_source_path(std::string_view path);
// Does a text define a function, a kernel or a class? Such a text is read as a program, others line by line.
bool is_whole_program(std::string_view text);

struct SourceText {
  std::string title;                            // "gemm.cu"
  std::optional<std::filesystem::path> path{};  // nothing: it was pasted
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>();
  std::uint64_t version = 0;  // another number for each other text
  FileStamp stamp{};
  std::string lost{};  // why the file cannot be read now: what it was is shown; empty: it can
};

// Refused: what is no text, more than kLongestSource bytes, and what cannot be read. Ends of lines become '\n'.
Result<SourceText> open_source_text(const std::filesystem::path& path);
SourceText pasted_source(std::string_view text);
// Looks at the file again, cheaply while nothing has touched it. True where there is something new: another text, or none any more.
bool look_again(SourceText& source);

}  // namespace tessera
