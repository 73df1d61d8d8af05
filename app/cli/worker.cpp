// SPDX-License-Identifier: BSD-3-Clause
// tessera worker: runs GEMMs for another process, JSON lines on stdin and stdout. What it is sent is text of the expression language.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include <unistd.h>

#include "app/cli/cache_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/gemm_request.hpp"
#include "kernels/runtime/measure/cublaslt_baseline.hpp"
#include "kernels/runtime/worker/orphan_watch.hpp"
#include "kernels/runtime/worker/worker_loop.hpp"

namespace tessera {
namespace {

// Events go the way of all output, so that their loss is known and said like any other's.
class EventBuffer : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    write_output(std::string_view(bytes, static_cast<std::size_t>(count)));
    return count;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    if (!traits_type::eq_int_type(c, traits_type::eof())) write_output(std::string_view(&byte, 1));
    return traits_type::not_eof(c);
  }
  int sync() override { return flush_output() ? 0 : -1; }
};

Exit run(const Limits& limits) {
  std::ios::sync_with_stdio(false);
  WorkerParts parts;
  parts.program = "tessera " TESSERA_VERSION;
  parts.lower = [&limits](const std::string& spec) {
    const Budget budget(limits);
    return source_of_spec_text(spec);
  };
  parts.devices = devices;
  parts.open_device = open_device;
  parts.open_compiler = open_nvrtc;
  parts.make_baseline = make_cublaslt_baseline;
  parts.cache = cache_settings();
  // Exit handlers would wait for a kernel that runs.
  const OrphanWatch watch(STDOUT_FILENO, [] { std::_Exit(static_cast<int>(Exit::refused)); });
  EventBuffer buffer;
  std::ostream events(&buffer);
  const WorkerEnd end = run_worker_loop(parts, std::cin, events);
  if (end == WorkerEnd::device_lost) std::_Exit(static_cast<int>(Exit::environment));  // CUDA's exit handlers would wait for the kernel
  if (std::cin.bad()) return refuse(Error{ErrorCode::io, "cannot read stdin", {}, {}});
  return end == WorkerEnd::output_closed ? Exit::refused : Exit::right;
}

}  // namespace

Subcommand worker_subcommand() {
  return {"worker",
          "Run GEMMs for another process (JSON lines on stdin and stdout)",
          "  echo '{\"v\":1,\"id\":1,\"op\":\"devices\"}' | tessera worker\n  tessera gemm run tensor_gemm --worker \"ssh gpubox tessera "
          "worker\"",
          [](Options& options) {
            auto limits = std::make_shared<Limits>();
            options.limits(*limits);
            return [limits] { return run(*limits); };
          },
          {}};
}

}  // namespace tessera
