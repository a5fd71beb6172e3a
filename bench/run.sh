#!/bin/sh
# Builds what is measured, then measures it side by side with its peers.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet --package iotempo --package iotempo-tracer
cargo build --release --locked --quiet --package iotempo-formats --examples
cargo build --release --locked --quiet --package iotempo-model --examples
cargo build --release --locked --quiet --package iotempo-analysis --examples
cargo build --release --locked --quiet --package iotempo-sim --example batch_traces
python=.venv/bin/python
[ -x "$python" ] || python=python3
exec "$python" bench/run.py "$@"
