from __future__ import annotations

from pathlib import Path

import history
import pytest


@pytest.fixture(scope="session")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[history.Step]:
    return history.tell(tmp_path_factory.mktemp("history"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
