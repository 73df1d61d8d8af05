// SPDX-License-Identifier: BSD-3-Clause
// CUDA's own headers, which NVRTC does not bring: where they lie, for the kernels that include one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

// "mma.h" of a line `#include <mma.h>`, in the order of the text; mostly none.
std::vector<std::string> included_headers(std::string_view text);

// Folders that may hold CUDA's headers, those of this NVRTC first: beside the library (toolkits, Debian, Python's nvidia packages), then
// under CUDA_PATH and CUDA_HOME. `library`: the file's path.
std::vector<std::string> header_folders(const std::string& library);

// The first folder that has all of these headers; no_compiler with the folders that were looked in, and where to get them.
Result<std::string> folder_with(const std::vector<std::string>& headers, const std::vector<std::string>& folders);

}  // namespace tessera
