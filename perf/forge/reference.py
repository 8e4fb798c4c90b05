# SPDX-License-Identifier: Apache-2.0
"""The pair search as one would write it with OpenCV: a function of two pictures, called for every pair."""
import cv2
import numpy as np


def similarity(first, second):
    greys = [cv2.cvtColor(cv2.resize(image, (224, 224)), cv2.COLOR_RGB2GRAY) for image in (first, second)]
    histograms = [cv2.calcHist([grey], [0], None, [256], [0, 256]) for grey in greys]
    correlation = cv2.compareHist(histograms[0], histograms[1], cv2.HISTCMP_CORREL)
    x, y = (grey.astype(np.float64) / 255 for grey in greys)
    covariance = ((x - x.mean()) * (y - y.mean())).mean()
    ssim = ((2 * x.mean() * y.mean() + 0.01**2) * (2 * covariance + 0.03**2)
            / ((x.mean()**2 + y.mean()**2 + 0.01**2) * (x.var() + y.var() + 0.03**2)))
    (h1, w1), (h2, w2) = first.shape[:2], second.shape[:2]
    size = (1 - abs(h1 - h2) / max(h1, h2)) * (1 - abs(w1 - w2) / max(w1, w2))
    return 0.4 * (correlation + 1) / 2 + 0.4 * max(ssim, 0) + 0.2 * size
