"""Landing oracle for JSON: the product's record reader against the slow one, on generated deliveries.

usage: compare_json.py RECORDS_DUMP [--seed N] [--files 500]
"""

from __future__ import annotations

import gzip
import hashlib
import pathlib
import sys
import tempfile
from typing import Any

import dump
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
    entries = []
    for i, delivery in enumerate(made):
        path = folder / f"{i:04d}.{delivery.kind}"
        path.write_bytes(delivered(delivery))
        entry = {"path": str(path), "kind": delivery.kind, "gzip": delivery.gzip}
        limits = {"block_bytes": delivery.block_bytes, "record_bytes_max": delivery.record_bytes_max}
        entries.append(entry | limits)
    answers = dump.ask(program, entries, folder)
    for lines in answers:
        for line in lines:
            line.pop("reason", None)  # how a fault is worded is not compared
        lines.sort(key=order)
    return answers


def main() -> int:
    arguments, seed = dump.arguments_of(__doc__)
    print(f"landing oracle, JSON: seed {seed}, {arguments.files} files")
    made = generate_json.deliveries(seed, arguments.files)
    with tempfile.TemporaryDirectory() as folder:
        answers = ask(arguments.program, made, pathlib.Path(folder))
    dump.print_outcomes(answers)
    differing = 0
    for i, (delivery, given) in enumerate(zip(made, answers, strict=True)):
        wanted = expected(delivery)
        if wanted == given:
            continue
        differing += 1
        if differing <= 3:
            print(f"file {i} differs: {delivery.kind} block {delivery.block_bytes}\n  bytes {delivery.data!r}")
            print(f"  slow reader, ours: {dump.first_difference(wanted, given)}")
    print(f"{arguments.files - differing} of {arguments.files} files agree")
    missing = generate_json.combinations_missing(made)
    if missing:
        print("did not occur: " + ", ".join(missing))
    return 0 if differing == 0 and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
