// SPDX-License-Identifier: BSD-3-Clause
// Output goes through descriptors rather than stdio, so that every error of every byte is seen where it happens.
#include "app/session/files/program.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/descriptor.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestSaid = 4000;    // bytes of a line on stderr
constexpr std::size_t kBuffered = 1 << 16;    // bytes of output
constexpr std::size_t kStackBytes = 8 << 20;  // what Linux gives by default, and the parser's deepest nesting is tested with

// However long a reader pauses. errno, or 0.
int write_all(int file, std::string_view bytes) { return write_whole(file, bytes, std::chrono::milliseconds::max()); }

struct Output {
  std::string buffer;
  int error = 0;  // errno of the first failure
  bool terminal = ::isatty(STDOUT_FILENO) == 1, used = false;

  void send(std::string_view bytes) {
    used = used || !bytes.empty();
    if (error == 0) error = write_all(STDOUT_FILENO, bytes);
  }
  void flush() {
    send(buffer);
    buffer.clear();
  }
};

Output& output() {
  static Output instance;
  return instance;
}

// A file opened later must not become stdin, stdout or stderr because the caller has closed those. What is opened here fails when it is
// used, as a closed one does.
void fill_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    const int opened = ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != file) {
      ::dup2(opened, file);
      ::close(opened);
    }
  }
}

// The last resort, where nothing may be allocated: an exception in a thread, or in a destructor.
const char* program_name = "";
[[noreturn]] void end_with_a_word() {
  const char* words = "an error that nobody expected";
  try {
    if (const std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
    words = "memory ran out";
  } catch (...) {
  }
  for (const char* part : {program_name, ": ", words, "\n"}) write_all(STDERR_FILENO, part);
  std::_Exit(static_cast<int>(Exit::environment));
}

int guarded(const std::function<int()>& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    say("limit: memory ran out\n  note: ask for less at once, or allow more (ulimit -v)");
  } catch (const std::system_error& error) {
    say(std::string("io: the system refused: ") + error.what());
  } catch (const std::exception& error) {
    say(std::string("an error that nobody expected: ") + error.what());
  } catch (...) {
    say("an error that nobody expected");
  }
  return static_cast<int>(Exit::environment);
}

// With the usual room for nested expressions, whatever `ulimit -s` says, here and in all threads.
int with_enough_stack(const std::function<int()>& body) {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return guarded(body);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  rlimit limit{};
  const bool enough = ::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStackBytes;
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
  if (enough) return guarded(body);
  int code = static_cast<int>(Exit::environment);
  return guarded([&] {
    std::thread([&] { code = guarded(body); }).join();
    return code;
  });
}

// Also what a file system says only when a file is closed.
int finish_output(int code) {
  Output& out = output();
  out.flush();
  if (out.error == 0 && out.used) {
    const int copy = ::dup(STDOUT_FILENO);
    if (copy >= 0 && ::close(copy) != 0) out.error = errno;
  }
  if (out.error == 0) return code;
  if (out.error != EPIPE) say(std::string("io: the output was not written: ") + std::strerror(out.error));
  return code == 0 ? static_cast<int>(Exit::refused) : code;
}

}  // namespace

int run_program(const char* name, const std::function<int()>& body) {
  program_name = name;
  std::set_terminate(end_with_a_word);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away, or a worker that dies, is an error to report and not an end
  fill_standard_files();
  return finish_output(with_enough_stack(body));
}

void write_output(std::string_view bytes) {
  Output& out = output();
  if (out.error != 0) return;
  if (out.terminal) return out.send(printable(bytes, Lines::kept));
  if (out.buffer.size() + bytes.size() >= kBuffered) out.flush();
  if (bytes.size() >= kBuffered) return out.send(bytes);
  out.buffer += bytes;
}

bool flush_output() {
  output().flush();
  return output().error == 0;
}

void say(std::string_view text) {
  const std::string shown = printable(text, Lines::kept);
  std::string lines;
  for (std::size_t begin = 0; begin <= shown.size();) {
    const std::size_t end = std::min(shown.find('\n', begin), shown.size());
    const std::string_view line = std::string_view(shown).substr(begin, end - begin), kept = utf8_prefix(line, kLongestSaid);
    if (begin > 0 && !line.empty() && line.front() != ' ') lines += "  ";
    lines += kept;
    if (kept.size() < line.size()) lines += "… (" + std::to_string(line.size()) + " bytes)";
    lines += '\n';
    begin = end + 1;
  }
  say_raw(lines);
}

void say_raw(std::string_view text) { write_all(STDERR_FILENO, text); }

}  // namespace tessera
