#!/usr/bin/env python3
"""How long `iotempo phases` takes for many logs, and how its memory grows with their number.

    bench/phases.py [LOGS] [--folder DIR] [--threads N]

Writes LOGS (100,000) logs of counters with `cargo run --release -p iotempo-formats --example
many_logs`, then runs `iotempo phases DIR --csv` over a tenth of them and over all, and prints time
and peak memory of both. Build with `cargo build --release -p iotempo` first.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IOTEMPO = ROOT / "target/release/iotempo"
MAKER = ROOT / "target/release/examples/many_logs"
SECONDS_ALLOWED = 60
GROWTH_ALLOWED = 1.25


def measured(logs, threads):
    """Seconds, peak memory in MiB and rows of one run."""
    command = [IOTEMPO, "phases", *logs, "--csv", "-q", "--threads", str(threads)]
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    rows = sum(chunk.count(b"\n") for chunk in iter(lambda: child.stdout.read(1 << 20), b""))
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{command}: ended with status {status}")
    return time.monotonic() - began, used.ru_maxrss / 1024, rows - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("logs", type=int, nargs="?", default=100_000)
    parser.add_argument("--folder", help="where to write the logs, and to leave them")
    parser.add_argument("--threads", type=int, default=2)
    words = parser.parse_args()
    for needed in (IOTEMPO, MAKER):
        if not needed.exists():
            sys.exit(f"{needed} is missing: cargo build --release -p iotempo && "
                     "cargo build --release -p iotempo-formats --example many_logs")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(words.folder or scratch)
        few, many = folder / "few", folder / "many"
        for place, count in ((few, words.logs // 10), (many, words.logs - words.logs // 10)):
            place.mkdir(parents=True, exist_ok=True)
            subprocess.run([MAKER, place, str(count)], check=True)
        ok = True
        peaks = []
        for name, logs, count in (("a tenth", [few], words.logs // 10), ("all", [few, many], words.logs)):
            seconds, peak, rows = measured(logs, words.threads)
            peaks.append(peak)
            print(f"{name}: {count} logs, {rows} phases in {seconds:.1f} s "
                  f"({1e3 * seconds / count:.2f} ms a log), peak {peak:.0f} MiB")
            ok &= rows >= count and (name != "all" or seconds <= SECONDS_ALLOWED)
        ok &= peaks[1] <= GROWTH_ALLOWED * peaks[0]
        print("met" if ok else f"MISSED: {SECONDS_ALLOWED} s, and memory that does not grow")
        sys.exit(not ok)


if __name__ == "__main__":
    main()
