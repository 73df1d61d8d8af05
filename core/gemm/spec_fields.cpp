// SPDX-License-Identifier: BSD-3-Clause
// The table of fields, and a field as text.
#include "core/gemm/spec_fields.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/print_atoms.hpp"
#include "core/base/literal.hpp"
#include "core/base/overloaded.hpp"
#include "core/layout/print.hpp"

namespace tessera {
namespace {

constexpr FieldChoice kOperands[] = {
    {"smem", "tiles of A and B are copied to shared memory, and fragments are loaded from there"},
    {"gmem", "each thread loads its fragments from global memory itself"},
};
constexpr FieldChoice kFragments[] = {
    {"automatic", "one_k_block with one stage, else next_k_block"},
    {"one_k_block", "a k-block is loaded, multiplied, and the next loaded into the same registers"},
    {"next_k_block", "the next k-block is loaded while this one is multiplied"},
    {"all_k_blocks", "the whole k-tile is loaded before any of it is multiplied"},
};
constexpr FieldChoice kCopies[] = {
    {"automatic", "of wgmma producer; else waited_for with one stage, and ahead with more"},
    {"waited_for", "nothing is multiplied until the copies are done"},
    {"ahead", "later tiles are copied while this one is multiplied, and those who multiply begin the copies"},
    {"producer", "the same, and a warpgroup that does nothing else begins them; wgmma only"},
};

constexpr FieldChoice kOverlaps[] = {
    {"none", "a tile is stored, then the next is multiplied"},
    {"deferred", "a tile stays in registers as C's type, and leaves a box at a time under the next tile's first k-tiles"},
    {"skewed", "each warpgroup has two halves of a tile: one is stored while the other is multiplied"},
    {"ping_pong", "each warpgroup has a tile of its own: one stores while the other multiplies"},
};
constexpr FieldChoice kStores[] = {
    {"automatic", "of wgmma staged; else direct"},
    {"direct", "each thread stores its own sums to global memory"},
    {"staged", "through boxes of shared memory (stmatrix of 16 bits), each of which one thread stores by TMA; wgmma only"},
};
constexpr FieldChoice kKOrders[] = {
    {"forward", "from the first k-tile to the last"},
    {"zigzag", "backwards in every second tile of C, whose first operands are then still in L2"},
};

constexpr FieldChoice kExtents[] = {
    {"literals", "M, N, K and leading dimensions stand in the kernel's text, and what they decide is decided there"},
    {"arguments", "they are the kernel's arguments, and one cubin serves every size; rows begin at multiples of 16 bytes"},
};

// clang-format off
constexpr SpecField kFields[] = {
    {.name = "m", .help = "rows of A and C, in elements", .member = &GemmSpec::m, .required = true, .is_extent = true},
    {.name = "n", .help = "rows of B, columns of C", .member = &GemmSpec::n, .required = true, .is_extent = true},
    {.name = "k", .help = "columns of A and B, which are summed over", .member = &GemmSpec::k, .required = true, .is_extent = true},
    {.name = "mma", .help = "the atom, and how it is repeated over the threads of a CTA", .member = &GemmSpec::mma, .required = true},
    {.name = "cta_tiler", .help = "(BLK_M,BLK_N,BLK_K): what a CTA computes, and how much of K at once", .member = &GemmSpec::cta_tiler, .otherwise = "(m,n,k)"},
    {.name = "gA", .help = "(M,K) -> element offset of A; otherwise K-major, or M-major where a wgmma atom says GMMA::Major::MN", .member = &GemmSpec::gA},
    {.name = "gB", .help = "(N,K) -> element offset of B; otherwise K-major, or N-major where a wgmma atom says GMMA::Major::MN", .member = &GemmSpec::gB},
    {.name = "gC", .help = "(M,N) -> element offset of C; otherwise row-major", .member = &GemmSpec::gC},
    {.name = "sA", .help = "(BLK_M,BLK_K) -> element offset in one stage; a swizzled layout of a part of the tile is repeated over it; otherwise compact, as the tile of gA is, and swizzled for wgmma", .member = &GemmSpec::sA},
    {.name = "sB", .help = "(BLK_N,BLK_K) -> element offset in one stage, as of sA; otherwise compact, as the tile of gB is, and swizzled for wgmma", .member = &GemmSpec::sB},
    {.name = "copy_a", .help = "global to shared memory; otherwise the widest vectors that fit both sides", .member = &GemmSpec::copy_a},
    {.name = "copy_b", .help = "the same for B", .member = &GemmSpec::copy_b},
    {.name = "smem_copy_a", .help = "shared memory to registers; otherwise as many elements at once as are neighbours among an atom's values", .member = &GemmSpec::smem_copy_a},
    {.name = "smem_copy_b", .help = "the same for B", .member = &GemmSpec::smem_copy_b},
    {.name = "type_c", .help = "element type of C in memory; A and B have the atom's", .member = &GemmSpec::type_c},
    {.name = "stages", .help = "k-tiles in shared memory at once, 1 to 16; wgmma needs at least 2", .member = &GemmSpec::stages},
    {.name = "fragments", .help = "what a thread's registers hold of A and B at once", .member = choice<&GemmSpec::fragments>(kFragments)},
    {.name = "copies", .help = "when a tile is copied to shared memory", .member = choice<&GemmSpec::copies>(kCopies)},
    {.name = "raster_group", .help = "M-tiles that are walked together, so that CTAs share operands in L2; 0 is one", .member = &GemmSpec::raster_group},
    {.name = "cluster", .help = "(CLUSTER_M,CLUSTER_N) CTAs that load shared operands for each other; this, the next four and store_boxes are for wgmma", .member = &GemmSpec::cluster, .otherwise = "(1,1)"},
    {.name = "ctas", .help = "CTAs of a persistent grid, each of which computes several tiles of C; 0 is one CTA a tile", .member = &GemmSpec::ctas},
    {.name = "overlap", .help = "where the stores of a tile hide", .member = choice<&GemmSpec::overlap>(kOverlaps)},
    {.name = "k_order", .help = "in which order a CTA walks the tiles of K", .member = choice<&GemmSpec::k_order>(kKOrders)},
    {.name = "registers", .help = "(PRODUCER,CONSUMER) registers of a thread, multiples of 8 from 24 to 256; otherwise (40,232) of several consumers, and of one as the compiler has it", .member = &GemmSpec::registers, .otherwise = "automatic"},
    {.name = "store", .help = "how a tile of C leaves the registers", .member = choice<&GemmSpec::store>(kStores)},
    {.name = "store_boxes", .help = "boxes of 64 rows of C in shared memory, of each consumer warpgroup; left out, two, or one where a tile is no wider or no two fit", .member = &GemmSpec::store_boxes},
    {.name = "extents", .help = "how the kernel knows M, N, K and the leading dimensions", .member = choice<&GemmSpec::extents>(kExtents)},
    {.name = "batch", .help = "products of one launch; gA, gB and gC have a mode (..,L) for their matrices, which otherwise follow each other at multiples of 16 bytes", .member = &GemmSpec::batch},
    {.name = "operands", .help = "where threads load their fragments of A and B from", .member = choice<&GemmSpec::operands>(kOperands)},
    {.name = "alpha", .help = "factor of the product", .member = &GemmSpec::alpha},
    {.name = "beta", .help = "factor of the C that was there", .member = &GemmSpec::beta},
    {.name = "name", .help = "what the GEMM and its kernel are called; otherwise as its binding is", .member = &GemmSpec::name, .is_label = true},
};
// clang-format on

const GemmSpec& nothing_said() {
  static const GemmSpec standard;
  return standard;
}

// "a, b or c"
std::string alternatives(std::span<const FieldChoice> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
    text += choices[i].name;
  }
  return text;
}

// A field of one spec as text.
struct Writer {
  const SpecField& field;
  const GemmSpec& spec;

