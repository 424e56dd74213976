"""One seed of the Spark oracle: made-up files, our load, the load in PySpark over the slow reader's rows, and the
differences between both. Used by the test and by the mutations."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

import duckdb

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "landing")]

import contracts  # noqa: E402
import generate  # noqa: E402
import slow_reader  # noqa: E402

BATCHES = [f"day-{day}" for day in range(1, generate.DAYS + 1)]


def cache() -> Path:
    return Path(os.environ.get("TENTER_CACHE") or Path.home() / ".cache" / "tenter")


def find_spark() -> tuple[Path, Path] | str:
    """Its Python and its jars, or why it cannot run here."""
    python, jars = cache() / "spark" / "bin" / "python", cache() / "spark-jars"
    if shutil.which("java") is None:
        return "there is no java"
    if not python.is_file() or not list(jars.glob("delta-spark*.jar")):
        return f"PySpark or its jars are not in {cache()}; ./dev setup fetches them"
    return python, jars


# ---- our side --------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Ours:
    """A project that the product loaded."""

    project: Path
    binary: Path

    def run(self, *arguments: str) -> dict[str, Any]:
        environment = {name: value for name, value in os.environ.items() if name != "TENTER_HOME"}
        environment |= {"TENTER_USER": "oracle", "NO_COLOR": "1"}
        done = subprocess.run(
            [self.binary, *arguments, "--json"],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"tenter {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def load_all(self, days: Path) -> None:
        self.run("init", "--test-clock", "2026-06-01T00:00:00Z")
        self.run("build")
        for day, batch in enumerate(BATCHES, 1):
            for path in sorted((days / str(day)).iterdir()):
                shutil.copy(path, self.project / "landing" / "orders" / path.name)
            self.run("load", "bronze.orders_raw", "--batch", batch)
            self.run("load", "silver.orders")
            self.run("load", "silver.first_orders")

    def folder(self, table: str) -> Path:
        found = sorted((self.project / ".tenter" / "onelake").glob(f"*/*/Tables/{table.replace('.', '/')}"))
        assert len(found) == 1, found
        return found[0]

    def commits(self, table: str) -> list[list[dict[str, Any]]]:
        entries = sorted((self.folder(table) / "_delta_log").glob("*.json"))
        return [[json.loads(line) for line in entry.read_text("utf-8").splitlines()] for entry in entries]

    def files(self, table: str) -> list[str]:
        live: set[str] = set()
        for actions in self.commits(table):
            live -= {action["remove"]["path"] for action in actions if "remove" in action}
            live |= {action["add"]["path"] for action in actions if "add" in action}
        return [str(self.folder(table) / unquote(path)) for path in sorted(live)]

    def receipts(self, table: str) -> list[dict[str, Any]]:
        texts = [action["commitInfo"].get("userMetadata") for entry in self.commits(table) for action in entry
                 if "commitInfo" in action]  # fmt: skip
        return [json.loads(text)["tenter"] for text in texts if text]

    def loaded_at(self) -> dict[str, datetime.datetime]:
        """Of each batch: the one thing that only our landing knows."""
        connection = connect()
        rows = connection.execute(
            "select _batch_id, min(epoch_us(_loaded_at)), max(epoch_us(_loaded_at)) from read_parquet(?) group by 1",
            [self.files("bronze.orders_raw")],
        ).fetchall()
        assert all(least == most for _, least, most in rows), "a batch with two instants"
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
        return {batch: epoch + datetime.timedelta(microseconds=least) for batch, least, _ in rows}


def load_ours(folder: Path, days: Path, binary: Path) -> Ours:
    project = folder / "project"
    contracts.write_project(project)
    ours = Ours(project, binary.resolve())
    ours.load_all(days)
    return ours


# ---- their side --------------------------------------------------------------------------------------------


def bronze_names(header: list[str]) -> list[str]:
    return [name.replace(" ", "_") for name in header]


def read_days(days: Path) -> tuple[dict[str, list[dict[str, Any]]], collections.Counter[str]]:
    """Rows of each batch as the slow reader sees them, and the malformed records by batch and code."""
    batches: dict[str, list[dict[str, Any]]] = {}
    malformed: collections.Counter[str] = collections.Counter()
    for day, batch in enumerate(BATCHES, 1):
        rows = batches.setdefault(batch, [])
        for path in sorted((days / str(day)).iterdir()):
            answer = slow_reader.read(path.read_bytes(), slow_reader.Format())
            assert answer.refused is None, (path, answer.refused)
            names = [name.lower() for name in bronze_names(answer.header)]
            for record in answer.records:
                if isinstance(record, slow_reader.Row):
                    row: dict[str, Any] = dict(zip(names, record.cells, strict=True))
                    rows.append(row | {"_source_file": f"landing/orders/{path.name}", "_source_line": record.line})
                else:
                    malformed[f"{batch} {record.code}"] += 1
    return batches, malformed


def write_landed(folder: Path, batches: dict[str, list[dict[str, Any]]], at: dict[str, datetime.datetime]) -> None:
    rows = [row | {"_loaded_at": at[batch], "_batch_id": batch} for batch, landed in batches.items() for row in landed]
    names = sorted({name for row in rows for name in row if not name.startswith("_")})
    fields = [pa.field(name, pa.string()) for name in [*names, "_source_file", "_batch_id"]]
    fields += [pa.field("_source_line", pa.int64()), pa.field("_loaded_at", pa.timestamp("us", tz="UTC"))]
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(fields)), folder / "landed.parquet")


def load_theirs(spark: tuple[Path, Path], folder: Path) -> dict[str, Any]:
    python, jars = spark
    done = subprocess.run(
        [python, HERE / "spark_load.py", jars, folder / "landed", folder / "spark", *BATCHES],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the load in PySpark ended with {done.returncode}\n{done.stderr[-6000:]}")
    return json.loads((folder / "spark" / "counts.json").read_text("utf-8"))


# ---- the comparison ------------------------------------------------------------------------------------------


def connect() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def text_of(name: str, kind: str) -> str:
    quoted = f'"{name}"'
    if kind.startswith("TIMESTAMP"):
        return f"cast(epoch_us({quoted}) as varchar)"
    if kind in ("FLOAT", "DOUBLE"):
        return f"case when {quoted} = 0 then '0.0' else cast({quoted} as varchar) end"
    return f"cast({quoted} as varchar)"


def columns_of(connection: duckdb.DuckDBPyConnection, files: list[str]) -> dict[str, str]:
    rows = connection.execute("describe select * from read_parquet(?, union_by_name = true)", [files]).fetchall()
    return {row[0].lower(): row[1].replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMP") for row in rows}


def differences(what: str, ours: list[str], theirs: list[str], leave_out: set[str]) -> list[str]:
    """What is on one side only: columns, types, rows (a few of them)."""
    connection = connect()
    kinds, other = columns_of(connection, ours), columns_of(connection, theirs)
    for kind in (kinds, other):
        for name in leave_out:
            kind.pop(name, None)
    if kinds != other:
        return [f"{what}: columns differ: {sorted(set(kinds.items()) ^ set(other.items()))}"]
    parts = ", ".join(f'{text_of(name, kind)} as "{name}"' for name, kind in sorted(kinds.items()))
    for side, files in (("ours", ours), ("theirs", theirs)):
        connection.execute(
            f"create temp table {side} as select {parts} from read_parquet($files, union_by_name = true)",
            {"files": files},
        )
    found: list[str] = []
    for side, opposite in (("ours", "theirs"), ("theirs", "ours")):
        only = connection.execute(f"select * from (from {side} except all from {opposite}) order by all")
        names = [description[0] for description in only.description]
        rows = only.fetchall()
        if rows:
            shown = [str(dict(zip(names, row, strict=True))) for row in rows[:3]]
            found.append(f"{what}: {len(rows)} rows only in {side}:\n    " + "\n    ".join(shown))
    return found


def compare_counts(ours: Ours, table: str, theirs: dict[str, Any], malformed: dict[str, int]) -> list[str]:
    found: list[str] = []
    receipts = {receipt["batch"]: receipt for receipt in ours.receipts(table) if receipt["kind"] == "load"}
    for batch in BATCHES:
        terms, codes = dict(theirs[batch]["terms"]), dict(theirs[batch]["rejects"])
        bad = {key.split()[1]: count for key, count in malformed.items() if key.startswith(batch + " ")}
        expected = {
            "inserted": terms.get("inserted", 0),
            "updated": terms.get("updated", 0),
            "unchanged": terms.get("unchanged", 0),
            "older": terms.get("older", 0),
            "superseded": terms.get("superseded", 0),
            "duplicates": terms.get("duplicate", 0),
            "deleted_claims": 0,
            "quarantined": terms.get("rejected", 0) + terms.get("repeated", 0) + sum(bad.values()),
        }
        expected["read"] = sum(expected.values())
        expected["malformed"] = sum(bad.values())
        if receipts[batch]["counts"] != expected:
            found.append(f"{table} {batch}: counts {receipts[batch]['counts']}, Spark's {expected}")
        if receipts[batch]["rejects"] != codes | bad:
            found.append(f"{table} {batch}: reasons {receipts[batch]['rejects']}, Spark's {codes | bad}")
    return found


def compare(ours: Ours, folder: Path, counts: dict[str, Any], malformed: dict[str, int]) -> list[str]:
    found: list[str] = []
    for contract in contracts.CONTRACTS:
        spark = folder / "spark" / contract.name
        found += compare_counts(ours, f"silver.{contract.name}", counts[contract.name], malformed)
        silver = ours.files(f"silver.{contract.name}")
        found += differences(f"silver.{contract.name}", silver, parts(spark / "table"), set())
        kept = ours.files(f"quarantine.{contract.name}")
        theirs = parts(spark / "rejects")
        own = {"_reject_id", "_quarantined_at", "_resolved_at", "_resolved_by"}
        found += differences(f"quarantine.{contract.name}", kept, theirs, own)
    return found


def parts(folder: Path) -> list[str]:
    return [str(path) for path in sorted(folder.glob("*.parquet"))]


def coverage(counts: dict[str, Any], malformed: dict[str, int]) -> dict[str, int]:
    """Every reason and every term of the balance, over all batches."""
    seen: collections.Counter[str] = collections.Counter()
    for contract in contracts.CONTRACTS:
        for term in ("inserted", "updated", "unchanged", "older", "duplicate", "rejected"):
            seen[f"{contract.name}: {term}"] = 0
        seen[f"{contract.name}: {'superseded' if contract.version else 'repeated'}"] = 0
        for column in contract.columns:
            if column.required:
                seen[f"{contract.name}: missing.{column.name}"] = 0
            if column.type != "string":
                seen[f"{contract.name}: unparseable.{column.name}"] = 0
        for check in contract.checks:
            seen[f"{contract.name}: {check.name}"] = 0
        if contract.version is None:  # only a version says that a row is older within one landing order
            del seen[f"{contract.name}: older"]
        for batch in BATCHES:
            for group in ("terms", "rejects"):
                for name, count in counts[contract.name][batch][group].items():
                    seen[f"{contract.name}: {name}"] += count
    for key, count in malformed.items():
        seen[key.split()[1]] += count
    return seen


@dataclasses.dataclass
class Answer:
    rare: list[str]  # what the seed holds too seldom
    differences: list[str]


def ask(seed: int, rows: int, folder: Path, binary: Path, spark: tuple[Path, Path]) -> Answer:
    print(f"Spark oracle: seed {seed}, {rows} rows")
    oddities = generate.generate(folder / "days", seed, rows)
    ours = load_ours(folder, folder / "days", binary)
    batches, malformed = read_days(folder / "days")
    write_landed(folder / "landed", batches, ours.loaded_at())
    counts = load_theirs(spark, folder)
    least = generate.LEAST if rows >= 100_000 else 0
    rare = generate.print_coverage("oddities", oddities, least)
    rare += generate.print_coverage("reasons and terms", coverage(counts, malformed), least)
    return Answer(rare, compare(ours, folder, counts, malformed))
