// SPDX-License-Identifier: BSD-3-Clause
// Adding to the end of a file that several programs may add to at once, such as a table of measurements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/file.hpp"
#include "core/base/result.hpp"

namespace tessera {

// `more` is told what the file holds and says what is added, or why nothing is. A missing file, and its folder, are made. All of it is
// added or nothing, and callers come one after another. What is no regular file, or larger than `largest`, is refused.
Status append_to_file(const std::filesystem::path& path, const std::function<Result<std::string>(std::string_view held)>& more,
                      std::uintmax_t largest = kLargestFile);

}  // namespace tessera
