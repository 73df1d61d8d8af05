// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/rubric/submission.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/json.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/document/document.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera::lesson {
namespace {

constexpr std::size_t kMostTold = 3;       // remarks of one sort
constexpr std::size_t kLongestTold = 200;  // columns of a remark that quotes

// Remarks of one sort: the first ones in words, the others as a number.
class Told {
 public:
  explicit Told(std::vector<std::string>& remarks) : remarks_(remarks) {}
  void tell(const std::string& words) {
    if (++count_ <= kMostTold) remarks_.push_back(cut_to_columns(printable(words), kLongestTold));
  }
  void tell_rest(const std::string& what) const {
    if (count_ > kMostTold) remarks_.push_back(fmt::format("{} more {}", count_ - kMostTold, what));
  }

 private:
  std::vector<std::string>& remarks_;
  std::size_t count_ = 0;
};

// The answers to one seed, as they count.
struct SeedTries {
  std::string asked;
  std::vector<double> credits;  // of each try: 1, the share of a hint, or 0
  bool shown = false;           // the answer was: tries that come now are no answers of the student's own
};
using Seeds = std::map<std::uint64_t, SeedTries>;

double credit_of(const SeedTries& tries, Tries which) {
  if (tries.credits.empty()) return 0;
  if (which == Tries::first) return tries.credits.front();
  if (which == Tries::last) return tries.credits.back();
  return *std::max_element(tries.credits.begin(), tries.credits.end());
}

ItemScore score_of(const RubricItem& item, const Seeds& seeds, Tries which) {
  if (seeds.empty()) return {0, "not answered"};
  std::map<std::string, double, std::less<>> best;  // by what was asked
  for (const auto& [seed, tries] : seeds) {
    double& credit = best.try_emplace(tries.asked, 0).first->second;
    credit = std::max(credit, credit_of(tries, which));
  }
  std::vector<double> credits;
  for (const auto& [asked, credit] : best) credits.push_back(credit);
  std::sort(credits.begin(), credits.end(), std::greater<>());
  const auto wanted = static_cast<std::size_t>(item.seeds);
  if (credits.size() > wanted) credits.resize(wanted);
  double sum = 0;
  std::size_t right = 0, met = 0;
  for (const double each : credits) {
    sum += each;
    right += each >= 1 ? 1 : 0;
    met += each > 0 && each < 1 ? 1 : 0;
  }
  double share = sum / static_cast<double>(wanted);
  if (item.some && right < wanted) share = right > 0 ? item.some->value() : 0;
  std::string words = wanted == 1 ? (right == 1 ? "right" : "not right") : fmt::format("{} of {} seeds right", right, wanted);
  if (met > 0) words += wanted == 1 ? ", a known confusion" : fmt::format(", {} with a known confusion", met);
  return {std::llround(share * static_cast<double>(item.points)), std::move(words)};
}

// One student's worklogs against the questions of a rubric.
class LogGrader {
 public:
  LogGrader(const OpenRubric& rubric, GradedSubmission& made)
      : rubric_(rubric), made_(made), unread_(made.remarks), doubted_(made.remarks), seeds_(rubric.rubric().items.size()) {
    for (const OpenLesson& each : rubric.lessons()) regrading_.emplace_back(each);
  }

  void grade(const SubmittedFile& file) {
    const std::string_view text = *file.text;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = trimmed(text.substr(begin, end - begin));
      begin = end + 1;
      ++number;
      if (line.empty()) continue;
      if (count_ == kMostAnswers || stopped_ == kMostStopped) {
        ++left_;
        continue;
      }
      ++count_;
      grade_line(line, fmt::format("{}, line {}", file.name, number));
    }
  }

