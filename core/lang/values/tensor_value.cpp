// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/tensor_value.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "core/layout/print.hpp"

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

Result<Swizzle> swizzle_in_elements(const Swizzle& of_bytes, std::int64_t bits) {
  int base = of_bytes.base();
  for (std::int64_t width = 8; width < bits; width *= 2) --base;
  for (std::int64_t width = 8; width > bits; width /= 2) ++base;
  if (base < 0) {
    return Error{
        ErrorCode::not_representable, fmt::format("{} of bytes moves parts of elements of {} bits", to_string(of_bytes), bits), {}, {}};
  }
  return Swizzle::make(of_bytes.bits(), base, of_bytes.shift());
}

Result<Swizzle> swizzle_in_bytes(const Swizzle& of_elements, std::int64_t bits) {
  if (bits == 0 || of_elements.is_identity()) return of_elements;
  int base = of_elements.base();
  for (std::int64_t width = 8; width < bits; width *= 2) ++base;
  for (std::int64_t width = 8; width > bits; width /= 2) --base;
  return Swizzle::make(of_elements.bits(), base, of_elements.shift());
}

Element element_of(ValueType type, MemorySpace space) { return {bits(type), type, space}; }

}  // namespace tessera
