# `make run` shows what iotempo does; `make test` says whether it does it right.
PREFIX ?= /usr/local
CARGO ?= cargo

.PHONY: run test bench experiments lint install fixtures

run:
	$(CARGO) build --release --locked --package iotempo --package iotempo-tracer
	./target/release/iotempo period testdata/checkpoint.darshan -o target/checkpoint.html
	rm -rf target/trace/demo
	IOTEMPO_JOB=demo ./target/release/iotempo trace -q -o target/trace -- sh scripts/demo.sh
	./target/release/iotempo period target/trace/demo --op write

test:
	sh scripts/test.sh

bench:
	sh scripts/setup.sh peers
	sh bench/run.sh

# How well periods are found, beside FTIO: docs/experiments/period.md.
experiments:
	sh scripts/setup.sh peers
	$(CARGO) run --release --locked --package iotempo-sim --example period_experiments -- \
	    $$(test -e .venv/requirements-peers.txt && echo --peer)

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# A static binary, which runs on any node of the same processor family, whatever its C library, and
# the library that `iotempo trace` preloads, which needs the C library of the programs.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
install:
	RUSTFLAGS='-C target-feature=+crt-static' $(CARGO) build --release --locked \
	    --package iotempo --target $(HOST) --target-dir target/static
	$(CARGO) build --release --locked --package iotempo-tracer --target-dir target
	install -D -m 755 target/static/$(HOST)/release/iotempo $(DESTDIR)$(PREFIX)/bin/iotempo
	install -D -m 644 target/release/libiotempo_tracer.so \
	    $(DESTDIR)$(PREFIX)/lib/libiotempo_tracer.so

# Makes the files under testdata/ anew; they must come out as they are.
fixtures:
	$(CARGO) run --release --locked --package iotempo-formats --example make_fixtures
