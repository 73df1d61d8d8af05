// SPDX-License-Identifier: BSD-3-Clause
// How a person runs a GEMM of a lesson on a GPU.
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

// Lines of a shell: the command alone where the expression needs no name of the lesson, else a file with the definitions that it needs
// before it. `definitions`: those above the GEMM.
std::string run_command(std::string_view definitions, const Written& gemm);

}  // namespace tessera::lesson
