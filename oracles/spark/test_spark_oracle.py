"""Our load against the same load written in PySpark from the rules, on 100,000 made-up rows.

TENTER_SEEDS seeds are run (default 1): the fixed one, then chosen ones, printed. As a program, for longer runs:

usage: test_spark_oracle.py [--seeds 3] [--seed N] [--rows 100000] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

import oracle
import pytest

FIXED_SEED = 20260301
NOT_RUN = 77


def binary() -> Path:
    return Path(os.environ.get("TENTER_BIN") or oracle.ROOT / "build" / "fast" / "bin" / "tenter")


def seeds(count: int) -> list[int]:
    chosen = random.SystemRandom()
    return [FIXED_SEED, *(chosen.randrange(1 << 32) for _ in range(count - 1))][:count]


def complaints(answer: oracle.Answer) -> str:
    rare = [f"too seldom in this seed: {', '.join(answer.rare)}"] if answer.rare else []
    return "\n".join(rare + answer.differences)


@pytest.mark.parametrize("seed", seeds(int(os.environ.get("TENTER_SEEDS") or 1)))
def test_contract_table_and_quarantine_are_what_spark_makes_of_the_same_files(seed: int, tmp_path: Path) -> None:
    spark = oracle.find_spark()
    if isinstance(spark, str):
        pytest.skip(f"Spark was NOT asked: {spark}")
    text = complaints(oracle.ask(seed, 100_000, tmp_path, binary(), spark))
    assert not text, f"seed {seed}\n{text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="work in this new folder and leave it")
    arguments = parser.parse_args()
    spark = oracle.find_spark()
    if isinstance(spark, str):
        print(f"NOT RUN: the Spark oracle: {spark}")
        return NOT_RUN
    code = 0
    for seed in [arguments.seed] if arguments.seed is not None else seeds(arguments.seeds):
        with tempfile.TemporaryDirectory() as temporary:
            folder = arguments.keep or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            text = complaints(oracle.ask(seed, arguments.rows, folder, binary(), spark))
        print(f"seed {seed}: {text or 'contract tables and quarantines are equal'}")
        code = 1 if text else code
    return code


if __name__ == "__main__":
    sys.exit(main())
