// SPDX-License-Identifier: BSD-3-Clause
// A plan as a text that a person reads and writes:
//
//   plan "two roles" {
//     cta threads 256 smem_bytes 8208
//     tensor sK shared a f16 (64,64):(64,1) elements 4096 ring K stage_elements 4096
//     partition tK of sK modes (val) (1,4096):(0,1)
//     ring K stages 1 full full empty empty
//     barrier full mbarrier arrivals 1 bytes 8192 ring K byte_offset 8192
//     barrier empty mbarrier arrivals 128 ring K byte_offset 8200
//     cursor write of K
//     cursor read of K
//     role producer threads 128 {
//       loop t = 0 .. 4 {
//         wait empty[write] "the consumer has released the stage"
//         when first_thread { expect full[write]; opaque "load K" writes tK[write] barrier full units 6 }
//         advance write
//       }
//     }
//     role consumer first_thread 128 threads 128 { ... }
//   }
//
// A statement is a line, or ends with `;`; a line that ends in `,` `=` `->` `*` or `..`, or within parentheses, goes on. The words are
// those of ops.hpp and resources.hpp; what has its usual value is left out; `#` and `//` begin a comment. A name that is no single word
// stands in quotes, and of several resources with one name the third of its list is `box@2`. Lists may stand in any order, and a name may
// come before what it names. A number may stand by its name, `STAGES - 1`; the lines problem, tiles, cta and ring say which it is
// (num.hpp).
#pragma once

#include <string>
#include <string_view>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan {

// Law: parse_plan(to_text(p)) == p, for every plan that `lower` makes.
std::string to_text(const GemmPlan& plan);

// Refuses, with the place in the text, what is no plan: a word or name that is not there, a block without its end, a number outside its
// range, more than kMostOperations. Whether the plan fits together `verify` says, and names the lines of operations.
Result<GemmPlan> parse_plan(std::string_view text);

inline constexpr std::size_t kMostOperations = 20000;  // of a text

}  // namespace tessera::plan
