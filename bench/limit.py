"""What cannot be saved: the CPU seconds of writing the rows of some Parquet files, held in memory as they come out of
the load, to Parquet again by the engine with the options that Tenter writes with. Nothing is read, judged or hashed.

usage: limit.py FILE…      prints the seconds of each
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import duckdb

OPTIONS = "format parquet, compression zstd, compression_level 1, row_group_size 122880, dictionary_size_limit 2000"


def writing_s(file: str) -> float:
    connection = duckdb.connect()
    connection.execute("set preserve_insertion_order = false")
    connection.execute("create temp table held as select * from read_parquet(?)", [file])
    with tempfile.TemporaryDirectory() as folder:
        before = os.times()
        connection.execute(f"copy held to '{Path(folder) / 'written.parquet'}' ({OPTIONS})")
        after = os.times()
    return after.user + after.system - before.user - before.system


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{writing_s(name):.3f}")
