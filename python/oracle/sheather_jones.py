"""The width of Sheather and Jones (R's bw.SJ, method "ste") by its formula, over all pairs, without cells."""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm


def width(x):
    n = len(x)
    square = (x[:, None] - x[None, :]) ** 2

    def functional(h, order, polynomial):
        d = square / h**2
        total = (np.exp(-d / 2) * polynomial(d)).sum()
        return total / (n * (n - 1) * h ** (order + 1) * np.sqrt(2 * np.pi))

    def fourth(h):
        return functional(h, 4, lambda d: d**2 - 6 * d + 3)

    def sixth(h):
        return functional(h, 6, lambda d: d**3 - 15 * d**2 + 45 * d - 15)

    scale = min(x.std(ddof=1), np.subtract(*np.percentile(x, [75, 25])) / 1.349)
    a, b = 1.24 * scale * n ** (-1 / 7), 1.23 * scale * n ** (-1 / 9)
    alpha = 1.357 * (fourth(a) / -sixth(b)) ** (1 / 7)
    most = 1.144 * scale * n ** (-1 / 5)

    def above(h):
        return (1 / (2 * np.sqrt(np.pi) * n * fourth(alpha * h ** (5 / 7)))) ** 0.2 - h

    return brentq(above, 0.1 * most, most, xtol=1e-12)


def normal(n):
    return norm.ppf((np.arange(1, n + 1) - 0.5) / n)


if __name__ == "__main__":
    print(width(normal(500)))
    print(width(np.concatenate([normal(200), 10 + 0.5 * normal(200)])))
