"""A landing table that keeps names as sent, and a Delta table that others wrote: three outside readers see the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import deltalake
import lakehouse
import pyarrow
import pytest
from spark_reader import Spark
from test_orders_readers import by_delta_rs, by_duckdb, by_spark

import duckdb

ROOT = Path(__file__).resolve().parents[2]
TENTER = Path(os.environ.get("TENTER_BIN", ROOT / "build" / "fast" / "bin" / "tenter"))
NAMES = ["Order ID", "a,b;{c}=d", "net (EUR)", "tab\there", "plain", 'a"b', "größe ²"]


def tenter(project: Path, *arguments: str) -> None:
    done = subprocess.run(
        [TENTER, "--project", project, *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def make_project(folder: Path, document: str) -> Path:
    tables = folder / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    (tables / "bronze.raw.yml").write_text("Description: As sent.\n" + document, "utf-8")
    (folder / "in").mkdir()
    tenter(folder, "init", "--test-clock", "2026-03-01T06:00:00Z")
    return folder


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve batches, so that a checkpoint tells of the mapping too; the third brings a column."""
    document = "Landing: in/*.csv\nFormat: csv\nColumn names: as sent\n"
    project = make_project(tmp_path_factory.mktemp("named") / "shop", document)
    for batch in range(12):
        names = NAMES if batch < 2 else [*NAMES, "later one"]
        cells = [f"{batch}.{at}" for at in range(len(names))]
        lines = [",".join('"' + text.replace('"', '""') + '"' for text in row) for row in (names, cells)]
        (project / "in" / f"{batch:02}.csv").write_text("\n".join(lines) + "\n", "utf-8")
        tenter(project, "load", "bronze.raw", "--batch", f"b{batch}")
    tenter(project, "verify", "bronze.raw")
    return lakehouse.table_path(project / ".tenter", "bronze.raw")


def test_the_log_says_what_the_protocol_asks(named: Path) -> None:
    log = lakehouse.replay(named)
    assert log.protocol == {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["columnMapping"],
        "writerFeatures": ["columnMapping", "appendOnly"],
    }
    assert log.properties["delta.columnMapping.mode"] == "name"
    assert [field["name"] for field in log.schema] == [
        *NAMES,
        "_source_file",
        "_source_line",
        "_loaded_at",
        "_batch_id",
        "later one",
    ]
    ids = [field["metadata"]["delta.columnMapping.id"] for field in log.schema]
    assert ids == list(range(1, len(log.schema) + 1))
    assert log.properties["delta.columnMapping.maxColumnId"] == str(len(ids))
    stored = {lakehouse.stored_name(field) for field in log.schema}
    assert len(stored) == len(ids) and all(name.startswith("col-") for name in stored)
    for add in log.files.values():
        stats = json.loads(add["stats"])
        assert set(stats["nullCount"]) <= stored and set(stats["minValues"]) <= stored
    assert (named / "_delta_log" / "00000000000000000010.checkpoint.parquet").is_file()


def test_delta_rs_and_duckdb_see_the_same(named: Path) -> None:
    schema, rows = by_delta_rs(named)
    assert len(rows) == 12 and schema[0] == ["Order ID", "string"]
    assert by_duckdb_quoted(named) == rows
    from_checkpoint = named.parent / "copy"
    shutil.copytree(named, from_checkpoint)
    for entry in range(10):
        (from_checkpoint / "_delta_log" / f"{entry:020}.json").unlink()
    assert by_delta_rs(from_checkpoint) == (schema, rows)


def by_duckdb_quoted(path: Path) -> list[list[str | None]]:
    """By the numbers of the columns alone, as a reader that maps by id does."""
    log = lakehouse.replay(path)
    fields = ", ".join(
        f"{field['metadata']['delta.columnMapping.id']}: {{name: 'c{at}', "
        f"type: '{lakehouse.duckdb_type(field['type'])}', default_value: NULL}}"
        for at, field in enumerate(log.schema)
    )
    files = ", ".join("'" + str(path / name) + "'" for name in log.files)
    cells = [
        f"cast(epoch_us(c{at}) as varchar)" if field["type"] == "timestamp" else f"cast(c{at} as varchar)"
        for at, field in enumerate(log.schema)
    ]
    with duckdb.connect() as connection:
        rows = connection.sql(
            f"select {', '.join(cells)} from read_parquet([{files}], schema = MAP {{{fields}}})"
        ).fetchall()
    return sorted([list(row) for row in rows], key=lambda row: [(cell is None, cell or "") for cell in row])


def test_spark_sees_the_same(named: Path, spark: Spark) -> None:
    assert by_spark(named, spark) == by_delta_rs(named)


def test_what_delta_rs_writes_lands_version_by_version(tmp_path: Path, spark: Spark) -> None:
    project = make_project(tmp_path / "shop", "Landing: in/*\nFormat: delta\n")
    source = project / "in" / "orders"

    def write(low: int, high: int) -> None:
        table = pyarrow.table({"id": list(range(low, high)), "total": [f"{value}.50" for value in range(low, high)]})
        deltalake.write_deltalake(str(source), table, mode="append")
        tenter(project, "load", "bronze.raw")

    write(0, 3)
    write(3, 5)
    deltalake.DeltaTable(str(source)).optimize.compact()
    tenter(project, "load", "bronze.raw")
    deltalake.DeltaTable(str(source)).delete("id = 0")
    tenter(project, "load", "bronze.raw")
    write(5, 6)
    tenter(project, "verify", "bronze.raw")
    path = lakehouse.table_path(project / ".tenter", "bronze.raw")
    assert by_delta_rs(path) == by_duckdb(path) == by_spark(path, spark)
    _, rows = lakehouse.query(
        project / ".tenter", "select id, count(*), min(_source_file) from bronze.raw group by id order by id"
    )
    # The deletion wrote the compacted file anew, without one row: what it holds lands again.
    assert rows == [
        ("0", "1", "in/orders@v0"),
        ("1", "2", "in/orders@v0"),
        ("2", "2", "in/orders@v0"),
        ("3", "2", "in/orders@v1"),
        ("4", "2", "in/orders@v1"),
        ("5", "1", "in/orders@v4"),
    ]
