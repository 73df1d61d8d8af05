// SPDX-License-Identifier: BSD-3-Clause
// The body of an emitted kernel: tensors, partitions, fragments, functions, and the role's operations, one overload each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gemm/plan/branches.hpp"
#include "core/gemm/plan/walk.hpp"
#include "kernels/codegen/address.hpp"
#include "kernels/codegen/constants.hpp"
#include "kernels/codegen/device_functions.hpp"
#include "kernels/codegen/element_text.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

// Does a kernel name the operand by its pointer? Where tensor maps describe all that it reads and writes of it, it takes no pointer.
bool takes_pointer(const GemmPlan& plan, Operand operand);

class Body {
 public:
  // A plan that check_emittable lets pass.
  Body(const GemmPlan& plan, const Constants& constants);
  const Lines& lines();
  const Needs& needs() const { return needs_; }  // of lines()
  bool names_alpha() const { return seen_.alpha; }
  bool names_beta() const { return seen_.beta; }

  void operator()(const plan::Copy& copy);
  void operator()(const plan::Mma& mma);
  void operator()(const plan::Convert& convert);
  void operator()(const plan::Commit& commit);
  void operator()(const plan::WaitGroup& wait);
  void operator()(const plan::Wait& wait);
  void operator()(const plan::Advance& advance);
  void operator()(const plan::NextTile& tile);
  void operator()(const plan::Loop& loop);
  void operator()(const plan::When& when);
  void operator()(const plan::Named& named);
  void operator()(const plan::Expect& expect);
  void operator()(const plan::Arrive& arrive);
  void operator()(const plan::Fence& fence);
  void operator()(const plan::SetRegisters& set);
  void operator()(const plan::Opaque&) {}  // check_operations lets none pass

 private:
  struct Range {
    std::int64_t least = 0;
    plan::Num most{};
  };
  using PlacesOfTile = std::array<bool, 2>;  // along M and N: is it named?
  struct Use {                               // what the operations do with a partition
    bool is_used = false;
    std::int64_t vector = 1;              // elements that are addressed at once
    std::int64_t threads = 0;             // of a role: who names it
    std::int64_t stored_by_matrices = 0;  // of one stmatrix
    bool by_pairs = false;                // of a box of C: two neighbours at once
    bool is_left_over = false;            // of C: what no store of TMA ends with
  };

  // body.cpp: what is there before the operations
  void look_ahead();
  void collect(const plan::Role& role);
  void collect(const plan::Op& op);
  void use(const plan::At& at, std::int64_t vector, std::int64_t threads = 0);
  void use(const plan::Stage& stage);
  void use_fragment(const plan::At& at);
  void declare_tensors();
  void declare_place();
  void declare_partitions(plan::Space space);
  void declare_partition(std::size_t id);
  void declare(const Address& address, std::string_view comment);
  std::string memory_type(ValueType type) const { return needs_(type_text(type).memory); }
  void declare_registers(const plan::Tensor& tensor, std::size_t id);
  void declare_fragments_of_warp(const plan::Tensor& tensor, const std::string& name, const std::string& shape);
  void declare_function(std::size_t id);
  const Address& address_of(std::size_t partition) const;  // kept: what passes a swizzle is asked of every thread
  std::string shape_comment(const plan::Partition& partition) const;

  // body_flow.cpp: loops, conditions, calls and waits
  void emit(std::span<const plan::Op> block);
  bool emit_alternative(const plan::Op& first, const plan::Op& second);
  void emit_if(const std::string& condition, const plan::Block& body, const plan::Block* otherwise);
  std::string index(const plan::Index& index) const;
  std::optional<std::int64_t> number(const plan::Index& index) const;  // where it is one
  std::optional<Range> range(const plan::Index& index) const;
  std::string condition(const plan::When& when) const;        // "": always
  std::optional<bool> decided(const plan::When& when) const;  // where the variables' ranges decide it
  std::string is_first_thread() const;
  std::string owner_condition() const;
  std::optional<std::int64_t> rounds_of(const plan::Loop& loop) const;
  std::string next_of(const plan::Loop& loop) const;  // "++k", "k_tile += STAGES"
  std::optional<std::int64_t> one_thread(const plan::When& when) const;

