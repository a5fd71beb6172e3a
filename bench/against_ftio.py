"""Measure `iotempo period` beside FTIO, in the same run."""

import math
import pathlib
import subprocess
import sys
import tempfile

from measure import (
    DATA,
    IOTEMPO,
    KEEP_MEMORY,
    LARGE,
    QUICK,
    RELEASE,
    ROOT,
    medians,
    megabytes,
    run,
    table,
)

# Written by scripts/setup.sh once FTIO is there.
INSTALLED = (ROOT / ".venv/requirements-peers.txt").exists()
ROUNDS = 2 if QUICK else 15
PEER_ROUNDS = 1 if QUICK else 3
LOOPS = 20 if QUICK else 200
PEER_LOOPS = 2 if QUICK else 15
TRACES = 400 if QUICK else 16_474
WIDE_TRACES = 100 if QUICK else 2_000
PEER_TRACES = 10 if QUICK else 100

# Measured once and not again: it fills the memory of most machines.
PEER_AUTOMATIC = "`ftio -f -1` on this trace, not in this run: 119 s CPU, 10 GB"

# Real traces that FTIO reads, and what it must be told.
EXAMPLES = [
    ("TMIO, 8 ranks, JSON lines", "tmio/tmio__JSONL__8.jsonl", []),
    ("TMIO, 384 ranks, MessagePack", "tmio/tmio__ior__parallel__384.msgpack", []),
    ("TMIO, IOR collective, JSON", "tmio/tmio__ior__collective__test.json", ["-f", "10000"]),
    ("TMIO, 4 ranks, JSON", "tmio/tmio_offline_4ranks.json", []),
    ("TMIO, 4 ranks, JSON lines", "tmio/tmio_online_4ranks.jsonl", []),
    (
        "Darshan, 512 ranks, heatmap",
        "darshan/official/e3sm_io_heatmaps_and_dxt/e3sm_io_heatmap_only.darshan",
        ["-x", "DXT_POSIX"],
    ),
    (
        "Darshan, one process, DXT",
        "darshan/official/nonmpi_dxt_anonymized/nonmpi_dxt_anonymized.darshan",
        ["-x", "DXT_POSIX"],
    ),
]


def skip(what, why):
    """Say loudly, here and in the page, that something was not measured."""
    print(f"SKIPPED {what}: {why}", file=sys.stderr)
    return f"**Skipped** {what}: {why}."


def examples():
    """The real traces that are there."""
    found = [(name, DATA / path, words) for name, path, words in EXAMPLES]
    return [example for example in found if example[1].exists()]


def peer(*words, cwd):
    """CPU milliseconds of FTIO in process."""
    script = ROOT / "bench/peer_ftio.py"
    out = run(sys.executable, script, *words, stdout=subprocess.PIPE, cwd=cwd, **KEEP_MEMORY)[3]
    return float(out.split()[-1])


def end_to_end(cwd):
    """FTIO leaves a file wherever it runs: `cwd` is a folder for that."""
    rows = []
    for name, path, words in examples():
        mine = medians(ROUNDS, IOTEMPO, "period", path)
        ftio = ROOT / ".venv/bin/ftio"
        theirs = medians(PEER_ROUNDS, ftio, path, "-e", "no", *words, cwd=cwd)
        rows.append((
            name,
            f"{mine[0] * 1e3:.1f} ms",
            f"{theirs[0] * 1e3:.0f} ms",
            f"{theirs[0] / mine[0]:.0f} ×",
            megabytes(mine[2]),
            megabytes(theirs[2]),
            f"1/{theirs[2] / mine[2]:.0f}",
        ))
    head = ("trace", "`iotempo period`", "`ftio`", "less CPU time", "`iotempo`", "`ftio`", "memory")
    return table(head, rows)


def in_process(cwd):
    rows = []
    for name, path, words in examples():
        theirs = peer("trace", PEER_LOOPS, path, "-e", "no", *words, cwd=cwd)
        row = [name, f"{theirs:.1f} ms"]
        rate = words[1:] if "-f" in words else []
        for method in ("iotempo", "ftio"):
            example = RELEASE / "examples/trace_period"
            mine = run(example, LOOPS, method, path, *rate, **KEEP_MEMORY)[0] * 1e3 / LOOPS
            row += [f"{mine:.2f} ms", f"{theirs / mine:.0f} ×"]
        rows.append(row)
    head = ("trace", "FTIO", "iotempo", "faster", "iotempo, FTIO's method", "faster")
    return table(head, rows)


def automatic_rate():
    path = DATA / "tmio/tmio__JSONL__8.jsonl"
    if not path.exists():
        return []
    rows = []
    for method in ("iotempo", "ftio"):
        cpu, wall, peak = medians(3, IOTEMPO, "period", path, "-f", "-1", "--method", method)
        what = f"automatic rate (`-f -1 --method {method}`), 8 ranks"
        rows.append((what, figures(cpu, wall, peak), PEER_AUTOMATIC, "", "≤ 1 s, ≤ 200 MB"))
    return rows


def figures(cpu, wall, peak):
    return f"{cpu:.2f} s CPU, {wall:.2f} s, {megabytes(peak)}"


