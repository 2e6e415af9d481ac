# Sourced by the other scripts: installs what is missing, configures, builds.
#   install_packages          the Debian packages of packages.txt
#   configure PRESET          configures the preset
#   build PRESET [TARGET...]  configures and builds it
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
  sed -e 's/#.*//' scripts/packages.txt | while read -r package; do
    [ -n "$package" ] || continue
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  echo "Installing Debian packages: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
}

configure() {
  local preset=$1
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake --preset "$preset" "${launcher[@]}" >"build-$preset.log" 2>&1 || {
    cat "build-$preset.log" >&2
    return 1
  }
  rm -f "build-$preset.log"
}

build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
