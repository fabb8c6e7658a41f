#!/bin/sh
# tests/check_format.sh - every C file is as clang-format leaves it. Skipped (77) without clang-format.
cd "$(dirname "$0")/.." || exit 2
command -v clang-format >/dev/null || { echo "skipped: no clang-format" && exit 77; }
find io mpi capture compare tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