  void finish() {
    unread_.tell_rest("lines that cannot be read");
    doubted_.tell_rest("lines with such a remark");
    if (elsewhere_ > 0)
      made_.remarks.push_back(
          fmt::format("{} {} of lessons that the rubric does not name", elsewhere_, elsewhere_ == 1 ? "answer is" : "answers are"));
    if (left_ > 0) {
      const std::string why = stopped_ == kMostStopped ? fmt::format("{} answers took too long or were too large", kMostStopped)
                                                       : fmt::format("only {} are graded", kMostAnswers);
      made_.remarks.push_back(fmt::format("{}: {} more lines are not graded", why, left_));
    }
    const std::vector<RubricItem>& items = rubric_.rubric().items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i].is_binding) made_.items[i] = score_of(items[i], seeds_[i], rubric_.rubric().tries);
    }
  }

 private:
  void grade_line(std::string_view line, const std::string& place) {
    const Result<WorklogEntry> entry = entry_of(line);
    if (!entry) return unread_.tell(fmt::format("{}: {}", place, entry.error().message));
    std::size_t lesson = 0;
    while (lesson < regrading_.size() && rubric_.lessons()[lesson].lesson().head.number != entry->lesson) ++lesson;
    if (lesson == regrading_.size()) {
      ++elsewhere_;
      return;
    }
    const std::vector<RubricItem>& items = rubric_.rubric().items;
    const auto item = std::find_if(items.begin(), items.end(), [&](const RubricItem& each) {
      return !each.is_binding && each.lesson == lesson && each.name == entry->asked();
    });
    const auto begin = std::chrono::steady_clock::now();
    const Result<Regraded> graded = regrading_[lesson].graded(*entry);
    const bool is_slow = std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(kAnswerLimits.seconds);
    if (is_slow || entry->answer.size() > kLongestAnswer) ++stopped_;
    if (!graded) return unread_.tell(fmt::format("{}: {}", place, graded.error().message));
    keep_for_copies(*entry, graded->grade.right);
    if (is_slow && !graded->grade.right)  // a busy machine may be the reason
      unread_.tell(
          fmt::format("{}: {} took more than {} seconds here, and counts as not right", place, entry->asked(), kAnswerLimits.seconds));
    if (!graded->remark.empty()) doubted_.tell(fmt::format("{}: {}, seed {}: {}", place, entry->asked(), entry->seed, graded->remark));
    if (item == items.end() || (item->only && !item->only->has(entry->seed))) return;
    SeedTries& tries = seeds_[static_cast<std::size_t>(item - items.begin())][entry->seed];
    tries.asked = graded->asked;
    const double credit = graded->grade.right ? 1 : graded->grade.wrong > 0 ? item->hint.value() : 0;
    tries.credits.push_back(tries.shown ? 0 : credit);
    // A page that could not grade an answer has shown a right one beside it.
    tries.shown = tries.shown || entry->given_up || !entry->graded;
  }

  void keep_for_copies(const WorklogEntry& entry, bool right) {
    if (entry.given_up) return;
    made_.answers += fmt::format("{} {} {} {}\n", entry.lesson, entry.asked(), entry.seed, Json(entry.answer).dump());
    ++made_.answer_count;
    made_.wrong_count += right ? 0 : 1;
  }

  const OpenRubric& rubric_;
  GradedSubmission& made_;
  std::vector<Regrading> regrading_;  // one each of the lessons
  Told unread_, doubted_;
  std::vector<Seeds> seeds_;  // one each of the items
  std::size_t count_ = 0, stopped_ = 0, left_ = 0, elsewhere_ = 0;
};

// The value of a binding, or why there is none.
Result<Value> value_in(const std::vector<EvaluatedBinding>& bindings, const std::string& name) {
  const EvaluatedBinding* const bound = find_binding(bindings, name);
  if (!bound) return Error{ErrorCode::unknown_name, fmt::format("nothing gives {} a value", name), {}, {}};
  if (!bound->value)
    return Error{bound->value.error().code, fmt::format("{} has no value: {}", name, bound->value.error().message), {}, {}};
  if (!bound->needs.empty())  // a likely value was taken for it
    return Error{ErrorCode::unknown_name, fmt::format("{} has no value, and {} is made of it", bound->needs.front(), name), {}, {}};
  const Value* const value = find_value(bindings, name);
  if (!value) return Error{ErrorCode::unknown_name, fmt::format("{} has no value", name), {}, {}};
  return *value;
}

// How much of an item a value is worth.
ItemScore score_of(const RubricItem& item, const std::vector<std::optional<Value>>& compared, const Value& value, const Scope& names) {
  const auto refusal = [&](const Criterion& criterion, const std::optional<Value>& with) {
    const Budget budget(kAnswerLimits);
    return refusal_of(criterion, with, item.name, value, names);
  };
  std::string why;
  for (std::size_t i = 0; i < item.all.size() && why.empty(); ++i) why = refusal(item.all[i], compared[i]);
  if (why.empty()) return {item.points, "right"};
  double share = 0;
  for (const Criterion& each : item.part) {
    if (each.share.value() > share && refusal(each, std::nullopt).empty()) share = each.share.value();
  }
  return {std::llround(share * static_cast<double>(item.points)), cut_to_columns(printable(why), kLongestTold)};
}

