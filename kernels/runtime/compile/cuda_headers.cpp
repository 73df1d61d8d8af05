// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/runtime/compile/cuda_headers.hpp"

#include <algorithm>
#include <cstdlib>  // std::getenv
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {

namespace fs = std::filesystem;

std::vector<std::string> included_headers(std::string_view text) {
  constexpr std::string_view kInclude = "#include <";
  std::vector<std::string> headers;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(kInclude)) headers.emplace_back(line.substr(kInclude.size(), line.find('>') - kInclude.size()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return headers;
}

std::vector<std::string> header_folders(const std::string& library) {
  std::vector<std::string> folders;
  const auto add = [&](const fs::path& folder) {
    std::error_code ignored;
    const fs::path real = fs::canonical(folder, ignored);
    if (ignored || !fs::is_directory(real, ignored)) return;
    if (std::find(folders.begin(), folders.end(), real.string()) == folders.end()) folders.push_back(real.string());
  };
  std::error_code ignored;
  const fs::path file = fs::canonical(library, ignored);
  if (!ignored) {
    const fs::path folder = file.parent_path();
    add(folder / "../include");                  // <toolkit>/lib64, <toolkit>/targets/x86_64-linux/lib, nvidia/cu13/lib
    add(folder / "../../include");               // /usr/lib/x86_64-linux-gnu
    add(folder / "../../cuda_runtime/include");  // nvidia/cuda_nvrtc/lib
  }
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* root = std::getenv(name); root != nullptr && *root != 0) add(fs::path(root) / "include");
  }
  return folders;
}

Result<std::string> folder_with(const std::vector<std::string>& headers, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code ignored;
    const auto has = [&](const std::string& header) { return fs::is_regular_file(fs::path(folder) / header, ignored); };
    if (std::all_of(headers.begin(), headers.end(), has)) return folder;
  }
  return Error{
      ErrorCode::no_compiler,
      fmt::format("this kernel includes CUDA's header <{}>, which is not beside NVRTC", fmt::join(headers, ">, <")),
      {},
      {folders.empty() ? std::string("no folder of CUDA's headers was found") : fmt::format("looked in {}", fmt::join(folders, ", ")),
       "install the CUDA toolkit, or Python's nvidia-cuda-runtime package beside nvidia-cuda-nvrtc, or set CUDA_PATH to a toolkit",
       "or take an atom whose kernel includes nothing, such as SM80_16x8x16_F32F16F16F32_TN"}};
}

}  // namespace tessera
