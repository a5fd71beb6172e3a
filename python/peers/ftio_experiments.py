"""What FTIO itself says about the signals of the period experiments.

usage: ftio_experiments.py FOLDER

Reads FOLDER/signals.f64 (samples of 1 s, one signal after the other) and FOLDER/lengths.json, asks
the core of ftio-hpc about each signal at 1 Hz, with its other settings as they are, and writes
FOLDER/answers.json: the dominant frequency and the confidence of each, or null.
"""

import contextlib
import io
import json
import math
import sys
from pathlib import Path

import numpy as np
from ftio.cli.ftio_core import core
from ftio.parse.args import parse_args


def ask(samples):
    """FTIO holds a rate until the next time: one more point says how long the last one holds."""
    signal = {
        "time": np.arange(len(samples) + 1, dtype=float),
        "bandwidth": np.append(samples, 0.0),
        "total_bytes": int(samples.sum()),
        "ranks": 1,
    }
    # A fresh set of arguments each time: FTIO writes into them.
    args = parse_args(["-e", "no", "-f", "1"], "ftio")
    with contextlib.redirect_stdout(io.StringIO()):
        prediction, _ = core(signal, args)
    frequency, confidence = prediction.get_dominant_freq_and_conf()
    if not math.isfinite(frequency) or frequency <= 0:
        return {"frequency_hz": None, "confidence": None}
    return {"frequency_hz": float(frequency), "confidence": float(confidence)}


def main(folder):
    samples = np.fromfile(folder / "signals.f64", dtype="<f8")
    lengths = json.loads((folder / "lengths.json").read_text())
    ends = np.cumsum(lengths)
    signals = np.split(samples, ends[:-1])
    (folder / "answers.json").write_text(json.dumps([ask(signal) for signal in signals]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
