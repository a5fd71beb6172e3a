#!/bin/sh
# Makes .venv with the Python packages that some tests compare with. Nothing else needs Python.
#
# Does nothing where .venv is as python/requirements.txt wants it. Where the packages cannot be
# installed, says so, leaves the reason in .venv-missing and succeeds: those tests then report
# themselves as skipped.
set -eu

cd "$(dirname "$0")/.."
wanted=python/requirements.txt
stamp=.venv/requirements.txt
missing=.venv-missing

give_up() {
    rm -rf .venv
    printf '%s\n' "$1" >"$missing"
    printf 'setup.sh: %s\nsetup.sh: tests that need pydarshan will be SKIPPED\n' "$1" >&2
    exit 0
}

if cmp -s "$wanted" "$stamp" && .venv/bin/python -c '' 2>/dev/null; then
    rm -f "$missing"
    exit 0
fi

command -v python3 >/dev/null || give_up "there is no python3"
rm -rf .venv
said=$(python3 -m venv .venv 2>&1) ||
    give_up "python3 -m venv failed: $(printf '%s\n' "$said" | tail -n 1)"
said=$(.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --retries 1 --timeout 15 --requirement "$wanted" 2>&1) ||
    give_up "pip could not install $wanted: $(printf '%s\n' "$said" | tail -n 1)"
said=$(.venv/bin/python -c 'import darshan.backend.cffi_backend' 2>&1) ||
    give_up "darshan cannot be imported: $(printf '%s\n' "$said" | tail -n 1)"
cp "$wanted" "$stamp"
rm -f "$missing"
