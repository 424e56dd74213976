"""Builds the program with one promise of its writing broken, twice, and asks whether the fault tests notice.

usage: canaries.py
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import durability
import history
import meanwhile

sys.path.insert(0, str(history.ROOT / "oracles" / "spark"))

import mutations
import oracle

FILE = "src/world/src/files.cpp"
Watch = Callable[[list[history.Step], Path, Path], list[str]]


def power_is_lost(steps: list[history.Step], folder: Path, binary: Path) -> list[str]:
    """A process that dies keeps what it wrote, so no kill can show this: the order of the calls does."""
    found: list[str] = []
    for step in steps:
        project = step.before.copy(folder / step.name)
        calls = project.run(*step.words, binary=binary).calls
        found += durability.not_durable(calls, str(project.home.resolve()))
    return found


def another_lands(steps: list[history.Step], folder: Path, binary: Path) -> list[str]:
    step = next(step for step in steps if step.name == "land-tenth")
    calls = step.before.copy(folder / "once").run(*step.words, binary=binary).calls
    named = [call.number for call in calls if call.name in ("link", "rename") and call.to.endswith(".json")]
    return [line for at in named for line in meanwhile.land_meanwhile(step, at, folder, binary)]


CANARIES: list[tuple[str, str, str, Watch]] = [
    (
        "the folder of a new log entry is not synced",
        "    if (outcome == PutOutcome::created) TRY_STATUS(sync_directory(path_parent(path)));\n",
        "",
        power_is_lost,
    ),
    (
        "a log entry is put although it is there",
        "    TRY(const auto nameless, put_nameless(path, bytes));\n",
        '    if (path.ends_with(".json")) {\n      TRY_STATUS(replace(path, bytes));\n'
        "      return PutOutcome::created;\n    }\n    TRY(const auto nameless, put_nameless(path, bytes));\n",
        another_lands,
    ),
]


def main() -> int:
    workshop = mutations.Workshop(oracle.cache() / "fault-canaries")
    workshop.refresh()
    workshop.configure()
    unnoticed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        steps = history.tell(folder)
        for number, (title, old, new, watch) in enumerate([("nothing is broken", "", "", power_is_lost), *CANARIES]):
            (folder / str(number)).mkdir()
            path = workshop.source / FILE
            right = path.read_text("utf-8")
            assert not old or right.count(old) == 1, f"{title}: the old text stands {right.count(old)} times in {FILE}"
            path.write_text(right.replace(old, new) if old else right, "utf-8")
            try:
                found = watch(steps, folder / str(number), workshop.make())
            finally:
                path.write_text(right, "utf-8")
            print(
                f"{title}: {len(found)} things do not hold" + "".join(f"\n  {line}" for line in found[:3]), flush=True
            )
            unnoticed += bool(found) != bool(old)
    print(f"{len(CANARIES)} canaries, {unnoticed} of them wrongly judged")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
