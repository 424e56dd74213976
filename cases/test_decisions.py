"""What text cases cannot say: that a dry run leaves no trace, that a recomputation equals loading one by one,
and that verify sees a bent supersession or recomputation."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_cases import CLOCK, Answer, Face, lakehouse, open_face

LANDING = "Description: Orders as sent.\nLanding: in/*.csv\nFormat: csv\n"
# How the rows of a batch become rows of the table; each with what its files may hold.
MANNERS = {
    "version": "Primary key: id\nVersion column: v\n",
    "latest": "Primary key: id\n",
    "append": "Load: append\n",
    "snapshot": "Primary key: id\nAbsent rows: delete\n",
    "feed": "Primary key: id\nVersion column: v\nDelete when: op = 'D'\n",
    "unique": "Primary key: id\nVersion column: v\nUnique keys: [[v, note]]\n",
}


class Shop:
    """A project of one landing table and one contract table, run through one face."""

    def __init__(self, folder: Path, face: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.face: Face = open_face(face, folder)
        self.ran("init", "--test-clock", CLOCK)
        self.write("Lakehouse/Shop/Tables/bronze.raw.yml", LANDING)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def contract(self, manner: str, note: str = "note") -> None:
        self.write(
            "Lakehouse/Shop/Tables/silver.orders.yml",
            f"Description: What stands.\nOwner: Sales data team\nFrom: bronze.raw\n{manner}"
            f"Max reject ratio: 40%\nSchema:\n  id: string\n  v: int\n  note: {{type: string, clean: {note}}}\n",
        )

    def run(self, *arguments: str) -> Answer:
        return self.face.run([*arguments, "--json"])

    def ran(self, *arguments: str, exits: int = 0) -> dict[str, Any]:
        answer = self.run(*arguments)
        assert answer.exit == exits, f"{arguments} {answer.told()}"
        return json.loads(answer.stdout)

    def rows(self) -> list[tuple[str | None, ...]]:
        _, rows = lakehouse.query(self.folder / ".tenter", "SELECT * FROM silver.orders")
        return sorted((tuple(row) for row in rows), key=repr)

    def table(self, name: str) -> Path:
        return lakehouse.table_path(self.folder / ".tenter", name)

    def bytes(self) -> dict[str, bytes]:
        home = self.folder / ".tenter"
        found = {str(path.relative_to(home)): path for path in home.rglob("*")}
        # The home's own clock moves with every command.
        return {name: path.read_bytes() if path.is_file() else b"" for name, path in found.items() if name != "clock"}


@pytest.mark.parametrize("face", ["cli", "library"])
def test_a_dry_run_leaves_every_byte_and_no_scratch(face: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    shop = Shop(tmp_path / "shop", face)
    shop.contract(MANNERS["version"])
    shop.write("in/a.csv", "id,v,note\nA,1,x\nB,1,y\n")
    empty = shop.bytes()
    told = shop.ran("load", "--dry-run")["result"]["tables"]
    assert told[0]["landed"]["rows"] == 2
    assert told[1]["batches"][0]["counts"]["inserted"] == 2
    assert shop.bytes() == empty
    shop.ran("load")
    shop.write("in/b.csv", 'id,v,note\nA,2,z\nC,bad,z\n,1,z\n\n"open,1,x\n')
    shop.ran("load", "bronze.raw", "--batch", "second")
    shop.write("in/c.csv", "id,v,note\nD,1,z\n")
    before = shop.bytes()
    for arguments in (
        ["load", "--dry-run"],
        ["load", "silver.orders", "--dry-run"],
        ["load", "silver.orders", "--dry-run", "--max-reject", "90%"],
        ["load", "+silver.orders", "--dry-run", "--max-reject", "90%", "--fail-on-reject"],
        ["load", "bronze.raw", "--dry-run"],
        ["load", "silver.orders", "--batch", "second", "--dry-run", "--accept-rejects", "--because", "to see"],
        ["load", "silver.orders", "--from-bronze", "--dry-run"],
        ["load", "bronze.raw", "--batch", "a/b", "--dry-run"],
    ):
        answer = shop.run(*arguments)
        assert answer.exit in (0, 1), answer.told()
        assert shop.bytes() == before, arguments
        assert os.listdir(scratch) == [], arguments
    tried = shop.ran("load", "--dry-run", "--max-reject", "90%")["result"]["tables"][1]["batches"]
    done = shop.ran("load", "silver.orders", "--batch", "second", "--accept-rejects", "--because", "to see")
    assert tried[0]["counts"] == done["result"]["tables"][0]["batches"][0]["counts"]
    shop.face.close()


def random_file(chance: random.Random) -> str:
    rows = []
    for _ in range(chance.randint(1, 12)):
        key = chance.choice(["A", "B", "C", "D", "E", "F"])
        version = chance.choice(["1", "2", "3", "4", "5", "6", "7", "x"]) if chance.random() < 0.9 else ""
        rows.append(f"{key},{version},{chance.choice('pqrst')},{chance.choice('IIID')}")
    return "id,v,note,op\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("seed", range(2))
def test_a_recomputation_equals_loading_one_by_one(manner: str, seed: int, tmp_path: Path) -> None:
    print(f"seed {seed}")
    chance = random.Random(f"{manner} {seed}")
    ids = [f"b{number}" for number in range(6)]
    files = {batch: random_file(chance) for batch in ids}
    order = ids if manner == "snapshot" else chance.sample(ids, len(ids))
    skipped = chance.choice(ids)
    pair = chance.sample(ids, 2)
    shops = [Shop(tmp_path / name, "library") for name in ("recomputed", "one-by-one")]
    for shop in shops:
        for batch in ids:
            shop.write(f"in/{batch}.csv", files[batch])
            shop.ran("load", "bronze.raw", "--batch", batch)
        shop.contract(MANNERS[manner])
        shop.ran("build")
        shop.ran("batch", "supersede", min(pair), max(pair), "--because", "sent again")
    recomputed, straight = shops
    accept = ("--accept-rejects", "--because", "to see")
    if skipped not in pair:
        recomputed.ran("batch", "skip", skipped, "--because", "not wanted")
    loaded = []
    for batch in [*order, *chance.sample(order, 2)]:
        answer = recomputed.run("load", "silver.orders", "--batch", batch, *accept)
        if answer.exit == 0 and batch not in loaded:
            loaded.append(batch)
    recomputed.contract(MANNERS[manner], note="upper(note)")
    recomputed.ran("build")
    told = recomputed.run("load", "silver.orders", "--from-bronze")
    straight.contract(MANNERS[manner], note="upper(note)")
    straight.ran("build")
    places = [line["batch"] for line in straight.ran("batches", "silver.orders")["result"]["batches"]]
    for batch in sorted(loaded, key=places.index):
        answer = straight.run("load", "silver.orders", "--batch", batch, *accept)
        assert answer.exit == told.exit or told.exit == 1, answer.told()
    if told.exit == 1 and manner == "unique":  # landing order breaks the key, which loading one by one tells too
        assert {error["code"] for error in json.loads(told.stdout)["errors"]} == {"gate.unique_key"}
        return
    assert told.exit == 0, told.told()
    assert recomputed.rows() == straight.rows()
    assert loaded
    recomputed.ran("verify", "--deep")
    straight.ran("verify", "--deep")
    again = recomputed.ran("load", "silver.orders", "--from-bronze")
    assert again["result"]["tables"][0]["recomputed"]["committed"] is False
    for shop in shops:
        shop.face.close()


def test_reject_trends_are_those_of_the_receipts(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", "cli")
    shop.contract(MANNERS["version"])
    # Rejected of ten rows each: 0, 1, 2, 4.
    for number, rejected in enumerate((0, 1, 2, 4)):
        rows = [f"K{number}{row},{'x' if row < rejected else row},p" for row in range(10)]
        shop.write(f"in/{number}.csv", "id,v,note\n" + "\n".join(rows) + "\n")
        shop.ran("load", "bronze.raw", "--batch", f"b{number}")
    shop.ran("load", "silver.orders")
    told = shop.ran("history", "silver.orders", "--rejects")["result"]
    assert (told["batches"], told["newest_batch"], told["log_is_whole"]) == (4, "b3", True)
    wanted = {"batches": 3, "rows": 7, "ratio": 0.175, "p50": 0.1, "p90": 0.4, "p99": 0.4, "max": 0.4, "newest": 0.4}
    assert told["rejects"] == [{"code": None, **wanted}, {"code": "unparseable.v", **wanted}]
    newest = shop.ran("history", "silver.orders", "--rejects", "--limit", "2")["result"]
    assert newest["batches"] == 2
    assert [newest["rejects"][0][name] for name in ("rows", "ratio", "p50", "max")] == [6, 0.3, 0.2, 0.4]


# ---- bent afterwards -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shop = Shop(tmp_path_factory.mktemp("decided"), "cli")
    shop.contract(MANNERS["latest"])
    for number, rows in enumerate(["A,1,x\n,1,x\n", "A,2,y\nB,1,y\n", "A,3,z\nB,2,z\n", "C,1,z\n"]):
        shop.write(f"in/{number}.csv", "id,v,note\n" + rows)
        shop.ran("load", "bronze.raw", "--batch", f"b{number}")
    shop.ran("build")
    shop.ran("batch", "supersede", "b0", "b2", "--because", "sent again")
    shop.ran("load")
    shop.contract(MANNERS["latest"], note="upper(note)")
    shop.ran("build")
    shop.ran("load", "silver.orders", "--from-bronze")
    shop.ran("verify", "--deep")
    return shop.folder


Bend = Callable[[list[dict[str, Any]]], None]


def receipt_of(actions: list[dict[str, Any]], change: Callable[[dict[str, Any]], None]) -> None:
    for action in actions:
        if "commitInfo" in action:
            receipt = json.loads(action["commitInfo"]["userMetadata"])
            change(receipt["tenter"])
            action["commitInfo"]["userMetadata"] = json.dumps(receipt)


def later(actions: list[dict[str, Any]]) -> None:
    for action in actions:
        if "txn" in action:
            action["txn"]["version"] += 1


def other_batch(actions: list[dict[str, Any]]) -> None:
    receipt_of(actions, lambda receipt: receipt.update(superseded_by="b1"))


def without_state(actions: list[dict[str, Any]]) -> None:
    actions[:] = [action for action in actions if "txn" not in action]


def fewer_batches(actions: list[dict[str, Any]]) -> None:
    receipt_of(actions, lambda receipt: receipt["batches"].pop())


def other_order(actions: list[dict[str, Any]]) -> None:
    receipt_of(actions, lambda receipt: receipt["batches"].reverse())


def more_read(actions: list[dict[str, Any]]) -> None:
    receipt_of(actions, lambda receipt: receipt["counts"].update(read=receipt["counts"]["read"] + 1))


def shifted_counts(actions: list[dict[str, Any]]) -> None:
    def shift(receipt: dict[str, Any]) -> None:
        receipt["counts"]["inserted"] += 1
        receipt["counts"]["updated"] -= 1

    receipt_of(actions, shift)


def own_state(actions: list[dict[str, Any]]) -> None:
    actions.append({"txn": {"appId": "tenter/load/somewhere/b3", "version": 3}})


@pytest.mark.parametrize(
    ("table", "kind", "bend", "code", "deep"),
    [
        ("bronze.raw", "supersede", later, "verify.supersede", False),
        ("bronze.raw", "supersede", other_batch, "verify.supersede", False),
        ("bronze.raw", "supersede", without_state, "verify.supersede", False),
        ("silver.orders", "supersede", without_state, "verify.txn", False),
        ("silver.orders", "from_bronze", fewer_batches, "verify.batches", False),
        ("silver.orders", "from_bronze", other_order, "verify.batches", False),
        ("silver.orders", "from_bronze", more_read, "verify.count", False),
        ("silver.orders", "from_bronze", shifted_counts, "verify.deep_count", True),
        ("silver.orders", "from_bronze", own_state, "verify.txn", False),
    ],
)
def test_verify_sees_it(  # noqa: PLR0913
    decided: Path, table: str, kind: str, bend: Bend, code: str, deep: bool
) -> None:
    face = open_face("cli", decided)
    log = lakehouse.table_path(decided / ".tenter", table) / "_delta_log"
    entry = next(path for path in sorted(log.glob("*.json")) if f'\\"kind\\":\\"{kind}\\"' in path.read_text("utf-8"))
    kept = entry.read_bytes()
    actions = [json.loads(line) for line in kept.decode().splitlines()]
    bend(actions)
    entry.write_text("".join(json.dumps(action) + "\n" for action in actions), "utf-8")
    try:
        answer = face.run(["verify", "silver.orders", "--json", *(["--deep"] if deep else [])])
        assert answer.exit == 1, answer.told()
        found = {error["code"] for error in json.loads(answer.stdout)["errors"]}
        assert code in found, found
    finally:
        entry.write_bytes(kept)
