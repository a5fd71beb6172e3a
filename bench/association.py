#!/usr/bin/env python3
"""How long a distance correlation takes beside dcor, and its test by permutations.

    bench/association.py [POINTS] [--permutations N]

Draws POINTS (10,000) pairs of numbers, of which the second leans on the first, and gives the same to
`dcor.distance_correlation`, compiled and warm, and to `association_speed`. Prints the best time of both in
turns and their ratio. Run it with .venv/bin/python, and build first:
`cargo build --release -p iotempo-analysis --example association_speed`.
"""

import argparse
import subprocess
import sys
import time

from measure import KEEP_MEMORY, RELEASE, table

OURS = RELEASE / "examples/association_speed"
TURNS = 5
ROUNDS = 50
RATIO_WANTED = 20
TOLERANCE = 1e-10


def ours(rows, permutations):
    """Both coefficients, and milliseconds of one and of all permutations."""
    command = [OURS, str(ROUNDS), str(permutations)]
    done = subprocess.run(command, input=rows, capture_output=True, text=True, check=True, env=KEEP_MEMORY)
    return [float(line) for line in done.stdout.split()]


def best_ms(work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def compared(points, permutations):
    """Milliseconds of both, and seconds of all permutations."""
    import dcor
    import numpy as np

    random = np.random.default_rng(1)
    x = random.normal(size=points)
    y = 0.3 * x + random.normal(size=points)
    rows = "".join(f"{a!r},{b!r}\n" for a, b in zip(x.tolist(), y.tolist()))
    theirs = float(dcor.distance_correlation(x, y)), float(dcor.u_distance_correlation_sqr(x, y))
    times, their_times, tests = [], [], []
    for turn in range(TURNS):
        *coefficients, once, test = ours(rows, permutations if turn == 0 else 0)
        for name, a, b in zip(("plain", "corrected"), coefficients, theirs):
            if abs(a - b) > TOLERANCE:
                sys.exit(f"{name}: {a} is not dcor's {b}")
        times.append(once)
        tests.append(test)
        their_times.append(best_ms(lambda: dcor.distance_correlation(x, y)))
    return min(times), min(their_times), tests[0] / 1e3


def section():
    """For docs/benchmarks.md."""
    title = "## Distance correlation, beside dcor"
    try:
        import dcor
    except ImportError as missing:
        return f"{title}\n\nNot measured: {missing}.\n"
    own, theirs, test = compared(10_000, 999)
    head = ("what", "iotempo", "dcor " + dcor.__version__, "ratio", "target")
    rows = [
        ("distance correlation of 10,000 points", f"{own:.2f} ms", f"{theirs:.1f} ms", f"{theirs / own:.0f} × faster",
         f"≥ {RATIO_WANTED} ×"),
        ("its test by 999 permutations, all cores", f"{test:.2f} s", "", "", ""),
    ]
    return f"{title}\n\nBy `bench/association.py`; dcor's code is compiled (numba) and warm.\n\n{table(head, rows)}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("points", type=int, nargs="?", default=10_000)
    parser.add_argument("--permutations", type=int, default=999)
    words = parser.parse_args()
    if not OURS.exists():
        sys.exit(f"{OURS} is missing: cargo build --release -p iotempo-analysis --example association_speed")
    try:
        own, theirs, test = compared(words.points, words.permutations)
    except ImportError as missing:
        sys.exit(f"{missing}: run this with .venv/bin/python, which scripts/setup.sh makes")
    print(f"{words.points} points: iotempo {own:.3f} ms, dcor {theirs:.2f} ms, {theirs / own:.1f} times as fast")
    print(f"{words.permutations} permutations: {test:.2f} s on all cores")
    met = theirs / own >= RATIO_WANTED
    print("met" if met else f"MISSED: {RATIO_WANTED} times as fast")
    sys.exit(not met)


if __name__ == "__main__":
    main()
