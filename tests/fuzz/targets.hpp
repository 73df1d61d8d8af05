// SPDX-License-Identifier: BSD-3-Clause
// What takes bytes from outside, one function a door. Each feeds any bytes to its door and says in words which promise was broken;
// nothing is well. The fuzzers call these, and tests/attack calls them with mutated inputs and with the fuzzers' corpora.
#pragma once

#include <string>
#include <string_view>

namespace tessera::fuzz {

std::string broken_expression(std::string_view bytes);
std::string broken_statements(std::string_view bytes);
std::string broken_document(std::string_view bytes);
std::string broken_plan_text(std::string_view bytes);
std::string broken_batch_line(std::string_view bytes);
std::string broken_worker_request(std::string_view bytes);
std::string broken_worker_answer(std::string_view bytes);
std::string broken_cache_entry(std::string_view bytes);
std::string broken_cubin_pack(std::string_view bytes);
std::string broken_figure_file(std::string_view bytes);
std::string broken_lesson(std::string_view bytes);
std::string broken_answer(std::string_view bytes);
std::string broken_rubric(std::string_view bytes);
std::string broken_submission(std::string_view bytes);

}  // namespace tessera::fuzz
