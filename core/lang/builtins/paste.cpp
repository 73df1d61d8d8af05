// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/paste.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/dialect.hpp"

namespace tessera {
namespace {

struct OtherName {
  std::string_view pasted, name;
};
constexpr OtherName kOtherNames[] = {
    {"cute.make_tiled_copy", "make_tiled_copy_impl"},        // (atom, layout_tv, tiler_mn)
    {"cute.make_layout_tv", "make_layout_tv_"},              // gives the tiler too
    {"cute.dice", "dice_"},                                  // (src, coord)
    {"cute.make_identity_tensor", "make_identity_tensor_"},  // begins at (0,0), and x[3] is an element
    {"cute.repeat_like", "repeat_like_"},                    // (x, target)
    {"cute.ceil_div", "ceil_div_"},                          // a mode counts as one number
    {"cute.make_ptr", "make_ptr_"},                          // (dtype, value, mem_space)
    {"cute.recast_ptr", "recast_ptr_"},                      // (ptr, swizzle_, dtype)
    {"cute.make_fragment_like", "make_fragment_like_"},      // of a tensor in the order of its strides
    {"cute.group_modes", "group_modes_"},                    // a negative end counts as in Python
    {"cute.make_tensor", "make_tensor_"},                    // (iterator, layout)
    {"tcgen05.make_tmem_copy", "make_tmem_copy"},
    {"get_tile_size", "tile_size"},
    {"group_modes", "group"},
    {"make_identity_tensor", "make_identity_layout"},
    {"is_congruent", "congruent"},
    {"is_weakly_congruent", "weakly_congruent"},
    {"product", "size"},
    {"layout", "get"},  // layout<0>(x)
    {"tensor", "get"},  // tensor<0>(x)
    {"make_arithmetic_tuple", "make_tuple"},
    {"compose", "composition"},
    {"make_inttuple", "make_tuple"},
    {"retile_S", "retile"},
    {"retile_D", "retile"},
    {"filter_tuple", "filter"},
    {"get_swizzle_portion", "get_swizzle"},
    {"get_nonswizzle_portion", "get_nonswizzle"},
    {"make_tiled_copy_tv", "make_tiled_copy"},
    {"tiled_mma", "make_tiled_mma"},
    {"make_ordered_layout_like", "make_layout_like"},
    {"torch_dtype", "cutlass_torch.dtype"},  // from cutlass.torch import dtype as torch_dtype
    {"runtime.from_dlpack", "from_dlpack"},
    {"utils.get_smem_capacity_in_bytes", "get_smem_capacity_in_bytes"},
    {"make_pipeline_state", "pipeline.make_pipeline_state"},
    {"utils.is_fp8_dtype", "is_fp8_dtype"},
    {"utils.create_cute_tensor_for_fp8", "create_cute_tensor_for_fp8"},
};

// What cutlass.utils itself passes on: the helpers of Blackwell by their own names, and Hopper's behind sm90_.
std::string_view passed_on(std::string_view function) {
  const bool of_hopper = function.starts_with("sm90_") || function == "compute_tile_shape_or_override";
  if (function.starts_with("sm90_")) function.remove_prefix(5);
  for (const std::string_view module : {"sm90_utils.", "sm100_utils.", "blockscaled_utils."}) {
    if (of_hopper != (module == "sm90_utils.")) continue;
    for (const BuiltinHelp& row : builtins()) {
      if (row.name.starts_with(module) && row.name.substr(module.size()) == function) return row.name;
    }
  }
  return {};
}

// sm90_utils.make_smem_layout_a of utils.sm90.make_smem_layout_a and hopper_helpers.make_smem_layout_a: the modules of CUTLASS's utilities
// go by several names. Empty: it is none of their functions.
std::string_view utility_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kModules[] = {{"sm90_utils", "sm90_utils."},
                                                                        {"sm90_utils_basic", "sm90_utils."},
                                                                        {"utils.sm90", "sm90_utils."},
                                                                        {"hopper_helpers", "sm90_utils."},
                                                                        {"sm100_utils", "sm100_utils."},
                                                                        {"sm100_utils_basic", "sm100_utils."},
                                                                        {"utils.sm100", "sm100_utils."},
                                                                        {"blackwell_helpers", "sm100_utils."},
                                                                        {"blockscaled_utils", "blockscaled_utils."},
                                                                        {"blockscaled_layout", "blockscaled_utils."}};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view module = name.substr(0, dot), function = name.substr(dot + 1);
  if (module == "utils") return passed_on(function);
  for (const auto& [spelled, own] : kModules) {
    const bool is = module == spelled || (module.ends_with(spelled) && module[module.size() - spelled.size() - 1] == '.');
    if (!is) continue;
    for (const BuiltinHelp& row : builtins()) {
      if (row.name.starts_with(own) &&
          (row.name.substr(own.size()) == function || function == fmt::format("sm90_{}", row.name.substr(own.size()))))
        return row.name;
    }
  }
  return {};
}

constexpr std::string_view kPython = "builtins.";  // the module of Python's own functions

// cutlass.torch.matrix, cutlass_torch.matrix, utils.LayoutEnum.from_tensor, cutlass.torch.RandomInitConfig
std::string_view maker_of_tensors(std::string_view pasted, std::string_view name) {
  constexpr std::string_view kOwn = "cutlass_torch.", kEnum = "LayoutEnum.";
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view module = name.substr(0, dot), function = name.substr(dot + 1);
  const bool of_cutlass = module == "cutlass_torch" || (module == "torch" && pasted.starts_with("cutlass."));
  const bool of_enum = module.ends_with("LayoutEnum");
  if (!of_cutlass && !of_enum) return {};
  for (const Builtin& row : torch_builtins()) {
    if (of_enum && row.name.starts_with(kEnum) && row.name.substr(kEnum.size()) == function) return row.name;
    if (of_cutlass && (row.name == function || (row.name.starts_with(kOwn) && row.name.substr(kOwn.size()) == function))) return row.name;
  }
  return {};
}

}  // namespace

