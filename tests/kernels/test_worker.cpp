// SPDX-License-Identifier: BSD-3-Clause
// A worker for tests: the real loop around a fake device, or with TEST_WORKER=gpu in the environment around the real one. Its "specs" are
// single words that say what should go wrong; other values of TEST_WORKER spoil the greeting. Not a test itself: worker_client.tests.cpp
// and gpu/worker.tests.cpp start it.
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "kernels/runtime/worker_loop.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;

namespace {

Result<KernelSource> lower(const std::string& spec) {
  KernelSource source = test::naive_gemm(8, 8, 8);
  if (spec == "good") return source;
  if (spec == "wrong")
    source.entry = "naive_gemm_wrong";
  else if (spec == "segfault")
    std::raise(SIGSEGV);
  else if (spec == "exit")
    std::_Exit(7);
  else if (spec == "silence")
    std::this_thread::sleep_for(std::chrono::hours(1));
  else if (spec == "garbage")
    std::cout << "this is no event\n" << std::flush;
  else
    return Error{ErrorCode::bad_spec, "the spec '" + spec + "' is not one of this test's", SourceSpan{0, 4}, {"try good"}};
  return source;
}

}  // namespace

int main() {
  const char* mood_text = std::getenv("TEST_WORKER");
  const std::string mood = mood_text != nullptr ? mood_text : "";
  if (mood == "mute") std::this_thread::sleep_for(std::chrono::hours(1));
  if (mood == "banner") std::cout << "Welcome to gpubox!\n{\"motd\": true}\n" << std::flush;
  if (mood == "future") std::cout << R"({"event":"hello","protocol":99,"program":"tessera 9.9"})" << '\n' << std::flush;
  if (mood == "no_gpu") std::cerr << "gpubox: something on stderr\n";
  WorkerParts parts;
  parts.program = "test worker";
  parts.lower = lower;
  parts.devices = []() -> Result<std::vector<DeviceSummary>> { return std::vector<DeviceSummary>{test::FakeDevice().properties()}; };
  parts.open_device = [&](int index) -> Result<std::unique_ptr<Device>> {
    if (index != 0 || mood == "no_gpu") return Error{ErrorCode::no_device, "there is no such device", {}, {}};
    auto device = std::make_unique<test::FakeDevice>();
    device->problem = test::naive_gemm(8, 8, 8);
    device->deaf = mood == "deaf";
    return std::unique_ptr<Device>(std::move(device));
  };
  parts.open_compiler = []() -> Result<std::unique_ptr<KernelCompiler>> {
    return std::unique_ptr<KernelCompiler>(std::make_unique<test::FakeCompiler>());
  };
  if (mood == "gpu") {
    parts.devices = devices;
    parts.open_device = open_device;
    parts.open_compiler = open_nvrtc;
  }
  const WorkerEnd end = run_worker_loop(parts, std::cin, std::cout);
  std::_Exit(end == WorkerEnd::device_lost ? 4 : 0);  // as a real worker leaves: CUDA's exit handlers would wait for a hanging kernel
}
