# Completes command lines with what is installed for fish: completions.fish FOLDER AIWC
set -gx PATH (dirname $argv[2]) $PATH
source $argv[1]/aiwc.fish
source $argv[1]/oclgrind.fish

function expect --argument-names line expected
    set -l found (complete -C $line | string replace -r '\t.*' '')
    if test "$found" != "$expected"
        echo "'$line' is completed by '$found': expected '$expected'" >&2
        exit 1
    end
end

expect 'oclgrind --aiwc-li' --aiwc-line-size
expect 'oclgrind --aiwc-engine co' compiled
expect 'oclgrind --aiwc-engine=co' --aiwc-engine=compiled
expect 'aiwc ru' run
expect 'aiwc ' 'run kernel build show advise predict diff report attach tune devices split annotate help'
expect 'aiwc run --li' --line-size
expect 'aiwc run --line-size 3' 32
expect 'aiwc show --line-s' ''
expect 'aiwc show --lin' --lines
expect 'aiwc devices show --lin' ''
expect 'aiwc devices measure --sec' --seconds
expect 'aiwc show --sort idl' idle_lanes
expect 'aiwc devices show gtx1080t' gtx1080ti
expect 'aiwc predict --devices i7-6700k,gtx1080t' i7-6700k,gtx1080ti
expect 'aiwc help adv' advise
expect 'aiwc --device-dir /tmp predi' predict
expect 'aiwc --vers' --version
