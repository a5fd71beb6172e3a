"""Measure iotempo beside its peers in one run; print ratios and write docs/benchmarks.md.

Usage: bench/run.py [--quick]
Real logs are looked for under IOTEMPO_DATA (default ../shared/data).
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import against_ftio
import association
import live
import tracer
import warping
from measure import (
    DATA,
    IOTEMPO,
    KEEP_MEMORY,
    LARGE,
    QUICK,
    RELEASE,
    ROOT,
    ROUNDS,
    best_cpu,
    run,
    table,
)



def large_logs():
    logs = (DATA / "darshan").rglob("*.darshan")
    skip = {"corrupt", "damaged", "synthetic"}
    return sorted(
        str(p) for p in logs if p.stat().st_size >= 100_000 and p.parent.name not in skip
    )


def decode(rows):
    logs = large_logs()
    if not logs:
        rows.append(("decode", "no real logs under " + str(DATA), "", "", ""))
        return
    single = decode_rows(rows, logs, "full decode of {} logs of 100 kB and more", "≤ 1.5 ×")
    decode_rows(rows, logs, "the same, memory kept from log to log", "", **KEEP_MEMORY)
    peer = time_pydarshan(logs)
    ours = {fields[4]: float(fields[1]) for fields in single}
    both = [(ours[os.path.basename(p)], ms) for p, ms in peer.items() if os.path.basename(p) in ours]
    if both:
        mine, theirs = sum(b[0] for b in both), sum(b[1] for b in both)
        what = f"the same in process, {len(both)} logs"
        row = (what, f"{mine:.1f} ms", f"pydarshan: {theirs:.1f} ms", f"{theirs / mine:.0f} × faster", "≥ 8 ×")
        rows.append(row)


def decode_rows(rows, logs, what, target, **settings):
    """Decode and inflate in turns; add a row for all logs and one for the worst of them."""
    example = RELEASE / "examples/decode_vs_inflate"
    out = run(example, ROUNDS, *logs, stdout=subprocess.PIPE, **settings)[3]
    *single, total = [line.split() for line in out.splitlines()[1:]]
    worst = max(single, key=lambda fields: float(fields[2]))
    for name, (inflate, decoded, ratio), aim in [
        (what.format(len(single)), total[:3], target),
        ("… the worst of them", worst[:3], ""),
    ]:
        rows.append((name, f"{decoded} ms", f"inflating alone: {inflate} ms", f"{ratio} ×", aim))
    return single


def time_pydarshan(logs):
    """A process per log: reports of many logs in one process are known to deadlock."""
    times = {}
    for log in logs:
        rounds = str(max(2, ROUNDS // 5))
        command = [sys.executable, ROOT / "bench/peer_darshan.py", rounds, log]
        try:
            done = subprocess.run(command, capture_output=True, timeout=120, text=True)
        except subprocess.TimeoutExpired:
            continue
        if done.returncode == 0 and done.stdout:
            times[log] = float(done.stdout.split()[0])
    return times


def end_to_end(rows):
    log = ROOT / "testdata/checkpoint.darshan"
    small = DATA / "darshan/official/release_logs/mpi-io-test-x86_64-3.5.0.darshan"
    if small.exists():
        log = small
    mine = best_cpu(ROUNDS, IOTEMPO, "inspect", log)
    try:
        theirs = best_cpu(3, sys.executable, "-m", "darshan", "info", log)
    except SystemExit:
        theirs = None
    what = f"a small log ({log.stat().st_size} bytes) end to end, CPU time"
    if theirs is None:
        rows.append((what, f"{mine * 1e3:.1f} ms", "python -m darshan info: not installed", "", ""))
    else:
        peer = f"python -m darshan info: {theirs * 1e3:.0f} ms"
        rows.append((what, f"{mine * 1e3:.1f} ms", peer, f"{theirs / mine:.0f} × faster", "≥ 100 ×"))
    start = best_cpu(4 * ROUNDS, IOTEMPO, "--version")
    rows.append(("iotempo --version, CPU time", f"{start * 1e3:.1f} ms", "", "", "≤ 5 ms"))


def memory(rows):
    out = run(RELEASE / "examples/bandwidth_peak", LARGE, stdout=subprocess.PIPE)
    what = f"Bandwidth of {LARGE:,} requests, peak memory"
    rows.append((what, f"{out[2]:.0f} MB", f"{out[3].split(', ')[2]} for the sweep", "", "≤ 1000 MB"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        log = folder / "big.darshan"
        run(RELEASE / "examples/big_dxt", log, LARGE, 1024)
        text = folder / "big.csv"
        for source, target in [(log, folder / "a.parquet"), (log, text), (text, folder / "b.parquet")]:
            result = run(IOTEMPO, "convert", "-q", source, "-o", target)
            what = f"convert {LARGE:,} requests, {source.suffix} to {target.suffix}, peak memory"
            rows.append((what, f"{result[2]:.0f} MB", f"{result[0]:.1f} s CPU", "", "≤ 100 MB"))


def main():
    rows = []
    for step in (decode, end_to_end, memory):
        step(rows)
    head = ("what", "iotempo", "beside it", "ratio", "target")
    logs, tracing, periods = table(head, rows), tracer.section(), against_ftio.section()
    running = live.section()
    coefficients = association.section()
    matched = warping.section()
    print(f"{logs}\n\n{tracing}\n{running}\n{coefficients}\n{matched}\n{periods}")
    if QUICK:
        return
    text = f"""# Benchmarks

Made by `make bench` on {os.cpu_count()} cores. Times are the best of several runs, taken in turns on
the same machine in the same run; compare the ratios, not the times. Real logs come from
`IOTEMPO_DATA`.

{logs}

"Inflating alone" runs the same zlib (zlib-rs) over the same regions into one small buffer that is
used again, and keeps nothing; the decode beside it keeps every record in memory. Most of the
difference is the kernel's: it hands out zeroed pages for the records of each log. Where the memory
of the last log is used again, as in a batch, little is left of it.

{tracing}
{running}
{coefficients}
{matched}
{periods}"""
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs/benchmarks.md").write_text(text)
    print("\nWritten to docs/benchmarks.md")


if __name__ == "__main__":
    main()
