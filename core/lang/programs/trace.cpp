// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

constexpr std::string_view kOfDevice = "@tessera ";  // in front of a row that a GPU printed
constexpr std::size_t kMostRows = 1'000'000, kMostBytes = std::size_t{1} << 30, kMostFiles = 1000;
constexpr JsonBounds kRowJson{std::size_t{1} << 20, std::size_t{1} << 14};
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLongestWords = 160;

class Reader {
 public:
  Result<Trace> read(std::string_view bytes) {
    if (bytes.size() > kMostBytes)
      return Error{ErrorCode::limit, fmt::format("a trace has at most {} bytes, and this one {}", kMostBytes, bytes.size()), {}, {}};
    for (std::size_t from = 0; from < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', from), bytes.size());
      TESSERA_CHECK(line(bytes.substr(from, end - from)));
      from = end + 1;
    }
    if (has_device_ && !has_head_) {  // the output of a program, whose own lines are no part of the trace
      made_.unread = 0;
      made_.ended = true;
    }
    if (!has_head_ && !has_device_)
      return Error{ErrorCode::parse,
                   "this is no trace: none of its lines is a head such as {\"tessera_trace\":1,...}",
                   {},
                   {"`tessera trace kernel.py` writes one, and a program that uses tessera/dump.hpp"}};
    return std::move(made_);
  }

 private:
  Status line(std::string_view text) {
    text = trimmed(text);
    const bool of_device = text.starts_with(kOfDevice);
    if (of_device) text.remove_prefix(kOfDevice.size());
    if (text.empty()) return Done{};
    if (text.front() != '{') {
      if (!has_device_) ++made_.unread;  // what else a program printed is no part of the trace
      return Done{};
    }
    const Result<Json> json = parse_json(text, kRowJson, ErrorCode::bad_message);
    if (!json) {
      ++made_.unread;
      return Done{};
    }
    has_device_ = has_device_ || of_device;
    if (json->find("tessera_trace")) return head(*json);
    if (json->find("end")) {
      end(*json);
    } else if (const Json* file = json->find("file"); file && file->text() && !json->find("name")) {
      if (made_.files.size() < kMostFiles) made_.files.push_back({*file->text(), text_of(*json, "sha256")});
    } else {
      return row(*json, of_device);
    }
    return Done{};
  }

  Status head(const Json& json) {
    const auto version = json.find("tessera_trace")->whole<std::int64_t>();
    if (version != kVersion) {
      return Error{ErrorCode::parse,
                   fmt::format("the trace is of version {}, and {} is what is read", json.find("tessera_trace")->shown(), kVersion),
                   {},
                   {"trace the program again"}};
    }
    has_head_ = true;
    if (made_.by.empty()) made_.by = text_of(json, "by");
    if (made_.arch.empty()) made_.arch = text_of(json, "arch");
    return Done{};
  }

  void end(const Json& json) {
    made_.ended = true;
    if (const Json* seconds = json.find("seconds")) made_.seconds = seconds->number().value_or(0);
    made_.dropped += json.find("dropped") ? json.find("dropped")->whole<std::size_t>().value_or(0) : 0;
    for (auto [name, to] : {std::pair{"errors", &made_.errors}, {"guessed", &made_.guessed}}) {
      const Json* list = json.find(name);
      for (const Json& each : list && list->list() ? *list->list() : Json::List{}) {
        if (each.text()) to->push_back(*each.text());
      }
    }
  }

