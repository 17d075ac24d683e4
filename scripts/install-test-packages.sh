#!/usr/bin/env bash
# System packages that only tests use. Nothing here is needed to run the server. Quick when they are there; where they
# cannot be installed (no root, no apt-get) it says what is missing and succeeds, since those tests then skip themselves.
set -euo pipefail

missing=()
command -v zsh >/dev/null || missing+=(zsh)
command -v fish >/dev/null || missing+=(fish)
command -v openssl >/dev/null || missing+=(openssl)
# Same engine as Chromium and a third less processor time, but not every distribution has it.
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
[ -x /usr/sbin/nginx ] || missing+=(nginx)
[ -x /usr/sbin/haproxy ] || missing+=(haproxy)
[ -x /usr/sbin/slapd ] || missing+=(slapd)
[ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)

[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing for some tests, which will be skipped: ${missing[*]}" >&2
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
# Tests start the proxies themselves, so none may run as a service.
export RUNLEVEL=1
apt-get update --quiet --quiet </dev/null
packages=()
for package in "${missing[@]}"; do
  if [ "$package" = chromium-headless-shell ] && ! apt-cache show "$package" >/dev/null 2>&1; then
    command -v chromium >/dev/null || packages+=(chromium)
  else
    packages+=("$package")
  fi
done
[ ${#packages[@]} -eq 0 ] && exit 0
apt-get install --quiet --quiet --yes --no-install-recommends "${packages[@]}" </dev/null
