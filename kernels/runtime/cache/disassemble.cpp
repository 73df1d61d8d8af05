// SPDX-License-Identifier: BSD-3-Clause
// Runs a tool on a file in memory, which has no name that another could exchange, and reads what it prints.
#include "kernels/runtime/cache/disassemble.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>  // std::getenv
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/base/descriptor.hpp"
#include "core/base/utf8.hpp"

extern char** environ;

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestText = std::size_t{256} << 20;  // bytes
constexpr int kCubinDescriptor = 3;                           // of the tool

std::vector<fs::path> tool_folders() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (rest.starts_with('/')) folders.emplace_back(rest.substr(0, end));  // a relative place would be another in every folder
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* root = std::getenv(name); root != nullptr && *root == '/') folders.push_back(fs::path(root) / "bin");
  }
  for (const char* place : {"/usr/local/cuda/bin", "/opt/cuda/bin"}) folders.emplace_back(place);
  return folders;
}

// The words that print a cubin's SASS; empty where there is no tool.
std::vector<std::string> tool_command(const std::string& file) {
  for (const fs::path& folder : tool_folders()) {
    for (const char* tool : {"cuobjdump", "nvdisasm"}) {
      const fs::path path = folder / tool;
      std::error_code ignored;
      if (!fs::is_regular_file(path, ignored) || ::access(path.c_str(), X_OK) != 0) continue;
      std::vector<std::string> words{path.string()};
      if (std::string_view(tool) == "cuobjdump") words.emplace_back("-sass");
      words.push_back(file);
      return words;
    }
  }
  return {};
}

// A file of the process's memory, at its beginning.
Descriptor file_in_memory(std::string_view bytes) {
  Descriptor file(::memfd_create("cubin", MFD_CLOEXEC));
  if (!file || write_whole(file.get(), bytes, std::chrono::seconds(10)) != 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) return Descriptor();
  return file;
}

std::string read_to_end(int from) {
  std::string text;
  std::array<char, 65536> piece{};
  while (text.size() < kLargestText) {
    const ssize_t size = ::read(from, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  return text;
}

// What it prints, its complaints too; `status` gets how it ended. An error's number where it could not be started.
int run_tool(const std::vector<std::string>& words, const Descriptor& cubin, std::string& text, int& status) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, writing.get(), STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, cubin.get(), kCubinDescriptor);
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  (void)writing.close();
  if (error != 0) return error;
  text = read_to_end(reading.get());
  (void)reading.close();  // who has more to say than is read does not wait for it
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

}  // namespace

Result<std::string> disassemble(std::string_view cubin) {
  const std::vector<std::string> words = tool_command(fmt::format("/dev/fd/{}", kCubinDescriptor));
  if (words.empty()) {
    return Error{ErrorCode::no_compiler,
                 "no cuobjdump and no nvdisasm on this machine, so machine code cannot be shown as text",
                 {},
                 {"they come with the CUDA toolkit, and are looked for in PATH, CUDA_PATH/bin and /usr/local/cuda/bin",
                  "`--cubin FILE` writes the cubin, for a machine that has them; `--ptx` shows the PTX"}};
  }
  const Descriptor file = file_in_memory(cubin);
  if (!file) return Error{ErrorCode::io, fmt::format("the cubin could not be given to {}", words.front()), {}, {}};
  std::string text;
  int status = 0;
  if (const int error = run_tool(words, file, text, status); error != 0)
    return Error{ErrorCode::io, fmt::format("{} could not be started (error {})", words.front(), error), {}, {}};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status)) : fmt::format("signal {}", WTERMSIG(status));
  return Error{ErrorCode::io,
               fmt::format("{} did not show the cubin ({})", words.front(), how),
               {},
               text.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::string(utf8_prefix(text, 400))}};
}

}  // namespace tessera
