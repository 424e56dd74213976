"""The README of the orders example says what an independent model says, and the receipts say what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import lakehouse
import pytest
from orders_counts import (
    ACCEPTED,
    ORDERS,
    SKIPPED,
    TERMS,
    Day,
    Recovery,
    counts_table,
    open_table,
    recovery,
    recovery_table,
    rejects_table,
)
from story import ACCEPT, ASKED, CORRECTED, DAYS, SKIP, Story, tenter


def readme_tables() -> list[str]:
    return [line for line in (ORDERS / "README.md").read_text("utf-8").splitlines() if line.startswith("|")]


def test_the_files_of_the_days_are_the_ones_that_the_script_writes() -> None:
    done = subprocess.run(
        [sys.executable, ORDERS / "make_days.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_readme_says_what_the_model_counts(model: dict[int, Day]) -> None:
    days = list(model.values())
    lines = readme_tables()
    recovered = recovery(days)
    for table in (counts_table(days), rejects_table(days), recovery_table(recovered), open_table(recovered)):
        at = lines.index(table[0])
        assert lines[at : at + len(table)] == table


def test_the_model_balances(model: dict[int, Day]) -> None:
    for day in model.values():
        if day.batch.id not in SKIPPED:
            assert day.counts["read"] == sum(day.counts[term] for term in TERMS[1:-1]), day.batch.id


def loads(story: Story) -> dict[str, dict[str, object]]:
    """Receipts of silver.orders by batch."""
    log = lakehouse.replay(lakehouse.table_path(story.homes[8], "silver.orders"))
    receipts = [receipt for version in range(log.version + 1) if (receipt := log.receipt(version))]
    return {str(receipt["batch"]): receipt for receipt in receipts if "batch" in receipt}


@pytest.mark.parametrize("day", [day for day in DAYS if day != 5])
def test_the_receipt_of_a_day_says_what_the_readme_says(day: int, story: Story, model: dict[int, Day]) -> None:
    receipt, wanted = loads(story)[f"day-{day}"], model[day]
    assert receipt["kind"] == "load"
    counts = receipt["counts"]
    assert isinstance(counts, dict)
    assert {term: counts[term] for term in TERMS} == wanted.counts
    assert counts["deleted_claims"] == 0
    assert receipt["rejects"] == dict(wanted.rejects + wanted.batch.malformed)
    assert receipt["conflicting"] == wanted.conflicting


def test_every_day_has_exactly_one_receipt(story: Story) -> None:
    log = lakehouse.replay(lakehouse.table_path(story.homes[8], "silver.orders"))
    kinds = [(receipt or {}).get("kind") for receipt in map(log.receipt, range(log.version + 1))]
    assert kinds == ["build", "load", "load", "load", "load", "skip", "load", "load", "load"]


def test_a_day_that_fails_leaves_the_table_at_its_version(story: Story) -> None:
    for day, code in ((5, "gate.missing_column"), (7, "gate.reject_ratio")):
        assert [error["code"] for error in story.first_try[day]["errors"]] == [code]
        assert story.version_after_first_try[day] == story.version_before[day]


def test_the_decisions_are_in_the_receipts(story: Story) -> None:
    receipts = loads(story)
    skipped, accepted = receipts["day-5"]["decision"], receipts["day-7"]["decision"]
    assert isinstance(skipped, dict) and isinstance(accepted, dict)
    assert (skipped["because"], skipped["user"]) == (SKIP, "test")
    assert (accepted["because"], accepted["user"]) == (ACCEPT, "test")
    assert {batch for batch, receipt in receipts.items() if "decision" in receipt} == SKIPPED | ACCEPTED


@pytest.mark.parametrize("day", DAYS)
def test_the_landing_says_which_files_it_took(day: int, story: Story, model: dict[int, Day]) -> None:
    log = lakehouse.replay(lakehouse.table_path(story.homes[day], "bronze.orders_raw"))
    receipt, ledger = log.receipt(), log.commits[-1]["tenterLedger"]
    assert receipt is not None and receipt["batch"] == ledger["batch"] == f"day-{day}"
    sent = {f"landing/orders/{path.name}" for path in (ORDERS / "days" / str(day)).iterdir()}
    assert {file["path"] for file in ledger["files"]} == sent - set(model[day].batch.skipped_files)
    assert sum(file["rows"] for file in ledger["files"]) == len(model[day].batch.rows)
    assert sum(file["malformed"] for file in ledger["files"]) == sum(model[day].batch.malformed.values())


def test_both_kinds_of_files_sent_again_are_told(story: Story) -> None:
    assert "landing/orders/orders-2026-03-01.csv" in str(story.landed[3]["result"])
    assert "landing/orders/orders-2026-03-04-again.csv" in str(story.landed[8]["result"])


def test_the_contract_page_is_the_one_that_docs_writes(story: Story) -> None:
    page = "Lakehouse/Shop/contracts/silver.orders/README.md"
    before = (ORDERS / page).read_text("utf-8")
    (story.project / page).unlink()
    story.run("docs")
    assert (story.project / page).read_text("utf-8") == before


# ---- rejects taken up again -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recovered(model: dict[int, Day]) -> Recovery:
    return recovery(list(model.values()))


def test_the_receipts_of_retry_and_apply_say_what_the_readme_says(story: Story, recovered: Recovery) -> None:
    log = lakehouse.replay(lakehouse.table_path(story.recovered / ".tenter", "silver.orders"))
    receipts = [receipt for version in range(log.version + 1) if (receipt := log.receipt(version))]
    assert [receipt["kind"] for receipt in receipts[-3:]] == ["build", "retry", "apply"]
    for receipt, wanted in zip(receipts[-2:], recovered.receipts, strict=True):
        assert (receipt["kind"], receipt["batch"]) == (wanted.kind, wanted.batch)
        assert {term: receipt["counts"][term] for term in TERMS} == wanted.counts
        assert receipt["rejects"] == dict(wanted.rejects)
        assert receipt["hash"]["rows"] == wanted.rows_after
    decision = receipts[-1]["decision"]
    assert (receipts[-1]["batch"], decision["what"], decision["because"], decision["user"]) == (
        CORRECTED,
        "apply",
        ASKED,
        "test",
    )
    assert [story.taken_up[kind]["ok"] for kind in ("retry", "apply")] == [True, True]


def test_the_rejects_that_stay_open_are_those_of_the_readme(story: Story, recovered: Recovery) -> None:
    for home, wanted in ((story.project, recovered.open_before), (story.recovered, recovered.open_after)):
        done = tenter("rejects", "silver.orders", "--json", at=home)
        result = json.loads(done.stdout)["result"]
        at = [column["name"] for column in result["columns"]]
        found: Counter[tuple[str, str]] = Counter()
        for row in result["rows"]:
            for code in row[at.index("_reject_codes")].split(";"):
                found[row[at.index("_batch_id")], code] += 1
        assert found == +wanted


def test_the_table_holds_the_rows_that_came_back(story: Story, recovered: Recovery) -> None:
    _, rows = lakehouse.query(
        story.recovered / ".tenter", "select order_id, customer_id, order_total, currency from silver.orders"
    )
    assert sorted(map(tuple, rows)) == sorted(
        (str(order.values[0]), str(order.values[1]), str(order.values[3]), str(order.values[4]))
        for order in recovered.silver
    )


def test_what_was_taken_up_is_proven_and_stays_as_it_is(story: Story) -> None:
    before = lakehouse.replay(lakehouse.table_path(story.recovered / ".tenter", "silver.orders")).version
    for arguments in (
        ["rejects", "retry", "silver.orders"],
        ["load"],
        ["load", "silver.orders", "--batch", "day-6"],
        ["load", "silver.orders", "--batch", CORRECTED],
        ["verify", "--deep"],
    ):
        done = tenter(*arguments, at=story.recovered)
        assert done.returncode == 0, done.stdout + done.stderr
    after = lakehouse.replay(lakehouse.table_path(story.recovered / ".tenter", "silver.orders")).version
    assert after == before


def test_the_demo_tells_the_same_story(story: Story) -> None:
    done = subprocess.run([ORDERS / "demo.sh"], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
