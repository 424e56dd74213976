"""Landing oracle for JSON: the product's record reader against the slow one, on generated deliveries.

usage: compare_json.py RECORDS_DUMP [--seed N] [--files 500]
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from typing import Any

import generate_json
import slow_json_reader


def delivered(delivery: generate_json.Delivery) -> bytes:
    return gzip.compress(delivery.data, mtime=0) if delivery.gzip else delivery.data


def expected(delivery: generate_json.Delivery) -> list[dict[str, Any]]:
    answer = slow_json_reader.read(delivery.data, delivery.kind == "jsonl", delivery.record_bytes_max)
    if answer.refused is not None:
        return [{"refused": answer.refused}]
    head = {"header": answer.header, "sha256": hashlib.sha256(delivered(delivery)).hexdigest()}
    return [head, *sorted(answer.lines, key=order)]


def order(line: dict[str, Any]) -> tuple[int, str]:
    """Several records may stand in one line; good and malformed ones are given in their own order each."""
    return line.get("line", 0), "a" if "cells" in line else "b" if "code" in line else ""


def ask(program: str, made: list[generate_json.Delivery], folder: pathlib.Path) -> list[list[dict[str, Any]]]:
    listing = folder / "list.jsonl"
    with listing.open("w", encoding="utf-8") as out:
        for i, delivery in enumerate(made):
            path = folder / f"{i:04d}.{delivery.kind}"
            path.write_bytes(delivered(delivery))
            entry = {"path": str(path), "kind": delivery.kind, "gzip": delivery.gzip}
            limits = {"block_bytes": delivery.block_bytes, "record_bytes_max": delivery.record_bytes_max}
            out.write(json.dumps(entry | limits) + "\n")
    done = subprocess.run([program, str(listing)], capture_output=True, check=True)
    answers: list[list[dict[str, Any]]] = [[]]
    for text in done.stdout.split(b"\n")[:-1]:
        value = json.loads(text)
        if "end" in value:
            answers[-1].sort(key=order)
            answers.append([])
        else:
            value.pop("reason", None)  # how a fault is worded is not compared
            answers[-1].append(value)
    return answers[:-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--files", type=int, default=500)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"landing oracle, JSON: seed {seed}, {arguments.files} files")
    made = generate_json.deliveries(seed, arguments.files)
    with tempfile.TemporaryDirectory() as folder:
        answers = ask(arguments.program, made, pathlib.Path(folder))
    counts: collections.Counter[str] = collections.Counter()
    differing = 0
    for i, (delivery, given) in enumerate(zip(made, answers, strict=True)):
        counts.update(
            line.get("refused") or line.get("code") or ("row" if "cells" in line else "file") for line in given
        )
        wanted = expected(delivery)
        if wanted == given:
            continue
        differing += 1
        if differing <= 3:
            print(f"file {i} differs: {delivery.kind} block {delivery.block_bytes}\n  bytes {delivery.data!r}")
            pairs = zip(wanted + [{}] * len(given), given + [{}] * len(wanted), strict=True)
            print(f"  slow reader, ours: {next((pair for pair in pairs if pair[0] != pair[1]), None)}")
    print("outcomes: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
    print(f"{arguments.files - differing} of {arguments.files} files agree")
    missing = generate_json.combinations_missing(made)
    if missing:
        print("did not occur: " + ", ".join(missing))
    return 0 if differing == 0 and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
