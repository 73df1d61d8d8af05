// SPDX-License-Identifier: BSD-3-Clause
// Copies: each element of one partition to the place of the other that has the same coordinate.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

using plan::Space;

namespace {

std::string variable_of(const std::string& mode) { return mode == "MMA_M" ? "m" : mode == "MMA_N" ? "n" : mode == "MMA_K" ? "k" : mode; }

Layout modes_of(const plan::Partition& partition, const plan::Tensor& tensor) {
  const Layout& plain = plain_part(partition.layout);
  return tensor.space == Space::registers ? plain : plain[1];
}

// The extent of the mode `i` of a partition; one of one mode has no modes of its own.
std::int64_t extent_of(const plan::Partition& partition, const plan::Tensor& tensor, std::size_t i) {
  const Layout modes = modes_of(partition, tensor);
  return partition.modes.size() == 1 ? modes.size() : modes[i].size();
}

const plan::Pick* pick_of(const plan::At& at, const std::string& mode) {
  for (const plan::Pick& pick : at.picks) {
    if (pick.mode == mode) return &pick;
  }
  return nullptr;
}

Layout in_registers(const Layout& mode, std::int64_t packed) {
  return with_strides(mode, [packed](std::int64_t elements) { return elements / packed; });
}

// `count` arguments: "x(0), x(1)".
template <class F>
std::string list(std::int64_t count, F&& x) {
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? ", " : "", x(i));
  return text;
}

}  // namespace

std::string Body::coordinate(const plan::At& at, const std::string& mode) const {
  if (const plan::Pick* pick = pick_of(at, mode)) return index(pick->at);
  const plan::Partition& part = partition(at);
  for (std::size_t i = 0; i < part.modes.size(); ++i) {
    if (part.modes[i] == mode && extent_of(part, tensor(at), i) == 1) return "0";
  }
  return variable_of(mode);
}

int Body::open_loops(const plan::At& at) {
  const plan::Partition& part = partition(at);
  int count = 0;
  for (std::size_t i = part.modes.size(); i-- > 1;) {
    const std::int64_t extent = extent_of(part, tensor(at), i);
    if (extent == 1 || pick_of(at, part.modes[i])) continue;
    lines_.loop(variable_of(part.modes[i]), to_string(constants_.extent(part.modes[i], extent)), true);
    ++count;
  }
  return count;
}

void Body::close(int count) {
  for (int i = 0; i < count; ++i) lines_.close();
}

Body::Place Body::gmem_place(const plan::At& at, const std::string& value) const {
  const plan::Tensor& gmem = tensor(at);
  const plan::Partition& part = partition(at);
  std::vector<std::string> terms;
  if (const plan::Pick* k_tile = pick_of(at, "k_tile")) terms.push_back(tile_offset(gmem, 1, index(k_tile->at)));
  for (std::size_t i = 1; i < part.modes.size(); ++i) terms.push_back(gmem_offset(at, i, coordinate(at, part.modes[i])));
  terms.push_back(gmem_offset(at, 0, value));
  return {part.name, sum(terms)};
}

// How far the stage that `at` names lies behind stage 0, in elements or in bytes; "0" where there is one.
std::string Body::stage_offset(const plan::At& at, bool in_bytes) const {
  if (!moving_cursors_.contains(at.stage.cursor)) return "0";
  const std::string stage = constants_.stage_elements(tensor(at).name);
  const std::int64_t bytes = in_bytes ? bits(tensor(at).type) / 8 : 1;
  return fmt::format("{} * {}", cursor_name(at.stage.cursor), bytes == 1 ? stage : fmt::format("({} * {})", stage, bytes));
}

// The place of value `value` (of the vectors of a thread), in the stage that `at` names.
Body::Place Body::smem_place(const plan::At& at, const std::string& value) const {
  const plan::Partition& part = partition(at);
  std::vector<std::string> each{value};
  for (std::size_t i = 1; i < part.modes.size(); ++i) each.push_back(coordinate(at, part.modes[i]));
  return {tensor(at).name, sum({stage_offset(at, false), address_of(at.partition).at(each)})};
}

