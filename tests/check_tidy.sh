#!/bin/sh
# tests/check_tidy.sh - clang-tidy over every C file that was built; two at a time. Skipped (77) without clang-tidy.
#   check_tidy.sh BUILD_DIR
cd "$(dirname "$0")/.." || exit 2
command -v clang-tidy >/dev/null || { echo "skipped: no clang-tidy" && exit 77; }
find io mpi capture compare tests -name '*.c' | while read -r f; do
    grep -q "/$f\"" "$1/compile_commands.json" && echo "$f"
done | xargs -P 2 -n 8 clang-tidy -p "$1" --quiet 2>&1 | grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header|^$' >"$1/tidy.out"
cat "$1/tidy.out"
[ ! -s "$1/tidy.out" ]
