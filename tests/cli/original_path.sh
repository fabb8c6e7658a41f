# --original-path: hashed file names are checked against where the dump was made; what does not fit is said and stored all the same.
. "$(dirname "$0")/lib.bash"
stored() {
    try "$@"
    head -n 1 out
}
mkdir moved && cp -r "$TREE" moved/dump
stored -o unchecked.h5 moved/dump
echo "--- where it was made, with and without a slash; a ROOT further down"
stored --original-path cli-tree/dump -o right.h5 moved/dump
stored --original-path cli-tree/dump/ --force -o right.h5 moved/dump
stored --original-path cli-tree/dump --force -o right.h5 moved/dump/20240613143502/1
echo "--- elsewhere"
stored --original-path /data/dump -o wrong.h5 moved/dump
echo "--- one of the two is another's"
m=$(echo moved/dump/20240613143502/1/ge_*/1/0)
old=$(cut -d, -f1 "$m/mapping.csv")
mv "$m/$old" "$m/4993892634952068459"
sed -i "s/^$old/4993892634952068459/" "$m/mapping.csv"
stored --original-path cli-tree/dump -o one.h5 moved/dump
echo "--- 32 digits, as msprobe has them: random, nothing to check"
mv "$m/4993892634952068459" "$m/12345678901234567890123456789012"
sed -i "s/^4993892634952068459/12345678901234567890123456789012/" "$m/mapping.csv"
stored --original-path cli-tree/dump -o random.h5 moved/dump
dumpcap --help | grep -A 1 original-path
