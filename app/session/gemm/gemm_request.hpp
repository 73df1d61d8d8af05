// SPDX-License-Identifier: BSD-3-Clause
// GemmRequest: which GEMM of which document to run, and where. It travels to a worker as text of the expression language:
//
//   #! gemm tensor_core m=8192 stages=4   the binding, and fields that have another value than in the document
//   let atom = SM80_16x8x16_F32F16F16F32_TN
//   let tensor_core = gemm(m=4096, n=4096, k=4096, mma=make_tiled_mma(atom, (2,2)), ...)
//
// The first line is a comment to the language. Without it the text is one expression, or a document whose last GEMM is meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

struct Document;          // core/lang/document/document.hpp
struct EvaluatedBinding;  // the same

// A field of gemm(...) and the expression that it is given; bindings of the document are in sight.
struct FieldText {
  std::string field, text;
  friend bool operator==(const FieldText& a, const FieldText& b) = default;
};
// "stages=4" taken apart. Refuses what has no such form, and fields that do not exist.
Result<FieldText> parse_field_text(std::string_view text);

struct GemmRequest {
  std::string document;                 // text of a .tess document that stands alone
  std::string binding;                  // name of a GEMM in it; empty: its last GEMM
  std::optional<std::int64_t> m, n, k;  // other extents than the document's
  std::vector<FieldText> set;           // other values of fields; of one that is named twice the later, and extents cut as above
  std::string worker;                   // command; empty: this program's own `tessera worker`
  bool worker_shell = false;            // a shell reads the command, since the person's settings say so
  int device = 0;
  bool timing = true;            // false: compile, launch and check only
  double timeout_seconds = 600;  // a run that takes longer is ended, with its worker
  double kernel_seconds = 30;    // a kernel that takes longer hangs
  double start_seconds = 20;     // a worker that has not greeted by then does not come; one in a cluster's queue takes longer
  Limits limits;                 // of the work on the CPU: evaluation, lowering, emulation
  std::string inject;            // "fault", "hang": for tests of this very machinery
  std::string origin;            // the document's file, for refusals: "tour.tess"; empty: it has none
};

// The GEMM that a person means who names none: `selected` where it is one, else the document's first; empty: there is none.
std::string gemm_in_question(const std::vector<EvaluatedBinding>& bindings, std::string_view selected);

// The names of the document's GEMMs, in its order; a GEMM that has no value is an error.
Result<std::vector<std::string>> gemms_of(const GemmRequest& request);

// The GEMM that a request names, with its fields and extents applied.
Result<GemmSpec> spec_of(const GemmRequest& request);
Result<GemmPlan> plan_of(const GemmRequest& request);
// The same where the request's document was read and evaluated before.
Result<GemmPlan> plan_of(const GemmRequest& request, const Document& document, const std::vector<EvaluatedBinding>& bindings);

// Gives the spec other extents. Its own gA, gB and gC become their first (M,K), (N,K) and (M,N) elements, with the same strides; where
// they have fewer, a compact matrix of rows or columns becomes a larger one, and any other layout is refused.
Status set_extents(GemmSpec& spec, std::optional<std::int64_t> m, std::optional<std::int64_t> n, std::optional<std::int64_t> k);
// The spec at another size, by the same layouts; where one of them has no such part, by those that are chosen when gA, gB and gC are left
// out.
Result<GemmSpec> at_extents(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t k);

std::string to_spec_text(const GemmRequest& request);
Result<GemmRequest> read_spec_text(std::string_view text);

// What a worker does with the text it is sent: evaluate, lower, emit.
Result<KernelSource> source_of_spec_text(const std::string& text);

}  // namespace tessera
