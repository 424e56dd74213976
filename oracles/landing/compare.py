"""Landing oracle: the product's record reader against the slow one, on generated deliveries.

usage: compare.py RECORDS_DUMP [--seed N] [--files 500]
"""

from __future__ import annotations

import hashlib
import pathlib
import sys
import tempfile
from typing import Any

import dump
import generate
import slow_reader

COMBINATIONS = len(generate.LINE_ENDS) * len(generate.QUOTINGS)


def expected(delivery: generate.Delivery) -> list[dict[str, Any]]:
    answer = slow_reader.read(delivery.data, delivery.form)
    if answer.refused is not None:
        return [{"refused": answer.refused}]
    lines: list[dict[str, Any]] = [{"header": answer.header, "sha256": hashlib.sha256(delivery.data).hexdigest()}]
    for record in answer.records:
        if isinstance(record, slow_reader.Row):
            lines.append({"line": record.line, "cells": record.cells})
        else:
            code = record.code
            lines.append({"line": record.line, "code": code, "reason": record.reason, "raw": record.raw.hex()})
    return lines


def without_order_between_kinds(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Good and malformed records are given in their own order each; the line joins them. How a
    limit is worded is not compared."""
    for line in lines:
        if line.get("code") == "malformed.too_long":
            line["reason"] = "record too long"
    return sorted(lines, key=lambda line: line.get("line", 0))


def ask(program: str, made: list[generate.Delivery], folder: pathlib.Path) -> list[list[dict[str, Any]]]:
    entries = []
    for i, delivery in enumerate(made):
        path = folder / f"{i:04d}.csv"
        path.write_bytes(delivery.data)
        form = delivery.form
        entries.append(
            {
                "path": str(path),
                "header": form.header,
                "delimiter": form.delimiter,
                "quote": form.quote,
                "escape": form.escape,
                "encoding": form.encoding,
                "gzip": form.gzip,
                "vectors": i % 4,  # each way of splitting in turn
                "block_bytes": delivery.block_bytes,
                "record_bytes_max": form.record_bytes_max,
            }
        )
    return dump.ask(program, entries, folder)


def print_coverage(made: list[generate.Delivery]) -> bool:
    complete = True
    print(f"{'oddity':26} {'times':>6}  line end x quoting combinations of {COMBINATIONS}")
    for oddity, seen in sorted(generate.coverage(made).items()):
        combinations = len(seen) - 1 if seen else 0
        print(f"{oddity:26} {seen['all']:6}  {combinations}")
        complete = complete and combinations == COMBINATIONS
    return complete


def main() -> int:
    arguments, seed = dump.arguments_of(__doc__)
    print(f"landing oracle: seed {seed}, {arguments.files} files")
    made = generate.deliveries(seed, arguments.files)
    complete = print_coverage(made)
    with tempfile.TemporaryDirectory() as folder:
        answers = ask(arguments.program, made, pathlib.Path(folder))
    dump.print_outcomes(answers)
    differing = 0
    for i, (delivery, answer) in enumerate(zip(made, answers, strict=True)):
        wanted = without_order_between_kinds(expected(delivery))
        given = without_order_between_kinds(answer)
        if wanted == given:
            continue
        differing += 1
        if differing <= 3:
            print(f"file {i} differs: {delivery.form} block {delivery.block_bytes}\n  bytes {delivery.data!r}")
            print(f"  slow reader, ours: {dump.first_difference(wanted, given)}")
    print(f"{arguments.files - differing} of {arguments.files} files agree")
    if not complete:
        print("not every oddity occurred under every line end and quoting")
    return 0 if differing == 0 and complete else 1


if __name__ == "__main__":
    sys.exit(main())
