// SPDX-License-Identifier: BSD-3-Clause
// Bytes as the file of a figure: its source is read whole or refused, and what was read is written and evaluated like any other.
//
// The first byte says whether the rest is the file, or the body of a source, whose checksum is then right.
#include <string>
#include <string_view>

#include "core/base/budget.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure_source.hpp"
#include "core/render/shared/source_embed.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

namespace {

// Of a page of HTML the first of several.
Result<Source> first_source(std::string_view file) {
  TESSERA_TRY(all, read_sources(file));
  return all.front();
}

}  // namespace

std::string broken_figure_file(std::string_view bytes) {
  if (bytes.empty()) return "";
  const bool whole = static_cast<unsigned char>(bytes.front()) % 2 == 0;
  bytes.remove_prefix(1);
  const std::string body(bytes), line = body + ",\"check\":\"" + sha256_hex(body).substr(0, 32) + "\"}";
  const Result<Source> read = whole ? first_source(bytes) : read_line(line);
  if (!read) return is_utf8(describe(read.error())) ? "" : "a refusal is not UTF-8";
  if (read->empty()) return "a source without an expression was read";
  const Result<Source> again = read_line(to_line(*read));
  if (!again) return "what was read could not be read again: " + again.error().message;
  // A PNG of an older version holds any bytes.
  if (is_utf8(read->expression) && !(*again == *read)) return "a source that was written again is another one";
  const Budget budget;
  const Result<SourceValue> made = evaluate(*read);
  if (!made && !is_utf8(describe(made.error()))) return "an evaluation's refusal is not UTF-8";
  return "";
}

}  // namespace tessera::fuzz
