// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/copy_access.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/automatic_copy.hpp"
#include "core/base/overloaded.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 22;  // of a tensor whose accesses are looked at one by one
constexpr std::int64_t kMostBits = 128;                        // of one lane at once
constexpr std::int64_t kRowBits = 128;                         // of a matrix
constexpr std::int64_t kRows = 8;
constexpr std::int64_t kLargestOffset = std::int64_t{1} << 48;  // no memory is larger

Error refuse(ErrorCode code, std::string message, std::vector<std::string> notes = {}) {
  return Error{code, std::move(message), {}, std::move(notes)};
}

Status check_extent(const Shape& tensor) {
  if (size(tensor) <= kMostElements) return Done{};
  return refuse(ErrorCode::limit,
                fmt::format("a tensor of {} elements is looked at access by access up to {}", size(tensor), kMostElements),
                {"ask of one tile of it"});
}

Result<AccessPattern::Form> form_of(const CopyTraits& instruction) {
  switch (instruction.kind) {
    case CopyKind::universal: return AccessPattern::Form::plain;
    case CopyKind::cp_async: return AccessPattern::Form::async;
    case CopyKind::ldmatrix:
    case CopyKind::stmatrix: return AccessPattern::Form::matrix;
    case CopyKind::ldmatrix_trans:
    case CopyKind::stmatrix_trans: return AccessPattern::Form::matrix_trans;
    default: break;
  }
  return refuse(ErrorCode::wrong_type, fmt::format("{} ({}) is no access of a warp's lanes", instruction.name, to_string(instruction.kind)),
                {"loads, stores, cp.async, ldmatrix and stmatrix are"});
}

bool of_matrices(AccessPattern::Form form) { return form == AccessPattern::Form::matrix || form == AccessPattern::Form::matrix_trans; }

// x1, x2, x4: CuTe's layout of the rows has 8 of 128 bits a matrix; further lanes repeat their addresses, and are ignored.
std::int64_t matrices_of(const CopyTraits& instruction) {
  const bool loads = instruction.kind == CopyKind::ldmatrix || instruction.kind == CopyKind::ldmatrix_trans;
  return cosize(loads ? instruction.layout_src : instruction.layout_dst) / (kRows * kRowBits);
}

Status check_side(const CopyTraits& instruction, CopySide side) {
  const bool loads = instruction.kind == CopyKind::ldmatrix || instruction.kind == CopyKind::ldmatrix_trans;
  const bool stores = instruction.kind == CopyKind::stmatrix || instruction.kind == CopyKind::stmatrix_trans;
  if ((loads && side == CopySide::destination) || (stores && side == CopySide::source)) {
    return refuse(ErrorCode::wrong_type, fmt::format("{} has registers on that side, and no memory", instruction.name));
  }
  return Done{};
}

// An instruction of a stated width takes it whole, or faults.
void take_whole(AccessPattern& pattern, const CopyTraits& instruction) {
  pattern.vector = pattern.at_once;
  pattern.instruction = instruction.name;
}

// The mode with the neighbours: the one that has a stride of 1.
std::size_t contiguous_mode(const Layout& plain) {
  for (std::size_t i = 0; i < plain.rank(); ++i) {
    for (const FlatMode& leaf : flat_modes(plain[i])) {
      if (leaf.stride == 1 && leaf.shape > 1) return i;
    }
  }
  return plain.rank() > 1 && size(plain.shape()[0]) == 1 ? 1 : 0;
}

// A tensor's modes 0 and 1 as one warp walks them.
struct Plane {
  std::int64_t extent[2] = {1, 1};
  std::size_t along = 0;                                      // the contiguous one
  std::int64_t index(std::int64_t a, std::int64_t b) const {  // a along the contiguous mode
    return along == 0 ? a + extent[0] * b : b + extent[0] * a;
  }
  std::int64_t length() const { return extent[along]; }
  std::int64_t breadth() const { return extent[1 - along]; }
};

