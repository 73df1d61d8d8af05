#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Our own TikZ in the documents of people: every kind of figure with every choice of labels, and the tour's, compiled by pdfLaTeX and
# LuaLaTeX as a page of its own, in an article of one and of two columns, and pasted into a beamer frame. Exit 77: TeX is not here.
#   compile.sh PROGRAM DOCUMENT
set -u
program=$(realpath "$1")
document=$2
for tool in pdflatex lualatex pdfinfo pdftotext; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done
for file in standalone.cls beamer.cls tikz.sty; do
  kpsewhich $file >/dev/null || { echo "skipped: TeX has no $file here"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
document=$(realpath "$document")
page=$(dirname "$(realpath "$0")")/../../docs/latex.md
cd "$folder" || exit 1
wrong=0
fault() { echo "$*"; wrong=1; }

# ---- the figures: names, and how to draw each ------------------------------------------------------------------------------

atom=SM80_16x8x16_F32F16F16F32_TN
copy='make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8):(8,1), (1,8))'
declare -A arguments
names=()
add() { names+=("$1"); arguments[$1]=$(printf '%q ' "${@:2}"); }
while read -r name _; do add "tour_$name" "$name" --file "$document"; done < <("$program" draw "$document" --list)
# Each kind with each word of its parameters "labels" and "color".
object_of() {
  case $1 in
    layout) echo '((2,4),(4,2)):((1,8),(2,32))' ;;
    tv | tv_inverse) echo "${1}_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))" ;;
    tv_a | tv_b | tv_c | mma) echo $atom ;;
    copy) echo "$copy" ;;
    gemm | timeline | hierarchy) echo article_gemm ;;
    chart) echo 'sweep(waves(4096, 4096, (b,128), 132).efficiency, b=64..256, step=64)' ;;
    swizzle) echo 'Sw<3,3,3> o 0 o (8,64):(64,1)' ;;
    banks) echo 'banks_figure(SM75_U32x4_LDSM_N, (16,64):(64,1))' ;;
    divide) echo 'divide_figure((8,8):(8,1), (2,4), op=logical)' ;;
    product) echo 'product_figure((2,2):(2,1), (2,3):(3,1))' ;;
    composition) echo 'composition_figure((6,2):(8,2), (4,3):(3,1))' ;;
    bit_matrix) echo 'Sw<3,3,3> o 0 o (8,64):(64,1)' ;;
    diagram) echo 'diagram_figure((2,6,6):(1,2,12), (6,6):(6,1))' ;;
    memory) echo 'memory_figure((4,8):(9,1), bits=16)' ;;
    series) echo 'series_figure(table(size=(1024,2048,4096), ours=(412,520.5,610), ours_p10=(401,511,604), ours_p90=(420,530,615), theirs=(455,560,640)), columns="ours; theirs")' ;;
    bar_pairs) echo 'bar_pairs_figure(table(size=(1024,2048), ours=(412,520.5), theirs=(455,560)), columns="ours; theirs")' ;;
    chain) echo 'chain_figure((16,64):(64,1), make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>, (4,8):(8,1), (1,8)), Sw<3,3,3> o 0 o (16,64):(64,1))' ;;
    heat_map) echo 'sweep(access(32, (32,w):(p,1), bits=32), p=32..36, w=(1,2,4,8))' ;;
    roofline) echo 'roofline_figure(roofline((4096,4096,4096)), roofline((16,4096,4096)), names="square; thin")' ;;
    stack) echo 'stack_figure((4,4,3):(4,1,16), bits=16)' ;;
    smem_operand) echo 'smem_operand_figure(SM90_64x64x16_F32F16F16_SS, tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64)))' ;;
    tmem) echo 'tmem_figure(SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64,K,K>, SM100_TMEM_LOAD_16dp256b1x)' ;;
    tma) echo 'tma_figure(make_tma_atom(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (20,160):(160,1)), Sw<3,3,3> o 0 o (8,64):(64,1), (8,64)), box=5)' ;;
    panels) echo 'panels_figure((4,8):(8,1), (4,8):(9,1), swizzle_figure(Sw<3,3,3> o 0 o (8,64):(64,1)), titles="a; b; c")' ;;
    *) echo "" ;;
  esac
}
kind=
while IFS= read -r line; do
  if [[ $line =~ ^([a-z_]+)\ \  ]]; then
    kind=${BASH_REMATCH[1]}
    [[ $kind = palettes || $kind = styles ]] && continue
    object=$(object_of "$kind")
    [ -n "$object" ] || fault "no object for the figure $kind"
    add "$kind" "$object" --file "$document" --figure "$kind"
  elif line=${line/, or a layout/}; [[ $line =~ ^\ +(labels|color)\ +([a-z_]+(, [a-z_]+)*) ]]; then
    parameter=${BASH_REMATCH[1]}
    for word in ${BASH_REMATCH[2]//,/}; do
      [[ $kind = gemm && $parameter = color && $word != bank ]] && continue  # large, and no other marks
      add "${kind}_${parameter}_$word" "$object" --file "$document" --figure "$kind" --set "$parameter=$word"
    done
  fi
done < <("$program" draw --list)
add highlight "$atom" --set thread=0-3
add signs "$(object_of tv)" --title '% & # ~ ^ $ _ { } \ < > | " -- × → … é ü ß Ł α Ω ≤ 漢'
add dark "(4,8):(8,1)" --palette okabe_ito
[ ${#names[@]} -gt 60 ] || fault "only ${#names[@]} figures"

draw() {  # NAME FILE ARGUMENT ...
  eval "\"$program\" draw ${arguments[$1]} --to tex --force --out $2 ${*:3}" >/dev/null 2>said || { cat said; fault "$1 cannot be drawn"; }
}
for name in "${names[@]}"; do
  draw "$name" "$name.column.tex" --width columnwidth --fragment
  draw "$name" "$name.text.tex" --width textwidth --fragment
  draw "$name" "$name.slide.tex" --width slide --fragment
  [[ $name = *_color_* || $name = *_labels_* ]] || draw "$name" "$name.page.tex" --width columnwidth
done

# ---- documents that hold all of them -----------------------------------------------------------------------------------------

# The box of each figure goes to the log with its width, and to a page. Pages are as long as figures may be.
measured() { printf '\\setbox9\\hbox{\\input{%s}}\\typeout{WIDTH %s \\the\\wd9}\\noindent\\box9\\par\\newpage\n' "$1" "$1"; }
article() {  # CLASS-OPTIONS TEXT-WIDTH PAGE
  printf '\\documentclass[%s]{article}\n\\usepackage{tikz}\n' "$1"
  printf '\\setlength\\textwidth{%s}\\setlength\\columnsep{0.33in}\\setlength\\textheight{100in}\\begin{document}\n' "$2"
  for name in "${names[@]}"; do measured "$name.$3.tex"; done
  printf '\\end{document}\n'
}
article letterpaper 6.5in text >one.tex
article letterpaper,twocolumn 6.99in column >two.tex
{
  printf '\\documentclass{beamer}\n\\usepackage{tikz}\n\\setbeamersize{text margin left=0pt,text margin right=0pt}\n\\begin{document}\n'
  for name in "${names[@]}"; do
    printf '\\begin{frame}[plain]\n\\noindent\n'
    cat "$name.slide.tex"
    printf '\\end{frame}\n'
  done
  printf '\\end{document}\n'
} >slides.tex
# Names of cells: an arrow by the hook, one to a cell of a large panel, one from another picture, and figures that know nothing of them.
"$program" draw "$atom" --to tex --fragment --width columnwidth --force --out small.tex >/dev/null || fault "no small figure"
"$program" draw "(128,64):(64,1)" --to tex --fragment --width columnwidth --force --out large.tex >/dev/null || fault "no large figure"
cat >names.tex <<'T'
\documentclass{article}
\usepackage{tikz}
\newcommand\tesseraCell[2]{$#2$}
\newcommand\tesserafont[2]{\usefont{T1}{cmr}{#2}{n}\fontsize{#1}{#1}\selectfont}
\definecolor{tessera0}{RGB}{1,2,3}
\begin{document}
\makeatletter
\newcommand\place[1]{\pgfextractx{\dimen0}{#1}\pgfextracty{\dimen2}{#1}\typeout{PLACE \the\dimen0,\the\dimen2}}
\tikzset{tessera figure/.style={remember picture,execute at end picture={\draw[->] (A-0-3) -- (C-3-5);
  \place{\pgfpointdiff{\pgfpointanchor{C-0-0}{center}}{\pgfpointanchor{C-3-5}{center}}}}}}
\input{small}
\tikz[remember picture,overlay]\draw[->] (B-0-0) -- (C-15-7);
\tikzset{tessera figure/.style={scale=0.5,name prefix=x-,execute at end picture={
  \draw (\tesseraAt{layout}{3}{5}) coordinate (here) -- (x-layout-127-63);
  \place{\pgfpointdiff{\pgfpointanchor{x-layout-0-0}{center}}{\pgfpointanchor{x-here}{center}}}}}}
\input{large}
\tikzset{tessera figure/.style={}}
\input{small}\ifdefined\tesseraRow\errmessage{a macro has left its picture}\fi
\end{document}
T

# ---- compile -------------------------------------------------------------------------------------------------------------------

compile() {  # ENGINE NAME: the log is NAME.ENGINE.log
  timeout 300 "$1" -interaction=nonstopmode -halt-on-error -jobname="$2.$1" "$2.tex" >/dev/null 2>&1 && return
  fault "$1 does not compile $2.tex:"
  grep -a -A4 '^!' "$2.$1.log" | head -6
}
# Missing characters and boxes that are too wide by more than 1 pt.
silent() {
  grep -a 'Missing character' "$1.log" | head -3 | sed "s/^/$1: /" | grep . && wrong=1
  grep -a -A1 'Overfull .hbox' "$1.log" | awk -v name="$1" '/Overfull/ { split($3, a, "("); if (a[2] + 0 > 1) print name ": " $0 }' | grep . && wrong=1
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 1 && b - a < 1) }'; }
widths() {  # LOG POINTS-OF-TEX
  local count=0 name width
  while read -r _ name width; do
    count=$((count + 1))
    near "${width%pt}" "$2" || fault "$1: $name is $width wide, not $2pt"
  done < <(grep -a '^WIDTH' "$1.log")
  [ $count = ${#names[@]} ] || fault "$1: $count widths of ${#names[@]} figures"
}
pages() {
  local count
  count=$(pdfinfo "$1.pdf" | awk '/^Pages/ { print $2 }')
  [ "${count:-0}" -ge "$2" ] || fault "$1 has ${count:-0} pages, and there are $2 figures"
}

for engine in pdflatex lualatex; do
  for name in one two slides names names; do compile $engine $name; done
  for name in one two slides; do silent $name.$engine; done
  widths one.$engine 469.76
  widths two.$engine 240.65
  pages slides.$engine ${#names[@]}
  # Three rows down and five columns to the right, in the pictures' own lengths, which are not scaled.
  mapfile -t places < <(grep -a '^PLACE' names.$engine.log)
  cells=$(sed -n 's/.*\[x=\([0-9.]*\)bp.*/\1/p' small.tex large.tex | tr '\n' ' ')
  awk -v cells="$cells" -v first="${places[0]:-}" -v second="${places[1]:-}" 'BEGIN {
    split(cells, cell, " "); line[1] = first; line[2] = second
    for (i = 1; i <= 2; ++i) {
      edge = cell[i] * 72.27 / 72; gsub(/PLACE |pt/, "", line[i]); split(line[i], at, ",")
      if (line[i] == "" || (at[1] - 5 * edge) ^ 2 + (at[2] + 3 * edge) ^ 2 > 0.01) { print "a name is at " line[i] ", cells of " edge " pt"; exit 1 }
    }
  }' || fault "names.$engine: cells are not where their names are"
done

# Pages of their own, several at a time; other words of one kind change nothing about a page.
for name in "${names[@]}"; do
  [[ $name = *_color_* || $name = *_labels_* ]] && continue
  for engine in pdflatex lualatex; do printf '%s %s.page\n' $engine "$name"; done
done >pages.list
export TEXMFCACHE=${TEXMFCACHE:-$folder/cache}
xargs -P "$(nproc)" -L 1 sh -c 'timeout 300 "$0" -interaction=nonstopmode -halt-on-error -jobname="$1.$0" "$1.tex" >/dev/null 2>&1' <pages.list
while read -r engine name; do
  silent "$name.$engine"
  width=$(pdfinfo "$name.$engine.pdf" 2>/dev/null | awk '/^Page size/ { print $3 }')
  near "${width:-0}" 239.76 || fault "$engine: the page of $name is ${width:-not made} wide, not 239.76 bp"
done <pages.list

# What the signs are on the page, as a reader of the file finds them.
for engine in pdflatex lualatex; do
  text=$(pdftotext -layout signs.page.$engine.pdf - 2>/dev/null | tr -d ' \n')
  for sign in '%&#∼ˆ$' '{}\<>|"--×→...' 'α' '≤?'; do  # the underscore is a line
    case $text in *"$sign"*) ;; *) fault "signs.$engine: no $sign in $(printf %s "$text" | tail -c 120)" ;; esac
  done
  pdffonts signs.page.$engine.pdf 2>/dev/null | awk 'NR > 2 && $(NF - 2) != "yes" { exit 1 }' ||
    fault "signs.$engine: a font has no /ToUnicode map"
done

# All labels of a large MMA, under TeX's stock limits.
"$program" draw "make_tiled_mma($atom, (2,4), (128,128,32))" --set color=thread --labels all --to tex --out mma.tex >/dev/null || fault "no MMA"
grep -q 'left out' mma.tex && fault "labels of the MMA are left out"
for engine in pdflatex lualatex; do compile $engine mma; done

# The recipe for slides as docs/latex.md has it: four slides, each with the whole picture of its step.
recipe() { awk -v mark="$1" '/^```/ { inside = !inside; if (!inside && index(block, mark)) { printf "%s", block; exit } block = ""; next } inside { block = block $0 "\n" }' "$page"; }
eval "$(recipe --all-steps | sed "s|^tessera |'$program' |")" >/dev/null || fault "the recipe's slides cannot be drawn"
{
  printf '\\documentclass{beamer}\n\\usepackage{pgffor}\n\\begin{document}\n'
  recipe foreach
  printf '\\end{document}\n'
} >recipe.tex
for engine in pdflatex lualatex; do
  compile $engine recipe
  pages recipe.$engine 4
  for step in 1 2 3 4; do
    pdftotext -f $step -l $step recipe.$engine.pdf - 2>/dev/null | grep -q "T7" || fault "recipe.$engine: slide $step does not show its last row"
  done
done

[ $wrong = 0 ] && echo "${#names[@]} figures in four kinds of document by two engines"
exit $wrong
