#!/bin/sh
# What the tracer adds to a small write to /dev/null, in nanoseconds of processor time: medians over
# blocks of 50,000 writes, the lowest of five runs each, with and without the tracer in turn.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet --package iotempo-tracer
library=$PWD/target/release/libiotempo_tracer.so
work=$(mktemp -d "${TMPDIR:-/tmp}/iotempo-cost.XXXXXX")
trap 'rm -rf "$work"' EXIT
cc -O2 -pthread -o "$work/cost" crates/iotempo-tracer/tests/programs/cost.c

lowest() { sort -n "$1" | head -n 1; }

echo "| threads | plain, ns | loaded but idle, ns | traced, ns | added, ns |"
echo "|---|---|---|---|---|"
for threads in 1 8; do
    rm -f "$work"/*.ns
    for run in 1 2 3 4 5; do
        "$work/cost" $threads 20 >> "$work/plain.ns"
        LD_PRELOAD=$library "$work/cost" $threads 20 >> "$work/idle.ns"
        LD_PRELOAD=$library IOTEMPO_DIR=$work/logs IOTEMPO_JOB=$run "$work/cost" $threads 20 >> "$work/traced.ns"
        rm -rf "$work/logs"
    done
    plain=$(lowest "$work/plain.ns") idle=$(lowest "$work/idle.ns") traced=$(lowest "$work/traced.ns")
    echo "| $threads | $plain | $idle | $traced | $(awk "BEGIN { printf \"%.1f\", $traced - $plain }") |"
done
