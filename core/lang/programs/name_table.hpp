// SPDX-License-Identifier: BSD-3-Clause
// What the names of a text mean at the statement that is evaluated: their values, why they have none, and why they may have others. Blocks
// that are walked into hide names and give them back.
//
//   auto n = 4;
//   for (...) { int n = 5; m = 6; }   // n is 4 again behind it, m is perhaps 6
//   auto x = helper(n);               // x has no value, since this is refused
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/lang/statements/statements.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

class NameTable {
 public:
  // Why a name has no value although the text gives it one.
  struct Lost {
    std::string message, note;
  };
  struct Meaning {
    const Value* value = nullptr;     // stands in an answer; null: it has none
    std::vector<std::string> needs;   // symbols whose likely values it was computed with
    std::vector<std::string> doubts;  // why it may have another value
    std::vector<std::string> stated;  // defaults of the text that it was computed with: "Stages = 3, its default in line 1"
    std::optional<Lost> lost;
    std::size_t bound = 0;  // the number of the statement that gave it its value
    // Of a number of C++: the type with which the name was declared, which it keeps. `type_unread`: what it was declared with was refused.
    std::optional<NumberType> type{};
    bool type_unread = false;
    std::vector<std::string> given{};  // names to which the user gave values and that it was computed with
    std::string stated_type{};         // of a parameter, as the head of its block states it
  };

  const Meaning* find(const std::string& name) const;
  // What it means outside of all blocks but the first `depth` of those that are open; null: nothing.
  const Meaning* find_outside(const std::string& name, std::size_t depth) const;
  // Tr::kM of using Tr = GemmTraits: GemmTraits::kM; empty where Tr is no other name of a class.
  std::string path_in_class(const std::string& name) const;
  // Also of a member of what has no value: Cfg::kM, self.tile.shape.
  const Lost* lost(std::string_view name) const;

  // `declares`: the name is one of the innermost block, and hides any other.
  void bind(const std::string& name, Meaning meaning, const Statement& statement);
  // In the innermost block alone, also a path: behind it the name is what it was. A member of self that the block gives a value keeps it.
  void bind_here(const std::string& name, Meaning meaning);
  // A member of self that a call says: the method has it, and keeps it behind itself only where it gives it another value.
  void lend(const std::string& name, Meaning meaning);
  void lose(const std::string& name, Lost lost, const Statement& statement);
  // A statement that is passed over may assign it: the value stays, with a doubt.
  void doubt(const std::string& name, std::string why);
  // What its value rests on that the text states.
  void state(const std::string& name, std::string what);
  // "n: line 3 assigns it in a loop: another value is possible"
  static std::string assigned_in(std::string_view name, std::size_t line, std::string_view reason);

  // Every name with a value that rests on no guess, doubt or default; those of namespaces and classes with their paths: cfg::kM.
  std::vector<std::pair<std::string, const Value*>> certain() const;

  // The same of one class, without its path: kM of GemmTraits. In Python also what its objects have: self.tile.
  std::vector<std::pair<std::string, const Value*>> members_of(const std::string& of_class, bool python) const;

  // Every name that begins so, in the order of the names.
  std::vector<std::pair<std::string, const Meaning*>> with_prefix(std::string_view prefix) const;

  // Was a class of this name walked through, or of one that it is another name of?
  bool has_class(const std::string& name) const;
  // using Tr = GemmTraits: what is asked of Tr::kM is GemmTraits::kM, until its block ends or the name is another thing.
  void call_class(const std::string& name, const std::string& of_class);

  // `certain`: a condition that holds, whose block runs as what stands around it does. `stated`: whether it holds with what the text
  // states, and what that is. What a block assigns that does not run so is forgotten behind it.
  struct Stated {
    std::optional<bool> holds;
    std::vector<std::string> notes;
    bool is_of_place() const;  // it is another for other threads: "threadIdx.x = 0, the first thread"
  };
  void enter(const Statement& statement, bool certain, Stated stated);
  // The names that a class had, with their meanings: those outside are back.
  std::vector<std::pair<std::string, Meaning>> leave();

 private:
  struct Block {
    std::string reason, name;
    bool is_scope = true, of_lines = false;
    Stated stated;
    std::unordered_map<std::string, std::optional<Meaning>> before;   // what names meant that a block assigned which does not run
    std::unordered_map<std::string, std::optional<Meaning>> outside;  // what the names meant that were declared in it
    std::unordered_set<std::string> lent;                             // of these, the members that it has by its call alone
    std::unordered_map<std::string, std::string> assigned;            // names of outside, and the doubt
    std::unordered_map<std::string, std::string> classes;             // of which class a name was one outside; empty: of none
  };

  void name_class(const std::string& name, std::string of_class);
  std::size_t owner(const std::string& name, const Statement& statement);
  void set(const std::string& name, Meaning meaning, const Statement& statement);

  std::unordered_map<std::string, Meaning> names_;
  std::vector<Block> blocks_;
  std::unordered_map<std::string, std::string> classes_;  // other names of classes: Tr -> GemmTraits
};

}  // namespace tessera
