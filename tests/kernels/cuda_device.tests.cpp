// SPDX-License-Identifier: BSD-3-Clause
// The device on CUDA's driver API, on a driver that writes down what it is asked (fake_cuda.cpp). The driver is opened once in a
// process, so these tests run in another one, whose loader finds the fake first.
#include "kernels/runtime/device/device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/kernels/fake_cuda.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
namespace fs = std::filesystem;

#ifdef TESSERA_FAKE_CUDA

namespace {

FakeCuda& fake() {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  static const auto state = library ? reinterpret_cast<FakeCudaState>(dlsym(library, "fake_cuda_state")) : nullptr;
  if (state == nullptr) FAIL("these tests are for the driver of the tests");
  return state();
}

// A device, with nothing yet written down.
std::unique_ptr<Device> opened(int index = 1) {
  fake() = FakeCuda();
  auto device = open_device(index);
  REQUIRE(device);
  fake().calls.clear();
  return std::move(*device);
}

using Calls = std::vector<std::string>;

// What was asked since the last look, without the choice of the context, which every call begins with.
Calls asked() {
  Calls calls = std::move(fake().calls);
  fake().calls.clear();
  std::erase(calls, "cuCtxSetCurrent 21");
  return calls;
}

Cubin cubin(int sm, char suffix = 0) {
  Cubin made;
  made.entry = "k", made.arch.sm = sm, made.arch.suffix = suffix, made.bytes.resize(8);
  return made;
}

bool says(const Error& error, const std::string& part) { return error.message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the device on CUDA's driver asks for what it is told, and says what the driver answers") {
  const test::TemporaryFolder folder;
  test::TemporaryEnvironment loader("LD_LIBRARY_PATH", TESSERA_FAKE_CUDA);
  const std::string self = fs::read_symlink("/proc/self/exe").string(), log = (folder / "log").string();
  const int rc = std::system(("'" + self + "' '[fake_cuda]' >'" + log + "' 2>&1 </dev/null").c_str());
  INFO(test::contents(log));
  CHECK(rc == 0);
}

TEST_CASE("fake: every GPU that the driver counts is listed with its own properties", "[.][fake_cuda]") {
  fake() = FakeCuda();
  const auto found = devices();
  REQUIRE(found);
  REQUIRE(found->size() == 3);
  for (int i = 0; i < 3; ++i) {
    const DeviceSummary& each = (*found)[static_cast<std::size_t>(i)];
    CHECK(each.index == i);
    CHECK(each.name == "GPU " + std::to_string(10 + i));
    CHECK(each.sm == 90 + i);
    CHECK(each.sm_count == 100 + i);
    CHECK(each.smem_per_block_optin == 200000 + i);
    CHECK(each.l2_bytes == 300000 + i);
    CHECK(each.memory_bytes == std::int64_t{1} << (30 + i));
    CHECK(each.clock_mhz == 1500 + i);
    if (!fs::exists("/sys/module/nvidia/version")) CHECK(each.driver_version == "CUDA 12.4");
  }
  fake().answers["cuDeviceGet"] = 101;
  CHECK(devices().value().empty());
  fake().answers = {{"cuDeviceGetCount", 3}};
  CHECK_FALSE(devices());
  CHECK_FALSE(open_device(0));
}

TEST_CASE("fake: a device that is not there is refused, and one that is is opened and closed in order", "[.][fake_cuda]") {
  fake() = FakeCuda();
  for (const int index : {-1, 3}) {
    const auto refused = open_device(index);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::no_device);
    CHECK(says(refused.error(), "no device " + std::to_string(index) + ": this machine has 3"));
  }
  fake().devices = 0;
  CHECK(says(open_device(0).error(), "sees no GPU"));
  for (const char* step : {"cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuStreamCreate"}) {
    fake() = FakeCuda();
    fake().answers[step] = 100;
    const auto refused = open_device(2);
    REQUIRE_FALSE(refused);
    CHECK(says(refused.error(), "while opening device 2"));
  }
  auto device = opened(2);
  CHECK(device->properties().sm == 92);
  CHECK(device->stream() == reinterpret_cast<void*>(31));
  REQUIRE(device->load(cubin(92), 0));
  asked();
  device.reset();
  CHECK(asked() == Calls{"cuModuleUnload 41", "cuStreamDestroy 31", "cuDevicePrimaryCtxRelease 12"});
}

