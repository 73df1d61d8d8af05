// SPDX-License-Identifier: BSD-3-Clause
// Where runs go: what a worker says of its GPUs, what is said of one that does not answer, and which commands are kept.
#include "app/session/gemm/places.hpp"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

GemmRequest at(std::string worker) {
  GemmRequest place;
  place.worker = std::move(worker);
  return place;
}

DeviceSummary gpu(int index, std::string name) {
  DeviceSummary device;
  device.index = index;
  device.name = std::move(name);
  device.sm = 90;
  device.memory_bytes = std::int64_t{80} << 30;
  return device;
}

bool noted(const Error& error, std::string_view words) {
  return std::any_of(error.notes.begin(), error.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("a worker says which GPUs its machine has") {
  const test::TemporaryFolder folder;
  test::put(folder / "answer", to_line(WorkerEvent(DevicesEvent{1, {gpu(0, "First GPU"), gpu(1, "Second GPU")}})) + "\n");
  test::put(folder / "worker.sh",
            "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nread -r line\ncat " + (folder / "answer").string() + "\n");
  const auto found = devices_of(at("sh " + (folder / "worker.sh").string()), {});
  INFO((found ? "" : describe(found.error())));
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK(words_of((*found)[1]) == "1: Second GPU, sm_90, 80 GiB");
  // A machine with a driver and without a GPU is no list to choose from.
  test::put(folder / "answer", to_line(WorkerEvent(DevicesEvent{1, {}})) + "\n");
  const auto none = devices_of(at("sh " + (folder / "worker.sh").string()), {});
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::no_device);
}

TEST_CASE("a worker that does not answer is said with its command and what to try") {
  const auto gone = devices_of(at("sh -c 'exit 7'"), {});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().message.find("ended with exit code 7") != std::string::npos);
  CHECK(noted(gone.error(), "the worker: sh -c 'exit 7'"));
  CHECK(noted(gone.error(), "give the command in a terminal"));
  std::stop_source stop;
  stop.request_stop();
  CHECK_FALSE(devices_of(at("sleep 1000"), stop.get_token()));
  // What is wrong with the GEMM says nothing of the worker.
  const Error wrong{ErrorCode::wrong_result, "C differs", {}, {}};
  CHECK(said_of_worker(wrong, at("ssh there tessera worker")).notes.empty());
  const Error no_gpu{ErrorCode::no_device, "no GPU", {}, {}};
  CHECK(noted(said_of_worker(no_gpu, at("ssh there tessera worker")), "ssh HOST tessera worker"));
}

TEST_CASE("the commands that were used are kept, the newest first, each once") {
  Settings settings;
  for (int i = 0; i < 20; ++i) use_place(settings, "ssh machine" + std::to_string(i) + " tessera worker", 0);
  use_place(settings, "ssh machine15 tessera worker", 3);
  REQUIRE(settings.workers.size() == kMostWorkers);
  CHECK(settings.workers[0] == "ssh machine15 tessera worker");
  CHECK(settings.workers[1] == "ssh machine19 tessera worker");
  CHECK(std::count(settings.workers.begin(), settings.workers.end(), settings.workers[0]) == 1);
  CHECK(settings.device == 3);
  use_place(settings, "", 0);  // this machine is no command
  CHECK(settings.worker.empty());
  CHECK(settings.workers.size() == kMostWorkers);
  const test::TemporaryFolder folder;
  REQUIRE(save_settings(settings, folder / "settings.json"));
  CHECK(load_settings(folder / "settings.json").value() == settings);
}

TEST_CASE("a command that a shell would change is refused before anything runs") {
  CHECK(check_worker("ssh there tessera worker", false));
  CHECK(check_worker("", false));
  CHECK_FALSE(check_worker("tessera worker; rm x", false));
  CHECK(check_worker("tessera worker; true", true));  // where the person's settings have a shell read it
}
