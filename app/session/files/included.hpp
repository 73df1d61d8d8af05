// SPDX-License-Identifier: BSD-3-Clause
// What a source file of C++ includes from beside it: #include "config.h" gives Config::kBlockM its value. Files in angle brackets are the
// compiler's to find, and are not looked for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

struct Included {
  std::vector<std::shared_ptr<const IncludedText>> texts;  // each behind those that it includes
  std::vector<std::string> files;                          // that were read, as they are written in the including file, in their order
  Scope scope() const;                                     // as long as this lives
};

// Of the file at `path`, whose text is `source`. Files are looked for in the folder of the one that includes them; each is read once. What
// cannot be read, or goes beyond 64 files or 4 MiB, is left out: its names have no values then, as before.
Included included_names(const std::filesystem::path& path, std::string_view source);

}  // namespace tessera
