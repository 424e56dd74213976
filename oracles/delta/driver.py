"""The table room, driven from Python; and rows of any reader in one comparable form."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Row = tuple[Any, ...]


def find_driver() -> Path:
    program = os.environ.get("TENTER_BIN")
    root = Path(__file__).resolve().parents[2]
    folder = Path(program).parent if program else root / "build" / "fast" / "bin"
    driver = folder / "table_driver"
    assert driver.exists(), f"{driver} is not built; TENTER_BIN names the program beside it"
    return driver


class Refused(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


def drive(*words: str) -> dict[str, Any]:
    done = subprocess.run([str(find_driver()), *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"table_driver {words[0]} ended with {done.returncode}: {done.stderr}")
    answer = json.loads(done.stdout)
    if done.returncode == 1:
        raise Refused(answer["code"], answer["message"])
    return answer


def field(name: str, kind: str, nullable: bool = True) -> dict[str, Any]:
    return {"name": name, "type": kind, "nullable": nullable, "metadata": {}}


def create(path: Path, fields: list[dict[str, Any]], properties: dict[str, str] | None = None) -> None:
    drive("create", str(path), json.dumps({"type": "struct", "fields": fields}), json.dumps(properties or {}))


def append(path: Path, select: str) -> int:
    return drive("append", str(path), select)["version"]


def read_ours(path: Path, into: Path, version: int | None = None) -> pa.Table:
    drive("read", str(path), str(into), *([] if version is None else [str(version)]))
    return pq.read_table(into)


def plain(value: Any) -> Any:
    """A value that compares and sorts alike whatever reader it came from."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, datetime.datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
        return aware.astimezone(datetime.UTC).isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return repr(value + 0.0)
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return str(value)


def rows_of(table: pa.Table) -> list[Row]:
    return sorted(tuple(plain(value) for value in row.values()) for row in table.to_pylist())


def log_entries(path: Path) -> list[list[dict[str, Any]]]:
    """The JSON entries in order, each a list of actions; numbers keep their digits."""
    files = sorted(path.glob("_delta_log/" + "[0-9]" * 20 + ".json"))
    return [
        [json.loads(line, parse_float=decimal.Decimal) for line in file.read_text("utf-8").splitlines()]
        for file in files
    ]


def live_adds(path: Path) -> dict[str, dict[str, Any]]:
    live: dict[str, dict[str, Any]] = {}
    for entry in log_entries(path):
        for action in entry:
            if "remove" in action:
                live.pop(action["remove"]["path"], None)
        for action in entry:
            if "add" in action:
                live[action["add"]["path"]] = action["add"]
    return live