// The place of a thread's value in the stage or in the tile of global memory.
Body::Place Body::value_place(const plan::At& at, const std::string& value) const {
  return tensor(at).space == Space::shared ? smem_place(at, value) : gmem_place(at, value);
}

// Where a stage begins, as instructions that take an address in shared memory want it.
std::string Body::declare_stage_address(const plan::At& at) {
  const plan::Tensor& smem = tensor(at);
  const bool moves = moving_cursors_.contains(at.stage.cursor);
  const std::string name = fmt::format("{}_{}", smem.name, moves ? plan_.cursors[at.stage.cursor].name : "address");
  lines_.add(fmt::format("const unsigned {} = {};", name, sum({address_of_tensor(at), stage_offset(at, true)})));
  return name;
}

std::string Body::access(const Place& place, ValueType type, std::int64_t vector, bool is_const) const {
  if (vector == 1) return place.element();
  return fmt::format("*reinterpret_cast<{}{}*>({})", is_const ? "const " : "", access_type(vector * bits(type)), place.sum());
}

std::string Body::staged_register(const plan::At& at) const {
  const Layout modes = modes_of(partition(at), tensor(at));
  return fmt::format("{}[{}]", partition(at).name,
                     index_expr(in_registers(modes[1], staged_.at(partition(at).tensor)), coordinate(at, partition(at).modes[1])));
}

void Body::operator()(const plan::Copy& copy) {
  if (copy.by == plan::CopyBy::tma_load) return load_box(copy);
  if (copy.by == plan::CopyBy::tma_store) return store_box(copy);
  if (copy.by == plan::CopyBy::stmatrix) return store_matrices(copy);
  if (copy.by == plan::CopyBy::wmma_load) return load_fragment_of_warp(copy);
  if (copy.by == plan::CopyBy::wmma_store) return store_fragment_of_warp(copy);
  const Space from = tensor(copy.from).space, to = tensor(copy.to).space;
  if (boxed_.contains(partition(copy.from).tensor)) return to == Space::global ? store_left_over(copy) : store_pairs(copy);
  const bool some = copy.threads > 0 && copy.threads < role_->threads;
  if (some) lines_.open(fmt::format("if ({} < {})", thread_of_role(), copy.threads));
  if (to == Space::shared)
    copy_to_shared(copy);
  else if (to == Space::global && copy.predicate != plan::kNone)
    lines_.open(fmt::format("if ({})", inside(copy.to, "0"))), store_result(copy), lines_.close();
  else if (to == Space::global)
    store_result(copy);
  else if (from == Space::global && !plan_.is_fragment(copy.to))
    copy_to_registers(copy);
  else if (copy.by == plan::CopyBy::load_store)
    load_fragment(copy);
  else
    load_matrices(copy);
  if (some) lines_.close();
}

void Body::copy_to_shared(const plan::Copy& copy) {
  declare_fixed_cut(copy);
  const ValueType type = tensor(copy.to).type;
  const std::int64_t bytes = bits(type) / 8;
  if (copy.by == plan::CopyBy::cp_async) {
    const std::string base = declare_stage_address(copy.to);
    const int loops = open_loops(copy.to);
    plan::At in_stage = copy.to;
    in_stage.stage = {};
    const std::string at = smem_place(in_stage, "0").offset;
    const std::string to = sum({base, bytes == 1 ? at : fmt::format("{} * {}", in_parentheses(at), bytes)});
    if (copy.predicate == plan::kNone) {
      lines_.add(fmt::format("{}<{}>({}, {});", needs_("cp_async"), copy.vector * bytes, to, gmem_place(copy.from).sum()));
    } else {
      const Cut cut = declare_cut(copy, true);
      const std::string count = cut.left.empty() ? fmt::format("{}", copy.vector * bytes)
                                : bytes == 1     ? fmt::format("min({}, {})", cut.left, copy.vector)
                                                 : fmt::format("min({}, {}) * {}", cut.left, copy.vector, bytes);
      lines_.add(fmt::format("{}<{}>({}, {}, {} ? {} : 0);", needs_("cp_async_first"), copy.vector * bytes, to, gmem_place(copy.from).sum(),
                             cut.inside, count));
    }
    close(loops);
    return;
  }
  const int loops = open_loops(copy.to);
  const std::string value = tensor(copy.from).space == Space::registers ? staged_register(copy.from) : loaded(copy);
  lines_.add(fmt::format("{} = {};", access(smem_place(copy.to, "0"), type, copy.vector, false), value));
  close(loops);
}

