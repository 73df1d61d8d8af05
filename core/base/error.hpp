// SPDX-License-Identifier: BSD-3-Clause
// What went wrong, for a person: which rule, which values, where, and what to try.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

// Half-open byte range [begin, end) of the text that was read.
struct SourceSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

// One word per rule. The words are part of the command line's contract (`error.code` of `tessera batch`).
enum class ErrorCode {
  parse,              // the text is not an expression
  unknown_name,       // no binding, function or parameter has this name
  wrong_type,         // the value is of a kind that is not accepted here
  wrong_arity,        // too few or too many arguments
  not_congruent,      // shape and stride (or coordinate) have different profiles
  bad_extent,         // an extent is zero or negative
  overflow,           // a number leaves 64 bits
  limit,              // a stated bound of this tool would be passed
  out_of_range,       // an index, mode or coordinate outside its range
  rank_mismatch,      // ranks that must agree do not
  not_divisible,      // a divisibility condition fails
  not_injective,      // two coordinates meet where they may not
  breaks_law,         // the result would not satisfy its own definition
  not_representable,  // no value of this kind computes the function
  unknown_atom,       // no such MMA or copy atom
  wrong_arch,         // the atom or kernel needs another architecture
  bad_spec,           // a GEMM specification contradicts itself
  too_much_smem,      // more shared memory than the device has
  no_device,          // no GPU, or no driver for it
  no_compiler,        // NVRTC could not be opened
  compile_failed,     // NVRTC or ptxas refused the source
  launch_failed,      // the driver reported an error
  timed_out,          // a kernel or worker did not answer in time
  wrong_result,       // the kernel's result differs from the reference
  measurement_fault,  // a figure that cannot be true
  bad_message,        // a line of the worker protocol that cannot be read
  io,                 // a file could not be read or written
  already_exists,     // a file is there and would be lost
  corrupt,            // a stored file is damaged
};

std::string_view to_string(ErrorCode code);

// What to write in place of a part of the text, so that it says what was meant.
struct Fix {
  SourceSpan span;
  std::string replacement;
  friend bool operator==(const Fix&, const Fix&) = default;
};

struct Error {
  // Long, and used by many sources: compiled once.
  Error();
  Error(ErrorCode code, std::string message, std::optional<SourceSpan> span, std::vector<std::string> notes);
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

  ErrorCode code = ErrorCode::parse;
  std::string message;             // one sentence: the rule and the values
  std::optional<SourceSpan> span;  // where in the text, when there is a text
  std::vector<std::string> notes;  // what to try, or how the value came about
  std::string missing;             // of unknown_name: the name that has no value, where a value could be given for it
  std::optional<Fix> fix;          // in the same text as `span`

  Error&& at(SourceSpan where) && {
    if (!span) span = where;
    return std::move(*this);
  }
  Error&& note(std::string text) && {
    notes.push_back(std::move(text));
    return std::move(*this);
  }
};

// The error as lines of printable text (utf8.hpp); with `source`, the offending line and a caret under the place.
std::string describe(const Error& error, std::string_view source = {});

}  // namespace tessera