  Status row(const Json& json, bool of_device) {
    TracedObject made;
    made.at_dump = of_device || made_.by.starts_with("CuTe C++");
    made.name = text_of(json, "name");
    made.kind = text_of(json, "kind");
    const Json* line = json.find("line");
    made.line = line ? line->whole<std::size_t>().value_or(0) : 0;
    const Json* number = json.find("of");  // of its file
    const bool has_file = !number || number->whole<std::size_t>();
    if (made.name.empty() || made.kind.empty() || made.line == 0 || !has_file) {
      ++made_.unread;
      return Done{};
    }
    if (made_.objects.size() == kMostRows)
      return Error{ErrorCode::limit, fmt::format("a trace has at most {} rows", kMostRows), {}, {"trace less: --rows N"}};
    if (const Json* column = json.find("column")) made.column = column->whole<std::size_t>().value_or(0);
    made.in = text_of(json, "in");
    made.file = file_of(json);
    for (const JsonMember& each : *json.members()) {
      constexpr std::array<std::string_view, 4> kRead = {"name", "kind", "in", "file"};
      const bool read = std::find(kRead.begin(), kRead.end(), each.name) != kRead.end();
      if (each.value.text() && !read) made.facts.emplace_back(each.name, *each.value.text());
    }
    if (const Json* values = json.find("values"); values && values->list()) {
      for (const Json& each : *values->list()) made.values.push_back(each.text() ? *each.text() : each.dump());
    }
    made_.objects.push_back(std::move(made));
    return Done{};
  }

  // A row names its file by its number, or by its path where no line said it before.
  std::size_t file_of(const Json& json) {
    if (const Json* number = json.find("of")) return number->whole<std::size_t>().value_or(0);
    const std::string path = text_of(json, "file");
    if (path.empty()) return 0;
    const auto same = std::find_if(made_.files.begin(), made_.files.end(), [&](const Trace::File& each) { return each.path == path; });
    if (same == made_.files.end() && made_.files.size() < kMostFiles) {
      made_.files.push_back({path, ""});
      return made_.files.size() - 1;
    }
    return static_cast<std::size_t>(same - made_.files.begin());
  }

  static std::string text_of(const Json& json, std::string_view name) {
    const Json* found = json.find(name);
    return found && found->text() ? *found->text() : std::string();
  }

  Trace made_;
  bool has_head_ = false, has_device_ = false;
};

