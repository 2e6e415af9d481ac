#!/usr/bin/env bash
# Every line of C that docs/library.md shows is one of the examples', which are compiled.
set -euo pipefail
cd "$1"
snippets=$(sed -n '/^```c$/,/^```$/{/^```/!p}' docs/library.md)
[ -n "$snippets" ]
while IFS= read -r line; do
  grep -qxF -- "$line" examples/library/choose.c examples/pick_device/pick_device.c || {
    echo "docs/library.md: not a line of an example: $line"
    exit 1
  }
done <<<"$snippets"
