// SPDX-License-Identifier: BSD-3-Clause
// A sweep: one GEMM under every combination of some values of its fields.
//
//   parse_axis("stages=2,3")  -> stages: 2, 3          combinations({m: 64, 128}, {stages: 2, 3})
//   parse_axis("cluster=(1,1),(2,1)")                    -> m=64 stages=2, m=64 stages=3, m=128 stages=2, m=128 stages=3
//     -> cluster: (1,1), (2,1)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/gemm_request.hpp"
#include "app/session/gemm/measurement_csv.hpp"

namespace tessera {

struct SweepAxis {
  std::string field;
  std::vector<std::string> values;  // expressions
  friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

constexpr std::size_t kMostCombinations = 10000;

// FIELD=VALUE,VALUE,... where a comma inside brackets parts nothing.
Result<SweepAxis> parse_axis(std::string_view text);

// One value from each axis, the last axis turning fastest; without axes one empty combination. Refuses a field that has two axes, and
// more than kMostCombinations.
Result<std::vector<std::vector<FieldText>>> combinations(const std::vector<SweepAxis>& axes);

// The request with these values: m, n and k as its extents, others as --set has them.
Result<GemmRequest> with_values(GemmRequest request, const std::vector<FieldText>& values);

// What a row of a combination says which was not measured; `base` is the GEMM before its values.
CsvRow refused_row(const GemmSpec& base, const GemmRequest& request, const std::string& reason);
// Whether a file has a row of this combination, measured or refused.
bool has_row(const std::vector<CsvRow>& rows, const GemmSpec& base, const GemmRequest& request);

}  // namespace tessera
