// SPDX-License-Identifier: BSD-3-Clause
// Runs a program of the CuTe DSL without a GPU, and gets back what it named: layouts, tensors, copies and MMAs with their lines.
//
// This runs a person's program, and is done because the person asked for it, never because a file was opened. The program runs in the
// current folder, in a session of its own, without stdin, within limits of time and memory; when they pass, or this process ends, it is
// killed with all its children. What it named goes to a file, line by line, so that what was collected outlives the program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/programs/trace.hpp"

namespace tessera {

struct TraceRequest {
  std::string file, module;     // one of them: kernel.py, or a module's name as `python -m` has it
  std::vector<std::string> of;  // files and folders whose names are collected; none: the file itself
  std::vector<std::string> arguments;
  std::string python, out, arch;  // empty: looked for, beside the file, guessed
  double seconds = 60;
  double bytes = 16e9;  // of the address space of each of its processes
  int rows = 10'000;
};

struct TraceOutcome {
  Trace trace;
  bool begun = false;   // the program came so far that its trace has a head
  std::string missing;  // why the DSL could not be imported; empty: it was
  std::string cut_off;  // why the trace has no end; empty: it has one
};

// Who is told what happens meanwhile.
struct TraceListener {
  std::function<void(std::string_view)> note;    // a line for the person
  std::function<void(std::string_view)> output;  // what the program prints, in pieces; may be empty
};

// The Python to run: the named one, $TESSERA_PYTHON, $VIRTUAL_ENV/bin/python, python3, the first that is given or there.
Result<std::string> find_python(const std::string& named);
// Where the trace goes.
std::filesystem::path trace_path(const TraceRequest& request);
// Refused where the program is not there, or the trace's file is one that would be lost.
Result<TraceOutcome> run_trace(const TraceRequest& request, const std::string& python, const TraceListener& listener);

}  // namespace tessera
