// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/torch_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {
namespace {

constexpr std::string_view kTensorName = "torch.Tensor";

struct TorchType {
  std::string_view name;
  ValueType type;
};
constexpr TorchType kTypes[] = {
    {"float32", ValueType::f32},      {"float", ValueType::f32}, {"float64", ValueType::f64},   {"double", ValueType::f64},
    {"float16", ValueType::f16},      {"half", ValueType::f16},  {"bfloat16", ValueType::bf16}, {"int8", ValueType::i8},
    {"uint8", ValueType::u8},         {"int16", ValueType::i16}, {"short", ValueType::i16},     {"int32", ValueType::i32},
    {"int", ValueType::i32},          {"int64", ValueType::i64}, {"long", ValueType::i64},      {"float8_e4m3fn", ValueType::e4m3},
    {"float8_e5m2", ValueType::e5m2},
};

IntTuple tuple_of(const std::vector<std::int64_t>& numbers) {
  std::vector<IntTuple> modes(numbers.begin(), numbers.end());
  return IntTuple::tuple(std::move(modes));
}

// Of all dimensions with more than one element: does the next larger stride begin where the smaller one ends?
bool leaves_no_holes(const TorchTensor& tensor) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] != 1) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return tensor.stride[a] < tensor.stride[b]; });
  std::int64_t wanted = 1;
  for (const std::size_t i : order) {
    if (tensor.stride[i] != wanted) return false;
    wanted *= tensor.shape[i];
  }
  return true;
}

std::int64_t count_of(const TorchTensor& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, [](std::int64_t a, std::int64_t b) { return a * b; });
}

// Dimension -1 is the last one.
Result<std::size_t> dimension(const Value& value, std::size_t count) {
  TESSERA_TRY(given, as_integer(value));
  const std::int64_t number = given < 0 ? given + static_cast<std::int64_t>(count) : given;
  if (number < 0 || number >= static_cast<std::int64_t>(count))
    return Error{ErrorCode::out_of_range, fmt::format("a tensor of {} dimensions has no dimension {}", count, given), {}, {}};
  return static_cast<std::size_t>(number);
}

// x.permute(1, 2, 0) and x.permute((1, 2, 0))
Result<std::vector<std::int64_t>> numbers_of(const std::vector<Value>& values) {
  std::vector<std::int64_t> made;
  for (const Value& each : values) {
    TESSERA_TRY(tuple, as_int_tuple(each));
    for (const std::int64_t number : leaf_values(tuple)) made.push_back(number);
  }
  return made;
}

class Method {
 public:
  Method(const TorchTensor& tensor, std::string_view name, const CallArguments& arguments) : tensor_(tensor), name_(name) {
    for (std::size_t i = 0; i < arguments.values.size(); ++i) {
      if (i < arguments.names.size() && !arguments.names[i].empty())
        named_.emplace_back(arguments.names[i], &arguments.values[i]);
      else
        given_.push_back(arguments.values[i]);
    }
  }

  Result<Value> run() const {
    const std::size_t count = tensor_.shape.size();
    if (one_of({"random_", "uniform_", "normal_", "fill_", "zero_", "copy_", "requires_grad_", "detach", "clone", "contiguous_"}))
      return name_ == "clone" ? moved(tensor_.type, tensor_.on_device) : torch_value(tensor_);
    if (name_ == "cuda") return moved(tensor_.type, true);
    if (name_ == "cpu") return moved(tensor_.type, false);
    if (name_ == "half") return moved(ValueType::f16, tensor_.on_device);
    if (name_ == "float") return moved(ValueType::f32, tensor_.on_device);
    if (name_ == "bfloat16") return moved(ValueType::bf16, tensor_.on_device);
    if (name_ == "to") return to();
    if (name_ == "permute") return permute();
    if (name_ == "t" && count == 2) return value_of(permuted_tensor(tensor_, {1, 0}));
    if (name_ == "transpose" && given_.size() == 2) return transpose();
    if (name_ == "contiguous") return value_of(contiguous_tensor(tensor_.shape, tensor_.type, tensor_.on_device));
    if (name_ == "unsqueeze" && given_.size() == 1) return unsqueeze();
    if (name_ == "squeeze") return squeeze();
    if (one_of({"view", "reshape"})) return view();
    if (name_ == "numel" || name_ == "nelement") return Value{IntTuple(count_of(tensor_))};
    if (name_ == "element_size") return Value{IntTuple(std::int64_t{(bits(tensor_.type) + 7) / 8})};
    if (name_ == "dim") return Value{IntTuple(static_cast<std::int64_t>(count))};
    if (one_of({"size", "stride"})) return extents();
    if (name_ == "is_contiguous") {
      TESSERA_TRY(row_major, contiguous_tensor(tensor_.shape, tensor_.type, tensor_.on_device));
      return Value{row_major.stride == tensor_.stride};
    }
    const std::string_view shown = name_.empty() ? "__call__" : name_;
    return Error{ErrorCode::unknown_name, fmt::format("what {} of a tensor of torch gives is not known here", shown), {}, {}};
  }

