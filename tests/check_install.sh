#!/bin/bash
# tests/check_install.sh - what `cmake --install` puts into a prefix runs from there, wherever one stands and without the build tree.
#   check_install.sh BUILD_DIR
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
complain() {
    echo "$1"
    status=1
}
cmake --install "$1" --prefix "$scratch/opt" >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }
for file in bin/dumpcap bin/dumpcmp env.sh share/doc/dumpcap/README.md share/dumpcap/jobs/dumpcap.slurm share/dumpcap/jobs/dumpcmp.slurm; do
    [ -e "$scratch/opt/$file" ] || complain "$file is not installed"
done
[ -z "$(find "$scratch/opt" -name '*test*' -o -name '*demo*')" ] || complain "tests or the demo are installed"
mkdir "$scratch/away" && cd "$scratch/away" || exit 2
# shellcheck disable=SC1091
. "$scratch/opt/env.sh"
for program in dumpcap dumpcmp; do
    case $(command -v $program) in "$scratch/opt/"*) ;; *) complain "env.sh does not find $program: $(command -v $program)" ;; esac
    $program --version | grep -q "^$program [0-9]" || complain "$program --version: $($program --version 2>&1)"
    $program --help | grep -q "^  $program " || complain "$program --help: $($program --help 2>&1 | head -n 2)"
done
mkdir tree && dumpcap -q tree 2>said
[ $? -eq 2 ] || complain "dumpcap of an empty tree does not end with 2: $(cat said)"
[ $status -eq 0 ] && echo "installed programs run"
exit $status
