// SPDX-License-Identifier: BSD-3-Clause
// Session: a document being worked on, with its values, figures, undo and file. The studio's panels read it const and answer with
// Commands; no panel changes anything itself. What another program does to the file is noticed before it could be lost.
//
// After each change the document is evaluated: at first before the change returns, as tests and the command line want it. Who draws
// frames is patient only for a while; then `bindings` are what `meanwhile` (evaluation.hpp) makes of the last values, and `collect` brings
// the new ones when they are ready.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/document/command.hpp"
#include "app/session/document/evaluation_worker.hpp"
#include "app/session/document/retyped_name.hpp"
#include "app/session/document/workspace.hpp"
#include "app/session/files/autosave.hpp"
#include "app/session/files/file_state.hpp"
#include "app/session/files/line_diff.hpp"
#include "core/figure/figure_task.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

class Session {
 public:
  Session() = default;

  // Reads a document; the session keeps its old one when that is refused.
  Status open(const std::filesystem::path& path);
  // The same for text that has no file, e.g. a lesson. `title` stands in for the file's name.
  Status open_text(std::string_view text, std::string title);

  // What undo brings back: the document, and what is shown of it.
  const Workspace& workspace() const { return workspace_; }
  const Document& document() const { return *workspace_.document; }
  std::string text() const { return to_text(document()); }
  const std::string& title() const { return title_; }  // the file's name, or "untitled"
  const std::optional<std::filesystem::path>& path() const { return path_; }
  bool dirty() const { return revision_ != saved_revision_; }                      // differs from the file
  const std::shared_ptr<const Document>& unchanged() const { return unchanged_; }  // as it was opened or saved last
  std::uint64_t revision() const { return revision_; }  // of the document: another number after each change of it, also undo

  // One a binding of the document.
  const std::vector<EvaluatedBinding>& bindings() const { return meanwhile_ ? *meanwhile_ : values_->bindings; }

  // How long a change waits for its values, in seconds; at first for as long as it takes. Below 0: not at all, so that only collect() and
  // settle() take them, however quickly they are there.
  void be_patient(double seconds) { patience_ = seconds; }
  bool evaluating() const { return meanwhile_.has_value(); }          // are some values those of an earlier text?
  bool collect() { return collect(0); }                               // takes what is ready; true where there are new values
  void settle();                                                      // waits for them
  std::uint64_t values_revision() const { return values_revision_; }  // another number whenever the document or its values are others

  const EvaluatedBinding* find(std::string_view name) const;  // null when there is none
  std::string_view expression(std::string_view name) const;   // empty when there is none
  // Does one of two bindings need the other, or do both need a third? See lineage.hpp. Kept until the document changes.
  bool related(std::string_view a, std::string_view b) const;
  std::string value_text(std::string_view name) const;  // what it is made of, names resolved; empty when it has no value

  // The figure of a binding, made at the first call and kept until an expression that it depends on gives another value. Another
  // FigureOptions is another figure. The reference lives until the next change of the document.
  const Result<Scene>& figure(std::string_view name, const FigureOptions& options = {}) const;
  // With the names of its modes and its own, as the document says them.
  FigureOptions as_said(std::string_view name, FigureOptions options) const;
  // How many steps it is told in, whichever of them is chosen; 0: it is told at once.
  std::size_t steps(std::string_view name, const FigureOptions& options = {}) const;

  // The same in three parts, for those who do not wait: what is there (null: nothing yet), what there is to make, and what came of it,
  // which is kept where the binding still has that value.
  SharedFigure kept_figure(std::string_view name, const FigureOptions& options) const;
  Result<FigureTask> figure_task(std::string_view name, const FigureOptions& options) const;
  void keep_figure(const FigureTask& task, const MadeFigure& made) const;

  // The same of the pinned binding as it was when it was pinned. Refuses where nothing is pinned.
  const Result<Scene>& pinned_figure(const FigureOptions& options = {}) const;
  // Its value then; null where nothing is pinned or it had none.
  const Value* pinned_value() const;
  std::string_view pinned_expression() const;  // and what it was written as

  // Applies a command, remembers the old workspace for undo, and evaluates again. Consecutive changes with the same label that are to be
  // merged (a drag, a word being typed) are one undo step, until `end_burst`. A binding that is renamed keeps its figures on the screen,
  // also where its name is typed anew in the text.
  Status run(const Command& command, bool merge = false);
  // The same with any other workspace; `merge_key` takes the label's place. What is no change makes no step.
  void change(Workspace next, std::string label, std::string merge_key = {});
  // The same without a step of its own: what is selected and looked at. Refuses nothing, but the document must be the same.
  void show(Workspace next);
  // How many figures have room beside each other, as whoever draws them says after each frame; at first as many as one likes.
  struct PaneRoom {
    std::size_t most = std::numeric_limits<std::size_t>::max();  // where they are arranged by themselves
    bool splits = true;  // where a person has arranged them: whether the pane with the keys has room for two
  };
  void be_roomy(const PaneRoom& room) { room_ = room; }
  const PaneRoom& room() const { return room_; }
  // Lines that were added and whose figures are shown as soon as they have values.
  std::vector<std::string>& awaited_figures() { return awaited_figures_; }
  void end_burst() { merge_key_.clear(); }  // a drag has ended, or a pause was made: the next change is a step of its own
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  std::string_view undo_label() const { return undo_.empty() ? std::string_view() : undo_.back().label; }
  std::string_view redo_label() const { return redo_.empty() ? std::string_view() : redo_.back().label; }
  bool undo();
  bool redo();

