// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: what our SVG and that of print_svg's style have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

constexpr std::int64_t kBytesOfASvgCell = 60;  // about

// Text between tags, or in an attribute.
void append_xml(std::string& out, std::string_view text);

Result<std::string> render_cute_svg(const Scene& scene);

}  // namespace tessera
