"""What NumPy, SciPy, scikit-learn, PyWavelets and tslearn answer: one question of JSON a line, one answer a line."""

import json
import sys
import warnings

import numpy as np

# The rest is imported where it is asked for: each takes seconds.


def dft(values):
    bins = np.fft.rfft(values)
    return {"re": bins.real.tolist(), "im": bins.imag.tolist()}


def autocorrelation(values):
    centred = np.array(values) - np.mean(values)
    products = np.correlate(centred, centred, "full")[len(centred) - 1 :]
    return (products / np.var(values) / len(centred)).tolist()


def peaks(values, conditions):
    from scipy.signal import find_peaks, peak_prominences, peak_widths

    values = np.array(values)
    found, _ = find_peaks(values, **conditions)
    prominence, left, right = peak_prominences(values, found)
    return {
        "index": found.tolist(),
        "prominence": prominence.tolist(),
        "left": left.tolist(),
        "right": right.tolist(),
        "width": peak_widths(values, found, rel_height=0.5)[0].tolist(),
    }


def dbscan(points, eps, min_samples):
    from sklearn.cluster import DBSCAN

    return DBSCAN(eps=eps, min_samples=min_samples).fit_predict(points).tolist()


def lof(points, neighbours, contamination):
    from sklearn.neighbors import LocalOutlierFactor

    model = LocalOutlierFactor(
        n_neighbors=neighbours, contamination=contamination, novelty=True
    ).fit(points)
    return {
        "factors": (-model.negative_outlier_factor_).tolist(),
        "decisions": model.decision_function(points).tolist(),
    }


def forest(points, seeds, contamination):
    """Scores of several forests, and the decisions of the first."""
    from sklearn.ensemble import IsolationForest

    models = [
        IsolationForest(contamination=contamination, random_state=seed).fit(points)
        for seed in range(seeds)
    ]
    return {
        "scores": [(-model.score_samples(points)).tolist() for model in models],
        "outliers": np.flatnonzero(models[0].predict(points) == -1).tolist(),
    }


def wavelet(values, name, level):
    """A signal taken apart, and put together again with and without its details."""
    import pywt

    parts = pywt.wavedec(values, name, mode="symmetric", level=level)
    blurred = [parts[0]] + [np.zeros_like(details) for details in parts[1:]]
    return {
        "parts": [part.tolist() for part in parts],
        "again": pywt.waverec(parts, name, mode="symmetric")[: len(values)].tolist(),
        "smooth": pywt.waverec(blurred, name, mode="symmetric")[: len(values)].tolist(),
        "max_level": pywt.dwt_max_level(len(values), pywt.Wavelet(name).dec_len),
    }


def dtw(a, b):
    from tslearn.metrics import dtw_path

    path, distance = dtw_path(a, b)
    return {"path": [[int(i), int(j)] for i, j in path], "distance": float(distance)}


# Fewer points than neighbours are asked for on purpose.
warnings.simplefilter("ignore", UserWarning)

ANSWERS = {
    "dft": dft,
    "autocorrelation": autocorrelation,
    "peaks": peaks,
    "dbscan": dbscan,
    "lof": lof,
    "forest": forest,
    "wavelet": wavelet,
    "dtw": dtw,
}

for line in sys.stdin:
    question = json.loads(line)
    answer = ANSWERS[question.pop("of")](**question)
    print(json.dumps(answer), flush=True)
