// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: the TeX macros that our own style's figures are written in.
//
// They are made inside the picture and end with it, so that figures of one document do not meet; \tesserafont and \tesseraCell are the
// document's where it has them. In the body of a beamer frame no # can stand, so ? is written for it, in a token list that TeX reads
// anew once ? means what # does.
//
// TeX's memory is what large figures run out of, and its free list what makes them slow: material is made only while no condition and no
// box is open, for each of them leaves a gap between what stays, and TeX walks all gaps for the next box. So a row of cells is fills
// written as one piece of PDF a run, then characters and kerns: 15 words a label, 40 a run of one colour.
#pragma once

#include <string_view>

namespace tessera {

std::string_view tikz_macros();

}  // namespace tessera
