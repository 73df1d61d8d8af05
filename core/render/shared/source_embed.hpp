// SPDX-License-Identifier: BSD-3-Clause
// The source of a figure inside its file, as one line of JSON:
//
//   {"tessera":1,"version":"0.1.0","expression":"(4,8):(8,1)", ... ,"check":"<SHA-256 of all before it, 32 digits>"}
//
//   SVG   <metadata>, in print_svg's style a comment    TeX   a line "% tessera: {...}" at its head
//   PNG   the iTXt chunk "tessera"                      JSON  the member "source"
//   PDF   a comment line before "startxref": nothing compresses it, and no offset changes by it
//   HTML  of each figure a <script type="application/json"> at the end
//
// The line is printable ASCII without '<', '>', '&' and "--", so each of these holds it as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/source.hpp"

namespace tessera {

inline constexpr std::size_t kLongestSource = std::size_t{1} << 20;  // bytes of the line; a longer one is not written
inline constexpr std::size_t kLongestTexSource = 100'000;            // TeX ends at a line of 200,000

std::string to_line(const Source& source);
Result<Source> read_line(std::string_view line);

// "% tessera: {...}\n"; empty without a source. One that is longer than TeX reads is left out, with a line that says so.
std::string tex_source(const Source& source);
std::string svg_source(const Source& source);          // the element
std::string svg_comment_source(const Source& source);  // the comment
std::string json_source(const Source& source);         // the member, with a comma behind it
std::string html_source(const Source& source);         // the element
// The file with the comment; as it is where there is no source.
std::string with_pdf_source(std::string pdf, const Source& source);
// What the chunk "tessera" of a PNG holds: the line, or without a source the expression alone, as PNGs of older versions do.
std::string png_source(const Source& source, std::string_view expression);

// From the bytes of an SVG, PDF, PNG, TeX, JSON or HTML file, whichever it is. Refused (ErrorCode::corrupt) where there is none, and where
// it was cut off or changed. What it says is foreign and is only read here.
Result<Source> read_source(std::string_view file);
// The same of all figures of a file, which are several in a page of HTML only.
Result<std::vector<Source>> read_sources(std::string_view file);

}  // namespace tessera
