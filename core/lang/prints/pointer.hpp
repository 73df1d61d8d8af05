// SPDX-License-Identifier: BSD-3-Clause
// Pointers and iterators as C++'s print() and the DSL write them before a tensor's layout.
//
//   ptr[16b](0x7f48)  gmem_ptr[16b](ADDRESS + offset)  gmem_ptr_16b(0x7f48)  tmem_[32b](0x0000.0000)  smem_sparse<2>_ptr[8b](unset)
//   Sw<3,4,3>_smem_ptr[16b](0x7f48)  GMMA::DescriptorIterator  ArithTuple(0,_0)  counting_iter(42)
//   ptr<f16, smem, align<1024>, S<3,4,3>>  raw_ptr(0x0400: f16, smem, align<1024>)  vector<4xf32>
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct PrintedPointer {
  std::size_t end = 0;
  std::string expression;            // in the language; empty for what it has no word for, and then the layout stands alone
  std::vector<std::string> unknown;  // what would be needed to write it
  bool vector = false;               // of values: behind the 'o' stands a shape
};
std::optional<PrintedPointer> read_pointer(std::string_view text, std::size_t at);

// Sw<3,4,3>, S<3,4,3> or Swizzle<3,4,3> at the place; empty where there is none.
std::string_view swizzle_at(std::string_view text, std::size_t at);
// The word at the place, with `::` and `<2>` in it: GMMA::DescriptorIterator, smem_sparse<2>_ptr.
std::string_view printed_word(std::string_view text, std::size_t at);

// Bits of an element type, as CuTe DSL and MLIR name it: f16, bf16, f8E4M3FN, i1; 0 for others.
int element_bits(std::string_view type);

// What a pointer of this address space and width is in the language: smem_ptr[16b](unset); with a swizzle before it, Sw<3,4,3> o ...
std::string pointer_text(std::string_view space, int bits, std::string_view swizzle = {});

// Behind the bracket that closes the one at `at`, which is one of ( [ { <; npos where it stays open.
std::size_t behind_bracket(std::string_view text, std::size_t at);

}  // namespace tessera
