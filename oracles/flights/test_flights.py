"""Every count of `examples/flights/README.md`, against the loaded tables and against the published files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "readers"))

import lakehouse
from published import COUNTS, MONTHS, Count, connect, monthly_rows, readme_rows
from story import tenter

ROOT = Path(__file__).resolve().parents[2]
BY_MONTH = ["batch", "flights read", "loaded", "quarantined", "weather read", "loaded", "quarantined"]
HEADINGS = (["what", "count"], BY_MONTH)


@pytest.fixture(scope="session")
def published() -> Iterator[duckdb.DuckDBPyConnection]:
    with connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flights")
    script = ROOT / "examples" / "flights" / "load.sh"
    environment = os.environ | {"TENTER_USER": "test", "NO_COLOR": "1"}
    environment.pop("TENTER_HOME", None)
    done = subprocess.run([script, folder], env=environment, capture_output=True, text=True, timeout=540, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return folder


@pytest.fixture(scope="session")
def loaded(project: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The loaded tables, read from the log and the Parquet without the product."""
    with lakehouse.connect(project / ".tenter") as connection:
        yield connection


def stated() -> dict[str, str]:
    return {row[0]: row[1] for row in readme_rows() if len(row) == 2 and row not in HEADINGS}


def test_every_row_of_the_readme_is_asserted_here() -> None:
    rows = [row for row in readme_rows() if row not in HEADINGS]
    assert sorted(row[0] for row in rows) == sorted([*MONTHS, *(count.label for count in COUNTS)])


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.label)
def test_the_published_files_say_the_same(count: Count, published: duckdb.DuckDBPyConnection) -> None:
    assert str(published.sql(count.published).fetchall()[0][0]) == stated()[count.label]


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.label)
def test_the_loaded_tables_say_the_same(count: Count, loaded: duckdb.DuckDBPyConnection) -> None:
    assert str(loaded.sql(count.loaded).fetchall()[0][0]) == stated()[count.label]


def test_the_months_of_the_published_files(published: duckdb.DuckDBPyConnection) -> None:
    assert [row for row in readme_rows() if row[0] in MONTHS] == monthly_rows(published)


def test_the_receipts_of_the_months(project: Path) -> None:
    found: dict[str, list[str]] = {month: [] for month in MONTHS}
    for table in ("silver.flights", "silver.weather"):
        log = lakehouse.replay(lakehouse.table_path(project / ".tenter", table))
        receipts = [receipt for version in range(log.version + 1) if (receipt := log.receipt(version))]
        for receipt in (receipt for receipt in receipts if receipt["kind"] == "load"):
            counts = receipt["counts"]
            found[receipt["batch"]] += [str(counts[term]) for term in ("read", "inserted", "quarantined")]
            assert counts["read"] == counts["inserted"] + counts["quarantined"]
    assert [[month, *cells] for month, cells in found.items()] == [r for r in readme_rows() if r[0] in MONTHS]


@pytest.mark.parametrize("table", ["silver.flights", "silver.weather", "silver.planes"])
def test_verify_confirms_the_year(table: str, project: Path) -> None:
    done = tenter("verify", table, at=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_contract_pages_are_the_ones_that_docs_writes(project: Path) -> None:
    pages = sorted((ROOT / "examples" / "flights").glob("Lakehouse/Air/contracts/*/README.md"))
    assert len(pages) == 3
    copies = [project / page.relative_to(ROOT / "examples" / "flights") for page in pages]
    for copy in copies:
        copy.unlink()
    assert tenter("docs", at=project).returncode == 0
    assert [copy.read_text("utf-8") for copy in copies] == [page.read_text("utf-8") for page in pages]


def test_rows_that_were_loaded_are_the_published_ones(
    project: Path, published: duckdb.DuckDBPyConnection, loaded: duckdb.DuckDBPyConnection
) -> None:
    """Not only their number: every column that both have, row by row."""
    pairs = {
        "flights": ("good_flights", {"time_hour": "scheduled_hour"}),
        "weather": ("good_weather", {"time_hour": "observed_at"}),
        "planes": ("planes", {}),
    }
    for table, (view, renamed) in pairs.items():
        theirs = [
            f["name"] for f in lakehouse.replay(lakehouse.table_path(project / ".tenter", f"silver.{table}")).schema
        ]
        names = [n for n in published.sql(f"select * from {view}").columns if renamed.get(n, n) in theirs]
        ours = ", ".join(f'cast("{renamed.get(n, n)}" as varchar)' for n in names)
        types = {
            row[0]: row[1] for row in loaded.sql(f"describe silver.{table}").fetchall()
        }  # the published value in the contract's type, so that 39.0 and 39.00 are one
        original = ", ".join(f'cast(cast("{n}" as {types[renamed.get(n, n)]}) as varchar)' for n in names)
        published.sql("set TimeZone = 'UTC'")
        wanted = published.sql(f"select {original} from {view} order by all").fetchall()
        assert loaded.sql(f"select {ours} from silver.{table} order by all").fetchall() == wanted
