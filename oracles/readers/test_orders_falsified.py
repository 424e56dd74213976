"""`verify` confirms the orders example, and fails on each thing that somebody might bend afterwards.

Every falsification is made as well as a forger could without the product: file sizes in the log are put right, and
the chain of hashes over the commits is linked anew, so that nothing but the falsified thing itself is wrong.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import lakehouse
import pyarrow
import pyarrow.parquet
import pytest
from story import Story, tenter

Action = dict[str, Any]
Forge = Callable[[int, Action], Action | None]


@pytest.fixture
def home(story: Story, tmp_path: Path) -> Path:
    return Path(shutil.copytree(story.homes[8], tmp_path / "home"))


def verify(home: Path, story: Story, *options: str) -> int:
    done = tenter("verify", "silver.orders", "--home", home, *options, at=story.project)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode


def forge_log(table: Path, forge: Forge) -> int:
    """Passes every action through `forge` (None drops it) and links the receipts anew; how many were changed."""
    changed, previous = 0, ""
    for entry in sorted((table / "_delta_log").glob("*.json")):
        actions = []
        for line in entry.read_text("utf-8").splitlines():
            action = json.loads(line)
            forged = forge(int(entry.stem), json.loads(line))
            changed += forged != action
            if forged is not None:
                actions.append(relink(forged, previous))
        entry.write_text("".join(json.dumps(a, separators=(",", ":"), ensure_ascii=False) + "\n" for a in actions))
        previous = sha256(entry.read_bytes()).hexdigest()
    for checkpoint in (table / "_delta_log").glob("*checkpoint*"):
        checkpoint.unlink()  # it would tell the old story
    return changed


def relink(action: Action, previous: str) -> Action:
    text = action.get("commitInfo", {}).get("userMetadata")
    if text:
        receipt = json.loads(text)
        receipt["tenter"]["previous_sha256"] = previous
        action["commitInfo"]["userMetadata"] = json.dumps(receipt, separators=(",", ":"), ensure_ascii=False)
    return action


def forge_receipt(batch: str, change: Callable[[dict[str, Any]], None]) -> Forge:
    def forge(_: int, action: Action) -> Action:
        text = action.get("commitInfo", {}).get("userMetadata")
        receipt = json.loads(text) if text else {"tenter": {}}
        if receipt["tenter"].get("batch") == batch:
            change(receipt["tenter"])
            action["commitInfo"]["userMetadata"] = json.dumps(receipt, separators=(",", ":"), ensure_ascii=False)
        return action

    return forge


def change_value(table: Path, column: str, condition: Callable[[dict[str, Any]], bool], value: str) -> None:
    """Puts another text into one cell of a live file, and the file's new size into the log."""
    for name in sorted(lakehouse.replay(table).files):
        file = table / name
        rows = pyarrow.parquet.read_table(file)
        at = next((i for i, row in enumerate(rows.to_pylist()) if condition(row)), None)
        if at is None:
            continue
        cells = rows.column(column).to_pylist()
        assert cells[at] != value
        cells[at] = value
        place = rows.schema.get_field_index(column)
        changed = rows.set_column(place, rows.schema.field(place), pyarrow.array(cells, rows.schema.field(place).type))
        pyarrow.parquet.write_table(changed, file)

        def resize(_: int, action: Action, name: str = name, size: int = file.stat().st_size) -> Action:
            if action.get("add", {}).get("path") == name:
                action["add"]["size"] = size
            return action

        assert forge_log(table, resize) == 1
        return
    raise AssertionError(f"no such row in {table}")


def test_linking_anew_alone_is_no_falsification(home: Path, story: Story) -> None:
    for name in ("bronze.orders_raw", "silver.orders", "quarantine.orders", "quarantine.orders_raw_malformed"):
        assert forge_log(lakehouse.table_path(home, name), lambda _, action: action) == 0
    assert verify(home, story) == 0
    assert verify(home, story, "--deep") == 0


def test_a_value_in_silver(home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, "silver.orders")
    change_value(table, "customer_id", lambda row: row["order_id"] == "A-1640", "C-999")
    assert verify(home, story) == 1


def test_a_value_in_the_quarantine(home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, "quarantine.orders")
    change_value(table, "raw_currency", lambda row: row["raw_order_id"] == "A-1942", "GBX")
    assert verify(home, story) == 1


def test_a_reason_in_the_quarantine(home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, "quarantine.orders")
    change_value(table, "_reject_reason", lambda row: row["raw_order_id"] == "A-1942", "unparseable order_date")
    assert verify(home, story, "--deep") == 1


def test_a_value_in_bronze(home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, "bronze.orders_raw")
    change_value(table, "order_total", lambda row: row["order_id"] == "A-1640", "0.01")
    assert verify(home, story) == 1


@pytest.mark.parametrize("name", ["bronze.orders_raw", "silver.orders", "quarantine.orders"])
def test_an_add_removed(name: str, home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, name)
    last = sorted(lakehouse.replay(table).files)[-1]
    assert forge_log(table, lambda _, action: None if action.get("add", {}).get("path") == last else action) == 1
    assert verify(home, story) == 1


