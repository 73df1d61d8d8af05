// SPDX-License-Identifier: BSD-3-Clause
// PTX and SASS of a GEMM's kernel. A compiler may crash, or take for ever: whoever shows a window has it done by a process of its own,
// which is `tessera gemm compile SPEC --texts`, and reads what that prints.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/gemm_spec.hpp"

namespace tessera {

// Machine code for the plan's architecture: from the cache, else by NVRTC where there is one.
struct KernelTexts {
  std::string of;  // to_string of the spec
  Result<std::string> ptx = std::string(), sass = std::string();
  std::vector<std::string> ptxas{};  // what ptxas remarks of it, as remarks_in_words; empty: there is no machine code
};
// In this process.
KernelTexts kernel_texts(const GemmSpec& spec);

// By that program, which is ended when it is stopped or takes longer. What becomes of it is said in both texts.
struct TextsProgram {
  std::string path;  // of `tessera`; empty: the one beside this program
  std::chrono::milliseconds limit{60000};
};
KernelTexts kernel_texts_apart(const GemmSpec& spec, const TextsProgram& program, const std::stop_token& stop);

// {"ptx":{"text":"..."},"sass":{"refused":{"code":"no_compiler","message":"...","notes":[]}},"ptxas":["none"]}: one line.
std::string to_json(const KernelTexts& texts);
Result<KernelTexts> read_kernel_texts(std::string_view json);

}  // namespace tessera
