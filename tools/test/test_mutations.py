"""The lists of mutations keep pace with the sources: every old text still stands where it is said to, once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_mutation_of_the_rules_still_fits_its_file() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "oracles" / "spark" / "mutations.py", "--list"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "25 mutations" in done.stdout, done.stdout
    assert "stands 0 times" not in done.stdout, done.stdout
