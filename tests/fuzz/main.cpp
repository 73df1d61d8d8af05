// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer's entry, the same for every fuzzer: the build names the target. At the end the slowest input of the run is told in seconds,
// and its bytes are kept as `slowest-TARGET` in the folder that TESSERA_FUZZ_SLOWEST names.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/targets.hpp"

#define TESSERA_FUZZ_TEXT(name) #name
#define TESSERA_FUZZ_NAME(name) TESSERA_FUZZ_TEXT(name)

namespace {

struct Slowest {
  double seconds = 0;
  std::string bytes;

  ~Slowest() {
    std::fprintf(stderr, "stat::slowest_input_seconds:     %.3f\n", seconds);
    if (const char* folder = std::getenv("TESSERA_FUZZ_SLOWEST")) {
      std::ofstream(std::string(folder) + "/slowest-" TESSERA_FUZZ_NAME(TESSERA_FUZZ_TARGET), std::ios::binary) << bytes;
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Slowest slowest;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto begin = std::chrono::steady_clock::now();
  const std::string broken = tessera::fuzz::TESSERA_FUZZ_TARGET(bytes);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (seconds > slowest.seconds) slowest = {seconds, std::string(bytes)};
  if (!broken.empty()) {
    std::fprintf(stderr, "broken promise: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
