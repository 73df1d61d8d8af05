// SPDX-License-Identifier: BSD-3-Clause
// How CuTe's authors name things: what the name alone says of a thing, such as that sA is a tensor in shared memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

enum class NameSort : std::uint8_t {
  number,
  one,
  truth,
  pair,
  tile,
  problem,
  type,
  plain,
  smem,
  staged,
  matrix,
  batched,
  coordinates,
  major,
  atom,
  mma,
  thr_mma,
  copy_op,
  copy_atom,
  copy,
  thr_copy,
  fragment,
  pointer,
  swizzle,
  stride,
  group,
  three,
  repeat,
  vector,
  tiles,
  tma,
  leading,
  depth,
  local,
  thr_tma,
  square,
  threads,
  zero,
  zeros
};

// Which thread or block runs, as every kernel may ask: threadIdx.x, cute.arch.block_idx. Where it begins depends on it, and no layout does.
// A container whose elements lie side by side: thrust::device_vector, std::vector.
bool names_vector(std::string_view name);
bool names_place(std::string_view path);
// Those of them that are the same for all threads of a block: blockIdx.x, cute.arch.cluster_idx.
bool names_block(std::string_view path);
// Those of them that have three parts: cute.arch.thread_idx.
bool names_place_vector(std::string_view path);
// How a kernel was launched: blockDim.x, cute.arch.grid_dim.
bool names_launch(std::string_view path);

// What the name suggests, the likeliest first.
std::vector<NameSort> sorts_of_name(std::string_view path);
// Is a tensor or a layout what the name suggests first? sA(_,0) is then a slice, not a call of a function.
bool names_a_tensor(std::string_view path);

}  // namespace tessera
