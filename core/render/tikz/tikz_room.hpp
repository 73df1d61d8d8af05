// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: whether a picture fits the memory that pdfTeX has by default.
#pragma once

#include <optional>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Nothing where the scene fits as it is; else a copy in which the panels with the most labels have lost them, and a note says so. What
// does not fit without labels either is refused.
Result<std::optional<Scene>> within_tex(const Scene& scene, double cell_points);

}  // namespace tessera