TEST_CASE("fake: memory is taken, filled, copied both ways and given back as was asked", "[.][fake_cuda]") {
  const auto device = opened();
  CHECK(device->allocate(64).value() == 4096);
  CHECK(device->allocate(0));
  device->free(4096);
  CHECK(asked() == Calls{"cuMemAlloc 64", "cuMemAlloc 1", "cuMemFree 4096"});
  CHECK(device->copy(1, 2, 3));
  CHECK(device->fill_bytes(1, 255, 3));
  CHECK(asked() == Calls{"cuMemcpyDtoDAsync 1 2 3 31", "cuMemsetD8Async 1 255 3 31"});
  std::array<std::byte, 5> bytes{};
  const std::string here = std::to_string(reinterpret_cast<std::uintptr_t>(bytes.data()));
  CHECK(device->upload(7, bytes));
  CHECK(asked() == Calls{"cuMemcpyHtoDAsync 7 " + here + " 5 31", "cuStreamQuery 31"});
  CHECK(device->download(bytes, 7));
  CHECK(asked() == Calls{"cuStreamQuery 31", "cuMemcpyDtoHAsync " + here + " 7 5 31", "cuStreamQuery 31"});
  fake().answers["cuMemAlloc"] = 2;  // out of memory
  const auto full = device->allocate(1 << 20);
  REQUIRE_FALSE(full);
  CHECK(says(full.error(), "1048576 bytes of 2147483648 on GPU 11"));
  CHECK_FALSE(full.error().notes.empty());
  CHECK_FALSE(device->lost());
}

TEST_CASE("fake: a kernel is loaded only where it can run, with the shared memory that the device has", "[.][fake_cuda]") {
  const auto device = opened();  // sm_91
  for (const auto& [sm, suffix, fits] : {std::tuple{91, '\0', true},
                                         {90, '\0', true},
                                         {91, 'a', true},
                                         {90, 'a', false},
                                         {92, '\0', false},
                                         {92, 'a', false},
                                         {89, '\0', false},
                                         {100, '\0', false},
                                         {81, '\0', false}}) {
    CAPTURE(sm, suffix);
    const auto loaded = device->load(cubin(sm, suffix), 0);
    CHECK(loaded.has_value() == fits);
    if (!loaded) CHECK(loaded.error().code == ErrorCode::wrong_arch);
    CHECK(asked().empty() == !fits);
  }
  CHECK(device->load(cubin(91), 200001));
  CHECK(asked().back() == "cuFuncSetAttribute 51 8 200001");
  CHECK(device->load(cubin(91), 200002).error().code == ErrorCode::too_much_smem);
  CHECK(asked().empty());
  CHECK(device->load(cubin(91), 0));
  CHECK(asked().back() == "cuModuleGetFunction 41 k");
  for (const char* step : {"cuModuleGetFunction", "cuFuncSetAttribute"}) {
    fake().answers = {{step, 500}};
    CHECK_FALSE(device->load(cubin(91), 16));
    CHECK(asked().back() == "cuModuleUnload 41");  // what was loaded for nothing
  }
  fake().answers = {{"cuModuleLoadData", 200}};
  CHECK_FALSE(device->load(cubin(91), 16));
}

