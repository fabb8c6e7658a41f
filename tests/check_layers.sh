#!/bin/sh
# tests/check_layers.sh - who may include whom, and who may call MPI (design of the folders). Prints each breach.
set -u
cd "$(dirname "$0")/.."
status=0
breach() {
    [ -z "$2" ] && return
    echo "$1:"
    echo "$2" | sed 's/^/    /'
    status=1
}
includes() { grep -nE "^#include \"($2)/" "$1"/*.[ch] 2>/dev/null; }

breach "io/ includes only io/" "$(includes io 'mpi|capture|compare|tests')"
breach "mpi/ includes only mpi/ and io/" "$(includes mpi 'capture|compare|tests')"
breach "capture/ never includes compare/" "$(includes capture 'compare|tests')"
breach "compare/ never includes capture/" "$(includes compare 'capture|tests')"
breach "MPI_ is named in mpi/ only" "$(grep -nE '\bMPI_[A-Z]' io/*.[ch] capture/*.[ch] compare/*.[ch] 2>/dev/null)"
breach "includes are written from the root" "$(grep -nE '^#include "[^/"]*"' io/*.[ch] mpi/*.[ch] capture/*.[ch] compare/*.[ch] tests/*.[ch])"
breach "no // comments" "$(grep -nE '(^|[;{} ])//' io/*.[ch] mpi/*.[ch] capture/*.[ch] compare/*.[ch] tests/*.[ch] tests/*/*.[ch] | grep -vE '"[^"]*//|/\*.*//')"
breach "at the top level beside the fixed names" "$(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u |
    grep -vE '^(CMakeLists\.txt|CMakePresets\.json|README\.md|capture|compare|mpi|io|tests|jobs|\..*)$')"
for file in $(find io mpi capture compare tests -name '*.[ch]'); do # not git ls-files: there may be no git
    case $file in *.c) most=400 ;; *) most=150 ;; esac
    n=$(wc -l <"$file")
    [ "$n" -le "$most" ] || breach "longer than $most lines" "$file: $n"
    case $(head -n 1 "$file") in "/* $file - "*) ;; *) breach "first line must be '/* $file - one sentence'" "$file" ;; esac
done
[ $status -eq 0 ] && echo "layers are kept"
exit $status
