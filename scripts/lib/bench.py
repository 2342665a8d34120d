"""The measurements behind scripts/bench."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

import bench_bundle
import bench_host
import bench_lint
import bench_reload
import bench_start

RUNS = 21
# An installed package has its byte code; so must the checkout that is measured.
ENVIRON = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def median_ms(command: Sequence[str], runs: int = RUNS) -> float:
    """Return the median wall time of a command in milliseconds; the first run only warms up."""
    times = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRON)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times[1:])


def startup() -> int:
    """`mcpapps --help` beside `python -c pass`; at most 150 ms more."""
    bare = median_ms([sys.executable, "-c", "pass"])
    ours = median_ms([sys.executable, "-m", "mcpapps_cli", "--help"])
    print(f"python -c pass    {bare:6.0f} ms")
    print(f"mcpapps --help    {ours:6.0f} ms   {ours - bare:.0f} ms more (limit 150)")
    return 0 if ours - bare <= 150 else 1


BENCHES = {
    "bundle": bench_bundle.bundle,
    "host": bench_host.host,
    "startup": startup,
    "lint": bench_lint.lint,
    "reload": bench_reload.reload,
    "start": bench_start.start,
}


def main() -> int:
    names = sys.argv[1:] or list(BENCHES)
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(
            f'error: no bench "{unknown[0]}"\n help: one of {", ".join(BENCHES)}', file=sys.stderr
        )
        return 2
    return max(BENCHES[name]() for name in names)


if __name__ == "__main__":
    sys.exit(main())
