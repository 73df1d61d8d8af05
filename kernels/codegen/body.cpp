// SPDX-License-Identifier: BSD-3-Clause
// What stands before a kernel's operations, in the order of the story: tensors, partitions, fragments, functions.
#include "kernels/codegen/body.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/emittable.hpp"

namespace tessera::emitting {

using plan::Space;

namespace {

// Is this where accumulators become elements of C?
bool stores(const plan::Op& op) {
  const auto* copy = std::get_if<plan::Copy>(&op.op);
  const plan::Block* const inner = plan::inside(op, nullptr);
  return std::holds_alternative<plan::Convert>(op.op) || (copy != nullptr && copy->by == plan::CopyBy::wmma_store) ||
         (inner != nullptr && plan::any_op(*inner, stores));
}

}  // namespace

Body::Body(const GemmPlan& plan, const Constants& constants) : plan_(plan), constants_(constants), uses_(plan.partitions.size()) {
  look_ahead();
}

// What has to be known of all operations before the first is written.
void Body::look_ahead() {
  const auto takes_a_tile = [](const plan::Op& op) { return std::holds_alternative<plan::NextTile>(op.op); };
  plan::each_op(plan_, [&](const plan::Op& op) {
    if (const auto* loop = std::get_if<plan::Loop>(&op.op); loop != nullptr && plan::any_op(*loop->body, takes_a_tile))
      has_one_tile_ = false;
    const auto* copy = std::get_if<plan::Copy>(&op.op);
    if (copy == nullptr || copy->by == plan::CopyBy::tma_load || copy->by == plan::CopyBy::tma_store) return;
    const plan::Tensor &from = tensor(copy->from), &to = tensor(copy->to);
    const plan::Id source = partition(copy->from).tensor;
    const bool leaves = from.space == Space::registers && from.operand == Operand::c && !plan_.is_fragment(copy->from);
    const bool to_box = leaves && to.space == Space::shared;
    if (to_box || (leaves && from.elements > copy->vector)) boxed_.insert(source);
    for (const plan::At* at : {&copy->from, &copy->to}) {
      if (tensor(*at).space == Space::shared && !to_box) typed_.insert(partition(*at).tensor);
    }
  });
}

void Body::use(const plan::Stage& stage) {
  if (stage.cursor != plan::kNone && constants_.moves(plan_.cursors[stage.cursor])) moving_cursors_.insert(stage.cursor);
}

// A fragment has its name, whether it is multiplied here or not.
void Body::use_fragment(const plan::At& at) {
  if (tensor(at).space == Space::registers && plan_.is_fragment(at))
    arrays_.try_emplace(partition(at).tensor, plan_.partitions[plan_.path(tensor(at).operand).fragment].name);
}

void Body::use(const plan::At& at, std::int64_t vector, std::int64_t threads) {
  if (at.partition == plan::kNone) return;
  Use& of = uses_[at.partition];
  of.is_used = true, of.vector = vector, of.threads = std::max(of.threads, threads > 0 ? threads : role_->threads);
  use(at.stage);
}

// What the role's operations use, so that only that is declared.
void Body::collect(const plan::Role& role) {
  uses_.assign(plan_.partitions.size(), {});
  addresses_.clear(), moving_cursors_.clear(), waits_for_.clear(), arrays_.clear(), staged_.clear(), parameters_.clear(), masks_.clear();
  const auto take = [&](const plan::Op& op) { collect(op); };
  for (const plan::Id id : plan::called(plan_, role.block)) plan::each_op(plan_.functions[id].body, take);
  plan::each_op(role.block, take);
}

void Body::collect(const plan::Op& op) {
  if (const auto* copy = std::get_if<plan::Copy>(&op.op)) {
    for (const plan::At* at : {&copy->from, &copy->to}) use(at->stage), use_fragment(*at);
    const plan::Id from = partition(copy->from).tensor, to = partition(copy->to).tensor;
    if (copy->by == plan::CopyBy::tma_load || copy->by == plan::CopyBy::tma_store) return;
    if (boxed_.contains(from)) {
      arrays_[from] = partition(copy->from).name;
      Use& of = uses_[copy->to.partition];
      if (copy->by == plan::CopyBy::stmatrix)
        of.stored_by_matrices = copy->matrices;
      else
        (tensor(copy->to).space == Space::shared ? of.by_pairs : of.is_left_over) = true;
      return;
    }
    // Elements that are packed by hand are addressed one by one.
    const bool to_fragment = tensor(copy->from).space == Space::shared && copy->by == plan::CopyBy::load_store;
    const bool packs = to_fragment && copy->vector < type_text(tensor(copy->from).type).packed;
    use(copy->from, packs ? 1 : copy->vector, copy->threads), use(copy->to, copy->vector, copy->threads);
    if (tensor(copy->from).space == Space::global) {
      if (tensor(copy->to).space == Space::registers && !plan_.is_fragment(copy->to))
        staged_[to] = copy->vector, arrays_[to] = partition(copy->to).name;
    } else if (tensor(copy->to).space == Space::registers && !plan_.is_fragment(copy->to)) {
      arrays_[to] = partition(copy->to).name;
    }
  } else if (const auto* mma = std::get_if<plan::Mma>(&op.op)) {
    for (const plan::At* at : {&mma->a, &mma->b, &mma->c}) {
      use(at->stage);
      if (tensor(*at).space == Space::registers) use(*at, 1), arrays_[partition(*at).tensor] = partition(*at).name;
    }
  } else if (const auto* convert = std::get_if<plan::Convert>(&op.op)) {
    for (const plan::At* at : {&convert->from, &convert->to}) use(*at, 1);
    use_fragment(convert->from);
    if (convert->c.partition == plan::kNone) return;
    use(convert->c.stage);
    if (boxed_.contains(partition(convert->to).tensor))
      uses_[convert->c.partition].by_pairs = true;
    else
      use(convert->c, 1);
  } else if (const auto* wait = std::get_if<plan::Wait>(&op.op)) {
    use(wait->stage), waits_for_.insert(wait->stage.cursor);
  } else if (const auto* advance = std::get_if<plan::Advance>(&op.op)) {
    use(plan::Stage{advance->cursor});
  } else if (const auto* arrive = std::get_if<plan::Arrive>(&op.op)) {
    use(arrive->stage);
  } else if (const auto* expect = std::get_if<plan::Expect>(&op.op)) {
    use(expect->stage);
  }
}

std::string Body::shape_comment(const plan::Partition& partition) const {
  const Layout& plain = plain_part(partition.layout);
  const Layout modes = plan_.tensors[partition.tensor].space == Space::registers ? plain : plain[1];
  std::string names, extents;
  for (std::size_t i = 0; i < partition.modes.size(); ++i) {
    names += (i ? ", " : "") + partition.modes[i];
    extents += fmt::format("{}{}", i ? "," : "", partition.modes.size() == 1 ? modes.size() : modes[i].size());
  }
  return fmt::format("({}): ({})", names, extents);
}

const Address& Body::address_of(std::size_t id) const {
  if (const auto made = addresses_.find(id); made != addresses_.end()) return made->second;
  const plan::Partition& partition = plan_.partitions[id];
  const Layout rest = plain_part(partition.layout)[1];
  const bool matrices = partition.modes.size() > 1 && partition.modes[0] == "val" && partition.modes[1] == "copy";
  std::vector<AddressMode> modes;
  for (std::size_t i = 0; i < partition.modes.size(); ++i) {
    const std::string& name = partition.modes[i];
    const std::int64_t step = i > 0 ? 1 : matrices ? rest[0].size() : uses_[id].vector;
    const std::string variable = i == 0 ? "load" : name == "MMA_K" ? "k" : name == "MMA_M" ? "m" : name == "MMA_N" ? "n" : name;
    modes.push_back({variable, to_string(constants_.extent(name, rest[i].size() / step)), step});
  }
  const Layout plain = plain_part(partition.layout);
  const AnyLayout of_threads = with_plain_part(partition.layout, make_layout({of_role(plain[0], uses_[id].threads), plain[1]}));
  return addresses_.try_emplace(id, partition.name, of_threads, std::move(modes)).first->second;
}

// Tensors in shared memory: pointers to their elements, or the addresses that TMA, wgmma, stmatrix and mbarriers take.
void Body::declare_tensors() {
  if (plan_.smem_bytes == 0) return;
  lines_.add("extern __shared__ __align__(1024) unsigned char smem[];");
  // Where in shared memory something ends -> that place in words. All are told from one address, which ptxas then keeps once.
  std::map<std::int64_t, std::string> ends;
  if (plan_.has_smem() && plan_.smem(Operand::a).byte_offset == 0)
    ends[plan_.stages() * plan_.stage_bytes()] = plan_.stages() > 1 ? "STAGES * STAGE_BYTES" : "STAGE_BYTES";
  const auto begins = [&](std::int64_t offset, const std::string& otherwise) {
    const auto behind = ends.find(offset);
    return behind == ends.end() ? otherwise : behind->second;
  };
  const auto declare_address = [&](const std::string& name, const std::string& offset, const std::string& what) {
    lines_.add(fmt::format("const unsigned {} = {};", name, sum({needs_("smem_address") + "(smem)", offset})), what);
  };
  for (std::size_t id = 0; id < plan_.tensors.size(); ++id) {
    const plan::Tensor& tensor = plan_.tensors[id];
    const bool is_typed = typed_.contains(static_cast<plan::Id>(id));
    if (tensor.space != Space::shared || (!is_typed && !seen_.tensors.contains(static_cast<plan::Id>(id)))) continue;
    const std::string type = is_typed ? memory_type(tensor.type) : "", begin = constants_.byte_offset(tensor);
    const std::string rows = tensor.operand == Operand::a ? "BLK_M" : "BLK_N";
    std::string what = fmt::format("({},BLK_K{})", rows, constants_.stage_mode(tensor));
    if (tensor.operand == Operand::c)
      what = is_typed ? "sums of an atom, a patch a warp" : fmt::format("{} of C on their way out", to_string(shape(tensor.layout)));
    if (!is_typed) {
      const std::string offset = begins(tensor.byte_offset, begin);
      declare_address(tensor.name, offset, what);
      if (tensor.operand != Operand::c) continue;
      const std::int64_t places = stages_of(plan_.rings, tensor.ring), bytes = bits(tensor.type) / 8;
      ends.try_emplace(tensor.byte_offset + places * tensor.stage_elements * bytes,
                       fmt::format("{} + {} * ({} * {})", offset, to_string(constants_.places(tensor.ring)),
                                   constants_.stage_elements(tensor.name), bytes));
      continue;
    }
    // The end of the tensor before it, rounded up, has no name of its own.
    const bool is_rounded = begin != "0" && begin.find_first_not_of("0123456789") == std::string::npos;
    if (is_rounded && tensor.operand != Operand::c) what += ", at the next multiple of 1024 bytes";
    const std::string at = sum({"smem", begin}), from = type == "unsigned char" ? at : fmt::format("reinterpret_cast<{}*>({})", type, at);
    lines_.add(fmt::format("{}* {} = {};", type, tensor.name, from), what);
  }
  for (const plan::Id id : seen_.barriers) {
    const plan::Barrier& barrier = plan_.barriers[id];
    const std::string offset = begins(barrier.byte_offset, fmt::format("{}", barrier.byte_offset));
    declare_address(barrier.name, offset,
                    fmt::format("an mbarrier a {}{}: a phase ends with {} arrival{}{}", barrier.ring == plan_.ring() ? "stage" : "box",
                                barrier.members == 1 ? "" : " of each consumer", barrier.arrivals, barrier.arrivals == 1 ? "" : "s",
                                barrier.bytes.is_named() ? " and " + to_string(barrier.bytes)
                                : barrier.bytes > 0      ? fmt::format(" and {} bytes", barrier.bytes)
                                                         : ""));
    const plan::Num places = constants_.places(barrier.ring);
    ends.try_emplace(barrier.byte_offset + 8 * barrier.members * places,
                     fmt::format("{} + {} * {}", offset, 8 * barrier.members, to_string(places)));
  }
  lines_.add("");
}

// The thread, and the CTA's tile.
void Body::declare_place() {
  lines_.add("const int thr = threadIdx.x;");
  std::string of_product;
  int pointers = 0;
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    if (!plan_.is_batched() || !takes_pointer(plan_, operand)) continue;
    const std::string letter = plan_.gmem(operand).name.substr(1);
    of_product += fmt::format("{}{} += blockIdx.z * BATCH_{}", pointers++ > 0 ? ", " : "", letter, letter);
  }
  if (pointers > 0) lines_.add(of_product + ";", pointers == 1 ? "the matrix of this product" : "the matrices of this product");
  if (!has_one_tile_) return declare_place_in_cluster();
  if (constants_.are_arguments()) {
    constants_.declare_group(lines_);
    lines_.add("const int block = blockIdx.x;", "block -> (m_tile, n_tile): a group of tiles of M at a time");
    lines_.add(
        fmt::format("const int m_tile = {}, n_tile = {};", constants_.tile_of_raster(0, "block"), constants_.tile_of_raster(1, "block")));
    return;
  }
  const bool one_m = constants_.has_one_tile(Operand::c, 0), one_n = constants_.has_one_tile(Operand::c, 1);
  if (one_m && one_n) return;
  if (const std::int64_t group = plan_.cta_raster[0].size(); group > 1 && !one_n)
    lines_.comment(
        fmt::format("Tiles of M in groups of {}, each with all tiles of N: CTAs that run together share operands in L2.", group));
  lines_.add("const int block = blockIdx.x;", fmt::format("block -> (m_tile, n_tile): {}", to_string(plan_.cta_raster)));
  if (!one_m) lines_.add(fmt::format("const int m_tile = {};", index_expr(basis_part(plan_.cta_raster, 0), "block")));
  if (!one_n) lines_.add(fmt::format("const int n_tile = {};", index_expr(basis_part(plan_.cta_raster, 1), "block")));
}

