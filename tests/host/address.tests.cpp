// SPDX-License-Identifier: BSD-3-Clause
// Places in shared memory, computed by the emitted text for every thread and coordinate: they are the layout's.
#include "kernels/codegen/address.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/device_functions.hpp"
#include "tests/host/kernel_library.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

struct Case {
  AnyLayout layout;  // (thr, (val, copy, k)) -> offset
  std::int64_t step = 1;
  std::int64_t extent(std::size_t mode) const { return plain_part(layout)[1][mode].size(); }
};

Case some_case(std::mt19937& random) {
  const auto pick = [&](const std::vector<std::int64_t>& from) { return from[random() % from.size()]; };
  const std::int64_t step = pick({1, 1, 2, 4}), vectors = pick({1, 2, 3});
  const std::vector<std::int64_t> strides{1, 2, 3, 4, 8, 16, 24, 32, 40, 64, 128};
  const auto stride = [&] { return step * pick(strides); };
  const Layout threads = support::layout(IntTuple::tuple({pick({1, 4, 8}), pick({1, 2, 3})}), IntTuple::tuple({stride(), stride()}));
  const Layout values = support::layout(IntTuple::tuple({step, vectors}), IntTuple::tuple({1, stride()}));
  const Layout plain =
      support::layout(IntTuple::tuple({threads.shape(), IntTuple::tuple({values.shape(), pick({1, 2, 4}), pick({1, 2, 3})})}),
                      IntTuple::tuple({threads.stride(), IntTuple::tuple({values.stride(), stride(), stride()})}));
  if (random() % 5 == 0) return {plain, step};
  // Elements of one vector stay together.
  const int base = step == 4 ? 2 : step == 2 ? 1 : static_cast<int>(random() % 3);
  const int bits = static_cast<int>(1 + random() % 3), shift = bits + static_cast<int>(random() % 2);
  const Swizzle swizzle = Swizzle::make(bits, base, random() % 4 ? shift : -shift).value();
  return {ComposedLayout{swizzle, static_cast<std::int64_t>(random() % 3) * 16, plain}, step};
}

// Is the offset inside a swizzle that of the mode's first element and the mode's own, for all threads?
bool adds_up(const Case& each, std::size_t mode) {
  const Layout rest = plain_part(each.layout)[1];
  for (std::int64_t thr = 0; thr < plain_part(each.layout)[0].size(); ++thr) {
    for (std::int64_t k = 0; k < rest[2].size(); ++k) {
      for (std::int64_t copy = 0; copy < rest[1].size(); ++copy) {
        for (std::int64_t val = 0; val < rest[0].size(); ++val) {
          const auto at = [&](std::int64_t v, std::int64_t c, std::int64_t i) {
            return evaluate(each.layout, thr, v + rest[0].size() * (c + rest[1].size() * i));
          };
          const std::int64_t there = mode == 0   ? at(0, copy, k) + rest[0](val)
                                     : mode == 1 ? at(val, 0, k) + rest[1](copy)
                                                 : at(val, copy, 0) + rest[2](k);
          if (at(val, copy, k) != there) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

TEST_CASE("an emitted address is the layout's offset for every thread and coordinate, and a table only where it has to be") {
  std::mt19937 random(9);
  std::vector<Case> cases;
  std::vector<KernelSource> sources;
  std::size_t tables = 0, sums = 0;
  for (int i = 0; i < 160; ++i) {
    cases.push_back(some_case(random));
    const Case& each = cases.back();
    const char* const variables[] = {"load", "copy", "k"};
    std::vector<emitting::AddressMode> modes;
    for (std::size_t mode = 0; mode < 3; ++mode) {
      const std::int64_t step = mode == 0 ? each.step : 1, visited = each.extent(mode) / step;
      modes.push_back({variables[mode], fmt::format("{}", visited), step});
    }
    const emitting::Address address("place", each.layout, modes);
    emitting::Needs needs;
    if (address.is_swizzled()) needs("swizzle");
    emitting::Lines lines(1);
    lines.open(fmt::format("for (int thr = 0; thr < {}; ++thr)", plain_part(each.layout)[0].size()));
    address.declare(lines, "");
    const std::string declared = lines.text();
    for (std::size_t mode = 3; mode-- > 0;) lines.loop(variables[mode], modes[mode].count, false);
    lines.add(fmt::format("*C++ = {};", address.at({"load", "copy", "k"})));
    for (int open = 0; open < 4; ++open) lines.close();
    for (std::size_t mode = 0; mode < 3; ++mode) {
      const bool is_table = declared.find(fmt::format("for (int {} = 0;", variables[mode])) != std::string::npos;
      INFO(declared << to_string(each.layout) << " by " << variables[mode]);
      CHECK(is_table == (each.extent(mode) > (mode == 0 ? each.step : 1) && !adds_up(each, mode)));
      (is_table ? tables : sums) += each.extent(mode) > (mode == 0 ? each.step : 1);
    }
    const emitting::DeviceFunctions functions = emitting::device_functions(std::move(needs), nullptr);
    KernelSource source;
    source.entry = "place", source.reference_entry = "none";
    source.text = functions.declarations + "extern \"C\" __global__ void place(const int*, const int*, int* C, float, float) {\n" +
                  lines.text() + "}\n" + functions.definitions;
    source.reference_text = "extern \"C\" __global__ void none(const int*, const int*, int* C, float, float) {\n}\n";
    sources.push_back(source);
  }
  CHECK(tables > 40);
  CHECK(sums > 40);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Layout plain = plain_part(cases[i].layout), rest = plain[1];
    std::vector<double> want;
    for (std::int64_t thr = 0; thr < plain[0].size(); ++thr) {
      for (std::int64_t x = 0; x < rest.size(); x += cases[i].step) want.push_back(static_cast<double>(evaluate(cases[i].layout, thr, x)));
    }
    std::vector<std::byte> a(4), b(4), c(4 * want.size());
    INFO(to_string(cases[i].layout) << "\n" << sources[i].text);
    const auto ran = host::run(library->kernel(i), {}, {a, b, c});
    if (!ran) FAIL(describe(ran.error()));
    CHECK(support::values_in(c, {"s32", 0, 4}) == want);
  }
}