Result<Plane> plane_of(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (composed != nullptr && inner_layout(*composed) == nullptr)
    return refuse(ErrorCode::wrong_type, fmt::format("{} has no modes to walk along", to_string(layout)));
  const Layout& plain = plain_part(layout);
  TESSERA_CHECK(check_extent(plain.shape()));
  Plane plane;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, plain.rank()); ++i) plane.extent[i] = plain[i].size();
  plane.along = std::min<std::size_t>(1, contiguous_mode(plain));
  return plane;
}

Status divides(std::int64_t part, std::int64_t whole, std::string_view what, const AnyLayout& layout) {
  if (part > 0 && whole % part == 0) return Done{};
  return refuse(ErrorCode::not_divisible, fmt::format("{} of {} do not divide the extent {} of {}", what, part, whole, to_string(layout)));
}

Result<AccessPattern> vectors(AccessPattern pattern, std::int64_t wide, const AnyLayout& layout, std::int64_t bits) {
  if (wide % bits != 0 || wide < 8 || wide > kMostBits || !std::has_single_bit(static_cast<std::uint64_t>(wide)))
    return refuse(ErrorCode::not_divisible,
                  fmt::format("a lane takes 8, 16, 32, 64 or 128 bits in whole elements, not {} bits of {} each", wide, bits));
  TESSERA_TRY(plane, plane_of(layout));
  pattern.at_once = wide / bits;
  TESSERA_CHECK(divides(pattern.at_once, plane.length(), "vectors", layout));
  const std::int64_t vectors_a_row = plane.length() / pattern.at_once, all = vectors_a_row * plane.breadth();
  const std::int64_t steps = (all + kLanes - 1) / kLanes;
  pattern.each = steps * pattern.at_once;
  pattern.element.assign(static_cast<std::size_t>(pattern.each * kLanes), -1);
  for (std::int64_t vector = 0; vector < all; ++vector) {
    for (std::int64_t v = 0; v < pattern.at_once; ++v) {
      const std::int64_t value = vector / kLanes * pattern.at_once + v;
      pattern.element[static_cast<std::size_t>(value * kLanes + vector % kLanes)] =
          plane.index(vector % vectors_a_row * pattern.at_once + v, vector / vectors_a_row);
    }
  }
  pattern.arrangement = fmt::format("lanes follow each other along mode {}", plane.along);
  return pattern;
}

Result<AccessPattern> rows_of_matrices(AccessPattern pattern, const AnyLayout& layout, std::int64_t bits) {
  TESSERA_TRY(plane, plane_of(layout));
  if (kRowBits % bits != 0)
    return refuse(ErrorCode::not_divisible, fmt::format("a row of 16 bytes has no whole elements of {} bits", bits));
  pattern.at_once = kRowBits / bits;
  // Matrices beside each other along the contiguous mode, and below each other: x4 is 2 by 2, x2 2 by 1, where there is room.
  const std::int64_t beside = pattern.matrices > 1 && plane.length() >= 2 * pattern.at_once ? 2 : 1, below = pattern.matrices / beside;
  TESSERA_CHECK(divides(beside * pattern.at_once, plane.length(), "matrices' rows", layout));
  TESSERA_CHECK(divides(below * kRows, plane.breadth(), "matrices' rows", layout));
  const std::int64_t across = plane.length() / (beside * pattern.at_once), steps = across * (plane.breadth() / (below * kRows));
  pattern.each = steps * pattern.at_once;
  pattern.element.assign(static_cast<std::size_t>(pattern.each * kLanes), -1);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t lane = 0; lane < kRows * pattern.matrices; ++lane) {
      const std::int64_t matrix = lane / kRows;
      const std::int64_t row = (step / across * below + matrix % below) * kRows + lane % kRows;
      const std::int64_t first = (step % across * beside + matrix / below) * pattern.at_once;
      for (std::int64_t v = 0; v < pattern.at_once; ++v)
        pattern.element[static_cast<std::size_t>((step * pattern.at_once + v) * kLanes + lane)] = plane.index(first + v, row);
    }
  }
  pattern.arrangement = fmt::format("{} of 8 rows of 16 bytes along mode {}{}",
                                    pattern.matrices == 1 ? "a matrix" : fmt::format("{} matrices", pattern.matrices), plane.along,
                                    pattern.matrices == 1 ? "" : fmt::format(", {} down, {} across", below, beside));
  return pattern;
}

