"""Every call of a two-batch history that changes something under the home fails, kills, or loses its answer.

TENTER_FAULT_EVERY says to try every n-th call only (29 by default; 1 tries all).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import durability
import history
import judging
import meanwhile
import pytest

EVERY = int(os.environ.get("TENTER_FAULT_EVERY") or "29")
WRITES = {"write", "pwrite", "writev"}


def chosen(steps: list[history.Step], do: str) -> list[judging.Fault]:
    faults = [judging.Fault(step, call.number, do) for step in steps for call in step.calls if fits(call, do)]
    # Each way of failing begins at another call, so that together they see more.
    return faults[hash_of(do) % EVERY :: EVERY] if EVERY > 1 else faults


def hash_of(text: str) -> int:
    return sum(text.encode("utf-8"))


def fits(call: history.Call, do: str) -> bool:
    return call.name in WRITES if do in ("torn", "short") else True


def suffer_all(faults: list[judging.Fault], folder: Path) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda fault: judging.suffer(fault, folder), faults))
    struck = sum(any(call.outcome != "ok" for call in ended.calls) for ended, _ in answers)
    found = [line for _, lines in answers for line in lines]
    print(f"{len(faults)} faults, {struck} of them struck")
    assert struck >= len(faults) * 0.9, "the history has changed under the faults"
    assert not found, f"{len(found)} things do not hold:\n" + "\n".join(found)


def test_the_faults_reach_every_part_of_the_home(steps: list[history.Step]) -> None:
    hits = judging.hits([call for step in steps for call in step.calls])
    print(dict(hits))
    assert all(hits[part] >= 10 for part in ("bronze", "quarantine", "silver", "control.db"))
    checkpoints = {call.to.split("/")[-4] for step in steps for call in step.calls if ".checkpoint." in call.to}
    assert checkpoints == {"bronze", "quarantine", "silver"}


@pytest.mark.parametrize("do", ["fail:EIO", "lost:EIO", "kill", "torn", "short"])
def test_a_fault_leaves_the_old_version_or_the_new(steps: list[history.Step], folder: Path, do: str) -> None:
    suffer_all(chosen(steps, do), folder)


@pytest.mark.parametrize("do", ["from:ENOSPC", "from:EROFS"])
def test_a_disk_that_fills_or_becomes_read_only(steps: list[history.Step], folder: Path, do: str) -> None:
    suffer_all(chosen(steps, do), folder)


def test_the_same_command_run_by_another_at_every_call(steps: list[history.Step], folder: Path) -> None:
    """Two landings of one table, two loads of one batch: whoever comes first, each row is there once."""
    found = []
    for step in steps:
        words = " ".join(f"'{word}'" for word in step.words)
        for fault in chosen([step], f"run:{history.program()} {words} >/dev/null 2>&1"):
            found += judging.suffer(fault, folder)[1]
    assert not found, "\n".join(found)


def test_another_batch_landed_at_every_call(steps: list[history.Step], folder: Path) -> None:
    step = next(step for step in steps if step.name == "land-tenth")
    calls = [call.number for call in step.calls if EVERY == 1 or call.name == "link"]
    found = [line for at in calls for line in meanwhile.land_meanwhile(step, at, folder)]
    assert calls
    assert not found, "\n".join(found)


def test_a_file_system_without_nameless_files_serves_too(steps: list[history.Step], folder: Path) -> None:
    step = next(step for step in steps if step.name == "load-tenth")
    put = [call for call in step.calls if call.name == "open" and call.path.endswith("_delta_log")]
    assert put, "log entries are no longer put as files without a name"
    for call in put:
        ended, found = judging.suffer(judging.Fault(step, call.number, "fail:EOPNOTSUPP"), folder)
        assert ended.code == 0, ended.text
        assert not found, "\n".join(found)
        assert any(later.name == "link" and later.path.endswith(".tmp") for later in ended.calls)


def test_what_is_reported_as_done_is_on_the_disk(steps: list[history.Step]) -> None:
    home = str(steps[0].before.home.parents[1] / "project" / ".tenter")
    found = [f"{step.name}: {line}" for step in steps for line in durability.not_durable(step.calls, home)]
    assert not found, "\n".join(found)
