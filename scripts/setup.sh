# Sourced by the other scripts: installs what is missing, configures, builds.
#   install_packages [PART]   the Debian packages of packages.txt; PART: only those of its parts up to this one
#   configure PRESET          configures the preset
#   build PRESET [TARGET...]  configures and builds it; `tools` or `first_tools`: without tests
#   clean_debian [OPTION...]  makes the temporary folder $work, and in $work/root a Debian 12 without recommended
#                             packages, by mmdebstrap; `inside COMMAND...` runs a command in it. At exit both are removed
#   last_checked              the newest commit of the history whose tree passed .ci/run on this machine; none: HEAD~1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# What was compiled in one checkout serves the next.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

missing_packages() {
  local package
  awk -v last="${1:-all}" '/^# == / { if (part == last) exit; part = $3 } !/^#/' scripts/packages.txt | while read -r package; do
    [ -n "$package" ] || continue
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  echo "Installing Debian packages: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
}

configure() {
  local preset=$1
  shift
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake --preset "$preset" "${launcher[@]}" "$@" >"build-$preset.log" 2>&1 || {
    cat "build-$preset.log" >&2
    return 1
  }
  rm -f "build-$preset.log"
}

build() {
  local preset=$1
  shift
  if [[ "$*" =~ ^(first_)?tools$ ]]; then
    configure "$preset" -DAIWC_BUILD_TESTS=OFF -DAIWC_BUILD_EXTRAS=OFF # what they need is not installed
  else
    configure "$preset"
  fi
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

# A line for each tree that passed.
passed_trees=${XDG_CACHE_HOME:-$HOME/.cache}/aiwc/ci-passed
last_checked() {
  local commit tree
  while read -r commit tree; do
    if grep -qsx "$tree" "$passed_trees"; then
      echo "$commit"
      return
    fi
  done < <(git log --format='%H %T' -n 1000)
  git rev-parse --verify --quiet HEAD~1 || git rev-parse HEAD
}

clean_debian() {
  work=$(mktemp -d)
  trap 'as_root rm -rf "$work"' EXIT
  chmod 755 "$work"
  # Where the host's packages come from, and how it reaches that.
  apt-get indextargets --format '$(ORIGIN) $(CODENAME) deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' | sed -n 's/^Debian bookworm[^ ]* //p' >"$work/sources.list"
  local options
  mapfile -t options < <(apt-config dump | grep -E '^Acquire::(http|https|Retries)' |
    sed 's/^/--aptopt=/')
  as_root mmdebstrap --quiet --dpkgopt=force-unsafe-io --variant=minbase --skip=cleanup/apt "${options[@]}" "$@" \
    bookworm "$work/root" "$work/sources.list"
  # What `aiwc run` and the installation need of a running system.
  as_root mount -t proc proc "$work/root/proc"
  trap 'as_root umount "$work/root/proc"; as_root rm -rf "$work"' EXIT
}
inside() {
  as_root chroot "$work/root" "$@"
}
