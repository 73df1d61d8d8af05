// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: how a renderer keeps within its request's budget. It says beforehand what it is about to take, asks between
// marks whether it may go on, and at the end whether it came through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/budget.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

class RenderProgress {
 public:
  RenderProgress(const Scene& scene, std::string_view format);

  // Before the work: `bytes` beside those of the scene.
  Status begin(std::int64_t bytes) const;
  // Between marks, with the bytes written so far: true when the work is to be left. Stays so.
  bool stop(std::size_t written = 0) {
    if (!stopped_ && (late() || (written >= next_ && !fits(written)))) stopped_ = true;
    return stopped_;
  }
  // After the work: the refusal, if it was stopped.
  Status end(std::size_t written = 0) const;

  std::int64_t cells() const { return cells_; }

 private:
  bool fits(std::size_t written);

  std::string what_;
  std::int64_t cells_, scene_bytes_;
  std::size_t next_ = 0;  // bytes written when the memory is looked at again
  bool stopped_ = false;
};

}  // namespace tessera
