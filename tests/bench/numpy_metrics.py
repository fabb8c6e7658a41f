#!/usr/bin/python3
"""The ten metrics of two raw float32 files as a numpy script would compute them (doubles, one thread),
and the time it takes: the peer of `bench_kernel --raw X Y`.

    numpy_metrics.py X Y         compare two files
    numpy_metrics.py --make X Y [ELEMENTS]   write such a pair
"""
import sys
import time

import numpy as np

EPS, EPS32 = 2.220446049250313e-16, 1.1920928955078125e-07


def distribution(v):
    low, high = v.min(), v.max()
    p = np.maximum((v - low) / (high - low), EPS32) if high > low else np.maximum(v, EPS32)
    return p / p.sum()


def metrics(x, y):
    x, y = x.astype(np.float64), y.astype(np.float64)
    d = np.abs(x - y)
    relative = np.divide(d, np.abs(y), out=np.zeros_like(d), where=np.abs(y) > EPS)
    p, q = distribution(x), distribution(y)
    return {
        "CosineSimilarity": min((x / np.linalg.norm(x) * (y / np.linalg.norm(y))).sum(), 1.0),
        "MaxAbsoluteError": d.max(),
        "AccumulatedRelativeError": relative.sum(),
        "RelativeEuclideanDistance": np.sqrt((d * d).sum() / (y * y).sum()),
        "KullbackLeiblerDivergence": (p * np.log(p / q)).sum(),
        "StandardDeviation": ((x.mean(), x.std()), (y.mean(), y.std())),
        "MeanAbsoluteError": d.mean(),
        "RootMeanSquareError": np.sqrt((d * d).mean()),
        "MaxRelativeError": relative.max(),
        "MeanRelativeError": relative.mean(),
        "nan, inf": [(np.isnan(v).sum(), np.isinf(v).sum()) for v in (x, y)],
        "differing": (x != y).sum(),
    }


def make(paths, n):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(n, dtype=np.float32)
    x.tofile(paths[0])
    (x * (1 + rng.standard_normal(n, dtype=np.float32) * np.float32(1e-3))).tofile(paths[1])


def main():
    if sys.argv[1] == "--make":
        make(sys.argv[2:4], int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 24)
        return
    x, y = (np.fromfile(path, np.float32) for path in sys.argv[1:3])
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        result = metrics(x, y)
        best = min(best, time.perf_counter() - start)
    for name, value in result.items():
        print(name, value)
    print(f"seconds {best:.6f}")


if __name__ == "__main__":
    main()