// ---- measuring -------------------------------------------------------------------------------------------------------

struct Measured {
  const AccessPattern& pattern;
  const std::vector<std::int64_t>& offset;
  std::int64_t bits;

  std::int64_t element(std::int64_t value, std::int64_t thread) const {
    return pattern.element[static_cast<std::size_t>(value * pattern.threads + thread)];
  }
  // Bits behind the tensor's start; -1: the thread takes no part.
  std::int64_t place(std::int64_t value, std::int64_t thread) const {
    const std::int64_t at = element(value, thread);
    return at < 0 ? -1 : offset[static_cast<std::size_t>(at)] * bits;
  }
  // A thread's values [first, first + count) as one access, at a multiple of its width.
  bool neighbours(std::int64_t first, std::int64_t count, std::int64_t thread) const {
    const std::int64_t begin = place(first, thread);
    return begin < 0 || (begin % (count * bits) == 0 && beside(first, count, thread));
  }
  // The same wherever they begin.
  bool beside(std::int64_t first, std::int64_t count, std::int64_t thread) const {
    const std::int64_t begin = place(first, thread);
    for (std::int64_t i = 1; begin >= 0 && i < count; ++i) {
      if (place(first + i, thread) != begin + i * bits) return false;
    }
    return true;
  }
  bool all_beside(std::int64_t count) const {
    for (std::int64_t first = 0; first + count <= pattern.each; first += count) {
      for (std::int64_t thread = 0; thread < pattern.threads; ++thread) {
        if (!beside(first, count, thread)) return false;
      }
    }
    return true;
  }
  // Can all threads take their values `count` at a time?
  bool fits(std::int64_t count) const {
    if (pattern.each % count != 0) return false;
    for (std::int64_t first = 0; first < pattern.each; first += count) {
      for (std::int64_t thread = 0; thread < pattern.threads; ++thread) {
        if (!neighbours(first, count, thread)) return false;
      }
    }
    return true;
  }
  // Why values first .. first + count of a thread are not one access; of the first thread and values for which it is so.
  struct Obstacle {
    std::string words;
    bool misaligned = false;  // they are neighbours, and begin at the wrong place
  };
  Obstacle obstacle(std::int64_t count) const {
    for (std::int64_t first = 0; first + count <= pattern.each; first += count) {
      for (std::int64_t thread = 0; thread < pattern.threads; ++thread) {
        if (neighbours(first, count, thread)) continue;
        const std::int64_t begin = place(first, thread);
        for (std::int64_t i = 1; i < count; ++i) {
          const std::int64_t apart = (place(first + i, thread) - begin) / bits;
          if (apart != i)
            return {fmt::format("value {} of thread {} lies {} elements behind value {}, not {}", first + i, thread, apart, first, i)};
        }
        return {fmt::format("value {} of thread {} lies at byte {}, no multiple of {}", first, thread, begin / 8, count * bits / 8), true};
      }
    }
    return {};
  }
};

std::string instruction_name(const AccessPattern& pattern, std::int64_t wide, AccessSpace space) {
  const bool reads = pattern.side == CopySide::source;
  if (of_matrices(pattern.form)) {
    return fmt::format("{}matrix.x{}{}", reads ? "ld" : "st", pattern.matrices,
                       pattern.form == AccessPattern::Form::matrix_trans ? ".trans" : "");
  }
  if (pattern.form == AccessPattern::Form::async) return fmt::format("cp.async of {} bytes", wide / 8);
  const std::string_view name = space == AccessSpace::smem ? (reads ? "LDS" : "STS") : reads ? "LDG" : "STG";
  if (wide < 32) return fmt::format("{}.U{}", name, wide);
  return wide == 32 ? std::string(name) : fmt::format("{}.{}", name, wide);
}

WarpAccess::Kind kind_of(const AccessPattern& pattern) {
  if (of_matrices(pattern.form)) return WarpAccess::Kind::matrix;
  return pattern.side == CopySide::source ? WarpAccess::Kind::load : WarpAccess::Kind::store;
}

void add(std::map<std::pair<std::int64_t, std::int64_t>, AccessReport::Row>& rows, AccessReport::Row row) {
  AccessReport::Row& sum = rows[{row.warp, row.phase}];
  row.instructions += sum.instructions;
  row.units += sum.units;
  row.least += sum.least;
  sum = row;
}

}  // namespace

