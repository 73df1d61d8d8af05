// SPDX-License-Identifier: BSD-3-Clause
// tessera-bench: operations of the algebra a second on one core, with and without the law check, beside the Python peer in the same run.
//
//   tessera-bench [--peer "python3 tests/bench/peer.py"]
//
// The inputs are rank-3 layouts written to a file that both sides read. A round times every operation once over all inputs, here and in
// the peer, one right after the other and on the same core: cores change their speed, and not together. The table gives the medians of the
// rounds, of the rates and of each round's ratio.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "tests/support/source_dir.hpp"

namespace {

using namespace tessera;

struct Input {
  Layout a, b;            // composition(a, b) is legal
  std::int64_t tile = 1;  // divides size(a)
};

constexpr int kRounds = 9;
constexpr int kPasses = 5;  // over the inputs in a round, here; the peer's one takes longer than all of them
constexpr std::size_t kInputs = 2000;

// Compact layouts of a few small extents in a random order of modes: what kernels are made of.
Layout random_compact(std::mt19937& random, std::vector<std::int64_t> extents) {
  std::vector<std::size_t> order{0, 1, 2};
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int64_t> strides(3);
  std::int64_t stride = 1;
  for (const std::size_t mode : order) {
    strides[mode] = stride;
    stride *= extents[mode];
  }
  return Layout::make(IntTuple::tuple({extents[0], extents[1], extents[2]}), IntTuple::tuple({strides[0], strides[1], strides[2]})).value();
}

std::vector<Input> make_inputs() {
  std::mt19937 random(20260101);
  const std::vector<std::int64_t> extents{2, 4, 8, 16};
  const auto pick = [&] { return extents[random() % extents.size()]; };
  std::vector<Input> inputs;
  while (inputs.size() < kInputs) {
    Input input;
    input.a = random_compact(random, {pick(), pick(), pick()});
    input.b = random_compact(random, {extents[random() % 2], extents[random() % 2], extents[random() % 2]});
    input.tile = extents[random() % 2];
    if (input.b.size() <= input.a.size() && composition(input.a, input.b)) inputs.push_back(std::move(input));
  }
  return inputs;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Operations a second over all inputs.
double rate(const std::vector<Input>& inputs, const std::function<bool(const Input&)>& operation) {
  std::size_t done = 0;
  const double time = seconds([&] {
    for (int pass = 0; pass < kPasses; ++pass) {
      for (const Input& input : inputs) done += operation(input);
    }
  });
  const std::size_t all = kPasses * inputs.size();
  if (done != all) {
    std::fprintf(stderr, "tessera-bench: %zu of %zu operations were refused\n", all - done, all);
    std::exit(1);
  }
  return static_cast<double>(all) / time;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// The peer prints "operation rate" lines for the same inputs.
std::map<std::string, double> peer_rates(const std::string& command, const std::vector<Input>& inputs) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "tessera-bench-inputs.txt";
  std::ofstream out(file);
  for (const Input& input : inputs) out << to_string(input.a) << ' ' << to_string(input.b) << ' ' << input.tile << '\n';
  out.close();
  std::map<std::string, double> rates;
  FILE* pipe = popen(fmt::format("{} {}", command, file.string()).c_str(), "r");
  char name[64];
  double value = 0;
  while (pipe != nullptr && std::fscanf(pipe, "%63s %lf", name, &value) == 2) rates[name] = value;
  if (pipe != nullptr) pclose(pipe);
  std::filesystem::remove(file);
  return rates;
}

}  // namespace

// The core that this process is on, for it and for the peer that it starts.
void stay_on_this_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &cores);
  sched_setaffinity(0, sizeof cores, &cores);  // where it is not allowed, the figures are only noisier
}

int main(int argc, char** argv) {
  stay_on_this_core();
  std::string peer = "python3 " + test::source_dir() + "/tests/bench/peer.py";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--peer") peer = argv[i + 1];
  }
  const std::vector<Input> inputs = make_inputs();
  struct Row {
    const char* name;
    std::function<bool(const Input&)> unchecked, checked;
  };
  const Row rows[] = {
      {"composition", [](const Input& i) { return composition_unchecked(i.a, i.b).has_value(); },
       [](const Input& i) { return composition(i.a, i.b).has_value(); }},
      {"complement", [](const Input& i) { return complement(i.b, i.a.size()).has_value(); }, {}},
      {"logical_divide", [](const Input& i) { return logical_divide(i.a, i.tile, Law::as_cute).has_value(); },
       [](const Input& i) { return logical_divide(i.a, i.tile, Law::checked).has_value(); }},
      {"right_inverse", [](const Input& i) { return right_inverse(i.a).has_value(); }, {}},
  };
  struct Rates {
    std::vector<double> unchecked, checked, peer, ratio;
  };
  std::map<std::string, Rates> measured;
  for (int round = 0; round < kRounds; ++round) {
    for (const Row& row : rows) {
      Rates& rates = measured[row.name];
      rates.unchecked.push_back(rate(inputs, row.unchecked));
      rates.checked.push_back(row.checked ? rate(inputs, row.checked) : rates.unchecked.back());
    }
    for (const auto& [name, peer_rate] : peer_rates(peer, inputs)) {
      Rates& rates = measured[name];
      rates.peer.push_back(peer_rate);
      rates.ratio.push_back(rates.checked.back() / peer_rate);
    }
  }
  fmt::print("{:<16}{:>16}{:>16}{:>16}{:>10}\n", "operation", "unchecked / s", "checked / s", "peer / s", "ratio");
  for (const Row& row : rows) {
    const Rates& rates = measured[row.name];
    fmt::print("{:<16}{:>16.0f}{:>16.0f}{:>16}{:>10}\n", row.name, median(rates.unchecked), median(rates.checked),
               rates.peer.empty() ? "not installed" : fmt::format("{:.0f}", median(rates.peer)),
               rates.peer.empty() ? "" : fmt::format("{:.0f}x", median(rates.ratio)));
  }
  return 0;
}