// A tile that waits in registers until its stage is free.
void Body::copy_to_registers(const plan::Copy& copy) {
  declare_fixed_cut(copy);
  const int loops = open_loops(copy.from);
  const std::string value = loaded(copy);
  lines_.add(fmt::format("{} = {};", staged_register(copy.to), value));
  close(loops);
}

std::string Body::fragment_register(const plan::At& at, const std::string& value) const {
  const std::int64_t packed = type_text(tensor(at).type).packed;
  const Layout modes = modes_of(partition(at), tensor(at));
  std::vector<std::string> terms;
  for (std::size_t i = 1; i < partition(at).modes.size(); ++i)
    terms.push_back(index_expr(in_registers(modes[i], packed), coordinate(at, partition(at).modes[i])));
  terms.push_back(value);
  return sum(terms);
}

// Each lane addresses a row; a matrix gives each thread one register.
void Body::load_matrices(const plan::Copy& copy) {
  const std::string base = declare_stage_address(copy.from);
  const int loops = open_loops(copy.to);
  plan::At in_stage = copy.from;
  in_stage.stage = {};
  const std::string row =
      fmt::format("{} + {} * {}", base, in_parentheses(smem_place(in_stage, "0").offset), bits(tensor(copy.from).type) / 8);
  const std::string name = needs_(fmt::format("ldmatrix_x{}{}", copy.matrices, copy.by == plan::CopyBy::ldmatrix_trans ? "_trans" : ""));
  const Layout values = modes_of(partition(copy.to), tensor(copy.to))[0];
  const std::int64_t packed = type_text(tensor(copy.to).type).packed;
  bool together = true;
  for (std::int64_t i = 0; i < copy.matrices; ++i) together = together && values(i * packed) / packed == i;
  if (together) {
    lines_.add(fmt::format("{}(&{}[{}], {});", name, array_of(copy.to), fragment_register(copy.to, "0"), row));
  } else {
    const std::string received = "received" + operand_letter(copy.from);
    lines_.add(fmt::format("unsigned {}[{}];", received, copy.matrices));
    lines_.add(fmt::format("{}({}, {});", name, received, row));
    for (std::int64_t i = 0; i < copy.matrices; ++i)
      lines_.add(fmt::format("{}[{}] = {}[{}];", array_of(copy.to),
                             fragment_register(copy.to, fmt::format("{}", values(i * packed) / packed)), received, i));
  }
  close(loops);
}

std::string Body::fragment_of_warp(const plan::At& at) const {
  const Layout modes = modes_of(partition(at), tensor(at));
  std::vector<std::string> terms;
  for (std::size_t i = 1; i < partition(at).modes.size(); ++i)
    terms.push_back(index_expr(in_registers(modes[i], modes[0].size()), coordinate(at, partition(at).modes[i])));
  return fmt::format("{}[{}]", array_of(at), sum(terms));
}

// Elements from a row of a warp's patch to the next.
std::int64_t Body::distance_of_rows(const plan::At& at) const {
  const Stride strides = plain_part(partition(at).layout)[1][0].stride();  // of a (row, column)
  return std::max(strides[0].value(), strides[1].value());
}

