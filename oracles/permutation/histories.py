"""Plays invented histories on the product and on its twin, and compares them after each step.

python histories.py --histories 2000 [--seed N] [--only SHAPE]
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cases"))

import run_cases
from twin import Outcome, Raw, Shape, Twin, shapes

COUNTS = [
    "read",
    "inserted",
    "updated",
    "unchanged",
    "older",
    "superseded",
    "duplicates",
    "deleted_claims",
    "quarantined",
]


@dataclass
class Step:
    what: str  # land, load, widen, retry, apply
    batch: str = ""
    rows: list[Raw] = field(default_factory=list)
    picks: list[int] = field(default_factory=list)  # of the open rejects, one a row; -1: none


@dataclass
class History:
    shape: Shape
    steps: list[Step]

    def show(self) -> str:
        lines = [self.shape.name()]
        for step in self.steps:
            rows = [f"{row.line()}{f' for {pick}' if pick >= 0 else ''}" for row, pick in pairs(step)]
            lines.append(f"  {step.what} {step.batch} {rows if rows else ''}".rstrip())
        return "\n".join(lines)


def pairs(step: Step) -> list[tuple[Raw, int]]:
    return list(zip(step.rows, step.picks or [-1] * len(step.rows), strict=True))


def some_row(dice: random.Random, shape: Shape, sound: bool = False) -> Raw:
    pick = dice.choice
    return Raw(
        k=pick("abc") if sound or dice.random() > 0.05 else "",
        v=pick("123") if sound or dice.random() > 0.1 else "x",
        u=pick("pqrs") if dice.random() > 0.4 else "",
        c=pick("AAAE") if not sound else "A",
        n=pick("12") if sound or dice.random() > 0.1 else "x",
        op="D" if shape.claims and not sound and dice.random() < 0.25 else "",
    )


def invent(dice: random.Random, shape: Shape) -> History:
    steps = []
    batches = [f"b{number}" for number in range(1, dice.randint(2, 3) + 1)]
    for batch in batches:
        rows = [some_row(dice, shape, sound=True)] + [some_row(dice, shape) for _ in range(dice.randint(1, 4))]
        steps += [Step("land", batch, rows), Step("load", batch)]
    applies = 0
    for _ in range(dice.randint(3, 6)):
        what = dice.choice(["load", "load", "widen", "retry", "retry", "apply", "apply"])
        if what == "apply":
            applies += 1
            rows = [some_row(dice, shape, sound=dice.random() < 0.6) for _ in range(dice.randint(1, 3))]
            picks = [dice.randint(-1, 7) for _ in rows]
            steps.append(Step("apply", f"f{applies}", rows, picks))
            batches.append(f"f{applies}")
        else:
            steps.append(Step(what, dice.choice(batches) if what == "load" else ""))
    return History(shape, steps)


def document(shape: Shape, allowed: set[str]) -> str:
    contract: dict[str, Any] = {
        "Description": "One row a key.",
        "Owner": "Data team",
        "From": "bronze.raw",
        "Max reject ratio": "100%",
        "On failed batch": "continue",
        "Allowed values": {"c": sorted(allowed)},
        "Schema": {"k": "string", "v": "int", "u": "string", "c": "string", "n": "int"},
    }
    contract |= {"Load": "append"} if shape.append else {"Primary key": "k"}
    contract |= {"Absent rows": "delete"} if shape.absent else {}
    contract |= {"Delete when": "op = 'D'"} if shape.claims else {}
    contract |= {"Version column": "v"} if shape.version else {}
    contract |= {"Unique keys": [["u"]]} if shape.unique else {}
    return json.dumps(contract, indent=1)


class Product:
    def __init__(self, folder: Path, shape: Shape) -> None:
        self.folder, self.shape = folder, shape
        tables = folder / "Lakehouse" / "Shop" / "Tables"
        tables.mkdir(parents=True)
        self.contract = tables / "silver.t.yml"
        (tables / "bronze.raw.yml").write_text("Description: As sent.\nLanding: in/*.csv\n")
        self.contract.write_text(document(shape, {"A"}))
        (folder / "in").mkdir()
        self.face = run_cases.open_face("library", folder)
        self.run("init", "--test-clock", run_cases.CLOCK)
        self.run("build")

    def run(self, *arguments: str) -> dict[str, Any]:
        answer = self.face.run([*arguments, "--json"])
        document = json.loads(answer.stdout)
        codes = [error["code"] for error in document["errors"]]
        if any(not code.startswith("gate.") for code in codes):
            raise AssertionError(f"tenter {' '.join(arguments)}: {document['errors']}")
        return document["result"]

    def rows(self, query: str) -> list[list[Any]]:
        return self.run("sql", query)["rows"]

    def widen(self) -> None:
        self.contract.write_text(document(self.shape, {"A", "E"}))
        self.run("build")

    def land(self, batch: str, rows: list[Raw]) -> None:
        lines = ["k,v,u,c,n,op", *(row.line() for row in rows)]
        (self.folder / "in" / f"{batch}.csv").write_text("\n".join(lines) + "\n")
        self.run("load", "bronze.raw", "--batch", batch)

    def load(self, batch: str) -> dict[str, Any]:
        return self.run("load", "silver.t", "--batch", batch)["tables"][0]["batches"][0]

    def apply(self, batch: str, rows: list[tuple[tuple[str, int] | None, Raw]]) -> dict[str, Any]:
        ids = {}
        if self.has_rejects():
            query = "select _batch_id, _source_line, _reject_id from quarantine.t"
            ids = {(row[0], row[1]): row[2] for row in self.rows(query)}
        lines = ["_reject_id,k,v,u,c,n,op", *(f"{ids[name] if name else ''},{row.line()}" for name, row in rows)]
        (self.folder / f"{batch}.csv").write_text("\n".join(lines) + "\n")
        return self.run("rejects", "apply", "silver.t", f"{batch}.csv", "--batch", batch, "--because", "history")

    def has_rejects(self) -> bool:
        return any(self.folder.glob(".tenter/onelake/*/*/Tables/quarantine/t/_delta_log"))

    def table(self) -> list[tuple[Any, ...]]:
        return sorted(map(tuple, self.rows("select k, v, u, c, n from silver.t")), key=str)

    def open(self) -> dict[tuple[str, int], str]:
        if not self.has_rejects():
            return {}
        query = "select _batch_id, _source_line, _reject_codes from quarantine.t where _resolved_at is null"
        return {(row[0], row[1]): row[2] for row in self.rows(query)}


def compare_counts(what: str, found: dict[str, Any], wanted: Outcome, resolved: bool) -> list[str]:
    stopped = (found["stopped"] or {}).get("code", "")
    if stopped != wanted.stopped:
        return [f"{what}: stopped by {stopped!r}, the twin by {wanted.stopped!r}"]
    if wanted.stopped:
        return []
    counts = {name: found["counts"][name] for name in COUNTS}
    expected = {name: wanted.counts[name] for name in COUNTS}
    wrong = [f"{what}: counts {counts}, the twin's {expected}"] if counts != expected else []
    if resolved and found["resolved"] != wanted.resolved:
        wrong.append(f"{what}: resolved {found['resolved']}, the twin {wanted.resolved}")
    return wrong


def play_step(step: Step, product: Product, twin: Twin) -> list[str]:
    if step.what == "land":
        product.land(step.batch, step.rows)
        twin.land(step.batch, step.rows)
    elif step.what == "widen":
        product.widen()
        twin.allowed = {"A", "E"}
    elif step.what == "load":
        if step.batch not in twin.landed:
            return []
        return compare_counts(f"load {step.batch}", product.load(step.batch), twin.load(step.batch), False)
    elif step.what == "retry":
        found = {one["batch"]: one for one in product.run("rejects", "retry", "silver.t")["batches"]}
        wanted = twin.retry()
        if set(found) != set(wanted):
            return [f"retry of {sorted(found)}, the twin of {sorted(wanted)}"]
        return [line for batch in found for line in compare_counts(f"retry {batch}", found[batch], wanted[batch], True)]
    else:
        names = sorted(twin.open())
        picked: list[tuple[tuple[str, int] | None, Raw]] = []
        for raw, pick in pairs(step):
            name = names[pick % len(names)] if names and pick >= 0 else None
            picked.append((None if any(name == other for other, _ in picked) else name, raw))
        answer = product.apply(step.batch, picked)
        twin.land_corrections(step.batch, picked)
        return compare_counts(f"apply {step.batch}", answer, twin.load(step.batch), True)
    return []


def play(history: History) -> list[str]:
    """What differs, empty when nothing does."""
    folder = Path(tempfile.mkdtemp())
    product = Product(folder, history.shape)
    twin = Twin(history.shape)
    try:
        for number, step in enumerate(history.steps, 1):
            wrong = play_step(step, product, twin)
            table = sorted((row.values for row in twin.table), key=str)
            if not wrong and (found := product.table()) != table:
                wrong = [f"the table is {found}, the twin's {table}"]
            if not wrong and (held := product.open()) != twin.open():
                wrong = [f"open rejects are {held}, the twin's {twin.open()}"]
            if wrong:
                return [f"step {number}, {step.what} {step.batch}:", *wrong]
        verified = product.face.run(["verify", "--deep", "--json"])
        if verified.exit != 0:
            return ["verify: " + "; ".join(error["message"] for error in json.loads(verified.stdout)["errors"])]
    except AssertionError as error:
        return [str(error)]
    finally:
        product.face.close()
        shutil.rmtree(folder, ignore_errors=True)
    return []


def smaller(history: History) -> list[History]:
    """The history without one step, or without one row of a step."""
    found = []
    for at, step in enumerate(history.steps):
        if step.what != "land":
            found.append(History(history.shape, history.steps[:at] + history.steps[at + 1 :]))
        for row in range(1 if step.what == "land" else 0, len(step.rows)):
            if len(step.rows) == 1:
                continue
            rows = step.rows[:row] + step.rows[row + 1 :]
            picks = step.picks[:row] + step.picks[row + 1 :]
            steps = [*history.steps[:at], Step(step.what, step.batch, rows, picks), *history.steps[at + 1 :]]
            found.append(History(history.shape, steps))
    return found


def shrink(history: History, tries: int = 120) -> History:
    going = True
    while going and tries > 0:
        going = False
        for candidate in smaller(history):
            tries -= 1
            if play(candidate):
                history, going = candidate, True
                break
            if tries <= 0:
                break
    return history


def run(histories: int, seed: int, only: str = "") -> list[str]:
    chosen = [shape for shape in shapes() if only in ("", shape.name())]
    failures = []
    for number in range(histories):
        shape = chosen[number % len(chosen)]
        history = invent(random.Random(f"{seed}/{number}"), shape)
        if wrong := play(history):
            least = shrink(history)
            failures.append(f"history {number} of seed {seed}\n{least.show()}\n" + "\n".join(play(least) or wrong))
            if len(failures) == 3:
                break
    return failures


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--histories", type=int, default=2000)
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options.add_argument("--only", default="", choices=["", *(shape.name() for shape in shapes())])
    chosen = options.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    failures = run(chosen.histories, chosen.seed, chosen.only)
    print("\n\n".join(failures) if failures else f"{chosen.histories} histories end as the twin says")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