// Where this thread begins in the tensors of a memory.
void Body::declare_partitions(Space space) {
  for (std::size_t id = 0; id < plan_.partitions.size(); ++id) {
    if (plan_.tensors[plan_.partitions[id].tensor].space != space) continue;
    if (uses_[id].is_used) declare_partition(id);
    if (uses_[id].stored_by_matrices > 0) declare(matrix_rows(id), "where this lane's row of a stmatrix begins");
    if (uses_[id].by_pairs) declare(pairs_of_box(id), "where this thread's pairs of neighbours begin in a box");
    if (uses_[id].is_left_over) declare_left_over(plan_.partitions[plan_.partitions[id].coordinates]);
  }
}

void Body::declare(const Address& address, std::string_view comment) {
  if (address.is_swizzled()) needs_("swizzle");
  address.declare(lines_, comment);
}

void Body::declare_partition(std::size_t id) {
  const plan::Partition& partition = plan_.partitions[id];
  const plan::Tensor& tensor = plan_.tensors[partition.tensor];
  if (tensor.space == Space::shared) {
    declare(address_of(id), shape_comment(partition));
    return;
  }
  const bool is_c = tensor.operand == Operand::c;
  const auto tile = [&](std::uint8_t mode) {
    const std::uint8_t of_c = tensor.operand == Operand::b ? 1 : mode;
    return constants_.has_one_tile(tensor.operand, mode) ? std::string("0") : tile_offset(tensor, mode, tile_name(of_c));
  };
  const std::string rows = tile(0), columns = is_c ? tile(1) : "0";
  std::optional<Layout> coordinates;
  if (partition.coordinates != plan::kNone)
    coordinates = of_role(plain_part(plan_.partitions[partition.coordinates].layout)[0], uses_[id].threads);
  const Layout threads = of_role(plain_part(partition.layout)[0], uses_[id].threads);
  lines_.add(
      fmt::format("{}{}* {} = {};", is_c ? "" : "const ", memory_type(tensor.type), partition.name,
                  sum({tensor.name.substr(1), rows, columns, gmem_offset(tensor, threads, coordinates ? &*coordinates : nullptr, "thr")})),
      shape_comment(partition));
  declare_coordinates(partition, uses_[id].threads);
}

