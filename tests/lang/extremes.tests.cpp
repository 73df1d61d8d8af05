// SPDX-License-Identifier: BSD-3-Clause
// Every function of the language with the ends of the range of integers at every place where it takes an integer.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/programs/evaluate.hpp"

namespace {

using namespace tessera;

// One value of each kind that functions take.
const std::vector<std::string> kKinds{"1",
                                      "16",
                                      "(4,8):(8,1)",
                                      "(2,2)",
                                      "(0,_)",
                                      "Sw<2,1,3>",
                                      "Sw<2,1,3> o 0 o (8,8):(8,1)",
                                      "\"f16\"",
                                      "\"ONE\"",
                                      "SM80_16x8x16_F32F16F16F32_TN",
                                      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)",
                                      "Copy_Atom<SM75_U32x4_LDSM_N,half_t>",
                                      "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>,half_t>, (16,8):(8,1), (1,8))"};

const std::vector<std::string> kExtremes{"9223372036854775807", "-9223372036854775808", "-1", "0", "4611686018427387904"};

constexpr std::size_t kMostSeeds = 6;  // calls of a function that the extremes are put into

std::vector<std::string> parameters_of(std::string_view signature) {
  std::vector<std::string> names;
  const std::size_t open = signature.find('(');
  std::string name;
  int depth = 0;
  for (const char c : signature.substr(open + 1, signature.rfind(')') - open - 1)) {
    if (c == ',' && depth == 0) {
      names.push_back(std::exchange(name, {}));
    } else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      name += c;
    }
  }
  if (!name.empty()) names.push_back(name);
  return names;
}

std::string call_text(std::string_view function, const std::vector<std::string>& arguments) {
  std::string text(function);
  text += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i ? ", " : "") + arguments[i];
  return text + ')';
}

// Argument lists of this length that the function answers.
void find_seeds(std::string_view function, std::size_t length, std::vector<std::string>& arguments,
                std::vector<std::vector<std::string>>& seeds) {
  if (seeds.size() >= kMostSeeds) return;
  if (arguments.size() == length) {
    if (evaluate(call_text(function, arguments))) seeds.push_back(arguments);
    return;
  }
  for (const std::string& kind : kKinds) {
    arguments.push_back(kind);
    find_seeds(function, length, arguments, seeds);
    arguments.pop_back();
  }
}

// Answered, or refused in words.
bool stands(const std::string& text) {
  std::vector<Error> warnings;
  const Result<Value> made = evaluate(text, {}, &warnings);
  return made ? !to_string(*made).empty() : !made.error().message.empty();
}

}  // namespace

TEST_CASE("every function answers or refuses the ends of the range of integers, wherever it takes an integer") {
  std::size_t functions = 0, calls = 0;
  for (const BuiltinHelp& builtin : builtins()) {
    const std::vector<std::string> parameters = parameters_of(builtin.signature);
    const std::size_t longest = std::min<std::size_t>(parameters.size() + (builtin.signature.find("...") != std::string_view::npos), 4);
    std::vector<std::vector<std::string>> seeds;
    for (std::size_t length = 1; length <= longest; ++length) {
      std::vector<std::vector<std::string>> found;
      std::vector<std::string> arguments;
      find_seeds(builtin.name, length, arguments, found);
      seeds.insert(seeds.end(), found.begin(), found.end());
    }
    functions += !seeds.empty();
    for (const std::vector<std::string>& seed : seeds) {
      for (std::size_t place = 0; place < seed.size(); ++place) {
        for (const std::string& extreme : kExtremes) {
          for (const std::string& form : {extreme, "(" + extreme + ",1)", "(_," + extreme + ")", "8:" + extreme,
                                          "(2,2):(1," + extreme + ")", "((1," + extreme + "),_)"}) {
            std::vector<std::string> arguments = seed;
            arguments[place] = form;
            const std::string text = call_text(builtin.name, arguments);
            INFO(text);
            ++calls;
            if (!stands(text)) FAIL("neither a value nor a refusal");
          }
        }
      }
    }
  }
  CHECK(functions > 100);
  CHECK(calls > 10000);
}

TEST_CASE("the number of a mode is tested without adding to it") {
  for (const char* text :
       {"select((2,4), 9223372036854775807)", "select((2,4):(1,2), -9223372036854775808)", "get((2,4), 9223372036854775807)",
        "take((2,4):(1,2), 0, 9223372036854775807)", "group((2,4), 9223372036854775807, -9223372036854775808)"}) {
    const Result<Value> made = evaluate(text);
    INFO(text);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::out_of_range);
  }
}
