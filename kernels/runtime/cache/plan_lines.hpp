// SPDX-License-Identifier: BSD-3-Clause
// In which lines two plans differ: what a person changed, behind a hash that says only that something did.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct PlanLineDifference {
  std::string name, was, is;  // "smem", "147456", "98304"; of the map, where the values are the same; empty: there is no such line
};

// Of KernelSource::plan_text, whose lines are name, value and map between tabs.
std::vector<PlanLineDifference> plan_differences(std::string_view was, std::string_view is);

// "in the plan smem was 147456, is 98304, and 4 more lines differ"; empty where none does.
std::string plan_differences_in_words(const std::vector<PlanLineDifference>& differences);

}  // namespace tessera
