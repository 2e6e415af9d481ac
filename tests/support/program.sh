# Sourced by tests that run programs as users do (`. "${0%/*}/../support/program.sh"`). They have the
# folder $work, which goes away with them, and
#   run COMMAND...          its output in $work/out and $work/err, its status in $status
#   fail WHAT               the test has failed; prints that output
#   skip PATTERN WHAT       the test is skipped (77) where the command could not run for lack of
#                           WHAT: status 2, and PATTERN on stderr
#   succeeded COMMAND...    run, status 0
#   refused COMMAND...      run, status 2, nothing on stdout, a line on stderr
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1"
  cat "$work/out" "$work/err" 2>/dev/null
  exit 1
}

run() {
  "$@" >"$work/out" 2>"$work/err"
  status=$?
}

skip() {
  if [ $status -eq 2 ] && grep -Eq "$1" "$work/err"; then
    echo "no $2 here"
    exit 77
  fi
}

succeeded() {
  run "$@"
  [ $status -eq 0 ] || fail "status $status of $*"
}

refused() {
  run "$@"
  [ $status -eq 2 ] || fail "status $status of $*"
  [ ! -s "$work/out" ] || fail "output of $*"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line on stderr of $*"
}
