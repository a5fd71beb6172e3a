#!/bin/sh
# Runs every test and says at the end, loudly, which ones could not run here and why.
set -eu
cd "$(dirname "$0")/.."
mkdir -p target
log=target/test.log

sh scripts/setup.sh
# What is built for the first time, and maybe the last, need not be prepared for the next change.
[ -d target/debug ] || export CARGO_INCREMENTAL=0

skipped=target/skipped.txt
: > "$skipped"
for tool in fmt clippy; do
    cargo $tool --version >/dev/null 2>&1 || echo "SKIPPED cargo $tool: not installed" >> "$skipped"
done
if cargo fmt --version >/dev/null 2>&1; then
    cargo fmt --all --check
fi
if cargo clippy --version >/dev/null 2>&1; then
    # What is shipped; `make lint` looks at tests, too.
    cargo clippy --workspace --locked --quiet -- -D warnings
fi

status=0
cargo test --workspace --locked --no-fail-fast -- --show-output > "$log" 2>&1 || status=$?
# Without HDF5, the only feature that takes a reader away.
cargo check -p iotempo-formats --no-default-features --locked >> "$log" 2>&1 || status=$?
# What a test printed goes to the log; names of test programs, results and failures come here.
grep -E '^ +(Running|Doc-tests) |^test result: |^test .* FAILED$' "$log" || true
grep -ohE '[0-9]+ logs, .*compared .*' "$log" || true
if [ "$status" -ne 0 ]; then
    echo
    # Compiler errors, and what each failed test printed.
    awk '/^error/ {show = 1} /^failures:$/ {show = 1} /^(successes:|test result: | +Running )/ {show = 0} show' "$log" |
        tail -n 200
    echo "The whole output is in $log."
fi

grep -h '^SKIPPED ' "$log" | sort -u >> "$skipped" || true
echo
if [ -s "$skipped" ]; then
    echo "######## NOT EVERYTHING WAS TESTED ########"
    cat "$skipped"
    echo "###########################################"
else
    echo "Every test ran: none was skipped."
fi
exit "$status"
