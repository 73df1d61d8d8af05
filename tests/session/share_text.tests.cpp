// SPDX-License-Identifier: BSD-3-Clause
// Share texts: what was written once opens for ever, and what was cut off or changed does not open.
#include "app/session/files/share_text.hpp"

#include <rapidcheck.h>

#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Written by the first version. It must open in every later one: this word is never made anew.
constexpr std::string_view kFirst =
    "tessera:1:IyBBIHRpbGUKbGV0IGRhdGEgPSAoNCw4KTooOCwxKQpsZXQgc21lbSA9IFN3PDIsMCwzPiBvIDAgbyBkYXRhICAjIMK1.aaca42b754232896";
constexpr std::string_view kFirstText = "# A tile\nlet data = (4,8):(8,1)\nlet smem = Sw<2,0,3> o 0 o data  # \xc2\xb5";

std::string refused(std::string_view text) {
  const Result<std::string> read = read_share_text(text);
  return read ? std::string() : read.error().message;
}

}  // namespace

TEST_CASE("the first share text opens, and its document gives it again") {
  const Result<std::string> read = read_share_text(kFirst);
  REQUIRE(read);
  CHECK(*read == kFirstText);
  CHECK(share_text(kFirstText) == kFirst);
}

TEST_CASE("every text comes back from its share text, which is one plain word") {
  CHECK(rc::check("read_share_text(share_text(t)) == t", [](const std::string& text) {
    const std::string word = share_text(text);
    RC_ASSERT(is_share_text(word));
    RC_ASSERT(word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:.") == std::string::npos);
    const Result<std::string> read = read_share_text(word);
    RC_ASSERT(bool(read));
    RC_ASSERT(*read == text);
  }));
}

TEST_CASE("no change of one sign is taken for another document") {
  CHECK(rc::check("a changed word is refused", [](const std::string& text) {
    std::string word = share_text(text);
    const std::size_t at = *rc::gen::inRange<std::size_t>(10, word.size());
    const char sign = *rc::gen::elementOf(std::string("ABab01-_.:%\xc3 "));
    RC_PRE(word[at] != sign);
    word[at] = sign;
    RC_ASSERT(!read_share_text(word));
  }));
}

TEST_CASE("a share text that was cut off anywhere is refused as cut off, once its version is there") {
  for (std::size_t length = 10; length < kFirst.size(); ++length) {
    INFO(length);
    CHECK(refused(kFirst.substr(0, length)) == "the share text was cut off: its end is missing");
  }
}

TEST_CASE("line ends and blanks in a share text do not count") {
  std::string wrapped = " \n";
  for (std::size_t i = 0; i < kFirst.size(); i += 20) wrapped += std::string(kFirst.substr(i, 20)) + "\r\n  ";
  REQUIRE(read_share_text(wrapped));
  CHECK(*read_share_text(wrapped) == kFirstText);
}

TEST_CASE("what is no share text, or of a later version, or too long, is refused with words of its own") {
  CHECK_FALSE(is_share_text("let tessera = 4:1"));
  CHECK_FALSE(is_share_text("tessera:x:AAAA"));
  CHECK_FALSE(is_share_text("tessera:1"));
  CHECK(is_share_text("  tessera:1:"));
  CHECK(is_share_text("tessera:27:AAAA"));
  CHECK(refused("hello").starts_with("this is no share text"));
  CHECK(refused("tessera:2:AAAA.0123456789abcdef") == "this share text is of version 2, and this program reads version 1");
  CHECK(refused(std::string(kFirst) + "x") == "the share text was changed: something stands behind its end");
  CHECK(refused("tessera:1:%AAA.0123456789abcdef") == "the share text was changed: '%' is no sign of one");
  CHECK(refused("tessera:1:" + std::string(32u << 20, 'A')).find("longer than") != std::string::npos);
}
