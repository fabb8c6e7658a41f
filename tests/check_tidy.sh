#!/bin/sh
# tests/check_tidy.sh - clang-tidy over every C file that was built, two at a time. A file that was clean is checked again only
# when it, a header of ours it includes, .clang-tidy or clang-tidy changed. Skipped (77) without clang-tidy.
#   check_tidy.sh BUILD_DIR [FOLDER...]
cd "$(dirname "$0")/.." || exit 2
command -v clang-tidy >/dev/null || { echo "skipped: no clang-tidy" && exit 77; }
build=$1 clean=$1/tidy
shift
folders=$(echo "${*:-io mpi capture compare tests}" | tr ' ' '|')
mkdir -p "$clean" && find "$clean" -type f -mtime +30 -delete
version=$(clang-tidy --version)

# what ninja knows of each object: "SOURCE HEADER..." of this tree
ninja -C "$build" -t deps | awk -v root="$PWD/" -v folders="^($folders)/" '
    /^[^ ]/ { line = ""; next }
    NF == 0 { if (line ~ folders) print line; line = ""; next }
    index($1, root) == 1 && index($1, root "build") != 1 { line = line (line == "" ? "" : " ") substr($1, length(root) + 1) }
' | sort -u -t ' ' -k 1,1 >"$build/tidy.files"
[ -s "$build/tidy.files" ] || { echo "nothing was built in $build by ninja" && exit 2; }

while read -r files; do
    # shellcheck disable=SC2086
    key=$({ echo "$version $files" && cat .clang-tidy $files; } | sha1sum | cut -d ' ' -f 1)
    [ -e "$clean/$key" ] || echo "$clean/$key ${files%% *}"
done <"$build/tidy.files" >"$build/tidy.queue"
echo "clang-tidy: $(wc -l <"$build/tidy.queue") of $(wc -l <"$build/tidy.files") files to check"

export build
xargs -r -P 2 -n 2 sh -c '
    if clang-tidy -p "$build" --quiet "$1" >"$0.out" 2>&1; then mv "$0.out" "$0"; else cat "$0.out"; rm "$0.out"; exit 1; fi
' <"$build/tidy.queue" >"$build/tidy.out"
code=$?
grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header|^$' "$build/tidy.out"
exit $code
