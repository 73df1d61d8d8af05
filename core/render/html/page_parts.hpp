// SPDX-License-Identifier: BSD-3-Clause
// What a page of figures is made of, for a page that has more than figures: html.hpp has the whole of one. A page holds each part once, and
// for figure i an element with data-figure="i", into which the script puts it; figures without one stand in <main>.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/render/html/html.hpp"

namespace tessera {

// Fonts and rules, without <style>.
std::string figures_style();
// The line that is read aloud, the explanation of a cell and the list of keys: elements behind the figures.
std::string_view figures_dock();
// The figures as data, in an element of their own.
std::string figures_data(const std::vector<HtmlFigure>& figures);
// The script that draws them, without <script>; it stands behind the elements and the data.
std::string figures_script();
// JSON as it can stand in a <script>, which ends at the first "</script".
std::string json_for_script(std::string json);

}  // namespace tessera
