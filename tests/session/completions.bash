# Completes command lines with what is installed for bash: completions.bash AIWC FOLDER
set -eu
aiwc=$1
PATH=$(dirname "$aiwc"):$PATH
. "$2/aiwc"
. "$2/oclgrind"

completed() { # the words that complete the last argument of the others, as bash would ask
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  "_$1"
  echo "${COMPREPLY[*]}"
}

expect() { # TEXT WORD...
  local expected=$1
  shift
  local found
  found=$(completed "$@")
  [ "$found" = "$expected" ] || {
    echo "'$*' is completed by '$found': expected '$expected'" >&2
    exit 1
  }
}


options() { # COMMAND...: the options in its help, long ones before short ones of the same line
  "$aiwc" help "$@" | sed -n -e 's/^  -\([a-zA-Z]\),--\([a-z-]*\).*/-\1\n--\2/p' \
    -e 's/^  \(--[a-z-]*\).*/\1/p' | sort | tr '\n' ' '
}
sorted() {
  tr ' ' '\n' | sort | tr '\n' ' '
}

# Every option of every command, and no other.
commands=$("$aiwc" --help | sed -n '/^Subcommands:/,/^Examples:/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 12 ]
for command in $commands "devices measure" "devices show" "devices list" "annotate lookup"; do
  # shellcheck disable=SC2086
  expected=$(options $command) found=$(completed aiwc $command - | sorted)
  [ "$found" = "$expected" ] || {
    echo "the options of $command are '$found': expected '$expected'" >&2
    exit 1
  }
done
[ "$(completed aiwc - | sorted)" = "$(options)" ]
[ "$(completed aiwc '' | sorted)" = "$(echo "$commands" | sort | tr '\n' ' ')" ]
[ "$(completed aiwc help '' | sorted)" = "$(echo "$commands" | sort | tr '\n' ' ')" ]

# The options of aiwc run, and of the launcher under their other names.
flags=$("$aiwc" run --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | tr '\n' ' ')
flags=${flags% }
[ "$(echo "$flags" | wc -w)" -ge 10 ]
expect "--aiwc $(echo "$flags" | sed 's/--/--aiwc-/g')" oclgrind --aiwc
expect --line-size aiwc run --quiet --li
expect --aiwc-line-size oclgrind --aiwc --aiwc-li
expect --lines aiwc show --li

# Arguments: of few words, folders, devices, anything; after a blank and after =, which bash splits.
expect compiled oclgrind --aiwc-engine co
expect compiled oclgrind --aiwc-engine = co
expect 'compiled optimised interpreter auto' oclgrind --aiwc-engine =
expect '32' aiwc run --line-size 3
expect 'idle_lanes' aiwc show --lines --sort id
expect 'kernel' aiwc predict profiles --time k
expect 'gpu' aiwc devices list g
expect --devices aiwc --device-dir /tmp predict --devi
expect 'predict' aiwc --device-dir /tmp predi
expect 'gtx1080 gtx1080ti' aiwc devices show gtx1080
expect 'i7-6700k,gtx1080 i7-6700k,gtx1080ti' aiwc predict --devices i7-6700k,gtx1080
expect 'show' aiwc devices sh
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkdir "$folder/profiles"
: >"$folder/program"
expect "$folder/profiles" aiwc run --output "$folder/p"
expect '' aiwc advise --source "$folder/p" # files are left to bash
expect '' aiwc run --kernel --l
expect '' aiwc show "$folder/p"
expect 'published' aiwc predict --model pub
expect '' aiwc predict --model "$folder/p" # a file
expect run aiwc ru
expect 'run kernel build show advise predict diff report attach tune devices split annotate help' aiwc ''
complete -p aiwc | grep -q -e '-o nosort' # or bash would not keep their order
