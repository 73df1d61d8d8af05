// SPDX-License-Identifier: BSD-3-Clause
// The second writing of layouts: values, text, evaluation.
#include "tests/attack/model.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::attack {
namespace {

Int cosize_less_one(const Tree& shape, const Tree& stride) {
  if (!shape.tuple) return (shape.value - 1) * std::abs(stride.value);
  Int sum = 0;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) sum += cosize_less_one(shape.modes[k], stride.modes[k]);
  return sum;
}

Int walk(const Tree& shape, const Tree& stride, Int index) {
  if (!shape.tuple) return index * stride.value;
  Int sum = 0;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) {
    const Int extent = product(shape.modes[k]);
    const bool last = k + 1 == shape.modes.size();
    sum += walk(shape.modes[k], stride.modes[k], last ? index : index % extent);
    index /= extent;
  }
  return sum;
}

Int walk_tree(const Tree& shape, const Tree& stride, const Tree& coordinate) {
  if (!coordinate.tuple) return walk(shape, stride, coordinate.value);
  Int sum = 0;
  for (std::size_t k = 0; k < coordinate.modes.size(); ++k) sum += walk_tree(shape.modes[k], stride.modes[k], coordinate.modes[k]);
  return sum;
}

// Reads as far as it understands; `bad` once it does not.
class Text {
 public:
  explicit Text(std::string_view text) : text_(text) {}
  bool bad = false;

  bool done() {
    spaces();
    return next_ == text_.size();
  }
  bool take(std::string_view word) {
    spaces();
    if (text_.substr(next_, word.size()) != word) return false;
    next_ += word.size();
    return true;
  }
  Int integer() {
    spaces();
    const std::size_t begin = next_;
    if (next_ < text_.size() && text_[next_] == '-') ++next_;
    while (next_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
    bad = bad || next_ == begin || next_ - begin > 19;
    return bad ? 0 : std::strtoll(std::string(text_.substr(begin, next_ - begin)).c_str(), nullptr, 10);
  }
  Tree tree() {
    if (!take("(")) return integer();
    std::vector<Tree> modes;
    while (!bad && !take(")")) {
      modes.push_back(tree());
      if (!take(",") && text_.substr(next_, 1) != ")") bad = true;
    }
    return modes;
  }
  Function::Part part() {
    if (take("Sw<")) {
      Bits bits;
      bits.b = static_cast<int>(integer());
      bad = bad || !take(",");
      bits.m = static_cast<int>(integer());
      bad = bad || !take(",");
      bits.s = static_cast<int>(integer());
      bad = bad || !take(">");
      return bits;
    }
    Plain plain;
    plain.shape = tree();
    bad = bad || !take(":");
    plain.stride = tree();
    return plain;
  }
  Function function() {
    Function f;
    f.inner = part();
    while (!bad && take("o ")) {
      if (f.outer) f.further.insert(f.further.begin(), {std::move(*f.outer), f.offset});
      f.outer = std::move(f.inner);
      f.offset = integer();
      bad = bad || !take("o ");
      f.inner = part();
    }
    return f;
  }

 private:
  void spaces() {
    while (next_ < text_.size() && text_[next_] == ' ') ++next_;
  }
  std::string_view text_;
  std::size_t next_ = 0;
};

}  // namespace

Int product(const Tree& tree) {
  if (!tree.tuple) return tree.value;
  Int all = 1;
  for (const Tree& each : tree.modes) all *= product(each);
  return all;
}

std::string to_text(const Tree& tree) {
  if (!tree.tuple) return std::to_string(tree.value);
  std::string text = "(";
  for (std::size_t k = 0; k < tree.modes.size(); ++k) text += (k ? "," : "") + to_text(tree.modes[k]);
  return text + ")";
}

Int size(const Plain& layout) { return product(layout.shape); }
Int cosize(const Plain& layout) { return 1 + cosize_less_one(layout.shape, layout.stride); }
std::size_t rank(const Plain& layout) { return layout.shape.tuple ? layout.shape.modes.size() : 1; }

Plain mode(const Plain& layout, std::size_t k) {
  if (!layout.shape.tuple) return layout;
  return {layout.shape.modes[k], layout.stride.modes[k]};
}

Plain beside(const std::vector<Plain>& modes) {
  Plain all{std::vector<Tree>{}, std::vector<Tree>{}};
  for (const Plain& each : modes) {
    all.shape.modes.push_back(each.shape);
    all.stride.modes.push_back(each.stride);
  }
  return all;
}

std::string to_text(const Plain& layout) { return to_text(layout.shape) + ":" + to_text(layout.stride); }

std::string to_text(const Function& function) {
  const auto words = [](const Function::Part& part) {
    if (const auto* plain = std::get_if<Plain>(&part)) return to_text(*plain);
    const Bits& bits = std::get<Bits>(part);
    return "Sw<" + std::to_string(bits.b) + "," + std::to_string(bits.m) + "," + std::to_string(bits.s) + ">";
  };
  if (!function.outer) return words(function.inner);
  std::string text = words(*function.outer) + " o " + std::to_string(function.offset) + " o " + words(function.inner);
  for (const auto& [part, offset] : function.further) text = words(part) + " o " + std::to_string(offset) + " o " + text;
  return text;
}

Int at(const Plain& layout, Int index) { return walk(layout.shape, layout.stride, index); }
Int at_tree(const Plain& layout, const Tree& coordinate) { return walk_tree(layout.shape, layout.stride, coordinate); }

Int at(const Bits& swizzle, Int value) {
  const Int read = ((Int{1} << swizzle.b) - 1) << (swizzle.m + std::max(0, swizzle.s));
  const Int bits = value & read;
  return value ^ (swizzle.s >= 0 ? bits >> swizzle.s : bits << -swizzle.s);
}

Int at(const Function& function, Int index) {
  const auto part = [](const Function::Part& p, Int i) { return std::visit([i](const auto& f) { return at(f, i); }, p); };
  Int value = part(function.inner, index);
  if (function.outer) value = part(*function.outer, function.offset + value);
  for (const auto& [before, offset] : function.further) value = part(before, offset + value);
  return value;
}

Int size(const Function& function) {
  if (const auto* plain = std::get_if<Plain>(&function.inner)) return size(*plain);
  if (function.outer) {
    if (const auto* plain = std::get_if<Plain>(&*function.outer)) return size(*plain);
  }
  return 0;
}

std::vector<Int> image(const Plain& layout) {
  std::vector<Int> values(static_cast<std::size_t>(size(layout)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(layout, static_cast<Int>(i));
  return values;
}

std::vector<Int> image(const Function& function) {
  std::vector<Int> values(static_cast<std::size_t>(size(function)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(function, static_cast<Int>(i));
  return values;
}

bool injective(std::vector<Int> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

std::optional<Tree> read_tree(std::string_view text) {
  Text in(text);
  Tree tree = in.tree();
  if (in.bad || !in.done()) return std::nullopt;
  return tree;
}

std::optional<Function> read_function(std::string_view text) {
  Text in(text);
  Function function = in.function();
  if (in.bad || !in.done()) return std::nullopt;
  return function;
}

std::optional<std::pair<Function, Int>> read_function_and_offset(std::string_view text) {
  Text in(text);
  if (!in.take("(")) return std::nullopt;
  Function function = in.function();
  if (in.bad || !in.take(",")) return std::nullopt;
  const Int offset = in.integer();
  if (in.bad || !in.take(")") || !in.done()) return std::nullopt;
  return std::pair{std::move(function), offset};
}

}  // namespace tessera::attack
