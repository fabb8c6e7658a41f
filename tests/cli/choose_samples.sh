# --check-config gives CANN's verdict on every real configuration file of the samples
list=${DUMPCAP_SAMPLES:-/nowhere}/dump_config/expect.tsv
[ -r "$list" ] || { echo "no sample data"; exit 77; }
bad=0 files=0
while IFS= read -r line; do
    tab=$'\t' rest=$line field=()
    for i in 1 2 3 4 5 6 7 8 9 10; do field+=("${rest%%"$tab"*}") rest=${rest#*"$tab"}; done
    file=${field[0]} check=${field[1]} verdict=${field[2]} code=${field[3]} path=${field[9]}
    [ "$file" = file ] && continue
    files=$((files + 1))
    case ${field[4]} in dump_path*"does not exist"*) # the directory is asked for by a note only: the verdict for an existing one
        path=${path#*if path existed: }
        case $path in accept*) verdict=accept code= ;; refuse*) verdict=refuse code=${path#refuse } code=${code:0:6} ;; esac ;;
    esac
    [ "$check" = ok ] || verdict=refuse
    text=$(dumpcap --check-config "${list%/*}/$file" 2>&1)
    got=$?
    case $verdict:$got:$text in
    accept:0:*) case $text in *"as it stands, EP0004"*) echo "$file: accepted after mending"; bad=1 ;; esac ;;
    refuse:2:*"[$code]"*) ;;
    refuse:[02]:*"as it stands, EP0004"*) [ "$code" = EP0004 ] || { echo "$file: $code expected: $text"; bad=1; } ;;
    refuse:2:*) [ "$check" = ok ] && [ -n "$code" ] && { echo "$file: $code expected: $text"; bad=1; } ;;
    *) echo "$file: $verdict $code expected, $got: $text"; bad=1 ;;
    esac
    dumpcap --print-config -c "${list%/*}/$file" >one.json 2>/dev/null
    if [ $? -lt 2 ]; then # the way back: what is printed is accepted and prints the same again
        dumpcap --print-config -c one.json >two.json 2>/dev/null
        cmp -s one.json two.json || { echo "$file: printing twice gives another text"; bad=1; }
    fi
done <"$list"
echo "$files files"
exit $bad
