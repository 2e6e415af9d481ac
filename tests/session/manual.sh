# Formats the manual pages and looks for every option in them: manual.sh AIWC FOLDER
set -eu
aiwc=$1
pages=$2
fail() {
  echo "$*" >&2
  exit 1
}

for page in "$pages/man1/aiwc.1" "$pages/man1/aiwc-model.1" "$pages/man7/oclgrind-aiwc.7"; do
  warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || fail "$page: $warnings"
done
text() { # plain, in one line
  LC_ALL=C.UTF-8 MANWIDTH=80 man --nh --nj -l "$1" | tr -s ' \n' ' '
}
command=$(text "$pages/man1/aiwc.1")
launcher=$(text "$pages/man7/oclgrind-aiwc.7")
flags=$("$aiwc" run --help | sed -n 's/^  --\([a-z-]*\).*/\1/p')
[ "$(echo "$flags" | wc -l)" -ge 10 ]
for flag in $flags; do
  case $command in *" --$flag"*) ;; *) fail "aiwc(1) does not have --$flag" ;; esac
  case $launcher in *" --aiwc-$flag "*) ;; *) fail "oclgrind-aiwc(7) does not have --aiwc-$flag" ;; esac
  variable=AIWC_$(echo "$flag" | tr a-z- A-Z_)
  case $launcher in *"$variable"*) ;; *) fail "oclgrind-aiwc(7) does not have $variable" ;; esac
done
# An argument's name is in italics, small, wherever it stands; what is in bold is no hyphen.
for part in ' --aiwc-sample-groups n Characterise n work-groups of each launch' \
  ' --aiwc-invocations which ' ' A-B, A, A- or -B, each of these' '[--output dir] ' '[--quiet] '; do
  case $launcher$command in *"$part"*) ;; *) fail "the manual does not have '$part'" ;; esac
done
