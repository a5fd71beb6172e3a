"""Measure what programs pay for being traced, beside the same program untraced and under dftracer.

Usage: bench/tracer.py [--quick]
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata

from measure import QUICK, RELEASE, ROOT, run, table

LIBRARY = RELEASE / "libiotempo_tracer.so"
PROGRAM = ROOT / "crates/iotempo-tracer/tests/programs/cost.c"
WRITES_PER_BLOCK = 50_000
BLOCKS = 4 if QUICK else 20
ROUNDS = 3 if QUICK else 11
# Cells per side of the box of atoms, and steps.
MELT = (6, 500) if QUICK else (10, 1500)


def peer_library():
    """dftracer's library for preloading, where it is installed."""
    place = pathlib.Path(sysconfig.get_paths()["platlib"]) / "dftracer"
    found = sorted(place.glob("lib*/libdftracer_preload.so"))
    return found[0] if found else None


def peer_name():
    return f"dftracer {metadata.version('dftracer')}" if peer_library() else "dftracer"


class Ways:
    """How a program is run: plain, under iotempo, under dftracer; each with a folder for logs."""

    def __init__(self, folder):
        self.logs = folder / "logs"
        self.peer_logs = folder / "peer"
        self.names = ["plain", "iotempo"] + (["dftracer"] if peer_library() else [])

    def settings(self, way):
        for logs in (self.logs, self.peer_logs):
            shutil.rmtree(logs, ignore_errors=True)
        self.peer_logs.mkdir()
        return {
            "plain": {},
            "iotempo": {"LD_PRELOAD": str(LIBRARY), "IOTEMPO_DIR": str(self.logs), "IOTEMPO_JOB": "bench"},
            "dftracer": {
                "LD_PRELOAD": str(peer_library()),
                "DFTRACER_ENABLE": "1",
                "DFTRACER_INIT": "PRELOAD",
                "DFTRACER_DATA_DIR": "all",
                "DFTRACER_LOG_FILE": str(self.peer_logs / "log"),
            },
        }[way]

    def in_turns(self, rounds, measure):
        """What `measure(settings)` answers, by way, round by round."""
        seen = {way: [] for way in self.names}
        for _ in range(rounds):
            for way in self.names:
                seen[way].append(measure(self.settings(way)))
        return seen


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def small_writes(ways, cost, threads):
    """A row about 8 bytes to /dev/null: what the thread that writes pays, in nanoseconds."""

    def measure(settings):
        return float(run(cost, threads, BLOCKS, stdout=subprocess.PIPE, **settings)[3])

    seen = ways.in_turns(ROUNDS, measure)
    lowest = {way: min(times) for way, times in seen.items()}
    added = sorted(traced - plain for traced, plain in zip(seen["iotempo"], seen["plain"]))
    name = "1 thread" if threads == 1 else f"{threads} threads"
    peer = f"{lowest['dftracer'] - lowest['plain']:.0f} ns more" if "dftracer" in lowest else "not installed"
    return (
        f"a write of 8 bytes to /dev/null, {name}",
        f"{lowest['plain']:.0f} ns",
        f"{lowest['iotempo'] - lowest['plain']:.0f} ns more",
        f"{added[0]:.0f} to {added[-1]:.0f} ns, median {statistics.median(added):.0f} ns",
        "≤ 60 ns",
        peer,
    )


def log_size(ways, cost):
    """A row about the bytes of log per request."""
    requests = BLOCKS * WRITES_PER_BLOCK
    sizes = []
    for way, logs in (("iotempo", ways.logs), ("dftracer", ways.peer_logs)):
        if way in ways.names:
            run(cost, 1, BLOCKS, **ways.settings(way))
            sizes.append(f"{bytes_in(logs) / requests:.1f} bytes")
    peer = f"{sizes[1]}, compressed" if len(sizes) > 1 else "not installed"
    return (f"log per request, {requests:,} of them", "", sizes[0], "", "≤ 48 bytes", peer)


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def application(ways, what, *command, cwd):
    """Two rows about a program: what it needs in CPU time and how long it takes."""
    seen = ways.in_turns(ROUNDS, lambda settings: run(*command, cwd=cwd, **settings)[:2])
    rows = []
    for index, (name, target) in enumerate([(f"{what}, CPU time", "≤ +1 %"), ("… wall time", "≤ +1 %")]):
        times = {way: [both[index] for both in runs] for way, runs in seen.items()}
        middle = {way: statistics.median(values) for way, values in times.items()}
        ratios = sorted(b / a for a, b in zip(times["plain"], times["iotempo"]))
        quarter = len(ratios) // 4
        spread = f"half of the runs: {percent(ratios[quarter])} to {percent(ratios[-1 - quarter])}"
        peer = percent(middle["dftracer"] / middle["plain"]) if "dftracer" in middle else "not installed"
        ours = percent(statistics.median(ratios))
        rows.append((name, f"{middle['plain']:.2f} s", ours, spread, target, peer))
    return rows


def lammps(ways, folder):
    """LAMMPS with a dump every 100 steps, on one core."""
    if not shutil.which("lmp"):
        return [skip("LAMMPS with a dump every 100 steps", "no lmp")]
    size, steps = MELT
    words = ["lmp", "-in", ROOT / "bench/melt.lammps", "-log", "none", "-screen", "none"]
    words += ["-var", "size", size, "-var", "steps", steps]
    what = f"LAMMPS, {4 * size**3:,} atoms, a dump every 100 of {steps:,} steps"
    return application(ways, what, *words, cwd=folder)


def mpi(ways, folder):
    """A program of four ranks that writes and reads through MPI-IO."""
    what, source = "an MPI-IO program of 4 ranks", ROOT / "bench/mpi_app.c"
    compiler, launcher = shutil.which("mpicc.openmpi"), shutil.which("mpirun.openmpi")
    if not (source.exists() and compiler and launcher):
        return [skip(what, "no Open MPI")]
    run(compiler, "-O2", "-o", folder / "mpi_app", source, "-lm")
    os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    words = [launcher, "--oversubscribe", "-n", 4, folder / "mpi_app", folder / "checkpoint", 12, 100]
    return application(ways, what, *words, cwd=folder)


def skip(what, why):
    print(f"SKIPPED {what}: {why}", file=sys.stderr)
    return (what, f"skipped: {why}", "", "", "≤ +1 %", "")


def section():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cost = folder / "cost"
        run("cc", "-O2", "-pthread", "-o", cost, PROGRAM)
        ways = Ways(folder)
        rows = [small_writes(ways, cost, threads) for threads in (1, 8)]
        rows += [log_size(ways, cost), *lammps(ways, folder), *mpi(ways, folder)]
    head = ("what", "untraced", "`iotempo trace`", f"over {ROUNDS} runs", "target", peer_name())
    return f"""## Tracing, beside the same program untraced

The same program, run in turns without a tracer, under iotempo's and under dftracer's preloaded
library (PyPI `dftracer`, POSIX and STDIO, all files). For writes: processor time of the thread that
writes, the lowest of the runs, each a median over blocks of {WRITES_PER_BLOCK:,} writes, with the differences of
runs that followed each other beside it. For programs: medians of the ratios of runs that followed
each other; on a busy machine wall times say little.

{table(head, rows)}
"""


if __name__ == "__main__":
    print(section())
