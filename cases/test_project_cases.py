"""The cases of the example's project hold by the product's own runner and by the one that shares nothing with it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from run_cases import FACES, ROOT, open_face, run_case

EXAMPLE = ROOT / "examples" / "orders"
CASES = sorted((EXAMPLE / "Lakehouse" / "Shop" / "cases").glob("*.case"))


def copy_documents(project: Path) -> None:
    shutil.copytree(EXAMPLE / "Lakehouse", project / "Lakehouse")
    shutil.copy(EXAMPLE / "tenter.yml", project)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_case_of_the_example_holds_elsewhere(case: Path, face: str, tmp_path: Path) -> None:
    copy_documents(tmp_path)
    failures = run_case(case.read_text("utf-8"), face, tmp_path)
    assert not failures, "\n" + "\n".join(failures)


@pytest.mark.parametrize("name", FACES)
def test_the_product_runs_them_and_shows_what_differs(name: str, tmp_path: Path) -> None:
    copy_documents(tmp_path)
    face = open_face(name, tmp_path)
    try:
        answer = face.run(["test", "--json"])
        assert answer.exit == 0, answer.stdout
        assert [case["ok"] for case in json.loads(answer.stdout)["result"]["cases"]] == [True] * len(CASES)
        broken = tmp_path / "Lakehouse" / "Shop" / "cases" / CASES[0].name
        text = broken.read_text("utf-8")
        assert "A-1001 | 40.00 | AUD | coupon" in text
        broken.write_text(text.replace("A-1001 | 40.00 | AUD | coupon", "A-1001 | 42.48 | AUD | gift"))
        answer = face.run(["test", "--json"])
    finally:
        face.close()
    assert answer.exit == 1
    case = json.loads(answer.stdout)["result"]["cases"][0]
    assert case["failures"] == [
        {
            "line": 8,
            "step": "expect rows select order_id, order_total, currency, note from silver.orders",
            "message": "",
            "missing": ["A-1001 | 42.48 | AUD | gift"],
            "unexpected": ["A-1001 | 40.00 | AUD | coupon"],
        }
    ]
    assert not (tmp_path / ".tenter").exists()