std::optional<AccessSpace> space_of(CopyKind kind, CopySide side) {
  switch (kind) {
    case CopyKind::cp_async: return side == CopySide::source ? AccessSpace::gmem : AccessSpace::smem;
    case CopyKind::ldmatrix:
    case CopyKind::ldmatrix_trans:
    case CopyKind::stmatrix:
    case CopyKind::stmatrix_trans: return AccessSpace::smem;
    default: return std::nullopt;
  }
}

CopySide side_in(CopyKind kind, AccessSpace space) {
  const bool stores = kind == CopyKind::stmatrix || kind == CopyKind::stmatrix_trans;
  return stores || (kind == CopyKind::cp_async && space == AccessSpace::smem) ? CopySide::destination : CopySide::source;
}

Result<AccessPattern> access_form(const TiledCopy& copy, CopySide side) {
  const CopyAtom& atom = copy.atom();
  AccessPattern pattern;
  pattern.side = side;
  TESSERA_TRY(form, form_of(atom.traits));
  pattern.form = form;
  TESSERA_CHECK(check_side(atom.traits, side));
  if (of_matrices(form)) pattern.matrices = matrices_of(atom.traits);
  pattern.at_once = (side == CopySide::source ? atom.val_layout_src : atom.val_layout_dst)[1].size();
  if (form == AccessPattern::Form::plain && !is_automatic(atom.traits)) take_whole(pattern, atom.traits);
  return pattern;
}

void leave_out_idle_lanes(AccessPattern& pattern) {
  if (!of_matrices(pattern.form)) return;
  for (std::size_t i = 0; i < pattern.element.size(); ++i) {
    if (static_cast<std::int64_t>(i) % pattern.threads % kLanes >= kRows * pattern.matrices) pattern.element[i] = -1;
  }
}

Result<AccessPattern> access_pattern(const TiledCopy& copy, CopySide side, const Shape& tensor) {
  TESSERA_TRY(pattern, access_form(copy, side));
  TESSERA_CHECK(check_extent(tensor));
  TESSERA_TRY(whole, Layout::make_compact(tensor));
  // (Thr,(FrgV,FrgX),(RestM,RestN,...)) -> element
  TESSERA_TRY(fragments, side == CopySide::source ? copy.tidfrg_s(whole) : copy.tidfrg_d(whole));
  if (fragments.size() % size(tensor) != 0 || fragments.cosize() > size(tensor)) {
    return refuse(ErrorCode::not_divisible,
                  fmt::format("the tiles {} of the copy do not divide the shape {}", to_string(copy.tiler_mn()), to_string(tensor)),
                  {"what hangs over must be left out by a predicate, thread by thread: ask of whole tiles"});
  }
  pattern.threads = fragments[0].size();
  pattern.each = fragments.size() / pattern.threads;
  pattern.element = image(fragments);
  leave_out_idle_lanes(pattern);
  return pattern;
}

Result<AccessPattern> access_pattern(const Layout& threads, CopySide side, const Shape& tensor) {
  TESSERA_CHECK(check_extent(tensor));
  const bool planes = threads.rank() == 2 && tensor.is_tuple() && tensor.rank() == 2;
  if (!planes || threads.has_basis() || threads.cosize() != threads.size() || threads.size() > kMostElements)
    return refuse(ErrorCode::wrong_type, fmt::format("{} gives no thread each of its places in a tensor of two modes", to_string(threads)));
  const std::int64_t m = size(tensor[0]), n = size(tensor[1]), down = threads[0].size(), across = threads[1].size();
  if (m % down != 0 || n % across != 0)
    return refuse(ErrorCode::not_divisible,
                  fmt::format("the threads {} do not divide the shape {}", to_string(threads), to_string(tensor)));
  AccessPattern pattern;
  pattern.side = side;
  pattern.threads = threads.size();
  pattern.each = (m / down) * (n / across);
  pattern.element.assign(static_cast<std::size_t>(m * n), -1);
  for (std::int64_t j = 0; j < across; ++j) {
    for (std::int64_t i = 0; i < down; ++i) {
      const std::int64_t thread = threads(i, j);
      for (std::int64_t value = 0; value < pattern.each; ++value) {
        const std::int64_t row = i + value % (m / down) * down, column = j + value / (m / down) * across;
        pattern.element[static_cast<std::size_t>(value * pattern.threads + thread)] = row + m * column;
      }
    }
  }
  if (std::find(pattern.element.begin(), pattern.element.end(), -1) != pattern.element.end())
    return refuse(ErrorCode::not_injective, fmt::format("{} gives some of its places to one thread", to_string(threads)));
  return pattern;
}