@pytest.mark.parametrize("constraint", ["order_total_non_negative", "currency_allowed"])
def test_a_constraint_dropped(constraint: str, home: Path, story: Story) -> None:
    def forge(_: int, action: Action) -> Action:
        if "metaData" in action:
            del action["metaData"]["configuration"][f"delta.constraints.{constraint}"]
        return action

    assert forge_log(lakehouse.table_path(home, "silver.orders"), forge) == 1
    assert verify(home, story) == 1


STATISTICS: dict[str, Callable[[dict[str, Any]], None]] = {
    "numRecords": lambda stats: stats.update(numRecords=stats["numRecords"] + 1),
    "a minimum": lambda stats: stats["minValues"].update(order_id="A-1640"),
    "a maximum": lambda stats: stats["maxValues"].update(order_total=1.00),
    "a null count": lambda stats: stats["nullCount"].update(note=0),
}


@pytest.mark.parametrize("what", STATISTICS)
def test_statistics_changed(what: str, home: Path, story: Story) -> None:
    table = lakehouse.table_path(home, "silver.orders")
    log = lakehouse.replay(table)
    largest = max(log.files, key=lambda name: json.loads(log.files[name]["stats"])["numRecords"])

    def forge(_: int, action: Action) -> Action:
        if action.get("add", {}).get("path") == largest:
            stats = json.loads(action["add"]["stats"])
            STATISTICS[what](stats)
            action["add"]["stats"] = json.dumps(stats)
        return action

    assert forge_log(table, forge) == 1
    assert verify(home, story) == 1


@pytest.mark.parametrize("term", ["read", "inserted", "updated", "quarantined", "malformed"])
@pytest.mark.parametrize("batch", ["day-3", "day-6"])
def test_a_count(term: str, batch: str, home: Path, story: Story) -> None:
    def change(receipt: dict[str, Any]) -> None:
        receipt["counts"][term] += 1

    assert forge_log(lakehouse.table_path(home, "silver.orders"), forge_receipt(batch, change)) == 1
    assert verify(home, story) == 1


TERMS = ["inserted", "updated", "unchanged", "older", "superseded", "duplicates", "deleted_claims", "quarantined"]


@pytest.mark.parametrize(("up", "down"), [*itertools.combinations(TERMS, 2)])
def test_two_counts_of_the_same_balance(up: str, down: str, home: Path, story: Story) -> None:
    """The sum stays right, so only judging the batch again finds it."""

    def change(receipt: dict[str, Any]) -> None:
        more, less = (up, down) if receipt["counts"][down] > 0 else (down, up)
        receipt["counts"][more] += 1
        receipt["counts"][less] -= 1

    assert forge_log(lakehouse.table_path(home, "silver.orders"), forge_receipt("day-3", change)) == 1
    assert verify(home, story, "--deep") == 1


def test_rejects_by_code(home: Path, story: Story) -> None:
    def change(receipt: dict[str, Any]) -> None:
        receipt["rejects"]["currency_allowed"] -= 1
        receipt["rejects"]["order_total_non_negative"] += 1

    assert forge_log(lakehouse.table_path(home, "silver.orders"), forge_receipt("day-7", change)) == 1
    assert verify(home, story, "--deep") == 1


# ---- rejects taken up again -----------------------------------------------------------------------------


@pytest.fixture
def recovered(story: Story, tmp_path: Path) -> Path:
    return Path(shutil.copytree(story.recovered / ".tenter", tmp_path / "home"))


def of_kind(kind: str, change: Callable[[dict[str, Any]], None]) -> Forge:
    def forge(_: int, action: Action) -> Action:
        text = action.get("commitInfo", {}).get("userMetadata")
        receipt = json.loads(text) if text else {"tenter": {}}
        if receipt["tenter"].get("kind") == kind:
            change(receipt["tenter"])
            action["commitInfo"]["userMetadata"] = json.dumps(receipt, separators=(",", ":"), ensure_ascii=False)
        return action

    return forge


def test_what_was_taken_up_is_confirmed(recovered: Path, story: Story) -> None:
    assert verify(recovered, story) == 0
    assert verify(recovered, story, "--deep") == 0


@pytest.mark.parametrize("kind", ["retry", "apply"])
@pytest.mark.parametrize(("more", "less"), [("read", "inserted"), ("older", "inserted"), ("quarantined", "inserted")])
def test_two_counts_of_a_retry_or_an_apply(recovered: Path, story: Story, kind: str, more: str, less: str) -> None:
    def bend(receipt: dict[str, Any]) -> None:
        receipt["counts"][more] += 1
        receipt["counts"][less] += 1 if more == "read" else -1

    assert forge_log(lakehouse.table_path(recovered, "silver.orders"), of_kind(kind, bend)) == 1
    assert verify(recovered, story) == 1


def test_a_code_of_a_retry(recovered: Path, story: Story) -> None:
    def bend(receipt: dict[str, Any]) -> None:
        receipt["rejects"]["currency_allowed"] -= 1
        receipt["rejects"]["missing.currency"] += 1

    assert forge_log(lakehouse.table_path(recovered, "silver.orders"), of_kind("retry", bend)) == 1
    assert verify(recovered, story) == 1


def test_the_decision_to_apply(recovered: Path, story: Story) -> None:
    def bend(receipt: dict[str, Any]) -> None:
        del receipt["decision"]

    assert forge_log(lakehouse.table_path(recovered, "silver.orders"), of_kind("apply", bend)) == 1
    assert verify(recovered, story) == 1