std::vector<std::string_view> lines_of(std::string_view source) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from <= source.size();) {
    const std::size_t end = std::min(source.find('\n', from), source.size());
    lines.push_back(source.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// The last name of "self.storage.sA[0]" and "typename Traits::SmemLayoutQ{}": what has to stand in the row's line.
std::string_view last_name(std::string_view name) {
  std::size_t end = name.find_first_of("[({<");
  if (end == std::string_view::npos || end == 0) end = name.size();
  while (end > 0 && !is_word(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(name[begin - 1])) --begin;
  return name.substr(begin, end - begin);
}

Error changed(const std::filesystem::path& path, std::string why) {
  return Error{ErrorCode::corrupt,
               fmt::format("the trace is of another version of {}: {}", path.filename().string(), why),
               {},
               {"trace it again, so that the lines and values are those of this file"}};
}

Error no_value(std::string message) { return Error{ErrorCode::not_representable, std::move(message), {}, {}}; }

Result<std::string> needed(const TracedObject& object, std::string_view fact) {
  if (const std::string* found = object.fact(fact)) return *found;
  if (const std::string* error = object.fact("error")) return no_value(fmt::format("the program could not print it: {}", *error));
  return no_value(fmt::format("the trace does not say its {}", fact));
}

// ?, ?{div=128} and ?{i64} stand for numbers of the run.
Status check_known(std::string_view text) {
  if (text.find('?') == std::string_view::npos) return Done{};
  return no_value(fmt::format("{} depends on numbers that the program gets when it runs", text));
}

Result<Value> evaluated(std::string_view text) {
  TESSERA_CHECK(check_known(text));
  return evaluate(text);
}

MemorySpace space_named(std::string_view name) {
  if (name == "gmem") return MemorySpace::gmem;
  if (name == "smem") return MemorySpace::smem;
  if (name == "rmem") return MemorySpace::rmem;
  if (name == "tmem") return MemorySpace::tmem;
  return MemorySpace::unknown;
}

Result<Value> tensor_of(const TracedObject& object) {
  TESSERA_TRY(text, needed(object, "layout"));
  const std::string* type = object.fact("type");
  const std::optional<ValueType> element = type ? value_type(*type) : std::nullopt;
  const std::string* space = object.fact("space");
  if (const std::string* base = object.fact("base"); base && text.find('@') != std::string::npos && text.find(" o ") == std::string::npos)
    text = fmt::format("{} o {}", *base, text);
  if (const std::string* swizzle = object.fact("swizzle"); swizzle && !swizzle->starts_with("Sw<0,")) {
    if (!element)
      return no_value(
          fmt::format("{} in its pointer swizzles bytes, and the bits of {} are not known", *swizzle, type ? *type : "an element"));
    text = fmt::format("{}_smem_ptr[{}b](0x0) o {}", *swizzle, bits(*element), text);
  }
  TESSERA_TRY(value, evaluated(text));
  if (element)
    value.element = element_of(*element, space ? space_named(*space) : MemorySpace::unknown);
  else if (space)
    value.element.space = space_named(*space);
  return value;
}

// Does the object's own layout give the same as the one that the program printed?
Status same_layout(const TracedObject& object, std::string_view fact, const Layout& own) {
  const std::string* printed = object.fact(fact);
  if (!printed || printed->find('?') != std::string::npos) return Done{};
  const Result<Value> value = evaluate(*printed);
  const Layout* layout = value ? std::get_if<Layout>(&value->any) : nullptr;
  if (!layout) return Done{};
  if (layout->size() == own.size() && image(*layout) == image(own)) return Done{};
  return no_value(fmt::format("its {} is {} in the program, and {} here", fact, *printed, to_string(own)));
}

Result<Value> mma_of(const TracedObject& object) {
  TESSERA_TRY(atom, needed(object, "atom"));
  TESSERA_TRY(value, evaluated(atom));
  const auto* mma = std::get_if<MmaAtom>(&value.any);
  const auto* tiled = std::get_if<std::shared_ptr<const TiledMma>>(&value.any);
  if (!mma && tiled) mma = &(*tiled)->atom();
  if (!mma) return no_value(fmt::format("{} is no MMA atom here", atom));
  TESSERA_CHECK(same_layout(object, "a_tv", mma->layout_a));
  TESSERA_CHECK(same_layout(object, "b_tv", mma->layout_b));
  TESSERA_CHECK(same_layout(object, "c_tv", mma->layout_c));
  if (object.kind == "mma_atom") return Value(MmaAtom(*mma));
  TESSERA_TRY(layout, needed(object, "atom_layout"));
  const std::string* permutation = object.fact("permutation");
  TESSERA_TRY(made, evaluated(fmt::format("make_tiled_mma({}, {}{})", to_string(Value(MmaAtom(*mma))), layout,
                                          permutation && !permutation->empty() ? ", " + *permutation : "")));
  if (const auto* whole = std::get_if<std::shared_ptr<const TiledMma>>(&made.any))
    TESSERA_CHECK(same_layout(object, "thr_layout_vmnk", (*whole)->thr_layout_vmnk()));
  return made;
}

Result<Value> copy_of(const TracedObject& object) {
  TESSERA_TRY(atom, needed(object, "atom"));
  TESSERA_TRY(value, evaluated(atom));
  const auto* copy = std::get_if<CopyAtom>(&value.any);
  if (!copy) return no_value(fmt::format("{} is no copy atom here", atom));
  if (object.kind == "copy_atom") return value;
  TESSERA_TRY(layout, needed(object, "layout_tv"));
  TESSERA_TRY(tiler, needed(object, "tiler"));
  return evaluated(fmt::format("make_tiled_copy_impl({}, {}, {})", to_string(value), layout, tiler));
}

}  // namespace

const std::string* TracedObject::fact(std::string_view of) const {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& each) { return each.first == of; });
  return found == facts.end() ? nullptr : &found->second;
}

