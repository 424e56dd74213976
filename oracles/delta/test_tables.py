"""Tables of ours, read by others."""

from __future__ import annotations

import datetime
import decimal
import json
import shutil
import urllib.parse
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, QueryBuilder, write_deltalake
from driver import Refused, append, create, drive, field, live_adds, log_entries, read_ours, rows_of

import duckdb

WIDE = [
    field("id", "long", nullable=False),
    field("i", "integer"),
    field("s", "short"),
    field("y", "byte"),
    field("f", "float"),
    field("d", "double"),
    field("money", "decimal(18,2)"),
    field("wide", "decimal(38,18)"),
    field("one", "decimal(1,0)"),
    field("flag", "boolean"),
    field("day", "date"),
    field("at", "timestamp"),
    field("text", "string"),
    field("raw", "binary"),
    field("Mixed Case, ünï", "string"),
]

WIDE_SELECT = """
SELECT {first} + range AS id, (range * 7 - 3000)::INTEGER AS i, (range % 300 - 150)::SMALLINT AS s,
  (range % 200 - 100)::TINYINT AS y,
  CASE WHEN range % 50 = 0 THEN NULL ELSE (range / 7)::FLOAT END AS f,
  CASE WHEN range = {nan} THEN 'nan'::DOUBLE WHEN range % 3 = 0 THEN '-0.0'::DOUBLE ELSE range / 3 END AS d,
  (range * 1.25 - 99)::DECIMAL(18,2) AS money,
  CASE WHEN range = 1 THEN -99999999999999999999.999999999999999999 ELSE (range / 9)::DECIMAL(38,18) END AS wide,
  (range % 10)::DECIMAL(1,0) AS one, range % 2 = 0 AS flag, DATE '0001-01-01' + (range * 3000)::INTEGER AS day,
  CASE WHEN range = 2 THEN TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'
       ELSE make_timestamptz(range * 86400000001 - 5) END AS at,
  CASE WHEN range = 3 THEN repeat('é', 90) || 'end' WHEN range = 4 THEN '' WHEN range = 5 THEN NULL
       ELSE 'text "' || range || '" \\ ' || chr(9) END AS text,
  encode('bytes ' || range) AS raw, CASE WHEN range % 4 = 0 THEN '€uro' END AS "Mixed Case, ünï"
FROM range(1000)
"""


