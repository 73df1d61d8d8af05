// SPDX-License-Identifier: BSD-3-Clause
// What a program that ran says of its objects: a .trace, which `tessera trace` writes of a file of the CuTe DSL and tessera/dump.hpp of a
// program in C++. It is JSON lines (docs/tracing.md): a head, each source file with its hash, a row for each object, and an end.
//
//   {"tessera_trace":1,"by":"nvidia-cutlass-dsl 4.8.1","arch":"sm_90a"}
//   {"file":"kernel.py","sha256":"..."}
//   {"name":"sA_layout","line":12,"column":5,"in":"Gemm.kernel","kind":"layout","layout":"(64,8):(8,1)"}
//   {"end":true,"rows":1,"dropped":0,"errors":[],"guessed":[]}
//
// It is foreign text: a line that is no row is counted and left out, and nothing of it is run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

struct TracedObject {
  std::size_t file = 0;                                    // of Trace::files
  std::size_t line = 0;                                    // from 1
  std::size_t column = 0;                                  // from 1; 0: not known
  std::string name;                                        // "sA_layout", "self.tiled_mma", "tup[0]"; of C++ the argument of TESSERA_DUMP
  bool at_dump = false;                                    // the place is that of a TESSERA_DUMP, behind the statement that made the object
  std::string in;                                          // the function: "Gemm.kernel"; empty: not known
  std::string kind;                                        // "layout", "tensor", "tiled_mma", ... as the trace says
  std::vector<std::pair<std::string, std::string>> facts;  // every other field that is a text: "layout", "space", "atom"
  std::vector<std::string> values;                         // of a tensor whose first elements were asked for

  const std::string* fact(std::string_view of) const;  // null: the trace does not say it
};

struct Trace {
  struct File {
    std::string path, sha256;  // as the trace says; the hash is empty where the source could not be read
  };
  std::string by, arch;
  std::vector<File> files;
  std::vector<TracedObject> objects;
  std::vector<std::string> errors, guessed;  // of the program's run; what stood for a value that was not there
  bool ended = false;                        // without an end the program died, and what it wrote before is all; a GPU's rows have none
  std::size_t dropped = 0;                   // rows beyond the tracer's limit
  std::size_t unread = 0;                    // lines that are no rows
  double seconds = 0;                        // that the program ran
};

// Of a file's bytes. Lines that begin with "@tessera " are read wherever they stand, as a GPU's printf writes them. Refused: what has no
// head, a head of another version, and more than a million rows or 1 GiB.
Result<Trace> read_trace(std::string_view bytes);

// The objects of the source at `path` in a trace. Refused where the trace is of other files, and where the source is no longer what was
// traced: its hash is another one, or without a hash a row's line does not have its name.
Result<std::vector<TracedObject>> traced_in(const Trace& trace, const std::filesystem::path& path, std::string_view source);

// A row as one of our values: layouts, tensors, tiled MMAs and copies with atoms that are known here, tuples. Refused, with the reason:
// what depends on numbers of the run, kinds that have no value here, and an MMA or copy whose printed layouts are not those of its atom.
Result<Value> value_of(const TracedObject& object);

// What a row says, in one line: its layout, its value, its atom with what is made of it.
std::string words_of(const TracedObject& object);
// "layout", "tensor smem half_t"
std::string kind_words(const TracedObject& object);

}  // namespace tessera
