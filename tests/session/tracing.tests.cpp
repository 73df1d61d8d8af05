// SPDX-License-Identifier: BSD-3-Clause
// Where a trace goes. What is read of it is in tests/lang/trace.tests.cpp; that programs are run, and how they end, in
// tests/cli/tracing.tests.cpp.
#include "app/session/files/tracing.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a trace lies beside its program unless it is named") {
  TraceRequest request;
  request.file = "folder/kernel.py";
  CHECK(trace_path(request) == "folder/kernel.py.trace");
  request.out = "x.trace";
  CHECK(trace_path(request) == "x.trace");
  request = {};
  request.module = "library.bench";
  CHECK(trace_path(request) == "library.bench.trace");
}
