// SPDX-License-Identifier: BSD-3-Clause
// A library opened at run time: one binary starts everywhere, and what is missing is said in a sentence.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

// Stays open for the life of the process: CUDA's libraries do not bear being closed.
class SharedLibrary {
 public:
  // The first of `names` that opens: by the loader's own search (LD_LIBRARY_PATH, ldconfig), then in toolkit_folders().
  // The error lists the names and says `missing`.
  static Result<SharedLibrary> open(const std::vector<std::string>& names, ErrorCode code, const std::string& missing);

  // The function `name`, or null.
  void* symbol(const char* name) const;

  template <class Function>
  bool find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(symbol(name));
    return function != nullptr;
  }

  const std::string& path() const { return path_; }  // as it was opened: perhaps a name without a folder

  // The file that a symbol of the library came from, with its folder; empty where the loader does not say.
  std::string file_of(const char* symbol) const;

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* handle_;
  std::string path_;
};

// Folders where a CUDA toolkit or Python's nvidia packages keep libraries, those that exist.
std::vector<std::string> toolkit_folders();

}  // namespace tessera
