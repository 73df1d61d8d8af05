// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/tensor_value.hpp"

#include <string_view>

namespace tessera {

std::string_view pointer_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::unknown: return "";
    case MemorySpace::gmem: return "gmem_ptr";
    case MemorySpace::smem: return "smem_ptr";
    case MemorySpace::tmem: return "tmem_ptr";
    case MemorySpace::generic:
    case MemorySpace::rmem: return "ptr";
  }
  return "";
}

std::string_view memory_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::unknown: return "";
    case MemorySpace::generic: return "generic";
    case MemorySpace::gmem: return "gmem";
    case MemorySpace::smem: return "smem";
    case MemorySpace::rmem: return "rmem";
    case MemorySpace::tmem: return "tmem";
  }
  return "";
}

MemorySpace space_of_pointer(std::string_view name) {
  const auto says = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (says("gmem")) return MemorySpace::gmem;
  if (says("smem")) return MemorySpace::smem;
  if (says("tmem")) return MemorySpace::tmem;
  if (says("rmem")) return MemorySpace::rmem;
  return says("ptr") ? MemorySpace::generic : MemorySpace::unknown;
}

Element element_of(ValueType type, MemorySpace space) { return {bits(type), type, space}; }

}  // namespace tessera
