#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Starts the real studio in a virtual display, lets it show frames and end. Exit 77: this machine cannot try it.
#   display_smoke.sh PROGRAM DOCUMENT [DEAD_MANAGER DROP_FILE]
set -u
program=$1
document=$2
dead_manager=${3:-}
drop_file=${4:-}
command -v Xvfb >/dev/null || { echo "skipped: there is no Xvfb here"; exit 77; }
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 3>"$folder/display" 2>/dev/null &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s "$folder/display" ] && break; sleep 0.25; done
[ -s "$folder/display" ] || { echo "skipped: Xvfb does not start here"; exit 77; }
DISPLAY=:$(cat "$folder/display")
export DISPLAY XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_CACHE_HOME="$folder" LIBGL_ALWAYS_SOFTWARE=1
timeout 120 "$program" --frames 12 "$document" >"$folder/out" 2>"$folder/err"
code=$?
cat "$folder/out" "$folder/err"
if [ $code -eq 3 ]; then echo "skipped: no OpenGL 3.3 in the virtual display"; exit 77; fi
[ $code -eq 0 ] || { echo "the studio ended with $code"; exit 1; }
grep -q "12 frames shown" "$folder/out" || { echo "the studio did not say that it showed its frames"; exit 1; }
# A window manager that was killed has left the name of its window on the display.
if [ -n "$dead_manager" ]; then
  "$dead_manager" || { echo "the display cannot be prepared"; exit 1; }
  timeout 120 "$program" --frames 3 "$document" >"$folder/out" 2>"$folder/err"
  code=$?
  [ $code -eq 0 ] || { echo "with the name of a window manager that is gone the studio ended with $code"; cat "$folder/err"; exit 1; }
fi
# A file that is let go over the window is opened.
if [ -n "$drop_file" ]; then
  cp "$document" "$folder/dropped.tess"
  timeout 120 "$program" "$document" >"$folder/out" 2>"$folder/err" &
  studio=$!
  timeout 90 "$drop_file" "$folder/dropped.tess"
  code=$?
  kill $studio 2>/dev/null
  wait $studio 2>/dev/null
  [ $code -eq 0 ] || { echo "a dropped file was not opened"; cat "$folder/err"; exit 1; }
fi
# Without a display it says so, in one sentence, with exit code 3.
env -u DISPLAY -u WAYLAND_DISPLAY timeout 60 "$program" "$document" >"$folder/out" 2>"$folder/err"
code=$?
[ $code -eq 3 ] || { echo "without a display the exit code was $code, not 3"; cat "$folder/err"; exit 1; }
grep -q "use --screenshot" "$folder/err" || { echo "the refusal does not say what to do:"; cat "$folder/err"; exit 1; }
# What needs no screen is refused before one is looked for; a size that no window has, too.
env -u DISPLAY -u WAYLAND_DISPLAY timeout 60 "$program" "$folder/nobody.tess" >"$folder/out" 2>"$folder/err"
code=$?
[ $code -eq 1 ] && grep -q "nobody.tess" "$folder/err" || { echo "a missing file gave exit code $code:"; cat "$folder/err"; exit 1; }
for size in 10x10 20000x100 0x0; do
  timeout 60 "$program" --size $size "$document" >"$folder/out" 2>"$folder/err"
  code=$?
  [ $code -eq 2 ] && grep -q "16384x16384" "$folder/err" || { echo "--size $size gave exit code $code:"; cat "$folder/err"; exit 1; }
done
# A driver that is reset takes the window's pictures with it.
TESSERA_TEST_LOSE_CONTEXT=4 timeout 120 "$program" --frames 8 "$document" >"$folder/out" 2>"$folder/err"
code=$?
[ $code -eq 0 ] && grep -q "8 frames shown" "$folder/out" || { echo "after a lost context the studio ended with $code"; cat "$folder/err"; exit 1; }
timeout 60 "$program" --version --verbose >"$folder/out" 2>"$folder/err"
code=$?
[ $code -eq 0 ] && grep -q "^graphics .*OpenGL" "$folder/out" || { echo "--version --verbose does not say what draws:"; cat "$folder/out"; exit 1; }
