#!/bin/sh
# tests/check_readmes.sh - files that READMEs name in `backquotes` exist: from the root, beside the README or below it, or as the
# only file of that name; READMEs of folders stay short.
cd "$(dirname "$0")/.." || exit 2
status=0
complain() {
    echo "$1"
    status=1
}
git ls-files --cached --others --exclude-standard >"${TMPDIR:-/tmp}/readmes.$$" || exit 77
trap 'rm -f "${TMPDIR:-/tmp}/readmes.$$"' EXIT
for readme in README.md */README.md; do
    folder=$(dirname "$readme")
    [ "$folder" = . ] || [ "$(wc -l <"$readme")" -le 60 ] || complain "$readme: longer than 60 lines"
    # words that look like a file or a folder of ours; placeholders (<module>, NAME, *) do not
    for word in $(grep -o '`[^` ]*`' "$readme" | tr -d '`' | grep -E '^[a-z0-9_./-]+$' |
        grep -E '^(io|mpi|capture|compare|tests|jobs|cli|fuzz|bench|demo)/|[a-z0-9]\.(c|h|sh|py|md|txt|cmake|slurm|proto)$' | sort -u); do
        case $word in acl.json | */acl.json | /*) continue ;; esac
        [ -e "$word" ] || [ -e "$folder/$word" ] || grep -q "/$word\$" "${TMPDIR:-/tmp}/readmes.$$" ||
            complain "$readme: $word is not there"
    done
done
unknown=$(grep -nE 'dc_[a-z0-9_]+' -o -- README.md */README.md | sort -u -t: -k3 | while IFS=: read -r file line name; do
    grep -rqw --include='*.[ch]' --include='*.txt' --include='*.cmake' "$name" io mpi capture compare tests || echo "$file:$line: $name is not there"
done)
[ -z "$unknown" ] || complain "$unknown"
[ $status -eq 0 ] && echo "what READMEs name is there"
exit $status
