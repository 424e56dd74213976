"""Land and first load of 5,000,000 orders, then an upsert of 500,000 into the resulting table, beside a plain DuckDB
script and, once a day, PySpark.

Ours and the script run by turns; figures are medians, with warm page cache. Every run's tables are counted by a
reader that is not ours. Ratios within 1.15 are ties.

With --write the figures become docs/performance.md, beside the physical limit of each path and the small commands.

usage: load.py [--runs 5] [--rows 5000000] [--without-spark] [--write]
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import deltalake
import feed
import page
import small
from measure import Measured, run

import duckdb

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TIE = 1.15

LANDING = """\
Description: Orders exactly as the shop sent them.
Landing: landing/*.csv
Format: csv
"""
ORDERS = """\
Description: One row per order; the newest version wins.
Owner: Sales data team
From: bronze.orders_raw
Primary key: order_id
Version column: source_updated_at
Not null: [customer_id, order_date, order_total, currency]
Clean:
  order_id: trim(order_id)
  customer_id: trim(customer_id)
  currency: upper(trim(currency))
Allowed values:
  currency: [AUD, NZD, USD]
Checks:
  order_total_non_negative: order_total >= 0
Schema:
  order_id: string
  customer_id: string
  order_date: date
  order_total: decimal(18,2)
  currency: string
  source_updated_at: timestamp
"""


def cache() -> Path:
    return Path(os.environ.get("TENTER_CACHE") or Path.home() / ".cache" / "tenter")


def binary() -> Path:
    return Path(os.environ.get("TENTER_BIN") or ROOT / "build" / "release" / "bin" / "tenter").resolve()


@dataclasses.dataclass
class Run:
    first: Measured
    later: Measured
    rows: dict[str, int]  # of the tables, by an outside reader
    replay: Measured | None = None
    limits_s: tuple[float, float] | None = None  # of writing the files of the two loads, where that was asked for


def warm(file: Path) -> None:
    """Into the page cache, for every side; in pieces, because a child's peak begins with what its parent holds."""
    with file.open("rb") as source:
        while source.read(1 << 20):
            pass


# ---- ours ------------------------------------------------------------------------------------------------


def place(source: Path, target: Path) -> None:
    """The same bytes without copying them where the file system can."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


def limits(tables: Path) -> tuple[float, float]:
    """CPU seconds of writing the files of the first and of the later load once more, from memory."""
    found = sorted(tables.glob("*/orders*/*.parquet"), key=lambda file: file.stat().st_mtime_ns)
    written = subprocess.run([sys.executable, HERE / "limit.py", *found], capture_output=True, check=True, text=True)
    seconds = [float(line) for line in written.stdout.split()]
    half = len(found) // 2  # bronze, quarantine and silver, twice
    return sum(seconds[:half]), sum(seconds[half:])


def replay(project: Path, user: dict[str, str]) -> Measured:
    """The later batch once more: everything in it is there."""
    told = subprocess.run(
        [binary(), "batches", "--json"], cwd=project, env=os.environ | user, capture_output=True, check=True, text=True
    )
    batch = json.loads(told.stdout)["result"]["batches"][-1]["batch"]
    return run([binary(), "load", "silver.orders", "--batch", batch], project, user)


def ours(folder: Path, files: tuple[Path, Path], with_limits: bool = False) -> Run:
    project = folder / "project"
    tables = project / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    (project / "landing").mkdir()
    (project / "tenter.yml").write_text("workspace: Bench\n", encoding="utf-8")
    (tables / "bronze.orders_raw.yml").write_text(LANDING, encoding="utf-8")
    (tables / "silver.orders.yml").write_text(ORDERS, encoding="utf-8")
    user = {"TENTER_USER": "bench"}
    run([binary(), "init"], project, user)
    run([binary(), "build"], project, user)
    parts: list[Measured] = []
    for file in files:
        place(file, project / "landing" / file.name)
        parts.append(run([binary(), "load"], project, user))
    found = next((project / ".tenter" / "onelake").glob("*/*/Tables"))
    rows = {name: count_delta(found / name) for name in ("bronze/orders_raw", "silver/orders", "quarantine/orders")}
    named = {name.split("/")[0]: count for name, count in rows.items()}
    limits_s = limits(found) if with_limits else None
    return Run(parts[0], parts[1], named, replay(project, user), limits_s)


def count_delta(table: Path) -> int:
    files = deltalake.DeltaTable(table).file_uris()
    return count_parquet([file.removeprefix("file://") for file in files])


def count_parquet(files: list[str]) -> int:
    row = duckdb.connect().execute("select count(*) from read_parquet(?)", [files]).fetchone()
    assert row is not None
    return int(row[0])


# ---- the peers ---------------------------------------------------------------------------------------------


def script(folder: Path, files: tuple[Path, Path]) -> Run:
    parts = [
        run([sys.executable, HERE / "plain_script.py", step, file, folder], folder)
        for step, file in zip(("first", "later"), files, strict=True)
    ]
    rows = {
        "bronze": count_parquet([str(folder / "bronze-1.parquet"), str(folder / "bronze-2.parquet")]),
        "silver": count_parquet([str(folder / "silver-2.parquet")]),
        "quarantine": count_parquet([str(folder / "quarantine-1.parquet"), str(folder / "quarantine-2.parquet")]),
    }
    return Run(parts[0], parts[1], rows)


