// SPDX-License-Identifier: BSD-3-Clause
// What a plan says of itself: its lines, one thread's part, and whether a device can run it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/refuse.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

Status check_device(const GemmPlan& plan, int sm, std::int64_t smem_bytes_per_block) {
  const MmaAtom& atom = plan.mma->atom();
  const bool exactly = plan.arch.suffix == 'a';
  if (exactly ? sm != plan.arch.sm : sm < plan.arch.sm) {
    return refuse(ErrorCode::wrong_arch,
                  fmt::format("{} with its copies needs {}; the device is sm_{}", atom.name, to_string(plan.arch), sm),
                  "an atom of an older architecture, such as SM70_8x8x4_F32F16F16F32_TN, or another device");
  }
  if (plan.smem_bytes > smem_bytes_per_block) {
    return refuse(ErrorCode::too_much_smem,
                  fmt::format("the kernel needs {} bytes of shared memory ({} stages of {} + {}); the device has {} for a block",
                              plan.smem_bytes, plan.stages(), plan.smem(Operand::a).stage_elements * bits(plan.smem(Operand::a).type) / 8,
                              plan.smem(Operand::b).stage_elements * bits(plan.smem(Operand::b).type) / 8, smem_bytes_per_block),
                  "fewer stages or a smaller cta_tiler");
  }
  return Done{};
}

std::string beyond_smem(const GemmPlan& plan) {
  const std::optional<std::int64_t> allowed = smem_bytes_per_block(plan.arch.sm);
  if (!allowed || plan.smem_bytes <= *allowed) return {};
  std::string own, others;
  for (const DeviceModel& device : device_models()) {
    const bool is_own = device.sm == plan.arch.sm;
    const bool runs = plan.arch.suffix == 0 && device.sm > plan.arch.sm && smem_bytes_per_block(device.sm).value_or(0) >= plan.smem_bytes;
    std::string& list = is_own ? own : others;
    if (is_own || runs) list += fmt::format("{}{}", list.empty() ? "" : ", ", device.name);
  }
  return fmt::format("the kernel needs {} bytes of shared memory a CTA, and {} {} {}; {}", plan.smem_bytes,
                     own.empty() ? fmt::format("sm_{}", plan.arch.sm) : fmt::format("{} (sm_{})", own, plan.arch.sm),
                     own.find(',') == std::string::npos ? "allows" : "allow", *allowed,
                     others.empty() ? "fewer stages or a smaller cta_tiler need less" : "it fits on " + others);
}

Result<SliceAndOffset> thread_partition(const GemmPlan& plan, Operand operand, std::int64_t thread) {
  if (thread < 0 || thread >= plan.threads) {
    return refuse(ErrorCode::out_of_range, fmt::format("there is no thread {}; the CTA has threads 0 to {}", thread, plan.threads - 1), {});
  }
  switch (operand) {
    case Operand::a:
    case Operand::b:
    case Operand::c: {
      const plan::Tensor& tensor = plan.partitioned(operand);
      const bool shared = tensor.space == plan::Space::shared;
      return shared ? plan.mma->partition(operand, tensor.layout, thread) : plan.mma->partition(operand, tensor.tiles[0], thread);
    }
  }
  return refuse(ErrorCode::out_of_range, "there is no such operand", {});
}

