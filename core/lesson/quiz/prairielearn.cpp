// SPDX-License-Identifier: BSD-3-Clause
// Questions of PrairieLearn, https://prairielearn.readthedocs.io/en/latest/question/: what reads and grades is prairielearn_server.py,
// which is taken into the program by the assembler and stands in each question with its variants behind it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/embedded_file.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/quiz/quiz.hpp"

TESSERA_EMBED(tessera_prairielearn_server, TESSERA_LESSON_QUIZ "/prairielearn_server.py");

namespace tessera::lesson {
namespace {

std::vector<std::int64_t> numbers_of(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return tuple ? leaf_values(*tuple) : std::vector<std::int64_t>();
}

// The things of an order, as text, in the order of `numbers`.
std::vector<std::string> in_order(const Expected& expected, const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> made;
  for (const std::int64_t each : numbers)
    made.push_back(expected.options.empty() ? std::to_string(each) : expected.options[static_cast<std::size_t>(each - 1)]);
  return made;
}

std::string without_ticks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  return std::string(trimmed(text));
}

// PrairieLearn's blocks are told apart by their words.
bool has_blocks(const QuizQuestion& question) {
  if (question.kind != Kind::order) return false;
  return std::all_of(question.variants.begin(), question.variants.end(), [](const QuizVariant& each) {
    std::set<std::string> words;
    const std::vector<std::string> all = in_order(each.question.expected, numbers_of(each.question.wanted));
    for (const std::string& block : all) words.insert(without_ticks(block));
    return words.size() == all.size();
  });
}

Json choices_of(const QuizVariant& variant) {
  const std::vector<std::string> options =
      variant.question.options.empty() ? std::vector<std::string>{"yes", "no"} : variant.question.options;
  const std::int64_t right = numbers_of(variant.question.wanted).at(0);
  Json::List made;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i) + 1;
    std::string hint;
    for (std::size_t k = 0; k < variant.hints.size() && hint.empty(); ++k) {
      if (numbers_of(variant.question.wrong[k]).at(0) == number) hint = words_html(variant.hints[k]);
    }
    made.push_back(
        Json::object({{"html", words_html(options[i])}, {"correct", number == right ? "true" : "false"}, {"hint", std::move(hint)}}));
  }
  return Json(std::move(made));
}

Json blocks_of(const QuizVariant& variant) {
  Json::List made;
  for (const std::string& each : in_order(variant.question.expected, numbers_of(variant.question.wanted)))
    made.push_back(Json::object({{"html", words_html(each)}}));
  return Json(std::move(made));
}

// What server.py knows of a variant.
Json variant_json(const QuizQuestion& question, const QuizVariant& variant, bool is_blocks) {
  Json::Members made{{"seed", variant.question.seed}, {"prompt_html", words_html(variant.question.prompt)}};
  if (question.kind == Kind::choice) {
    made.push_back({"choices", choices_of(variant)});
    return Json::object(std::move(made));
  }
  const Expected& expected = variant.question.expected;
  Json::List wrong;
  if (is_blocks) {
    made.push_back({"blocks", blocks_of(variant)});
    for (std::size_t i = 0; i < variant.hints.size(); ++i) {
      Json::List order;
      for (std::string& each : in_order(expected, numbers_of(variant.question.wrong[i]))) order.push_back(without_ticks(std::move(each)));
      wrong.push_back(Json::object({{"order", std::move(order)}, {"hint", variant.hints[i]}}));
    }
  } else {
    made.push_back({"answer", *variant.data.find("answer")});
    for (const char* name : {"want", "shape", "modes"}) {
      if (const Json* found = variant.data.find(name)) made.push_back({name, *found});
    }
    for (const Json& each : *variant.data.find("wrong")->list()) {
      const auto number = each.find("wrong")->whole<std::size_t>().value_or(1);
      wrong.push_back(Json::object({{"answer", written_answer(expected, variant.question.wrong[number - 1])},
                                    {"want", *each.find("want")},
                                    {"hint", *each.find("hint")}}));
    }
  }
  made.push_back({"wrong", std::move(wrong)});
  return Json::object(std::move(made));
}

// JSON that may stand between r''' and ''': ASCII alone, without a '.
std::string python_safe(const std::string& json) {
  std::string made;
  for (std::string_view rest = json; !rest.empty();) {
    const Utf8Character character = first_character(rest);
    const auto code = static_cast<std::uint32_t>(character.code);
    if (code >= 0x10000)
      made += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    else if (code >= 0x7f || code == '\'')
      made += fmt::format("\\u{:04x}", code);
    else
      made += static_cast<char>(code);
    rest.remove_prefix(character.length);
  }
  return made;
}

