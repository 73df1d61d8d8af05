// SPDX-License-Identifier: BSD-3-Clause
// tessera grade: what a class has handed in, graded by a rubric. core/lesson/rubric grades; here a folder is read and a table written.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/command.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/table_text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/rubric/rubric.hpp"
#include "core/lesson/rubric/submission.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStudents = 10'000;
constexpr std::size_t kMostFiles = 100;        // of one student's folder
constexpr std::size_t kMostTableRemarks = 3;   // in a row of the table; the others are in --csv and --json
constexpr std::string_view kLineEnd = "\r\n";  // of CSV: RFC 4180
constexpr std::string_view kNoSecret =
    "Every grade was made again from seed and answer, and whoever has the lesson gets the same. A worklog is a text that anybody can "
    "write: "
    "its hashes say that a question is still the one that was asked, and not who answered it.";

struct Arguments {
  std::string folder, rubric;
  bool csv = false, json = false;
};

using Submissions = std::map<std::string, lesson::Submission>;

Result<std::string> text_of(const fs::path& path, const std::string& name, std::size_t largest) {
  Result<std::string> text = read_file(path, largest);
  if (!text) {
    Error error = text.error();  // with the name alone: where the class's folder lies is nobody's remark
    const std::string whole = path.string();
    if (const std::size_t at = error.message.find(whole); at != std::string::npos) error.message.replace(at, whole.size(), name);
    return error;
  }
  if (const std::size_t zero = text->find('\0'); zero != std::string::npos)
    return Error{ErrorCode::parse, fmt::format("{} is no text: byte {} is 0", name, zero + 1), {}, {}};
  return text;
}

std::string student_of(const fs::path& path, bool is_folder) { return is_folder ? path.filename().string() : path.stem().string(); }

// One name of the class's folder, or of a student's.
void add_file(const fs::directory_entry& entry, const std::string& name, lesson::Submission& submission) {
  std::error_code error;
  const fs::file_status status = entry.symlink_status(error);
  const std::string ending = entry.path().extension().string();
  const auto remark = [&](std::string_view words) { submission.remarks.push_back(printable(fmt::format("{} {}", name, words))); };
  if (error) return remark("cannot be looked at: " + error.message());
  if (fs::is_symlink(status)) return remark("is a symbolic link, which is not followed");
  if (fs::is_directory(status)) return remark("is a folder in a student's folder, which is not read");
  if (ending == ".jsonl")
    submission.logs.push_back({name, text_of(entry.path(), name, lesson::kLargestSubmittedLog)});
  else if (ending == ".tess")
    submission.documents.push_back({name, text_of(entry.path(), name, lesson::kLargestSubmittedDocument)});
  else
    remark("is neither a worklog (.jsonl) nor a document (.tess)");
}

Result<std::vector<fs::directory_entry>> entries_of(const fs::path& folder, std::size_t most) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    if (each->path().filename().string().starts_with('.')) continue;  // of an editor or a file manager
    if (entries.size() == most) return Error{ErrorCode::limit, fmt::format("{} holds more than {} files", folder.string(), most), {}, {}};
    entries.push_back(*each);
  }
  if (error) return Error{ErrorCode::io, fmt::format("cannot read {}: {}", folder.string(), error.message()), {}, {}};
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
  return entries;
}

// alice.jsonl, alice.tess and what is in alice/ are alice's.
void add_folder(const fs::path& folder, const std::string& name, lesson::Submission& submission) {
  const Result<std::vector<fs::directory_entry>> entries = entries_of(folder, kMostFiles);
  if (!entries) {
    submission.remarks.push_back(entries.error().code == ErrorCode::limit ? fmt::format("{}/ holds more than {} files", name, kMostFiles)
                                                                          : fmt::format("{}/ cannot be read", name));
    return;
  }
  for (const fs::directory_entry& each : *entries) add_file(each, name + "/" + each.path().filename().string(), submission);
}

