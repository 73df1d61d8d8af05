// SPDX-License-Identifier: BSD-3-Clause
// A plan as an answer: read from its text, and the same as another one when it does the same work and the machine finds nothing wrong with
// either, wherever its waits and arrivals stand.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::lesson {

// `plan { ... }`, `let NAME = plan { ... }`, or only what stands between the braces. Errors count lines in this text.
Result<Value> read_plan(std::string_view text);

// Where two plans part, in words; empty where they are the same. Two that are wrong are the same only where they are the same text.
Result<std::string> plan_difference(const Value& given, const Value& wanted);

// What a plan has beyond the one that was given, a line each: "line 11: wait empty[write], line 20: wait full[read]". The whole text on one
// line where it is not the given one with lines put in.
std::string lines_beyond(std::string_view given, const Value& value);

}  // namespace tessera::lesson
