"""The runner must be able to see a failure of every kind, so it is shown tables that delta-rs wrote."""

from __future__ import annotations

import json
from pathlib import Path

import deltalake
import pyarrow
import pytest
from run_cases import Answer, CaseError, parse, run_case, unescape

RECEIPT = {"tenter": {"format": 1, "kind": "load", "counts": {"read": 3}, "rejects": {"missing.id": 2}}}

CASE = """# Two versions of a table, and a command that ends with 1.
run load silver.t
expect exit 1
expect error gate.no_rows
expect rows select id, name from silver.t
  id | name
  2 | ""
  1 | a
  3 | NULL
expect rows select id from silver.t@v0 order by id
  id
  1
  2
expect receipt silver.t kind=load read=3 rejects.missing.id=2 rejects.other=0
expect version silver.t 1
"""


class Pretender:
    """Answers as the product would, with a table made by delta-rs."""

    def __init__(self, project: Path, exits: int = 1, stdout: str | None = None) -> None:
        self.project = project
        self.exits = exits
        self.stdout = stdout or json.dumps({"errors": [{"code": "gate.no_rows"}]})

    def run(self, arguments: list[str]) -> Answer:
        if arguments[0] == "init":
            return Answer(0, "{}", "")
        place = self.project / ".tenter" / "onelake" / "w" / "I.Lakehouse" / "Tables" / "silver" / "t"
        first = pyarrow.table({"id": [1, 2], "name": ["a", ""]})
        second = pyarrow.table({"id": [3], "name": pyarrow.array([None], pyarrow.string())})
        deltalake.write_deltalake(str(place), first)
        properties = deltalake.CommitProperties(custom_metadata={"userMetadata": json.dumps(RECEIPT)})
        deltalake.write_deltalake(str(place), second, mode="append", commit_properties=properties)
        return Answer(self.exits, self.stdout, "")

    def close(self) -> None:
        pass


def failures_of(text: str, project: Path, **answers: object) -> list[str]:
    return run_case(text, "cli", project, Pretender(project, **answers))  # type: ignore[arg-type]


def test_a_case_that_holds_has_no_failures(tmp_path: Path) -> None:
    assert failures_of(CASE, tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("expect exit 1", "expect exit 0", 3),
        ("expect error gate.no_rows", "expect error gate.min_rows", 4),
        ('  2 | ""', "  2 | NULL", 5),
        ("  3 | NULL\n", "", 5),
        ("  id | name", "  id | label", 5),
        ("select id, name from silver.t\n", "select id, name from silver.missing\n", 5),
        ("  1\n  2", "  2\n  1", 10),
        ("silver.t@v0", "silver.t@v1", 10),
        ("silver.t@v0", "silver.t@v7", 10),
        ("kind=load", "kind=land", 14),
        ("read=3", "read=4", 14),
        ("rejects.missing.id=2", "rejects.missing.id=3", 14),
        ("rejects.other=0", "rejects.other=1", 14),
        ("silver.t 1", "silver.t 2", 15),
    ],
)
def test_a_wrong_expectation_is_seen(right: str, wrong: str, line: int, tmp_path: Path) -> None:
    assert CASE.count(right) >= 1
    at = CASE.rindex(right)
    failures = failures_of(CASE[:at] + wrong + CASE[at + len(right) :], tmp_path)
    shift = line - (wrong == "" and line > 5)
    assert len(failures) == 1 and failures[0].startswith(f"line {shift}:"), failures


def test_a_run_without_an_expected_exit_must_end_with_0(tmp_path: Path) -> None:
    failures = failures_of(CASE.replace("expect exit 1\n", ""), tmp_path)
    assert len(failures) == 1 and failures[0].startswith("line 2:")


def test_an_answer_that_is_no_json_is_seen(tmp_path: Path) -> None:
    failures = failures_of(CASE, tmp_path, stdout="{} {}")
    assert len(failures) == 1 and "not one JSON document" in failures[0]


def test_files_that_the_log_does_not_agree_with_are_seen(tmp_path: Path) -> None:
    class Spoiler(Pretender):
        def run(self, arguments: list[str]) -> Answer:
            answer = super().run(arguments)
            for file in self.project.rglob("*.parquet"):
                file.write_bytes(file.read_bytes() + b" ")
            return answer

    failures = run_case(CASE, "cli", tmp_path, Spoiler(tmp_path))
    assert len(failures) == 2 and all("bytes" in failure for failure in failures)


@pytest.mark.parametrize(
    "text",
    [
        "run check\nexpect exit 0\n",  # no reason
        "# why\nrun check\n",  # expects nothing
        "# why\nexpects exit 0\n",  # no such keyword
    ],
)
def test_a_case_that_is_written_wrong_is_refused(text: str) -> None:
    with pytest.raises(CaseError):
        parse(text)


def test_escapes_give_bytes() -> None:
    assert unescape(r"a\r\n\t\\\xEF\xbb") == b"a\r\n\t\\\xef\xbb"
    with pytest.raises(CaseError):
        unescape(r"\q")
