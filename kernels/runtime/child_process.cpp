// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn, pipes and poll. All descriptors are close-on-exec, so no other child of this process holds a pipe open.
#include "kernels/runtime/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>  // strsignal, std::strerror
#include <ctime>
#include <thread>  // std::this_thread::sleep_for
#include <utility>

extern char** environ;

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds slice(50);                // between two looks at a stop request
constexpr std::size_t longest_line = 64u << 20;  // bytes: a line beyond it is not of the protocol
constexpr std::size_t kept_of_stderr = 4096;     // bytes

struct Pipe {
  int read_end = -1, write_end = -1;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = ends[0], write_end = ends[1];
    return true;
  }
  ~Pipe() {
    if (read_end >= 0) ::close(read_end);
    if (write_end >= 0) ::close(write_end);
  }
};

// Keeps SIGPIPE from this thread while it writes; one that our own write raised is taken off again.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    const timespec at_once{0, 0};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

std::string ending_in_words(int status) {
  const auto by_signal = [](int number) { return fmt::format("was killed by signal {} ({})", number, strsignal(number)); };
  if (WIFSIGNALED(status)) return by_signal(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (code > 128 && code < 128 + 65) return by_signal(code - 128);  // a shell's way to report it
  if (code == 127) return "could not be started: the command was not found";
  if (code == 126) return "could not be started: the command is not a program";
  return fmt::format("ended with exit code {}", code);
}

int spawn(std::vector<std::string> arguments, int in, int out, int err, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  const int error = ::posix_spawnp(&pid, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Error{ErrorCode::io, "no program was named to start", {}, {}};
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open()) {
    return Error{ErrorCode::io, fmt::format("no pipe to a worker can be made: {}", std::strerror(errno)), {}, {}};
  }
  pid_t pid = -1;
  if (const int error = spawn(arguments, in.read_end, out.write_end, err.write_end, pid); error != 0) {
    return Error{ErrorCode::io, fmt::format("the program '{}' could not be started: {}", arguments.front(), std::strerror(error)), {}, {}};
  }
  for (const int end : {in.write_end, out.read_end, err.read_end}) ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
  return ChildProcess(pid, std::exchange(in.write_end, -1), std::exchange(out.read_end, -1), std::exchange(err.read_end, -1));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      status_(other.status_),
      pending_(std::move(other.pending_)),
      stderr_tail_(std::move(other.stderr_tail_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) (void)end(milliseconds(0));
}

void ChildProcess::close_all() {
  for (int* end : {&to_, &from_, &errors_}) {
    if (*end >= 0) ::close(std::exchange(*end, -1));
  }
}

bool ChildProcess::running() {
  if (pid_ <= 0 || status_) return false;
  int status = 0;
  const pid_t found = ::waitpid(pid_, &status, WNOHANG);
  if (found == pid_) status_ = status;
  return found == 0;
}

Status ChildProcess::write_line(const std::string& line, milliseconds limit) {
  const NoSigpipe guard;
  const std::string text = line + "\n";
  const auto deadline = Clock::now() + limit;
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = ::write(to_, text.data() + written, text.size() - written);
    if (n > 0) {
      written += static_cast<std::size_t>(n);
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) return Error{ErrorCode::io, fmt::format("the worker does not read: {}", std::strerror(errno)), {}, {}};
    if (Clock::now() > deadline) return Error{ErrorCode::timed_out, "the worker does not read its requests", {}, {}};
    pollfd writable{to_, POLLOUT, 0};
    ::poll(&writable, 1, static_cast<int>(slice.count()));
  }
  return Done{};
}

void ChildProcess::take_errors() {
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; errors_ >= 0 && (n = ::read(errors_, buffer.data(), buffer.size())) > 0;) {
    stderr_tail_.append(buffer.data(), static_cast<std::size_t>(n));
    if (stderr_tail_.size() > kept_of_stderr) stderr_tail_.erase(0, stderr_tail_.size() - kept_of_stderr);
  }
}

std::variant<std::string, ChildProcess::Silence> ChildProcess::read_line(milliseconds limit, const std::stop_token& stop) {
  const auto deadline = Clock::now() + limit;
  std::size_t searched = 0;
  for (;;) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    searched = pending_.size();
    if (stop.stop_requested()) return Silence::stopped;
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return Silence::timed_out;
    std::array<pollfd, 2> ready{{{from_, POLLIN, 0}, {errors_, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), static_cast<int>(std::min(slice, left).count()));
    take_errors();
    if ((ready[1].revents & POLLHUP) != 0 && (ready[1].revents & POLLIN) == 0) ::close(std::exchange(errors_, -1));
    std::array<char, 65536> buffer{};
    const ssize_t n = ::read(from_, buffer.data(), buffer.size());
    if (n > 0) pending_.append(buffer.data(), static_cast<std::size_t>(n));
    if (n == 0 || pending_.size() > longest_line) return Silence::closed;
  }
}

std::string ChildProcess::end(milliseconds patience) {
  if (to_ >= 0) ::close(std::exchange(to_, -1));
  const auto deadline = Clock::now() + patience;
  bool killed = false;
  while (running()) {
    take_errors();
    if (Clock::now() >= deadline) {
      ::kill(-pid_, SIGKILL);
      killed = true;
      int status = 0;
      while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
      status_ = status;
      break;
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  if (pid_ > 0) ::kill(-pid_, SIGKILL);  // children that outlived their shell
  take_errors();
  close_all();
  pid_ = -1;
  return killed ? "was ended by force" : ending_in_words(status_.value_or(0));
}

std::string ChildProcess::last_words() const {
  const std::size_t last = stderr_tail_.find_last_not_of(" \n\r\t");
  if (last == std::string::npos) return {};
  const std::string text = stderr_tail_.substr(0, last + 1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace tessera
