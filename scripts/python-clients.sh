#!/usr/bin/env bash
# Makes .venv with the public Python clients, which the tests of test/clients then drive. Cheap when it is there
# already. Where Python or its venv module is absent it says so and succeeds: nothing else of the project needs Python.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=test/clients/python/requirements.txt
model_clients=test/clients/python/model-clients.txt
pandas=test/clients/python/pandas-3.txt
stamp=.venv/requirements.sha256
wanted=$(cat "$requirements" "$model_clients" "$pandas" scripts/python-clients.sh scripts/python-3.14.sh | sha256sum | cut -d ' ' -f 1)

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
  exit 0
fi
python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo 'The tests with the Python clients are skipped: Python 3.11 or later with its venv module is not installed.' >&2
  exit 0
fi

# An existing one is kept, because its packages have fixed versions and most of them stay.
.venv/bin/python -c '' 2>/dev/null || { rm -rf .venv && "$python" -m venv .venv; }
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement "$requirements"
# Compiles on all cores, and leaves out what no client imports: the tests of pandas and pyarrow are half of the code.
.venv/bin/python -m compileall -q -j 0 -x '/tests?/' .venv/lib >/dev/null || true
# A folder of their own keeps them out of the search path of all tests but one. They have 4,000 modules, of which the import
# compiles those that are used.
rm -rf .venv/model-clients
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --target .venv/model-clients --requirement "$model_clients"
env -u PYTHONDONTWRITEBYTECODE PYTHONPATH=.venv/model-clients LITELLM_LOCAL_MODEL_COST_MAP=True \
  .venv/bin/python -c 'import litellm, langchain_anthropic, langchain_openai'
rm -rf .venv/pandas-3
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --target .venv/pandas-3 --requirement "$pandas"
# What our own package needs, so that tests install its wheel into empty environments without the network. The last two are
# for Python before 3.11 and 3.13.
.venv/bin/python -m pip download --quiet --disable-pip-version-check --dest .venv/wheels httpx==0.28.1 pydantic==2.14.3 python-jsonpath==2.2.2 jsonschema==4.26.0 rpds-py==0.30.0 exceptiongroup typing_extensions
# The other Pythons that our packages are tested with, those of this machine, also of pyenv, and 3.14: each in a folder of its version,
# with what our evaluation library needs there, beside the wheels above.
rm -rf .venv/pythons
# A next release may change in a way that its Python does not survive, which must not end all tests.
debian=$(bash scripts/python-3.14.sh) || debian=
own=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for other in python3.10 python3.11 python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[0-4].*/bin/python "$debian"; do
  version=$("$other" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  if [ "$version" = "$own" ] || [ -e ".venv/pythons/$version/python" ]; then continue; fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary :all: \
    --python-version "$version" --target ".venv/pythons/$version" pydantic_core==2.50.4 rpds-py==0.30.0
  ln -s "$(command -v "$other")" ".venv/pythons/$version/python"
done
echo "$wanted" > "$stamp"
