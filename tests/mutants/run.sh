#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ./dev mutate: are wrong changes to the sources noticed? Each kept mutant (mutant_file.hpp) is compiled beside the sources, which stay as
# they are; the test programs of its area are linked with its object in the place of the right one, and run until a test fails.
#   ./dev mutate                              all of them
#   ./dev mutate NAME ...                     those of an area (lang), or by name (lang/open_bracket); * stands for anything
#   ./dev mutate --sample N [--seed TEXT]     N of them, chosen by the text
#   ./dev mutate --list                       what each breaks
#   ./dev mutate --generate SEED COUNT FILE ...   COUNT new mutants of these sources, kept for a person to judge
# Ends with 1 when a mutant survives, with 3 when one does not apply or does not compile. TESSERA_JOBS: how many at a time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
build=$root/build/release
work=$root/build/mutate
jobs=${TESSERA_JOBS:-$(nproc)}
unset TESSERA_ACCEPT

fail() { printf 'mutate: %s\n' "$*" >&2; exit 3; }

# The test programs that have to notice a mutant of an area, the quick ones first.
programs_of() {
  case $1 in
    base) echo base lang ;;
    layout) echo layout lang ;;
    atom) echo atom lang ;;
    gemm) echo gemm diagram session ;;
    codegen) echo gemm kernels session host ;;
    lang) echo lang ;;
    diagram) echo diagram render session pictures ;;
    render) echo render ;;
    lesson) echo lesson ;;
    figure) echo figure session ;;
    library) echo library ;;
    runtime) echo kernels ;;
    session) echo session cli ;;
    cli) echo cli ;;
    studio) echo studio ;;
    *) fail "no test program is known for the area $1" ;;
  esac
}

# The stem of the tests that a program asks first about a source: its own, or those of the text that all of the emitter's sources make.
stem_of_tests() {
  local area=$1 program=$2 stem=$3
  if [ ! -f "tests/$program/$stem.tests.cpp" ]; then
    case $area/$program in
      codegen/gemm) stem=emit ;;
      codegen/session) stem=gemm_request ;;
    esac
  fi
  echo "$stem"
}

# Programs that a test program starts, from its own folder.
companions_of() {
  case $1 in
    kernels) echo test_worker ;;
    session | cli) echo tessera test_worker ;;
    pictures) echo tessera ;;
  esac
}

# The compile command of a source (or of the object that it makes), as a line of shell.
command_of_source() {
  awk -v want="\"file\": \"$root/$1\"" '/"command":/ { line = $0 } index($0, want) { print line; exit }' "$build/compile_commands.json" |
    sed 's/^ *"command": "//; s/",$//; s/\\\(["\\]\)/\1/g'
}
object_in() { sed 's/.* -o \([^ ]*\) .*/\1/' <<<"$1"; }

# compile COMMAND SOURCE OBJECT OVERLAY: sources and headers below OVERLAY stand for those of the same name. What reads beyond a container
# ends the test, as it does in ./dev sanitize.
compile() {
  local command=$1 source=$2 object=$3 overlay=$4
  command=${command/ -o * -c */}
  (cd "$build" && eval "${command/ -I/ -I$overlay -I} -O0 -w -D_GLIBCXX_ASSERTIONS -o $object -c $source")
}

# Objects that a header is compiled into, as lines of "object source".
dependents_of() {
  ninja -C "$build" -t deps 2>/dev/null |
    awk -v want="    $root/$1" -v relative="    ../../$1" '
      /^[^ ].*: #deps/ { sub(/: #deps.*/, ""); object = $0; next }
      $0 == want || $0 == relative { print object }'
}

# The link commands of an area's test programs and their companions.
links_of() {
  local program each
  for program in $(programs_of "$1"); do
    for each in test_$program $(companions_of "$program"); do ninja -C "$build" -t commands "bin/$each" | tail -1; done
  done
}

