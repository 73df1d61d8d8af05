// SPDX-License-Identifier: BSD-3-Clause
// One object in the notation of print(), found in a text that is no expression: where it ends, and how the language writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct Notation {
  enum class Kind {
    integer,  // _8
    tuple,    // (_8,(2,4))
    layout,   // shape:stride, and what is composed with one
    tensor,   // behind a pointer, or in tensor<...>
  };
  Kind kind = Kind::integer;
  std::size_t begin = 0, end = 0;
  std::string expression;            // "smem_ptr[16b](unset) o (_4,_8):(_1,_4)"
  bool printed = false;              // in a form that no expression has: a pointer, tensor<...>
  std::vector<std::string> unknown;  // numbers that the print leaves out: "shape[1]", "stride[0] (a multiple of 8)"
};

// The object that begins at `at`; nothing where none does.
std::optional<Notation> read_notation(std::string_view text, std::size_t at);

}  // namespace tessera
