// SPDX-License-Identifier: BSD-3-Clause
// Where CUDA's headers are looked for, and what is said where they are not.
#include "kernels/runtime/compile/cuda_headers.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

namespace fs = std::filesystem;

// An empty file and the folders above it.
std::string touch(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "";
  return file.string();
}

}  // namespace

TEST_CASE("the headers of a text are those of its own lines of #include") {
  CHECK(included_headers("").empty());
  CHECK(included_headers("// #include <never.h>\nint x;\n").empty());
  CHECK(included_headers("// a kernel\n#include <mma.h>\nint x;\n#include <cuda_fp16.h>") ==
        std::vector<std::string>{"mma.h", "cuda_fp16.h"});
}

TEST_CASE("headers are found beside NVRTC, as toolkits, Debian and Python's packages lay them out") {
  const test::TemporaryFolder folder;
  const fs::path root = fs::canonical(folder.path());
  struct Row {
    const char *library, *header;
  };
  for (const Row& row : {Row{"toolkit/lib64/libnvrtc.so.13", "toolkit/include/mma.h"},
                         {"cuda/targets/x86_64-linux/lib/libnvrtc.so.13", "cuda/targets/x86_64-linux/include/mma.h"},
                         {"usr/lib/x86_64-linux-gnu/libnvrtc.so.11.2", "usr/include/mma.h"},
                         {"nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cu13/include/mma.h"},
                         {"site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "site/nvidia/cuda_runtime/include/mma.h"}}) {
    const std::string library = touch(root / row.library), header = touch(root / row.header);
    INFO(row.library);
    const auto found = folder_with({"mma.h"}, header_folders(library));
    REQUIRE(found.has_value());
    CHECK(*found == fs::path(header).parent_path().string());
    CHECK_FALSE(folder_with({"mma.h", "another.h"}, header_folders(library)).has_value());
  }
}

TEST_CASE("a kernel whose header is not there is refused with where to get it") {
  const test::TemporaryFolder folder;
  const fs::path root = fs::canonical(folder.path());
  const std::string library = touch(root / "lib/libnvrtc.so.13");
  fs::create_directories(root / "include");
  const auto found = folder_with({"mma.h"}, {(root / "include").string()});
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().code == ErrorCode::no_compiler);
  CHECK(found.error().message == "this kernel includes CUDA's header <mma.h>, which is not beside NVRTC");
  CHECK(describe(found.error()).find((root / "include").string()) != std::string::npos);
  CHECK(describe(found.error()).find("nvidia-cuda-runtime") != std::string::npos);
  CHECK(describe(folder_with({"mma.h"}, {}).error()).find("no folder of CUDA's headers was found") != std::string::npos);
}
