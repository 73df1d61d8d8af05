// SPDX-License-Identifier: BSD-3-Clause
// tessera devices: the GPUs of this machine, or of a worker's.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/settings.hpp"
#include "app/session/gemm/worker_call.hpp"
#include "core/base/utf8.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/worker/worker_client.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string worker;
  double start = GemmRequest().start_seconds;
  bool json = false;
};

Result<std::vector<DeviceSummary>> find_devices(const Arguments& arguments) {
  if (arguments.worker.empty()) return devices();
  TESSERA_TRY(settings, load_settings());
  WorkerSettings waited{.command = arguments.worker, .shell = settings.shell};
  TESSERA_TRY(hello_limit, hello_limit_of(arguments.start));
  waited.hello_limit = hello_limit;
  WorkerClient client(std::move(waited));
  return client.devices();
}

std::string as_json(const DeviceSummary& device) {
  return fmt::format(
      R"({{"index":{},"name":{},"sm":{},"sm_count":{},"smem_per_block":{},"l2_bytes":{},"memory_bytes":{},"clock_mhz":{},"driver":{}}})",
      device.index, json_string(device.name), device.sm, device.sm_count, device.smem_per_block_optin, device.l2_bytes, device.memory_bytes,
      device.clock_mhz, json_string(device.driver_version));
}

Exit run(const Arguments& arguments) {
  const Result<std::vector<DeviceSummary>> found = find_devices(arguments);
  if (!found) return refuse(found.error());
  if (found->empty()) return refuse(Error{ErrorCode::no_device, "there is a driver and no GPU that it can use", {}, {}});
  std::vector<std::vector<std::string>> rows{{"#", "name", "architecture", "SMs", "smem a CTA", "L2", "memory", "driver"}};
  for (const DeviceSummary& device : *found) {
    if (arguments.json) print_data(as_json(device) + "\n");
    rows.push_back({std::to_string(device.index), device.name, fmt::format("sm_{}", device.sm), std::to_string(device.sm_count),
                    fmt::format("{} B", device.smem_per_block_optin), fmt::format("{} MiB", device.l2_bytes >> 20),
                    fmt::format("{} GiB", device.memory_bytes >> 30), device.driver_version});
  }
  if (arguments.json) return Exit::right;
  print(table(rows));
  const Result<std::unique_ptr<KernelCompiler>> compiler = arguments.worker.empty() ? open_nvrtc() : Error{};
  if (compiler) print_line("compiler: " + (*compiler)->version());
  return Exit::right;
}

}  // namespace

Subcommand devices_subcommand() {
  return {"devices",
          "List the GPUs",
          "  tessera devices\n  tessera devices --worker \"ssh gpubox tessera worker\"",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.option("--worker", a->worker, "the command that starts a worker; by default this machine is asked");
            options.option("--worker-start", a->start,
                           "seconds that the worker may take to come up, as one does that waits in a cluster's queue");
            options.flag("--json", a->json, "one JSON object a line");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
