#!/bin/sh
# characterise.sh BIN OUT [medium]: the profiles that aiwc-scaling reads, of every application of the
# suite at several sizes, of which the simulator does each in some seconds. With "medium" instead
# tiny, small and medium of the applications that the simulator does at medium in minutes. BIN is the
# folder of eod-* and oclgrind; what OUT has already is kept.
set -eu
bin=$1
out=$2
which=${3:-all}

# run APPLICATION SIZE OPTION...
run() {
  folder=$out/$1-$2
  application=$1
  shift 2
  [ -d "$folder" ] && return
  rm -rf "$out/.partial"
  mkdir -p "$out/.partial"
  if timeout 900 "$bin/oclgrind" --aiwc-accuracy exact --aiwc-invocations 0- --aiwc-quiet --aiwc-output "$out/.partial" \
    "$bin/eod-$application" --no-verify "$@" >/dev/null 2>"$out/.partial/errors"; then
    rm "$out/.partial/errors"
    mv "$out/.partial" "$folder"
  else
    echo "$folder: failed: $(tail -n 1 "$out/.partial/errors")" >&2
  fi
}

case $which in
medium)
  for application in bfs dwt2d fft lud nqueens swat tdm; do
    for size in tiny small medium; do
      run "$application" "$size" --size "$size"
    done
  done
  # One iteration of its many.
  run hmm tiny --states 8 --symbols 1 --iterations 1
  run hmm small --states 900 --symbols 1 --iterations 1
  run hmm medium --states 1012 --symbols 1024 --iterations 1
  exit
  ;;
all) ;;
*)
  echo "$which: expected medium, or nothing" >&2
  exit 2
  ;;
esac

run lud 48 --order 48
run lud 80 --order 80
run lud 112 --order 112
run lud 160 --order 160
run lud 240 --order 240
run csr 736 --order 736
run csr 1200 --order 1200
run csr 2416 --order 2416
run csr 5000 --order 5000
run csr 14336 --order 14336
run fft 1024 --points 1024
run fft 2048 --points 2048
run fft 4096 --points 4096
run fft 16384 --points 16384
run dwt2d 72 --width 72 --height 54
run dwt2d 144 --width 144 --height 108
run dwt2d 200 --width 200 --height 150
run dwt2d 400 --width 400 --height 300
# More vertices alone, then more atoms alone.
run gem 102x951 --atoms 102 --vertices 951
run gem 102x1901 --atoms 102 --vertices 1901
run gem 204x1901 --atoms 204 --vertices 1901
run gem 204x3802 --atoms 204 --vertices 3802
run gem 102x7604 --atoms 102 --vertices 7604
run srad 80x16 --rows 80 --columns 16 --iterations 1
run srad 80x48 --rows 80 --columns 48 --iterations 1
run srad 128x80 --rows 128 --columns 80 --iterations 1
run srad 256x160 --rows 256 --columns 160 --iterations 1
run srad 1024x336 --rows 1024 --columns 336 --iterations 1
run cfd 128 --elements 128 --iterations 1
run cfd 512 --elements 512 --iterations 1
run cfd 1284 --elements 1284 --iterations 1
run cfd 5000 --elements 5000 --iterations 1
run cfd 45056 --elements 45056 --iterations 1
run kmeans 256 --points 256 --iterations 1
run kmeans 768 --points 768 --iterations 1
run kmeans 2048 --points 2048 --iterations 1
run kmeans 8192 --points 8192 --iterations 1
run kmeans 65600 --points 65600 --iterations 1
run crc 2000 --bytes 2000
run crc 16000 --bytes 16000
run crc 64000 --bytes 64000
run crc 524000 --bytes 524000
run bfs 650 --nodes 650
run bfs 2000 --nodes 2000
run bfs 5376 --nodes 5376
run bfs 20000 --nodes 20000
run nw 48 --length 48
run nw 96 --length 96
run nw 176 --length 176
run nw 400 --length 400
run nw 1008 --length 1008
run swat 64x96 --query 64 --reference 96
run swat 128x192 --query 128 --reference 192
run swat 256x384 --query 256 --reference 384
run swat 384x576 --query 384 --reference 576
run nqueens 7 --queens 7
run nqueens 8 --queens 8
run nqueens 9 --queens 9
run nqueens 10 --queens 10
run hmm 8,1 --states 8 --symbols 1 --iterations 1
run hmm 32,4 --states 32 --symbols 4 --iterations 1
run hmm 96,12 --states 96 --symbols 12 --iterations 1
run hmm 192,24 --states 192 --symbols 24 --iterations 1
run tdm 2500 --events 2500 --segment 500
run tdm 5000 --events 5000 --segment 500
run tdm 10000 --events 10000 --segment 500

# Work-groups of another size.
run lud 80l8 --order 80 --local-size 8
run csr 736l16 --order 736 --local-size 16
run fft 2048l16 --points 2048 --local-size 16
run dwt2d 72l4 --width 72 --height 54 --local-size 4
run gem 102x951l16 --atoms 102 --vertices 951 --local-size 16
run srad 80x48l8 --rows 80 --columns 48 --iterations 1 --local-size 8
run cfd 512l16 --elements 512 --iterations 1 --local-size 16
run kmeans 768l16 --points 768 --iterations 1 --local-size 16
run crc 16000l16 --bytes 16000 --local-size 16
run bfs 2000l16 --nodes 2000 --local-size 16
run nw 96l8 --length 96 --local-size 8
run swat 128x192l16 --query 128 --reference 192 --local-size 16
run nqueens 8l16 --queens 8 --local-size 16
run hmm 32,4l16 --states 32 --symbols 4 --iterations 1 --local-size 16
run tdm 2500l16 --events 2500 --segment 500 --local-size 16
