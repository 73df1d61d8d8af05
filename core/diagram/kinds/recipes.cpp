// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/smem/smem_descriptor.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/gemm_parts.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

namespace {

using Memory = CellRecipe::Memory;
using Instruction = CellRecipe::Instruction;

Shape pair(std::int64_t rows, std::int64_t cols) { return IntTuple::tuple({rows, cols}); }

CellRecipe recipe_of(std::string id, std::string of, const AnyLayout& data) {
  CellRecipe recipe;
  recipe.id = std::move(id);
  recipe.of = std::move(of);
  recipe.shape = shape(data);
  recipe.stages = stages_of_chain(data);
  return recipe;
}

Memory memory_named(std::string_view name) {
  if (name == "smem") return Memory::shared;
  if (name == "gmem") return Memory::global;
  return name == "rmem" || name == "tmem" ? Memory::other : Memory::unknown;
}

Result<std::vector<CellRecipe>> of_layout(const FigureSpec& spec) {
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  CellRecipe recipe = recipe_of("layout", to_string(layout), layout);
  TESSERA_TRY(bits, element_bits(spec));
  recipe.bits = bits;
  recipe.memory = memory_named(spec.memory);
  recipe.thread = spec.verb.empty() ? std::nullopt : spec.thread;
  for (std::size_t mode = 0; mode < std::min<std::size_t>(spec.modes.size(), recipe.shape.rank()); ++mode) {
    const std::string& name = spec.modes[mode];
    if ((name == "thread" || name == "thr") && !recipe.thread) recipe.thread_mode = static_cast<int>(mode);
    if (name == "value" || name == "val") recipe.value_mode = static_cast<int>(mode);
  }
  return std::vector{std::move(recipe)};
}

// A tile that a (thr, val) layout numbers, with the layout of its data where there is one.
Result<std::vector<CellRecipe>> of_tv(const FigureSpec& spec, std::string_view id) {
  TESSERA_TRY(tv, layout_object(spec, 0, "a thread-value layout"));
  if (!std::holds_alternative<Layout>(tv) || shape(tv).rank() != 2 || layout_part(tv).has_basis()) return std::vector<CellRecipe>();
  CellRecipe recipe;
  if (spec.objects.size() > 1) {
    TESSERA_TRY(data, layout_object(spec, 1, "a data layout as its second object"));
    if (shape(data).rank() > 2) return std::vector<CellRecipe>();
    recipe = recipe_of(std::string(id), fmt::format("{} behind {}", to_string(data), to_string(tv)), data);
    TESSERA_TRY(bits, element_bits(spec));
    recipe.bits = bits;
    recipe.memory = memory_named(spec.memory);
  } else {
    TESSERA_TRY(tile, tile_shape(spec, "tile"));
    recipe.id = std::string(id);
    recipe.of = to_string(tv);
    recipe.shape = pair(tile ? tile->rows : 1, tile ? tile->cols : cosize(tv));
  }
  recipe.holders = CellRecipe::Holders{tv, false, {}, "owns"};
  return std::vector{std::move(recipe)};
}

// How values lie in registers, where these are words of 32 or 64 bits and each value has its own bits.
void number_registers(Instruction& of, const RegisterUse& use, ValueType type, char letter) {
  const bool wide = use.type == "double", narrow = use.type == "unsigned int" || use.type == "float" || use.type == "int";
  if ((!wide && !narrow) || use.count == 0 || type == ValueType::none) return;
  const std::int64_t word = wide ? 64 : 32, all = word * use.count;
  if (all % of.values != 0) return;
  const std::int64_t each = all / of.values, own = bits(type);
  if (each != own && !(each == 8 && own < 8) && !(each == 32 && type == ValueType::tf32)) return;
  of.letter = std::string(1, letter);
  of.value_bits = each;
  of.register_bits = word;
}

Instruction instruction_of(const MmaAtom& atom, Operand operand) {
  Instruction of;
  of.name = atom.ptx.empty() ? atom.name : atom.ptx;
  const Layout& layout = operand == Operand::a ? atom.layout_a : operand == Operand::b ? atom.layout_b : atom.layout_c;
  of.values = std::max<std::int64_t>(1, layout[1].size());
  switch (operand) {
    case Operand::a: number_registers(of, atom.registers_a, atom.val_a, 'a'); break;
    case Operand::b: number_registers(of, atom.registers_b, atom.val_b, 'b'); break;
    case Operand::c: number_registers(of, atom.registers_c, atom.val_c, 'c'); break;
  }
  return of;
}

// Why no thread holds an operand.
std::string nobody_holds(const MmaAtom& atom, Operand operand) {
  const OperandSource source = operand == Operand::a        ? atom.source_a
                               : operand == Operand::b      ? atom.source_b
                               : atom.kind == MmaKind::umma ? OperandSource::tensor_memory
                                                            : OperandSource::registers;
  const std::string name = atom.ptx.empty() ? atom.name : atom.ptx;
  switch (source) {
    case OperandSource::registers: return {};
    case OperandSource::smem_descriptor: return fmt::format("{} reads it from shared memory, through a descriptor", name);
    case OperandSource::tensor_memory: return fmt::format("{} has it in tensor memory", name);
  }
  return {};
}

// Of C, where it lies in tensor memory.
std::optional<CellRecipe::TensorMemory> accumulators_of(const TiledMma& mma) {
  CellRecipe::TensorMemory made;
  const auto c = Layout::make_compact(pair(mma.tile_mnk()[0], mma.tile_mnk()[1]));  // (m, n) -> m + M * n
  const auto addresses = c ? mma.fragment(Operand::c, *c) : Result<Layout>(c.error());
  if (!addresses) return std::nullopt;
  made.addresses = *addresses;
  made.bits = bits(mma.atom().val_c);
  for (std::int64_t cta = 0; cta < mma.num_threads(); ++cta) {
    const auto part = mma.partition(Operand::c, *c, cta);
    const auto* layout = part ? std::get_if<Layout>(&part->layout) : nullptr;
    if (!layout || !part->offset.is_int() || layout->size() != made.addresses.size()) return std::nullopt;
    made.ctas.emplace_back(part->offset.value(), *layout);
  }
  return made;
}

Result<CellRecipe> of_operand(const TiledMma& mma, Operand operand, std::string id) {
  const std::array<std::int64_t, 3> tile = mma.tile_mnk();
  CellRecipe recipe;
  recipe.id = std::move(id);
  recipe.shape = pair(operand == Operand::b ? tile[1] : tile[0], operand == Operand::c ? tile[1] : tile[2]);
  recipe.of = fmt::format("{} of {}", operand_letter(operand), mma.atom().name);
  CellRecipe::Holders holders;
  holders.verb = "holds";
  holders.nobody = nobody_holds(mma.atom(), operand);
  holders.instruction = instruction_of(mma.atom(), operand);
  if (operand == Operand::c && mma.atom().kind == MmaKind::umma) holders.tmem = accumulators_of(mma);
  if (holders.nobody.empty() && !is_cutes_layout(mma, operand)) {
    TESSERA_TRY(picture, operand_picture(mma, operand));
    holders.map = std::make_shared<const OwnerMap>(std::move(picture.map));
  } else if (holders.nobody.empty()) {
    TESSERA_TRY(layout_tv, mma.layout_tv(operand, Law::as_cute));
    holders.layout_tv = AnyLayout(std::move(layout_tv));
    holders.threads = mma.thread_ids();
    if (static_cast<std::int64_t>(holders.threads.size()) == size(shape(*holders.layout_tv)[0])) holders.threads.clear();
  }
  recipe.holders = std::move(holders);
  return recipe;
}

Result<std::vector<CellRecipe>> of_mma(const FigureSpec& spec, std::string_view kind) {
  TESSERA_TRY(mma, mma_object(spec));
  std::vector<CellRecipe> recipes;
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    const char letter = operand_letter(operand);
    if (kind.starts_with("tv_") && kind.back() != (letter | 0x20)) continue;  // tv_a
    Result<CellRecipe> recipe = of_operand(mma, operand, std::string(1, letter));
    if (recipe) recipes.push_back(std::move(*recipe));
  }
  return recipes;
}

