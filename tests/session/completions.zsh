# Whether zsh accepts what is installed for it: completions.zsh FOLDER
set -e
fpath=($1 $fpath)
autoload -Uz compinit
compinit -D -u
[[ $_comps[aiwc] == _aiwc && $_comps[oclgrind] == _oclgrind ]]
# The words that _arguments and _describe are given, without a terminal to complete in.
_arguments() { print -rl -- "$@" }
_describe() { [[ $1 == -V ]] && shift; print -rl -- "${(P)2[@]}" }
_files() { print files }
words=(aiwc ru) CURRENT=2
[[ $(source $1/_aiwc) == run:*report:*attach:*help:* ]]
words=(aiwc run --li) CURRENT=3
[[ $(source $1/_aiwc) == *--line-size=\[*\]:WORD:\(32\ 64\ 128\ 256\)* ]]
words=(aiwc show --li) CURRENT=3
[[ $(source $1/_aiwc) == *--lines\[*\]*--sort=\[*\]:COUNT:\(line\ instructions\ *\)* ]]
[[ $(source $1/_aiwc) == *'*:argument:_files'* ]]
words=(aiwc advise --de) CURRENT=3
[[ $(source $1/_aiwc) == *--devices=\[*\]:IDS:_sequence\ compadd\ -\ \$\(aiwc\ devices\ list\ --ids* ]]
words=(aiwc devices sh) CURRENT=3
[[ $(source $1/_aiwc) == *list:*show:*measure:* ]]
words=(aiwc devices measure --se) CURRENT=4
[[ $(source $1/_aiwc) == *--seconds=\[* ]]
words=(aiwc devices list --) CURRENT=4
[[ $(source $1/_aiwc) == *--ids\[* ]]
words=(aiwc --device-dir /tmp show --li) CURRENT=5
[[ $(source $1/_aiwc) == *--lines\[* ]]
words=(oclgrind --) CURRENT=2
[[ $(source $1/_oclgrind) == *--aiwc-output=\[*\]:DIR:_files\ -/* ]]
