// SPDX-License-Identifier: BSD-3-Clause
// Questions of QTI 1.2.1 in a Common Cartridge 1.1, which Canvas and Moodle import: a bank of variants for each question.
//
// The form knows choices, sets of choices, and texts that are compared as they are written. So an answer of numbers is a list of spellings,
// cells are chosen among all of the tile, and a layout is chosen among the lesson's own wrong answers, since two spellings of one function
// are two texts. A cartridge has no quiz that draws from banks; the one beside the banks is in the form of Canvas, and other programs pass
// over it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/base/sha256.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/page/markdown.hpp"
#include "core/lesson/quiz/quiz.hpp"

namespace tessera::lesson {
namespace {

constexpr std::int64_t kMostCells = 64;  // of a tile whose cells are chosen
constexpr std::string_view kXml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view kInterop =
    "<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2 "
    "http://www.imsglobal.org/profile/cc/ccv1p1/ccv1p1_qtiasiv1p2p1_v1p0.xsd\">\n";

// How a question is asked there.
enum class Form { choice, choices, text };

// An answer that is chosen or written, and what is said of it.
struct Response {
  std::vector<std::string> spellings;  // of a text; of a choice its words as HTML
  bool right = false;
  std::string hint;
};

struct Item {
  std::string ident, title, prompt_html;
  Form form = Form::text;
  std::vector<Response> responses;
};

struct Bank {
  std::string ident, title, path;
};

std::vector<std::int64_t> numbers_of(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return tuple ? leaf_values(*tuple) : std::vector<std::int64_t>();
}

std::string material(std::string_view html) {
  return fmt::format("<material><mattext texttype=\"text/html\">{}</mattext></material>", escaped(html));
}

std::string field(std::string_view label, std::string_view entry) {
  return fmt::format("<qtimetadatafield><fieldlabel>{}</fieldlabel><fieldentry>{}</fieldentry></qtimetadatafield>\n", label,
                     escaped(entry));
}

std::string label_of(std::size_t i) { return fmt::format("r{}", i + 1); }

// What Common Cartridge calls the form; it allows no other word of what a question is.
std::string metadata_of(Form form) {
  const auto made = [](std::string_view profile) {
    return "<itemmetadata><qtimetadata>\n" + field("cc_profile", profile) + "</qtimetadata></itemmetadata>\n";
  };
  switch (form) {
    case Form::choice: return made("cc.multiple_choice.v0p1");
    case Form::choices: return made("cc.multiple_response.v0p1");
    case Form::text: return made("cc.fib.v0p1");
  }
  return {};
}

std::string presentation_of(const Item& item) {
  std::string made = "<presentation>\n" + material(item.prompt_html) + "\n";
  if (item.form == Form::text) {
    made +=
        "<response_str ident=\"response1\" rcardinality=\"Single\"><render_fib><response_label ident=\"answer1\"/></render_fib>"
        "</response_str>\n";
    return made + "</presentation>\n";
  }
  made += fmt::format("<response_lid ident=\"response1\" rcardinality=\"{}\"><render_choice>\n",
                      item.form == Form::choice ? "Single" : "Multiple");
  for (std::size_t i = 0; i < item.responses.size(); ++i)
    made += fmt::format("<response_label ident=\"{}\">{}</response_label>\n", label_of(i), material(item.responses[i].spellings[0]));
  return made + "</render_choice></response_lid>\n</presentation>\n";
}

// Moodle counts those of a set of choices that say case="Yes".
std::string is_response(std::string_view text, bool is_exact = false) {
  return fmt::format("<varequal respident=\"response1\"{}>{}</varequal>", is_exact ? " case=\"Yes\"" : "", escaped(text));
}

// `continue="No"`: what follows a hint that others read as a hint to everybody.
std::string condition_of(std::string_view test, std::string_view then) {
  return fmt::format("<respcondition continue=\"No\"><conditionvar>{}</conditionvar>{}</respcondition>\n", test, then);
}

constexpr std::string_view kFull = "<setvar action=\"Set\" varname=\"SCORE\">100</setvar>";

std::string hint_of(std::size_t i) { return fmt::format("<displayfeedback feedbacktype=\"Response\" linkrefid=\"{}_fb\"/>", label_of(i)); }

std::string processing_of(const Item& item) {
  std::string conditions, all;
  for (std::size_t i = 0; i < item.responses.size(); ++i) {
    const Response& each = item.responses[i];
    if (item.form == Form::choices) {
      all += each.right ? is_response(label_of(i), true) : "<not>" + is_response(label_of(i), true) + "</not>";
    } else if (item.form == Form::text) {
      for (const std::string& spelling : each.spellings) all += is_response(spelling);
    } else if (each.right) {
      conditions += condition_of(is_response(label_of(i)), kFull);
    } else if (!each.hint.empty()) {
      conditions += condition_of(is_response(label_of(i)), hint_of(i));
    }
  }
  if (item.form == Form::choices) conditions = condition_of("<and>" + all + "</and>", kFull);
  if (item.form == Form::text) conditions = condition_of(all, kFull);
  return "<resprocessing>\n<outcomes><decvar maxvalue=\"100\" minvalue=\"0\" varname=\"SCORE\" vartype=\"Decimal\"/></outcomes>\n" +
         conditions + "</resprocessing>\n";
}

std::string item_xml(const Item& item) {
  std::string made = fmt::format("<item ident=\"{}\" title=\"{}\">\n", item.ident, escaped(item.title));
  made += metadata_of(item.form) + presentation_of(item) + processing_of(item);
  for (std::size_t i = 0; i < item.responses.size() && item.form != Form::choices; ++i) {
    if (!item.responses[i].hint.empty() && !item.responses[i].right)
      made += fmt::format("<itemfeedback ident=\"{}_fb\"><flow_mat>{}</flow_mat></itemfeedback>\n", label_of(i),
                          material(words_html(item.responses[i].hint)));
  }
  return made + "</item>\n";
}

// Numbers as people write them: 4 3, 4,3, 4, 3, (4,3) and (4, 3).
std::vector<std::string> number_spellings(const std::vector<std::int64_t>& numbers) {
  if (numbers.size() == 1) return {std::to_string(numbers[0])};
  std::vector<std::string> made;
  for (const std::string_view between : {" ", ",", ", "}) made.push_back(fmt::format("{}", fmt::join(numbers, between)));
  made.push_back("(" + made[1] + ")");
  made.push_back("(" + made[2] + ")");
  return made;
}

std::vector<std::string> spellings_of(const Expected& expected, const Value& value) {
  const std::vector<std::int64_t> numbers = numbers_of(value);
  std::vector<std::string> made{written_answer(expected, value)};
  if (expected.kind == Kind::order && !expected.options.empty()) {
    std::string letters;
    for (const std::int64_t each : numbers) letters += static_cast<char>('a' + each - 1);
    made.push_back(letters);
    for (const std::string_view between : {" ", ",", ", "}) made.push_back(fmt::format("{}", fmt::join(letters, between)));
  } else {
    for (std::string& each : number_spellings(numbers)) made.push_back(std::move(each));
  }
  const bool has_rows = expected.kind == Kind::coordinate && expected.shape.rank() == 2 && numbers.size() == 2;
  if (expected.kind == Kind::thread_and_value || has_rows) {
    const auto [a, b] = has_rows ? std::pair("row", "column") : std::pair("thread", "value");
    made.push_back(fmt::format("{} {} {} {}", a, numbers[0], b, numbers[1]));
    made.push_back(fmt::format("{} {}, {} {}", a, numbers[0], b, numbers[1]));
  }
  if (expected.kind == Kind::thread_and_value) {
    for (const std::string_view form : {"T{}V{}", "T{}, V{}", "T{},V{}"})
      made.push_back(fmt::format(fmt::runtime(form), numbers[0], numbers[1]));
  }
  std::vector<std::string> once;
  for (std::string& each : made) {
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(std::move(each));
  }
  return once;
}

// Right answers alone: Canvas takes every text that is named for a right one, and so a wrong one cannot have its hint.
std::vector<Response> texts_of(const QuizVariant& variant) {
  return {{spellings_of(variant.question.expected, variant.question.wanted), true, {}}};
}

std::vector<Response> options_of(const QuizVariant& variant) {
  const std::vector<std::string> words =
      variant.question.options.empty() ? std::vector<std::string>{"yes", "no"} : variant.question.options;
  std::vector<Response> made;
  for (std::size_t i = 0; i < words.size(); ++i)
    made.push_back({{words_html(words[i])}, numbers_of(variant.question.wanted) == std::vector{static_cast<std::int64_t>(i) + 1}, {}});
  for (std::size_t i = 0; i < variant.hints.size(); ++i) {
    const auto number = static_cast<std::size_t>(numbers_of(variant.question.wrong[i]).at(0));
    if (made[number - 1].hint.empty()) made[number - 1].hint = variant.hints[i];
  }
  // Common Cartridge wants three to choose from.
  if (made.size() == 2) made.push_back({{"I do not know"}, false, {}});
  return made;
}

// The right layout among the wrong ones, in an order that says nothing.
std::vector<Response> layouts_of(const QuizVariant& variant) {
  const auto code = [](const Value& value) { return "<code>" + escaped(to_string(value)) + "</code>"; };
  std::vector<Response> made{{{code(variant.question.wanted)}, true, {}}};
  for (std::size_t i = 0; i < variant.hints.size(); ++i) made.push_back({{code(variant.question.wrong[i])}, false, variant.hints[i]});
  const auto key = [&](const Response& each) { return sha256_hex(each.spellings[0] + variant.question.prompt); };
  std::sort(made.begin(), made.end(), [&](const Response& a, const Response& b) { return key(a) < key(b); });
  if (made.size() == 2) made.push_back({{"I do not know"}, false, {}});
  return made;
}

std::vector<Response> cells_of(const QuizVariant& variant) {
  const auto& wanted = std::get<IntTuple>(variant.question.wanted.any);
  const IntTuple& shape = variant.question.expected.shape;
  std::vector<std::int64_t> extents = leaf_values(shape), place(extents.size(), 0);
  std::vector<Response> made;
  for (std::int64_t n = 0; n < size(shape); ++n) {
    const bool right =
        std::any_of(wanted.modes().begin(), wanted.modes().end(), [&](const IntTuple& each) { return leaf_values(each) == place; });
    made.push_back({{fmt::format("({})", fmt::join(place, ","))}, right, {}});
    for (std::size_t i = place.size(); i-- > 0 && ++place[i] == extents[i];) place[i] = 0;  // row by row
  }
  return made;
}

// Why a question cannot be asked there; empty: it can.
std::string refusal_of(const QuizQuestion& question) {
  if (question.has_condition || has_lines(question.kind)) return question.skipped;
  for (const QuizVariant& each : question.variants) {
    if (question.kind == Kind::cells && size(each.question.expected.shape) > kMostCells)
      return fmt::format("its tile has more than {} cells to choose from", kMostCells);
    if (question.kind == Kind::layout && each.hints.empty()) return "there is no wrong layout to choose from beside the right one";
  }
  return {};
}

std::vector<Item> items_of(const QuizQuestion& question, const Bank& bank) {
  std::vector<Item> made;
  for (const QuizVariant& each : question.variants) {
    Item item;
    item.ident = fmt::format("{}_s{}", bank.ident, each.question.seed);
    item.title = bank.title;
    item.prompt_html = "<p>" + words_html(each.question.prompt) + "</p>";
    item.form = question.kind == Kind::choice || question.kind == Kind::layout ? Form::choice
                : question.kind == Kind::cells                                 ? Form::choices
                                                                               : Form::text;
    if (question.kind == Kind::order && !each.question.options.empty()) {
      item.prompt_html += "<p>";
      for (std::size_t i = 0; i < each.question.options.size(); ++i)
        item.prompt_html +=
            fmt::format("{}{}) {}", i == 0 ? "" : "<br/>", static_cast<char>('a' + i), words_html(each.question.options[i]));
      item.prompt_html += "</p>";
    }
    item.responses = question.kind == Kind::choice   ? options_of(each)
                     : question.kind == Kind::layout ? layouts_of(each)
                     : question.kind == Kind::cells  ? cells_of(each)
                                                     : texts_of(each);
    made.push_back(std::move(item));
  }
  return made;
}

std::string bank_xml(const Bank& bank, const std::vector<Item>& items) {
  std::string made(kXml);
  made += kInterop;
  made += fmt::format("<objectbank ident=\"{}\">\n<qtimetadata>\n{}</qtimetadata>\n", bank.ident, field("bank_title", bank.title));
  for (const Item& each : items) made += item_xml(each);
  return made + "</objectbank>\n</questestinterop>\n";
}

std::string quiz_xml(const Head& head, const std::string& ident, const std::vector<Bank>& banks) {
  std::string made(kXml);
  made +=
      "<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2 http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd\">\n";
  made += fmt::format("<assessment ident=\"{}\" title=\"{}\">\n<qtimetadata>\n{}</qtimetadata>\n<section ident=\"root_section\">\n", ident,
                      escaped(head.title), field("cc_maxattempts", "unlimited"));
  for (const Bank& each : banks) {
    made += fmt::format(
        "<section ident=\"{0}_group\" title=\"{1}\"><selection_ordering><selection><sourcebank_ref>{0}</sourcebank_ref>"
        "<selection_number>1</selection_number></selection></selection_ordering></section>\n",
        each.ident, escaped(each.title));
  }
  return made + "</section>\n</assessment>\n</questestinterop>\n";
}

std::string resource(std::string_view ident, std::string_view type, std::string_view path) {
  return fmt::format("<resource identifier=\"{}\" type=\"{}\" href=\"{}\"><file href=\"{}\"/></resource>\n", ident, type, path, path);
}

std::string manifest_xml(const Head& head, const std::string& ident, const Bank& quiz, const std::vector<Bank>& banks) {
  std::string made(kXml);
  made += fmt::format(
      "<manifest identifier=\"{}_package\" xmlns=\"http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1\" "
      "xmlns:lomimscc=\"http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1 "
      "http://www.imsglobal.org/profile/cc/ccv1p1/ccv1p1_imscp_v1p2_v1p0.xsd http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest "
      "http://www.imsglobal.org/profile/cc/ccv1p1/LOM/ccv1p1_lommanifest_v1p0.xsd\">\n",
      ident);
  made += fmt::format(
      "<metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion><lomimscc:lom><lomimscc:general><lomimscc:title>"
      "<lomimscc:string>{}</lomimscc:string></lomimscc:title></lomimscc:general></lomimscc:lom></metadata>\n",
      escaped(head.title));
  made += "<organizations/>\n<resources>\n";
  for (const Bank& each : banks) made += resource(each.ident, "imsqti_xmlv1p2/imscc_xmlv1p1/question-bank", each.path);
  if (!banks.empty()) made += resource(quiz.ident, "associatedcontent/imscc_xmlv1p1/learning-application-resource", quiz.path);
  return made + "</resources>\n</manifest>\n";
}

}  // namespace

Result<Quiz> qti_quiz(const OpenLesson& opened, std::string_view name, std::uint64_t seeds) {
  TESSERA_TRY(questions, quiz_questions(opened, seeds));
  const Head& head = opened.lesson().head;
  const std::string lesson = fmt::format("tessera_lesson{}", head.number);
  Quiz quiz;
  std::vector<Bank> banks;
  for (const QuizQuestion& each : questions) {
    if (const std::string why = refusal_of(each); !why.empty()) {
      quiz.notes.push_back(fmt::format("{} is not in it: {}", each.id, why));
      continue;
    }
    if (each.kind == Kind::layout)
      quiz.notes.push_back(fmt::format("{} is asked as a choice: the right layout or one of the lesson's wrong ones", each.id));
    if (each.kind == Kind::cells) quiz.notes.push_back(fmt::format("{} is asked as a choice among all cells, without its hints", each.id));
    Bank bank{fmt::format("{}_{}_{}", lesson, each.id, each.hash.substr(0, 8)), fmt::format("{}: {}", name, each.id), {}};
    bank.path = fmt::format("{}/{}.xml", each.id, bank.ident);
    const std::vector<Item> items = items_of(each, bank);
    quiz.files.push_back({bank.path, bank_xml(bank, items)});
    ++quiz.questions;
    quiz.variants += items.size();
    banks.push_back(std::move(bank));
  }
  const Bank all{lesson + "_quiz", head.title, lesson + "_quiz/" + lesson + "_quiz.xml"};
  if (!banks.empty()) quiz.files.push_back({all.path, quiz_xml(head, all.ident, banks)});
  quiz.files.insert(quiz.files.begin(), {"imsmanifest.xml", manifest_xml(head, lesson, all, banks)});
  return quiz;
}

}  // namespace tessera::lesson