namespace {

// A stride of coordinates as one of the matrix: 8 rows are "8*LDA", 8 elements of a row 8.
std::string text_of_strides(const IntTuple& stride, std::uint8_t row, const std::string& leading) {
  if (stride.is_tuple()) {
    std::string text;
    for (std::size_t i = 0; i < stride.rank(); ++i) text += (i ? "," : "") + text_of_strides(stride[i], row, leading);
    return "(" + text + ")";
  }
  if (!stride.is_basis() || stride.path().modes[0] != row) return fmt::format("{}", stride.value());
  return stride.value() == 1 ? leading : fmt::format("{}*{}", stride.value(), leading);
}

// What lies in global memory at any size, by the coordinates of its elements: with M, N, K and the leading dimension.
std::string text_of_coordinates(const plan::Tensor& gmem, const Layout& coordinates) {
  const auto row = static_cast<std::uint8_t>(plan::matrix_of_rows(gmem).value().along_first ? 1 : 0);
  return fmt::format("{}:{}", to_string(coordinates.shape()), text_of_strides(coordinates.stride(), row, "LD" + gmem.name.substr(1)));
}

// The whole tensor, or its coordinates.
std::string text_of_any_size(const plan::Tensor& tensor) {
  if (tensor.space == plan::Space::shared) return to_string(tensor.layout);
  const auto [rows, columns] = plan::mode_names(tensor.operand);
  if (tensor.space == plan::Space::coordinates)
    return fmt::format("({},{}):{}", rows, columns, to_string(plain_part(tensor.layout).stride()));
  const std::string leading = "LD" + tensor.name.substr(1);
  return fmt::format("({},{}):{}", rows, columns,
                     plan::matrix_of_rows(tensor).value().along_first ? fmt::format("(1,{})", leading) : fmt::format("({},1)", leading));
}

std::string bytes(std::int64_t elements, ValueType type) { return fmt::format("{} bytes", elements * bits(type) / 8); }

const char* rows_of(Operand operand) { return operand == Operand::b ? "n" : "m"; }
const char* columns_of(Operand operand) { return operand == Operand::c ? "n" : "k"; }

// "(thr, (vec, copy))", or without threads "(val, MMA_M, MMA_K)".
std::string map_of(const GemmPlan& plan, const plan::Partition& partition) {
  std::string modes;
  for (const std::string& mode : partition.modes) modes += (modes.empty() ? "" : ", ") + mode;
  const bool of_one_thread = plan.tensors[partition.tensor].space == plan::Space::registers;
  return of_one_thread ? fmt::format("({})", modes) : fmt::format("(thr, ({}))", modes);
}

// Visits the operations of a role once, and says of each step with what it is done and which partitions it walks.
class Describer {
 public:
  Describer(const GemmPlan& plan, bool any_size) : plan_(plan), any_size_(any_size), seen_(plan.partitions.size(), false) {}

  std::vector<PlanLine> lines() {
    problem();
    tensors();
    for (const plan::Role& role : plan_.roles) plan::each_op_of(plan_, role.block, [&](const plan::Op& op) { std::visit(*this, op.op); });
    for (const Step step : {Step::fill, Step::load, Step::direct, Step::multiply, Step::store, Step::work}) {
      for (PlanLine& line : steps_[static_cast<std::size_t>(step)]) lines_.push_back(std::move(line));
    }
    return std::move(lines_);
  }

  void operator()(const plan::Copy& copy) {
    const plan::Space from = tensor(copy.from).space, to = tensor(copy.to).space;
    const Step step = tensor(copy.from).operand == Operand::c                       ? Step::store
                      : from == plan::Space::shared && to == plan::Space::registers ? Step::load
                      : plan_.is_fragment(copy.to)                                  ? Step::direct
                                                                                    : Step::fill;
    const std::string threads = copy.threads > 0 ? fmt::format(", by {} threads", copy.threads) : "";
    if (copy.predicate != plan::kNone) predicates_.insert(copy.predicate);
    add(step, copy.from, fmt::format("{}, {} at once{}", copy.atom, moved(copy), threads));
    add(step, copy.to, copy.beyond == plan::kNone ? std::string() : left_over(plan_.maps[copy.beyond]));
  }
  void operator()(const plan::Mma& mma) {
    for (const plan::At* at : {&mma.a, &mma.b}) {
      thread_0(plan_.has_smem() ? Step::multiply : Step::direct, tensor(*at).operand);
      add(Step::multiply, *at, "");
    }
    add(Step::multiply, mma.c, fmt::format("{} mma a k-tile", plan_.mma_m * plan_.mma_n * plan_.mma_k));
    thread_0(Step::store, Operand::c);
  }
  void operator()(const plan::Convert& convert) {
    add(Step::store, convert.from, fmt::format("alpha {}, beta {}", plan_.alpha, plan_.beta));
    add(Step::store, convert.to, "");
    if (convert.c.partition != plan::kNone) add(Step::store, convert.c, "");
  }
  void operator()(const plan::Opaque& opaque) {
    const std::string how = fmt::format("{}, {} unit{}", opaque.name, opaque.units, opaque.units == 1 ? "" : "s");
    for (const plan::At& at : opaque.reads) add(Step::work, at, "read by " + how);
    for (const plan::At& at : opaque.writes) add(Step::work, at, "written by " + how);
  }
  template <class Other>
  void operator()(const Other&) {}  // has no partitions

 private:
  enum class Step : std::uint8_t { fill, load, direct, multiply, store, work };
  static constexpr const char* kSteps[] = {"global -> shared", "shared -> registers", "global -> registers", "multiply", "store",
                                           "opaque operations"};