Result<Trace> read_trace(std::string_view bytes) { return Reader().read(bytes); }

Result<std::vector<TracedObject>> traced_in(const Trace& trace, const std::filesystem::path& path, std::string_view source) {
  const std::string hash = sha256_hex(source);
  const std::vector<std::string_view> lines = lines_of(source);
  const auto names = [&](const TracedObject& object) {
    return object.line <= lines.size() && lines[object.line - 1].find(last_name(object.name)) != std::string_view::npos;
  };
  std::vector<TracedObject> made;
  std::string other;  // the hash of a file of this name that is not this one
  for (std::size_t i = 0; i < trace.files.size(); ++i) {
    const Trace::File& file = trace.files[i];
    const bool named = std::filesystem::path(file.path).filename() == path.filename();
    if (!file.sha256.empty() && file.sha256 != hash) {
      if (named) other = file.sha256;
      continue;
    }
    if (file.sha256.empty() && !named) continue;
    for (const TracedObject& object : trace.objects) {
      if (object.file != i) continue;
      if (file.sha256.empty() && !names(object))
        return changed(path, fmt::format("its line {} does not name {}", object.line, object.name));
      made.push_back(object);
    }
    other.clear();
    if (!file.sha256.empty()) return made;
  }
  if (!other.empty())
    return changed(path, fmt::format("its SHA-256 begins with {}, and the traced file's with {}", hash.substr(0, 12), other.substr(0, 12)));
  if (!made.empty() || trace.files.empty()) return made;
  std::vector<std::string> traced;
  for (const Trace::File& file : trace.files) traced.push_back(std::filesystem::path(file.path).filename().string());
  if (std::find(traced.begin(), traced.end(), path.filename().string()) != traced.end()) return made;
  return Error{ErrorCode::unknown_name,
               fmt::format("the trace is of {}, and not of {}", fmt::join(traced, ", "), path.filename().string()),
               {},
               {"trace this file"}};
}

Result<Value> value_of(const TracedObject& object) {
  const std::string& kind = object.kind;
  if (kind == "layout" || kind == "composed" || kind == "swizzle") {
    TESSERA_TRY(text, needed(object, "layout"));
    return evaluated(text);
  }
  if (kind == "tensor") return tensor_of(object);
  if (kind == "tuple" || kind == "int") {
    TESSERA_TRY(text, needed(object, "value"));
    return evaluated(text);
  }
  if (kind == "tiled_mma" || kind == "thr_mma" || kind == "mma_atom") return mma_of(object);
  if (kind == "tiled_copy" || kind == "thr_copy" || kind == "copy_atom") return copy_of(object);
  return no_value(fmt::format("an object of kind {} has no value here", kind));
}

std::string words_of(const TracedObject& object) {
  std::string words;
  const auto add = [&](std::string_view before, std::string_view name) {
    const std::string* text = object.fact(name);
    if (text && !text->empty()) words += fmt::format("{}{}{}", words.empty() ? "" : " ", before, *text);
  };
  if (const std::string* base = object.fact("base"); base && !base->empty()) words = *base + " o";
  for (const std::string_view name : {"value", "layout", "atom", "text"}) add("", name);
  for (const std::string_view name : {"atom_layout", "permutation", "tiler", "layout_tv"}) add(fmt::format("{}=", name), name);
  if (words.empty()) add("", "shape_mnk");
  add("error: ", "error");
  std::replace(words.begin(), words.end(), '\n', ' ');
  if (words.empty()) words = object.kind;
  return words.size() > kLongestWords ? std::string(utf8_prefix(words, kLongestWords)) + "..." : words;
}

std::string kind_words(const TracedObject& object) {
  std::string words = object.kind;
  if (words != "tensor" && words != "pointer") return words;
  for (const std::string_view name : {"space", "type"}) {
    const std::string* text = object.fact(name);
    if (text && !text->empty() && *text != "none") words += " " + *text;
  }
  return words;
}

}  // namespace tessera
