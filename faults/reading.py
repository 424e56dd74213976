"""What lies in a home, read without the product: the rows of every table, and files that nothing names."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles" / "readers"))

import lakehouse

import duckdb

Rows = list[tuple[str | None, ...]]
Tables = dict[str, Rows]  # by schema.name; a table without a log entry is not there

# Instants differ between a run and its repetition.
INSTANTS = {"_loaded_at", "_quarantined_at", "_resolved_at"}
# The hint's temporary file is there at most once: the next checkpoint takes it up.
LOG_FILE = re.compile(r"\d{20}\.json|\d{20}\.checkpoint\.parquet|_last_checkpoint|\._last_checkpoint\.tmp")
HOME_FILE = re.compile(r"home\.json|clock|control\.db")


def folders(home: Path) -> list[tuple[str, Path]]:
    found = lakehouse.tables(home) if (home / "onelake").exists() else []
    return [
        (f"{schema}.{name}", path)
        for schema, name, path in found
        if any(re.fullmatch(r"\d{20}\.json", entry.name) for entry in (path / "_delta_log").iterdir())
    ]


def tables(home: Path) -> Tables:
    """Every table's rows at its newest version, as text and sorted; a log and delta-rs that disagree are an error."""
    rows: Tables = {}
    connection = duckdb.connect()
    connection.sql("set TimeZone = 'UTC'")
    for name, path in folders(home):
        log = lakehouse.replay(path)
        columns = [f["name"] for f in log.schema if f["name"] not in INSTANTS]
        texts = ", ".join(f'cast("{column}" as varchar)' for column in columns)
        answer = connection.sql(f"select {texts} from ({lakehouse.select_over(connection, log)})").fetchall()
        rows[name] = sorted(answer, key=repr)
    return rows


def strays(home: Path) -> list[str]:
    """Files that no log names and that a vacuum of a table's folder would not come by."""
    found = []
    for path in sorted(home.rglob("*")):
        if path.is_dir():
            continue
        if path.parent.name == "_delta_log":
            known = LOG_FILE.fullmatch(path.name)
        elif (path.parent / "_delta_log").exists():
            known = path.suffix == ".parquet" and not path.name.startswith((".", "_"))
        else:
            known = path.parent == home and HOME_FILE.fullmatch(path.name)
        if not known:
            found.append(str(path.relative_to(home)))
    return found


def unnamed(home: Path) -> list[str]:
    """Data files that no version names: what a vacuum takes when they are older than the retention."""
    found = []
    for _, folder in folders(home):
        named = set()
        for version in range(lakehouse.replay(folder).version + 1):
            named |= set(lakehouse.replay(folder, version).files)
        found += [str(path.relative_to(home)) for path in folder.glob("*.parquet") if path.name not in named]
    return found
