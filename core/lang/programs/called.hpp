// SPDX-License-Identifier: BSD-3-Clause
// What is asked and said of the calls of a text: see calls.hpp for what they are.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tessera {

struct CalledParameter;
struct CallWatch;

// By where the head of a function or a class begins in the text.
using CalledBlocks = std::map<std::size_t, std::vector<CalledParameter>>;

// --entry NAME[:LINE], or a call that the text does not have: --entry "Traits<128, 64>".
struct Entry {
  std::string name;
  std::size_t line = 0;      // of the call; 0: any
  std::string written = {};  // the whole call, as a person writes it; empty: the text has it
};

// What is said of a function that is called.
struct CalledFunction {
  std::string path;
  std::size_t line = 1;
  std::vector<std::size_t> calls;    // their lines, each once
  std::size_t chosen = 0;            // the line of the call whose arguments are used; 0: what is the same in all
  std::vector<std::string> differs;  // parameters that the calls give different values
  std::vector<std::string> given;    // those that have a value by the calls
  std::string written = {};          // the call that a person wrote, whose arguments are used
};

}  // namespace tessera
