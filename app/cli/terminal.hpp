// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands share at the edge to a person: errors in words with a caret, exit codes, output to stdout or a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/files/options.hpp"
#include "core/base/result.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

Exit exit_of(const Error& error);
// The error on stderr, with `source` quoted above a caret; the exit code to leave with.
Exit refuse(const Error& error, std::string_view source = {});
// A usage error, in the words of this program.
Exit misuse(std::string_view message);

// All text for a person is made printable here (core/base/utf8.hpp): names, devices and words of others may be in it.
void print(std::string_view text);                                           // stdout
void print_line(std::string_view text);                                      // stdout, one line and its newline
void print_document(std::string_view text);                                  // stdout, with the line ends that it has
void print_data(std::string_view bytes);                                     // stdout, exactly these bytes: JSON and files
void note(std::string_view text);                                            // stderr, with a newline
void warn(const std::vector<Error>& warnings, std::string_view expression);  // stderr, each with its place

// One line that is written over again on a terminal, and nothing where stderr is a file.
void show_progress(std::string_view text);
void end_progress();

// Columns under each other, two spaces between them; numbers are as they were formatted.
std::string table(const std::vector<std::vector<std::string>>& rows);

std::string counted(std::size_t count, const char* one, const char* many);  // "1 entry", "2 entries"

// All of stdin, up to so many bytes. A folder, a closed one and one that breaks off are refused with a word.
Result<std::string> read_stdin(std::size_t largest);

// What the time of the request has stopped: the first ones are told in words, the others as a number, so that the telling ends, too.
class Stopped {
 public:
  // False where a refusal is counted only.
  bool is_told(const Error& error);
  void tell_rest() const;

 private:
  std::size_t count_ = 0;
};

// --let: what the names are of that it gives values.
enum class Let { parameters, names, both };
void declare_let(Options& options, std::vector<std::string>& given, Let what);
// Refused where --let was given and nothing is read that it could be of.
Status check_let(const std::vector<std::string>& given, bool has_document);
// --let NAME=EXPRESSION, taken apart.
Result<GivenValues> given_values(const std::vector<std::string>& arguments);
// A word for each that was not needed.
void note_unused(const std::vector<Unused>& unused);

// A document with its values, for `--file`.
struct OpenDocument {
  std::string path, text;
  Document document;
  std::vector<EvaluatedBinding> bindings;

  Scope scope() const;  // valid while this lives
  const EvaluatedBinding* find(std::string_view name) const;
  std::string_view expression(std::string_view name) const;
  // "tour.tess:12: let sA": where a person finds it.
  std::string place(const EvaluatedBinding& binding) const;
  // The error or warning of a binding, with that place, quoting its expression.
  std::string words(const EvaluatedBinding& binding, const Error& error, std::string_view kind = "") const;
  void warn(const EvaluatedBinding& binding) const;  // of all that it warns of
  // Where an expression misses a name whose binding was refused: why it was.
  void explain(Error& error) const;
};
// What is wanted of a document. Something with a name: notes say which lines cannot be read and that the file was perhaps cut off.
// Everything, or the last thing: a file that was perhaps cut off is refused, and the caller answers for the lines that cannot be read.
enum class Wanted { named, whole };
Result<Document> load_document(const std::filesystem::path& path, Wanted wanted, const GivenValues& parameters = {});
Result<OpenDocument> open_document(const std::filesystem::path& path, Wanted wanted = Wanted::named, const GivenValues& parameters = {});

// The value of an expression, with the bindings of a document in sight when `file` is not empty.
// The first elements of a tensor of a source file when the program ran.
struct FirstElements {
  std::string name;
  std::size_t line = 0;
  std::vector<std::string> ran;
};
struct EvaluatedExpression {
  OpenDocument document;
  Result<Value> value;
  std::vector<Error> warnings;       // see core/lang/eval/evaluate_expression.hpp
  std::string expression;            // as the document's names have it
  std::vector<FirstElements> ran{};  // of those of a source file's names that a trace has them of
  std::string mark{};                // of a source file's names: "traced", "likely: if bM is 128"; empty where the text alone says them
};
// Where `file` is a source of C++ or Python: which of the values of its names are meant.
struct SourcePlace {
  std::string trace;                      // the file of a trace; empty: the one beside the source
  int line = 0;                           // each name has its last value at or before it; 0: in the whole file
  std::vector<std::string> entries = {};  // which calls give functions their parameters
};
// The options --trace, --line and --entry.
void declare_source_place(Options& options, SourcePlace& place);
// A refusal says where in the document it comes from, if it does. A source of C++ or Python stands for a document of the names that the
// expression uses.
Result<EvaluatedExpression> evaluate_with(std::string_view expression, const std::string& file, const GivenValues& parameters = {},
                                          const SourcePlace& place = {});

}  // namespace tessera
