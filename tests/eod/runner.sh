#!/bin/sh
# The runner as its users call it:
#   runner.sh PROGRAMS MODE     PROGRAMS: the folder of eod and the applications
# Modes: list, run (on PoCL), broken (a failing application), characterise (in the simulator, then
# joined with times from PoCL). 77 where there is no PoCL.
. "${0%/*}/../support/program.sh"
programs=$1
mode=$2
cd "$work" || exit 1

# status WANTED COMMAND...: its output is in out and err.
status() {
  wanted=$1
  shift
  run "$@"
  skip 'no OpenCL platform|no such platform' PoCL
  [ "$status" -eq "$wanted" ] || fail "status $status of $*"
}

measure() {
  status "$1" "$programs/eod" run --platform 'Portable Computing' --min-seconds 0 --out results \
    --apps lud,kmeans "$2" "$3" --samples "$4"
}

case $mode in
list)
  status 0 "$programs/eod" list
  for program in "$programs"/eod-*; do
    application=${program##*/eod-}
    grep -q "^$application " out || fail "$application is not listed"
  done
  [ "$(grep -c ' large ' out)" -eq "$(grep -c ' tiny ' out)" ] || fail "sizes are missing"
  status 0 "$programs/eod" list --dwarfs linear --sizes small --json -
  grep -q '"application": "lud"' out || fail "lud is dense linear algebra"
  ! grep -q '"size": "tiny"' out || fail "tiny was not asked for"
  status 2 "$programs/eod" list --apps nonesuch
  status 2 "$programs/eod" list --sizes enormous
  status 2 "$programs/eod" list --apps lud --dwarfs reduce
  status 2 "$programs/eod" run
  status 2 "$programs/eod" run --out /dev/null/results
  status 2 "$programs/eod" run --out results --samples 0
  status 2 "$programs/eod" run --out results --min-seconds -1
  status 2 "$programs/eod" summary nowhere
  status 2 "$programs/eod" compare . .
  status 2 "$programs/eod" frobnicate
  [ "$(wc -l <err)" -eq 1 ] || fail "one line expected"
  ;;
run)
  measure 0 --sizes tiny 3
  [ "$(find results -name '*.json' | wc -l)" -eq 2 ] || fail "two cases expected"
  grep -q 'lud tiny on ' err || fail "no progress"
  cp -r results first

  # Nothing to do, then the one that is missing.
  measure 0 --sizes tiny 3
  diff -r results first >out || fail "what was there was measured again"
  grep -q '2 of 2 cases are already done' err || fail "it does not say so"
  rm results/*/lud-tiny.json
  measure 0 --sizes tiny 3
  diff -r results first >out && fail "the missing case was not measured"
  cmp results/*/kmeans-tiny.json first/*/kmeans-tiny.json || fail "the other one was"

  # What an interruption leaves goes away with the next attempt.
  rm results/*/lud-tiny.json
  : >"$(dirname results/*/lud-tiny.csv)/lud-tiny.json.123.tmp"
  measure 0 --sizes tiny 3
  ! ls results/*/*.tmp >/dev/null 2>&1 || fail "a temporary file is left"

  # Another protocol: refused, or on request measured anew.
  measure 2 --sizes tiny 4
  grep -q 'measured with --samples 3, now 4' err || fail "it does not say why"
  measure 0 --restart --sizes=tiny 4

  # Every row of every case is in rows.csv, below one header.
  cat results/*/*-tiny.csv | grep -vc '^application,' >out
  [ "$(grep -vc '^application,' results/rows.csv)" -eq "$(cat out)" ] || fail "rows are missing"
  [ "$(grep -c '^application,' results/rows.csv)" -eq 1 ] || fail "one header expected"

  status 0 "$programs/eod" summary results --csv -
  [ "$(wc -l <out)" -eq 6 ] || fail "five kernels expected"
  awk -F, 'NR > 1 && ($6 != 4 || $7 <= 0 || $8 <= 0) { bad = 1 } END { exit bad }' out ||
    fail "four samples and their times expected"
  status 0 "$programs/eod" summary results --invocations
  status 0 "$programs/eod" compare results results
  [ "$(grep -c ' 1.000 ' out)" -eq 5 ] || fail "ratios of 1 expected"
  ;;
broken)
  # An application that says what it is and then fails, beside one that works.
  mkdir bin
  cp "$programs/eod" bin/
  ln -s "$programs/eod-lud" bin/eod-lud
  cat >bin/eod-broken <<EOF
#!/bin/sh
case "\$1" in
--list) "$programs/eod-kmeans" "\$@" && sed -i 's/"kmeans"/"broken"/' "\$3" ;;
*) echo "eod-broken: wrong result: it had to come" >&2; exit 1 ;;
esac
EOF
  chmod +x bin/eod-broken
  status 1 bin/eod run --platform 'Portable Computing' --out results --sizes tiny --samples 1 \
    --min-seconds 0
  grep -q 'broken tiny: eod-broken: wrong result: it had to come' err || fail "no reason given"
  grep -q '1 of 2 cases failed' err || fail "no count given"
  [ -f results/*/lud-tiny.json ] || fail "the other application was not run"
  ! ls results/*/broken* >/dev/null 2>&1 || fail "something is left of the one that failed"
  ;;
characterise)
  status 0 "$programs/eod" characterise --out profiles --apps lud
  cp -r profiles first
  status 0 "$programs/eod" characterise --out profiles --apps lud
  diff -r profiles first >out || fail "what was there was made again"
  grep -q '1 of 1 cases are already done' err || fail "it does not say so"
  status 2 "$programs/eod" characterise --out profiles --apps lud --seed 2

  status 0 "$programs/eod" run --platform 'Portable Computing' --out results --apps lud \
    --sizes tiny --samples 1 --min-seconds 0
  # application, size, parameter, seed, kernel, invocation, NDRange, source
  cut -d, -f1-4,6-7,10-11,14 results/rows.csv | sort >times
  cut -d, -f1-9 profiles/index.csv | sort >kernels
  diff times kernels >out || fail "times and profiles do not join"
  [ "$(wc -l <kernels)" -eq 14 ] || fail "13 launches and a header expected"
  cut -d, -f11 profiles/index.csv | tail -n +2 | while read -r profile; do
    [ -f "profiles/$profile" ] || exit 1
  done || fail "the index names a profile that is not there"
  # application, size, wall_s, cpu_s, peak_memory_bytes; the simulator alone takes 50 MB.
  awk -F, 'NR == 2 && $1 == "lud" && $2 == "tiny" && $3 > 0 && $4 > 0 && $5 > 50000000 { good = 1 }
    END { exit !good || NR != 2 }' profiles/usage.csv || fail "what the case took is not told"

  # A case that takes too long has failed, and leaves nothing.
  status 1 "$programs/eod" characterise --out slow --apps gem --sizes large --cpu-limit 1
  grep -q 'gem large: stopped after 1 s of CPU time' err || fail "it does not say why"
  [ ! -e slow/gem-large ] || fail "it left something"
  # So has this one, which takes more memory than the simulated device usually has.
  status 1 "$programs/eod" characterise --out slow --apps dwt2d --sizes large --cpu-limit 1
  grep -q 'dwt2d large: stopped after 1 s of CPU time' err || fail "it does not run"
  ;;
*)
  echo "unknown mode $mode"
  exit 1
  ;;
esac