  std::string operator()(std::int64_t GemmSpec::*member) const { return std::to_string(spec.*member); }
  std::string operator()(double GemmSpec::*member) const { return real_literal(spec.*member); }
  std::string operator()(std::string GemmSpec::*member) const {
    return spec.*member == nothing_said().*member ? std::string() : quoted_literal(spec.*member);
  }
  std::string operator()(ValueType GemmSpec::*member) const { return quoted_literal(short_name(spec.*member)); }
  std::string operator()(Shape GemmSpec::*member) const {
    return spec.*member == nothing_said().*member ? std::string() : to_string(spec.*member);
  }
  std::string operator()(std::optional<TiledMma> GemmSpec::*member) const { return expression_of(spec.*member); }
  std::string operator()(std::optional<TiledCopy> GemmSpec::*member) const { return expression_of(spec.*member); }
  std::string operator()(std::optional<Layout> GemmSpec::*member) const {
    return spec.*member ? to_string(*(spec.*member)) : std::string();
  }
  std::string operator()(std::optional<AnyLayout> GemmSpec::*member) const {
    return spec.*member ? to_string(*(spec.*member)) : std::string();
  }
  std::string operator()(std::optional<CopyTraits> GemmSpec::*member) const { return spec.*member ? (spec.*member)->name : std::string(); }
  std::string operator()(const ChoiceMember& member) const { return quoted_literal(member.choices[member.get(spec)].name); }

