// SPDX-License-Identifier: BSD-3-Clause
// What the driver that no machine has (fake_cuda.cpp) was asked, and what it is to answer.
#pragma once

#include <map>
#include <string>
#include <vector>

struct FakeCuda {
  int devices = 3;
  int busy = 0;                               // how many queries of the stream are answered with "not ready"
  std::map<std::string, int> answers;         // what a function returns instead of success
  std::vector<std::string> calls;             // "cuMemAlloc 64"
  std::vector<unsigned long long> arguments;  // of the last launch, as 64-bit integers
};

using FakeCudaState = FakeCuda& (*)();  // "fake_cuda_state" of the library
