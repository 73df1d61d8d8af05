// SPDX-License-Identifier: BSD-3-Clause
// Catch2's main, compiled once for all test programs.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <pthread.h>

#include <cstddef>

namespace {

struct Arguments {
  int count;
  char** values;
  int code = 2;
};

void* run(void* given) {
  auto& arguments = *static_cast<Arguments*>(given);
  arguments.code = Catch::Session().run(arguments.count, arguments.values);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments{argc, argv};
#ifdef TESSERA_LARGE_STACK  // the sanitizers do not look at this source, and so it cannot ask for __SANITIZE_ADDRESS__
  // The frame of a function is up to ten times as large under the sanitizers, and brackets may be nested 256 deep: a thread has the stack
  // that it asks for, whatever `ulimit -s` allows.
  constexpr std::size_t kStackBytes = std::size_t{64} << 20;
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
      pthread_create(&thread, &attributes, run, &arguments) == 0) {
    pthread_join(thread, nullptr);
    return arguments.code;
  }
#endif
  run(&arguments);
  return arguments.code;
}
