// SPDX-License-Identifier: BSD-3-Clause
// What stands above an emitted kernel: what it computes, what it asks of its launch, the layouts, the named constants.
#pragma once

#include <string>
#include <string_view>

#include "kernels/codegen/constants.hpp"
#include "kernels/codegen/device_functions.hpp"

namespace tessera::emitting {

// What the kernel needs of a device: the plan's atoms, and the barriers that it is written with.
ArchRequirement arch_of(const GemmPlan& plan);

// The plan's name in one comment line: what is not printable ASCII could end the line and become code.
std::string comment_name(const GemmPlan& plan);

std::string head(const GemmPlan& plan, const Constants& constants, const DeviceFunctions& functions, std::string_view code);

}  // namespace tessera::emitting