void Body::declare_registers(const plan::Tensor& tensor, std::size_t id) {
  const auto name = arrays_.find(static_cast<plan::Id>(id));
  if (name == arrays_.end()) return;
  const auto of_array = std::find_if(plan_.partitions.begin(), plan_.partitions.end(),
                                     [&](const plan::Partition& each) { return each.name == name->second; });
  const std::string shape = shape_comment(*of_array);
  if (const auto staged = staged_.find(static_cast<plan::Id>(id)); staged != staged_.end()) {
    const std::string type = staged->second == 1 ? memory_type(tensor.type) : access_type(staged->second * bits(tensor.type));
    lines_.add(fmt::format("{} {}[{}];", type, name->second, tensor.elements / staged->second),
               fmt::format("{}, {} element{} each, of the tile on its way", shape, staged->second, staged->second == 1 ? "" : "s"));
    return;
  }
  if (boxed_.contains(static_cast<plan::Id>(id))) {
    const std::int64_t packed = bits(tensor.type) == 16 ? 2 : 1;
    const char* const type = packed == 2 ? "unsigned" : tensor.type == ValueType::i32 ? "int" : "float";
    lines_.add(fmt::format("{} {}[{}];", type, name->second, tensor.elements / packed), shape + (packed == 1 ? "" : ", 2 elements each"));
    return;
  }
  const MmaAtom& atom = plan_.mma->atom();
  const bool is_c = tensor.operand == Operand::c, is_fragment = plan_.path(tensor.operand).rmem == static_cast<plan::Id>(id);
  if (atom.kind == MmaKind::wmma && is_fragment) return declare_fragments_of_warp(tensor, name->second, shape);
  const std::int64_t packed = is_c ? (tensor.type == ValueType::f16 ? 2 : 1) : type_text(tensor.type).packed;
  const RegisterUse& use = is_c ? atom.registers_c : tensor.operand == Operand::a ? atom.registers_a : atom.registers_b;
  lines_.add(fmt::format("{} {}[{}]{};", register_type(use), name->second, tensor.elements / packed, is_c && is_fragment ? " = {}" : ""),
             packed == 1 ? shape : fmt::format("{}, {} elements each", shape, packed));
}

