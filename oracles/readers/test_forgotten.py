"""Without a log's old entries, or without the cache, the answers about what was landed and loaded are the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import lakehouse
import pyarrow
import pytest
from deltalake import DeltaTable, QueryBuilder
from story import Story, tenter

TABLES = ["bronze.orders_raw", "silver.orders", "quarantine.orders", "quarantine.orders_raw_malformed"]
# More days, each with a row to reject and a record that is malformed: every table gets a checkpoint.
LATER = range(1, 10)
HEADER = "order_id,customer_id,order_date,order_total,currency,source_updated_at,note"


def later_day(day: int) -> str:
    moment = f"2026-04-0{day} 09:00:00"
    good = [f"L{day}-{row},C1,2026-04-0{day},10.00,AUD,{moment}," for row in range(60)]
    return "\n".join([HEADER, *good, f"X{day},C1,2026-04-0{day},10.00,XXX,{moment},", "one,field,less", ""])


def run(project: Path, *arguments: str, ends: int = 0) -> Any:
    done = tenter(*arguments, "--json", at=project)
    assert done.returncode == ends, done.stdout + done.stderr
    return json.loads(done.stdout)["result"]


@pytest.fixture
def project(story: Story, tmp_path: Path) -> Path:
    """The story's project, loaded on until each of its tables has a checkpoint."""
    folder = tmp_path / "orders"
    shutil.copytree(story.project, folder)
    for day in LATER:
        (folder / "landing" / "orders" / f"later-{day}.csv").write_text(later_day(day), "utf-8")
        run(folder, "load", "bronze.orders_raw", "--batch", f"later-{day}")
        run(folder, "load", "silver.orders")
    return folder


def rows(table: Path) -> list[str]:
    """By delta-rs, which starts at the checkpoint as everybody must whose log begins there."""
    delta = DeltaTable(str(table))
    found = QueryBuilder().register("t", delta).execute("select * from t").read_all()
    return sorted(str(row) for row in pyarrow.table(found).to_pylist())


def known(batch: dict[str, Any]) -> dict[str, Any]:
    """Without the number of files: nothing but the ledger names one that gave no record."""
    return {name: value for name, value in batch.items() if name != "files"}


def answers(project: Path) -> dict[str, Any]:
    home = project / ".tenter"
    return {name: rows(lakehouse.table_path(home, name)) for name in TABLES} | {
        "batches": [known(batch) for batch in run(project, "batches", "silver.orders")["batches"]],
        "rejects": run(project, "rejects", "silver.orders"),
    }


def versions(project: Path) -> dict[str, int]:
    home = project / ".tenter"
    return {name: DeltaTable(str(lakehouse.table_path(home, name))).version() for name in TABLES}


def forget_old_entries(table: Path) -> int:
    """Takes what a clean-up takes: every entry before the newest checkpoint."""
    log = table / "_delta_log"
    newest = max(int(path.name[:20]) for path in log.glob("*.checkpoint.parquet"))
    old = [path for path in log.glob("*.json") if path.stem.isdigit() and int(path.stem) < newest]
    for path in old:
        path.unlink()
    return len(old)


def test_a_log_without_its_old_entries_gives_the_same_answers(project: Path) -> None:
    before, at = answers(project), versions(project)
    for name in TABLES:
        assert forget_old_entries(lakehouse.table_path(project / ".tenter", name)) >= 10, name
    after = answers(project)
    for what, answer in before.items():
        assert after[what] == answer, what
    run(project, "load")
    for batch in ["day-1", "day-7", "later-3"]:
        run(project, "load", "silver.orders", "--batch", batch)
    assert versions(project) == at, "something was landed, loaded or rejected again"
    run(project, "verify", "silver.orders")


def test_a_home_without_its_cache_gives_the_same_answers(project: Path) -> None:
    (project / "landing" / "orders" / "wrong.csv").write_text(HEADER.replace("currency", "coin") + "\n1,2,3,4,5,6,7\n")
    run(project, "load", ends=1)
    before, at = answers(project), versions(project)
    (project / ".tenter" / "control.db").unlink()
    after = answers(project)
    failed = [batch for batch in before["batches"] if batch["state"] == "failed"]
    assert len(failed) == 1
    for batch in before["batches"]:
        if batch["state"] == "failed":
            batch |= {"state": "pending", "code": None, "message": None}
    assert after == before
    run(project, "load", ends=1)
    assert versions(project) == at