  // body_roles.cpp: a branch for each family of roles
  void branches();
  void declare_member(const plan::Role& role);
  void begin_together();
  void end_together();
  std::span<const plan::Op> own_block(const plan::Role& role) const;                     // without what all roles do together
  std::string of_member(const std::function<std::int64_t(std::int64_t)>& number) const;  // "64", of one of a family "consumer * 64"
  bool is_one_of_several() const;                                                        // one of a family, and it is not known which
  std::string thread_of_role() const;                                                    // "thr", "thr - 128", "thr % 128"
  // Threads of a partition, for the first `count` of the role (0: all), which wrap around.
  Layout of_role(const Layout& threads, std::int64_t count = 0) const;
  void declare_place_in_cluster();
  void find_named_tiles(const plan::Role& role, std::span<const plan::Op> block);
  void find_tile(const plan::NextTile& next);
  void declare_cursors();
  void emit_role(const plan::Role& role, std::span<const plan::Op> block);
  void emit_program(const plan::Role& role, std::span<const plan::Op> block);
  template <class F>
  void section(const char* comment, F&& lines);
  void loop_over_tiles(const plan::Loop& loop);
  std::string cursor_name(plan::Id cursor) const;
  std::string first_place(const plan::Cursor& cursor) const;
  std::string first_phase(const plan::Cursor& cursor) const;                // which of an mbarrier's two phases that place begins with
  std::optional<std::string> first_fill(const plan::Cursor& cursor) const;  // where the launch decides it: "consumer * K_TILES"
  bool has_phase(plan::Id cursor) const;                                    // do mbarriers order its ring?
  std::string tile_name(std::uint8_t mode, bool before = false) const;      // "m_tile", "n_before"
  std::string tile_number(const plan::Index& tile) const;                   // "cluster + t * CLUSTERS"
  std::optional<bool> tile_is_there(const plan::Index& tile) const;
  std::int64_t last_tile() const;

  // body_async.cpp: TMA, wgmma, stmatrix, mbarriers
  struct BoxPlace {
    std::string row, column;
  };
  std::string of_leader(const plan::Partition& partition, const std::function<std::int64_t(std::int64_t)>& number) const;
  BoxPlace box_place(const plan::At& at) const;
  std::string k_tile(const plan::Index& at) const;
  std::string stage_address(const plan::At& at) const;
  std::string address_of_tensor(const plan::At& at) const;  // "sA", or of one that threads name by a pointer "smem_address(sA)"
  std::string tile_variable(const plan::At& at, std::uint8_t mode) const;                        // "m_tile", "n_before", or "0"
  std::string mbarrier(plan::Id id, const plan::Stage& stage, const plan::Index& member) const;  // its address
  std::string named_barrier(plan::Id id, const plan::Index& member) const;
  Address matrix_rows(std::size_t partition) const;
  void load_box(const plan::Copy& copy);
  void store_box(const plan::Copy& copy);
  void store_matrices(const plan::Copy& copy);

  // body_boxes.cpp: what threads do with boxes of C
  Address pairs_of_box(std::size_t partition) const;
  std::string pair_in_box(const plan::At& at, const char* type, bool is_const) const;  // *reinterpret_cast<float2*>(smem + ..)
  std::string sum_of_pair(const plan::Convert& convert, int which) const;              // the register that holds it
  const char* keep_in_order() const;
  void keep_pair_in_order(const plan::Convert& convert);
  std::string real_of_sum(const plan::Convert& convert, int which) const;
  void convert_for_box(const plan::Convert& convert);
  void store_pairs(const plan::Copy& copy);
  void multiply_by_warpgroup(const plan::Mma& mma);

  // body_left_over.cpp: columns that no store of TMA can end with
  void declare_left_over(const plan::Partition& coordinates);
  void store_left_over(const plan::Copy& copy);

  // body_copies.cpp
  struct Place {               // of the first element that an instruction reads or writes
    std::string base, offset;  // tAgA, k_tile * BLK_K + copy * (32 * LDA)
    std::string sum() const { return tessera::sum({base, offset}); }
    std::string element() const { return base + "[" + offset + "]"; }
  };
  std::string coordinate(const plan::At& at, const std::string& mode) const;
  Place gmem_place(const plan::At& at, const std::string& value = "0") const;
  std::string stage_offset(const plan::At& at, bool in_bytes) const;  // "read * SA_STAGE", "read * (SA_STAGE * 2)"
  Place smem_place(const plan::At& at, const std::string& value) const;
  Place value_place(const plan::At& at, const std::string& value) const;
  // "A", "B": ends the name of a variable, since the loads of both operands may stand in one scope.
  std::string operand_letter(const plan::At& at) const { return tensor(at).name.substr(1); }
  std::string declare_stage_address(const plan::At& at);  // declares sA_write; the address of an instruction
  std::string staged_register(const plan::At& at) const;
  std::string fragment_register(const plan::At& at, const std::string& value) const;  // "copy * 4 + k * 16 + value"
  int open_loops(const plan::At& at);                                                 // over the modes that are not picked; how many
  void close(int count);
  void copy_to_shared(const plan::Copy& copy);
  void copy_to_registers(const plan::Copy& copy);
  void load_matrices(const plan::Copy& copy);
  void load_fragment(const plan::Copy& copy);
  void load_fragment_of_warp(const plan::Copy& copy);
  void store_fragment_of_warp(const plan::Copy& copy);
  std::string fragment_of_warp(const plan::At& at) const;  // "tCrA[m + k * 4]"
  std::int64_t distance_of_rows(const plan::At& at) const;
  bool has_equal_words(const plan::At& at, std::int64_t packed) const;
  void store_result(const plan::Copy& copy);
  std::string access(const Place& place, ValueType type, std::int64_t vector, bool is_const) const;