void Body::declare_fragments_of_warp(const plan::Tensor& tensor, const std::string& name, const std::string& shape) {
  const bool is_c = tensor.operand == Operand::c;
  const Layout& of_atom = is_c                           ? plan_.mma->atom().layout_c
                          : tensor.operand == Operand::a ? plan_.mma->atom().layout_a
                                                         : plan_.mma->atom().layout_b;
  const std::int64_t count = tensor.elements / of_atom[1].size();
  lines_.add(fmt::format("{} {}[{}];", needs_("Fragment" + tensor.name.substr(1)), name, count), shape + ", of an atom each");
  if (!is_c) return;
  if (count > 1) lines_.loop("i", fmt::format("{}", count), true);
  lines_.add(fmt::format("nvcuda::wmma::fill_fragment({}[{}], 0.0f);", name, count > 1 ? "i" : "0"));
  if (count > 1) lines_.close();
}

// A lambda that sees everything above it; parameters that its text does not use are none.
void Body::declare_function(std::size_t id) {
  const plan::Function& function = plan_.functions[id];
  Lines outside = std::exchange(lines_, Lines(lines_.depth() + 1));
  emit(function.body);
  const Lines inside = std::exchange(lines_, outside);
  const std::string& body = inside.text();
  std::string parameters;
  std::vector<bool>& used = parameters_[static_cast<plan::Id>(id)];
  for (const std::string& name : function.parameters) {
    used.push_back(has_word(body, name));
    if (used.back()) parameters += fmt::format("{}int {}", parameters.empty() ? "" : ", ", name);
  }
  std::string says = function.says;
  says += ".";
  for (std::size_t i = 0; i < used.size(); ++i) {  // "the tile k_tile of A": without its parameter, "the tile of A"
    const std::string name = " " + function.parameters[i];
    const std::size_t at = std::min(says.find(name + " "), says.find(name + "."));
    if (!used[i] && at != std::string::npos) says.erase(at, name.size());
  }
  says[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(says[0])));
  lines_.add("");
  lines_.comment(says);
  lines_.open(fmt::format("const auto {} = [&]({})", function.name, parameters));
  lines_.append(inside);
  lines_.close("};");
}

