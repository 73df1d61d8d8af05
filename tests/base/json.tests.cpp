// SPDX-License-Identifier: BSD-3-Clause
// JSON that is read within bounds, refused by place and rule, and written back.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"

#include <sys/resource.h>

#include <fmt/format.h>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Result<Json> read(std::string_view text, const JsonBounds& bounds = kRequestJson) {
  return parse_json(text, bounds, ErrorCode::bad_message);
}

std::string refused(std::string_view text, const JsonBounds& bounds = kRequestJson) {
  const Result<Json> json = read(text, bounds);
  if (json) return "";
  CHECK(json.error().message.size() < 300);
  return json.error().message;
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::int64_t peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

TEST_CASE("JSON that is read and written has the same values in the same order") {
  for (const char* text : {"null", "true", "-5", "18446744073709551615", "-9223372036854775808", "0.1", "1e+300", "\"a\\\"b\\u001b\"", "[]",
                           "{}", "[1,[2,{\"b\":[],\"a\":{}}],\"x\"]", "{\"z\":1,\"a\":[true,null]}", "1.0"}) {
    INFO(text);
    const Result<Json> json = read(text);
    REQUIRE(json.has_value());
    CHECK(json->dump() == text);
    CHECK(read(json->dump(2))->dump() == text);
  }
  CHECK(Json::object({{"a", 1}, {"b", Json::List{1.5, "x", nullptr}}}).dump(2) ==
        "{\n  \"a\": 1,\n  \"b\": [\n    1.5,\n    \"x\",\n    null\n  ]\n}");
  CHECK(Json(std::vector<std::string>{"a", "b"}).dump() == "[\"a\",\"b\"]");
  CHECK(Json(std::optional<double>{}).dump() == "null");
  CHECK(Json(std::numeric_limits<double>::infinity()).dump() == "null");
  CHECK(Json("bad \xff byte").dump() == "\"bad \xef\xbf\xbd byte\"");
}

TEST_CASE("every value knows the bytes where it stood") {
  const std::string text = " { \"a\" : [ 12 , -3.5e2,\"q\\\"\" ] ,\t\"b\":true}";
  const Result<Json> json = read(text);
  REQUIRE(json.has_value());
  const auto shown = [&](const Json& value) { return text.substr(value.place().begin, value.place().end - value.place().begin); };
  CHECK(shown(*json) == "{ \"a\" : [ 12 , -3.5e2,\"q\\\"\" ] ,\t\"b\":true}");
  const Json::List& list = *json->find("a")->list();
  CHECK(shown(*json->find("a")) == "[ 12 , -3.5e2,\"q\\\"\" ]");
  CHECK(shown(list[0]) == "12");
  CHECK(shown(list[1]) == "-3.5e2");
  CHECK(shown(list[2]) == "\"q\\\"\"");
  CHECK(shown(*json->find("b")) == "true");
  CHECK(read("17")->place() == SourceSpan{0, 2});
}

TEST_CASE("nesting is bounded while it is read, whatever is nested and however it ends") {
  const std::string deepest = repeated("[", kDeepestJson) + repeated("]", kDeepestJson);
  CHECK(read(deepest).has_value());
  CHECK(read(deepest)->dump() == deepest);
  for (const std::string& text : {"[" + deepest + "]", repeated("[", 75000), repeated("[", 75000) + repeated("]", 75000),
                                  repeated("{\"a\":", 75000) + "1" + repeated("}", 75000), repeated("[{\"a\":", 500000)}) {
    CHECK(read(text).error().code == ErrorCode::limit);
    CHECK(refused(text).find("nested more than 64 deep") != std::string::npos);
  }
  CHECK(refused(repeated("[", 75000)).starts_with("byte 64: "));
}

TEST_CASE("bytes, values, texts and numbers are bounded, and the bound is said") {
  CHECK(refused(std::string(kRequestJson.bytes + 1, ' ')) == "the text has more than 8388608 bytes");
  CHECK(read("[" + repeated("1,", kRequestJson.values - 2) + "1]").has_value());
  CHECK(refused("[" + repeated("1,", kRequestJson.values - 1) + "1]").find("more than 65536 values") != std::string::npos);
  CHECK(read("\"" + std::string(kLongestJsonToken - 2, 'x') + "\"", kAnswerJson).has_value());
  CHECK(refused("[1,  \"" + std::string(kLongestJsonToken + 5, 'x') + "\"]", kAnswerJson).starts_with("byte 5: a single text"));
  CHECK(refused("[" + std::string(kLongestJsonToken + 5, '7') + "]", kAnswerJson).find("a single text or number") != std::string::npos);
  CHECK(refused("0." + std::string(500, '7')).find("a number has 502 characters") != std::string::npos);
}

TEST_CASE("a number that 64 bits or a double do not hold is refused, not rounded") {
  CHECK(read("9223372036854775808")->whole<std::uint64_t>() == 9223372036854775808u);
  CHECK_FALSE(read("9223372036854775808")->whole<std::int64_t>());
  CHECK_FALSE(read("4294967296")->whole<int>());
  CHECK_FALSE(read("1.0")->whole<int>());
  CHECK(refused("18446744073709551616").find("18446744073709551616 does not fit 64 bits") != std::string::npos);
  CHECK(refused("-9223372036854775809").find("does not fit 64 bits") != std::string::npos);
  CHECK(refused("[1e999]").find("too large for a double") != std::string::npos);
  CHECK(refused("-1e999").find("too large for a double") != std::string::npos);
  CHECK(refused(std::string(400, '9')).find("too large for a double") != std::string::npos);
  CHECK(refused("1e-999").find("too small for a double") != std::string::npos);
  CHECK(read("0e-999")->number() == 0.0);
  CHECK(refused("NaN") != "");
  CHECK(refused("[Infinity]") != "");
}

TEST_CASE("what is no JSON is refused with its byte, the rule and a short quotation") {
  CHECK(refused("").starts_with("byte 0: this is not JSON"));
  CHECK(refused("{\"a\":tru}") == "byte 5: this is not JSON: invalid literal, near 'tru}'");
  CHECK(refused("[1,2").starts_with("byte 4: this is not JSON"));
  CHECK(refused("[1] [2]").starts_with("byte 4: this is not JSON"));
  CHECK(refused("\"\x1b[31m\"").find('\x1b') == std::string::npos);
  CHECK(refused("\"\xff\"").find("ill-formed UTF-8") != std::string::npos);
  CHECK(refused("{'a':1}") != "");
  CHECK(refused("[1,]") != "");
  CHECK(refused("// a comment\n1") != "");
  CHECK(refused("[\"" + std::string(5000, 'x')).find(std::string(41, 'x')) == std::string::npos);
}

TEST_CASE("an object that says a name twice is refused, with few members and with many") {
  CHECK(refused(R"({"a":1,"b":2,"a":3})").find("says \"a\" twice") != std::string::npos);
  CHECK(refused("{\"a\":1,\"\\u0061\":3}").find("says \"a\" twice") != std::string::npos);
  std::string many = "{\"a\":0";
  for (int i = 0; i < 1000; ++i) many += fmt::format(",\"k{}\":{}", i, i);
  CHECK(read(many + "}").has_value());
  CHECK(refused(many + ",\"k500\":1}").find("says \"k500\" twice") != std::string::npos);
  CHECK(read(R"([{"a":1},{"a":1}])").has_value());
}

TEST_CASE("a reader keeps the first field that is wrong, and reads the others as their empty value") {
  const Json json = read(R"({"name":"m","n":5,"wide":4294967296,"part":1.9,"flag":1,"list":[1,"x"],"sub":{"x":-1}})").value();
  const auto wrong = [&](auto take) {
    JsonReader in(ErrorCode::corrupt, "the record cannot be read");
    take(in);
    REQUIRE(in.failed());
    CHECK(in.done(0).error().code == ErrorCode::corrupt);
    return in.error().message;
  };
  JsonReader in(ErrorCode::corrupt, "the record cannot be read");
  CHECK(in.text(json, "name") == "m");
  CHECK(in.whole<int>(json, "n") == 5);
  CHECK(in.number(json, "n") == 5.0);
  CHECK(in.whole_or<int>(json, "absent", 7) == 7);
  CHECK(in.whole<int>(in.object(json, "sub"), "x") == -1);
  CHECK(in.done(1).has_value());
  CHECK(wrong([&](JsonReader& r) { r.text(json, "absent"); }) == "the record cannot be read: the field 'absent' is missing (byte 0)");
  CHECK(wrong([&](JsonReader& r) { r.whole<int>(json, "wide"); }) ==
        "the record cannot be read: 'wide' must be a whole number from -2147483648 to 2147483647, and is 4294967296 (byte 25)");
  CHECK(wrong([&](JsonReader& r) { r.whole<int>(json, "part"); }).find("and is 1.9") != std::string::npos);
  CHECK(wrong([&](JsonReader& r) { r.truth(json, "flag"); }).find("'flag' must be true or false, and is 1") != std::string::npos);
  CHECK(wrong([&](JsonReader& r) { r.texts(json, "list"); }).find("'list' must be a string, and is 1") != std::string::npos);
  CHECK(wrong([&](JsonReader& r) { r.text(json, "sub"); }).find("and is an object") != std::string::npos);
  CHECK(wrong([&](JsonReader& r) { r.number(r.object(json, "sub"), "x", 0, 10); }).find("a number from 0 to 10, and is -1") !=
        std::string::npos);
  CHECK(wrong([&](JsonReader& r) { r.list(json, "list", 1); }).find("'list' has 2 items; up to 1 are read") != std::string::npos);
  CHECK(wrong([&](JsonReader& r) {
          CHECK(r.text(r.object(json, "absent"), "x").empty());
          r.text(json, "n");
        }).find("'absent' is missing") != std::string::npos);
}

TEST_CASE("a foreign value is quoted by at most forty printable characters") {
  JsonReader in(ErrorCode::corrupt, "x");
  in.truth(read("{\"a\":\"" + std::string(100000, 'y') + "\"}").value(), "a");
  CHECK(in.error().message.size() < 120);
  JsonReader coloured(ErrorCode::corrupt, "x");
  coloured.truth(read("{\"a\":\"\\u001b[31m\"}").value(), "a");
  CHECK(coloured.error().message.find('\x1b') == std::string::npos);
}

TEST_CASE("reading costs a small multiple of the text's bytes, whatever is in it") {
  const std::int64_t before = peak_kib();
  const std::size_t bytes = kAnswerJson.bytes;
  std::vector<std::string> texts;
  for (const char* piece : {"[],", "{},", "1,", "\"\",", "\"\\u001b\",", "[[[[", "{\"a\":", "\x1b", "9", "\"x", "{\"a\":1,"}) {
    std::string text = "[" + repeated(piece, (bytes - 2) / std::string_view(piece).size());
    (void)read(text, kAnswerJson);
  }
  (void)read("\"" + std::string(bytes - 2, 'x'), kAnswerJson);
  const std::int64_t more = peak_kib() - before;
  INFO(more << " KiB more than before");
#ifndef __SANITIZE_ADDRESS__  // its own bookkeeping is larger than what is measured
  CHECK(more < 6 * static_cast<std::int64_t>(bytes / 1024));
#endif
}

TEST_CASE("a refusal that names a byte can be given the line, and any other stays as it is") {
  const auto line = [](std::string_view text) { return with_line(read(text).error(), text).message; };
  CHECK(line("{\"a\": 1,\n\n  ?}").starts_with("line 3: byte 12: "));
  CHECK(line("?").starts_with("line 1: byte 0: "));
  CHECK(line("[1,\n\"byte 0: \" 2]").starts_with("line 2: byte 15: "));
  const std::string_view text = "{\n\"a\": \"one\"\n}";
  JsonReader in(ErrorCode::corrupt, "no");
  in.whole<int>(*read(text), "a");
  CHECK(with_line(in.error(), text).message.starts_with("line 2: no: 'a' must be"));
  CHECK(with_line(Error{ErrorCode::corrupt, "another thing", {}, {}}, text).message == "another thing");
  CHECK(with_line(Error{ErrorCode::corrupt, "a byte of it", {}, {}}, text).message == "a byte of it");
}