# link PROGRAM FOLDER: the program with the objects of FOLDER (named after the right ones, with % for /) in their place.
link_program() {
  local program=$1 folder=$2 line object name library extra=""
  line=$(ninja -C "$build" -t commands "bin/$program" | tail -1)
  line=${line#: && } line=${line% && :}
  for object in "$folder"/objects/*.o; do
    name=$(basename "$object") name=${name//%/\/}
    library=lib$(sed 's|.*CMakeFiles/\([^/]*\)\.dir/.*|\1|' <<<"$name").a
    if [[ " $line " == *" $name "* ]]; then line=${line/ $name / $object }
    elif [[ $line == *"$library"* ]]; then extra+=" $object"
    fi
  done
  (cd "$build" && eval "${line/ -o bin\/$program/$extra -o $folder/bin/$program}")
}

# Writes the mutant's sources and objects below a folder; 2 when it does not compile.
prepare() {
  local folder=$1 file command object library links=""
  shift
  rm -rf "$folder"
  mkdir -p "$folder/bin" "$folder/objects" "$folder/share"
  ln -s "$root/assets" "$folder/share/tessera"
  file=$("$build/bin/mutants" "$@" "$folder/src") || return 3
  echo "$file" >"$folder/file"
  if [[ $file == *.cpp ]]; then
    command=$(command_of_source "$file")
    [ -n "$command" ] || return 2
    object=$(object_in "$command")
    compile "$command" "$folder/src/$file" "$folder/objects/${object//\//%}" "$folder/src" >"$folder/compiler" 2>&1 || return 2
  else
    [ "$1" != apply ] || links=$(links_of "${2%%/*}")
    while read -r object; do
      # Only what the tests of its area are linked from.
      library=lib$(sed 's|.*CMakeFiles/\([^/]*\)\.dir/.*|\1|' <<<"$object").a
      if [ -n "$links" ] && [[ $links != *" $object "* && $links != *"$library"* ]]; then continue; fi
      command=$(awk -v want=" -o $object -c " '/"command":/ && index($0, want) { print; exit }' "$build/compile_commands.json" |
        sed 's/^ *"command": "//; s/",$//; s/\\\(["\\]\)/\1/g')
      [ -n "$command" ] || continue
      compile "$command" "${command##* -c }" "$folder/objects/${object//\//%}" "$folder/src" >>"$folder/compiler" 2>&1 || return 2
    done < <(dependents_of "$file")
  fi
}

# run_tests SECONDS LOG PROGRAM ARGUMENT ...: 0 when all pass.
run_tests() {
  local seconds=$1 log=$2
  shift 2
  (ulimit -v 16000000; exec timeout -k 5 "$seconds" "$@" -a -r xml >"$log" 2>&1 </dev/null)
}

# The last test that was begun.
begun_in() {
  grep -ao '<TestCase name="[^"]*"' "$1" | tail -1 | sed 's/^[^"]*"//; s/"$//; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&apos;/'"'"'/g; s/&amp;/\&/g'
}

# One mutant: prints "name <tab> verdict <tab> program <tab> test".
judge() {
  local name=$1 folder=$work/${1//\//.} status=0
  prepare "$folder" apply "$name" || status=$?
  if [ $status -ne 0 ]; then
    printf '%s\t%s\t\t\n' "$name" "$([ $status = 2 ] && echo 'does not compile' || echo 'does not apply')"
    return 0
  fi
  local file stem programs program area=${name%%/*} killer=$work/killers/$name
  file=$(<"$folder/file")
  stem=$(basename "${file%.*}")
  read -ra programs <<<"$(programs_of "$area")"
  local -a plan=()
  # First what noticed it last time, then the tests of its own source, then all others.
  if [ -f "$killer" ]; then plan+=("$(cut -f1 "$killer")|known"); fi
  for program in "${programs[@]}"; do
    if compgen -G "tests/$program/$(stem_of_tests "$area" "$program" "$stem").tests.cpp" >/dev/null; then plan+=("$program|own"); fi
  done
  for program in "${programs[@]}"; do plan+=("$program|others"); done
  local step kind rc test arguments
  for step in "${plan[@]}"; do
    program=${step%|*} kind=${step#*|}
    [ -x "$build/bin/test_$program" ] || continue
    if [ ! -x "$folder/bin/test_$program" ]; then
      local each
      for each in test_$program $(companions_of "$program"); do
        if ! link_program "$each" "$folder" >>"$folder/compiler" 2>&1; then
          printf '%s\tdoes not compile\t\t\n' "$name"
          return 0
        fi
      done
    fi
    case $kind in
      known) cut -f2 "$killer" | sed 's/[\\,[]/\\&/g' >"$folder/names"; arguments=(-f "$folder/names") ;;
      own) arguments=("-#" "[#$(stem_of_tests "$area" "$program" "$stem").tests]~[.]") ;;
      others) arguments=("-#" "~[#$(stem_of_tests "$area" "$program" "$stem").tests]~[.]") ;;
    esac
    local try again
    for try in 1 2 3; do
      rc=0 again=0
      run_tests 400 "$folder/log" "$folder/bin/test_$program" "${arguments[@]}" || rc=$?
      [ $rc -ne 0 ] || break
      test=$(begun_in "$folder/log")
      # A test that passes the second time, alone, has noticed the machine's load and not the mutant.
      if [ -z "$test" ] || [ $rc -ge 124 ]; then break; fi
      sed 's/[\\,[]/\\&/g' <<<"$test" >"$folder/names"
      run_tests 400 "$folder/log.again" "$folder/bin/test_$program" -f "$folder/names" || again=$?
      [ $again = 0 ] || break
    done
    if [ $rc -ne 0 ]; then
      [ -n "$test" ] || [ "$kind" = others ] || continue  # no test of that name
      if [ -n "$test" ] && [ $rc -lt 124 ] && [ $again = 0 ]; then
        printf '%s\tdoes not tell: this test fails only now and then\t%s\t%s\n' "$name" "$program" "$test"
        return 0
      fi
      mkdir -p "$(dirname "$killer")"
      printf '%s\t%s\n' "$program" "$test" >"$killer"
      printf '%s\tkilled\t%s\t%s\n' "$name" "$program" "$test$({ [ $rc = 124 ] || [ $rc = 137 ]; } && echo ' (time limit)')"
      rm -rf "$folder"
      return 0
    fi
  done
  rm -f "$killer"
  printf '%s\tSURVIVES\t\t\n' "$name"
  rm -rf "$folder/bin" "$folder/objects"
}

# What killed mutants has to pass without them.
confirm() {
  local program test rc=0 names=$work/names
  while IFS=$'\t' read -r program test; do
    sed 's/[\\,[]/\\&/g' <<<"$test" >"$names"
    if ! run_tests 400 "$work/confirm.log" "$build/bin/test_$program" -f "$names"; then
      printf 'mutate: test_%s "%s" fails without a mutant too\n' "$program" "$test" >&2
      rc=1
    fi
  done
  return $rc
}

build_programs() {
  local area program targets=(mutants)
  for area in "$@"; do
    for program in $(programs_of "$area"); do targets+=("test_$program" $(companions_of "$program")); done
  done
  mapfile -t targets < <(printf '%s\n' "${targets[@]}" | sort -u)
  cmake --build "$build" --parallel "$jobs" --target "${targets[@]}" >"$work/build.log" 2>&1 || { tail -20 "$work/build.log" >&2; fail "the tests do not build"; }
}

generate() {
  local seed=$1 count=$2 kept=0 tried=0 folder=$work/candidates candidate base name area target right
  shift 2
  build_programs
  rm -rf "$folder"
  mkdir -p "$folder"
  "$build/bin/mutants" generate "$seed" "$folder" "$@"
  for candidate in "$folder"/*.mutant; do
    [ $kept -lt "$count" ] || break
    base=$(basename "$candidate" .mutant) name=${base#*.*.} area=${base#*.} area=${area%%.*}
    target=tests/mutants/$area/$name.mutant
    tried=$((tried + 1))
    [ ! -e "$target" ] || continue
    prepare "$work/candidate" try "$candidate" || continue
    # A change that the compiler does not see is none.
    right=$work/candidate/right
    mkdir -p "$right/objects"
    local file object
    file=$(<"$work/candidate/file")
    cp "$file" "$work/candidate/src/$file"
    object=$(basename "$work/candidate/objects/"*.o)
    compile "$(command_of_source "$file")" "$work/candidate/src/$file" "$right/objects/$object" "$work/candidate/src" >/dev/null 2>&1 || continue
    if cmp -s "$right/objects/$object" "$work/candidate/objects/$object"; then continue; fi
    mkdir -p "$(dirname "$target")"
    cp "$candidate" "$target"
    printf '%s/%s: %s\n' "$area" "$name" "$(sed -n 's/^breaks: //p' "$target")"
    kept=$((kept + 1))
  done
  printf '== %d mutants kept of %d candidates tried\n' $kept $tried
}

if [ "${1:-}" = --judge ]; then judge "$2"; exit; fi
[ -f "$build/build.ninja" ] || fail "this needs ninja and a build: ./dev build"
mkdir -p "$work"
began=$SECONDS
if [ "${1:-}" = --generate ]; then
  [ $# -ge 4 ] || fail "--generate SEED COUNT FILE ..."
  shift
  generate "$@"
  exit
fi

sample="" seed="" patterns=() only_list=0
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=${2:?}; shift 2 ;;
    --seed) seed=${2:?}; shift 2 ;;
    --list) only_list=1; shift ;;
    -*) fail "there is no option $1" ;;
    *) patterns+=("$1"); shift ;;
  esac
done

build_programs
"$build/bin/mutants" list >"$work/kept" || exit 3
if [ $only_list = 1 ]; then
  awk -F'\t' '{ printf "%-44s %s%s\n", $1, $2, $3 == "" ? "" : "  (equivalent: " $3 ")" }' "$work/kept"
  exit
fi

wanted() {
  local pattern
  [ ${#patterns[@]} -gt 0 ] || return 0
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053
    if [[ $1 == $pattern || ${1%%/*} == "$pattern" || ${1#*/} == $pattern ]]; then return 0; fi
  done
  return 1
}
while IFS=$'\t' read -r name breaks equivalent; do
  if wanted "$name"; then printf '%s\t%s\t%s\n' "$name" "$breaks" "$equivalent"; fi
