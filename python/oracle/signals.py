"""What NumPy, SciPy, scikit-learn, dcor, PyWavelets and tslearn answer: one question of JSON a line, one answer a line."""

import fcntl
import importlib
import json
import os
import sys
import tempfile
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


def imported_alone(name):
    """A module that compiles itself when it is imported first: two processes that did so at a time were seen to crash."""
    with open(os.path.join(tempfile.gettempdir(), f"iotempo-import-{name}-{os.getuid()}"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return importlib.import_module(name)


def coefficients(x, y):
    """Pearson's, Spearman's and both distance correlations."""
    from scipy.stats import pearsonr, spearmanr

    dcor = imported_alone("dcor")

    x, y = np.array(x), np.array(y)
    return {
        "pearson": float(pearsonr(x, y).statistic),
        "spearman": float(spearmanr(x, y).statistic),
        "distance": float(dcor.distance_correlation(x, y, method="naive")),
        "corrected": float(dcor.u_distance_correlation_sqr(x, y, method="naive")),
    }


def information(x, y, neighbours):
    """Without the scaling and the noise that scikit-learn's public function adds."""
    from sklearn.feature_selection._mutual_info import _compute_mi_cc

    return float(_compute_mi_cc(np.array(x), np.array(y), neighbours))


def intervals(x, y, replicates, level):
    """Intervals of Pearson's coefficient from given replicates."""
    from types import SimpleNamespace

    from scipy.stats import bootstrap, pearsonr

    def interval(method):
        found = bootstrap(
            (x, y),
            lambda x, y: pearsonr(x, y).statistic,
            paired=True,
            vectorized=False,
            n_resamples=0,
            confidence_level=level,
            method=method,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=np.array(replicates)),
        ).confidence_interval
        return [float(found.low), float(found.high)]

    return {"bca": interval("BCa"), "percentile": interval("percentile")}


def adjusted(p_values):
    from scipy.stats import false_discovery_control

    return false_discovery_control(p_values, method="bh").tolist()


def regression_forest(inputs, target, seeds, trees, leaf, points):
    """What several forests explain of unseen points, and their curves."""
    from sklearn.ensemble import RandomForestRegressor

    models = [
        RandomForestRegressor(
            trees, min_samples_leaf=leaf, oob_score=True, random_state=seed
        ).fit(np.transpose(inputs), target)
        for seed in range(seeds)
    ]
    return {
        "r2": [float(model.oob_score_) for model in models],
        "curves": [model.predict(points).tolist() for model in models],
    }


def density(x, y, xs, ys):
    from scipy.stats import gaussian_kde

    places = np.array([[a, b] for b in ys for a in xs]).T
    return gaussian_kde([x, y])(places).tolist()


def conditional(x, y, at):
    """Effective numbers of points and quantiles of the second column for values of the first."""
    from scipy.optimize import brentq
    from scipy.stats import gaussian_kde, norm

    x, y = np.array(x), np.array(y)
    scott = gaussian_kde([x, y]).factor
    widths = [np.std(column, ddof=1) * scott for column in (x, y)]
    answers = []
    for place in at:
        weights = norm.pdf(place, x, widths[0])
        weights /= weights.sum()

        def excess(value, share):
            return weights @ norm.cdf(value, y, widths[1]) - share

        ends = y.min() - 10 * widths[1], y.max() + 10 * widths[1]
        quantiles = [brentq(excess, *ends, args=(share,), xtol=1e-14) for share in (0.05, 0.5, 0.95)]
        answers.append([float(1 / np.sum(weights**2)), *quantiles])
    return answers


def iosi(runs):
    from iosi import signature

    return signature(runs)


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
    "iosi": iosi,
    "coefficients": coefficients,
    "information": information,
    "intervals": intervals,
    "adjusted": adjusted,
    "regression_forest": regression_forest,
    "density": density,
    "conditional": conditional,
}

for line in sys.stdin:
    question = json.loads(line)
    answer = ANSWERS[question.pop("of")](**question)
    print(json.dumps(answer), flush=True)
