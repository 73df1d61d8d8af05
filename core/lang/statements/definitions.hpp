// SPDX-License-Identifier: BSD-3-Clause
// What a text defines that can be called: its functions, kernels, methods and classes.
//
//   template <class L> __global__ void kernel(L l, int n) {...}     the function kernel with the parameters L, l and n
//   class Gemm: def __init__(self, tile): ...                       the class Gemm with the method __init__
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lang/statements/statements.hpp"

namespace tessera {

struct Definition {
  std::string name;      // kernel
  std::string of_class;  // of a method: the class; empty: it is none
  bool is_class = false;
  bool is_python = false;
  bool is_local = false;             // within a function, whose names it may use
  std::size_t enters = 0;            // the number of the statement that begins it
  std::size_t leaves = 0;            // of the one that ends it
  std::vector<std::size_t> around;   // the statements that begin the blocks around it, outermost first
  std::vector<std::string> parents;  // of a class: the texts of its bases

  std::string path() const;  // Kernel::run, Kernel.run: as its language writes it
};

class Definitions {
 public:
  // Of statements that were read with into_blocks. `text` outlives it.
  Definitions(std::string_view text, std::vector<Statement> statements);

  const std::vector<Definition>& all() const { return all_; }
  const Statement& head(const Definition& of) const { return statements_[of.enters]; }
  const std::vector<Statement>& statements() const { return statements_; }
  std::string_view text() const { return text_; }

  // Those that a path names at a place within a class: kernel, self.kernel, Kernel::run, ns::kernel. Several are overloads.
  std::vector<const Definition*> named(std::string_view path, std::string_view class_around) const;
  // The only class of this name; null where there is none, or several: specialisations are not told apart.
  const Definition* class_named(std::string_view name) const;
  std::vector<const Definition*> methods(std::string_view of_class, std::string_view name) const;

 private:
  std::vector<std::string> bases_of(const Statement& head) const;

  std::string_view text_;
  std::vector<Statement> statements_;
  std::vector<Definition> all_;
  std::unordered_multimap<std::string, std::size_t> by_name_;
};

// How many arguments a call may have: those of the function's brackets, without self.
struct Arity {
  std::size_t least = 0, most = 0;
};
Arity arity_of(const Definition& definition, const Statement& head);
// The parameters of the brackets, without those of the template and without self.
std::vector<const StatedParameter*> parameters_of(const Definition& definition, const Statement& head);

}  // namespace tessera
