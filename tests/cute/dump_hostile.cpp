// SPDX-License-Identifier: BSD-3-Clause
// What can go wrong while a program dumps: dump.py runs it with a word for each.
#include <tessera/dump.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using namespace cute;

template <class T>
void values(T const& tensor) {
  TESSERA_DUMP_VALUES(tensor, 100);
}

int main(int, char** argv) {
  const std::string word = argv[1];
  if (word == "many") {
    for (int i = 0; i < 12000; ++i) TESSERA_DUMP(make_shape(i, 8));
  } else if (word == "twice") {
    for (int i = 0; i < 12000; ++i) TESSERA_DUMP(make_shape(i % 3, 8));
  } else if (word == "threads") {
    std::thread threads[4];
    for (int t = 0; t < 4; ++t) {
      threads[t] = std::thread([t] {
        for (int i = 0; i < 500; ++i) TESSERA_DUMP(make_shape(i, t));
      });
    }
    for (std::thread& thread : threads) thread.join();
  } else if (word == "fork" || word == "quiet_fork") {
    int before = 1, after = 3;
    TESSERA_DUMP(before);
    if (fork() == 0) {
      int child = 2;
      if (word == "fork") TESSERA_DUMP(child);
      std::exit(0);
    }
    wait(nullptr);
    TESSERA_DUMP(after);
  } else if (word == "dies") {
    int before = 1;
    TESSERA_DUMP(before);
    _exit(3);
  } else if (word == "long") {
    auto many = make_tensor<float>(Shape<_8, _1024>{});
    clear(many);
    TESSERA_DUMP_VALUES(many, 8192);
  } else if (word == "names") {
    auto größe = make_layout(make_shape(4, 8));
    TESSERA_DUMP(größe);
    TESSERA_DUMP(std::string("a\"b\\\t\x01").size());
  } else if (word == "device") {
    values(make_tensor(make_gmem_ptr(reinterpret_cast<float*>(0x10000)), Layout<Shape<_4>>{}));
    values(make_tensor(make_gmem_ptr(subbyte_iterator<int4b_t>(reinterpret_cast<int4b_t*>(0x10000))), Layout<Shape<_4>>{}));
  } else if (word == "values") {
    float reals[] = {0.f, -0.f, 0.1f, 1.f / 3, NAN, INFINITY, -INFINITY, 1e-45f, 3.4028235e38f, 16777216.f, 1e6f, -2.5e-5f};
    values(make_tensor(&reals[0], Layout<Int<12>>{}));
    double doubles[] = {0.1, 5e-324, 1.7976931348623157e308, 123456789.125};
    values(make_tensor(&doubles[0], Layout<_4>{}));
    unsigned char bytes[] = {0, 255};
    values(make_tensor(&bytes[0], Layout<_2>{}));
    long long longs[] = {-9223372036854775807ll - 1, 9223372036854775807ll};
    values(make_tensor(&longs[0], Layout<_2>{}));
    auto four = make_tensor<int4b_t>(Shape<_4>{});
    for (int i = 0; i < 4; ++i) four(i) = int4b_t(i - 3);
    values(four);
    auto float4 = make_tensor<float_e2m1_t>(Shape<_2>{});
    float4(0) = float_e2m1_t(1.5f), float4(1) = float_e2m1_t(-6.f);
    values(float4);
    auto float8 = make_tensor<float_e4m3_t>(Shape<_2>{});
    float8(0) = float_e4m3_t(0.3f), float8(1) = float_e4m3_t(NAN);
    values(float8);
    auto brain = make_tensor<bfloat16_t>(Shape<_1>{});
    brain(0) = bfloat16_t(0.3f);
    values(brain);
    bool bools[] = {true, false};
    values(make_tensor(&bools[0], Layout<_2>{}));
    values(make_identity_tensor(Shape<_2, _2>{}));
  }
  return 0;
}
