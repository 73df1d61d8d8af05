// SPDX-License-Identifier: BSD-3-Clause
// Which processes are there: for tests that none is left.
#pragma once

#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera::test {

// Those whose command line has this text in it, apart from this process; what has ended and is not reaped does not count.
inline std::vector<int> processes_with(const std::string& text) {
  std::vector<int> found;
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self", ignored).string();
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string number = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(number[0])) == 0 || number == self) continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();  // of a process that ends meanwhile, nothing
    const std::string words = read.str();
    if (words.find(text) != std::string::npos) found.push_back(std::stoi(number));
  }
  return found;
}

// Waits until there is none or the time is over; how many are left.
inline std::size_t left_after(std::chrono::milliseconds limit, const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::size_t left = processes_with(text).size();
  while (left > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    left = processes_with(text).size();
  }
  return left;
}

// A text that no other process has.
inline std::string unique_mark() {
  static int last = 0;
  return "mark-" + std::filesystem::read_symlink("/proc/self").string() + "-" + std::to_string(++last);
}

}  // namespace tessera::test
