"""Bad documents, files and arguments: one error each, with a message and at its place, and nothing written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from run_cases import CLOCK, FACES, Answer, Face, Runner, Step, open_face, parse

CASES = sorted(Path(__file__).parent.glob("*.case"))
# The home's own clock moves with every command.
MOVING = {".tenter/clock"}


def snapshot(project: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(project)): path for path in project.rglob("*")}
    return {name: path.read_bytes() if path.is_file() else b"" for name, path in found.items() if name not in MOVING}


def wanted_place(steps: list[Step]) -> str | None:
    for step in steps:
        if step.word == "#" and step.argument.startswith("at "):
            return step.argument.removeprefix("at ")
    return None


def print_place(error: dict[str, object]) -> str:
    parts = [error["file"], error["line"], error["column"]]
    return ":".join(str(part) for part in parts if part is not None)


def run(steps: list[Step], project: Path, face: Face) -> tuple[Answer, bool]:
    """Runs all steps; the last run's answer and whether it left everything as it was."""
    runner = Runner(project, face)
    runs = [step for step in steps if step.word == "run"]
    untouched = False
    for step in steps:
        if step is runs[-1]:
            before = snapshot(project)
            runner.step(step, exit_expected=True)
            untouched = snapshot(project) == before
        else:
            runner.step(step, exit_expected=False)
    assert runner.failures == []
    assert runner.last is not None
    return runner.last, untouched


@pytest.mark.parametrize("face_name", FACES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_one_clear_error_and_nothing_written(case: Path, face_name: str, tmp_path: Path) -> None:
    steps = parse(case.read_text("utf-8"))
    face = open_face(face_name, tmp_path)
    try:
        assert face.run(["init", "--test-clock", CLOCK, "--json"]).exit == 0
        answer, untouched = run(steps, tmp_path, face)
    finally:
        face.close()
    errors = json.loads(answer.stdout)["errors"]
    assert len(errors) == 1, errors
    assert len(errors[0]["message"]) > 10
    if place := wanted_place(steps):
        assert print_place(errors[0]) == place, errors
    assert untouched, "the refused command wrote something"


def test_there_are_enough_and_they_differ() -> None:
    texts = {case.read_text("utf-8").split("\n", 1)[1] for case in CASES}
    assert len(texts) == len(CASES) >= 80
    about_documents = [case for case in CASES if case.stem.split("_")[0] in ("document", "landing", "project")]
    assert len(about_documents) >= 60
    assert len(CASES) - len(about_documents) >= 20
