# Completes command lines with what is installed for bash: completions.bash AIWC FOLDER
set -eu
aiwc=$1
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

# Every option that aiwc run has, and no other; the same for the launcher.
flags=$("$aiwc" run --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | tr '\n' ' ')
flags=${flags% }
[ "$(echo "$flags" | wc -w)" -ge 10 ]
expect "$flags" aiwc run --
expect "--aiwc $(echo "$flags" | sed 's/--/--aiwc-/g')" oclgrind --aiwc
expect --line-size aiwc run --embed --li
expect --aiwc-line-size oclgrind --aiwc --aiwc-l

# Arguments: of few words, folders, anything; after a blank and after =, which bash splits.
expect compiled oclgrind --aiwc-engine co
expect compiled oclgrind --aiwc-engine = co
expect 'compiled interpreter auto' oclgrind --aiwc-engine =
expect '32' aiwc run --line-size 3
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkdir "$folder/profiles"
: >"$folder/program"
expect "$folder/profiles" aiwc run --output "$folder/p"
expect '' aiwc run --kernels --l

# The commands of aiwc, as its help lists them; their files are left to bash.
commands=$("$aiwc" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' | sort | tr '\n' ' ')
[ "$(completed aiwc '' | tr ' ' '\n' | sort | tr '\n' ' ')" = "$commands" ]
expect run aiwc ru
expect '' aiwc show --li
