#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The handouts of the lessons that come with the program, compiled by pdfLaTeX and LuaLaTeX: in a folder and in one file, without a word
# about a missing character or a line that is too wide. Exit 77: TeX is not here, or the program has no md4c.
#   handout.sh PROGRAM
set -u
program=$(realpath "$1")
for tool in pdflatex lualatex pdftotext; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done
kpsewhich tikz.sty >/dev/null || { echo "skipped: TeX has no tikz.sty here"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export TEXMFCACHE=${TEXMFCACHE:-$folder/cache}
wrong=0 compiled=0
fault() { echo "$*"; wrong=1; }

compile() {  # ENGINE FILE
  if ! timeout 300 "$1" -interaction=nonstopmode -halt-on-error -jobname="$1" "$2" >/dev/null 2>&1; then
    fault "$1 does not compile $PWD/$2:"
    grep -a -A4 '^!' "$1.log" | head -6
    return
  fi
  compiled=$((compiled + 1))
  grep -a 'Missing character' "$1.log" | head -3 | grep . && wrong=1
  grep -a 'Overfull .hbox' "$1.log" | awk '{ split($3, a, "("); if (a[2] + 0 > 1) print }' | grep . && wrong=1
}

mapfile -t lessons < <("$program" lesson list | awk 'NR > 1 { print $1 }')
[ ${#lessons[@]} -ge 9 ] || fault "only ${#lessons[@]} lessons"
for lesson in "${lessons[@]}"; do
  if ! said=$("$program" lesson export "$lesson" --to handout --seed 3 --out "$folder/$lesson" 2>&1); then
    case $said in *"has no md4c"*) echo "skipped: this build has no md4c"; exit 77 ;; esac
    fault "$lesson cannot be written: $said"
    continue
  fi
  cd "$folder/$lesson" || exit 1
  for engine in pdflatex lualatex; do compile $engine handout.tex; done
  pdftotext -layout pdflatex.pdf - | grep -q "Answers, for seed 3" || fault "$lesson: no key"
  cd "$folder" || exit 1
done
# One file, and every sign in a lesson's words.
cat >signs.lesson.md <<'L'
---
number: 1
title: 100% of $ & # _ ^ ~ \ { } < > | "
goal: Ł é ü α ≤ ² ₁ → ×
minutes: 1
---
# % \end{document} `\input{x}` ~~gone~~
**a_b** *c^d* [link](http://a/%20_b) `{{"#$%&~_^\\{}<>|"}}`

| % | & |
|---|---|
| # | _ |

~~~ask one
kind: choice
options: 50% | $x$ | \relax
prompt: Which of a & b?
answer: 1
wrong: 2 -> Not \this{}.
~~~
L
"$program" lesson export signs.lesson.md --to handout --out signs.tex >/dev/null || fault "the signs cannot be written"
for engine in pdflatex lualatex; do compile $engine signs.tex; done
text=$(pdftotext -layout pdflatex.pdf - | tr -d ' \n')
for sign in '100%of$&#' '\end{document}' '\input{x}' '\relax' 'Not\this{}'; do
  case $text in *"$sign"*) ;; *) fault "no $sign in the signs' page" ;; esac
done
[ $wrong = 0 ] && echo "$compiled documents of ${#lessons[@]} lessons by two engines"
exit $wrong