  // What the person should know about the file that was opened: that it may have been cut off, or needs a later version. Empty after a
  // save.
  const std::string& warning() const { return warning_; }

  // ---- the file ----

  const FileState& file() const { return file_; }
  bool conflicts() const { return std::holds_alternative<ChangedOnDisk>(file_) || std::holds_alternative<Gone>(file_); }
  // Looks at the file again: cheap while nothing has touched it. True when `file` has changed.
  bool look_at_file();
  // Why save would refuse, in a sentence; empty when the file is as it was.
  std::string conflict_words() const;

  // Writes the file that was opened. Refuses when there is none, when it came with a warning (only save_as may replace it then), and
  // when another program has changed or removed it: `conflicts` holds then, and the person chooses one of
  //   reload       the file's text, as a change that can be undone
  //   keep_mine    over the file that was looked at, or in the place of one that is gone; asks again when it has changed once more
  //   save_as      another place
  Status save();
  Status reload();
  Status keep_mine();
  // `overwrite`: the person has agreed that an existing file be replaced; over the own file, save's rule about changes holds.
  Status save_as(const std::filesystem::path& path, bool overwrite);
  // From the text in the file to this one.
  Result<std::vector<DiffLine>> difference() const;

  // ---- autosaves ----

  // Writes the text to this session's autosave when it is dirty, and removes that when it is not; never touches the person's own file,
  // nor another session's autosave.
  Status autosave();
  void forget_autosave();  // the person does not want the changes
  // What crashes left of this document, the best first: texts that differ from the file's.
  const std::vector<Recovery>& recoveries() const { return recoveries_; }
  const std::optional<Error>& recoveries_refused() const { return recoveries_refused_; }  // why they could not be looked for
  bool can_recover() const { return !recoveries_.empty(); }
  // The first, as a change like any other: it can be undone, and neither the file nor what the crash left changes until it is saved.
  Status recover();
  void discard_recovery();  // the person does not want the first
  // What a program that ended early left without a file (left_documents), as a change of an empty document: it is not saved yet, and undo
  // takes it away.
  Status open_left(const LeftDocument& left);

 private:
  struct Step {
    Workspace workspace;
    std::string label;
    std::uint64_t revision;  // of its document
  };
  struct FigureKey {
    std::string name;
    FigureOptions options;
    friend auto operator<=>(const FigureKey&, const FigureKey&) = default;
  };
  struct KeptFigure {
    std::string made_of;  // the binding's value as text: the same text gives the same figure
    SharedFigure scene;
  };

  struct Pinned {
    std::shared_ptr<const Document> document;
    std::vector<EvaluatedBinding> bindings;
    std::string name;                                // of the binding that the figures are of
    std::map<FigureOptions, Result<Scene>> figures;  // of that binding
  };
  Pinned& pinned() const;
  void record(std::string label, std::string merge_key);
  void change_to(Workspace next, std::string label, std::string merge_key);
  bool step_back(std::vector<Step>& from, std::vector<Step>& to);
  void adopt(Workspace workspace, std::uint64_t revision);
  void evaluate_again();
  bool collect(double seconds);
  void forget_old_figures();
  void forget_missing();
  void start_with(Document document);
  void be_saved(FileFacts facts);
  void be_unchanged();
  bool look(bool read);  // `read`: even when size and time are as they were
  Error conflict() const;
  Status write_over(const FileFacts& was);
  const FileFacts* base() const;  // of the text that was opened or saved last; null when there is no file

  Workspace workspace_;
  std::shared_ptr<Evaluation> values_ = std::make_shared<Evaluation>();  // the last; the worker reads it while it is evaluating
  std::optional<std::vector<EvaluatedBinding>> meanwhile_;               // of the document, while those are of an earlier one
  std::shared_ptr<KnownValues> known_ = std::make_shared<KnownValues>();
  std::unique_ptr<EvaluationWorker> worker_;  // from the first change on that does not wait for as long as it takes
  double patience_ = std::numeric_limits<double>::infinity();
  std::uint64_t values_revision_ = 0;
  std::vector<Step> undo_, redo_;
  std::shared_ptr<const Document> unchanged_ = workspace_.document;  // of saved_revision_
  RetypedName retyped_;
  PaneRoom room_;
  std::vector<std::string> awaited_figures_;
  std::string merge_key_;  // the last change takes up the next one of this key in its undo step; empty: none
  std::string title_ = "untitled";
  std::optional<std::filesystem::path> path_;
  std::string warning_;
  FileState file_;
  Autosave autosave_;
  std::vector<Recovery> recoveries_, recovered_;  // not yet answered; taken up and not yet saved
  std::optional<Error> recoveries_refused_;
  std::uint64_t revision_ = 0, saved_revision_ = 0, last_revision_ = 0;
  mutable std::map<std::pair<std::string, std::string>, bool, std::less<>> related_;  // pairs that were asked for
  mutable std::map<FigureKey, KeptFigure> figures_;
  mutable Pinned pinned_;  // what was made of the pinned document
};

constexpr std::size_t kMostUndoSteps = 500;

}  // namespace tessera
