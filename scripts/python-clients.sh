#!/usr/bin/env bash
# Makes .venv with the public Python clients, which test/clients/python.test.ts then drives. Cheap when it is there
# already. Where Python or its venv module is absent it says so and succeeds: nothing else of the project needs Python.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=test/clients/python/requirements.txt
stamp=.venv/requirements.sha256
wanted=$(sha256sum "$requirements" | cut -d ' ' -f 1)

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
  exit 0
fi
python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo 'The tests with the Python clients are skipped: Python 3.10 or later with its venv module is not installed.' >&2
  exit 0
fi

rm -rf .venv
"$python" -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --requirement "$requirements"
echo "$wanted" > "$stamp"
