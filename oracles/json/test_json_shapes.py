"""Every command's --json answer has the shape that docs/json promises, on success and on error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
TENTER = Path(os.environ.get("TENTER_BIN", ROOT / "build" / "fast" / "bin" / "tenter"))


def tenter(project: Path, *arguments: str) -> tuple[int, dict[str, object]]:
    done = subprocess.run(
        [str(TENTER), "--project", str(project), "--json", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    answer: dict[str, object] = json.loads(done.stdout)
    return done.returncode, answer


def check_shape(answer: dict[str, object]) -> str:
    name = str(answer["format"]).split("/")[1]
    schema = json.loads((ROOT / "docs" / "json" / f"{name}.schema.json").read_text())
    jsonschema.validate(answer, schema)
    if answer["ok"]:
        # The empty object, the last of the shapes, stands for "no result" and belongs to errors only.
        jsonschema.validate(answer["result"], {"anyOf": schema["properties"]["result"]["anyOf"][:-1]})
    return name


def deliver(project: Path, day: str) -> None:
    for file in sorted((project / "days" / day).iterdir()):
        shutil.copy(file, project / "landing" / "orders")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("json") / "shop"
    shutil.copytree(ROOT / "examples" / "orders", folder, ignore=shutil.ignore_patterns(".tenter", "landing"))
    (folder / "landing" / "orders").mkdir(parents=True)
    for day in ("1", "2"):
        deliver(folder, day)
    (folder / "corrected.csv").write_text("order_id,customer_id\nA-1,C-1\n")
    code, answer = tenter(folder, "init", "--test-clock", "2026-03-01T06:00:00Z")
    assert code == 0 and check_shape(answer) == "init"
    return folder


def test_every_command_keeps_its_shape(project: Path) -> None:
    seen: set[str] = set()
    calls: list[tuple[int, tuple[str, ...]]] = [
        (0, ("check",)),
        (0, ("build",)),
        (0, ("load", "bronze.orders_raw", "--batch", "all-days")),
        (0, ("load", "silver.orders")),
        (0, ("show",)),
        (0, ("show", "silver.orders", "--limit", "3")),
        (0, ("load", "silver.orders", "--dry-run", "--batch", "all-days", "--max-reject", "1%, at least 1000 rows")),
        (0, ("load", "silver.orders", "--from-bronze")),
        (1, ("load", "silver.orders", "--batch", "all-days", "--fail-on-reject")),
        (0, ("history", "silver.orders")),
        (0, ("history", "silver.orders", "--rejects")),
        (0, ("sql", "SELECT count(*) AS n, max(order_total) AS most FROM silver.orders")),
        (0, ("rejects", "silver.orders")),
        (0, ("rejects", "silver.orders", "--all")),
        (0, ("rejects", "retry", "silver.orders")),
        (0, ("rejects", "apply", "silver.orders", "corrected.csv", "--because", "asked the shop")),
        (0, ("batches",)),
        (0, ("verify",)),
        (0, ("test",)),
        (1, ("test", "silver.ordres")),
        (0, ("docs",)),
        (0, ("doctor",)),
        (0, ()),
        (1, ("show", "silver.ordres")),
        (1, ("sql", "DROP TABLE silver.orders")),
        (1, ("batch", "skip", "all-days", "--because", "it is loaded already")),
        (2, ("load", "--batch", "x")),
        (2, ("batch", "skip", "all-days")),
        (2, ("rejects", "apply", "silver.orders", "corrected.csv")),
        (1, ("rejects", "retry", "bronze.orders_raw")),
        (2, ("show", "--no-such-option")),
    ]
    for day, batch in (("3", "third"), ("4", "fourth")):
        calls += [(0, ("days", day)), (0, ("load", "bronze.orders_raw", "--batch", batch))]
    calls += [
        (0, ("batch", "supersede", "third", "fourth", "--because", "sent again")),
        (0, ("batches", "silver.orders")),
        (1, ("load", "silver.orders", "--batch", "third")),
        (2, ("batch", "supersede", "third", "fourth")),
    ]
    for wanted, arguments in calls:
        if arguments[:1] == ("days",):
            deliver(project, arguments[1])
            continue
        code, answer = tenter(project, *arguments)
        assert code == wanted, (arguments, answer["errors"])
        assert answer["ok"] is (wanted == 0), arguments
        seen.add(check_shape(answer))
    assert seen >= {p.name.split(".")[0] for p in (ROOT / "docs" / "json").glob("*.schema.json")} - {"init"}