Result<AccessPattern> access_pattern(const CopyTraits& instruction, CopySide side, const AnyLayout& layout, std::int64_t bits) {
  AccessPattern pattern;
  pattern.side = side;
  TESSERA_TRY(form, form_of(instruction));
  pattern.form = form;
  TESSERA_CHECK(check_side(instruction, side));
  if (of_matrices(form)) {
    pattern.matrices = matrices_of(instruction);
    return rows_of_matrices(std::move(pattern), layout, bits);
  }
  TESSERA_TRY(made, vectors(std::move(pattern), instruction.layout_src[1].size(), layout, bits));
  if (form == AccessPattern::Form::plain && !is_automatic(instruction)) take_whole(made, instruction);
  return made;
}

Result<AccessPattern> access_pattern(std::int64_t wide, CopySide side, const AnyLayout& layout, std::int64_t bits) {
  AccessPattern pattern;
  pattern.side = side;
  return vectors(std::move(pattern), wide, layout, bits);
}

Result<std::vector<std::int64_t>> element_offsets(const AnyLayout& layout) {
  TESSERA_CHECK(check_extent(shape(layout)));
  if (const auto* plain = std::get_if<Layout>(&layout)) {
    if (plain->has_basis())
      return refuse(ErrorCode::wrong_type, fmt::format("{} gives coordinates, and no places in memory", to_string(layout)));
    return image(*plain);
  }
  std::vector<std::int64_t> made;
  const std::int64_t n = size(layout);
  made.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) made.push_back(evaluate(layout, i));
  return made;
}

