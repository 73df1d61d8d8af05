// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn, pipes and poll. All descriptors are close-on-exec, so no other child of this process holds a pipe open.
//
// The program dies with this process. PR_SET_PDEATHSIG would not do: it fires when the *thread* that started the child ends, and reaches
// the child alone, not ssh's or a wrapper's children. Instead /bin/sh runs the fixed text below: a background process reads from the
// lifeline, a pipe whose other end only this process has, and kills the group at its end; then the shell becomes the program. The
// lifeline is read before the program begins, so there is no moment at which a death goes unnoticed.
#include "kernels/runtime/worker/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>  // std::getenv
#include <cstring>  // strsignal, std::strerror
#include <optional>
#include <string>
#include <string_view>
#include <thread>  // std::this_thread::sleep_for
#include <utility>
#include <variant>
#include <vector>

#include "core/base/descriptor.hpp"

extern char** environ;

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds look_every(50);        // between two looks at a stop request
constexpr std::size_t kept_of_stderr = 4096;  // bytes
constexpr milliseconds death_limit(5000);     // for a killed process to go; one that waits for a driver may not
constexpr int lifeline_in_child = 3;

// The program and its arguments follow as "$@"; no word of theirs is read as shell text.
constexpr const char* launcher = "( exec <&3 >/dev/null 2>&1; read -r x; kill -9 0 ) & exec \"$@\" 3<&-";

struct Pipe {
  int read_end = -1, write_end = -1;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = away_from_standard(ends[0]), write_end = away_from_standard(ends[1]);
    return read_end >= 0 && write_end >= 0;
  }
  // Where this process was started without stdin, a new descriptor would be one of those that the child's are put upon.
  static int away_from_standard(int file) {
    if (file > lifeline_in_child) return file;
    const int other = ::fcntl(file, F_DUPFD_CLOEXEC, lifeline_in_child + 1);
    ::close(file);
    return other;
  }
  ~Pipe() {
    if (read_end >= 0) ::close(read_end);
    if (write_end >= 0) ::close(write_end);
  }
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

// Where the program is; nothing, with errno set, where it is not.
std::optional<std::string> find_program(const std::string& name) {
  const auto is_program = [](const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return false;
    const bool runs = S_ISREG(found.st_mode) && (found.st_mode & 0111) != 0 && ::access(path.c_str(), X_OK) == 0;
    if (!runs) errno = EACCES;
    return runs;
  };
  if (name.find('/') != std::string::npos) {
    if (!is_program(name)) return std::nullopt;
    return name.front() == '-' ? "./" + name : name;  // exec would take it for an option
  }
  const char* path = std::getenv("PATH");
  int reason = ENOENT;
  for (std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"; !name.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const std::string candidate = std::string(folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
    if (errno == EACCES) reason = EACCES;
    if (folder.size() == rest.size()) break;
    rest.remove_prefix(folder.size() + 1);
  }
  errno = reason;
  return std::nullopt;
}

struct ChildEnds {
  int in, out, err, lifeline;
};

