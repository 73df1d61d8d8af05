// SPDX-License-Identifier: BSD-3-Clause
// What is read of a trace for a table. That programs are run, and how they end, is in tests/cli/tracing.tests.cpp.
#include "app/session/tracing.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr const char* kHead =
    "{\"tessera_trace\": 1, \"by\": \"nvidia-cutlass-dsl 4.8.1\", \"arch\": \"sm_90a\"}\n{\"file\": \"a.py\", \"sha256\": \"\"}\n"
    "{\"file\": \"b.py\", \"sha256\": \"\"}\n";

std::string words_of(const std::string& fields) {
  const TraceSummary summary = summary_of_trace("{\"name\":\"x\",\"line\":1," + fields + "}\n");
  REQUIRE(summary.objects.size() == 1);
  return summary.objects.front().kind + ": " + summary.objects.front().words;
}

}  // namespace

TEST_CASE("a trace's table has each row's file, line and name, and the end's words") {
  const TraceSummary summary = summary_of_trace(
      kHead + std::string("{\"name\":\"sA\",\"line\":7,\"column\":3,\"of\":1,\"kind\":\"layout\",\"layout\":\"(4,8):(8,1)\"}\n"
                          "{\"end\":true,\"rows\":1,\"dropped\":4,\"errors\":[\"E at line 3\",7],\"guessed\":[\"g\"],\"seconds\":1.5}\n"));
  CHECK(summary.begun);
  CHECK(summary.ended);
  CHECK(summary.by == "nvidia-cutlass-dsl 4.8.1");
  CHECK(summary.arch == "sm_90a");
  CHECK(summary.files == std::vector<std::string>{"a.py", "b.py"});
  REQUIRE(summary.objects.size() == 1);
  CHECK(summary.objects[0].file == 1);
  CHECK(summary.objects[0].line == 7);
  CHECK(summary.objects[0].name == "sA");
  CHECK(summary.errors == std::vector<std::string>{"E at line 3"});
  CHECK(summary.guessed == std::vector<std::string>{"g"});
  CHECK(summary.dropped == 4);
  CHECK(summary.seconds == 1.5);
  CHECK(summary.unread == 0);
}

TEST_CASE("a row's words are what it stands for") {
  CHECK(words_of("\"kind\":\"int\",\"value\":\"4\"") == "int: 4");
  CHECK(words_of("\"kind\":\"tensor\",\"layout\":\"(8,4):(1@0,1@1)\",\"space\":\"coord\",\"base\":\"(0,?)\"") ==
        "tensor coord: (0,?) o (8,4):(1@0,1@1)");
  CHECK(words_of("\"kind\":\"tensor\",\"layout\":\"8:1\",\"space\":\"none\",\"type\":\"float\"") == "tensor float: 8:1");
  CHECK(words_of("\"kind\":\"tiled_mma\",\"atom\":\"A\",\"atom_layout\":\"(2,1,1):(1,0,0)\",\"permutation\":\"(_,_,_)\"") ==
        "tiled_mma: A atom_layout=(2,1,1):(1,0,0) permutation=(_,_,_)");
  CHECK(words_of("\"kind\":\"tiled_copy\",\"tiler\":\"(8,8)\",\"layout_tv\":\"(4,2):(2,1)\"") ==
        "tiled_copy: tiler=(8,8) layout_tv=(4,2):(2,1)");
  CHECK(words_of("\"kind\":\"mma_atom\",\"shape_mnk\":\"(16,8,8)\"") == "mma_atom: (16,8,8)");
  CHECK(words_of("\"kind\":\"layout\",\"error\":\"no print\"") == "layout: error: no print");
  CHECK(words_of("\"kind\":\"of tomorrow\",\"more\":[1,{}],\"layout\":{}") == "of tomorrow: ");
}

TEST_CASE("a line that is no row is counted and passed over, and a trace without an end has none") {
  const TraceSummary summary =
      summary_of_trace(kHead + std::string("\n{\"name\":\"a\",\"line\":1,\"kind\":\"int\"}\nno JSON\n[]\n7\n"
                                           "{\"name\":\"b\",\"kind\":\"int\"}\n{\"name\":\"c\",\"line\":-1,\"kind\":\"int\"}\n"
                                           "{\"name\":3,\"line\":1,\"kind\":\"int\"}\n{\"name\":\"d\",\"line\":1}\n"
                                           "{\"name\":\"e\",\"line\":1,\"kind\":\"int\",\"of\":-1}\n" +
                                           std::string(100'000, '[') + "\n{\"name\":\"torn\",\"li"));
  CHECK(summary.objects.size() == 1);
  CHECK(summary.unread == 10);
  CHECK_FALSE(summary.ended);
  CHECK(summary_of_trace("").begun == false);
}

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
