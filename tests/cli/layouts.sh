# every layout of a dump tree: whose tensor it is, and that steps and models outside the usual places are selected too
n=0
look() { # look DIR... : a tree with one file in each
    n=$((n + 1)) k=0
    for dir in "$@"; do
        k=$((k + 1))
        make-dump "$n/$dir" Add "op$k" $k 1 "171828930200000$k" output,float32,ND,2 || exit 3
    done
    echo "--- $*"
    $RUN dumpcap -q -o $n.h5 $n 2>&1 | grep -v ' s, '
    dumpcap ls $n.h5 | sed 's/  float.*//; /^[0-9]/d'
}
t=20240613143502
look $t/0/m_1/1/0 $t/0/m_1/1/9 $t/0/m_1/1/10
look $t/1/m_1/1
look $t/1
look $t/20240613143503/0/m_1/1/0
look pid77/device3/$t/3/m_1/1/0
look extra-info/data-dump/2 $t/2/m_1/1/0
look printf/0 $t/0/m_1/1/0
look $t/0/pid123/m_1/1/4/9
look rank_3/$t/step_7/20240613143503/0/m_1/1/2
look rank_3/$t/step_7
look step5/$t/2
look rank_2/net/1/4
look rank_10/$t/0/m_1/1/0 rank_2/$t/0/m_1/1/0
look proc2016/$t/0/m_1/1/0
look tmp/$t/tmp/0/m_1/1/0 tmp/$t/0/tmp/m_1/1/1
look $t/0/ge_default_20240613143502_1/1/0 $t/1/ge_default_20240613143503_1/1/0
echo "--- steps choose outside models, too"
choose() {
    $RUN dumpcap -q --dry-run "$@" >out 2>err
    sed 's/\[p0\] //' err out
}
choose --step 5 11
choose --step 6 11
choose --step 0 2
