// SPDX-License-Identifier: BSD-3-Clause
// dlopen, and the places where people have CUDA.
#include "kernels/runtime/device/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>  // std::getenv
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/private_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

void add_if_folder(std::vector<std::string>& folders, const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) folders.push_back(path.string());
}

// The sub-folders of `parent`, sorted, newest version last in name order; a folder that cannot be read has none.
std::vector<fs::path> sub_folders(const fs::path& parent) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) found.push_back(it->path());
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

// pip's layout: <site-packages>/nvidia/<cu13 or cuda_nvrtc or cublas>/lib
void add_python_folders(std::vector<std::string>& folders, const fs::path& prefix) {
  for (const fs::path& python : sub_folders(prefix / "lib")) {
    if (!python.filename().string().starts_with("python")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      for (const fs::path& package : sub_folders(python / packages / "nvidia")) add_if_folder(folders, package / "lib");
    }
  }
}

// A library found there runs as this person: a home such as /tmp, where others may put one, is none.
bool is_own_home(const fs::path& home) {
  if (!home.is_absolute()) return false;
  const auto folder = PrivateFolder::open(home);
  return folder && *folder;
}

}  // namespace

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* root = std::getenv(name); root != nullptr && *root != 0) {
      add_if_folder(folders, fs::path(root) / "lib64");
      add_if_folder(folders, fs::path(root) / "lib");
    }
  }
  add_if_folder(folders, "/usr/local/cuda/lib64");
  for (const fs::path& child : sub_folders("/usr/local")) {
    if (child.filename().string().starts_with("cuda-")) add_if_folder(folders, child / "lib64");
  }
  add_if_folder(folders, "/opt/cuda/lib64");
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* root = std::getenv(name); root != nullptr && *root != 0) add_python_folders(folders, root);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && is_own_home(home)) add_python_folders(folders, fs::path(home) / ".local");
  add_python_folders(folders, "/usr/local");
  add_python_folders(folders, "/usr");
  return folders;
}

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names, ErrorCode code, const std::string& missing) {
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, name);
  }
  for (const std::string& folder : toolkit_folders()) {
    for (const std::string& name : names) {
      const std::string path = folder + "/" + name;
      if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, path);
    }
  }
  return Error{code,
               missing,
               {},
               {fmt::format("looked for {} by the loader's search and under CUDA_PATH, /usr/local/cuda and Python's nvidia packages",
                            fmt::join(names, ", "))}};
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

std::string SharedLibrary::file_of(const char* name) const {
  Dl_info info{};
  void* const address = symbol(name);
  return address != nullptr && dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace tessera