int spawn(std::vector<std::string> arguments, const ChildEnds& ends, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends.in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends.err, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends.lifeline, lifeline_in_child);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&defaults, number);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  arguments.insert(arguments.begin(), {"/bin/sh", "-c", launcher, "sh"});
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  const int error = ::posix_spawn(&pid, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Error{ErrorCode::io, "no program was named to start", {}, {}};
  const auto not_started = [&](int error) {
    return Error{ErrorCode::io, fmt::format("the program '{}' could not be started: {}", arguments.front(), std::strerror(error)), {}, {}};
  };
  std::vector<std::string> found = arguments;
  if (const auto program = find_program(arguments.front()))
    found.front() = *program;
  else
    return not_started(errno);
  Pipe in, out, err, lifeline;
  if (!in.open() || !out.open() || !err.open() || !lifeline.open()) {
    return Error{ErrorCode::io, fmt::format("no pipe to a worker can be made: {}", std::strerror(errno)), {}, {}};
  }
  ChildProcess child;
  if (const int error = spawn(std::move(found), {in.read_end, out.write_end, err.write_end, lifeline.read_end}, child.pid_); error != 0) {
    child.pid_ = -1;
    return not_started(error);
  }
  for (const int end : {in.write_end, out.read_end, err.read_end}) ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
  child.to_ = std::exchange(in.write_end, -1), child.from_ = std::exchange(out.read_end, -1);
  child.errors_ = std::exchange(err.read_end, -1), child.lifeline_ = std::exchange(lifeline.write_end, -1);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      lifeline_(std::exchange(other.lifeline_, -1)),
      status_(other.status_),
      pending_(std::move(other.pending_)),
      taken_(std::exchange(other.taken_, 0)),
      stderr_tail_(std::move(other.stderr_tail_)),
      listener_(std::move(other.listener_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) (void)end(milliseconds(0));
}

void ChildProcess::close_all() {
  for (int* end : {&to_, &from_, &errors_, &lifeline_}) {
    if (*end >= 0) ::close(std::exchange(*end, -1));
  }
}

// Looks, and leaves an ended process to be reaped: its number stays taken, so that killing its group cannot hit another's.
bool ChildProcess::running() {
  if (pid_ <= 0 || status_) return false;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == EINTR;
  return info.si_pid == 0;
}

// Whether it is gone, within `patience`.
bool ChildProcess::reap(milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  for (;;) {
    int status = 0;
    const pid_t found = ::waitpid(pid_, &status, WNOHANG);
    if (found == pid_) status_ = status;
    if (found == pid_ || (found < 0 && errno != EINTR)) return true;
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
}

Status ChildProcess::write_line(const std::string& line, milliseconds limit) {
  const QuietWrites quiet;
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
    take_errors();  // a program that cannot write may not read either
    pollfd writable{to_, POLLOUT, 0};
    ::poll(&writable, 1, static_cast<int>(look_every.count()));
  }
  return Done{};
}

// One piece of what is there: a program that writes without end must not keep us.
void ChildProcess::take_errors() {
  std::array<char, 65536> buffer{};
  const ssize_t n = errors_ >= 0 ? ::read(errors_, buffer.data(), buffer.size()) : -1;
  if (n == 0) ::close(std::exchange(errors_, -1));
  if (n <= 0) return;
  if (listener_) listener_(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  stderr_tail_.append(buffer.data(), static_cast<std::size_t>(n));
  if (stderr_tail_.size() > kept_of_stderr) stderr_tail_.erase(0, stderr_tail_.size() - kept_of_stderr);
}

std::variant<std::string, ChildProcess::Silence> ChildProcess::read_line(milliseconds limit, std::size_t most_bytes,
                                                                         const std::stop_token& stop) {
  const auto deadline = Clock::now() + limit;
  std::size_t searched = taken_;
  for (;;) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      if (end - taken_ > most_bytes) return Silence::too_long;
      std::string line;
      if (taken_ == 0 && end + 1 == pending_.size()) {  // a long line is not copied
        pending_.pop_back();
        line = std::exchange(pending_, {});
      } else {
        line = pending_.substr(taken_, end - taken_);
        taken_ = end + 1;
      }
      return line;
    }
    pending_.erase(0, std::exchange(taken_, 0));
    if (pending_.size() > most_bytes) return Silence::too_long;
    searched = pending_.size();
    if (stop.stop_requested()) return Silence::stopped;
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return Silence::timed_out;
    std::array<pollfd, 2> ready{{{from_, POLLIN, 0}, {errors_, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), static_cast<int>(std::min(look_every, left).count()));
    take_errors();
    std::array<char, 65536> buffer{};
    const ssize_t n = ::read(from_, buffer.data(), buffer.size());
    if (n > 0) pending_.append(buffer.data(), static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return Silence::closed;
  }
}

std::string ChildProcess::end(milliseconds patience) {
  if (to_ >= 0) ::close(std::exchange(to_, -1));
  const auto deadline = Clock::now() + patience;
  while (running() && Clock::now() < deadline) {
    take_errors();
    std::this_thread::sleep_for(milliseconds(5));
  }
  const bool killed = running();
  if (pid_ > 0) ::kill(-pid_, SIGKILL);  // with its children, also those that outlived it
  const bool gone = pid_ <= 0 || reap(death_limit);
  for (int i = 0; i < 4; ++i) take_errors();  // what a pipe holds
  close_all();
  pid_ = -1;
  if (!gone) return "was killed, and has not gone: its machine's driver may hang";
  return killed ? "was ended by force" : ending_in_words(status_.value_or(0));
}

std::string ChildProcess::last_words() const {
  const std::size_t last = stderr_tail_.find_last_not_of(" \n\r\t");
  if (last == std::string::npos) return {};
  const std::string text = stderr_tail_.substr(0, last + 1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace tessera
