// SPDX-License-Identifier: BSD-3-Clause
// An entry's texts: every byte of the three is under a hash, and ages are words.
#include <string>
#include <utility>

#include "kernels/runtime/cache/cache_entry.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;

TEST_CASE("an entry with any byte changed, missing or more in any of its three texts is not taken") {
  test::FakeCompiler compiler;
  compiler.gives_ptx = true;
  const KernelSource source = test::naive_gemm(8, 8, 8);
  const CacheKey key = cache_key(source, {90, 'a'}, compiler);
  const Cubin cubin = compiler.compile(source, {90, 'a'}).value();
  const EntryTexts whole = make_entry(key, cubin, {1'700'000'000, "tessera 9", "8 x 8 x 8", "smem\t0\tbytes\n"});
  const Result<EntryRecord> record = check_entry(whole, true);
  REQUIRE(record.has_value());
  CHECK(record->key == key);
  CHECK(record->origin.made == 1'700'000'000);
  CHECK(cubin_of(*record, whole.cubin, {90, 'a'}).resources == cubin.resources);
  CHECK(read_record(whole.record).has_value());
  for (std::string EntryTexts::*part : {&EntryTexts::record, &EntryTexts::cubin, &EntryTexts::ptx}) {
    for (std::size_t at = 0; at < (whole.*part).size(); ++at) {
      INFO("byte " << at);
      EntryTexts changed = whole;
      (changed.*part)[at] = static_cast<char>((changed.*part)[at] ^ (1 << (at % 8)));
      REQUIRE_FALSE(check_entry(changed, true).has_value());
    }
    EntryTexts longer = whole, shorter = whole;
    (longer.*part) += " ", (shorter.*part).pop_back();
    CHECK_FALSE(check_entry(longer, true).has_value());
    CHECK_FALSE(check_entry(shorter, true).has_value());
  }
  EntryTexts without = whole;
  without.ptx.clear();
  CHECK(check_entry(without, false).has_value());  // what is launched needs no PTX
}

TEST_CASE("an entry of another format is told from a damaged one") {
  const Error other = read_record(R"({"key": {"schema": "2", "name": "x"}})").error();
  CHECK(other.code == ErrorCode::limit);
  CHECK(other.message == "it is of format 2, and this Tessera uses format 4");
  for (const char* bad : {"", "{", "[]", "{}", R"({"key": 5})", R"({"key": {"schema": 4}})", R"({"key": {"schema": "4", "name": "x"}})"})
    CHECK_FALSE(read_record(bad).has_value());
}

TEST_CASE("ages and dates are read by people") {
  for (const auto& [seconds, words] : {std::pair{-10, "just now"},
                                       {4, "just now"},
                                       {5, "5 seconds ago"},
                                       {60, "1 minute ago"},
                                       {3599, "59 minutes ago"},
                                       {7200, "2 hours ago"},
                                       {86400, "1 day ago"},
                                       {864000, "10 days ago"}})
    CHECK(age_in_words(seconds) == words);
  CHECK(date_in_words(0) == "1970-01-01 00:00:00 UTC");
  CHECK(date_in_words(1'700'000'000) == "2023-11-14 22:13:20 UTC");
}