  // In our own language, which is never refused.
  template <class T>
  static std::string expression_of(const std::optional<T>& object) {
    return object ? print(*object, Spelling::tessera).value() : std::string();
  }
};

}  // namespace

std::span<const SpecField> spec_fields() { return kFields; }

const SpecField* find_spec_field(std::string_view name) {
  const auto found = std::find_if(std::begin(kFields), std::end(kFields), [&](const SpecField& field) { return field.name == name; });
  return found == std::end(kFields) ? nullptr : found;
}

std::string text_of(const SpecField& field, const GemmSpec& spec) { return std::visit(Writer{field, spec}, field.member); }

std::string kind_of(const SpecField& field) {
  return std::visit(Overloaded{
                        [](std::int64_t GemmSpec::*) { return std::string("integer"); },
                        [](double GemmSpec::*) { return std::string("number"); },
                        [](std::string GemmSpec::*) { return std::string("string"); },
                        [](ValueType GemmSpec::*) { return std::string("element type"); },
                        [](Shape GemmSpec::*) { return std::string("shape"); },
                        [](std::optional<TiledMma> GemmSpec::*) { return std::string("tiled MMA"); },
                        [](std::optional<Layout> GemmSpec::*) { return std::string("layout"); },
                        [](std::optional<AnyLayout> GemmSpec::*) { return std::string("layout, also swizzled"); },
                        [](std::optional<TiledCopy> GemmSpec::*) { return std::string("tiled copy"); },
                        [](std::optional<CopyTraits> GemmSpec::*) { return std::string("copy operation"); },
                        [](const ChoiceMember& member) { return alternatives(member.choices); },
                    },
                    field.member);
}

std::span<const FieldChoice> choices_of(const SpecField& field) {
  const auto* member = std::get_if<ChoiceMember>(&field.member);
  return member ? member->choices : std::span<const FieldChoice>();
}

std::string signature_of_gemm() {
  std::string text = "gemm(";
  for (const SpecField& field : spec_fields()) {
    if (text.back() != '(') text += ", ";
    text += field.name;
    if (!field.required) text += fmt::format("={}", field.otherwise.empty() ? text_of(field, nothing_said()) : field.otherwise);
  }
  return text + ")";
}

std::string to_string(const GemmSpec& spec) {
  if (!spec.plan_text.empty()) return spec.plan_text;
  std::string text = "gemm(";
  for (const SpecField& field : spec_fields()) {
    const std::string value = text_of(field, spec);
    if (value.empty() || (!field.required && value == text_of(field, nothing_said()))) continue;
    text += fmt::format("{}{}={}", text.back() == '(' ? "" : ", ", field.name, value);
  }
  return text + ")";
}

std::vector<const SpecField*> difference(const GemmSpec& a, const GemmSpec& b) {
  std::vector<const SpecField*> fields;
  for (const SpecField& field : spec_fields()) {
    if (!field.is_label && text_of(field, a) != text_of(field, b)) fields.push_back(&field);
  }
  return fields;
}

std::string difference_text(const SpecField& field, const GemmSpec& a, const GemmSpec& b) {
  const auto said = [&](const GemmSpec& spec) {
    std::string text = text_of(field, spec);
    return text.empty() ? std::string("left out") : text;
  };
  return fmt::format("{}: {} -> {}", field.name, said(a), said(b));
}

}  // namespace tessera
