#!/bin/bash
# Programs that were not written for aiwc, under bare Oclgrind and under both engines: do they end the same way, with
# the same output, and with the same profiles, and how many of their launches run compiled?
#   run.sh LIST BIN OUT [REGEX]
# LIST has one configuration per line: suite|name|folder|command|mask. The folder is relative to AIWC_FOREIGN, and holds
# the program and the files that it reads; it is copied for each run. The mask is a sed script that removes what changes
# from run to run, such as times, from the program's output and files; the line suite|*|||mask, before its programs, is
# for those of a suite that have none. Empty lines and those that begin with # are skipped; REGEX selects from the names
# of the form suite/name. The programs themselves are not part of this project.
# BIN holds the programs oclgrind and aiwc. OUT takes a folder per configuration, with all output and profiles, and the table
# foreign.csv, a row per configuration.
#
#   AIWC_FOREIGN            the folder of the programs
#   AIWC_FOREIGN_LIMIT      wall time of one run in seconds (300)
#   AIWC_FOREIGN_MACHINE    what the table says of the machine (the number and the model of its processors)
#   AIWC_FOREIGN_KEEP       a value keeps the profiles (they are deleted where both engines agree)
set -uo pipefail
export LC_ALL=C

complain() {
  echo "run.sh: $1" >&2
  exit 2
}
if [ $# -lt 3 ] || [ $# -gt 4 ]; then complain "expected LIST BIN OUT [REGEX]"; fi
list=$1 bin=$2 out=$3 selection=${4:-}
root=${AIWC_FOREIGN:?names the folder of the programs}
limit=${AIWC_FOREIGN_LIMIT:-300}
[ -r "$list" ] || complain "$list: not a readable file"
[ -d "$root" ] || complain "$root: not a folder"
bin=$(cd "$bin" && pwd) || exit 2
for program in oclgrind aiwc; do [ -x "$bin/$program" ] || complain "$bin: contains no program $program"; done
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD 2>/dev/null || echo unknown)
machine=${AIWC_FOREIGN_MACHINE:-$(nproc) x $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)}

# Runs the command with these options of oclgrind in a fresh copy of its folder, and keeps under $here/$1: its standard
# output and error, its exit status, the files it left, and the CPU time of all its processes. The copy has the same
# path each time, because programs print paths. One thread: the order of work-groups decides what atomics return.
run() {
  local run=$here/run to=$here/$1
  shift
  rm -rf "$run" "$to" "${here:?}/home"
  mkdir -p "$to" "$here/home"
  cp -r "$root/$folder" "$run" || exit 2
  (
    cd "$run" || exit 2
    export HOME=$here/home TMPDIR=$here/home
    unset XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME
    TIMEFORMAT='%U %S'
    ulimit -c 0
    # Redirected within, so that the shell's own line about a signal is not taken for the program's.
    time eval "</dev/null >'$to/stdout' 2>'$to/stderr'" \
      "timeout -k 5 $limit '$bin/oclgrind' --num-threads 1 $* $command"
    echo $? >"$to/status"
  ) 2>"$to/seconds"
  # The shell that timed the command adds its own lines where a signal ended it.
  tail -n 1 "$to/seconds" | awk '{ printf "%.2f\n", $1 + $2 }' >"$to/cpu"
  mv "$run" "$to/files"
}

# characterise WAY OPTION...: the same under aiwc, with the profiles in $here/WAY-profiles.
characterise() {
  local way=$1
  shift
  rm -rf "${here:?}/$way-profiles"
  mkdir -p "$here/$way-profiles"
  run "$way" --aiwc-accuracy=exact --aiwc-invocations=0- --aiwc-quiet --aiwc-allow-empty --aiwc-output "'$here/$way-profiles'" "$@"
}

# Whether two runs left the same output, files and exit status, once the mask is applied; says what differs.
same() {
  local one=$here/$1 two=$here/$2 path differences=0
  while IFS= read -r -d '' path; do
    if [ ! -f "$one/$path" ] || [ ! -f "$two/$path" ] ||
      { ! cmp -s "$one/$path" "$two/$path" &&
        ! cmp -s <(sed -E "$mask" "$one/$path") <(sed -E "$mask" "$two/$path"); }; then
      echo "$suite/$name: $path differs between $1 and $2"
      differences=$((differences + 1))
    fi
  done < <(cd "$here" && find "$1/." "$2/." -type f ! -name seconds ! -name cpu -printf '%P\0' | sort -zu)
  [ "$differences" -eq 0 ]
}

