// SPDX-License-Identifier: BSD-3-Clause
// tessera worker: runs GEMMs for another process, JSON lines on stdin and stdout. What it is sent is text of the expression language.
#include <cstdlib>
#include <iostream>

#include "app/cli/subcommands.hpp"
#include "app/session/gemm_request.hpp"
#include "kernels/runtime/cubin_cache.hpp"
#include "kernels/runtime/worker_loop.hpp"

namespace tessera {
namespace {

Exit run() {
  std::ios::sync_with_stdio(false);
  WorkerParts parts;
  parts.program = "tessera " TESSERA_VERSION;
  parts.lower = source_of_spec_text;
  parts.devices = devices;
  parts.open_device = open_device;
  parts.open_compiler = open_nvrtc;
  parts.cache_folder = CubinCache::default_folder();
  const WorkerEnd end = run_worker_loop(parts, std::cin, std::cout);
  std::cout.flush();
  if (end == WorkerEnd::device_lost) std::_Exit(static_cast<int>(Exit::environment));  // CUDA's exit handlers would wait for the kernel
  return Exit::right;
}

}  // namespace

Subcommand worker_subcommand() {
  return {"worker",
          "Run GEMMs for another process (JSON lines on stdin and stdout)",
          "  echo '{\"v\":1,\"id\":1,\"op\":\"devices\"}' | tessera worker\n  tessera gemm run tensor_gemm --worker \"ssh gpubox tessera "
          "worker\"",
          [](Options&) { return [] { return run(); }; },
          {}};
}

}  // namespace tessera