  const plan::Tensor& tensor(const plan::At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }

  std::string moved(const plan::Copy& copy) const {
    if (copy.map != plan::kNone) {
      const plan::TensorMap& map = plan_.maps[copy.map];
      return fmt::format(
          "a box of {} x {} elements{}", map.box_rows, map.box_columns,
          map.left_over == 0 || any_size_ ? std::string() : fmt::format(" of {}, which leaves over {} of a row", map.name, map.left_over));
    }
    if (copy.by == plan::CopyBy::wmma_load || copy.by == plan::CopyBy::wmma_store) return "a fragment a warp";
    if (copy.matrices > 0) return fmt::format("{} matrices of 8 x 8 elements a warp", copy.matrices);
    return fmt::format("{} element{} = {}", copy.vector, copy.vector == 1 ? "" : "s", bytes(copy.vector, tensor(copy.from).type));
  }

  std::string left_over(const plan::TensorMap& map) const {
    if (any_size_) return fmt::format("what {} leaves over of a row", map.name);
    return fmt::format("the {} of a row that {} leaves over", map.left_over, map.name);
  }

  void add(Step step, const plan::At& at, const std::string& how) {
    const plan::Partition& partition = plan_.partitions[at.partition];
    const plan::Tensor& whole = plan_.tensors[partition.tensor];
    if (seen_[at.partition]) return;
    seen_[at.partition] = true;
    const std::string to = whole.space == plan::Space::registers ? fmt::format("register element of {}", short_name(whole.type))
                           : whole.space == plan::Space::shared  ? fmt::format("element of the stage of {}", whole.name)
                                                                 : fmt::format("element of the tile of {}", whole.name);
    steps_[static_cast<std::size_t>(step)].push_back(
        {partition.name, text_of(partition), fmt::format("{} -> {}{}{}", map_of(plan_, partition), to, how.empty() ? "" : "; ", how),
         kSteps[static_cast<std::size_t>(step)]});
    if (partition.coordinates != plan::kNone) add_coordinates(step, partition.coordinates, whole);
  }

  // By which coordinates what lies beyond the tensor is told.
  void add_coordinates(Step step, plan::Id id, const plan::Tensor& whole) {
    const plan::Partition& partition = plan_.partitions[id];
    const auto names = plan::mode_names(whole.operand);
    const auto [first, second] = plan::extents(plan_, whole.operand);
    const std::string end = any_size_ ? fmt::format("({},{})", names[0], names[1]) : fmt::format("({},{})", first, second);
    const bool clips = !predicates_.contains(id) && std::any_of(plan_.maps.begin(), plan_.maps.end(),
                                                                [&](const auto& map) { return &plan_.tensors[map.tensor] == &whole; });
    const char* const beyond = whole.operand == Operand::c ? "nothing is stored" : "0 is loaded";
    steps_[static_cast<std::size_t>(step)].push_back(
        {partition.name, to_string(partition.layout),
         fmt::format("{} -> ({},{}) in the tile of {}; beyond {} {}{}", map_of(plan_, partition), rows_of(whole.operand),
                     columns_of(whole.operand), whole.name, end, beyond, clips ? ", which TMA sees to" : ""),
         kSteps[static_cast<std::size_t>(step)]});
  }

  // What CuTe prints for one thread, beside the layout over all of them.
  void thread_0(Step step, Operand operand) {
    const plan::Id id = plan_.path(operand).partition;
    if (id == plan::kNone || sliced_[static_cast<std::size_t>(operand)]) return;
    sliced_[static_cast<std::size_t>(operand)] = true;
    const plan::Partition& partition = plan_.partitions[id];
    std::string modes;
    for (const std::string& mode : partition.modes) modes += (modes.empty() ? "" : ", ") + mode;
    const plan::Tensor& whole = plan_.tensors[partition.tensor];
    const std::string tile = fmt::format("{} of {}", whole.space == plan::Space::shared ? "stage" : "tile", whole.name);
    // A slice of a swizzled tensor is where it begins and the layout of before the swizzle, which then exchanges its units.
    const auto part = slice_of_thread_0(operand, whole);
    const bool swizzled = std::holds_alternative<ComposedLayout>(whole.layout) && part && std::holds_alternative<Layout>(part->layout);
    const std::string before = swizzled ? fmt::format(", before {}", to_string(get_swizzle(whole.layout))) : "";
    steps_[static_cast<std::size_t>(step)].push_back({partition.name, part ? text_of(whole, part->layout) : part.error().message,
                                                      fmt::format("({}) -> element of the {}; thread 0's slice{}", modes, tile, before),
                                                      kSteps[static_cast<std::size_t>(step)]});
  }