std::string server_py(const QuizQuestion& question, bool is_blocks) {
  std::string made(TESSERA_EMBEDDED(tessera_prairielearn_server));
  made += fmt::format("KIND = \"{}\"\nVARIANTS = json.loads(r'''[\n", name_of(question.kind));
  for (std::size_t i = 0; i < question.variants.size(); ++i)
    made += (i == 0 ? "" : ",\n") + python_safe(variant_json(question, question.variants[i], is_blocks).dump());
  return made + "\n]''')\n";
}

constexpr std::string_view kPanel = "<pl-question-panel>\n  <p>{{{params.prompt}}}</p>\n</pl-question-panel>\n\n";
constexpr std::string_view kSaid =
    "\n<pl-submission-panel>\n  {{#feedback.words}}<p>{{feedback.words}}</p>{{/feedback.words}}\n</pl-submission-panel>\n";
constexpr std::string_view kChoice =
    "<pl-multiple-choice answers-name=\"answer\" order=\"fixed\">\n  {{#params.choices}}<pl-answer correct=\"{{correct}}\"{{#hint}} "
    "feedback=\"{{hint}}\"{{/hint}}>{{{html}}}</pl-answer>{{/params.choices}}\n</pl-multiple-choice>\n";
constexpr std::string_view kBlocks =
    "<pl-order-blocks answers-name=\"answer\" grading-method=\"ordered\" source-blocks-order=\"random\" partial-credit=\"lcs\">\n  "
    "{{#params.blocks}}<pl-answer correct=\"true\">{{{html}}}</pl-answer>{{/params.blocks}}\n</pl-order-blocks>\n";

// The form alone: an example could be the answer.
std::string_view form_of(Kind kind) {
  switch (kind) {
    case Kind::integer: return "a number";
    case Kind::integers: return "numbers, one behind the other";
    case Kind::coordinate: return "(.., ..)";
    case Kind::thread_and_value: return "T.. V..";
    case Kind::layout: return "shape:stride";
    case Kind::cells: return "(.., ..) (.., ..)";
    case Kind::order: return "the first one first";
    case Kind::choice:
    case Kind::binding:
    case Kind::plan: break;
  }
  return "";
}

std::string question_html(const QuizQuestion& question, bool is_blocks) {
  std::string made(kPanel);
  if (question.kind == Kind::choice) return made + std::string(kChoice);
  if (is_blocks) return made + std::string(kBlocks) + std::string(kSaid);
  return made +
         fmt::format(
             "<pl-string-input answers-name=\"answer\" display=\"block\" remove-leading-trailing=\"true\" show-help-text=\"false\" "
             "size=\"50\" "
             "placeholder=\"{}\"></pl-string-input>\n",
             form_of(question.kind)) +
         std::string(kSaid);
}

std::string info_json(const Head& head, const QuizQuestion& question) {
  Json::Members made{{"uuid", uuid_of(fmt::format("prairielearn\n{}\n{}\n{}", head.number, question.id, question.hash))},
                     {"title", fmt::format("{}: {}", head.title, question.id)},
                     {"topic", head.title},
                     {"tags", Json::List{"tessera", fmt::format("lesson {}", head.number), name_of(question.kind)}},
                     {"type", "v3"}};
  if (question.variants.size() == 1) made.push_back({"singleVariant", true});
  return Json::object(std::move(made)).dump(2) + "\n";
}

}  // namespace

Result<Quiz> prairielearn_quiz(const OpenLesson& opened, std::uint64_t seeds) {
  TESSERA_TRY(questions, quiz_questions(opened, seeds));
  Quiz quiz;
  for (const QuizQuestion& each : questions) {
    if (!each.skipped.empty()) {
      quiz.notes.push_back(fmt::format("{} is not in it: {}", each.id, each.skipped));
      continue;
    }
    const bool is_blocks = has_blocks(each);
    quiz.files.push_back({each.id + "/info.json", info_json(opened.lesson().head, each)});
    quiz.files.push_back({each.id + "/question.html", question_html(each, is_blocks)});
    quiz.files.push_back({each.id + "/server.py", server_py(each, is_blocks)});
    ++quiz.questions;
    quiz.variants += each.variants.size();
  }
  return quiz;
}

}  // namespace tessera::lesson
