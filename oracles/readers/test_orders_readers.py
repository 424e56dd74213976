"""After each day: three outside readers see the same rows and schema, and the same as a model of the day.

Then the contract is tried from outside: delta-rs and Spark are refused a row that breaks it.
"""

from __future__ import annotations

import json
import shutil
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import deltalake
import lakehouse
import pyarrow
import pytest
from orders_counts import DECLARED, Day
from spark_reader import Spark
from story import DAYS, Story, tenter

import duckdb

TABLES = ["bronze.orders_raw", "silver.orders", "quarantine.orders", "quarantine.orders_raw_malformed"]
FROM = {"quarantine.orders": 1, "quarantine.orders_raw_malformed": 3}  # the day that makes the table

Rows = list[list[str | None]]
Schema = list[list[str]]


def text(value: object) -> str | None:
    """One text for one value, whichever reader gave it: instants as microseconds, bytes as hex."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return str((value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))
    if isinstance(value, bytes):
        return value.hex().upper()
    assert isinstance(value, int | Decimal | date), value
    return str(value)


def spark_name(delta_type: str) -> str:
    return {"long": "bigint", "integer": "int"}.get(delta_type, delta_type)


def sort(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: [(cell is None, cell or "") for cell in row])


def by_delta_rs(path: Path) -> tuple[Schema, Rows]:
    table = deltalake.DeltaTable(str(path))
    fields = json.loads(table.schema().to_json())["fields"]
    found = pyarrow.table(deltalake.QueryBuilder().register("t", table).execute("select * from t"))
    assert found.column_names == [field["name"] for field in fields]
    rows = [[text(cell) for cell in row] for row in zip(*(c.to_pylist() for c in found.columns), strict=True)]
    return [[field["name"], spark_name(field["type"])] for field in fields], sort(rows)


def by_duckdb(path: Path) -> tuple[Schema, Rows]:
    log = lakehouse.replay(path)
    with duckdb.connect() as connection:
        connection.sql("set TimeZone = 'UTC'")
        relation = connection.sql(lakehouse.select_over(connection, log))
        cells = []
        for name, kind in zip(relation.columns, relation.types, strict=True):
            cell = f'epoch_us("{name}")' if str(kind).startswith("TIMESTAMP") else f'"{name}"'
            cells.append(f"cast({f'hex({cell})' if str(kind) == 'BLOB' else cell} as varchar)")
        rows = connection.sql(f"select {', '.join(cells)} from ({lakehouse.select_over(connection, log)})").fetchall()
        types = {"TIMESTAMP WITH TIME ZONE": "timestamp", "VARCHAR": "string", "BLOB": "binary"}
        schema = [
            [name, types.get(str(kind), str(kind).lower())]
            for name, kind in zip(relation.columns, relation.types, strict=True)
        ]
    return schema, sort([list(row) for row in rows])


def by_spark(path: Path, spark: Spark) -> tuple[Schema, Rows]:
    answer = spark.ask(do="read", path=str(path))
    return answer["schema"], sort(answer["rows"])


TABLE_DAYS = [(table, day) for table in TABLES for day in DAYS if day >= FROM.get(table, 1)]


@pytest.mark.parametrize(("table", "day"), TABLE_DAYS)
def test_delta_rs_and_duckdb_see_the_same(table: str, day: int, story: Story) -> None:
    path = lakehouse.table_path(story.homes[day], table)
    assert by_delta_rs(path) == by_duckdb(path)


@pytest.mark.parametrize(("table", "day"), TABLE_DAYS)
def test_spark_sees_what_delta_rs_sees(table: str, day: int, story: Story, spark: Spark) -> None:
    path = lakehouse.table_path(story.homes[day], table)
    assert by_spark(path, spark) == by_delta_rs(path)


@pytest.mark.parametrize("day", DAYS)
def test_silver_holds_the_rows_of_the_model(day: int, story: Story, model: dict[int, Day]) -> None:
    schema, rows = by_duckdb(lakehouse.table_path(story.homes[day], "silver.orders"))
    assert [name for name, _ in schema] == [*DECLARED, "_source_file", "_loaded_at"]
    wanted = [[text(value) for value in order.values] + [order.file] for order in model[day].silver]
    assert [row[:-1] for row in rows] == sort(wanted)


@pytest.mark.parametrize("day", DAYS)
def test_the_quarantine_holds_the_rejects_of_the_model(day: int, story: Story, model: dict[int, Day]) -> None:
    columns = ["_batch_id", "_source_file", "_source_line", "_reject_codes", "_reject_reason"]
    raw = [f"raw_{column}" for column in DECLARED]
    sql = f"select {', '.join([*columns, *raw])} from quarantine.orders"
    wanted = [
        [past.batch.id, reject.file, str(reject.line), reject.codes, reject.reasons, *map(reject.raw.get, DECLARED)]
        for past in (model[number] for number in range(1, day + 1))
        for reject in past.quarantined
    ]
    _, rows = lakehouse.query(story.homes[day], sql)
    assert sort([list(row) for row in rows]) == sort(wanted)


def test_malformed_records_are_those_of_the_model(story: Story, model: dict[int, Day]) -> None:
    sql = "select _batch_id, _source_file, _source_line, _reject_codes from quarantine.orders_raw_malformed"
    wanted = [
        (day.batch.id, file, str(line), code) for day in model.values() for file, line, code in day.batch.malformed_at
    ]
    assert sorted(lakehouse.query(story.homes[8], sql)[1]) == sorted(wanted)


@pytest.mark.parametrize("day", DAYS)
def test_verify_confirms_the_day(day: int, story: Story) -> None:
    for deep in ([], ["--deep"]):
        done = tenter("verify", "silver.orders", "--home", story.homes[day], *deep, at=story.project)
        assert done.returncode == 0, done.stdout + done.stderr


# ---- the contract, tried from outside ---------------------------------------------------------------------

GOOD = ("A-9001", "C-001", "2026-03-09", "12.50", "NZD", "2026-03-09T00:00:00Z", "by hand")
BAD = {
    "a negative total": (GOOD[:3] + ("-1.00",) + GOOD[4:], "order_total_non_negative"),
    "an unknown currency": (GOOD[:4] + ("EUR",) + GOOD[5:], "currency_allowed"),
}


@pytest.fixture
def home(story: Story, tmp_path: Path) -> Path:
    """A home of its own, because it will be written to."""
    return Path(shutil.copytree(story.homes[8], tmp_path / "home"))


def arrow_row(row: tuple[str, ...]) -> pyarrow.Table:
    def names(column: str, kind: pyarrow.DataType, value: object, nullable: bool) -> tuple[pyarrow.Field, list[object]]:
        return pyarrow.field(column, kind, nullable), [value]

    instant = datetime.fromisoformat(row[5])
    cells = [
        names("order_id", pyarrow.string(), row[0], False),
        names("customer_id", pyarrow.string(), row[1], False),
        names("order_date", pyarrow.date32(), date.fromisoformat(row[2]), False),
        names("order_total", pyarrow.decimal128(18, 2), Decimal(row[3]), False),
        names("currency", pyarrow.string(), row[4], False),
        names("source_updated_at", pyarrow.timestamp("us", "UTC"), instant, False),
        names("note", pyarrow.string(), row[6], True),
        names("_source_file", pyarrow.string(), "by hand", True),
        names("_loaded_at", pyarrow.timestamp("us", "UTC"), instant, True),
    ]
    return pyarrow.table([values for _, values in cells], schema=pyarrow.schema([kind for kind, _ in cells]))


def spark_row(row: tuple[str, ...]) -> str:
    return (
        f"select '{row[0]}' as order_id, '{row[1]}' as customer_id, date '{row[2]}' as order_date,"
        f" cast('{row[3]}' as decimal(18,2)) as order_total, '{row[4]}' as currency,"
        f" timestamp '{row[5]}' as source_updated_at, '{row[6]}' as note, 'by hand' as _source_file,"
        f" timestamp '{row[5]}' as _loaded_at"
    )


def seen_by_tenter(home: Path, story: Story) -> bool:
    """Whether the row by hand shows up, with its values, in `sql` and in `show`."""
    asked = "select order_id, order_total::varchar as total, note from silver.orders where order_id = 'A-9001'"
    done = tenter("sql", asked, "--home", home, "--json", at=story.project)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = tenter("show", "silver.orders", "--home", home, "--json", at=story.project)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    return all(word in done.stdout for word in ("A-9001", "12.50", "by hand"))


@pytest.mark.parametrize("what", BAD)
def test_delta_rs_is_refused_a_row_that_breaks_a_check(what: str, home: Path) -> None:
    path = lakehouse.table_path(home, "silver.orders")
    before = lakehouse.replay(path)
    row, constraint = BAD[what]
    with pytest.raises(deltalake.exceptions.DeltaError) as refused:
        deltalake.write_deltalake(str(path), arrow_row(row), mode="append")
    assert constraint in str(refused.value) or "check" in str(refused.value).lower()
    assert lakehouse.replay(path).version == before.version


def test_delta_rs_is_refused_a_null_in_a_required_column(home: Path) -> None:
    path = lakehouse.table_path(home, "silver.orders")
    before = lakehouse.replay(path)
    good = arrow_row(GOOD)
    at = good.schema.get_field_index("customer_id")
    missing = pyarrow.array([None], pyarrow.string())
    broken = good.set_column(at, pyarrow.field("customer_id", pyarrow.string()), missing)
    with pytest.raises(deltalake.exceptions.DeltaError):
        deltalake.write_deltalake(str(path), broken, mode="append")
    assert lakehouse.replay(path).version == before.version


def test_a_good_row_of_delta_rs_is_read(home: Path, story: Story) -> None:
    path = lakehouse.table_path(home, "silver.orders")
    assert not seen_by_tenter(home, story)
    deltalake.write_deltalake(str(path), arrow_row(GOOD), mode="append")
    assert seen_by_tenter(home, story)
    verified = tenter("verify", "silver.orders", "--home", home, at=story.project)
    assert verified.returncode == 1 and "verify.receipt_missing" in verified.stdout + verified.stderr


@pytest.mark.parametrize("what", BAD)
def test_spark_is_refused_a_row_that_breaks_a_check(what: str, home: Path, spark: Spark) -> None:
    path = lakehouse.table_path(home, "silver.orders")
    before = lakehouse.replay(path)
    row, constraint = BAD[what]
    answer = spark.ask(do="append", path=str(path), select=spark_row(row))
    assert constraint in (answer["refused"] or "")
    assert lakehouse.replay(path).version == before.version


def test_a_good_row_of_spark_is_read(home: Path, story: Story, spark: Spark) -> None:
    path = lakehouse.table_path(home, "silver.orders")
    assert not seen_by_tenter(home, story)
    assert spark.ask(do="append", path=str(path), select=spark_row(GOOD)) == {"refused": None}
    assert seen_by_tenter(home, story)
