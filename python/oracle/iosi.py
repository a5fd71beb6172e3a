"""The signature that IOSI (Liu et al., FAST 2014) finds, in NumPy, scikit-learn and PyWavelets.

Where the paper is silent, this makes the choices that docs/signature.md states, and shares no code with
what it is compared with.
"""

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import pywt
from sklearn.neighbors import LocalOutlierFactor


class Point(NamedTuple):
    time: float
    likeness: float
    sample: int
    burst: int


def rounded(value):
    """Halves go away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def ordinary(runs):
    """The runs whose durations and volumes are not those of outliers."""
    if len(runs) < 5:
        return list(range(len(runs)))
    measured = np.array([[len(run), np.sum(run)] for run in runs], float)
    apart = measured - measured.mean(axis=0)
    scale = measured.std(axis=0)
    points = np.divide(apart, scale, out=np.zeros_like(apart), where=scale > 0)
    neighbours = min(max(2, len(runs) // 2 - 1), 20)
    model = LocalOutlierFactor(n_neighbors=neighbours).fit(points)
    factors = -model.negative_outlier_factor_
    return np.flatnonzero(factors <= max(1.5, factors.mean())).tolist()


def prepared(runs):
    """As many points in each, twice as dense, without what is always there."""
    finer = [np.interp(np.arange(2 * len(run) - 1) / 2, np.arange(len(run)), run) for run in runs]
    length = min(map(len, finer))
    equal = []
    for run in finer:
        surplus = len(run) - length
        equal.append(np.delete(run, [k * len(run) // surplus for k in range(surplus)]))
    table = np.array(equal)
    background = table[table < table.mean()].mean()
    return np.maximum(table - background, 0.0), background


def turning_points(curve):
    """Crests and troughs, of flat stretches the middle."""
    # Where a flat stretch begins and ends, as runs of equal values.
    edges = np.flatnonzero(np.diff(curve)) + 1
    begins, ends = np.r_[0, edges], np.r_[edges, len(curve)] - 1
    heights = curve[begins]
    middles = (begins + ends) // 2
    inner = range(1, len(heights) - 1)
    crests = [middles[i] for i in inner if heights[i - 1] < heights[i] > heights[i + 1]]
    troughs = [middles[i] for i in inner if heights[i - 1] > heights[i] < heights[i + 1]]
    return crests, troughs


def bursts_of(rates):
    """First point, crest and last point of each burst."""
    level = min(2, pywt.dwt_max_level(len(rates), pywt.Wavelet("dmey").dec_len))
    approximation, *details = pywt.wavedec(rates, "dmey", mode="symmetric", level=level)
    blurred = [approximation] + [np.zeros_like(detail) for detail in details]
    smooth = pywt.waverec(blurred, "dmey", mode="symmetric")[: len(rates)]
    crests, troughs = turning_points(smooth)
    limit = np.mean(smooth[crests])
    cuts = [0] + [int(k) for k in troughs if smooth[k] < limit] + [len(rates) - 1]
    pieces = ((a, a + int(np.argmax(smooth[a : b + 1])), b) for a, b in zip(cuts, cuts[1:]))
    return [piece for piece in pieces if smooth[piece[1]] > limit]


def points_of(table, bursts):
    """Each burst at its crest, with its likeness to the mean burst in a window."""
    lengths = [b - a + 1 for own in bursts for a, _, b in own]
    half = max(1, rounded(np.quantile(lengths, 0.9) / 2))
    keys, windows = [], []
    for sample, own in enumerate(bursts):
        for number, (first, crest, last) in enumerate(own):
            padded = np.zeros(len(table[sample]) + 2 * half)
            padded[half + first : half + last + 1] = table[sample][first : last + 1]
            windows.append(padded[crest : crest + 2 * half + 1])
            keys.append((crest, sample, number))
    mean = np.mean(windows, axis=0)
    points = []
    for (crest, sample, number), window in zip(keys, windows):
        likeness = np.corrcoef(window, mean)[0, 1] if window.std() > 0 else 0.0
        points.append(Point(float(crest), max(0.0, likeness), sample, number))
    return points


def samples_in(points):
    return len({point.sample for point in points})


def clusters_of(points, samples, width, height):
    dense = math.ceil(0.5 * samples - 1e-9)
    common = math.ceil(0.9 * samples - 1e-9)
    highest = math.ceil(1 / height) - 1
    left, found = set(points), []
    while True:
        cells = defaultdict(list)
        for point in sorted(left):
            row = min(int(point.likeness / height), highest)
            cells[int(point.time / width), row].append(point)
        order = sorted((-samples_in(inside), cell) for cell, inside in cells.items())
        for density, (x, y) in order:
            around = [cells.get((x + i, y + j), []) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            near = [point for inside in around for point in inside]
            if -density >= dense and samples_in(near) >= common:
                break
        else:
            return sorted(found, key=lambda cluster: np.mean([point.time for point in cluster]))

        def far(point):
            apart = ((point.time - o.time, point.likeness - o.likeness) for o in near)
            return sum(math.hypot(t / width, c / height) for t, c in apart)

        best = {}
        for point in sorted(near):
            rank = (far(point), point.time)
            if point.sample not in best or rank < best[point.sample][0]:
                best[point.sample] = (rank, point)
        chosen = [point for _, point in best.values()]
        found.append(chosen)
        left -= set(chosen)


def search(points, bursts):
    lengths = [b - a + 1 for own in bursts for a, _, b in own]
    gaps = [two[1] - one[1] for own in bursts for one, two in zip(own, own[1:])]
    narrowest = np.mean(lengths)
    best = None
    for width in np.linspace(narrowest, max(np.mean(gaps), narrowest), 5):
        for height in np.linspace(0.05, 0.25, 5):
            found = clusters_of(points, len(bursts), width, height)
            spread = sum(np.std([point.time for point in cluster]) for cluster in found)
            rank = (-sum(map(len, found)), spread, width)
            if best is None or rank < best[0]:
                best = (rank, found, width, height)
    return best[1:]


def signature(runs):
    used = ordinary(runs)
    table, background = prepared([runs[i] for i in used])
    bursts = [bursts_of(rates) for rates in table]
    clusters, width, height = search(points_of(table, bursts), bursts)
    length = table.shape[1]
    course = np.zeros(length)
    for cluster in clusters:
        time = np.mean([point.time for point in cluster])
        total = np.zeros(length)
        for point in cluster:
            first, _, last = bursts[point.sample][point.burst]
            places = np.arange(first, last + 1)
            moved = places + rounded(time - point.time)
            inside = (moved >= 0) & (moved < length)
            total[moved[inside]] += table[point.sample][places[inside]]
        course = np.maximum(course, total / len(cluster))
    return {
        "used": used,
        "background": float(background),
        "cell": [float(width), float(height)],
        "bursts": [[a, p, b] for own in bursts for a, p, b in own],
        "times": [float(np.mean([point.time for point in cluster])) for cluster in clusters],
        "support": [len(cluster) for cluster in clusters],
        "rates": course.tolist(),
    }