  std::string text_of(const plan::Partition& partition) const {
    const bool has_coordinates = any_size_ && partition.coordinates != plan::kNone;
    return text_of(plan_.tensors[partition.tensor], (has_coordinates ? plan_.partitions[partition.coordinates] : partition).layout);
  }
  static std::string text_of(const plan::Tensor& whole, const AnyLayout& part) {
    const Layout& plain = plain_part(part);
    return whole.space == plan::Space::global && plain.has_basis() ? text_of_coordinates(whole, plain) : to_string(part);
  }
  std::string text_of(const plan::Tensor& whole) const { return any_size_ ? text_of_any_size(whole) : to_string(whole.layout); }
  // Of its elements, or at any size of their coordinates.
  Result<SliceAndOffset> slice_of_thread_0(Operand operand, const plan::Tensor& whole) const {
    if (!any_size_ || whole.space != plan::Space::global) return thread_partition(plan_, operand, 0);
    const plan::TwoModes tile = plan::tile_extents(plan_, operand);
    TESSERA_TRY(coordinates, make_identity_layout(IntTuple::tuple({tile[0], tile[1]})));
    return plan_.mma->partition(operand, coordinates, 0);
  }

  void problem() {
    const char* const step = "problem";
    const auto line = [&](std::string name, std::string value, std::string map) {
      lines_.push_back({std::move(name), std::move(value), std::move(map), step});
    };
    if (!plan_.mma) return schedule(step);
    if (any_size_)
      line("problem", "M x N x K", "elements: arguments of the kernel, as LDA, LDB, LDC and the distances of a batch are");
    else
      line("problem", fmt::format("{} x {} x {}", plan_.m, plan_.n, plan_.k),
           plan_.extents == Extents::arguments ? "M x N x K elements, arguments of the kernel" : "M x N x K elements");
    line("mma", plan_.mma->atom().name,
         fmt::format("{} as {}; needs {}", to_string(plan_.mma->atom_layout_mnk()), to_string(plan_.mma->permutation_mnk()),
                     to_string(plan_.arch)));
    if (!any_size_ && plan_.batch > 1)
      line("batch", fmt::format("{}", plan_.batch),
           fmt::format("products, whose matrices of A, B and C are {}, {} and {} elements apart", plan_.gmem(Operand::a).batch_elements,
                       plan_.gmem(Operand::b).batch_elements, plan_.gmem(Operand::c).batch_elements));
    const std::string tiler = fmt::format("({},{},{})", plan_.blk_m, plan_.blk_n, plan_.blk_k);
    if (any_size_) return problem_of_any_size(step, tiler);
    line("cta_tiler", tiler,
         fmt::format("{} x {} {}, {} k-tile{}{}", plan_.m_tiles, plan_.n_tiles,
                     plan_.grid == plan_.m_tiles * plan_.n_tiles ? "CTAs" : fmt::format("tiles of C by {} CTAs", plan_.grid), plan_.k_tiles,
                     plan_.k_tiles == 1 ? "" : "s",
                     plan_.has_smem() ? fmt::format(", {} stage{}", plan_.stages(), plan_.stages() == 1 ? "" : "s") : std::string()));
    if (const auto inside = last_tile())
      line("last tile", *inside, "of cta_tiler inside the problem: beyond it zeros are multiplied, and nothing is stored");
    const std::int64_t outside = plan_.m_tiles * plan_.n_tiles - tiles_inside();
    if (outside > 0)
      line("outside", fmt::format("{}", outside),
           fmt::format("of the {} x {} tiles, which fill clusters: their CTAs load for the others, and store nothing", plan_.m_tiles,
                       plan_.n_tiles));
    line("threads", fmt::format("{}", plan_.threads), to_string(plan_.mma->thr_layout_vmnk()) + "  (V,M,N,K) -> thread");
    line("cta_raster", to_string(plan_.cta_raster),
         plan_.cluster_size() == 1 ? "block -> (m_tile, n_tile)"
                                   : fmt::format("cluster -> (m, n) in clusters of {} x {} tiles", plan_.cluster_m, plan_.cluster_n));
    line("smem", fmt::format("{}", plan_.smem_bytes), "bytes a CTA");
    for (const std::string& note : plan_.notes) line("note", note, "");
    if (const std::string beyond = beyond_smem(plan_); !beyond.empty()) line(std::string(kBeyondSmem), beyond, "");
  }

