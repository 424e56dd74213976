"""The eight days of `examples/orders`, as its README tells them, run by the product itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ORDERS = ROOT / "examples" / "orders"
DAYS = range(1, 9)
SKIP = "the export lost its currency column; the shop sends the day again"
ACCEPT = "orders of the fair abroad, settled there"
ASKED = "both customers were asked"
CORRECTED = "day-6-corrected"


def tenter(*arguments: str | Path, at: Path) -> subprocess.CompletedProcess[str]:
    binary = Path(os.environ.get("TENTER_BIN") or ROOT / "build" / "fast" / "bin" / "tenter")
    environment = {name: value for name, value in os.environ.items() if name != "TENTER_HOME"}
    environment |= {"TENTER_USER": "test", "NO_COLOR": "1", "TZ": "UTC"}
    return subprocess.run(
        [binary.resolve(), *arguments],
        cwd=at,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@dataclass
class Story:
    project: Path
    homes: dict[int, Path] = field(default_factory=dict)  # a copy of the home after each day
    first_try: dict[int, dict[str, Any]] = field(default_factory=dict)  # what the day's first load answered
    landed: dict[int, dict[str, Any]] = field(default_factory=dict)
    version_before: dict[int, int] = field(default_factory=dict)  # of silver.orders
    version_after_first_try: dict[int, int] = field(default_factory=dict)
    recovered: Path = field(default_factory=Path)  # a copy of the project, its rejects taken up again
    taken_up: dict[str, dict[str, Any]] = field(default_factory=dict)  # what retry and apply answered

    def run(self, *arguments: str, ends: int = 0) -> dict[str, Any]:
        done = tenter(*arguments, "--json", at=self.project)
        assert done.returncode == ends, (
            f"tenter {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}"
        )
        return json.loads(done.stdout)

    def silver_version(self) -> int:
        logs = (self.project / ".tenter" / "onelake").glob("*/Shop.Lakehouse/Tables/silver/orders/_delta_log/*.json")
        return max(int(path.stem) for path in logs if path.stem.isdigit())

    def day(self, day: int) -> None:
        shutil.copytree(ORDERS / "days" / str(day), self.project / "landing" / "orders", dirs_exist_ok=True)
        self.landed[day] = self.run("load", "bronze.orders_raw", "--batch", f"day-{day}")
        self.version_before[day] = self.silver_version()
        self.first_try[day] = self.run("load", "silver.orders", ends=1 if day in (5, 7) else 0)
        self.version_after_first_try[day] = self.silver_version()
        if day == 5:
            self.run("batch", "skip", "day-5", "--because", SKIP)
        if day == 7:
            self.run("load", "silver.orders", "--batch", "day-7", "--accept-rejects", "--because", ACCEPT)
        self.homes[day] = self.project.parent / f"home-{day}"
        shutil.copytree(self.project / ".tenter", self.homes[day])


def tell(folder: Path) -> Story:
    project = folder / "orders"
    (project / "landing" / "orders").mkdir(parents=True)
    shutil.copy(ORDERS / "tenter.yml", project)
    shutil.copytree(ORDERS / "Lakehouse", project / "Lakehouse")
    story = Story(project)
    story.run("init", "--test-clock", "2026-03-01T06:00:00Z")
    story.run("check")
    story.run("build")
    for day in DAYS:
        story.day(day)
    recover(story, folder / "recovered" / "orders")
    return story


def recover(story: Story, project: Path) -> None:
    """EUR comes into the contract, the rejects of day 7 are retried, two of day 6 are corrected."""
    story.recovered = Path(shutil.copytree(story.project, project))
    shutil.copytree(ORDERS / "corrections", project / "corrections")
    own = Story(project)
    document = project / "Lakehouse" / "Shop" / "Tables" / "silver.orders.yml"
    before = document.read_text("utf-8")
    document.write_text(before.replace("values: [AUD, NZD, USD]", "values: [AUD, EUR, NZD, USD]"), "utf-8")
    own.run("build")
    story.taken_up["retry"] = own.run("rejects", "retry", "silver.orders", "--batch", "day-7")
    own.run("rejects", "silver.orders", "--batch", "day-6", "--format", "csv", "-o", "day-6-open.csv")
    script = project / "corrections" / "day-6.sed"
    done = subprocess.run(
        ["sed", "-nE", "-f", script, project / "day-6-open.csv"], capture_output=True, text=True, check=True
    )
    (project / "corrections" / "day-6.csv").write_text(done.stdout, "utf-8")
    story.taken_up["apply"] = own.run(
        "rejects", "apply", "silver.orders", "corrections/day-6.csv", "--batch", CORRECTED, "--because", ASKED
    )
