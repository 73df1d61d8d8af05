// SPDX-License-Identifier: BSD-3-Clause
// PTX and SASS from a process of its own: what it says arrives whole, and one that crashes, hangs or is stopped costs nothing but an
// answer.
#include "app/session/gemm/kernel_texts.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "app/session/gemm/worker_call.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

GemmSpec spec_of(std::string_view expression) {
  const Result<Value> value = evaluate_expression(expression, {}, nullptr);
  REQUIRE(value);
  return *std::get<std::shared_ptr<const GemmSpec>>(value->any);
}

GemmSpec small() { return spec_of("gemm(m=64, n=64, k=64, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN))"); }

std::string program(const test::TemporaryFolder& folder, const std::string& lines) {
  const auto path = folder / "compiler";
  test::put(path, "#!/bin/sh\n" + lines);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

}  // namespace

TEST_CASE("texts and refusals of PTX and SASS are the same once they are written and read") {
  KernelTexts texts;
  texts.ptx = std::string(".version 8.0\n\t\"quoted\"\n");
  texts.sass = Error{ErrorCode::no_compiler, "there is no cuobjdump", {}, {"searched: /usr/bin"}};
  texts.ptxas = {"C7517 (allowed): one wait"};
  const std::string line = to_json(texts);
  CHECK(line.find('\n') == std::string::npos);
  const KernelTexts read = read_kernel_texts(line).value();
  CHECK(*read.ptx == *texts.ptx);
  CHECK(read.ptxas == texts.ptxas);
  REQUIRE_FALSE(read.sass);
  CHECK(read.sass.error().code == ErrorCode::no_compiler);
  CHECK(read.sass.error().notes == texts.sass.error().notes);
  CHECK_FALSE(read_kernel_texts("{\"ptx\":{}}"));
}

TEST_CASE("another process compiles, and is given the GEMM") {
  const test::TemporaryFolder folder;
  const GemmSpec spec = small();
  const std::string fake = program(folder, "printf '%s' \"$*\" > " + (folder / "given").string() +
                                               "\necho '{\"ptx\":{\"text\":\"ptx\"},\"sass\":{\"text\":\"sass\"}}'\n");
  const KernelTexts made = kernel_texts_apart(spec, {fake}, {});
  REQUIRE(made.ptx);
  CHECK(*made.ptx == "ptx");
  CHECK(*made.sass == "sass");
  CHECK(made.of == to_string(spec));
  CHECK(test::contents(folder / "given") == "gemm compile " + to_string(spec) + " --texts");
}

TEST_CASE("a compiler that crashes, talks nonsense, hangs or is stopped is said, and nothing else happens") {
  const test::TemporaryFolder folder;
  const KernelTexts crashed = kernel_texts_apart(small(), {program(folder, "echo at the end >&2\nkill -SEGV $$\n")}, {});
  REQUIRE_FALSE(crashed.ptx);
  CHECK(crashed.ptx.error().message.find("killed by signal 11") != std::string::npos);
  CHECK(describe(crashed.sass.error()).find("at the end") != std::string::npos);
  CHECK_FALSE(kernel_texts_apart(small(), {program(folder, "echo nonsense\n")}, {}).ptx);
  CHECK_FALSE(kernel_texts_apart(small(), {(folder / "nothing").string()}, {}).ptx);
  const std::string hangs = program(folder, "sleep 1000\n");
  const auto begin = std::chrono::steady_clock::now();
  const KernelTexts late = kernel_texts_apart(small(), {hangs, milliseconds(200)}, {});
  CHECK(late.ptx.error().code == ErrorCode::timed_out);
  CHECK(late.ptx.error().message.find("within 0.2 s") != std::string::npos);
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(100));
    stop.request_stop();
  });
  const KernelTexts stopped = kernel_texts_apart(small(), {hangs}, stop.get_token());
  CHECK(stopped.ptx.error().message == "the compilation was stopped");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("a GEMM that is refused says its rule, by this program's own compiler too") {
  const GemmSpec refused = spec_of("gemm(m=64, n=64, k=64, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), stages=99)");
  const std::string why = kernel_texts(refused).ptx.error().message;
  CHECK(why.find("stages") != std::string::npos);
  REQUIRE(own_program());
  const KernelTexts apart = kernel_texts_apart(refused, {}, {});
  REQUIRE_FALSE(apart.ptx);
  CHECK(apart.ptx.error().message == why);
}
