"""Every case through both faces: one test each."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_cases import FACES, run_case

CASES = sorted(Path(__file__).parent.glob("*.case"))


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path, face: str, tmp_path: Path) -> None:
    failures = run_case(case.read_text("utf-8"), face, tmp_path)
    assert not failures, "\n" + "\n".join(failures)


def test_there_are_cases() -> None:
    assert len(CASES) >= 60