Result<std::vector<CellRecipe>> of_copy(const FigureSpec& spec) {
  std::vector<CellRecipe> recipes;
  const auto* tiled = std::get_if<TiledCopy>(&spec.objects.front());
  const auto* alone = std::get_if<CopyAtom>(&spec.objects.front());
  if (!tiled && !alone) return recipes;
  TESSERA_TRY(sides, copy_sides(spec));
  const CopyAtom& atom = tiled ? tiled->atom() : *alone;
  for (const bool source : {true, false}) {
    CellRecipe recipe;
    recipe.id = source ? "source" : "destination";
    recipe.of = fmt::format("the {} of {}", recipe.id, atom.traits.name);
    recipe.shape = pair(sides.rows, sides.cols);
    const Layout& values = source ? atom.val_layout_src : atom.val_layout_dst;
    recipe.holders = CellRecipe::Holders{
        source ? sides.source_tv : sides.destination_tv,
        false,
        {},
        sides.are_alike() ? "copies"
        : source          ? "reads"
                          : "writes",
        {},
        {},
        Instruction{atom.traits.ptx.empty() ? atom.traits.name : atom.traits.ptx, std::max<std::int64_t>(1, values[1].size())}};
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

// One tile of a GEMM's CTA: the same tensors and partitions as the picture's.
Result<CellRecipe> of_plan(const GemmPlan& plan, Operand operand) {
  const bool is_c = operand == Operand::c;
  const plan::Tensor& tensor = is_c ? plan.gmem(operand) : plan.partitioned(operand);
  const bool shared = !is_c && tensor.space == plan::Space::shared;
  const std::int64_t rows = operand == Operand::b ? plan.blk_n : plan.blk_m, cols = is_c ? plan.blk_n : plan.blk_k;
  const AnyLayout layout = shared ? tensor.layout : AnyLayout(tensor.tiles[0]);
  CellRecipe recipe = recipe_of(tensor.name, fmt::format("{} = {}", tensor.name, to_string(layout)), layout);
  recipe.bits = bits(tensor.type);
  recipe.byte_offset = shared ? tensor.byte_offset : 0;
  recipe.memory = shared ? Memory::shared : Memory::global;
  if (size(recipe.shape) != rows * cols || recipe.shape.rank() != 2) recipe.stages.clear();
  const plan::Partition& partition = plan.partition(operand);
  CellRecipe::Holders holders;
  holders.verb = is_c ? "holds" : "reads";
  holders.nobody = is_c ? std::string() : nobody_holds(plan.mma->atom(), operand);
  holders.instruction = instruction_of(plan.mma->atom(), operand);
  if (!holders.nobody.empty()) {
    recipe.holders = std::move(holders);
    return recipe;
  }
  TESSERA_TRY(apart, is_injective(layout));
  if (partition.coordinates != plan::kNone || !apart.holds) {  // an offset does not say which element it is, as beyond the end of a row
    TESSERA_TRY(tile, is_c ? c_tile(plan) : operand_tile(plan, operand));
    holders.map = std::make_shared<const OwnerMap>(std::move(tile.map));
  } else {
    holders.layout_tv = partition.layout;
    holders.gives_offset = true;
    holders.threads = plan.mma->thread_ids();
  }
  recipe.holders = std::move(holders);
  return recipe;
}

Result<std::vector<CellRecipe>> of_gemm(const FigureSpec& spec) {
  std::vector<CellRecipe> recipes;
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (!plan || !plan->mma) return recipes;
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    TESSERA_TRY(recipe, of_plan(*plan, operand));
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

// The tile that a descriptor is of, whose cells' coordinates are its own where it has two modes.
Result<std::vector<CellRecipe>> of_smem_operand(const FigureSpec& spec) {
  TESSERA_TRY(layout, layout_object(spec, 1, "the layout of an operand in shared memory as its second object"));
  if (shape(layout).rank() != 2) return std::vector<CellRecipe>();
  TESSERA_TRY(mma, mma_object(spec));
  TESSERA_TRY(which, choose_operand(mma.atom(), layout));
  TESSERA_TRY(operand, smem_operand(mma.atom(), which.operand));
  CellRecipe recipe = recipe_of("tile", to_string(layout), layout);
  recipe.bits = operand.bits;
  recipe.memory = Memory::shared;
  return std::vector{std::move(recipe)};
}

// The tensor that boxes are taken of; shared memory's cells have its coordinates too, and not the tile's.
Result<std::vector<CellRecipe>> of_boxes(const TmaBoxes& boxes) {
  if (boxes.modes.size() != 2 || boxes.request.gmem.rank() != 2) return std::vector<CellRecipe>();
  CellRecipe recipe = recipe_of("gmem", to_string(boxes.request.gmem), boxes.request.gmem);
  recipe.bits = bits(boxes.request.type);
  recipe.memory = Memory::global;
  return std::vector{std::move(recipe)};
}

bool is_of(const CellRecipe& recipe, const Panel& panel) {
  if (panel.id == recipe.id) return true;
  if (recipe.id != "layout" || !panel.id.starts_with(recipe.id)) return false;  // layout3: one of several panels
  return std::all_of(panel.id.begin() + static_cast<std::ptrdiff_t>(recipe.id.size()), panel.id.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<std::vector<CellRecipe>> recipes_of(const FigureSpec& spec) {
  if (spec.objects.empty()) return std::vector<CellRecipe>();
  const std::string_view kind = spec.kind.empty() ? default_kind(spec) : std::string_view(spec.kind);
  if (kind == "timeline" || kind == "chart") return std::vector<CellRecipe>();
  if (kind == "swizzle") {  // beside it are the offsets before the swizzle, which this one's steps say too
    TESSERA_TRY(recipes, of_layout(spec));
    recipes.front().id = "swizzled";
    return recipes;
  }
  if (kind == "smem_operand") return of_smem_operand(spec);
  if (kind == "tv") return of_tv(spec, "tile");
  if (kind == "tv_inverse") return of_tv(spec, "tv");
  struct ByObject {
    const FigureSpec& spec;
    std::string_view kind;
    Result<std::vector<CellRecipe>> operator()(const Layout&) const { return of_layout(spec); }
    Result<std::vector<CellRecipe>> operator()(const ComposedLayout&) const { return of_layout(spec); }
    Result<std::vector<CellRecipe>> operator()(const MmaAtom&) const { return of_mma(spec, kind); }
    Result<std::vector<CellRecipe>> operator()(const TiledMma&) const { return of_mma(spec, kind); }
    Result<std::vector<CellRecipe>> operator()(const CopyAtom&) const { return of_copy(spec); }
    Result<std::vector<CellRecipe>> operator()(const TiledCopy&) const { return of_copy(spec); }
    Result<std::vector<CellRecipe>> operator()(const GemmPlan&) const { return of_gemm(spec); }
    Result<std::vector<CellRecipe>> operator()(const NumberTable&) const { return std::vector<CellRecipe>(); }
    Result<std::vector<CellRecipe>> operator()(const Roofline&) const { return std::vector<CellRecipe>(); }
    Result<std::vector<CellRecipe>> operator()(const PipelineModel&) const { return std::vector<CellRecipe>(); }
    Result<std::vector<CellRecipe>> operator()(const TmaBoxes& boxes) const { return of_boxes(boxes); }
    Result<std::vector<CellRecipe>> operator()(const Tiler&) const { return std::vector<CellRecipe>(); }
    Result<std::vector<CellRecipe>> operator()(const AccessBits&) const { return std::vector<CellRecipe>(); }
    Result<std::vector<CellRecipe>> operator()(const std::shared_ptr<const FigureSpec>&) const { return std::vector<CellRecipe>(); }
  };
  return std::visit(ByObject{spec, kind}, spec.objects.front());
}

namespace {

// Of the layout beside a swizzled one, which no swizzle moves; nothing where the figure is none of a swizzle.
std::optional<CellRecipe> plain_recipe(FigureSpec spec) {
  const auto* moved = spec.objects.empty() ? nullptr : std::get_if<ComposedLayout>(&spec.objects.front());
  if (!moved || (spec.kind.empty() ? default_kind(spec) : std::string_view(spec.kind)) != "swizzle") return std::nullopt;
  const auto* inner = std::get_if<Layout>(&moved->inner);  // longer chains are not taken apart
  if (!inner) return std::nullopt;
  const bool is_alone = moved->offset == IntTuple(0);
  FigureObject plain = is_alone ? FigureObject(*inner) : FigureObject(ComposedLayout{Swizzle(), moved->offset, *inner});
  spec.objects.front() = std::move(plain);
  Result<std::vector<CellRecipe>> made = of_layout(spec);
  if (!made || made->empty()) return std::nullopt;
  made->front().id = "plain";
  return std::move(made->front());
}

}  // namespace

void add_recipes(Scene& scene, const FigureSpec& spec) {
  Result<std::vector<CellRecipe>> recipes = recipes_of(spec);
  if (!recipes) return;
  if (std::optional<CellRecipe> plain = plain_recipe(spec)) recipes->push_back(std::move(*plain));
  for (const CellRecipe& recipe : *recipes) {
    std::shared_ptr<const CellRecipe> shared;
    for (Panel& panel : scene.panels) {
      if (panel.recipe || !is_of(recipe, panel)) continue;
      if (!shared) shared = std::make_shared<const CellRecipe>(recipe);
      panel.recipe = shared;
    }
  }
}

}  // namespace tessera
