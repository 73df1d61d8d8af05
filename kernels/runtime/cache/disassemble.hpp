// SPDX-License-Identifier: BSD-3-Clause
// SASS: machine code as text, by the CUDA toolkit's own tools where they are.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

// By cuobjdump or nvdisasm of PATH or of a CUDA toolkit. Without one: no_compiler, with the places that were searched.
Result<std::string> disassemble(std::string_view cubin);

}  // namespace tessera
