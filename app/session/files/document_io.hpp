// SPDX-License-Identifier: BSD-3-Clause
// Documents on disk, and the folders where the program keeps and finds its own files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.hpp"
#include "core/base/result.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

constexpr std::uintmax_t kLargestDocument = std::uintmax_t{16} << 20;  // bytes

// Refuses what is not a document: binary, too large, or hardly a line that can be read. A few bad lines are marked in it. In the place of a
// path there may be a share text (share_text.hpp), here and in Session::open.
Result<Document> load_document(const std::filesystem::path& path);
Result<Document> document_of(const std::filesystem::path& path, std::string_view bytes);  // that were read there
// A warning when the last binding has no value or open brackets: somebody saved it half-typed, or the file was cut off. Else empty.
std::string unfinished_end(const Document& document);
// A document may say by a comment in front of its first line which version it was written for: "# needs tessera 0.3". A warning when that
// is later than this program. Else empty.
std::string needs_later(const Document& document);
// One of both: such a document is shown as far as it can be read, and its file is replaced only when the person says so.
std::string warning_of(const Document& document);
std::string describe(const BadLine& bad);  // "line 3: '=' is missing after the name a"

// Where the program's own settings lie, to be read and written as private_file.hpp does; empty without a home.
std::filesystem::path config_folder();

// Where files that come with the program are looked for, in this order: $TESSERA_ASSETS, share/tessera of the folder that the program's
// own is in (as installed, and in a build folder), assets beside the program.
std::vector<std::filesystem::path> asset_folders();
// "presets/tour.tess" in the first of them that has it; the refusal names all that were looked in.
Result<std::filesystem::path> find_asset(std::string_view relative);

}  // namespace tessera
