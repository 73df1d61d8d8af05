// SPDX-License-Identifier: BSD-3-Clause
// A worker for tests: the real loop around a fake device, or with TEST_WORKER=gpu in the environment around the real one. Its "specs" are
// single words that say what should go wrong; other values of TEST_WORKER spoil the greeting or the answers. Not a test itself:
// worker_client.tests.cpp, gpu/worker.tests.cpp and cli/gemm_run.tests.cpp start it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/runtime/measure/cublaslt_baseline.hpp"
#include "kernels/runtime/worker/orphan_watch.hpp"
#include "kernels/runtime/worker/worker_loop.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;

namespace {

Result<KernelSource> lower(const std::string& spec) {
  KernelSource source = test::naive_gemm(8, 8, 8);
  if (spec == "good") return source;
  if (spec == "wrong")
    source.entry = "naive_gemm_wrong";
  else if (spec == "slower")
    source.name = "slower", source.entry = "naive_gemm_slower";
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

// Says one thing to whatever is asked, or does not end saying it.
class Liar {
 public:
  explicit Liar(std::string mood) : mood_(std::move(mood)) {}

  [[noreturn]] void live() {
    if (mood_ == "endless_banner") repeat("welcome ");
    if (mood_ == "many_banners") repeat("welcome\n");
    if (mood_ == "dripping_banner") repeat("w", 20);
    say(R"({"event":"hello","protocol":1,"program":"liar"})");
    for (std::string request; std::getline(std::cin, request);) answer();
    std::_Exit(0);
  }

  static bool is_one(const std::string& mood) {
    for (const char* known : {"endless_banner", "many_banners", "dripping_banner", "endless_progress", "flood_of_progress", "deep",
                              "long_line", "half_line", "dripping_line", "wrong_id", "no_id", "greets_again", "stderr_flood", "lie",
                              "long_words", "deaf_to_input", "escapes", "last_escapes"}) {
      if (mood == known) return true;
    }
    return false;
  }

 private:
  static void say(const std::string& line) { std::cout << line << '\n' << std::flush; }
  static void repeat(const std::string& text, int pause_ms = 0) {
    while (std::cout << text << std::flush) std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    std::_Exit(0);
  }

  void answer() {
    const std::string progress = R"({"event":"progress","id":1,"stage":"measure","fraction":0.5})";
    const std::string open(75000, '['), close(75000, ']');
    if (mood_ == "endless_progress") repeat(progress + "\n", 5);
    if (mood_ == "flood_of_progress") repeat(R"({"event":"progress","id":1,"stage":")" + std::string(10000, 's') + "\"}\n");
    if (mood_ == "deep") say(R"({"event":"result","id":1,"measurement":)" + open + close + "}");
    if (mood_ == "long_line") repeat(std::string(1 << 20, 'x'));
    if (mood_ == "half_line") std::cout << R"({"event":"result","id":1,"mea)" << std::flush;
    if (mood_ == "dripping_line") repeat("x", 20);
    if (mood_ == "wrong_id") say(R"({"event":"error","id":77,"error":{"code":"io","message":"m"}})");
    if (mood_ == "no_id") say(R"({"event":"devices","devices":[]})");
    if (mood_ == "greets_again") say(R"({"event":"hello","protocol":1,"program":"liar"})");
    if (mood_ == "lie") say(R"({"event":"result","id":1,"measurement":{"version":1,"name":"m","m":-4096}})");
    if (mood_ == "long_words") say(R"({"event":"error","id":1,"error":{"code":"io","message":")" + std::string(5000000, 'w') + "\"}}");
    if (mood_ == "deaf_to_input") std::this_thread::sleep_for(std::chrono::hours(1));
    if (mood_ == "escapes") {
      say(R"({"event":"progress","id":1,"stage":"\u001b[2J\u009b\u202e","fraction":0.5})");
      say(R"({"event":"error","id":1,"error":{"code":"io","message":"a\u001b]0;owned\u0007\nb","notes":["\u009b2J\nc","\ufeff"]}})");
    }
    if (mood_ == "last_escapes") {
      std::cerr << "\x1b[2J \xff \xc2\x9b \xe2\x80\xae\r\n" << std::flush;
      std::_Exit(3);
    }
    while (mood_ == "stderr_flood") std::cerr << std::string(1 << 16, 'e') << '\n';
  }

  std::string mood_;
};

}  // namespace

