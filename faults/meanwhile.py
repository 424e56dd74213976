"""Somebody else lands another batch while the program is at its k-th call: both batches must be there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import judging
import reading
from history import Project, Step, program

OTHER = "id,day,price,note\n70,2026-01-05,1.00,meanwhile\n71,2026-01-05,2.00,meanwhile\n"
TABLE = "bronze.raw"


def other_rows(project: Project) -> reading.Rows:
    return [row for row in reading.tables(project.home).get(TABLE, []) if "meanwhile" in row]


def land_meanwhile(step: Step, at: int, folder: Path, binary: Path | None = None) -> list[str]:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        project = step.before.copy(Path(temporary) / "project")
        (project.folder / "other.csv").write_text(OTHER, "utf-8")
        command = (
            f"cp other.csv in/ && {binary or program()} load {TABLE} --batch other >/dev/null 2>&1 && touch landed"
        )
        ended = project.run(*step.words, at=at, do=f"run:{command}", binary=binary)
        found = [] if ended.code in (0, 3) else [f"it ended with {ended.code}: {ended.text}"]
        # Before the rerun, which would land the file anew.
        if (project.folder / "landed").exists() and (count := len(other_rows(project))) != 2:
            found.append(f"the other batch said that it landed 2 rows; {count} are there")
        again = project.run(*step.words, watched=False, binary=binary)
        found += [] if again.code == 0 else [f"the rerun ended with {again.code}: {again.text}"]
        if len(reading.tables(project.home)[TABLE]) != len(step.tables_after[TABLE]) + 2:
            found.append("rows of the two batches are lost or doubled")
        return [f"{step.name}, another landing at call {at}: {line}" for line in found + judging.verified(project)]