done <"$work/kept" >"$work/chosen"
[ -s "$work/chosen" ] || fail "no mutant is called ${patterns[*]}"
if [ -n "$sample" ]; then
  awk -F'\t' '$3 == ""' "$work/chosen" | while IFS= read -r line; do
    printf '%s\t%s\n' "$(printf '%s %s' "$seed" "${line%%$'\t'*}" | sha256sum | cut -c1-16)" "$line"
  done | sort >"$work/sorted"
  # From a file: a sort whose reader leaves early is ended by a signal, and this script with it.
  head -n "$sample" "$work/sorted" | cut -f2- >"$work/sampled"
  mv "$work/sampled" "$work/chosen"
fi

mapfile -t areas < <(cut -d/ -f1 "$work/chosen" | sort -u)
build_programs "${areas[@]}"
awk -F'\t' '$3 == "" { print $1 }' "$work/chosen" |
  xargs -r -P "$jobs" -I{} "$root/tests/mutants/run.sh" --judge {} | tee "$work/verdicts" |
  while IFS=$'\t' read -r name verdict program test; do printf '%-44s %s%s\n' "$name" "$verdict" "${program:+ by test_$program: $test}"; done >&2

awk -F'\t' '
  NR == FNR { verdict[$1] = $2 == "killed" ? "killed by test_" $3 ": " $4 : $2; next }
  { printf "%-44s | %s | %s\n", $1, $2, $3 == "" ? verdict[$1] : "equivalent: " $3 }' "$work/verdicts" "$work/chosen" >"$work/table"
printf '\n'
cat "$work/table"
confirmed=0
awk -F'\t' '$2 == "killed" { sub(/ \(time limit\)$/, "", $4); print $3 "\t" $4 }' "$work/verdicts" | sort -u | confirm || confirmed=1
killed=$(grep -c $'\tkilled\t' "$work/verdicts" || true)
survive=$(grep -c $'\tSURVIVES\t' "$work/verdicts" || true)
broken=$(grep -c $'\tdoes not ' "$work/verdicts" || true)
equivalent=$(awk -F'\t' '$3 != ""' "$work/chosen" | wc -l)
printf '== %d mutants: %d killed, %d survive, %d equivalent, %d that do not apply or compile (%d s)\n' \
  "$(wc -l <"$work/chosen")" "$killed" "$survive" "$equivalent" "$broken" $((SECONDS - began))
if [ "$broken" -gt 0 ] || [ $confirmed = 1 ]; then exit 3; fi
[ "$survive" = 0 ] || exit 1
