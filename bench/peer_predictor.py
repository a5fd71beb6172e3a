"""What an update costs FTIO's predictor: milliseconds of CPU time, the mean over the flushes of a trace.

usage: peer_predictor.py GROWING TRACE

Every flush is appended to GROWING, and the predictor's own function for a change of its file is run as the predictor
runs it, in a process of its own. What the predictor takes to notice the change is left out, as are its start and
the process that keeps what its predictions share.
"""

import pathlib
import resource
import statistics
import sys

# The modules of FTIO import each other: this one has to be the first.
from ftio.cli import predictor  # noqa: F401
from ftio.multiprocessing.async_process import handle_in_process
from ftio.prediction.processes import prediction_process
from ftio.prediction.shared_resources import SharedResources

LINES_PER_FLUSH = 7


def cpu_ms():
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return 1e3 * sum(part.ru_utime + part.ru_stime for part in parts)


def main(growing, trace):
    lines = pathlib.Path(trace).read_bytes().splitlines(keepends=True)
    shared = SharedResources()
    costs = []
    for at in range(0, len(lines), LINES_PER_FLUSH):
        with open(growing, "wb" if at == 0 else "ab") as file:
            file.writelines(lines[at : at + LINES_PER_FLUSH])
        before = cpu_ms()
        process = handle_in_process(prediction_process, args=(shared, ["predictor", growing]))
        process.join()
        if process.exitcode != 0:
            raise SystemExit(f"a prediction ended with {process.exitcode}")
        costs.append(cpu_ms() - before)
    return statistics.mean(costs)


if __name__ == "__main__":
    milliseconds = main(*sys.argv[1:])
    # FTIO prints on standard output, too: the last line counts.
    print(f"\n{milliseconds:.4f}", flush=True)