namespace {

// The widths that an access turns out to have, and whether it is one at all; nothing is counted yet.
struct Prepared {
  AccessReport report;
  std::int64_t at_once = 1;
};

// Does no vector that is taken at once begin at the wrong place? Values that are no neighbours are no vector.
Status check_vector(const Measured& at, AccessSpace space) {
  const std::int64_t vector = at.pattern.vector;
  if (vector == 1 || at.fits(vector) || !at.all_beside(vector)) return Done{};
  std::int64_t narrower = vector;
  while (narrower > 1 && !at.fits(narrower)) narrower /= 2;
  const bool automatic = at.pattern.instruction.empty();
  const std::string less = automatic ? fmt::format("AutoVectorizingCopyWithAssumedAlignment<{}>", narrower * at.bits)
                                     : fmt::format("an instruction of {} bits", narrower * at.bits);
  return refuse(
      ErrorCode::not_representable,
      fmt::format("{} faults when it runs: {}, and {}", instruction_name(at.pattern, vector * at.bits, space),
                  automatic ? fmt::format("CuTe takes {} bytes at once where strides are multiples of as many, wherever a thread "
                                          "begins",
                                          vector * at.bits / 8)
                            : fmt::format("{} takes {} bytes at a multiple of as many", at.pattern.instruction, vector * at.bits / 8),
                  at.obstacle(vector).words),
      {narrower > 1 || !automatic ? less + " takes no more than is aligned here" : "DefaultCopy takes the elements one by one",
       fmt::format("or give the other modes strides that are multiples of {} elements", vector)});
}

Result<Prepared> prepare(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits, AccessSpace space) {
  if (std::any_of(offset.begin(), offset.end(), [](std::int64_t o) { return o < 0; }))
    return refuse(ErrorCode::out_of_range, "an element lies before the tensor's start: there are no addresses to look at");
  if (std::any_of(offset.begin(), offset.end(), [](std::int64_t o) { return o > kLargestOffset; }))
    return refuse(ErrorCode::overflow, fmt::format("an element lies more than {} elements behind the tensor's start", kLargestOffset));
  const Measured at{pattern, offset, bits};
  AccessReport report;
  report.shared = space == AccessSpace::smem;
  std::int64_t at_once = pattern.at_once;
  if (pattern.form == AccessPattern::Form::plain) {  // what is no neighbour is taken by itself
    TESSERA_CHECK(check_vector(at, space));
    const auto is_access = [&](std::int64_t values) { return std::has_single_bit(static_cast<std::uint64_t>(values * bits)); };
    while (at_once > 1 && !(is_access(at_once) && at.fits(at_once))) at_once = at_once % 2 == 0 ? at_once / 2 : 1;
    std::int64_t widest = at_once;
    while (2 * widest * bits <= kMostBits && at.fits(2 * widest)) widest *= 2;
    if (at_once < pattern.at_once) {
      report.vectorises = false;
      report.why_not = at.obstacle(pattern.at_once).words;
    } else if (widest > at_once) {
      report.vectorises = false;
      report.why_not =
          fmt::format("each thread's values are neighbours by {}: accesses of {} bits would take them at once", widest, widest * bits);
    } else if (pattern.arrangement.empty() && at_once * bits < kMostBits && pattern.each % (2 * at_once) == 0) {
      report.vectorises = false;
      report.why_not = at.obstacle(2 * at_once).words;
    }
  } else if (!at.fits(at_once)) {
    const Measured::Obstacle obstacle = at.obstacle(at_once);
    return refuse(ErrorCode::not_representable,
                  fmt::format("{} takes {} bytes a lane that lie beside each other, at a multiple of as many: {}",
                              instruction_name(pattern, at_once * bits, space), at_once * bits / 8, obstacle.words),
                  {obstacle.misaligned ? fmt::format("give the other modes strides that are multiples of {} elements", at_once)
                                       : "give the layout of the mode along which the instruction reads neighbours a stride of 1"});
  }
  report.bits = at_once * bits;
  if (report.bits > kMostBits && space == AccessSpace::smem) {
    return refuse(ErrorCode::not_representable,
                  fmt::format("no instruction takes {} bits a lane of shared memory: {} is the most", report.bits, kMostBits));
  }
  if (report.bits % 8 != 0) {
    return refuse(ErrorCode::not_divisible,
                  fmt::format("a thread takes {} bits at once, and memory is read and written by whole bytes", report.bits));
  }
  report.instruction = instruction_name(pattern, report.bits, space);
  report.warps = (pattern.threads + kLanes - 1) / kLanes;
  return Prepared{std::move(report), at_once};
}

// The instruction of a warp that takes the values [first, first + at_once) of its threads; false: no lane takes part.
bool fill_access(const Measured& at, std::int64_t warp, std::int64_t first, std::int64_t bytes, WarpAccess& access) {
  access.kind = kind_of(at.pattern);
  access.bytes = bytes;
  bool any = false;
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    const std::int64_t thread = warp * kLanes + lane;
    const std::int64_t place = thread < at.pattern.threads ? at.place(first, thread) : -1;
    access.address[static_cast<std::size_t>(lane)] = place < 0 ? -1 : place / 8;
    any = any || place >= 0;
  }
  return any;
}

Status check_number(std::string_view what, std::optional<std::int64_t> number, std::int64_t count) {
  if (!number || (*number >= 0 && *number < count)) return Done{};
  return refuse(ErrorCode::out_of_range, fmt::format("there is no {} {}: the access has {}", what, *number, count),
                {fmt::format("{}s are 0 to {}", what, count - 1)});
}

}  // namespace

CopyKind kind_of(const AccessBy& by) {
  if (const auto* copy = std::get_if<TiledCopy>(&by)) return copy->atom().traits.kind;
  if (const auto* traits = std::get_if<CopyTraits>(&by)) return traits->kind;
  return CopyKind::universal;
}

bool are_neighbours(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits, std::int64_t count) {
  return Measured{pattern, offset, bits}.fits(count);
}

