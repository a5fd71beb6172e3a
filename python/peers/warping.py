"""How long tslearn, and a loop in Python over rows of NumPy, take to match two sequences.

.venv/bin/python python/peers/warping.py; docs/experiments/signature.md has the answer.
"""

import time

import numpy as np
from tslearn.metrics import dtw, dtw_path


def loop(a, b):
    """The same sums cell by cell, as it is written without a compiler."""
    costs = (a[:, None] - b[None, :]) ** 2
    table = np.full((len(a) + 1, len(b) + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1, j + 1] = costs[i, j] + min(table[i, j], table[i, j + 1], table[i + 1, j])
    return np.sqrt(table[-1, -1])


def milliseconds(work, times):
    """The mean time of a processor."""
    work()
    began = time.process_time()
    for _ in range(times):
        work()
    return 1e3 * (time.process_time() - began) / times


print("| two sequences of | tslearn, distance | tslearn, path | loop over NumPy |\n|---|---|---|---|")
for length in [500, 1000, 2000, 4000]:
    places = np.arange(length) / length
    a, b = np.sin(40 * places), np.sin(43 * places)
    times = max(1, 16_000_000 // length**2)
    told = [
        milliseconds(lambda: dtw(a, b), times),
        milliseconds(lambda: dtw_path(a, b), times),
        milliseconds(lambda: loop(a, b), 1) if length <= 1000 else None,
    ]
    cells = ["–" if ms is None else f"{ms:.2f} ms" for ms in told]
    print(f"| {length} | " + " | ".join(cells) + " |")