// By the whole warp: rows of a patch.
void Body::load_fragment_of_warp(const plan::Copy& copy) {
  const int loops = open_loops(copy.to);
  lines_.add(fmt::format("{}({}, {}, {});", needs_(fmt::format("load_matrix_{}", short_name(tensor(copy.from).type))),
                         fragment_of_warp(copy.to), smem_place(copy.from, "0").sum(), distance_of_rows(copy.from)));
  close(loops);
}

void Body::store_fragment_of_warp(const plan::Copy& copy) {
  lines_.add(fmt::format("{}({}, {}, {});", needs_("store_matrix"), smem_place(copy.to, "0").sum(), fragment_of_warp(copy.from),
                         distance_of_rows(copy.to)));
}

// Do the elements of every register lie alike from its first one?
bool Body::has_equal_words(const plan::At& at, std::int64_t packed) const {
  const plan::Partition& part = partition(at);
  if (std::holds_alternative<ComposedLayout>(part.layout)) return false;
  const Layout values = plain_part(part.layout)[1][0];
  std::vector<Layout> offsets{values};
  if (part.coordinates != plan::kNone) {  // rows and columns apart: what a size makes of them is the same
    const Layout of = plain_part(plan_.partitions[part.coordinates].layout)[1][0];
    offsets = {basis_part(of, 0), basis_part(of, 1)};
  }
  for (const Layout& offset : offsets) {
    for (std::int64_t i = 0; i < values.size(); ++i) {
      if (offset(i) != offset(i - i % packed) + offset(i % packed)) return false;
    }
  }
  return true;
}

// Loads of `vector` elements; where that is less than a register, the elements are packed.
void Body::load_fragment(const plan::Copy& copy) {
  const ValueType type = tensor(copy.from).type;
  const TypeText text = type_text(type);
  const std::int64_t values = extent_of(partition(copy.to), tensor(copy.to), 0);
  const auto target = [&](const std::string& value) { return fmt::format("{}[{}]", array_of(copy.to), fragment_register(copy.to, value)); };
  const bool shared = tensor(copy.from).space == Space::shared;
  const int outer = open_loops(copy.to);
  if (copy.vector < text.packed) {
    const std::int64_t words = values / text.packed;
    if (words > 1) lines_.loop("word", fmt::format("{}", words), true);
    const std::string word = words > 1 ? "word" : "0";
    if (has_equal_words(copy.from, text.packed)) {
      const Layout places = plain_part(partition(copy.from).layout)[1][0];
      const auto distance = [&](std::int64_t i) {
        if (!shared && partition(copy.from).coordinates != plan::kNone) return gmem_offset(copy.from, 0, fmt::format("{}", i));
        return shared || places(i) < 2 ? fmt::format("{}", places(i)) : constants_.stride(tensor(copy.from))(places(i));
      };
      const Place first = value_place(copy.from, "0");
      Place place{first.base,
                  sum({first.offset, shared ? stepped_expr(places, word, text.packed) : gmem_offset(copy.from, 0, word, text.packed)})};
      if (!shared) {  // the way there is long enough to be said once
        const std::string from = "from" + operand_letter(copy.from);
        lines_.add(fmt::format("const {}* {} = {};", memory_type(type), from, place.sum()));
        place = {from, "0"};
      }
      const std::string first_value = words > 1 ? fmt::format("word * {}", text.packed) : "0";
      lines_.add(fmt::format(
          "{} = {}({});", target(word), needs_(fmt::format("pack{}", bits(type))), list(text.packed, [&](std::int64_t i) {
            return element_inside(copy, {place.base, sum({place.offset, distance(i)})}, sum({first_value, fmt::format("{}", i)}));
          })));
      if (words > 1) lines_.close();
      close(outer);
      return;
    }
    const std::string packed = "packed" + operand_letter(copy.from);
    lines_.add(fmt::format("unsigned {} = 0;", packed), fmt::format("{} elements of {}", text.packed, short_name(type)));
    lines_.loop("part", fmt::format("{}", text.packed), true);
    const std::string load = sum({words > 1 ? fmt::format("word * {}", text.packed) : "0", "part"});
    lines_.add(fmt::format("{} |= {} << (part * {});", packed, bit_pattern(type, element_inside(copy, value_place(copy.from, load), load)),
                           bits(type)));
    lines_.close();
    lines_.add(fmt::format("{} = {};", target(word), packed));
    if (words > 1) lines_.close();
    close(outer);
    return;
  }
  const std::int64_t registers = copy.vector / text.packed, loads = values / copy.vector;
  if (loads > 1) lines_.loop("load", fmt::format("{}", loads), true);
  const Place place = value_place(copy.from, loads > 1 ? "load" : "0");
  const std::string first = loads == 1 ? "0" : registers == 1 ? "load" : fmt::format("load * {}", registers);
  if (copy.vector == 1) {
    const std::string element = element_inside(copy, place, loads > 1 ? "load" : "0");
    lines_.add(fmt::format("{} = {};", target(first), type == ValueType::tf32 ? fmt::format("__float_as_uint({})", element) : element));
  } else if (registers == 1) {
    lines_.add(fmt::format("{} = {};", target(first), access(place, type, copy.vector, true)));
  } else {
    const std::string wide = text.reg == "unsigned" ? access_type(copy.vector * bits(type)) : fmt::format("{}{}", text.reg, registers);
    const std::string words = "words" + operand_letter(copy.from);
    lines_.add(fmt::format("const {0} {1} = *reinterpret_cast<const {0}*>({2});", wide, words, place.sum()));
    for (std::int64_t r = 0; r < registers; ++r)
      lines_.add(fmt::format("{} = {}.{};", target(sum({first, fmt::format("{}", r)})), words, "xyzw"[r]));
  }
  if (loads > 1) lines_.close();
  close(outer);
}

