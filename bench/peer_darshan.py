"""Time pydarshan's DarshanReport(read_all=True) in process, imports excluded.

Prints one line per log: the best time of ROUNDS in milliseconds, a space, the path.
"""

import sys
import time

import darshan


def best_of(rounds, path):
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        report = darshan.DarshanReport(path, read_all=True)
        best = min(best, time.perf_counter() - start)
        del report
    return best * 1e3


rounds = int(sys.argv[1])
for path in sys.argv[2:]:
    print(f"{best_of(rounds, path):.3f} {path}", flush=True)