def spark_today(files: tuple[Path, Path]) -> tuple[str, Run] | str:
    """Measured once a day, or why not."""
    python, jars = cache() / "spark" / "bin" / "python", cache() / "spark-jars"
    if shutil.which("java") is None or not python.is_file():
        return "Java or PySpark is not on this machine"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    kept = cache() / "bench" / f"pyspark-{today}.json"
    if kept.exists():
        value = json.loads(kept.read_text("utf-8"))
        return today, Run(Measured(**value["first"]), Measured(**value["later"]), value["rows"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        parts = [
            run([python, HERE / "spark_notebook.py", jars, step, file, folder], folder)
            for step, file in zip(("first", "later"), files, strict=True)
        ]
        rows = {name: count_delta(folder / name) for name in ("bronze", "silver", "quarantine")}
    measured = Run(parts[0], parts[1], rows)
    kept.write_text(json.dumps(dataclasses.asdict(measured)), encoding="utf-8")
    return today, measured


# ---- figures -------------------------------------------------------------------------------------------------


def median(runs: list[Measured]) -> Measured:
    return Measured(
        statistics.median(part.wall_s for part in runs),
        statistics.median(part.cpu_s for part in runs),
        statistics.median(part.peak_mb for part in runs),
    )


def show(name: str, part: Measured) -> None:
    print(f"  {name:28} {part.wall_s:8.2f} s wall {part.cpu_s:8.2f} s CPU {part.peak_mb:8.0f} MB peak")


def ratio(what: str, mine: float, peer: float) -> str:
    value = mine / peer
    word = "a tie" if 1 / TIE <= value <= TIE else f"{peer / mine:.1f} times less" if value < 1 else "more"
    return f"{what} {value:.2f} ({word})"


def compare(title: str, mine: Measured, peers: dict[str, Measured]) -> None:
    print(title)
    show("tenter", mine)
    for name, peer in peers.items():
        show(name, peer)
    for name, peer in peers.items():
        parts = [
            ratio("wall", mine.wall_s, peer.wall_s),
            ratio("CPU", mine.cpu_s, peer.cpu_s),
            ratio("peak", mine.peak_mb, peer.peak_mb),
        ]
        print(f"  tenter to {name}: {', '.join(parts)}")


def write_page(
    arguments: argparse.Namespace, busy: float, mine: list[Run], plain: list[Run], spark: tuple[str, Run] | str
) -> None:
    limit = mine[-1].limits_s or (None, None)
    peer = None if isinstance(spark, str) else spark[1]
    first = median([one.first for one in mine]), median([one.first for one in plain])
    later = median([one.later for one in mine]), median([one.later for one in plain])
    again = median([one.replay for one in mine if one.replay is not None])
    rows = arguments.rows
    lines = [
        page.Line(
            f"land + first load of {rows:,} rows", *first, peer and peer.first, limit[0], "0.75 × script, 500 MB"
        ),
        page.Line(f"land + upsert of {rows // 10:,} rows", *later, peer and peer.later, limit[1], "1.0 × script"),
        page.Line(f"replay of {rows // 10:,} rows", again, None, None, None, "–"),
    ]
    title = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{page.processor()}, {os.cpu_count()} processors, {page.memory_gb():.0f} GB",
        "other work on it": "none worth mentioning" if busy < 0.5 else f"a load of {busy:.1f} when the run began",
        "runs": f"{arguments.runs} of each side; the script runs on DuckDB {duckdb.__version__}",
        "PySpark": spark if isinstance(spark, str) else f"one run, {spark[0]}",
    }
    text = page.render(title, lines, small.measure(binary()))
    (ROOT / "docs" / "performance.md").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--without-spark", action="store_true")
    parser.add_argument("--rows", type=int, default=feed.FIRST_ROWS)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    busy = os.getloadavg()[0]
    files = feed.make(cache(), arguments.rows)
    sizes = ", ".join(f"{file.stat().st_size / 1e6:.0f} MB" for file in files)
    print(f"orders feed, seed {feed.SEED}: {sizes}; the script runs on DuckDB {duckdb.__version__}")
    for file in files:
        warm(file)
    mine: list[Run] = []
    plain: list[Run] = []
    wrong: list[str] = []
    for number in range(1, arguments.runs + 1):
        for name, runs in (("tenter", mine), ("script", plain)):
            with tempfile.TemporaryDirectory() as folder:
                last = arguments.write and number == arguments.runs
                one = ours(Path(folder), files, last) if name == "tenter" else script(Path(folder), files)
                runs.append(one)
            one = runs[-1]
            print(f"  run {number} {name}: {one.first.wall_s:.2f} s, {one.later.wall_s:.2f} s", flush=True)
        if mine[-1].rows != plain[-1].rows:
            wrong.append(f"run {number}: rows of tenter {mine[-1].rows}, of the script {plain[-1].rows}")
    firsts = {"plain DuckDB script": median([one.first for one in plain])}
    laters = {"plain DuckDB script": median([one.later for one in plain])}
    without = arguments.without_spark or arguments.rows != feed.FIRST_ROWS
    spark = "left out" if without else spark_today(files)
    if isinstance(spark, str):
        print(f"PySpark: NOT RUN: {spark}")
    else:
        day, measured = spark
        firsts[f"PySpark, one run, {day}"] = measured.first
        laters[f"PySpark, one run, {day}"] = measured.later
        if measured.rows != mine[-1].rows:
            wrong.append(f"rows of PySpark {measured.rows}, of tenter {mine[-1].rows}")
    first_title = f"land + first load of {arguments.rows:,} rows"
    later_title = f"land + upsert of {arguments.rows // 10:,} rows"
    compare(first_title, median([one.first for one in mine]), firsts)
    compare(later_title, median([one.later for one in mine]), laters)
    replays = [one.replay for one in mine if one.replay is not None]
    compare(f"replay of {arguments.rows // 10:,} rows", median(replays), {})
    if arguments.write and not wrong:
        write_page(arguments, busy, mine, plain, spark)
    print(f"rows by an outside reader: {mine[-1].rows}")
    for text in wrong:
        print(f"WRONG: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