Submissions submissions_in(const std::vector<fs::directory_entry>& entries, const fs::path& rubric) {
  Submissions all;
  for (const fs::directory_entry& each : entries) {
    std::error_code ignored;
    if (fs::equivalent(each.path(), rubric, ignored)) continue;  // the teacher keeps it there
    const bool is_folder = fs::is_directory(each.symlink_status(ignored));
    const std::string student = student_of(each.path(), is_folder), name = each.path().filename().string();
    lesson::Submission& submission = all[student];
    submission.student = student;
    if (is_folder)
      add_folder(each.path(), name, submission);
    else
      add_file(each, name, submission);
  }
  return all;
}

// Hundredths: 150 is "1.5".
std::string points_text(std::int64_t hundredths) {
  std::string made = fmt::format("{}.{:02}", hundredths / lesson::kHundredths, hundredths % lesson::kHundredths);
  while (made.ends_with('0')) made.pop_back();
  if (made.ends_with('.')) made.pop_back();
  return made;
}

double points_number(std::int64_t hundredths) { return static_cast<double>(hundredths) / static_cast<double>(lesson::kHundredths); }

// A question's name, with its lesson where another one has the same.
std::string label_of(const lesson::Rubric& rubric, const lesson::RubricItem& item) {
  const auto same = std::count_if(rubric.items.begin(), rubric.items.end(), [&](const auto& each) { return each.name == item.name; });
  return same == 1 || item.is_binding ? item.name : rubric.lessons[item.lesson].text + "/" + item.name;
}

std::string joined(const std::vector<std::string>& remarks, std::size_t most) {
  std::string made;
  for (std::size_t i = 0; i < std::min(most, remarks.size()); ++i) made += (i == 0 ? "" : "; ") + remarks[i];
  if (remarks.size() > most) made += fmt::format("; and {} more", remarks.size() - most);
  return made;
}

std::string table_text(const lesson::Rubric& rubric, const std::vector<lesson::GradedSubmission>& graded) {
  std::vector<std::vector<std::string>> rows{{"student"}};
  for (const lesson::RubricItem& each : rubric.items)
    rows[0].push_back(fmt::format("{} /{}", label_of(rubric, each), points_text(each.points)));
  rows[0].push_back(fmt::format("sum /{}", points_text(rubric.points())));
  rows[0].push_back("remarks");
  std::int64_t sum = 0;
  for (const lesson::GradedSubmission& student : graded) {
    std::vector<std::string> row{printable(student.student)};
    for (const lesson::ItemScore& each : student.items) row.push_back(points_text(each.points));
    row.push_back(points_text(student.points));
    row.push_back(joined(student.remarks, kMostTableRemarks));
    rows.push_back(std::move(row));
    sum += student.points;
  }
  const auto count = static_cast<std::int64_t>(graded.size());
  return table(rows) + fmt::format("{}: {} of {} points on average\n{}\n", counted(graded.size(), "student", "students"),
                                   points_text((sum + count / 2) / count), points_text(rubric.points()), kNoSecret);
}

std::string csv_text(const lesson::Rubric& rubric, const std::vector<lesson::GradedSubmission>& graded) {
  std::string made = "student";
  for (const lesson::RubricItem& each : rubric.items) made += "," + csv_field(label_of(rubric, each));
  made += ",sum,of,remarks";
  made += kLineEnd;
  for (const lesson::GradedSubmission& student : graded) {
    made += csv_field(printable(student.student));
    for (const lesson::ItemScore& each : student.items) made += "," + points_text(each.points);
    made += fmt::format(",{},{},{}", points_text(student.points), points_text(rubric.points()),
                        csv_field(joined(student.remarks, student.remarks.size())));
    made += kLineEnd;
  }
  return made;
}

