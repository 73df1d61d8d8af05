// SPDX-License-Identifier: BSD-3-Clause
// Words about what draws.
#include "app/studio/frame/graphics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/base/characters.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

// A whole number at the front of the text, which is taken away; -1 where there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

bool is_software(std::string_view renderer) {
  const std::string name = lower(renderer);
  constexpr std::string_view kPrograms[] = {"llvmpipe", "softpipe", "swiftshader", "swrast", "software", "gdi generic", "basic render"};
  return std::any_of(std::begin(kPrograms), std::end(kPrograms),
                     [&](std::string_view program) { return name.find(program) != std::string::npos; });
}

std::string describe(const Graphics& graphics) {
  if (graphics.renderer.empty()) return "none: no window";
  return fmt::format("{}, OpenGL {}{}", printable(graphics.renderer), printable(graphics.version),
                     is_software(graphics.renderer) ? "; this is software: the processor draws, not a graphics card" : "");
}

Result<PixelSize> read_size(std::string_view text) {
  const std::string limits =
      fmt::format("WIDTHxHEIGHT between {}x{} and {}x{} pixels, e.g. {}x{}", kSmallestSize.width, kSmallestSize.height, kLargestSize.width,
                  kLargestSize.height, kUsualSize.width, kUsualSize.height);
  const auto refuse = [&](ErrorCode code) { return Error{code, fmt::format("the size {} is not {}", printable(text), limits), {}, {}}; };
  std::string_view rest = text;
  PixelSize size;
  size.width = take_number(rest);
  const bool is_pair = size.width >= 0 && rest.size() > 1 && rest.front() == 'x';
  if (is_pair) rest.remove_prefix(1);
  size.height = is_pair ? take_number(rest) : -1;
  if (size.height < 0 || !rest.empty()) return refuse(ErrorCode::parse);
  const bool fits = size.width >= kSmallestSize.width && size.width <= kLargestSize.width && size.height >= kSmallestSize.height &&
                    size.height <= kLargestSize.height;
  if (!fits) return refuse(ErrorCode::out_of_range);
  return size;
}

}  // namespace tessera::studio