  // body_edges.cpp: tiles that reach beyond the problem
  struct Cut {
    std::string inside, left;  // "tApA && k < K"; "K - k", or "" where vectors are inside or outside
  };
  const plan::Partition& coordinates(const plan::At& at) const;
  bool has_edge(const plan::At& at, std::size_t mode) const;
  std::string first_coordinate(const plan::Partition& coordinates, std::size_t mode) const;
  std::optional<std::size_t> masked_mode(const plan::Partition& coordinates) const;
  void declare_coordinates(const plan::Partition& of, std::int64_t count);
  std::string coordinate_text(const plan::At& at, std::uint8_t mode, const std::string& value) const;
  std::string inside_along(const plan::At& at, std::uint8_t mode, const std::string& value) const;
  std::string inside(const plan::At& at, const std::string& value) const;
  bool is_cut(const plan::Copy& copy) const;
  bool moves_in_loops(const plan::At& at, std::uint8_t mode) const;
  Cut declare_cut(const plan::Copy& copy, bool in_loops);
  void declare_fixed_cut(const plan::Copy& copy);
  std::string loaded(const plan::Copy& copy);
  std::string element_inside(const plan::Copy& copy, const Place& place, const std::string& value) const;
  bool emit_store_inside(const plan::Op& first, const plan::Op& second);
  std::string tile_offset(const plan::Tensor& gmem, std::size_t mode, const std::string& variable) const;
  std::string gmem_offset(const plan::At& at, std::size_t mode, const std::string& variable, std::int64_t step = 1) const;
  std::string gmem_offset(const plan::Tensor& gmem, const Layout& values, const Layout* coordinates, std::string_view variable,
                          std::int64_t step = 1) const;

  // body_math.cpp
  void keep_sum_in_order(const plan::Convert& convert, const std::string& element);
  std::string times_alpha(const std::string& value) const;  // "alpha * x", or where it is 1 "x"
  std::string times_beta(const std::string& value) const;
  std::string accumulator(const std::string& array, const std::string& element, bool is_double) const;

  const plan::Partition& partition(const plan::At& at) const { return plan_.partitions[at.partition]; }
  const plan::Tensor& tensor(const plan::At& at) const { return plan_.tensors[partition(at).tensor]; }
  std::string array_of(const plan::At& at) const { return arrays_.at(partition(at).tensor); }

  const GemmPlan& plan_;
  const Constants& constants_;
  Lines lines_;
  std::string why_;                                   // of the operation that is visited
  std::vector<Use> uses_;                             // by partition
  mutable std::map<std::size_t, Address> addresses_;  // by partition, as far as they were asked for
  std::set<plan::Id> moving_cursors_;                 // those of rings of more than one stage
  std::map<plan::Id, std::string> arrays_;            // register tensor -> its array
  std::map<plan::Id, std::int64_t> staged_;           // register tensor that a tile waits in -> elements that one register holds
  std::map<plan::Id, std::vector<bool>> parameters_;  // function -> which of its parameters its text uses
  std::map<std::string, std::int64_t, std::less<>> constant_variables_;  // loops of one: variable -> its value
  std::map<std::string, Range, std::less<>> ranges_;
  // Partition of coordinates -> what is known of its rows before the loops, and the mode whose coordinate is a bit of it; "": it is a bool.
  std::map<plan::Id, std::pair<std::string, std::string>> masks_;
  std::optional<plan::At> result_;    // what `c` points to
  const plan::Role* role_ = nullptr;  // whose text is written
  // Of all roles: tensors in shared memory that threads name by a pointer, registers that hold what goes to boxes of C, and whether a CTA
  // has one tile, which is known from the beginning.
  std::set<plan::Id> typed_, boxed_;
  bool has_one_tile_ = true;
  bool is_at_beginning_ = true;  // of a branch
  bool is_in_branch_ = false;    // of several, to which not all threads come
  // What the operations have named, so that only that is declared.
  struct Seen {
    std::set<plan::Id> tensors, barriers;
    bool cluster = false, alpha = false, beta = false;
    std::array<PlacesOfTile, 2> tiles{};  // of the CTA's tile of C, and of the tile before
  };
  mutable Seen seen_;
  mutable Needs needs_;
  std::vector<plan::OwnPart> own_parts_;
  std::set<plan::Id> waits_for_;               // cursors by whose phase the role waits
  std::array<PlacesOfTile, 2> named_tiles_{};  // those that the role's text names: m_tile and n_tile, m_before and n_before
  bool backwards_ = false;                     // is the k_tile counted down in every second tile?
  plan::Index zigzag_tile_;                    // that tile's number
};

}  // namespace tessera::emitting
