// SPDX-License-Identifier: BSD-3-Clause
// What CuTe asserts of the arguments of its algorithms: copy(src, dst) of as many elements, gemm(A, B, C) of modes that meet.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/values/value.hpp"
#include "core/layout/flat_modes.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

// algorithm: copy, gemm, cute.copy. The arguments in their order; those that are no layouts, such as the copy itself, come first. Nothing
// where there is nothing to say, or where what they are is not known.
std::vector<Error> remarks_on_effect(std::string_view algorithm, const std::vector<Value>& arguments);

// The first mode of stride 0 that has several coordinates: what is read there is repeated, and what is written there is lost but for one.
std::optional<FlatMode> broadcast_mode(const AnyLayout& layout);

}  // namespace tessera
