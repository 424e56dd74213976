"""The record reader beside DuckDB's read_csv on the same bytes: every cell of the orders feed is read as text.

usage: bench/reader.py [--runs 5] [--threads 2]

Compared are CPU seconds of reading. Opening a file, which landing does too, is shown apart: it makes the content
hash and finds where blocks begin, which read_csv does not do. Both sums of cell bytes must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import feed

import duckdb

BAR = 4.0


def cache() -> Path:
    return Path(os.environ.get("TENTER_CACHE", Path.home() / ".cache" / "tenter")) / "bench"


def ours(program: Path, file: Path, threads: int) -> dict[str, int]:
    done = subprocess.run([program, file, str(threads)], capture_output=True, check=True)
    return dict(json.loads(done.stdout))


def theirs(file: Path, threads: int) -> dict[str, int]:
    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    source = f"read_csv('{file}', all_varchar = true, header = true, delim = ',', quote = '\"')"
    names = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()]
    total = " + ".join(f"coalesce(sum(strlen({name})), 0)" for name in names)
    began, before = time.monotonic(), os.times()
    row = connection.execute(f"SELECT count(*), {total} FROM {source}").fetchone()
    wall, after = time.monotonic() - began, os.times()
    cpu = after.user + after.system - before.user - before.system
    assert row is not None
    return {"rows": row[0], "bytes": int(row[1]), "read_ms": round(wall * 1000), "read_cpu_ms": round(cpu * 1000)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    cache().mkdir(parents=True, exist_ok=True)
    file = feed.make(cache())[0]
    program = Path(os.environ["TENTER_BIN"]).with_name("records_read")
    mine: list[dict[str, int]] = []
    peer: list[dict[str, int]] = []
    for _ in range(arguments.runs):
        mine.append(ours(program, file, arguments.threads))
        peer.append(theirs(file, arguments.threads))
        if mine[-1]["rows"] != peer[-1]["rows"] or mine[-1]["bytes"] != peer[-1]["bytes"]:
            print(f"the readers differ: {mine[-1]} {peer[-1]}")
            return 1

    def median(runs: list[dict[str, int]], name: str) -> float:
        return statistics.median(run[name] for run in runs)

    size_mb = file.stat().st_size / 1e6
    print(f"{mine[0]['rows']} rows, {size_mb:.0f} MB, {arguments.threads} threads, median of {arguments.runs}")
    for name, runs in (("ours", mine), ("DuckDB read_csv", peer)):
        cpu, wall = median(runs, "read_cpu_ms"), median(runs, "read_ms")
        print(f"  {name:16} {cpu:6.0f} ms CPU {wall:6.0f} ms wall {size_mb / cpu:6.2f} GB for each CPU second")
    print(f"  opening, ours    {median(mine, 'open_cpu_ms'):6.0f} ms CPU {median(mine, 'open_ms'):6.0f} ms wall")
    ratio = median(peer, "read_cpu_ms") / median(mine, "read_cpu_ms")
    print(f"  ratio {ratio:.1f} (bar {BAR:.0f})")
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
