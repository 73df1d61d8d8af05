// SPDX-License-Identifier: BSD-3-Clause
// What a worker is asked: every field of a request arrives, limits end where they say, and what the CPU refuses asks no worker.
#include "app/session/gemm/worker_call.hpp"

#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>

#include "app/session/gemm/jobs.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

GemmRequest request() {
  GemmRequest made;
  made.document = "let small = gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))\n";
  made.worker = "a worker";
  return made;
}

WorkerCall call(const GemmRequest& request) {
  Result<WorkerCall> made = worker_call(request);
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  return std::move(*made);
}

}  // namespace

TEST_CASE("every field of a request is in its worker's message or settings") {
  GemmRequest asked = request();
  asked.binding = "small", asked.m = 32, asked.set = {{"stages", "1"}};
  asked.device = 3, asked.timeout_seconds = 12.5, asked.kernel_seconds = 100.25, asked.start_seconds = 900.5;
  const WorkerCall made = call(asked);
  CHECK(made.settings.command == "a worker");
  CHECK_FALSE(made.settings.shell);
  CHECK(made.settings.total_limit == milliseconds(12500));
  CHECK(made.settings.silence_limit == milliseconds(130250));  // a kernel's time and half a minute
  CHECK(made.settings.hello_limit == milliseconds(900500));
  CHECK(call(request()).settings.hello_limit == WorkerSettings{}.hello_limit);
  CHECK(made.message.op == WorkerOp::run);
  CHECK(made.message.spec == to_spec_text(asked));
  CHECK(made.message.against.empty());
  CHECK(made.message.device == 3);
  CHECK(made.message.time_limit_seconds == 100.25);
  CHECK(made.message.inject == Injection::none);
  CHECK(made.plan.m == 32);
  std::tm then{};
  REQUIRE(::strptime(made.message.date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &then) == made.message.date.c_str() + made.message.date.size());
  CHECK(std::abs(std::difftime(::timegm(&then), std::time(nullptr))) < 60);

  asked.timing = false, asked.worker_shell = true, asked.kernel_seconds = 1;
  CHECK(call(asked).message.op == WorkerOp::check);
  CHECK(call(asked).settings.shell);
  CHECK(call(asked).settings.silence_limit == WorkerSettings{}.silence_limit);  // never less
}

TEST_CASE("what may be injected is named, and other words are refused") {
  const auto injected = [](const char* word) {
    GemmRequest asked = request();
    asked.inject = word;
    return worker_call(asked);
  };
  CHECK(injected("")->message.inject == Injection::none);
  CHECK(injected("none")->message.inject == Injection::none);
  CHECK(injected("fault")->message.inject == Injection::fault);
  CHECK(injected("hang")->message.inject == Injection::hang);
  CHECK(injected("faults").error().code == ErrorCode::unknown_name);
  CHECK(injected("faults").error().message.find("\"faults\"") != std::string::npos);
}

TEST_CASE("a run is waited for up to a day and a kernel up to an hour, and no less than nothing") {
  const auto waits = [](double GemmRequest::*field, double seconds) {
    GemmRequest asked = request();
    asked.*field = seconds;
    return static_cast<bool>(worker_call(asked));
  };
  for (const auto& [field, most] : {std::pair{&GemmRequest::timeout_seconds, 86400.0},
                                    {&GemmRequest::kernel_seconds, 3600.0},
                                    {&GemmRequest::start_seconds, 86400.0}}) {
    CHECK(waits(field, most));
    CHECK_FALSE(waits(field, std::nextafter(most, 1e9)));
    CHECK(waits(field, 1e-9));
    for (const double none : {0.0, -1.0, std::nan("")}) CHECK_FALSE(waits(field, none));
  }
}

TEST_CASE("this program's own worker has the limits of who starts it, and no shell reads its command") {
  GemmRequest asked = request();
  asked.worker.clear(), asked.worker_shell = true;
  asked.limits = {.seconds = 7, .bytes = 800000000, .cells = 900000};
  const Result<std::string> own = own_worker_command();
  REQUIRE(own);
  CHECK((own->find("/tessera") != std::string::npos && own->ends_with(" worker")));
  const WorkerCall made = call(asked);
  CHECK(made.settings.command == *own + " --limit-seconds 7 --limit-bytes 800000000 --limit-cells 900000");
  CHECK_FALSE(made.settings.shell);
}

TEST_CASE("what is refused on the CPU asks no worker, within the request's limits") {
  GemmRequest asked = request();
  asked.k = 1 << 25;
  CHECK_FALSE(worker_call(asked));
  asked = request();
  asked.document += "let broken = nothing\n";
  CHECK(worker_call(asked));  // its GEMM is whole
  asked.document = "let one = 4:1\nlet broken = gemm(m=nothing)\n";
  const Result<WorkerCall> broken = worker_call(asked);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("\"broken\" has no value: ") == 0);
  CHECK(broken.error().message.find("nothing") != std::string::npos);
  asked = request();
  asked.limits.seconds = 0;
  const Result<WorkerCall> late = worker_call(asked);
  REQUIRE_FALSE(late);
  INFO(describe(late.error()));
  CHECK(late.error().code == ErrorCode::limit);
}
