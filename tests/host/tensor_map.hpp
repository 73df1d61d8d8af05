// SPDX-License-Identifier: BSD-3-Clause
// What a TensorMap of a kernel holds on the host, and the box that a copy by it moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

// Of a plan's map: `memory` is its tensor's buffer.
Result<HostTensorMap> tensor_map(const plan::TensorMap& map, const plan::Tensor& tensor, std::span<std::byte> memory);

// Of all of a plan's maps: the buffers are gA's, gB's and gC's.
Result<std::vector<HostTensorMap>> tensor_maps(const GemmPlan& plan, std::span<std::byte> a, std::span<std::byte> b,
                                               std::span<std::byte> c);

// A map whose fields are what a copy can work with, or why it cannot.
Status check_tensor_map(const HostTensorMap& map);

std::int64_t box_bytes(const HostTensorMap& map);

// Where a 16-byte unit at an address of shared memory lies, by the address' own bits 7 and up.
std::int64_t swizzled(std::int64_t address, int swizzle_bytes);

// Where a box begins; in a map of two dimensions there is one matrix.
struct BoxPlace {
  std::int64_t row = 0, column = 0, matrix = 0;
};

// For every element of the box: its bytes of shared memory, and of the tensor; null outside the tensor. A load clips
// elements, a store units of 16 bytes: one that begins inside is written whole.
using VisitElement = std::function<void(std::int64_t shared_address, unsigned char* global, int bytes)>;
void for_each_element(const HostTensorMap& map, const BoxPlace& at, std::int64_t shared_address, bool is_store, const VisitElement& visit);

}  // namespace tessera::host