int main() {
  const char* mood_text = std::getenv("TEST_WORKER");
  const std::string mood = mood_text != nullptr ? mood_text : "";
  std::signal(SIGPIPE, SIG_IGN);
  if (Liar::is_one(mood)) Liar(mood).live();
  if (mood == "mute") std::this_thread::sleep_for(std::chrono::hours(1));
  if (mood == "banner") std::cout << "Welcome to gpubox!\n{\"motd\": true}\n" << std::flush;
  if (mood == "future") std::cout << R"({"event":"hello","protocol":99,"program":"tessera 9.9"})" << '\n' << std::flush;
  if (mood == "no_gpu") std::cerr << "gpubox: something on stderr\n";
  const OrphanWatch watch(STDOUT_FILENO, [] { std::_Exit(1); });
  WorkerParts parts;
  parts.program = "test worker";
  parts.lower = lower;
  if (mood == "one_shot") {  // leaves when it is asked a second time, without a word
    parts.lower = [asked = 0](const std::string& spec) mutable -> Result<KernelSource> {
      if (++asked > 1) std::_Exit(0);
      return lower(spec);
    };
  }
  if (mood == "other_name" || mood == "no_gpu")
    parts.lower = [](const std::string&) -> Result<KernelSource> { return test::naive_gemm(8, 8, 8); };
  if (mood == "other_gemm") {  // of the name that is asked for
    parts.lower = [](const std::string& spec) -> Result<KernelSource> {
      constexpr std::string_view kHeader = "#! gemm ";  // then the name
      KernelSource source = test::naive_gemm(8, 8, 8);
      const std::size_t from = spec.starts_with(kHeader) ? kHeader.size() : spec.size();
      source.name = spec.substr(from, std::min(spec.find_first_of(" \n", from), spec.size()) - from);
      if (source.name.empty()) source.name = "gemm";
      return source;
    };
  }
  parts.devices = []() -> Result<std::vector<DeviceSummary>> { return std::vector<DeviceSummary>{test::FakeDevice().properties()}; };
  parts.open_device = [&](int index) -> Result<std::unique_ptr<Device>> {
    if (index != 0 || mood == "no_gpu") return Error{ErrorCode::no_device, "there is no such device", {}, {}};
    auto device = std::make_unique<test::FakeDevice>();
    device->problem = test::naive_gemm(8, 8, 8);
    device->deaf = mood == "deaf";
    device->entry_us = {{"naive_gemm_slower", 250}};
    return std::unique_ptr<Device>(std::move(device));
  };
  parts.make_baseline = test::fake_baseline;
  parts.open_compiler = []() -> Result<std::unique_ptr<KernelCompiler>> {
    return std::unique_ptr<KernelCompiler>(std::make_unique<test::FakeCompiler>());
  };
  if (mood == "gpu") {
    parts.devices = devices;
    parts.open_device = open_device;
    parts.open_compiler = open_nvrtc;
    parts.make_baseline = make_cublaslt_baseline;
  }
  if (const char* folder = std::getenv("TEST_WORKER_CACHE")) parts.cache.folder = folder;
  const WorkerEnd end = run_worker_loop(parts, std::cin, std::cout);
  if (mood == "stubborn") {
    for (const int number : {SIGTERM, SIGHUP, SIGINT}) std::signal(number, SIG_IGN);
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  std::_Exit(end == WorkerEnd::device_lost ? 4 : 0);  // as a real worker leaves: CUDA's exit handlers would wait for a hanging kernel
}