// A store of the values that Convert left in registers.
void Body::store_result(const plan::Copy& copy) {
  const ValueType type = tensor(copy.to).type;
  const std::string value = partition(copy.from).name;
  const std::int64_t per_word = 32 / std::min<std::int64_t>(bits(type), 32), words = copy.vector / per_word;
  if (copy.vector == 1) {
    const Place place = gmem_place(copy.to);
    lines_.add(fmt::format("{} = {};", result_ == copy.to ? "*c" : place.element(), value));
    return;
  }
  const auto element = [&](std::int64_t i) { return fmt::format("{}[{}]", value, i); };
  if (result_ != copy.to) lines_.add(fmt::format("{}* c = {};", memory_type(type), gmem_place(copy.to).sum()));
  if (words == 0) {  // two bytes
    lines_.add(fmt::format("*reinterpret_cast<unsigned short*>(c) = {}({}, 0, 0);", needs_("pack8"), list(copy.vector, element)));
    return;
  }
  if (per_word == 1) {
    const std::string wide = fmt::format("{}{}", memory_type(type), copy.vector);
    lines_.add(fmt::format("*reinterpret_cast<{0}*>(c) = make_{0}({1});", wide, list(copy.vector, element)));
    return;
  }
  const auto word = [&](std::int64_t i) {
    return fmt::format("{}({})", needs_(fmt::format("pack{}", bits(type))),
                       list(per_word, [&](std::int64_t j) { return element(i * per_word + j); }));
  };
  const std::string wide = access_type(copy.vector * bits(type));
  lines_.add(
      fmt::format("*reinterpret_cast<{}*>(c) = {};", wide, words == 1 ? word(0) : fmt::format("make_{}({})", wide, list(words, word))));
}

}  // namespace tessera::emitting
