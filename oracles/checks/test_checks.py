"""What stands in a table as a check means the same to every engine that may write there.

Random conditions of every form that may stand on a table are put into a contract, a file is loaded, and what each
stored text gives for each row is asked of Spark, Sail and delta-rs. Then delta-rs puts the text on a table of its
own: rows that we accept must pass, a row that we reject must be refused.

TENTER_SEED repeats a run; TENTER_BIN names the product's program.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import deltalake
import pyarrow
import pytest
from deltalake import QueryBuilder

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "readers"))
sys.path.insert(0, str(HERE))

import lakehouse  # noqa: E402
import spark_reader  # noqa: E402
import texts  # noqa: E402
from story import tenter  # noqa: E402

COUNT = 300
FIXED_SEED = 20260301
Truth = dict[str, bool | None]  # id of a row -> what the condition gives for it


def document(checks: Mapping[str, str]) -> dict[str, Any]:
    schema = {"id": "string"} | {name: kind for name, (kind, _, _) in texts.COLUMNS.items()}
    return {
        "Description": "Conditions to be asked of every engine.",
        "Owner": "test",
        "From": "bronze.rows",
        "Primary key": "id",
        "Max reject ratio": "100%",
        "Schema": schema,
        "Checks": dict(checks),
    }


def cell(value: str | None) -> str:
    return "" if value is None else '"' + value.replace('"', '""') + '"'


@dataclass
class Tables:
    stored: dict[str, str]  # name of a check -> its text in the table's properties
    rejected: dict[str, set[str]]  # id of a row -> names of the checks that it breaks
    all_rows: Path  # the table of every row, typed


def refused_checks(project: Path) -> dict[str, str]:
    """Name -> why, for the conditions that `tenter check` does not let onto a table."""
    found = json.loads(tenter("check", "--json", at=project).stdout)["errors"]
    lines = (project / "Lakehouse/Lake/Tables/silver.checked.yml").read_text("utf-8").splitlines()
    return {lines[error["line"] - 1].split(":")[0].strip(' "'): error["code"] for error in found}


def prepare(project: Path, seed: int) -> Tables:
    folder = project / "Lakehouse" / "Lake" / "Tables"
    folder.mkdir(parents=True)
    (project / "tenter.yml").write_text("workspace: w\nitems:\n  Lakehouse/Lake: Lake\n", "utf-8")
    (folder / "bronze.rows.yml").write_text("Description: Rows.\nLanding: landing/*.csv\nFormat: csv\n", "utf-8")
    header = ",".join(["id", *texts.COLUMNS])
    lines = [",".join(cell(value) for value in row) for row in texts.rows(seed)]
    (project / "landing").mkdir()
    (project / "landing" / "rows.csv").write_text("\n".join([header, *lines]) + "\n", "utf-8")
    checks = texts.conditions(seed, COUNT)

    def write(checks: Mapping[str, str]) -> None:
        (folder / "silver.checked.yml").write_text(json.dumps(document(checks), indent=1, ensure_ascii=False), "utf-8")

    assert tenter("init", at=project).returncode == 0
    write(checks)
    refused = refused_checks(project)
    assert set(refused.values()) <= {"sql.not_on_table"}, refused
    write({name: text for name, text in checks.items() if name not in refused})
    everything = {name: value for name, value in document({}).items() if name != "Checks"}
    (folder / "silver.everything.yml").write_text(json.dumps(everything), "utf-8")
    done = tenter("load", "--json", at=project)
    assert done.returncode == 0, done.stdout + done.stderr
    home = project / ".tenter"
    properties = lakehouse.replay(lakehouse.table_path(home, "silver.checked")).properties
    prefix = "delta.constraints."
    stored = {name.removeprefix(prefix): text for name, text in properties.items() if name.startswith(prefix)}
    assert set(stored) == set(checks) - set(refused)
    _, rejects = lakehouse.query(home, "select id, _reject_codes from quarantine.checked")
    return Tables(
        stored,
        {str(row[0]): set(str(row[1]).split(";")) for row in rejects},
        lakehouse.table_path(home, "silver.everything"),
    )


def outside(engine: str, python: Path, jars: str, tables: Tables, folder: Path) -> dict[str, Truth | str]:
    done = subprocess.run(
        [python, HERE / "evaluate.py", engine, tables.all_rows, jars],
        input=json.dumps(tables.stored),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def differences(tables: Tables, theirs: Mapping[str, Truth | str]) -> list[str]:
    found = []
    for name, text in tables.stored.items():
        truth = theirs[name]
        if isinstance(truth, str):
            found.append(f"{text}\n    cannot be read: {truth}")
            continue
        assert len(truth) == texts.ROWS
        for row, value in truth.items():
            accepts = name not in tables.rejected.get(row, set())
            if accepts != (value is True):
                found.append(f"{text}\n    row {row}: we {'accept' if accepts else 'reject'} it, they say {value}")
                break
    return found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    seed = int(os.environ.get("TENTER_SEED") or FIXED_SEED)
    made = prepare(tmp_path_factory.mktemp("checks"), seed)
    print(f"seed {seed}: {len(made.stored)} of {COUNT} conditions stand on the table")
    assert len(made.stored) >= COUNT // 2
    decided = {name for codes in made.rejected.values() for name in codes}
    assert len(decided) >= len(made.stored) // 2, "too few conditions reject anything"
    return made


def test_spark_reads_every_check_as_we_do(tables: Tables, tmp_path: Path) -> None:
    spark = spark_reader.find_spark()
    if isinstance(spark, str):
        pytest.skip(f"Spark was NOT asked: {spark}")
    found = differences(tables, outside("spark", spark[0], str(spark[1]), tables, tmp_path))
    assert not found, "\n".join(found)


def test_sail_reads_every_check_as_we_do(tables: Tables, tmp_path: Path) -> None:
    python = spark_reader.cache() / "sail" / "bin" / "python"
    if not python.is_file():
        pytest.skip(f"Sail was NOT asked: it is not in {spark_reader.cache()}; ./dev setup fetches it")
    found = differences(tables, outside("sail", python, "-", tables, tmp_path))
    assert not found, "\n".join(found)


def delta_rs_truth(table: deltalake.DeltaTable, text: str) -> Truth | str:
    try:
        rows = QueryBuilder().register("t", table).execute(f"select id, ({text}) as c from t").read_all()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"
    frame = pyarrow.table(rows)
    return dict(zip(frame["id"].to_pylist(), frame["c"].to_pylist(), strict=True))


def test_delta_rs_reads_every_check_as_we_do(tables: Tables) -> None:
    table = deltalake.DeltaTable(str(tables.all_rows))
    found = differences(tables, {name: delta_rs_truth(table, text) for name, text in tables.stored.items()})
    assert not found, "\n".join(found)


def rows_of(path: Path) -> pyarrow.Table:
    table = deltalake.DeltaTable(str(path))
    rows = pyarrow.table(QueryBuilder().register("t", table).execute("select * from t").read_all())
    plain = [f.with_type(pyarrow.string()) if pyarrow.types.is_string_view(f.type) else f for f in rows.schema]
    return rows.cast(pyarrow.schema(plain))


def make_table(path: Path, like: Path, check: str) -> None:
    """An empty table of the same columns with one check, its log entry written by hand."""
    metadata = lakehouse.replay(like).metadata | {"configuration": {"delta.constraints.rule": check}}
    actions = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 3}}, {"metaData": metadata}]
    entry = path / "_delta_log" / f"{0:020}.json"
    entry.parent.mkdir(parents=True)
    entry.write_text("".join(json.dumps(action) + "\n" for action in actions), "utf-8")


def refusal(path: Path, rows: pyarrow.Table) -> str | None:
    try:
        deltalake.write_deltalake(str(path), rows, mode="append")
    except Exception as error:
        return str(error)
    return None


def test_delta_rs_keeps_every_check_as_a_writer(tables: Tables, tmp_path: Path) -> None:
    everything = rows_of(tables.all_rows)
    ids = everything["id"].to_pylist()
    found = []
    chance = random.Random(FIXED_SEED)
    for name, text in tables.stored.items():
        truth = delta_rs_truth(deltalake.DeltaTable(str(tables.all_rows)), text)
        assert not isinstance(truth, str)
        path = tmp_path / name
        good = [place for place, row in enumerate(ids) if name not in tables.rejected.get(row, set())]
        # A null is no violation to delta-rs: only rows for which the condition is false are tried.
        bad = [place for place, row in enumerate(ids) if truth[row] is False]
        make_table(path, tables.all_rows, text)
        if good and (why := refusal(path, everything.take(good))):
            found.append(f"{text}\n    rows that we accept are refused: {why[:300]}")
        if bad and not refusal(path, everything.take([chance.choice(bad)])):
            found.append(f"{text}\n    a row that we reject is taken")
        shutil.rmtree(path)
    assert not found, "\n".join(found)