std::string json_text(const lesson::Rubric& rubric, const std::vector<lesson::GradedSubmission>& graded) {
  Json::List items, students;
  for (const lesson::RubricItem& each : rubric.items) {
    items.push_back(Json::object({{"name", each.name},
                                  {"lesson", each.is_binding ? Json() : Json(rubric.lessons[each.lesson].text)},
                                  {"points", points_number(each.points)},
                                  {"seeds", each.is_binding ? Json() : Json(each.seeds)}}));
  }
  for (const lesson::GradedSubmission& student : graded) {
    Json::List scores;
    for (std::size_t i = 0; i < student.items.size(); ++i)
      scores.push_back(Json::object(
          {{"name", rubric.items[i].name}, {"points", points_number(student.items[i].points)}, {"words", student.items[i].words}}));
    students.push_back(Json::object({{"student", student.student},
                                     {"points", points_number(student.points)},
                                     {"items", std::move(scores)},
                                     {"remarks", student.remarks}}));
  }
  return Json::object({{"title", rubric.title},
                       {"points", points_number(rubric.points())},
                       {"items", std::move(items)},
                       {"students", std::move(students)},
                       {"note", kNoSecret}})
             .dump(2) +
         "\n";
}

// A lesson that a rubric names: beside the rubric, or as everywhere.
Result<lesson::OpenLesson> lesson_beside(const fs::path& rubric, const std::string& file) {
  const fs::path beside = rubric.parent_path() / file;
  std::error_code ignored;
  return open_lesson(fs::exists(beside, ignored) ? beside.string() : file);
}

Exit grade_class(const Arguments& arguments) {
  if (arguments.rubric.empty()) return misuse("grade wants --rubric FILE, which says what each answer is worth");
  if (arguments.csv && arguments.json) return misuse("--csv and --json are two formats: take one");
  const Result<std::string> text = read_file(arguments.rubric, lesson::kLargestRubric);
  if (!text) return refuse(text.error());
  const Result<lesson::OpenRubric> rubric =
      lesson::OpenRubric::open(*text, [&](const std::string& file) { return lesson_beside(arguments.rubric, file); });
  if (!rubric) {
    Error error = rubric.error();
    error.message = fmt::format("{}: {}", arguments.rubric, error.message);
    error.span.reset();  // its line and column stand in front
    return refuse(error);
  }
  const Result<std::vector<fs::directory_entry>> entries = entries_of(arguments.folder, kMostStudents);
  if (!entries) return refuse(entries.error());
  const Submissions submissions = submissions_in(*entries, arguments.rubric);
  if (submissions.empty()) return refuse(Error{ErrorCode::io, fmt::format("nothing was handed in: {} is empty", arguments.folder), {}, {}});
  std::vector<lesson::GradedSubmission> graded;
  for (const auto& [student, submission] : submissions) {
    show_progress(fmt::format("{} of {}: {}", graded.size() + 1, submissions.size(), printable(student)));
    graded.push_back(lesson::grade_submission(*rubric, submission));
  }
  end_progress();
  lesson::remark_copies(graded);
  if (arguments.json) {
    print_data(json_text(rubric->rubric(), graded));
  } else if (arguments.csv) {
    print_data(csv_text(rubric->rubric(), graded));
    note(kNoSecret);
  } else {
    print(table_text(rubric->rubric(), graded));
  }
  return Exit::right;
}

}  // namespace

Subcommand grade_subcommand() {
  return command<Arguments>(
      "grade", "Grade a folder of worklogs and documents by a rubric, one row a student",
      "  tessera grade handed_in --rubric week3.rubric\n  tessera grade handed_in --rubric week3.rubric --csv > week3.csv\n\n"
      "A rubric is text that says what each question and each binding is worth; docs/teaching.md says how one is written.",
      grade_class, [](Options& options, Arguments& a) {
        options.positional("folder", a.folder, "what was handed in: alice.jsonl, bob.tess, and folders with both");
        options.option("--rubric", a.rubric, "a text that says what each question and each binding is worth");
        options.flag("--csv", a.csv, "a table for spreadsheets (RFC 4180)");
        options.flag("--json", a.json, "all scores and remarks as one JSON object");
      });
}

}  // namespace tessera