 private:
  bool one_of(std::initializer_list<std::string_view> names) const { return std::find(names.begin(), names.end(), name_) != names.end(); }
  const Value* named(std::string_view name) const {
    for (const auto& [own, value] : named_) {
      if (own == name) return value;
    }
    return nullptr;
  }
  static Result<Value> value_of(Result<TorchTensor> made) {
    if (!made) return std::move(made).error();
    return torch_value(*made);
  }
  Result<Value> moved(ValueType type, bool on_device) const { return value_of(like_tensor(tensor_, type, on_device)); }

  // x.to(torch.float16), x.to("cuda"), x.to(device="cuda", dtype=...)
  Result<Value> to() const {
    ValueType type = tensor_.type;
    bool on_device = tensor_.on_device;
    std::vector<const Value*> all;
    for (const Value& each : given_) all.push_back(&each);
    for (const std::string_view name : {"dtype", "device"}) {
      if (const Value* value = named(name)) all.push_back(value);
    }
    for (const Value* each : all) {
      const auto* word = std::get_if<std::string>(&each->any);
      if (word && (word->starts_with("cuda") || *word == "cpu")) {
        on_device = *word != "cpu";
      } else if (const auto other = as_torch_tensor(*each)) {
        type = other->type, on_device = other->on_device;
      } else if (!std::holds_alternative<bool>(each->any)) {  // non_blocking
        TESSERA_TRY(made, as_value_type(*each));
        type = made;
      }
    }
    return moved(type, on_device);
  }

  Result<Value> permute() const {
    std::vector<Value> order = given_;
    if (const Value* dims = named("dims")) order.push_back(*dims);
    TESSERA_TRY(numbers, numbers_of(order));
    return value_of(permuted_tensor(tensor_, numbers));
  }

  Result<Value> transpose() const {
    const std::size_t count = tensor_.shape.size();
    TESSERA_TRY(a, dimension(given_[0], count));
    TESSERA_TRY(b, dimension(given_[1], count));
    TorchTensor made = tensor_;
    std::swap(made.shape[a], made.shape[b]);
    std::swap(made.stride[a], made.stride[b]);
    return torch_value(made);
  }

  Result<Value> unsqueeze() const {
    TESSERA_TRY(at, dimension(given_[0], tensor_.shape.size() + 1));
    TorchTensor made = tensor_;
    const std::int64_t stride = at < tensor_.shape.size() ? tensor_.shape[at] * tensor_.stride[at] : 1;
    made.shape.insert(made.shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    made.stride.insert(made.stride.begin() + static_cast<std::ptrdiff_t>(at), stride);
    return torch_value(made);
  }

  Result<Value> squeeze() const {
    std::optional<std::size_t> only;
    if (const Value* at = !given_.empty() ? &given_[0] : named("dim")) {
      TESSERA_TRY(number, dimension(*at, tensor_.shape.size()));
      only = number;
    }
    TorchTensor made = tensor_;
    made.shape.clear();
    made.stride.clear();
    for (std::size_t i = 0; i < tensor_.shape.size(); ++i) {
      if (tensor_.shape[i] == 1 && (!only || *only == i)) continue;
      made.shape.push_back(tensor_.shape[i]);
      made.stride.push_back(tensor_.stride[i]);
    }
    return torch_value(made);
  }

  // x.view(2, -1) of what is contiguous; x.view(dtype=torch.uint8) of elements that are as wide.
  Result<Value> view() const {
    const Value* type = named("dtype");
    if (!type && given_.size() == 1 && std::holds_alternative<std::string>(given_[0].any)) type = &given_[0];
    if (type) {
      TESSERA_TRY(other, as_value_type(*type));
      if (bits(other) != bits(tensor_.type))
        return Error{ErrorCode::wrong_type, "view as elements of another width is not followed", {}, {}};
      TorchTensor made = tensor_;
      made.type = other;
      return torch_value(made);
    }
    TESSERA_TRY(shape, numbers_of(given_));
    TESSERA_TRY(row_major, contiguous_tensor(tensor_.shape, tensor_.type, tensor_.on_device));
    if (row_major.stride != tensor_.stride)
      return Error{ErrorCode::wrong_type, fmt::format("{} of a tensor that is not contiguous is not followed", name_), {}, {}};
    const std::int64_t all = count_of(tensor_);
    std::int64_t others = 1;
    for (const std::int64_t each : shape) others *= each == -1 ? 1 : each;
    for (std::int64_t& each : shape) {
      if (each == -1) each = others > 0 && all % others == 0 ? all / others : -1;
    }
    TESSERA_TRY(made, contiguous_tensor(shape, tensor_.type, tensor_.on_device));
    if (count_of(made) != all)
      return Error{
          ErrorCode::out_of_range, fmt::format("{}: the shape {} has not {} elements", name_, to_string(tuple_of(shape)), all), {}, {}};
    return torch_value(made);
  }

  Result<Value> extents() const {
    const std::vector<std::int64_t>& all = name_ == "size" ? tensor_.shape : tensor_.stride;
    const Value* at = !given_.empty() ? &given_[0] : named("dim");
    if (!at) return Value{tuple_of(all)};
    TESSERA_TRY(number, dimension(*at, all.size()));
    return Value{IntTuple(all[number])};
  }

  const TorchTensor& tensor_;
  std::string_view name_;
  std::vector<Value> given_;
  std::vector<std::pair<std::string_view, const Value*>> named_;
};

}  // namespace

