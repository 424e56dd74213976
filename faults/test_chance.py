"""Kills at random moments, folders that vanish, a clock that goes back.

TENTER_FAULT_EVERY=1 asks for 200 kills instead of 8; TENTER_SEED replays them.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import history
import judging
import lakehouse
import pytest
import reading

EVERY = int(os.environ.get("TENTER_FAULT_EVERY") or "29")
KILLS = 200 if EVERY == 1 else 8


def durations(steps: list[history.Step], folder: Path) -> dict[str, float]:
    """How long each step takes, in seconds."""
    took = {}
    for step in steps:
        project = step.before.copy(folder / step.name)
        began = time.monotonic()
        project.run(*step.words, watched=False)
        took[step.name] = time.monotonic() - began
    return took


def kill_once(step: history.Step, delay_s: float, beside: bool, folder: Path) -> tuple[bool, list[str]]:
    """Whether the kill came in time, and what does not hold; `beside` the same command runs and is not killed."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        project = step.before.copy(Path(temporary) / "project")
        environment = {name: value for name, value in os.environ.items() if name != "TENTER_HOME"}
        environment |= {"TENTER_USER": "test", "TZ": "UTC"}
        command = [str(history.program()), *step.words]
        with open(Path(temporary) / "said", "w", encoding="utf-8") as said:
            runs = [
                subprocess.Popen(command, cwd=project.folder, env=environment, stdout=said, stderr=said)
                for _ in range(2 if beside else 1)
            ]
            time.sleep(delay_s)  # the moment is chance itself
            runs[0].kill()
            codes = [run.wait(timeout=120) for run in runs]
        found = [f"the other run ended with {codes[1]}"] if beside and codes[1] not in (step.ends, 3) else []
        return codes[0] == -9, found + judging.old_or_new(step, project) + judging.after_rerun(step, project)


def test_kills_at_random_moments(steps: list[history.Step], folder: Path) -> None:
    seed = int(os.environ.get("TENTER_SEED") or time.time_ns() % 1_000_000_007)
    print(f"TENTER_SEED={seed}")
    chance = random.Random(seed)
    took = durations(steps, folder)
    killed, found = 0, []
    for _ in range(KILLS):
        step = chance.choice(steps)
        delay_s, beside = chance.random() * took[step.name] * 0.9, chance.random() < 0.3
        in_time, lines = kill_once(step, delay_s, beside, folder)
        killed += in_time
        found += [f"TENTER_SEED={seed} {step.name} killed after {delay_s:.4f} s: {line}" for line in lines]
    print(f"{KILLS} kills, {killed} of them in time")
    assert not found, "\n".join(found)
    assert killed >= KILLS // 3, "the kills come too late to prove anything"


@pytest.mark.parametrize("what", ["onelake", "."])
def test_a_folder_that_vanishes_and_comes_back(steps: list[history.Step], folder: Path, what: str) -> None:
    found = []
    for step in steps[2:]:
        for call in step.calls[len(step.calls) // 2 % EVERY :: EVERY if EVERY > 1 else 3]:
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                project = step.before.copy(Path(temporary) / "project")
                lost, kept = project.home / what, Path(temporary) / "kept"
                ended = project.run(*step.words, at=call.number, do=f"run:mv '{lost}' '{kept}'")
                if -ended.code in judging.CRASHES:
                    found.append(f"{step.name}, call {call.number}: ended by signal {-ended.code}: {ended.text}")
                shutil.rmtree(lost, ignore_errors=True)
                shutil.move(kept, lost)
                found += [
                    f"{step.name}, {what} vanished at call {call.number}: {line}"
                    for line in judging.old_or_new(step, project) + judging.after_rerun(step, project)
                ]
    assert not found, "\n".join(found)


def test_a_clock_that_goes_back(steps: list[history.Step], folder: Path) -> None:
    first = next(step for step in steps if step.name == "land-first")
    project = first.before.copy(folder / "project")

    def command(*words: str, ends: int = 0) -> None:
        clock = project.home / "clock"
        year, rest = clock.read_text("utf-8").split("-", 1)
        clock.write_text(f"{int(year) - 1}-{rest}", "utf-8")
        done = project.run(*words, watched=False)
        assert done.code == ends, f"{words} ended with {done.code}\n{done.text}"

    for batch, lines in (("b01", history.FIRST), ("b10", history.TENTH), ("b11", history.ELEVENTH)):
        project.deliver(batch, lines)
        command("load", "bronze.raw", "--batch", batch)
        command("load", "silver.t", ends=1 if batch == "b11" else 0)
    command("load", "silver.t", "--batch", "b11", "--accept-rejects", "--because", "the fair was abroad")
    landed = lakehouse.query(project.home, "select _batch_id, min(_loaded_at) from bronze.raw group by 1 order by 2")[1]
    assert [row[0] for row in landed] == ["b01", "b10", "b11"], "the order of landing is the order of _loaded_at"
    rows = reading.tables(project.home)["silver.t"]
    assert [row[3] for row in rows] == ["changed", "late", "new"]
    connection = lakehouse.connect(project.home)
    wrong = judging.accounted(project.home, connection) + judging.doubled(project.home, connection)
    assert not wrong + judging.verified(project)
