// SPDX-License-Identifier: BSD-3-Clause
// The TeX of our own style. Each \fi has an \if to be seen: beamer skips what it gathers of a frame.
#include "core/render/tikz/tikz_macros.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

// Registers of the document's, taken once.
constexpr std::string_view kRegisters =
    R"(\ifdefined\tesserawidth\else
  \newdimen\tesserawidth\newdimen\tesseraheight\newdimen\tesserasize % of a cell, and of its type
  \newdimen\tesseraleft\newdimen\tesseragap % from one label to the next
  \newcount\tesserafrom\newcount\tesserarun % the first of a row's cells of one colour, and how many they are
  \newcount\tesserarow\newcount\tesseracolumn
\fi
)";

constexpr std::string_view kDefinitions = R"(
% #1 size, #2 m, b or t: medium, bold or typewriter
\providecommand\tesserafont[2]{\usefont{OT1}{cmss}{m}{n}%
  \font\tesseratype=\if b#2cmssbx10\else\if t#2cmtt10\else cmss10\fi\fi\space at #1\relax\tesseratype\frenchspacing}
% a line of a cell's label: #1 colour, #2 text; \tesseraline is 1 or 2 of two, 0 where there is one
\providecommand\tesseraCell[2]{#2}
% a sign of a symbol font: #1 sy, mi, ss or tt, #2 place
\def\tesserasign#1#2{{\font\tesseratype=\csname tessera#1\tesseraseries\endcsname\space at \tesseratypesize\relax\tesseratype\char#2}}
\def\tesserasym{cmsy10}\def\tesseramim{cmmi10}\def\tesserassm{cmss10}\def\tesserattm{cmtt10}
\def\tesserasyb{cmbsy10}\def\tesseramib{cmmib10}\def\tesserassb{cmssbx10}\let\tesserattb\tesserattm
\let\tesserasyt\tesserasym\let\tesseramit\tesseramim\let\tesserasst\tesserassm\let\tesserattt\tesserattm
% a colour of cells: #1 name, #2 red,green,blue, #3 colour of the label; #1f is the same with a faint label
\def\tesseraColor#1#2#3{\providecolor{tessera#1}{RGB}{#2}\tesseraKeep{\pgfsetfillcolor{tessera#1}}%
  \expandafter\edef\csname tesserafill#1\endcsname{\noexpand\tesseraRect{\tesserakept}}%
  \expandafter\def\csname tesseraink#1\endcsname{#3}}
\def\tesseraFaint#1{\expandafter\let\csname tesserafill#1f\expandafter\endcsname\csname tesserafill#1\endcsname
  \expandafter\def\csname tesseraink#1f\endcsname{tesserafaint}}
\expandafter\def\csname tesseraink-\endcsname{tesseraink}\tesseraFaint{-}
% what #1 draws, in the page's own language
\def\tesseraKeep#1{{\csname pgfsysprotocol@bufferedtrue\endcsname#1\xdef\tesserakept{\csname pgfsysprotocol@currentprotocol\endcsname}}%
  \csname pgfsysprotocol@setcurrentprotocol\endcsname\tesseraempty}
\def\tesseraempty{}
\def\tesseraNone#1{}
\tesseraKeep{\expandafter\let\csname pgf@sys@bp\endcsname\tesseraNone
  \csname pgfsys@rect\endcsname{}{}{}{}\csname pgfsys@fill\endcsname}\let\tesserarect\tesserakept
\def\tesseraRect#1{\csname pgfsys@invoke\endcsname{#1\the\tesserafrom\space-1 \the\tesserarun\space1 \tesserarect}}
% the cells that follow: #1 width, #2 height, #3 size of their type in bp
\def\tesseraCells#1#2#3{\tesserawidth=#1bp \tesseraheight=#2bp \tesserasize=#3bp
  \def\tesserascale{\csname pgfsys@transformcm\endcsname{#1}{0}{0}{#2}{0pt}{0pt}}}
% cells from left to right: #1 and #2 place of the first one's corner, #3 colour/label or colour/first line/second line of each
\def\tesseraRow#1#2#3{\pgfscope\pgftransformshift{\pgfpointxy{#1}{#2}}\pgflowlevelsynccm
  \global\let\tesseraOnes\tesseraNone\global\let\tesseraTwos\tesseraNone
  \pgfscope\tesserascale\tesserafrom=0 \tesserarun=0 \def\tesseralast{-}%
  \let\tesseraItem\tesseraFillItem\tesseraEach#3,\tesseraEnd,\csname tesserafill\tesseralast\endcsname\endpgfscope
  \tesseraOnes{#3}\tesseraTwos{#3}\endpgfscope}
% one cell of any size without a label: #1 colour, #2 #3 place, #4 #5 size
\def\tesseraFill#1#2#3#4#5{\pgfscope\pgfsetfillcolor{tessera#1}%
  \pgfpathrectangle{\pgfpointxy{#2}{#3}}{\pgfpointxy{#4}{#5}}\pgfusepath{fill}\endpgfscope}
% lines between cells, filled: viewers make strokes a pixel wide at least. #1 style, #2 (x,y)(x,y) of each, to the right or down
\def\tesseraSeams#1#2{\scope[#1]\csname tikz@mode\endcsname
  \expandafter\ifx\csname iftikz@mode@draw\expandafter\endcsname\csname iftrue\endcsname
  \pgfsetfillcolor{pgfstrokecolor}\tesseraSeam#2(,)(,)\pgfusepath{fill}\fi\endscope}
\def\tesseraSeam#1(#2,#3)(#4,#5){\ifx\relax#2\relax\else\pgfpathrectanglecorners
  {\pgfpointadd{\pgfpointxy{#2}{#3}}{\pgfqpoint{-.5\pgflinewidth}{.5\pgflinewidth}}}%
  {\pgfpointadd{\pgfpointxy{#4}{#5}}{\pgfqpoint{.5\pgflinewidth}{-.5\pgflinewidth}}}\expandafter\tesseraSeam\fi}
\def\tesseraEach#1#2,{\ifx\tesseraEnd#1\expandafter\tesseraStop\fi\tesseraItem#1#2///\tesseraEnd\tesseraEach}
\def\tesseraStop#1\tesseraEach{}
\def\tesseraFillItem#1/#2/#3/#4\tesseraEnd{\def\tesseracode{#1}%
  \ifx\tesseracode\tesseralast\else\expandafter\tesseraFlush\fi\advance\tesserarun1
  \ifx\relax#3\relax\ifx\relax#2\relax\else\global\let\tesseraOnes\tesseraOneLine\fi\else\global\let\tesseraTwos\tesseraTwoLines\fi}
\def\tesseraFlush{\csname tesserafill\tesseralast\endcsname
  \let\tesseralast\tesseracode\advance\tesserafrom\tesserarun\tesserarun=0 }
\def\tesseraOneLine#1{\let\tesseraItem\tesseraOneItem\tesseraLine0{CAP}{}{m}{#1}}
\def\tesseraTwoLines#1{\let\tesseraItem\tesseraFirstItem\tesseraLine1{FIRST}{}{b}{#1}%
  \let\tesseraItem\tesseraSecondItem\tesseraLine2{SECOND}{SHARE}{m}{#1}}
\def\tesseraLine#1#2#3#4#5{\def\tesseraline{#1}\def\tesseratypesize{#3\tesserasize}\def\tesseraseries{#4}%
  \pgftext[left,base,at={\pgfqpoint{0pt}{\dimexpr-.5\tesseraheight-#2\tesserasize\relax}}]{\tesserafont{#3\tesserasize}{#4}%
    \tesseraleft=0pt \def\tesseralast{}\tesseraEach#5,\tesseraEnd,\kern\tesseraleft}}
\def\tesseraOneItem#1/#2/#3/#4\tesseraEnd{\ifx\relax#3\relax\expandafter\tesseraSet\else\expandafter\tesseraSkip\fi{#1}{#2}}
\def\tesseraFirstItem#1/#2/#3/#4\tesseraEnd{\ifx\relax#3\relax\expandafter\tesseraSkip\else\expandafter\tesseraSet\fi{#1}{#2}}
\def\tesseraSecondItem#1/#2/#3/#4\tesseraEnd{\ifx\relax#3\relax\expandafter\tesseraSkip\else\expandafter\tesseraSet\fi{#1}{#3}}
\def\tesseraSkip#1#2{\advance\tesseraleft\tesserawidth}
\def\tesseraSet#1#2{\expandafter\let\expandafter\tesseracode\csname tesseraink#1\endcsname
  \ifx\tesseracode\tesseralast\else\expandafter\tesseraInk\fi
  \setbox0\hbox{\tesseraCell{#1}{#2}}\tesseragap=.5\tesserawidth\advance\tesseragap-.5\wd0 \setbox0\box\csname voidb@x\endcsname
  \advance\tesseraleft\tesseragap\kern\tesseraleft\tesseraCell{#1}{#2}\tesseraleft=\tesseragap}
\def\tesseraInk{\let\tesseralast\tesseracode\color{\tesseralast}}
% the texts that follow: #1 colour, #2 size, #3 m, b or t; and one of them: #1 left, center or right, #2 #3 place, #4 text
\def\tesseraType#1#2#3{\def\tesseratypesize{#2}\def\tesseraseries{#3}\def\tesserastyle{\color{#1}\tesserafont{#2}{#3}}}
\def\tesseraText#1#2#3#4{\pgftext[#1,base,at={\pgfpointxy{#2}{#3}}]{\tesserastyle#4}}
% names of cells: #1 panel, #2 #3 middle of the first cell, #4 #5 rows and columns; of all of them, or of the corners
\def\tesseraNames#1#2#3#4#5{\tesseraOrigin{#1}{#2}{#3}\pgfscope\pgftransformshift{\pgfpointxy{#2}{#3}}\tesserarow=0
  \loop{\tesseracolumn=0 \loop\tesseraName{#1}\advance\tesseracolumn1 \ifnum\tesseracolumn<#5\repeat}%
  \advance\tesserarow1 \ifnum\tesserarow<#4\repeat\endpgfscope}
\def\tesseraCorners#1#2#3#4#5{\tesseraOrigin{#1}{#2}{#3}\pgfscope\pgftransformshift{\pgfpointxy{#2}{#3}}%
  \tesserarow=0 \tesseracolumn=0 \tesseraName{#1}\tesseracolumn=#5\advance\tesseracolumn-1 \tesseraName{#1}%
  \tesserarow=#4\advance\tesserarow-1 \tesseraName{#1}\tesseracolumn=0 \tesseraName{#1}\endpgfscope}
\def\tesseraName#1{\pgfcoordinate{\csname tikz@pp@name\endcsname{#1-\the\tesserarow-\the\tesseracolumn}}%
  {\pgfpointxy{\tesserazero\tesserastep\the\tesseracolumn}{+\the\tesserarow}}}
\def\tesserazero{}\def\tesserastep{+} % cells that are wider than high: 0 and +1.5*
\def\tesseraOrigin#1#2#3{\expandafter\edef\csname tesseraat#1\endcsname##1##2{#2\tesserastep##2,#3+##1}}
\def\tesseraAt#1{\csname tesseraat#1\endcsname}
)";

std::string decimal(double value) {
  std::string out;
  append_number(out, value, 4);
  return out;
}

void set(std::string& text, std::string_view word, double value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) text.replace(at, word.size(), decimal(value));
}

std::string made() {
  std::string definitions(kDefinitions);
  std::replace(definitions.begin(), definitions.end(), '#', '?');
  // From the middle of a cell down to the baseline of one line, and of the first and the second of two, in sizes of the cell's type.
  set(definitions, "CAP", kCapMiddle);
  set(definitions, "FIRST", kCapMiddle - kLinePitch / 2);
  set(definitions, "SECOND", kCapMiddle * kSecondLine + kLinePitch / 2);
  set(definitions, "SHARE", kSecondLine);
  return std::string(kRegisters) + "\\toks0={%" + definitions +
         "}\\catcode`\\?=6 \\scantokens\\expandafter{\\the\\toks0}\\catcode`\\?=12\n";
}

}  // namespace

std::string_view tikz_macros() {
  static const std::string text = made();
  return text;
}

}  // namespace tessera