TEST_CASE("fake: a launch passes its grid, its block, its shared memory and its arguments on", "[.][fake_cuda]") {
  const auto device = opened();
  const LoadedKernel kernel = device->load(cubin(91), 0).value(), other = device->load(cubin(91), 0).value();
  CHECK(kernel != other);
  asked();
  std::vector<KernelArgument> arguments;
  for (std::int64_t i = 0; i < 16; ++i) arguments.emplace_back(i + 100);
  REQUIRE(device->launch(kernel, {{2, 3, 4}, {5, 6, 7}, 8}, arguments));
  CHECK(asked() == Calls{"cuLaunchKernel 51 2 3 4 5 6 7 8 31"});
  REQUIRE(fake().arguments.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) CHECK(fake().arguments[i] == i + 100);
  arguments.emplace_back(std::int64_t{0});
  CHECK_FALSE(device->launch(kernel, {}, arguments));
  fake().answers["cuLaunchKernel"] = 1;
  const Status refused = device->launch(kernel, {{2, 3, 4}, {5, 6, 7}, 8}, {});
  REQUIRE_FALSE(refused);
  CHECK(says(refused.error(), "grid (2, 3, 4) of (5, 6, 7) threads with 8 bytes"));
  asked();
  device->unload(kernel);
  device->unload(kernel);
  CHECK(asked() == Calls{"cuModuleUnload 41"});
  CHECK_FALSE(device->launch(kernel, {}, {}));
  CHECK(asked().empty());
}

TEST_CASE("fake: events are made, recorded, compared in microseconds and given back", "[.][fake_cuda]") {
  const auto device = opened();
  CHECK(device->make_event().value() == 61);
  CHECK(device->record(61));
  CHECK(device->elapsed_us(61, 62).value() == 250);
  device->free_event(61);
  CHECK(asked() == Calls{"cuEventCreate 0", "cuEventRecord 61 31", "cuEventElapsedTime 61 62", "cuEventDestroy 61"});
}

TEST_CASE("fake: waiting ends with the work or at the limit, and then nothing more is asked", "[.][fake_cuda]") {
  auto device = opened();
  fake().busy = 5;
  CHECK(device->synchronize());
  CHECK(asked() == Calls(6, "cuStreamQuery 31"));
  fake().busy = 1 << 30;
  device->set_time_limit(std::chrono::milliseconds(20));
  const Status late = device->synchronize();
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ErrorCode::timed_out);
  CHECK(device->lost());
  asked();
  CHECK(device->allocate(1).error().message == late.error().message);
  device->free(4096);
  device->free_event(61);
  device.reset();
  CHECK(fake().calls.empty());
}

TEST_CASE("fake: a fault of the kernel loses the device for good, another error does not, and both are said in words", "[.][fake_cuda]") {
  struct Case {
    int code;
    bool loses;
    const char* words;
  };
  for (const auto& [code, loses, words] : {Case{700, true, "read or wrote outside its memory"},
                                           {716, true, "not a multiple"},
                                           {717, true, "the driver's own words"},
                                           {718, true, "the driver's own words"},
                                           {714, true, "stack is damaged"},
                                           {715, true, "instruction"},
                                           {719, true, "stopped with a fault"},
                                           {702, true, "ran longer"},
                                           {710, true, "the driver's own words"},
                                           {214, true, "the driver's own words"},
                                           {701, false, "more registers or shared memory"},
                                           {2, false, "memory is full"},
                                           {209, false, "another architecture"},
                                           {1, false, "the driver's own words"},
                                           {400, false, "the driver's own words"},
                                           {9999, false, "an error that the driver does not name"}}) {
    CAPTURE(code);
    const auto device = opened();
    fake().answers["cuStreamQuery"] = code;
    const Status failed = device->synchronize();
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == ErrorCode::launch_failed);
    CHECK(says(failed.error(), words));
    CHECK(says(failed.error(), code == 9999 ? "CUDA error 9999" : "CUDA_ERROR_OF_THE_TEST"));
    CHECK(says(failed.error(), "(while waiting for the device)"));
    CHECK(device->lost() == loses);
    fake().answers.clear();
    CHECK(device->synchronize().has_value() == !loses);
  }
}

#endif
