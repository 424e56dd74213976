"""The tools that look after the repository are tested as well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]
REPOSITORY = TOOLS.parent


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_every_house_rule_is_seen_to_fail() -> None:
    done = run(sys.executable, TOOLS / "check_house.py", "--self-test")
    assert done.returncode == 0, done.stdout


def test_the_house_rules_need_no_git() -> None:
    done = run(sys.executable, TOOLS / "check_house.py", "--self-test", PATH="")
    assert done.returncode == 0, done.stdout + done.stderr


def gtest_report(*results: str) -> str:
    cases = [
        {"name": f"case_{number}", "status": "RUN", "result": "SKIPPED" if result == "skipped" else "COMPLETED"}
        | ({"failures": [{"failure": "no"}]} if result == "failed" else {})
        for number, result in enumerate(results)
    ]
    return json.dumps({"testsuites": [{"testsuite": cases}]})


def tally(results: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, TOOLS / "tally.py", results, *more)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "gtest").mkdir()
    return tmp_path


def test_the_tally_adds_every_kind_of_report(results: Path) -> None:
    (results / "gtest" / "base_test.json").write_text(gtest_report("passed", "passed", "skipped"))
    (results / "ctest.xml").write_text('<testsuite><testcase name="base" status="run"/></testsuite>')
    (results / "python.xml").write_text(
        "<testsuites><testsuite><testcase/><testcase><skipped/></testcase></testsuite></testsuites>"
    )
    (results / "house.count").write_text("house 20 0 0\n")
    done = tally(results)
    assert done.stdout == "23 passed, 0 failed, 2 skipped\n"
    assert done.returncode == 0


def test_the_tally_fails_with_a_failure(results: Path) -> None:
    (results / "gtest" / "base_test.json").write_text(gtest_report("passed", "failed"))
    (results / "ctest.xml").write_text(
        '<testsuite><testcase name="base" status="fail"><failure/></testcase></testsuite>'
    )
    done = tally(results)
    assert done.stdout == "1 passed, 1 failed\n"
    assert done.returncode == 1
    assert tally(results, "--has-failure", "ctest").returncode == 0
    assert tally(results, "--has-failure", "python").returncode == 1


def test_a_program_that_crashed_counts_as_one_failure(results: Path) -> None:
    (results / "ctest.xml").write_text(
        '<testsuite><testcase name="base" status="fail"><failure/></testcase></testsuite>'
    )
    assert tally(results).stdout == "0 passed, 1 failed\n"


def test_help_names_every_verb() -> None:
    done = run(REPOSITORY / "dev", "help")
    assert done.returncode == 0
    for verb in ["setup", "build", "demo", "test", "prove", "bench", "fuzz", "sim", "lint", "format"]:
        assert f"  {verb}" in done.stdout or f" {verb} " in done.stdout, verb


@pytest.mark.parametrize(("verb", "code"), [("fly", 2), ("fuzz nothing", 2)])
def test_a_verb_that_does_nothing_says_so(verb: str, code: int) -> None:
    done = run(REPOSITORY / "dev", *verb.split())
    assert done.returncode == code
    assert verb.split()[-1] in done.stderr
    assert "passed" not in done.stdout


def test_set_up_prints_the_one_line_when_it_may_not_install(tmp_path: Path) -> None:
    script = f"""
    root={REPOSITORY}; source {TOOLS}/dev/steps.sh; source {TOOLS}/dev/setup.sh
    missing_packages() {{ echo libone-dev; echo libtwo-dev; }}
    id() {{ echo 1000; }}
    sudo() {{ return 1; }}
    setup_packages build
    """
    done = run("bash", "-c", script)
    assert done.returncode == 1
    assert "sudo apt-get update && sudo apt-get install -y --no-install-recommends libone-dev libtwo-dev" in done.stderr
