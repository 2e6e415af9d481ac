#!/bin/sh
# Samples a matrix, characterises a kernel on the samples, extrapolates, and uses the result as any
# other run: command.sh AIWC AIWC-SPARSE OCLGRIND IRREGULAR MATRIX
. "${0%/*}/../../../tests/support/program.sh"
aiwc=$1
sparse=$2
oclgrind=$3
irregular=$4
matrix=$5
cd "$work" || exit 1

told() { # told TEXT COMMAND...: refused, with this text
  text=$1
  shift
  refused "$@"
  grep -qF -- "$text" "$work/err" || fail "no '$text'"
}

succeeded "$matrix" power-law --rows 4000 --non-zeros-per-row 8 -o whole.mtx
succeeded "$matrix" uniform --rows 3000 --non-zeros-per-row 8 -o other.mtx
for part in 10 20; do
  succeeded "$sparse" sample whole.mtx --fraction 0.$part -o part$part.mtx
  succeeded "$oclgrind" --aiwc --aiwc-quiet --aiwc-output run$part \
    "$irregular" spmv-csr --input part$part.mtx
done
succeeded "$oclgrind" --aiwc --aiwc-quiet --aiwc-output all "$irregular" spmv-csr --input whole.mtx

succeeded "$sparse" extrapolate run10 run20 --to whole.mtx -o made
grep -q '1 work-item for each of the rows, goes through the non-zeros; reuse of x' "$work/out" ||
  fail "does not say what it found"
count() { sed -n 's/.*"total_instruction_count": \([0-9]*\),.*/\1/p' "$1/aiwc_spmv_csr_0.json" | head -n 1; }
[ "$(count made)" = "$(count all)" ] || fail "$(count made) instructions: expected $(count all)"
succeeded "$aiwc" show made
grep -q 'Extrapolated from stride-average of' "$work/out" || fail "show does not say it"
succeeded "$aiwc" show --all made
grep -q 'EXTRAPOLATED from stride-average of' "$work/out" || fail "show --all does not say it"
succeeded "$aiwc" predict made --devices gtx1080
grep -q 'extrapolated: 1 of 1 launch' "$work/out" || fail "predict does not say it"
succeeded "$aiwc" report made -o made.html
cp made/source_*.cl kernel.cl
succeeded "$aiwc" annotate embed made --into kernel.cl
grep -q 'extrapolated=stride-average' kernel.cl || fail "the annotation does not say it"
succeeded "$aiwc" annotate lookup kernel.cl --kernel spmv_csr --global 4032 --local 64
grep -q 'EXTRAPOLATED' "$work/out" || fail "lookup does not say it"
# One sample, named.
succeeded "$sparse" extrapolate run10 --sample part10.mtx run20 --sample part20.mtx --to whole.mtx -o named
succeeded "$sparse" extrapolate run20 --sample part20.mtx --to whole.mtx -o one
[ "$(count one)" = "$(count all)" ] || fail "one sample: $(count one) instructions"

# How often this is launched depends on the matrix, so nothing is left.
for part in 10 20; do
  succeeded "$oclgrind" --aiwc --aiwc-quiet --aiwc-output levels$part \
    "$irregular" triangular-solve --input part$part.mtx
done
run "$sparse" extrapolate levels10 levels20 --to whole.mtx -o none
[ "$status" -eq 1 ] || fail "status $status: expected 1"
grep -q 'triangular_solve is left out: the runs launched it differently often' "$work/err" ||
  fail "does not say why"
[ ! -e none ] || fail "an empty folder is left"

told 'made: exists: expected the name of a new folder' \
  "$sparse" extrapolate run10 --to whole.mtx -o made
told 'was taken from a matrix with rows = 4000: expected 3000, as other.mtx has' \
  "$sparse" extrapolate run10 --to other.mtx -o new
told 'no argument of its command is a file of aiwc-sparse sample: expected --sample FILE' \
  "$sparse" extrapolate all --to whole.mtx -o new
told '2 of --sample for 1 runs' \
  "$sparse" extrapolate run10 --sample part10.mtx --sample part20.mtx --to whole.mtx -o new
told 'has no run.json: expected the folder of a run' "$sparse" extrapolate . --to whole.mtx -o new
told 'nowhere.mtx: No such file' "$sparse" extrapolate run10 --to nowhere.mtx -o new
[ ! -e new ] || fail "a refused command left a folder"
