# --check-config and --print-config: verdicts, what CANN's two readers say, and the way back to acl.json
check() { dumpcap --check-config "$@" 2>&1; echo "= $?"; }
mkdir data
echo '{"dump":{"dump_path":"data","dump_list":[{}]}}' >good.json
check good.json
cat >mended.json <<'J'
{"dump": {
    "dump_path": "nowhere", "dump_level": "op", "dump_lst": [],
    "dump_list": [{"model_name": "m" "layer": ["a",]}, {"model_name": "m", "layer": ["b"]}]
}}
J
check mended.json
check mended.json --strict
echo '{"dump":{"dump_path":"data","dump_mode":"out"}}' >enum.json
check enum.json
echo '{"dump":{"dump_path":"data","dump_list":[{"layer":[]}]}}' >empty.json
check empty.json
echo '{"dump":{"dump_path":"data","dump_list":[{"opname_blacklist":[{"name":"a","pos":["input0"]}]}]}}' >level.json
check level.json
echo '{"dump":{"dump_path":"data","dump_list":[{}],"dump_step":"0|5-3"}}' >step.json
check step.json
echo '{"dump":{"dump_path":"data","dump_list":[]}}' >off.json
check off.json
echo '{"profile":{}}' >none.json
check none.json
echo '{"dump_path":"data","dump_list":[{}],"profile":{}}' >outside.json
check outside.json
check missing.json

echo "--- from options alone"
dumpcap --print-config --op conv1/Conv2D --model m1 --mode all --step '0|2-3' data 2>&1 | tee printed.json
check printed.json
echo "--- printing what was printed changes nothing"
dumpcap --print-config -c printed.json | cmp - printed.json && echo same
echo "--- from a file and options; what acl.json cannot say"
dumpcap --print-config -c good.json --op a --op 'b*' --exclude c --type T --rank 0-3 2>stderr.txt
echo "= $?"
cat stderr.txt
echo "--- from the TensorFlow adapter's options"
dumpcap --print-config --set enable_dump=True --set dump_path=data --set dump_layer='a b' --set quant_dumpable=1 2>&1
echo "= $?"

echo "--- a capture says it too"
mkdir -p tree/20240613143502/0/m/1/0
dumpcap -q -c mended.json --dry-run tree 2>&1
dumpcap -q -c outside.json --dry-run tree 2>&1
dumpcap --print-config -c mended.json 2>&1 | grep mended
