# several roots, templates, rank tables; servers that cannot be told apart are refused
cap() { # mpirun does not keep the order of the two streams
    $RUN dumpcap "$@" >out.txt 2>err.txt
    local code=$?
    sed 's/\[p0\] //; /^[^ ]*\.h5: /d; /writing .* GB/d' err.txt out.txt
    echo "= $code"
}
dumpcap-demo --out . --ranks 2 --steps 1 >/dev/null || exit 2
rm acl.json
mkdir -p srv0 srv1
cp -r dump srv0/out
cp -r dump srv1/out
op="--dry-run --op conv2/Relu"
echo "--- two servers, each with devices 0 and 1: whose is whose?"
cap $op srv0/out srv1/out
echo "--- told by offset, by template, by rank table"
cap $op --rank-of srv1/out/=2 srv0/out srv1/out/
mv srv0 node0 && mv srv1 node1
cap $op 'node{rank}/out'
cat >table.json <<'J'
{"version": "1.0", "server_count": "2", "status": "completed", "server_list": [
  {"server_id": "10.0.0.1", "device": [{"device_id": "0", "rank_id": "5"}, {"device_id": 1, "rank_id": 4}]},
  {"device": [{"device_id": "0", "rank_id": "6"}], "server_id": "10.0.0.2", "host_nic_ip": "reserve"}]}
J
cap $op --rank-table table.json node0/out
cap $op --rank-table table.json --server 10.0.0.1 node0/out
cap $op --rank-table table.json --server-of node0/out=#0 node0/out
cap $op --rank-table table.json --server 10.0.0.2 node0/out
cap $op --rank-table table.json --server 10.0.0.3 node0/out
cap $op --server 10.0.0.1 node0/out
cap $op --rank-of node9=8 node0/out
cap $op 'node{rank}/nothing/{time}'
echo "--- a device and a time in the template"
cap $op --rank 3 --rank-of 'node{device}/out/{time}/0=3' 'node{device}/out/{time}/0'
echo "--- one path, two servers a second apart, dumping at the same time"
mkdir -p shared
cp -r dump/20240613143502 shared/20240613143502
cp -r dump/20240613143502 shared/20240613143503
cap $op shared
cap $op --rank-of shared/20240613143503=2 shared/20240613143502 shared/20240613143503
cap $op --mixed shared
echo "--- one path and the same second: every operator twice in one directory"
rm -r shared/20240613143503
for f in shared/20240613143502/0/*/1/0/[A-Z]*; do
    t=${f##*.}
    cp "$f" "${f%.*}.$((t + 7))"
done
rm shared/20240613143502/0/*/1/0/[0-9m]*
cap $op shared
cap $op --mixed shared
