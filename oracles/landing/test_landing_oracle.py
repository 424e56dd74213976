"""The product's record readers agree with the slow ones on 500 generated deliveries each.

TENTER_BIN names the product's program; records_dump stands beside it. TENTER_SEED repeats a run.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent


@pytest.mark.parametrize("script", ["compare.py", "compare_json.py"])
def test_records_agree_with_the_slow_reader(script: str) -> None:
    program = pathlib.Path(os.environ["TENTER_BIN"]).with_name("records_dump")
    command = [sys.executable, str(HERE / script), str(program), "--files", "500"]
    if seed := os.environ.get("TENTER_SEED"):
        command += ["--seed", seed]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "500 of 500 files agree" in done.stdout
