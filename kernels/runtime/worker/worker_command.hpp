// SPDX-License-Identifier: BSD-3-Clause
// The command that starts a worker: a program and its arguments, written as in a shell and started without one.
//
//   ssh gpubox 'my tools/tessera' worker      -> {"ssh", "gpubox", "my tools/tessera", "worker"}
//   CUDA_VISIBLE_DEVICES=1 tessera worker     -> {"env", "CUDA_VISIBLE_DEVICES=1", "tessera", "worker"}
//   tessera worker; rm x                      refused: nothing is expanded, and nothing that a shell would do happens unsaid
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

// Blanks part words; '...', "..." and \ quote as in a POSIX shell. Refuses what a shell would act on: ; | & < > ( ) $ ` and a word that
// begins with ~.
Result<std::vector<std::string>> split_command(std::string_view text);

// With `shell` (the person's own setting), /bin/sh is given the text as it is.
Result<std::vector<std::string>> worker_arguments(const std::string& text, bool shell);

// split_command(quoted_word(w)) is w alone: it's -> 'it'\''s'
std::string quoted_word(std::string_view word);

}  // namespace tessera
