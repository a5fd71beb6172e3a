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

from measure import KEEP_MEMORY, RELEASE

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("points", type=int, nargs="?", default=10_000)
    parser.add_argument("--permutations", type=int, default=999)
    words = parser.parse_args()
    if not OURS.exists():
        sys.exit(f"{OURS} is missing: cargo build --release -p iotempo-analysis --example association_speed")
    try:
        import dcor
        import numpy as np
    except ImportError as missing:
        sys.exit(f"{missing}: run this with .venv/bin/python, which scripts/setup.sh makes")

    random = np.random.default_rng(1)
    x = random.normal(size=words.points)
    y = 0.3 * x + random.normal(size=words.points)
    rows = "".join(f"{a!r},{b!r}\n" for a, b in zip(x.tolist(), y.tolist()))
    theirs = float(dcor.distance_correlation(x, y)), float(dcor.u_distance_correlation_sqr(x, y))
    times, their_times, tests = [], [], []
    for turn in range(TURNS):
        *coefficients, once, test = ours(rows, words.permutations if turn == 0 else 0)
        for name, a, b in zip(("plain", "corrected"), coefficients, theirs):
            if abs(a - b) > TOLERANCE:
                sys.exit(f"{name}: {a} is not dcor's {b}")
        times.append(once)
        tests.append(test)
        their_times.append(best_ms(lambda: dcor.distance_correlation(x, y)))
    ratio = min(their_times) / min(times)
    print(f"{words.points} points: iotempo {min(times):.3f} ms, dcor {dcor.__version__} {min(their_times):.2f} ms, "
          f"{ratio:.1f} times as fast")
    print(f"{words.permutations} permutations: {tests[0] / 1e3:.2f} s on all cores")
    met = ratio >= RATIO_WANTED
    print("met" if met else f"MISSED: {RATIO_WANTED} times as fast")
    sys.exit(not met)


if __name__ == "__main__":
    main()
