// SPDX-License-Identifier: BSD-3-Clause
#include "tests/host/ptx.hpp"

#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::host {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<PtxStatement>> statements() {
    std::vector<PtxStatement> all;
    for (skip(); at_ < text_.size(); skip()) {
      if (take('{') || take('}') || take(';')) continue;
      PtxStatement statement{word(), {}};
      if (statement.opcode.empty()) return wrong();
      if (statement.opcode == ".reg") {  // its type and its name
        word(), word();
        if (!take(';')) return wrong();
        continue;
      }
      while (!take(';')) {
        if (at_ >= text_.size()) break;  // the last ; may be left out
        if (!operand(statement.operands)) return wrong();
        take(',');
      }
      all.push_back(std::move(statement));
    }
    return all;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  bool operand(std::vector<PtxOperand>& into) {
    PtxOperand made;
    if (take('{') || take('[')) {
      made.is = PtxOperand::Is::list;
      while (!take('}') && !take(']')) {
        if (at_ >= text_.size() || !operand(made.list)) return false;
        take(',');
      }
    } else if (take('%')) {
      const bool special = take('%');
      const std::string name = word();
      made.is = special ? PtxOperand::Is::name : PtxOperand::Is::number;
      made.name = "%" + name;
      if (!special && std::from_chars(name.data(), name.data() + name.size(), made.number).ptr != name.data() + name.size()) return false;
    } else {
      const bool negative = take('-');
      made.name = word();
      if (made.name.empty()) return false;
      made.is = std::isdigit(static_cast<unsigned char>(made.name[0])) ? PtxOperand::Is::value : PtxOperand::Is::name;
      if (made.is == PtxOperand::Is::value) std::from_chars(made.name.data(), made.name.data() + made.name.size(), made.number);
      if (negative) made.number = -made.number;
    }
    into.push_back(std::move(made));
    return true;
  }
  Error wrong() const { return Error{ErrorCode::wrong_result, fmt::format("this is no PTX: {}", text_.substr(at_)), {}, {}}; }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<PtxStatement>> parse_ptx(std::string_view text) { return Reader(text).statements(); }

}  // namespace tessera::host