std::string_view function_name(std::string_view pasted, std::string_view name) {
  // tcgen05.copy.Ld32x32bOp is tcgen05.Ld32x32bOp: the modules tcgen05 and warp pass on what their parts have.
  for (const std::string_view part : {"tcgen05.copy.", "tcgen05.mma.", "warp.copy.", "warp.mma.", "warpgroup.mma."}) {
    if (!name.starts_with(part)) continue;
    for (const BuiltinHelp& row : builtins()) {
      const std::size_t dot = part.find('.');
      if (row.name.starts_with(part.substr(0, dot + 1)) && row.name.substr(dot + 1) == name.substr(part.size())) return row.name;
    }
  }
  if (constexpr std::string_view kArch = "arch."; name.starts_with(kArch)) {  // cute.arch.make_warp_uniform(x)
    for (const BuiltinHelp& row : builtins()) {
      if (row.name == name.substr(kArch.size())) return row.name;
    }
  }
  if (const std::string_view utility = utility_of(name); !utility.empty()) return utility;
  if (const std::string_view maker = maker_of_tensors(pasted, name); !maker.empty()) return maker;
  if (current_dialect() == Dialect::python && pasted == name) {  // Python's own range(4)
    const auto rows = python_builtins();
    const auto own = std::find_if(rows.begin(), rows.end(), [&](const Builtin& row) {
      return row.name.starts_with(kPython) && row.name.substr(kPython.size()) == name;
    });
    if (own != rows.end()) return own->name;
  }
  // Constructors of CuTe's Python models: pycute.Layout((4,8), (8,1)), Swizzle(3, 3, 3).
  const std::string_view last = name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
  if (last == "Layout") return "make_layout";
  if (last == "Swizzle") return "make_swizzle";
  if (last == "SmemAllocator" || last == "make_smem_layout_atom") return last;
  for (const OtherName& other : kOtherNames) {
    if (other.pasted == pasted || other.pasted == name) return other.name;
  }
  return name;
}

bool is_shape_type(std::string_view name) {
  for (const std::string_view space : {"cutlass::", "gemm::", "layout::"}) {
    if (name.starts_with(space)) name.remove_prefix(space.size());
  }
  return name == "GemmShape" || name == "MatrixShape" || name == "PitchLinearShape";
}

std::optional<std::string_view> dsl_constant(std::string_view name) {
  for (const std::string_view type :
       {"OperandMajorMode.", "OperandSource.", "LoadCacheMode.", "CtaGroup.", "Repetition.", "AddressSpace.", "SmemLayoutAtomKind.",
        "Pack.", "Unpack.", "MemoryOrder.", "MemoryScope.", "L2PrefetchSize.", "CacheEvictionPriority.", "SharedSpace.", "TmemLoadRedOp.",
        "LayoutEnum.", "TensorInitType.", "PipelineUserType."}) {
    const std::size_t at = name.find(type);
    if (at == 0 || (at != std::string_view::npos && name[at - 1] == '.')) return name.substr(at + type.size());
  }
  return std::nullopt;
}

}  // namespace tessera
