"""What must hold after a fault, and again after the command was simply run once more."""

from __future__ import annotations

import collections
import json
import re
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lakehouse
import reading
from history import Ended, Project, Step

import duckdb

CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}


@dataclass
class Fault:
    step: Step
    at: int
    do: str

    def __str__(self) -> str:
        call = self.step.calls[self.at - 1] if self.at <= len(self.step.calls) else None
        where = f"{call.name} {Path(call.to or call.path).name}" if call else "a later call"
        return f"{self.step.name}, call {self.at} ({where}), {self.do}"


def old_or_new(step: Step, project: Project) -> list[str]:
    """Every table alone is as it was before the step or as it is after it."""
    now = reading.tables(project.home)
    found = []
    for name in sorted(now.keys() | step.tables_after.keys()):
        if now.get(name) not in (step.tables_before.get(name), step.tables_after.get(name)):
            found.append(f"{name} is neither the old version nor the new: {now.get(name)}")
    return found


def accounted(home: Path, connection: duckdb.DuckDBPyConnection) -> list[str]:
    """read = accounted in every receipt, and the counts are those of the rows that lie there."""
    found = []
    names = {name for name, _ in reading.folders(home)}

    def count(table: str, batch: str) -> int:
        if table not in names:
            return 0
        return int(connection.sql(f"select count(*) from {table} where _batch_id = '{batch}'").fetchall()[0][0])

    for name, path in reading.folders(home):
        log = lakehouse.replay(path)
        for version in range(log.version + 1):
            receipt = log.receipt(version) or {}
            if receipt.get("kind") not in ("load", "land"):
                continue
            batch, counts = receipt["batch"], receipt["counts"]
            parts = sum(amount for part, amount in counts.items() if part not in ("read", "malformed"))
            rows = count("bronze.raw", batch) + count("quarantine.raw_malformed", batch)
            kept = count("quarantine.t", batch) if receipt["kind"] == "load" else 0
            kept += count("quarantine.raw_malformed", batch)
            if (counts["read"], counts["read"], counts["quarantined"]) != (parts, rows, kept):
                found.append(f"{name}@v{version}: {json.dumps(counts)}, {rows} rows landed, {kept} kept aside")
    return found


def doubled(home: Path, connection: duckdb.DuckDBPyConnection) -> list[str]:
    found = []
    for name, _ in reading.folders(home):
        keys = {"silver.t": "id", "bronze.raw": "_source_file, _source_line"}.get(name, "_reject_id")
        sql = f"select {keys}, count(*) from {name} group by all having count(*) > 1"
        found += [f"{name}: {row} is there twice" for row in connection.sql(sql).fetchall()]
    return found


def verified(project: Project) -> list[str]:
    done = project.run("verify", "--deep", watched=False)
    return [] if done.code == 0 else [f"verify ended with {done.code}\n{done.text}"]


def right_after(fault: Fault, project: Project, ended: Ended) -> list[str]:
    found = old_or_new(fault.step, project)
    if -ended.code in CRASHES:
        found.append(f"the program crashed with signal {-ended.code}: {ended.text}")
    if ended.code == fault.step.ends and not ended.was_killed:
        if reading.tables(project.home) != fault.step.tables_after:
            found.append("the command said that it is done, and it is not")
    elif not ended.was_killed and not re.search(r"\[[a-z]+\.[a-z_.]+\]", ended.text):
        found.append(f"it ended with {ended.code} and no error code: {ended.text}")
    return found


def after_rerun(step: Step, project: Project) -> list[str]:
    again = project.run(*step.words, watched=False)
    if again.code != step.ends:
        return [f"the rerun ended with {again.code}, expected {step.ends}\n{again.text}"]
    now = reading.tables(project.home)
    found = [
        f"{name} after the rerun: {now.get(name)}, expected {step.tables_after.get(name)}"
        for name in sorted(now.keys() | step.tables_after.keys())
        if now.get(name) != step.tables_after.get(name)
    ]
    found += [f"a file that nothing names and no vacuum finds: {path}" for path in reading.strays(project.home)]
    if not now:
        return found
    connection = lakehouse.connect(project.home)
    return found + accounted(project.home, connection) + doubled(project.home, connection) + verified(project)


def suffer(fault: Fault, folder: Path, **how: Any) -> tuple[Ended, list[str]]:
    """One fault on a copy of the project; what does not hold afterwards."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        project = fault.step.before.copy(Path(temporary) / "project")
        ended = project.run(*fault.step.words, at=fault.at, do=fault.do, **how)
        found = right_after(fault, project, ended)
        return ended, [f"{fault}: {line}" for line in found + after_rerun(fault.step, project)]


def hits(calls: list[Any]) -> collections.Counter[str]:
    """How many of the calls went where."""
    counter: collections.Counter[str] = collections.Counter()
    for call in calls:
        for part in ("/bronze/", "/quarantine/", "/silver/", "/control.db"):
            counter[part.strip("/")] += part in call.path or part in call.to
    return counter
