#!/usr/bin/env python3
"""How long it takes to match two sequences by time warping, beside tslearn.

    bench/warping.py

Two waves, of which the second is a little faster, for tslearn's `dtw` and `dtw_path`, compiled and warm, and for
`warping_speed`. Prints the best time of both in turns and their ratio; of sequences of 1000 points also a loop
over NumPy's arrays. Run it with .venv/bin/python, and build first:
`cargo build --release -p iotempo-analysis --example warping_speed`.
"""

import subprocess
import sys
import time

from measure import KEEP_MEMORY, QUICK, RELEASE, table

OURS = RELEASE / "examples/warping_speed"
LENGTHS = [500, 1000, 2000, 4000]
TURNS = 2 if QUICK else 5
RATIO_WANTED = 20
TOLERANCE = 1e-9


def sequences(length):
    import numpy as np

    places = np.arange(length) / length
    return np.sin(40 * places), np.sin(43 * places)


def loop(a, b):
    """The same sums cell by cell, as it is written without a compiler."""
    import numpy as np

    costs = (a[:, None] - b[None, :]) ** 2
    table = np.full((len(a) + 1, len(b) + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1, j + 1] = costs[i, j] + min(table[i, j], table[i, j + 1], table[i + 1, j])
    return np.sqrt(table[-1, -1])


def best_ms(work, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def ours(rows, rounds):
    """The distance, the length of the path, and milliseconds of both."""
    done = subprocess.run([OURS, str(rounds)], input=rows, capture_output=True, text=True, check=True, env=KEEP_MEMORY)
    return [float(line) for line in done.stdout.split()]


def compared(length):
    """Milliseconds of distance and path, ours and tslearn's."""
    from tslearn.metrics import dtw, dtw_path

    a, b = sequences(length)
    rows = "".join(f"{x!r},{y!r}\n" for x, y in zip(a.tolist(), b.tolist()))
    rounds = max(2, 16_000_000 // length**2)
    distance, steps = float(dtw(a, b)), len(dtw_path(a, b)[0])
    times = []
    for _ in range(TURNS):
        own_distance, own_steps, *own = ours(rows, rounds)
        if abs(own_distance - distance) > TOLERANCE or own_steps != steps:
            sys.exit(f"{length}: {own_distance} in {own_steps} steps is not tslearn's {distance} in {steps}")
        times.append((*own, best_ms(lambda: dtw(a, b), rounds), best_ms(lambda: dtw_path(a, b), rounds)))
    return [min(column) for column in zip(*times)]


def rows():
    """A row of the table each, and the least ratio of all."""
    rows, ratios = [], []
    for length in LENGTHS:
        own_distance, own_path, distance, path = compared(length)
        for what, own, theirs in (("distance", own_distance, distance), ("path", own_path, path)):
            ratios.append(theirs / own)
            cells = (f"{own:.2f} ms", f"{theirs:.1f} ms", f"{ratios[-1]:.0f} × faster", f"≥ {RATIO_WANTED} ×")
            rows.append((f"{what}, two sequences of {length:,} points", *cells))
        if length == 1000:
            by_hand = best_ms(lambda: loop(*sequences(length)), 1)
            ratio = f"{by_hand / own_distance:.0f} × faster"
            rows.append(("… a loop over NumPy's arrays", f"{own_distance:.2f} ms", f"{by_hand:.0f} ms", ratio, ""))
    return rows, min(ratios)


def section():
    """For docs/benchmarks.md."""
    title = "## Time warping, beside tslearn"
    try:
        import tslearn
    except ImportError as missing:
        return f"{title}\n\nNot measured: {missing}.\n"
    head = ("what", "iotempo", "tslearn " + tslearn.__version__, "ratio", "target")
    return f"{title}\n\nBy `bench/warping.py`; tslearn's code is compiled (numba) and warm.\n\n{table(head, rows()[0])}\n"


def main():
    if not OURS.exists():
        sys.exit(f"{OURS} is missing: cargo build --release -p iotempo-analysis --example warping_speed")
    try:
        told, least = rows()
    except ImportError as missing:
        sys.exit(f"{missing}: run this with .venv/bin/python, which scripts/setup.sh makes")
    print(table(("what", "iotempo", "tslearn", "ratio", "target"), told))
    print("met" if least >= RATIO_WANTED else f"MISSED: {least:.1f} times as fast")
    sys.exit(least < RATIO_WANTED)


if __name__ == "__main__":
    main()