# The profiles of all launches of a run as one text; nothing where there are none.
shown() { "$bin/aiwc" show --json "$here/$1-profiles" 2>/dev/null; }

# The same without what they say of the engine.
profiles() {
  shown "$1" |
    sed -e '/^ *"engine_reason": /d' -e 's/"engine": "compiled"/"engine": "interpreter"/'
}

in_profiles() { shown aiwc | grep -hE "$1"; }

table=$out/foreign.csv
header=date,commit,machine,command,suite,program,launches,compiled,reasons,status_bare,status_aiwc,status_interpreter
header+=,output_equal,profiles_equal,seconds_bare,seconds_aiwc,seconds_interpreter
echo "$header" >"$table"
configurations=0 launches=0 compiled=0 crashes=0 outputs=0 different=0
declare -A suites masks
while IFS='|' read -r suite name folder command mask <&3; do
  case $suite in '' | '#'*) continue ;; esac
  if [ "$name" = '*' ]; then
    masks[$suite]=$mask
    continue
  fi
  mask=${mask:-${masks[$suite]:-}}
  if [ -n "$selection" ] && ! [[ $suite/$name =~ $selection ]]; then continue; fi
  [ -n "$command" ] || complain "$list: $suite|$name: expected suite|name|folder|command|mask"
  [ -d "$root/$folder" ] || {
    echo "$suite/$name: $root/$folder is not there" >&2
    continue
  }
  here=$out/$suite/$name
  rm -rf "$here"
  mkdir -p "$here"
  run bare
  characterise aiwc
  characterise interpreter --aiwc-engine=interpreter

  output_equal=yes
  if ! same bare aiwc || ! same bare interpreter; then
    output_equal=no
    # A program whose output is another one in each run proves nothing: its mask or its seed is to be mended.
    run again
    same bare again >/dev/null || output_equal=unstable
  fi
  profiles_equal=yes
  if ! cmp -s <(profiles aiwc) <(profiles interpreter); then
    profiles_equal=no
    characterise once-more --aiwc-engine=interpreter
    cmp -s <(profiles interpreter) <(profiles once-more) || profiles_equal=unstable
    echo "$suite/$name: profiles of the two engines differ"
  fi
  n=$(in_profiles '^ *"engine": ' | wc -l)
  c=$(in_profiles '^ *"engine": "compiled"' | wc -l)
  reasons=$(in_profiles '^ *"engine_reason": ' | sed -E 's/^ *"engine_reason": "(.*)",?$/\1/; s/[|;]/,/g; s/\\?"//g' |
    sort | uniq -c | sort -rn | sed -E 's/^ *([0-9]+) /\1 x /' | paste -sd '|' | sed 's/|/; /g')
  read -r bare <"$here/bare/status"
  read -r with <"$here/aiwc/status"
  read -r interpreted <"$here/interpreter/status"
  row="$(date -u +%F),$commit,\"$machine\",benchmarks/foreign/run.sh LIST BIN OUT,$suite,$name,$n,$c,\"$reasons\",$bare,$with"
  row+=",$interpreted,$output_equal,$profiles_equal"
  row+=",$(cat "$here/bare/cpu"),$(cat "$here/aiwc/cpu"),$(cat "$here/interpreter/cpu")"
  echo "$row" >>"$table"
  echo "$suite/$name: $n launches, $c compiled, output $output_equal, profiles $profiles_equal, status" \
    "$bare/$with/$interpreted${reasons:+, $reasons}"

  configurations=$((configurations + 1)) launches=$((launches + n)) compiled=$((compiled + c))
  suites[$suite]=1
  [ "$bare" -eq "$with" ] && [ "$bare" -eq "$interpreted" ] || crashes=$((crashes + 1))
  [ "$output_equal" != no ] || outputs=$((outputs + 1))
  [ $profiles_equal != no ] || different=$((different + 1))
  if [ $profiles_equal = yes ] && [ -z "${AIWC_FOREIGN_KEEP:-}" ]; then rm -rf "${here:?}"/*-profiles; fi
  rm -rf "${here:?}/home"
done 3<"$list"

[ "$configurations" -gt 0 ] || complain "$list: no configuration was run"
echo "$configurations configurations of ${#suites[@]} suites: $launches launches," \
  "$(awk -v c=$compiled -v n=$launches 'BEGIN { printf "%.1f", n ? 100 * c / n : 0 }') % of them compiled;" \
  "$crashes end otherwise than under bare Oclgrind, $outputs with other output, $different with other profiles"
[ $((crashes + outputs + different)) -eq 0 ]
