# SPDX-License-Identifier: Apache-2.0
"""The same statistics in numpy, each returning what measure_statistics prints, without times."""
import numpy as np

RESAMPLES, RATERS = 5000, 3


def bootstrap(units, statistic, value):
    generator = np.random.default_rng(1)
    values = np.empty(RESAMPLES)
    for i in range(RESAMPLES):
        values[i] = statistic(generator.integers(0, units, units))
    low, high = np.quantile(values, [0.025, 0.975])
    return {"value": value, "low": low, "high": high, "error": values.std(ddof=1)}


def auroc(scores, labels):
    """By ranks; ties share the mean of their ranks."""
    _, group, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[group]
    positives = np.count_nonzero(labels)
    below = ranks[labels != 0].sum() - positives * (positives + 1) / 2
    return below / (positives * (len(labels) - positives))


def alpha(ratings, metric):
    """Krippendorff's alpha from the matrix of coincidences."""
    rated = ~np.isnan(ratings)
    units = ratings[rated.sum(axis=1) >= 2]
    values = np.unique(units[~np.isnan(units)])
    counts = np.stack([(units == value).sum(axis=1) for value in values], axis=1).astype(float)
    raters = counts.sum(axis=1)
    weighted = counts / (raters - 1)[:, None]
    coincidences = counts.T @ weighted - np.diag(weighted.sum(axis=0))
    totals = coincidences.sum(axis=0)
    distances = metric(values, totals)
    expected = np.outer(totals, totals) - np.diag(totals)
    return 1 - (totals.sum() - 1) * (coincidences * distances).sum() / (expected * distances).sum()


def nominal(values, _):
    return 1.0 - np.eye(len(values))


def interval(values, _):
    return (values[:, None] - values[None, :]) ** 2


def ordinal(values, totals):
    middle = np.cumsum(totals) - totals / 2
    return (middle[:, None] - middle[None, :]) ** 2


def statistics(folder):
    """Name -> function; the data are those that measure_statistics left."""
    values, denominators = np.fromfile(folder / "values"), np.fromfile(folder / "denominators")
    labels = np.fromfile(folder / "labels", np.uint8)
    ratings = np.fromfile(folder / "ratings").reshape(-1, RATERS)
    units = len(values)
    return {
        "bootstrap_mean": lambda: bootstrap(units, lambda drawn: values[drawn].mean(), values.mean()),
        "bootstrap_ratio": lambda: bootstrap(
            units, lambda drawn: values[drawn].sum() / denominators[drawn].sum(), values.sum() / denominators.sum()),
        "bootstrap_auroc": lambda: bootstrap(
            units, lambda drawn: auroc(values[drawn], labels[drawn]), auroc(values, labels)),
        "alpha_nominal": lambda: {"value": alpha(ratings, nominal)},
        "alpha_ordinal": lambda: {"value": alpha(ratings, ordinal)},
        "alpha_interval": lambda: {"value": alpha(ratings, interval)},
    }
