// SPDX-License-Identifier: BSD-3-Clause
// The front door of both programs: how they begin and end, what they write to stdout and stderr, and with which exit code.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tessera {

enum class Exit : int {
  right = 0,
  refused = 1,      // the input was refused, a result is wrong, or output was lost
  usage = 2,        // the command line itself is wrong
  environment = 3,  // something is missing on this machine: a GPU, NVRTC, a library, memory
};

// Runs `body` so that it ends with words and an exit code whatever happens: no exception leaves it, memory that runs out is said, a
// signal of a lost reader or a full disk is an error to report, a small stack is replaced by a larger one. Exit::right only when every
// byte of write_output has arrived.
int run_program(const char* name, const std::function<int()>& body);

// stdout, exactly these bytes; to a terminal as printable text. A failure is remembered until the end, where it is said once.
void write_output(std::string_view bytes);
// Sends what is buffered; whether all output has arrived so far.
bool flush_output();

// stderr, with a newline, as printable text. A line after the first begins with a space, so that no foreign text can pose as another
// message, and a line of some pages is cut. What stderr does not take is lost.
void say(std::string_view text);
// stderr without the newline and as it is, for what steers a terminal.
void say_raw(std::string_view text);

}  // namespace tessera