Result<AccessPattern> access_pattern(const AccessBy& by, CopySide side, const AnyLayout& layout, std::int64_t bits, AccessSpace space) {
  if (const auto* copy = std::get_if<TiledCopy>(&by)) {
    TESSERA_TRY(pattern, access_pattern(*copy, side, shape(layout)));
    if (!is_automatic(copy->atom().traits)) return pattern;
    TESSERA_TRY(offsets, element_offsets(layout));
    const bool reads = side == CopySide::source;
    const CuteVector vector = cute_vector(*copy, reads ? &layout : nullptr, reads ? nullptr : &layout, bits);
    choose_width(pattern, copy->atom().traits, vector, layout, offsets, bits, space);
    return pattern;
  }
  if (const auto* traits = std::get_if<CopyTraits>(&by)) return access_pattern(*traits, side, layout, bits);
  return access_pattern(std::get<std::int64_t>(by), side, layout, bits);
}

Result<WarpInstruction> instruction_at(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits,
                                       std::optional<std::int64_t> warp, std::optional<std::int64_t> number, AccessSpace space) {
  TESSERA_TRY(prepared, prepare(pattern, offset, bits, space));
  const AccessReport& report = prepared.report;
  const Measured at{pattern, offset, bits};
  const std::int64_t numbers = pattern.each / prepared.at_once;
  TESSERA_CHECK(check_number("warp", warp, report.warps));
  TESSERA_CHECK(check_number("instruction", number, numbers));
  std::optional<WarpInstruction> first;
  for (std::int64_t w = warp.value_or(0); w < (warp ? *warp + 1 : report.warps); ++w) {
    for (std::int64_t n = number.value_or(0); n < (number ? *number + 1 : numbers); ++n) {
      WarpInstruction made{w, n, numbers, report.instruction, {}};
      if (!fill_access(at, w, n * prepared.at_once, report.bits / 8, made.access)) continue;
      if (space == AccessSpace::smem && first_conflict(made.access)) return made;
      if (!first) first = std::move(made);
    }
  }
  if (first) return *std::move(first);
  return refuse(ErrorCode::out_of_range, "no lane takes part in that instruction: the tensor has no more elements");
}

Result<AccessReport> measure(const AccessPattern& pattern, const std::vector<std::int64_t>& offset, std::int64_t bits, AccessSpace space) {
  TESSERA_TRY(prepared, prepare(pattern, offset, bits, space));
  AccessReport report = std::move(prepared.report);
  const std::int64_t at_once = prepared.at_once;
  const Measured at{pattern, offset, bits};
  std::map<std::pair<std::int64_t, std::int64_t>, AccessReport::Row> rows;
  for (std::int64_t warp = 0; warp < report.warps; ++warp) {
    for (std::int64_t first = 0; first < pattern.each; first += at_once) {
      WarpAccess access;
      if (!fill_access(at, warp, first, report.bits / 8, access)) continue;
      ++report.instructions;
      if (!report.shared) {
        add(rows, {warp, 0, 0, kLanes, 1, gmem_sectors(access), least_gmem_sectors(access)});
        report.lines += gmem_lines(access);
        continue;
      }
      for (const Phase& phase : phases(access))
        add(rows, {warp, phase.first_lane / phase.lanes, phase.first_lane, phase.lanes, 1, phase.wavefronts, phase.least});
      if (!report.conflict.empty()) continue;
      if (const auto conflict = first_conflict(access)) {
        report.conflict = describe(*conflict, pattern.side == CopySide::destination);
        if (report.warps > 1 || pattern.each > at_once)
          report.conflict = fmt::format("warp {}, instruction {}, {}", warp, first / at_once, report.conflict);
      }
    }
  }
  for (const auto& [key, row] : rows) {
    report.units += row.units;
    report.least += row.least;
    report.rows.push_back(row);
  }
  return report;
}

std::string describe(const AccessReport& report) {
  const auto some = [](std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string text = fmt::format("{}: {} in {} of {}", report.instruction, some(report.units, report.shared ? "wavefront" : "sector"),
                                 some(report.instructions, "instruction"), some(report.warps, "warp"));
  text += report.is_best() ? ", the least possible" : fmt::format(" where {} would do", report.least);
  if (!report.conflict.empty()) text += "; " + report.conflict;
  return text;
}

}  // namespace tessera
