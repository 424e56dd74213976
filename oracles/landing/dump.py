"""What the oracles of CSV and JSON share: the talk with the program `records_dump`, and how answers are shown."""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import random
import subprocess
from collections.abc import Iterable
from typing import Any

Lines = list[dict[str, Any]]


def arguments_of(description: str | None) -> tuple[argparse.Namespace, int]:
    """The command line of an oracle, and the seed: the given one, or one drawn."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--files", type=int, default=500)
    arguments = parser.parse_args()
    return arguments, arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1 << 32)


def ask(program: str, entries: Iterable[dict[str, Any]], folder: pathlib.Path) -> list[Lines]:
    """The program's lines for each entry of the list, in the list's order."""
    listing = folder / "list.jsonl"
    listing.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    done = subprocess.run([program, str(listing)], capture_output=True, check=True)
    answers: list[Lines] = [[]]
    for text in done.stdout.split(b"\n")[:-1]:
        value = json.loads(text)
        if "end" in value:
            answers.append([])
        else:
            answers[-1].append(value)
    return answers[:-1]


def print_outcomes(answers: list[Lines]) -> None:
    counts = collections.Counter(
        line.get("refused") or line.get("code") or ("row" if "cells" in line else "file")
        for lines in answers
        for line in lines
    )
    print("outcomes: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))


def first_difference(wanted: Lines, given: Lines) -> tuple[dict[str, Any], dict[str, Any]] | None:
    pairs = zip(wanted + [{}] * len(given), given + [{}] * len(wanted), strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
