"""Time FTIO in process, imports excluded. Prints milliseconds of CPU time.

usage: peer_ftio.py trace ROUNDS ARGUMENT...   the median of reading and analysing a trace
       peer_ftio.py dataset FILE...            the mean per file of the tool for data sets
"""

import statistics
import sys
import time

WARM_UP = 5


def read_and_analyse(arguments):
    from ftio.cli.ftio_core import core
    from ftio.parse.extract import get_time_behavior_and_args

    data, args = get_time_behavior_and_args(["ftio", *arguments])
    for trace in data:
        core(trace, args)


def cpu_ms(work):
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def trace(rounds, *arguments):
    times = [cpu_ms(lambda: read_and_analyse(arguments)) for _ in range(WARM_UP + int(rounds))]
    return statistics.median(times[WARM_UP:])


def dataset(*files):
    from ftio.api.trace_analysis.parallel_trace_analysis import process_file

    settings = {"verbose": False, "json": False, "save": False, "name": "made"}

    def analyse(file):
        found, _, _, error = process_file(file, ["-f", "1"], settings)
        if found is None:
            raise SystemExit(f"{file}: {error}")

    for file in files[:WARM_UP]:
        analyse(file)
    return cpu_ms(lambda: [analyse(file) for file in files]) / len(files)


what, *rest = sys.argv[1:]
milliseconds = {"trace": trace, "dataset": dataset}[what](*rest)
# FTIO prints on standard output, too: the last line counts.
print(f"\n{milliseconds:.4f}", flush=True)
