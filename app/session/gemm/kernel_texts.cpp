// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/kernel_texts.hpp"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/session/files/settings.hpp"
#include "app/session/gemm/worker_call.hpp"
#include "core/base/error_code_named.hpp"
#include "core/base/json.hpp"
#include "core/base/utf8.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/cache/disassemble.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/arch.hpp"
#include "kernels/runtime/worker/child_process.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestText = std::size_t{6} << 20;  // bytes of PTX or SASS that are shown
constexpr std::size_t kLongestSpec = 120000;                // bytes that a program is given as one word

Json json_of(const Result<std::string>& text) {
  if (text) return Json::object({{"text", std::string(utf8_prefix(*text, kLongestText))}});
  const Error& error = text.error();
  return Json::object({{"refused", Json::object({{"code", to_string(error.code)}, {"message", error.message}, {"notes", error.notes}})}});
}

Result<std::string> text_of(JsonReader& in, const Json& json, std::string_view name) {
  const Json& of = in.object(json, name);
  if (!of.find("refused")) return in.text(of, "text");
  const Json& refused = in.object(of, "refused");
  const ErrorCode code = error_code_named(in.text(refused, "code")).value_or(ErrorCode::bad_message);
  Error error{code, in.text(refused, "message"), {}, {}};
  error.notes = in.texts(refused, "notes");
  return error;
}

// What came instead of an answer.
Error no_answer(ChildProcess& process, ChildProcess::Silence silence, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds kGoodbye(1000);
  const bool closed = silence == ChildProcess::Silence::closed;
  const std::string how = process.end(closed ? kGoodbye : std::chrono::milliseconds(0));
  Error error{ErrorCode::compile_failed, {}, {}, {}};
  switch (silence) {
    case ChildProcess::Silence::stopped: return Error{ErrorCode::timed_out, "the compilation was stopped", {}, {}};
    case ChildProcess::Silence::timed_out:
      error.code = ErrorCode::timed_out;
      error.message = fmt::format("the compiler did not end within {} s, and was ended", std::chrono::duration<double>(limit).count());
      break;
    case ChildProcess::Silence::too_long: error.message = "the compiler's answer is too long to be shown"; break;
    case ChildProcess::Silence::closed: error.message = fmt::format("the compiler's process {}", how); break;
  }
  if (const std::string words = process.last_words(); !words.empty()) error.notes.push_back("its last words: " + words);
  return error;
}

Result<KernelTexts> asked_apart(const GemmSpec& spec, const TextsProgram& program, const std::stop_token& stop) {
  TESSERA_TRY(path, program.path.empty() ? own_program() : Result<std::string>(program.path));
  const std::string text = to_string(spec);
  if (text.size() > kLongestSpec)
    return Error{ErrorCode::limit,
                 fmt::format("the GEMM is a text of {} bytes, and a program is given at most {}", text.size(), kLongestSpec),
                 {},
                 {}};
  TESSERA_TRY(process, ChildProcess::start({path, "gemm", "compile", text, "--texts"}));
  const auto line = process.read_line(program.limit, kAnswerJson.bytes, stop);
  if (const auto* silence = std::get_if<ChildProcess::Silence>(&line)) return no_answer(process, *silence, program.limit);
  return read_kernel_texts(std::get<std::string>(line));
}

}  // namespace

KernelTexts kernel_texts(const GemmSpec& spec) {
  KernelTexts made{to_string(spec)};
  const auto both = [&](const Error& error) {
    made.ptx = made.sass = error;
    return made;
  };
  const Result<GemmPlan> plan = lower(spec);
  if (!plan) return both(plan.error());
  const Result<KernelSource> source = emit_gemm(*plan);
  if (!source) return both(source.error());
  const std::unique_ptr<KernelCompiler> compiler = or_absent(open_nvrtc());  // a kept cubin needs none
  const Result<ArchTarget> arch = least_arch(*source, compiler->toolkit());
  if (!arch) return both(arch.error());
  CacheSettings settings;
  settings.folder = CubinCache::default_folder();
  if (const Result<Settings> kept = load_settings()) settings.cap = kept->cache_bytes;
  CubinCache cache(settings);
  const Result<CachedCubin> found = cache.get(*source, *arch, *compiler);
  if (!found) return both(found.error());
  made.ptxas = remarks_in_words(found->cubin.resources);
  made.sass = disassemble(found->cubin.bytes);
  if (!found->cubin.ptx.empty()) {
    made.ptx = found->cubin.ptx;
    return made;
  }
  made.ptx = Error{ErrorCode::no_compiler, "the PTX was not kept with the machine code", {}, {}};
  const auto folder = CacheFolder::open(settings);
  if (!folder || !*folder) return made;
  EntryTexts texts;
  if (const auto record = (*folder)->check(found->cache.key, true, &texts); record && *record && !texts.ptx.empty()) made.ptx = texts.ptx;
  return made;
}

KernelTexts kernel_texts_apart(const GemmSpec& spec, const TextsProgram& program, const std::stop_token& stop) {
  Result<KernelTexts> made = asked_apart(spec, program, stop);
  if (!made) return {to_string(spec), made.error(), made.error(), {}};
  made->of = to_string(spec);
  return std::move(*made);
}

std::string to_json(const KernelTexts& texts) {
  return Json::object({{"ptx", json_of(texts.ptx)}, {"sass", json_of(texts.sass)}, {"ptxas", texts.ptxas}}).dump();
}

Result<KernelTexts> read_kernel_texts(std::string_view text) {
  TESSERA_TRY(json, parse_json(text, kAnswerJson, ErrorCode::bad_message));
  JsonReader in(ErrorCode::bad_message, "the compiler's answer cannot be read");
  KernelTexts texts;
  texts.ptx = text_of(in, json, "ptx");
  texts.sass = text_of(in, json, "sass");
  texts.ptxas = in.texts_or_none(json, "ptxas");
  return in.done(std::move(texts));
}

}  // namespace tessera