// What it takes ends here: the conditions that its values meet have limits of their own.
std::pair<Result<Document>, std::vector<EvaluatedBinding>> evaluated(const std::string& text) {
  const Budget budget(kDocumentLimits);
  Result<Document> document = parse_document(text);
  std::vector<EvaluatedBinding> bindings;
  if (document) bindings = evaluate(*document);
  return {std::move(document), std::move(bindings)};
}

// A document in names of its own; of each item the better of what was there and what this one is worth.
void grade_document(const OpenRubric& rubric, const SubmittedFile& file, GradedSubmission& made) {
  const auto remark = [&](const std::string& words) {
    made.remarks.push_back(cut_to_columns(printable(fmt::format("{}: {}", file.name, words)), kLongestTold));
  };
  const auto [document, bindings] = evaluated(*file.text);
  if (!document) return remark(document.error().message);
  if (!document->bad_lines.empty()) {
    const BadLine& bad = document->bad_lines.front();
    remark(document->bad_lines.size() == 1 ? fmt::format("line {} cannot be read: {}", bad.line, bad.error.message)
                                           : fmt::format("{} lines cannot be read, the first one is line {}: {}",
                                                         document->bad_lines.size(), bad.line, bad.error.message));
  }
  Told refused(made.remarks);
  const std::vector<RubricItem>& items = rubric.rubric().items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_binding) continue;
    const Result<Value> value = value_in(bindings, items[i].name);
    if (!value) refused.tell(fmt::format("{}: {}", file.name, value.error().message));
    ItemScore score = value ? score_of(items[i], rubric.compared(i), *value, rubric.names())
                            : ItemScore{0, cut_to_columns(printable(value.error().message), kLongestTold)};
    if (made.items[i].words.empty() || score.points > made.items[i].points) made.items[i] = std::move(score);
  }
  refused.tell_rest("bindings without a value");
}

// What is the same is told of each pair; of a whole class with the same answers, of the first ones.
void remark_same(std::vector<GradedSubmission>& graded, const std::function<std::string_view(const GradedSubmission&)>& of,
                 const std::function<std::string(const GradedSubmission&)>& what) {
  std::map<std::string_view, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < graded.size(); ++i) {
    if (const std::string_view text = of(graded[i]); !trimmed(text).empty()) groups[text].push_back(i);
  }
  for (const auto& [text, group] : groups) {
    if (group.size() < 2) continue;
    for (const std::size_t mine : group) {
      std::string others;
      std::size_t named = 0;
      for (const std::size_t other : group) {
        if (other == mine) continue;
        if (++named <= kMostTold) others += (named == 1 ? "" : ", ") + graded[other].student;
      }
      if (named > kMostTold) others += fmt::format(" and {} more", named - kMostTold);
      graded[mine].remarks.push_back(printable(fmt::format("{} as {}", what(graded[mine]), others)));
    }
  }
}

}  // namespace

GradedSubmission grade_submission(const OpenRubric& rubric, const Submission& submission) {
  GradedSubmission made;
  made.student = submission.student;
  made.remarks = submission.remarks;
  made.items.resize(rubric.rubric().items.size());
  const auto unread = [&](const SubmittedFile& file) {
    made.remarks.push_back(cut_to_columns(printable(file.text.error().message), kLongestTold));
  };
  const auto is_empty = [&](const SubmittedFile& file) {
    if (!file.text || !trimmed(*file.text).empty()) return false;
    made.remarks.push_back(printable(file.name + " is empty"));
    return true;
  };
  LogGrader logs(rubric, made);
  for (const SubmittedFile& file : submission.logs) {
    if (is_empty(file)) continue;
    file.text ? logs.grade(file) : unread(file);
  }
  logs.finish();
  for (const SubmittedFile& file : submission.documents) {
    if (is_empty(file)) continue;
    if (!file.text) {
      unread(file);
      continue;
    }
    made.documents += *file.text;
    if (rubric.rubric().has_bindings()) grade_document(rubric, file, made);
  }
  for (ItemScore& each : made.items) {
    if (each.words.empty()) each.words = "no document";
    made.points += each.points;
  }
  return made;
}

void remark_copies(std::vector<GradedSubmission>& graded) {
  remark_same(
      graded, [](const GradedSubmission& each) { return std::string_view(each.answers); },
      [](const GradedSubmission& each) {
        return fmt::format("the same seeds and the same {} {} in the same order, {} of them wrong,", each.answer_count,
                           each.answer_count == 1 ? "answer" : "answers", each.wrong_count);
      });
  remark_same(
      graded, [](const GradedSubmission& each) { return std::string_view(each.documents); },
      [](const GradedSubmission&) { return std::string("the same document, byte for byte,"); });
}

}  // namespace tessera::lesson
