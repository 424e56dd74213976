"""Several runs at once on one home: whoever comes first, the tables are as if the runs had come one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lakehouse
import pytest
from story import tenter

DOCUMENTS = {
    "bronze.raw": "Description: As sent.\nLanding: in/*.csv\nFormat: csv\n",
    "silver.t": """Description: Things.
Owner: Data team
From: bronze.raw
Primary key: id
Max reject ratio: 100%
Schema:
  id: int
""",
}
RUNS = 5


@pytest.fixture
def project(tmp_path: Path) -> Path:
    tables = tmp_path / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (tables / f"{name}.yml").write_text(text)
    (tmp_path / "in").mkdir()
    lines = ["id", *map(str, range(500)), "x", "1,2"]  # one row to reject, one record that is malformed
    (tmp_path / "in" / "a.csv").write_text("".join(line + "\n" for line in lines))
    assert tenter("init", at=tmp_path).returncode == 0
    return tmp_path


def at_once(project: Path, *arguments: str) -> list[int]:
    with ThreadPoolExecutor(RUNS) as pool:
        return list(pool.map(lambda _: tenter(*arguments, at=project).returncode, range(RUNS)))


def kinds(project: Path, table: str) -> list[str]:
    log = lakehouse.replay(lakehouse.table_path(project / ".tenter", table))
    return [(log.receipt(version) or {}).get("kind", "") for version in range(log.version + 1)]


def verified(project: Path) -> None:
    done = tenter("verify", "silver.t", "--deep", at=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_several_landings_land_once(project: Path) -> None:
    assert set(at_once(project, "load", "bronze.raw")) <= {0, 3}
    assert tenter("load", at=project).returncode == 0
    sql = "select (select count(*) from bronze.raw) as rows, (select count(*) from quarantine.raw_malformed) as bad"
    assert lakehouse.query(project / ".tenter", sql)[1] == [("501", "1")]
    verified(project)


def test_several_loads_of_a_batch_are_one_commit(project: Path) -> None:
    assert tenter("build", at=project).returncode == 0
    assert tenter("load", "bronze.raw", "--batch", "b1", at=project).returncode == 0
    assert set(at_once(project, "load", "silver.t")) == {0}
    assert kinds(project, "silver.t") == ["build", "load"]
    assert kinds(project, "quarantine.t") == ["quarantine"]


def test_several_first_loads_build_one_table(project: Path) -> None:
    assert tenter("load", "bronze.raw", "--batch", "b1", at=project).returncode == 0
    assert set(at_once(project, "load", "silver.t")) == {0}
    assert kinds(project, "silver.t") == ["build", "load"]


def test_verify_confirms_whoever_came_first(project: Path) -> None:
    for number in range(4):
        (project / "in" / f"{number}.csv").write_text(f"id\n{number}\nx{number}\n")
        assert tenter("load", "bronze.raw", "--batch", f"b{number}", at=project).returncode == 0
        at_once(project, "load", "silver.t")
        verified(project)