  // Of a plan that is no GEMM.
  void schedule(const char* step) {
    lines_.push_back({"threads", fmt::format("{}", plan_.threads), "of a CTA", step});
    lines_.push_back({"smem", fmt::format("{}", plan_.smem_bytes), "bytes a CTA", step});
    for (const plan::Role& role : plan_.roles)
      lines_.push_back({"role", role.name, fmt::format("threads {} to {}", role.first_thread, role.last_thread()), step});
    for (const std::string& note : plan_.notes) lines_.push_back({"note", note, "", step});
  }

  void problem_of_any_size(const char* step, const std::string& tiler) {
    const std::int64_t ctas = plan_.cluster_size();
    const std::string units = ctas == 1 ? "tiles" : fmt::format("clusters of {} x {} tiles", plan_.cluster_m, plan_.cluster_n);
    lines_.push_back({"cta_tiler", tiler,
                      plan_.has_smem() ? fmt::format("(BLK_M,BLK_N,BLK_K), {} stage{}", plan_.stages(), plan_.stages() == 1 ? "" : "s")
                                       : std::string("(BLK_M,BLK_N,BLK_K)"),
                      step});
    lines_.push_back(
        {"threads", fmt::format("{}", plan_.threads), to_string(plan_.mma->thr_layout_vmnk()) + "  (V,M,N,K) -> thread", step});
    lines_.push_back({"cta_raster",
                      fmt::format("{} at a time", plan_.raster_group == 1 ? "1" : fmt::format("up to {}", plan_.raster_group)),
                      fmt::format("{} along M, whose tiles of N are walked together", units), step});
    lines_.push_back({"smem", fmt::format("{}", plan_.smem_bytes), "bytes a CTA", step});
    if (const std::string beyond = beyond_smem(plan_); !beyond.empty()) lines_.push_back({std::string(kBeyondSmem), beyond, "", step});
  }

  std::int64_t tiles_inside() const { return ceil_div(plan_.m, plan_.blk_m) * ceil_div(plan_.n, plan_.blk_n); }

  // (65,128,1): what is inside of the last tile along M, N and K, where it is not all.
  std::optional<std::string> last_tile() const {
    bool is_whole = plan_.m % plan_.blk_m == 0 && plan_.n % plan_.blk_n == 0 && plan_.k % plan_.blk_k == 0;
    if (is_whole) return std::nullopt;
    return fmt::format("({},{},{})", plan::rest(plan_, Operand::a, 0), plan::rest(plan_, Operand::b, 0), plan::rest(plan_, Operand::a, 1));
  }

  void tensors() {
    for (const plan::Tensor& each : plan_.tensors) {
      const bool shared = each.space == plan::Space::shared;
      if (each.space == plan::Space::registers) continue;
      if (each.space == plan::Space::coordinates) {
        const std::string place = fmt::format("({},{})", rows_of(each.operand), columns_of(each.operand));
        lines_.push_back({each.name, text_of(each), fmt::format("{} -> {}: each element's coordinate", place, place), "tensors"});
        continue;
      }
      std::string map = fmt::format("({},{}) -> element of {}", rows_of(each.operand), columns_of(each.operand), short_name(each.type));
      if (shared || !any_size_) map += "; " + bytes(shared ? each.stage_elements : each.elements, each.type);
      if (shared) {
        const std::int64_t stages = stages_of(plan_.rings, each.ring);
        map += fmt::format(" a stage, at byte {}{}", each.byte_offset, stages > 1 ? fmt::format(", {} stages", stages) : "");
      }
      lines_.push_back({each.name, text_of(each), std::move(map), "tensors"});
    }
  }

  const GemmPlan& plan_;
  bool any_size_ = false;   // writes names of arguments instead of their values
  std::vector<bool> seen_;  // by partition
  std::set<plan::Id> predicates_;
  std::array<bool, 3> sliced_{};  // by operand: thread 0's part of it
  std::vector<PlanLine> lines_;
  std::array<std::vector<PlanLine>, 6> steps_;
};

}  // namespace

std::vector<PlanLine> describe(const GemmPlan& plan) { return Describer(plan, false).lines(); }
std::vector<PlanLine> describe_any_size(const GemmPlan& plan) { return Describer(plan, true).lines(); }

}  // namespace tessera