Result<TorchTensor> contiguous_tensor(std::vector<std::int64_t> shape, ValueType type, bool on_device) {
  TorchTensor made{std::move(shape), {}, type, on_device};
  made.stride.resize(made.shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = made.shape.size(); i-- > 0;) {
    made.stride[i] = stride;
    const auto next = checked_mul(stride, std::max<std::int64_t>(made.shape[i], 1));
    if (made.shape[i] < 0 || !next)
      return Error{ErrorCode::out_of_range, fmt::format("no tensor of torch has the shape {}", to_string(tuple_of(made.shape))), {}, {}};
    stride = *next;
  }
  return made;
}

Result<TorchTensor> like_tensor(const TorchTensor& tensor, ValueType type, bool on_device) {
  if (!leaves_no_holes(tensor))
    return Error{ErrorCode::wrong_type,
                 fmt::format("a copy of a tensor of torch with holes, of strides {}, is not followed", to_string(tuple_of(tensor.stride))),
                 {},
                 {}};
  TorchTensor made = tensor;
  made.type = type;
  made.on_device = on_device;
  return made;
}

Result<TorchTensor> permuted_tensor(const TorchTensor& tensor, const std::vector<std::int64_t>& order) {
  TorchTensor made{{}, {}, tensor.type, tensor.on_device};
  std::vector<bool> taken(tensor.shape.size(), false);
  for (const std::int64_t each : order) {
    TESSERA_TRY(from, dimension(Value{IntTuple(each)}, tensor.shape.size()));
    if (taken[from]) return Error{ErrorCode::out_of_range, fmt::format("permute names dimension {} twice", each), {}, {}};
    taken[from] = true;
    made.shape.push_back(tensor.shape[from]);
    made.stride.push_back(tensor.stride[from]);
  }
  if (order.size() != tensor.shape.size())
    return Error{ErrorCode::rank_mismatch, fmt::format("permute names {} of {} dimensions", order.size(), tensor.shape.size()), {}, {}};
  return made;
}

Value torch_value(const TorchTensor& tensor) {
  UserFunction made;
  made.name = kTensorName;
  made.is_object = true;
  made.captured = {{"shape", Value{tuple_of(tensor.shape)}},
                   {"strides", Value{tuple_of(tensor.stride)}},
                   {"dtype", Value{std::string(cute_name(tensor.type))}},
                   {"is_cuda", Value{tensor.on_device}}};
  made.body = [tensor](std::string_view method, const CallArguments& arguments) { return Method(tensor, method, arguments).run(); };
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

std::optional<TorchTensor> as_torch_tensor(const Value& value) {
  const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&value.any);
  if (!object || (*object)->name != kTensorName || (*object)->captured.size() != 4) return std::nullopt;
  const auto numbers = [&](std::size_t i) { return leaf_values(std::get<IntTuple>((*object)->captured[i].second.any)); };
  TorchTensor made;
  made.shape = numbers(0);
  made.stride = numbers(1);
  made.type = as_value_type((*object)->captured[2].second).value();
  made.on_device = std::get<bool>((*object)->captured[3].second.any);
  return made;
}

std::optional<ValueType> torch_type(std::string_view name) {
  if (!name.starts_with("torch.")) return std::nullopt;
  name.remove_prefix(6);
  for (const TorchType& each : kTypes) {
    if (each.name == name) return each.type;
  }
  return std::nullopt;
}

}  // namespace tessera
