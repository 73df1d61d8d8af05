// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/notation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/prints/pointer.hpp"
#include "core/lang/syntax/limits.hpp"

namespace tessera {
namespace {

// Reads by going down: value, part, pair, tuple, integer. Each returns false and leaves `at_` where it was, or moves behind what it read
// and appends it to `out_`.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::optional<Notation> run() {
    const std::size_t begin = at_;
    if (!(tensor() || value())) return std::nullopt;
    return Notation{kind_, begin, at_, std::move(out_), printed_, std::move(unknown_)};
  }

 private:
  using Kind = Notation::Kind;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_space() {
    while (is_space(peek())) ++at_;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void undo(std::size_t at, std::size_t out, std::size_t unknown) {
    at_ = at;
    out_.resize(out);
    unknown_.resize(unknown);
  }

  // tensor<pointer o layout>, tensor(pointer o layout, data=...), tensor_value<vector<4xf32> o (2,2)>, Tensor<f32, shape, stride>
  bool tensor() {
    const std::size_t begin = at_;
    const std::string_view name = printed_word(text_, at_);
    if (name == "Tensor" && text_.substr(at_ + 6).starts_with("<")) return fake_tensor(begin);
    if (name != "tensor" && name != "tensor_value") return false;
    at_ += name.size();
    const char open = peek();
    if (open != '<' && open != '(') return undo(begin, 0, 0), false;
    const std::size_t close = behind_bracket(text_, at_);
    ++at_;
    skip_space();
    if (!value()) return undo(begin, 0, 0), false;
    skip_space();
    if (open == '<' && !take('>')) return undo(begin, 0, 0), false;
    // The numbers of a tensor stand behind its layout; a paste may end among them.
    if (open == '(') {
      if (peek() != ',' && peek() != ')' && at_ != text_.size()) return undo(begin, 0, 0), false;
      at_ = close == std::string_view::npos ? text_.size() : close;
    }
    if (kind_ != Kind::tuple) kind_ = Kind::tensor;
    return printed_ = true;
  }

  // Tensor<Float32, (128,64), (64,1)> of the DSL's tensors without memory.
  bool fake_tensor(std::size_t begin) {
    const std::size_t close = behind_bracket(text_, begin + 6);
    const std::size_t open = text_.find('(', begin);
    if (close == std::string_view::npos || open == std::string_view::npos || open > close) return false;
    at_ = open;
    part_ = "shape";
    if (!tuple()) return undo(begin, 0, 0), false;
    skip_space();
    if (!take(',')) return undo(begin, 0, 0), false;
    skip_space();
    out_ += ':';
    part_ = "stride";
    if (!tuple()) return undo(begin, 0, 0), false;
    skip_space();
    if (!take('>')) return undo(begin, 0, 0), false;
    kind_ = Kind::tensor;
    return printed_ = true;
  }

  // A, A o B, A o offset o B; the sign may be U+25E6 or U+2218.
  bool value() {
    if (++depth_ > kDeepestNesting) return false;
    const bool made = value_within();
    --depth_;
    return made;
  }

  bool value_within() {
    const std::size_t begin = at_, out = out_.size(), unknown = unknown_.size();
    bool composed = false, behind_pointer = false;
    Kind kind = Kind::integer;
    if (pointer()) {
      behind_pointer = true;
      if (!composition_sign()) return undo(begin, out, unknown), false;
      if (out_.size() > out) out_ += " o ";
    }
    do {
      if (composed) out_ += " o ";
      Kind each = Kind::integer;
      if (!part(each)) return undo(begin, out, unknown), false;
      if (each != Kind::integer && !(composed && each == Kind::tuple)) kind = each;
      composed = true;
    } while (composition_sign());
    if (behind_pointer && !vector_) kind = Kind::tensor;
    kind_ = kind;
    return true;
  }

  // " o " and what may stand between it and the layout: a line's end. Moves behind it.
  bool composition_sign() {
    const std::size_t begin = at_;
    skip_space();
    const bool ring = starts("\xE2\x97\xA6") || starts("\xE2\x88\x98");
    const bool letter = at_ > begin && peek() == 'o' && (is_space(peek(1)) || peek(1) == '(');
    if (!ring && !letter) return at_ = begin, false;
    at_ += ring ? 3 : 1;
    skip_space();
    return true;
  }

  bool part(Kind& kind) {
    if (swizzle()) {
      kind = Kind::layout;
      return true;
    }
    return flagged_pointer() || pair(kind);
  }

  // Sw<3,4,3>, S<3,4,3>
  bool swizzle() {
    const std::string_view text = swizzle_at(text_, at_);
    if (text.empty() || text_.substr(at_ + text.size()).starts_with("_")) return false;
    at_ += text.size();
    out_ += "Sw" + std::string(text.substr(text.find('<')));
    return true;
  }
  // Sw<3,4,3> o smem_ptr[16b](unset) o L: here the pointer stands between.
  bool flagged_pointer() {
    const auto read = peek() == 's' ? read_pointer(text_, at_) : std::nullopt;
    if (!read || !read->expression.starts_with("smem_ptr[")) return false;
    at_ = read->end;
    out_ += read->expression;
    return true;
  }

  // Whatever print() writes before the 'o' of a tensor.
  bool pointer() {
    auto read = read_pointer(text_, at_);
    if (!read) return false;
    at_ = read->end;
    out_ += read->expression;
    unknown_.insert(unknown_.end(), read->unknown.begin(), read->unknown.end());
    vector_ = vector_ || read->vector;
    names_ = printed_ = true;
    return true;
  }

  bool pair(Kind& kind) {
    const std::string outer = part_;
    part_ = outer.empty() ? "shape" : outer;
    const bool tuple_first = peek() == '(' || peek() == '[';
    const std::size_t begin = at_, out = out_.size(), unknown = unknown_.size();
    if (!element()) return part_ = outer, undo(begin, out, unknown), false;
    kind = tuple_first ? nested_ : Kind::integer;
    const std::size_t shape_end = at_, shape_out = out_.size(), shape_unknown = unknown_.size();
    skip_space();
    if (peek() == ':' && peek(1) != ':') {
      ++at_;
      skip_space();
      out_ += ':';
      part_ = outer.empty() ? "stride" : outer;
      if (element()) {
        kind = Kind::layout;
        part_ = outer;
        return true;
      }
    }
    undo(shape_end, shape_out, shape_unknown);
    part_ = outer;
    return true;
  }

  bool element() {
    nested_ = Kind::tuple;
    return peek() == '(' || peek() == '[' ? tuple() : integer();
  }

  // (8,(2,4)), and MLIR's tilers: [2:1;4096:1]
  bool tuple() {
    const std::size_t begin = at_, out = out_.size(), unknown = unknown_.size();
    const bool tiler = peek() == '[';
    const char close = tiler ? ']' : ')', comma = tiler ? ';' : ',';
    const std::string outer = part_;
    ++at_;
    out_ += '(';
    std::size_t count = 0;
    bool composed = false;
    for (;; ++count) {
      skip_space();
      if (count > 0 && peek() == close) break;  // (4,)
      if (count > 0) out_ += ',';
      part_ = outer.empty() ? outer : fmt::format("{}[{}]", outer, count);
      const std::size_t inside = out_.size();
      const Kind before = kind_;
      if (!value()) return part_ = outer, undo(begin, out, unknown), false;
      composed = composed || out_.find(" o ", inside) != std::string::npos;
      kind_ = before;
      skip_space();
      if (!take(comma)) {
        ++count;
        break;
      }
    }
    part_ = outer;
    if (!take(close)) return undo(begin, out, unknown), false;
    nested_ = Kind::tuple;
    if (composed && count == 1) {  // (A o offset o B) is A o offset o B
      out_.erase(out, 1);
      nested_ = Kind::layout;
    } else {
      out_ += ')';
    }
    return true;
  }

  // 8, _8, -3, _-3, 1@0, `_`, and what stands for a number that is not known: `?`, `?{i64 div=8}`, a name behind a pointer
  bool integer() {
    const std::size_t begin = at_;
    if (peek() == '?') return dynamic_integer();
    std::size_t at = at_;
    if (peek() == '-' || peek() == '+') ++at;
    if (at < text_.size() && text_[at] == '_') ++at;
    if (at < text_.size() && text_[at] == '-') ++at;
    const std::size_t digits = at;
    while (at < text_.size() && is_digit(text_[at])) ++at;
    if (at == digits) {
      if (peek() == '_' && !is_word(peek(1))) {
        ++at_;
        out_ += '_';
        return true;
      }
      return names_ && is_letter(peek()) && named_integer();
    }
    if (at < text_.size() && text_.substr(at).starts_with("/_")) return ratio();
    const std::size_t number_end = at;
    while (at + 1 < text_.size() && text_[at] == '@' && is_digit(text_[at + 1])) {
      for (++at; at < text_.size() && is_digit(text_[at]);) ++at;
    }
    const bool suffix = at == number_end && at < text_.size() && (text_[at] == 'L' || text_[at] == 'U' || text_[at] == 'u');
    if (suffix) {
      while (at < text_.size() && (text_[at] == 'L' || text_[at] == 'U' || text_[at] == 'u')) ++at;
    }
    const char next = at < text_.size() ? text_[at] : '\0';
    const bool real = next == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]);
    if (is_word(next) || next == '@' || next == '%' || real) return names_ && named_integer();
    out_ += text_.substr(begin, at - begin);
    at_ = at;
    return true;
  }

  bool dynamic_integer() {
    ++at_;
    std::string what = part_.empty() ? "a number" : part_;
    if (peek() == '{') {
      const std::size_t behind = behind_bracket(text_, at_);
      if (behind == std::string_view::npos) return false;
      const std::string_view inside = text_.substr(at_ + 1, behind - at_ - 2);
      const std::size_t div = inside.find("div=");
      if (div != std::string_view::npos) what += fmt::format(" (a multiple of {})", inside.substr(div + 4));
      at_ = behind;
    }
    out_ += '?';
    const std::size_t basis = at_;
    while (peek() == '@' && is_digit(peek(1))) {
      for (++at_; is_digit(peek());) ++at_;
    }
    out_ += text_.substr(basis, at_ - basis);
    unknown_.push_back(std::move(what));
    return true;
  }

  // _1/_16: a stride that is a part of an element
  bool ratio() {
    const std::size_t begin = at_;
    while (peek() == '_' || peek() == '/' || is_digit(peek()) || peek() == '@') ++at_;
    const std::string_view text = text_.substr(begin, at_ - begin);
    out_ += text;
    unknown_.push_back(fmt::format("{} (it is the ratio {})", part_.empty() ? "a number" : part_, text));
    return true;
  }

  // (_128,_64,K): one name may be bound; K / BLK_K is a number to give.
  bool named_integer() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || std::string_view(" /*+-.").find(text_[end]) != std::string_view::npos)) ++end;
    if (end == text_.size() || (text_[end] != ',' && text_[end] != ')')) return false;
    const std::string_view text = trimmed(text_.substr(begin, end - begin));
    if (std::count(text.begin(), text.end(), ' ') > 4) return false;  // prose
    const bool one_word = std::all_of(text.begin(), text.end(), is_word) && is_letter(text[0]);
    at_ = end;
    out_ += text;
    if (!one_word) unknown_.push_back(fmt::format("{} (it is {})", part_.empty() ? "a number" : part_, text));
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::string out_;
  std::vector<std::string> unknown_;
  std::string part_;  // "shape[1]": where a number that is read now stands
  Kind kind_ = Kind::integer;
  Kind nested_ = Kind::tuple;  // of the tuple that was read last
  int depth_ = 0;
  bool names_ = false;  // behind a pointer, names may stand for numbers
  bool printed_ = false;
  bool vector_ = false;  // a vector of values has a shape only
};

}  // namespace

std::optional<Notation> read_notation(std::string_view text, std::size_t at) { return Reader(text, at).run(); }

}  // namespace tessera