def wide_select(first: int, nan: int = -1) -> str:
    return WIDE_SELECT.format(first=first, nan=nan)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve versions: NaN, an update, an insert, a later column, a CHECK, a checkpoint at version 10."""
    path = tmp_path_factory.mktemp("tables") / "wide"
    create(path, WIDE, {"tenter.note": 'a "quoted" note'})
    append(path, wide_select(0))
    append(path, wide_select(1000, nan=7))
    drive("add-constraint", str(path), "id_not_negative", "id >= 0")
    drive("merge", str(path), wide_select(1995), "id")
    drive("add-column", str(path), "added", "string")
    for version in range(6, 13):
        append(path, f"SELECT {version * 10000}::BIGINT AS id, 'v{version}' AS added")
    return path


def ours(path: Path, version: int | None = None) -> pa.Table:
    return read_ours(path, path.parent / "ours.parquet", version)


def by_pyarrow(table: DeltaTable) -> pa.Table:
    """Through Arrow's own file system: with delta-rs's, written in Python, a reading thread that still waits for
    the interpreter when it ends kills the process now and then ("terminate called without an active exception").
    """
    folder = urllib.parse.unquote(urllib.parse.urlparse(table.table_uri).path)
    return table.to_pyarrow_table(filesystem=pyarrow.fs.SubTreeFileSystem(folder, pyarrow.fs.LocalFileSystem()))


def test_delta_rs_sees_our_rows_and_schema(wide: Path) -> None:
    theirs = DeltaTable(str(wide))
    table = by_pyarrow(theirs)
    mine = ours(wide)
    assert theirs.version() == drive("state", str(wide))["version"] == 12
    assert table.column_names == mine.column_names == [*(column["name"] for column in WIDE), "added"]
    assert table.num_rows == 2995 + 7
    assert rows_of(table) == rows_of(mine)
    kinds = [json.loads(one.to_json())["type"] for one in theirs.schema().fields]
    assert kinds == [*(column["type"] for column in WIDE), "string"]
    assert [one.nullable for one in theirs.schema().fields] == [False] + [True] * (len(kinds) - 1)


def test_bare_parquet_holds_the_same_rows(wide: Path) -> None:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    files = [str(wide / name) for name in live_adds(wide)]
    bare = connection.sql("SELECT * FROM read_parquet($files, union_by_name = true)", params={"files": files})
    assert rows_of(bare.to_arrow_table().select(ours(wide).column_names)) == rows_of(ours(wide))


def test_timestamps_are_utc_microseconds_in_the_file(wide: Path) -> None:
    for name in live_adds(wide):
        kind = pq.read_schema(wide / name).field("at").type
        assert kind == pa.timestamp("us", tz="UTC"), kind


def test_older_versions_are_the_same_to_both(wide: Path) -> None:
    for version in (0, 1, 2, 4, 11):
        theirs = by_pyarrow(DeltaTable(str(wide), version=version))
        assert rows_of(theirs) == rows_of(ours(wide, version)), version


def test_recorded_sizes_are_the_files_sizes(wide: Path) -> None:
    adds = [action["add"] for entry in log_entries(wide) for action in entry if "add" in action]
    assert len(adds) >= 10
    for add in adds:
        assert add["size"] == (wide / add["path"]).stat().st_size, add["path"]


def parsed_bound(value: Any, kind: str) -> Any:
    if kind in ("float", "double"):
        return float(value)
    if kind.startswith("decimal"):
        return decimal.Decimal(value)
    if kind == "date":
        return datetime.date.fromisoformat(value)
    if kind == "timestamp":
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value


def comparable(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def test_statistics_bound_every_value(wide: Path) -> None:
    kinds = {column["name"]: column["type"] for column in [*WIDE, field("added", "string")]}
    bounds = 0
    for name, add in live_adds(wide).items():
        stats = json.loads(add["stats"], parse_float=decimal.Decimal)
        table = pq.read_table(wide / name)
        assert stats["numRecords"] == table.num_rows
        for column, kind in kinds.items():
            values = table.column(column).to_pylist() if column in table.column_names else [None] * table.num_rows
            known = [value for value in values if value is not None]
            assert stats["nullCount"].get(column, table.num_rows) == len(values) - len(known), column
            if column in stats["minValues"]:
                low = parsed_bound(stats["minValues"][column], kind)
                assert all(comparable(value) >= comparable(low) for value in known), (name, column)
                bounds += 1
            if column in stats["maxValues"]:
                high = parsed_bound(stats["maxValues"][column], kind)
                assert all(comparable(value) <= comparable(high) for value in known), (name, column)
            if any(isinstance(value, float) and value != value for value in known):
                assert column not in stats["minValues"] and column not in stats["maxValues"], column
    # Thirteen columns of two files, one of them with NaN; two of seven small files.
    assert bounds == 13 + 12 + 2 * 7


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("at >= arrow_cast('9999-12-31T23:59:59', 'Timestamp(Microsecond, Some(\"UTC\"))')", 3),
        ("money = -99.00", 3),
        ("wide < -99999999999999999998", 3),
        ("one = 9", 299),
        ("day = '0001-01-01'", 3),
        ("text = ''", 3),
        ("text = '" + "é" * 90 + "end'", 3),
        ("f = arrow_cast(0.14285715, 'Float32')", 3),
        ("added = 'v12'", 1),
    ],
)
def test_statistics_lose_no_row_to_a_reader_that_prunes_by_them(wide: Path, condition: str, rows: int) -> None:
    query = QueryBuilder().register("t", DeltaTable(str(wide)))
    found = pa.table(query.execute(f"SELECT count(*) AS n FROM t WHERE {condition}").read_all())
    assert found.column("n").to_pylist() == [rows]


def copied(path: Path, into: Path) -> Path:
    shutil.copytree(path, into)
    return into


def file_state(path: Path) -> list[tuple[str, int]]:
    return sorted((one["path"], one["size"]) for one in drive("state", str(path))["files"])


def test_checkpoint_and_entries_tell_the_same(wide: Path, tmp_path: Path) -> None:
    by_json = copied(wide, tmp_path / "json")
    (by_json / "_delta_log" / "_last_checkpoint").unlink()
    (by_json / "_delta_log" / f"{10:020}.checkpoint.parquet").unlink()
    by_checkpoint = copied(wide, tmp_path / "checkpoint")
    for version in range(11):
        (by_checkpoint / "_delta_log" / f"{version:020}.json").unlink()
    assert file_state(by_json) == file_state(by_checkpoint) == file_state(wide)
    assert rows_of(by_pyarrow(DeltaTable(str(by_checkpoint)))) == rows_of(by_pyarrow(DeltaTable(str(by_json))))
    theirs = DeltaTable(str(by_checkpoint))
    assert theirs.metadata().configuration["delta.constraints.id_not_negative"] == "id >= 0"
    assert theirs.metadata().configuration["tenter.note"] == 'a "quoted" note'
    assert theirs.metadata().id == DeltaTable(str(by_json)).metadata().id
    assert theirs.protocol().min_writer_version == 3


def test_a_checkpoint_of_delta_rs_is_read_by_us(wide: Path, tmp_path: Path) -> None:
    theirs = copied(wide, tmp_path / "theirs")
    DeltaTable(str(theirs)).create_checkpoint()
    for version in range(13):
        (theirs / "_delta_log" / f"{version:020}.json").unlink()
    assert file_state(theirs) == file_state(wide)
    assert drive("state", str(theirs))["warnings"] == []
    assert rows_of(ours(theirs)) == rows_of(ours(wide))


def test_delta_rs_is_held_to_our_check_and_its_good_row_is_read(tmp_path: Path) -> None:
    path = tmp_path / "orders"
    create(path, [field("id", "long", nullable=False), field("total", "decimal(18,2)")])
    append(path, "SELECT 1::BIGINT AS id, 5::DECIMAL(18,2) AS total")
    drive("add-constraint", str(path), "total_ge_0", "total >= 0")

    def rows(total: str) -> pa.Table:
        values = {"id": [2], "total": [decimal.Decimal(total)]}
        kinds = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("total", pa.decimal128(18, 2))])
        return pa.table(values, schema=kinds)

    with pytest.raises(Exception, match="1 rows failed validation check"):
        write_deltalake(str(path), rows("-0.01"), mode="append")
    assert DeltaTable(str(path)).version() == 2
    write_deltalake(str(path), rows("0.01"), mode="append")
    assert rows_of(ours(path)) == [("1", "5.00"), ("2", "0.01")]
    with pytest.raises(Refused, match="table.check_violated"):
        append(path, "SELECT 3::BIGINT AS id, -1::DECIMAL(18,2) AS total")
    assert append(path, "SELECT 3::BIGINT AS id, 7::DECIMAL(18,2) AS total") == 4


def test_delta_rs_keeps_our_properties_through_its_own_writes(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    create(path, [field("id", "long")], {"tenter.contract": '{"a":"b"}', "tenter.contractHash": "00"})
    write_deltalake(str(path), pa.table({"id": pa.array([1], pa.int64())}), mode="append")
    DeltaTable(str(path)).delete("id = 1")
    assert DeltaTable(str(path)).metadata().configuration == {
        "tenter.contract": '{"a":"b"}',
        "tenter.contractHash": "00",
    }
    assert rows_of(ours(path)) == []


def test_a_decimal_of_one_digit_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "decimal"
    create(path, [field("v", "decimal(1,0)"), field("w", "decimal(38,18)")])
    append(path, "SELECT 1::DECIMAL(1,0) AS v, 99999999999999999999.999999999999999999::DECIMAL(38,18) AS w")
    assert by_pyarrow(DeltaTable(str(path))).num_rows == 1
    [add] = live_adds(path).values()
    assert '"minValues":{"v":1,"w":99999999999999999999.999999999999999999}' in add["stats"]
    assert rows_of(ours(path)) == [("1", "99999999999999999999.999999999999999999")]