const Lines& Body::lines() {
  Lines head = std::exchange(lines_, Lines(lines_.depth()));
  branches();
  const Lines roles = std::exchange(lines_, std::move(head));
  declare_tensors();
  declare_place();
  lines_.add("");
  lines_.append(roles);
  return lines_;
}

template <class F>
void Body::section(const char* comment, F&& lines) {
  Lines outside = std::exchange(lines_, Lines(lines_.depth()));
  lines();
  const Lines inside = std::exchange(lines_, std::move(outside));
  if (inside.text().empty()) return;
  if (!lines_.text().empty() && !lines_.text().ends_with("\n\n") && !is_at_beginning_) lines_.add("");
  is_at_beginning_ = false;
  if (*comment != 0) lines_.comment(comment);
  lines_.append(inside);
}

void Body::emit_role(const plan::Role& role, std::span<const plan::Op> block) {
  role_ = &role;
  ranges_[role.name] = Range{0, plan::Num(role.members - 1)};
  if (role.members == 1) constant_variables_[role.name] = 0;
  collect(role);
  section("Partitions: where this thread begins, and the extents that its loops walk.", [&] {
    if (has_one_tile_) declare_partitions(Space::global);
    declare_partitions(Space::shared);
    for (std::size_t id = 0; !has_one_tile_ && id < uses_.size(); ++id) {
      if (uses_[id].is_left_over) declare_left_over(plan_.partitions[plan_.partitions[id].coordinates]);
    }
  });
  section("Fragments: registers of this thread.", [&] {
    for (std::size_t id = 0; id < plan_.tensors.size(); ++id) {
      if (plan_.tensors[id].space == Space::registers) declare_registers(plan_.tensors[id], id);
    }
  });
  find_named_tiles(role, block);
  section("", [&] { declare_cursors(); });
  for (const plan::Id id : plan::called(plan_, role.block)) declare_function(id);
  emit_program(role, block);
  constant_variables_.erase(role.name), ranges_.erase(role.name);
}

// Of a role that computes one tile, what belongs to K, and what comes behind it.
void Body::emit_program(const plan::Role& role, std::span<const plan::Op> block) {
  const auto epilogue = static_cast<std::size_t>(std::find_if(block.begin(), block.end(), stores) - block.begin());
  const bool computes = epilogue < block.size() || plan::multiplies(plan_, role.block);
  if (!has_one_tile_ || !computes) return section("", [&] { emit(block); });
  const char* const pipeline = constants_.has_one_tile(Operand::a, 1) ? "The tile of K."
                               : !plan_.has_smem()                    ? "The tiles of K, one after the other."
                               : plan_.copies == Copies::ahead && plan_.stages() == 1
                                   ? "Pipeline: a tile of K is multiplied while the next one is fetched."
                               : plan_.copies == Copies::ahead ? "Pipeline: a tile of K is multiplied while later ones are copied."
                                                               : "Pipeline: the tiles of K, one after the other.";
  section(pipeline, [&] { emit(block.first(epilogue)); });
  section("Epilogue: from the accumulators to C.", [&] { emit(block.subspan(epilogue)); });
}

}  // namespace tessera::emitting
