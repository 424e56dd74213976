"""A short life of one home, step by step: two batches with rejects and malformed records, and the batches between
them that bring every table to a checkpoint. Each step starts from a saved copy of the project, so that it can be
repeated under every fault."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import reading

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = {
    "bronze.raw": "Description: As sent.\nLanding: in/*.csv\nFormat: csv\n",
    "silver.t": """Description: Things.
Owner: Data team
From: bronze.raw
Primary key: id
Version column: day
Max reject ratio: 70%
Schema:
  id: int
  day: date
  price: decimal(10,2)
  note: string
Checks:
  price_is_positive: price > 0
""",
}
FIRST = ["1,2026-01-01,1.50,a", "2,2026-01-01,2.50,b", "x,2026-01-01,1.00,c", "2,2026-01-01,2.50,b", "3,2026"]
TENTH = ["1,2026-01-02,9.50,changed", "50,2026-01-02,2.50,new", "51,soon,2.50,bad", "52,2026-01-02,-1,bad", "4"]
ELEVENTH = ["2,2026-01-03,7.00,late", "60,soon,1,bad", "61,2026-01-03,-1,bad", "62,x,y,z", "y,2026-01-03,1.00,", "9"]


def program() -> Path:
    return Path(os.environ.get("TENTER_BIN") or ROOT / "build" / "fast" / "bin" / "tenter").resolve()


def shim() -> Path:
    found = program().parent.parent / "lib" / "libtenter_faults.so"
    assert found.exists(), f"{found} is not built; TENTER_BIN names the program in bin/ beside its lib/"
    return found


@dataclass
class Call:
    """One line of the shim's log."""

    number: int
    name: str
    path: str
    to: str
    outcome: str


def read_calls(log: Path) -> list[Call]:
    if not log.exists():
        return []
    lines = [line.split("\t") for line in log.read_text("utf-8").splitlines()]
    return [Call(int(number), *rest) for number, *rest in lines]


@dataclass
class Ended:
    code: int  # negative: the signal that ended it
    text: str
    calls: list[Call]

    @property
    def was_killed(self) -> bool:
        return self.code == -signal.SIGKILL


@dataclass
class Project:
    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / ".tenter"

    def run(
        self, *words: str, at: int = 0, do: str = "none", watched: bool = True, binary: Path | None = None
    ) -> Ended:
        """Runs the program; under the shim when `watched`, which at call `at` does what `do` says."""
        log = self.folder / "calls.log"
        log.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name != "TENTER_HOME"}
        environment |= {"TENTER_USER": "test", "NO_COLOR": "1", "TZ": "UTC"}
        if watched:
            environment |= {
                "LD_PRELOAD": str(shim()),
                "TENTER_FAULT_UNDER": str(self.home.resolve()),
                "TENTER_FAULT_AT": str(at),
                "TENTER_FAULT_DO": do,
                "TENTER_FAULT_LOG": str(log.resolve()),
            }
        done = subprocess.run(
            [binary or program(), *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ended(done.returncode, done.stdout + done.stderr, read_calls(log))

    def copy(self, into: Path) -> Project:
        shutil.copytree(self.folder, into)
        return Project(into)

    def deliver(self, name: str, lines: list[str]) -> None:
        (self.folder / "in" / f"{name}.csv").write_text("\n".join(["id,day,price,note", *lines]) + "\n", "utf-8")


@dataclass
class Step:
    name: str
    words: list[str]
    ends: int
    before: Project
    tables_before: reading.Tables
    tables_after: reading.Tables = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)


def new_project(folder: Path) -> Project:
    documents = folder / "Lakehouse" / "Shop" / "Tables"
    documents.mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (documents / f"{name}.yml").write_text(text, "utf-8")
    (folder / "in").mkdir()
    return Project(folder)


def tell(folder: Path) -> list[Step]:
    """The steps, each run once without a fault."""
    project = new_project(folder / "project")
    steps: list[Step] = []

    def step(name: str, *words: str, ends: int = 0) -> None:
        told = Step(name, list(words), ends, project.copy(folder / name), reading.tables(project.home))
        done = project.run(*words)
        assert done.code == ends, f"{name} ended with {done.code}\n{done.text}"
        told.calls = done.calls
        told.tables_after = reading.tables(project.home)
        steps.append(told)

    def silently(*words: str) -> None:
        done = project.run(*words, watched=False)
        assert done.code == 0, f"{words} ended with {done.code}\n{done.text}"

    step("init", "init", "--test-clock", "2026-03-01T06:00:00Z")
    step("build", "build")
    project.deliver("b01", FIRST)
    step("land-first", "load", "bronze.raw", "--batch", "b01")
    step("load-first", "load", "silver.t")
    for number in range(2, 10):
        project.deliver(f"b{number:02}", [f"{number},2026-01-01,1.00,n", "x,2026-01-01,1.00,bad", "short"])
        silently("load", "bronze.raw", "--batch", f"b{number:02}")
        silently("load", "silver.t")
    project.deliver("b10", TENTH)
    step("land-tenth", "load", "bronze.raw", "--batch", "b10")
    step("load-tenth", "load", "silver.t")
    project.deliver("b11", ELEVENTH)
    step("land-eleventh", "load", "bronze.raw", "--batch", "b11")
    step("load-eleventh", "load", "silver.t", ends=1)  # more rejects than the limit allows
    step("accept", "load", "silver.t", "--batch", "b11", "--accept-rejects", "--because", "the fair was abroad")
    return steps
