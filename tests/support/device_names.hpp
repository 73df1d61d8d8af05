// SPDX-License-Identifier: BSD-3-Clause
// The names of the device functions that a text defines or declares, and of all that there are.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "kernels/codegen/device_text.hpp"

namespace tessera::support {

// Of those that begin there.
inline std::set<std::string> device_names(std::string_view text, std::size_t from, std::size_t to) {
  std::set<std::string> names;
  for (std::size_t at = text.find("__device__ ", from); at < to; at = text.find("__device__ ", at + 1)) {
    const std::size_t last = text.find('(', at), first = text.rfind(' ', last) + 1;
    names.emplace(text.substr(first, last - first));
  }
  return names;
}

// Of the files of kernels/device, and of an atom.
inline std::set<std::string> all_device_names() {
  std::set<std::string> names{"mma", "wgmma"};
  for (const std::string_view file :
       {device_text::memory, device_text::mbarrier, device_text::cluster, device_text::tma, device_text::ldmatrix, device_text::stmatrix,
        device_text::wgmma, device_text::wmma, device_text::registers, device_text::swizzle, device_text::convert})
    names.merge(device_names(file, 0, file.size()));
  return names;
}

}  // namespace tessera::support
