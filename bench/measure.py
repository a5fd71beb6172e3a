"""What all measurements share: where things are, and how a command is measured."""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / "target/release"
IOTEMPO = RELEASE / "iotempo"
DATA = pathlib.Path(os.environ.get("IOTEMPO_DATA", ROOT.parent / "shared/data")).resolve()
QUICK = "--quick" in sys.argv
ROUNDS = 3 if QUICK else 15
# The C library's allocator then gives no memory back to the kernel, which would zero it anew.
KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}
# Of the largest inputs, requests or samples.
LARGE = 1_000_000 if QUICK else 10_000_000


def run(*command, stdout=subprocess.DEVNULL, cwd=None, **settings):
    """Run a command; answer its CPU seconds, wall seconds, peak memory in MB and output."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(c) for c in command],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, **settings},
    )
    output = process.stdout.read() if process.stdout else b""
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command}: {process.returncode}\n{errors.decode()}")
    cpu = usage.ru_utime + usage.ru_stime
    return cpu, time.perf_counter() - start, usage.ru_maxrss / 1024, output.decode()


def best_cpu(rounds, *command):
    return min(run(*command)[0] for _ in range(rounds))


def medians(rounds, *command, cwd=None):
    """The medians of a command's CPU seconds, wall seconds and peak memory in MB."""
    runs = [run(*command, cwd=cwd)[:3] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*runs)]


def megabytes(peak):
    """A peak in words. Whatever is started counts what it was started from, which is this."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"≤ {peak:.0f} MB" if peak < 1.1 * own else f"{peak:.0f} MB"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
