// SPDX-License-Identifier: BSD-3-Clause
// Text that the atoms' tables are written in: layouts such as "(4,2):(1,16)", and CuTe's template names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/layout/layout.hpp"

namespace tessera {

// "((4,8),(2,2)):((32,1),(16,8))" -> the layout. Integers only. For tables and tests; the language has its own parser.
Result<Layout> parse_layout_text(std::string_view text);
Result<IntTuple> parse_int_tuple_text(std::string_view text);
// The same for a constant of this program: an error in it is a broken invariant.
Layout table_layout(std::string_view text);

// Op<A,B<C>,D> taken apart. Spaces are gone; `cute::` and `cutlass::` too; `GMMA::` and `UMMA::` are dropped in arguments.
struct TemplateName {
  std::string op;                 // "SM90_64x128x16_F32F16F16_SS"
  std::vector<std::string> args;  // {"Major::K", "Major::MN"}
};
Result<TemplateName> parse_template_name(std::string_view text);
std::string compact_name(std::string_view text);  // without spaces, qualifiers, references and outer namespaces

// const, constexpr, static, inline, typename, class, struct, enum: words of C++ that change nothing here.
bool is_qualifier(std::string_view word);
// How many characters of u, l, ll, ul, ull, lu, llu in either case `text` begins with: the suffix of an integer.
std::size_t integer_suffix(std::string_view text);

// A decimal number of up to nine digits, all of `text`; otherwise -1.
int parse_count(std::string_view text);

// Takes `prefix` off the front of `text` if it is there.
bool take_prefix(std::string_view& text, std::string_view prefix);
bool take_suffix(std::string_view& text, std::string_view suffix);
// Takes a decimal number off the front of `text`; -1 when there is none.
int take_count(std::string_view& text);

}  // namespace tessera