def large_samples(path):
    """A table of samples: bursts of 200 s every 1000 s; no two samples of one period are alike."""
    def rate(row):
        return (row % 1000 < 200) * 10**9 + row * 7919 % 1000 * 10**5

    block = "".join(f"{rate(row)}\n" for row in range(1000))
    path.write_text("write\n" + block * (LARGE // 1000))


def large():
    with tempfile.TemporaryDirectory() as folder:
        samples, log, text = (pathlib.Path(folder) / name for name in ("a.csv", "b.darshan", "b.csv"))
        large_samples(samples)
        run(RELEASE / "examples/big_dxt", log, LARGE, 1024)
        run(IOTEMPO, "convert", "-q", log, "-o", text)
        rows = []
        for what, path, words in [
            ("samples, CSV", samples, ["--step", "1"]),
            ("requests of 1,024 ranks, Darshan DXT", log, []),
            ("requests of 1,024 ranks, CSV", text, []),
        ]:
            mine = figures(*medians(1 if QUICK else 3, IOTEMPO, "period", path, *words))
            rows.append((f"{LARGE:,} {what}", mine, "", "", ""))
        return rows


def traces(folder, count, columns):
    """Traces of an hour; their paths, and some of them for FTIO."""
    run(RELEASE / "examples/batch_traces", folder, count, columns)
    paths = sorted(folder.iterdir())
    return paths[:: max(1, count // PEER_TRACES)][:PEER_TRACES]


def batch_row(scratch, count, columns, questions, what):
    folder = scratch / columns
    some = traces(folder, count, columns)
    command = (IOTEMPO, "period", folder, "--csv", "--step", "1", "--quiet")
    runs = [run(*command, *words) for words in questions]
    mine = sum(cpu for cpu, *_ in runs) * 1e3 / count
    peak = megabytes(max(peak for _, _, peak, _ in runs))
    figures = f"{mine:.3f} ms, {peak} at most"
    what = f"{count:,} traces of an hour at 1 Hz, {what}: CPU time per trace"
    if not INSTALLED:
        return (what, figures, "FTIO: not installed", "", "≥ 100 ×")
    theirs = peer("dataset", *some, cwd=scratch)
    beside = f"FTIO's tool for data sets, {len(some)} of them: {theirs:.1f} ms"
    return (what, figures, beside, f"{theirs / mine:.0f} × less", "≥ 100 ×")


def batches():
    three = ["--op", "read"], ["--op", "write"], []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        return [
            batch_row(scratch, TRACES, "one", [[]], "one signal each"),
            batch_row(scratch, WIDE_TRACES, "three", three, "reads, writes and both"),
        ]


def growth():
    lowest, highest, rounds = (12, 16, 2) if QUICK else (12, 20, 5)
    example = RELEASE / "examples/detector_growth"
    out = run(example, lowest, highest, rounds, stdout=subprocess.PIPE)[3]
    rows = []
    for line in out.splitlines():
        exponent, *times = line.split()
        n = 2 ** int(exponent)
        row = [f"2^{exponent}"]
        for milliseconds in map(float, times):
            each = milliseconds * 1e6 / (n * math.log2(n))
            row += [f"{milliseconds:.2f} ms", f"{each:.2f} ns"]
        rows.append(row)
    return table(("samples n", "a rhythm", "per n log₂ n", "noise", "per n log₂ n"), rows)


def compared():
    """The tables that need FTIO and real traces."""
    if not INSTALLED:
        return skip("what is measured beside FTIO", "ftio-hpc cannot be installed here")
    if not examples():
        return skip("real traces beside FTIO", f"there are none under {DATA}")
    with tempfile.TemporaryDirectory() as cwd:
        return f"""End to end, with the start of the program: CPU time (target: ≥ 200 × less) and peak memory
(target: ≤ 1/10). FTIO is asked with `-e no`, and `-x DXT_POSIX` or `-f 10000` where it needs that.

{end_to_end(cwd)}

In process, reading and analysing a trace again and again, CPU time (target: ≥ 20 ×). FTIO is
imported, warm, and prints nothing; both keep their memory from one time to the next:

{in_process(cwd)}"""


def section():
    """All that is measured of periods, as a part of the page."""
    head = ("what", "iotempo", "beside it", "ratio", "target")
    return f"""## Periods, beside FTIO

FTIO is `ftio-hpc` 0.0.9. Figures are medians of several runs, taken on the same machine in the same
run, but for those of `ftio -f -1`, which were measured once before. `iotempo` looks at reads and
writes together, in up to 16,384 samples; FTIO at writes, at 10 samples a second. With FTIO's method,
`iotempo` does what FTIO does.

{compared()}

{table(head, [*batches(), *automatic_rate(), *large()])}

The traces of an hour are made anew for each run: twelve in sixteen are rhythms of some kind, as
`iotempo generate` makes them. `iotempo` reads each file once per answer; FTIO's tool reads it once
for all three.

The batch misses its target, and in process so do the traces of many numbers. FTIO's tool makes one
transform per signal; the detector asks several witnesses about each, and reading the text of the
numbers takes most of the rest.

How the time of the detector grows with the number of samples:

{growth()}
"""
