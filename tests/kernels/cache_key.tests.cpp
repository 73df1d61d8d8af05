// SPDX-License-Identifier: BSD-3-Clause
// Keys: every field counts, their names lead nowhere, and two are compared in words.
#include "kernels/runtime/cache/cache_key.hpp"

#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;
using test::FakeCompiler;
using test::naive_gemm;

TEST_CASE("every field makes another key, and no two fields can be exchanged for each other") {
  FakeCompiler compiler;
  KernelSource source = naive_gemm(8, 8, 8);
  std::set<std::string> keys{key_name(cache_key(source, {90, 0}, compiler))};
  const auto is_new = [&] { return keys.insert(key_name(cache_key(source, {90, 0}, compiler))).second; };
  CHECK_FALSE(is_new());
  CHECK(keys.insert(key_name(cache_key(source, {90, 'a'}, compiler))).second);
  source.text += " ";
  CHECK(is_new());
  source.plan_text += " ";
  CHECK(is_new());
  source.entry += "x";
  CHECK(is_new());
  source.name += "x";
  CHECK(is_new());
  compiler.option_words = {"a", "b"};
  CHECK(is_new());
  compiler.version_text = "NVRTC 1";
  CHECK(is_new());
  CacheKey one = cache_key(source, {90, 0}, compiler), other = one;
  one[2].second = "x\ntext=1", one[3].second = "2";
  other[2].second = "x", other[3].second = "1\ntext=2";
  CHECK(key_name(one) != key_name(other));
}

TEST_CASE("a key's name is plain, and what is none is known for it") {
  FakeCompiler compiler;
  KernelSource source = naive_gemm(8, 8, 8);
  CHECK(is_key_name(key_name(cache_key(source, {90, 'a'}, compiler))));
  source.name = std::string(200, '/') + "..";
  const std::string long_name = key_name(cache_key(source, {90, 'a'}, compiler));
  CHECK(is_key_name(long_name));
  CHECK(long_name.starts_with(std::string(48, '_') + "-sm_90a-"));
  source.name.clear();
  CHECK(is_key_name(key_name(cache_key(source, {90, 'a'}, compiler))));
  for (const char* none : {"", "a", "a-b", "../a-sm_90-0123456789ab", "a-sm_90-0123456789AB", "a-sm_90-0123456789a", "a--0123456789ab",
                           "-sm_90-0123456789ab", "a-../-0123456789ab", "a-sm_90-0123456789ab\n", "a b-sm_90-0123456789ab"})
    CHECK_FALSE(is_key_name(none));
}

TEST_CASE("two keys differ in words: what is hashed by its name, what is short by both its values") {
  FakeCompiler compiler;
  KernelSource source = naive_gemm(8, 8, 8);
  const CacheKey was = cache_key(source, {80, 0}, compiler);
  CHECK(differences(was, was).fields.empty());
  CHECK(differences(was, was).words.empty());
  source.plan_text += "x";
  compiler.version_text = "NVRTC 12.9";
  const CacheKey is = cache_key(source, {80, 0}, compiler);
  CHECK(differences(was, is).words == "plan differs; NVRTC version was NVRTC 13.0, is NVRTC 12.9");
  CHECK(differences(was, is, Leniency::any_compiler).words == "plan differs");
  CHECK(differences(was, is, Leniency::any_compiler).fields == std::vector<std::string>{"plan"});
  CacheKey strange = was;
  strange[5].second = std::string(5000, 'x');
  CHECK(differences(strange, was).words.size() < 300);
  strange[5].second.clear();
  CHECK(differences(strange, was).words == "arch was nothing, is sm_80");
}
