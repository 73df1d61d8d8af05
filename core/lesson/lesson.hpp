// SPDX-License-Identifier: BSD-3-Clause
// A lesson: words, definitions, figures and questions, one behind the other, as a person has written them.
//
//   ---                                   the head
//   number: 6
//   title: Who holds what?
//   goal: You read a thread-value layout in both directions.
//   minutes: 12
//   needs: 2, 3                           numbers of lessons
//   confusions: 1, 2                      numbers of the list in docs/writing_a_lesson.md
//   ---
//   Words in Markdown, in which {{size(tv, 0)}} is a number.
//
//   ```tess                               definitions, for all that stands below them
//   let tv = ((2,4),(2,2)):((8,1),(4,16))
//   ```
//   ```ask first                          a question: all text, so that it can be drawn, asked, graded and exported without knowing it
//   kind:   integer
//   draw:   t in 0..7
//   prompt: What does tv give for thread {{t}} and value 0?
//   answer: tv(t, 0)
//   wrong 1: t                         -> That is the thread's number.
//   wrong:  t * 8                      -> Split the thread's number first.
//   ```
//   ```figure                             a picture, which comes when the questions above it are answered
//   tv_figure(tv, (4,8):(8,1))
//   ```
//
// Everything here is text as it was written, with its place in the lesson, so that what is wrong with an expression is said by line and
// column. Nothing that is a number of the subject is typed: it is an expression, and evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"

namespace tessera::lesson {

// A piece of the lesson's text, byte for byte, and where it begins there.
struct Written {
  std::string text;
  std::size_t at = 0;  // bytes

  bool empty() const { return text.empty(); }
};

struct Head {
  std::int64_t number = 0;
  std::string title, goal;
  std::int64_t minutes = 0;
  std::vector<std::int64_t> needs, confusions;
};

struct Prose {
  Written markdown;
};

// Lines of a document: names for everything below them.
struct Bind {
  Written tess;
};

struct Figure {
  Written expression;
};

// A figure with a parameter that a person moves, and what to find with it.
struct Vary {
  Written param;   // "s = 4 in (1,2,4)"
  Written show;    // the figure
  Written prompt;  // what to look for; may be empty
  Written truth;   // a condition: for which values it holds is the answer; may be empty
};

// What somebody answers who has the question wrong in a way that is known.
struct Wrong {
  Written expression, hint;
  std::int64_t confusion = 0;  // the number of one that this is; 0: of none
};

struct Ask {
  std::string id;
  Written kind;               // "integer", "layout on (thread, value)": core/lesson/kinds.hpp
  std::vector<Written> draw;  // "M in (4,8), t in 0..7, N = 8"
  std::vector<Written> let;   // "L = (M,N):(N,1)"
  Written where;              // a condition that what is drawn has to meet; empty: none
  Written prompt;
  Written options;  // of a choice and an order: "words | words | words"
  Written given;    // of a binding: what the person begins with
  Written answer;   // one right answer
  Written accept;   // a condition on `it`, where there are many right answers; empty: the answer is the only one
  std::vector<Wrong> wrong;
  bool gates = true;      // what follows comes after the answer
  std::size_t place = 0;  // of its fence in the lesson's text
};

// A GEMM to be run.
struct Run {
  Written gemm;
};

using Part = std::variant<Prose, Bind, Figure, Vary, Ask, Run>;

struct Lesson {
  std::string text;  // all of it: what the places of the parts count in
  Head head;
  std::vector<Part> parts;
};

// The error of a piece, whose span counts in the piece: the same with a span in the lesson.
Error moved(Error error, const Written& piece);
// With the line and the column in front of its message. The span counts in the lesson's text.
Error placed(Error error, std::string_view text);

}  // namespace tessera::lesson
