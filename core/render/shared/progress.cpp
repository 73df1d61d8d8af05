// SPDX-License-Identifier: BSD-3-Clause
// Estimates and checks of what rendering takes.
#include "core/render/shared/progress.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace tessera {

namespace {

// A text that grows holds its old and its new place for a moment.
std::int64_t growing(std::size_t written) { return 2 * static_cast<std::int64_t>(written); }

}  // namespace

RenderProgress::RenderProgress(const Scene& scene, std::string_view format)
    : cells_(static_cast<std::int64_t>(cell_count(scene))), scene_bytes_(bytes_of(scene)) {
  what_ = fmt::format("a figure of {} cells as {}", cells_, format);
}

Status RenderProgress::begin(std::int64_t bytes) const { return fit_bytes(count_sum(scene_bytes_, bytes), what_); }

bool RenderProgress::fits(std::size_t written) {
  constexpr std::size_t kStep = std::size_t{1} << 22;
  next_ = written + kStep;
  return fit_bytes(count_sum(scene_bytes_, growing(written)), what_).has_value();
}

Status RenderProgress::end(std::size_t written) const {
  if (!stopped_) return check_time(what_);
  TESSERA_CHECK(fit_bytes(count_sum(scene_bytes_, growing(written)), what_));
  return past_deadline(what_);
}

}  // namespace tessera
