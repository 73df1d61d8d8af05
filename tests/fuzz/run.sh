#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the fuzzers of build/fuzz and prints a table: runs, seconds, peak memory, slowest input. `./dev fuzz` builds them first.
#   tests/fuzz/run.sh SECONDS [DOOR ...]     each door for so long, as many at a time as there are processors
# New inputs, crashes and the slowest inputs lie in build/fuzz/runs. What is worth keeping is added to the corpus by
#   build/fuzz/bin/fuzz_DOOR -merge=1 tests/fuzz/corpus/DOOR build/fuzz/runs/DOOR
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
doors=("$@")
[ ${#doors[@]} -gt 0 ] || doors=(expression statements document batch_line worker_request worker_answer cache_entry figure_file lesson answer)
runs=build/fuzz/runs
mkdir -p $runs

fuzz() {
  local door=$1 corpus=tests/fuzz/corpus/$1
  mkdir -p "$runs/$door" "$corpus"
  TESSERA_FUZZ_SLOWEST=$runs build/fuzz/bin/fuzz_"$door" -max_total_time="$seconds" -rss_limit_mb=1536 -timeout=12 -print_final_stats=1 \
    -dict=tests/fuzz/language.dict -artifact_prefix="$runs/$door-" "$runs/$door" "$corpus" >"$runs/$door.log" 2>&1
}

stat() { sed -n "s/^stat::$2: *//p" "$runs/$1.log" | tail -1; }

for door in "${doors[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
  rm -f "$runs/$door.ok"
  { fuzz "$door" && touch "$runs/$door.ok"; } &
done
wait || true

failed=0
printf '%-16s %10s %8s %8s %10s  %s\n' fuzzer runs seconds "peak MB" slowest ""
for door in "${doors[@]}"; do
  words=clean
  if [ ! -e "$runs/$door.ok" ]; then
    failed=1
    words="FAILED: $(grep -m1 -E '^broken promise|ERROR: |runtime error' "$runs/$door.log" || tail -1 "$runs/$door.log")"
  fi
  printf '%-16s %10s %8s %8s %8s s  %s\n' "$door" "$(stat "$door" number_of_executed_units)" "$seconds" "$(stat "$door" peak_rss_mb)" \
    "$(stat "$door" slowest_input_seconds)" "$words"
done
exit $failed
