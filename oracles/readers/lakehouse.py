"""Reads the tables of a home without the product: the Delta log by hand, the Parquet files with DuckDB.

The live files of a table are found twice, by a plain replay of the JSON log and by delta-rs; both must agree
before a row is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import deltalake

import duckdb

DUCKDB_TYPES = {
    "string": "VARCHAR",
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INTEGER",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "boolean": "BOOLEAN",
    "binary": "BLOB",
    "date": "DATE",
    "timestamp": "TIMESTAMPTZ",
}


@dataclass
class Log:
    """A table as its JSON log tells, up to one version."""

    path: Path
    version: int = -1
    files: dict[str, dict[str, Any]] = field(default_factory=dict)  # path as in the log -> add
    metadata: dict[str, Any] = field(default_factory=dict)
    protocol: dict[str, Any] = field(default_factory=dict)
    txns: dict[str, int] = field(default_factory=dict)
    commits: list[dict[str, Any]] = field(default_factory=list)  # commitInfo by version

    @property
    def schema(self) -> list[dict[str, Any]]:
        return json.loads(self.metadata["schemaString"])["fields"]

    @property
    def properties(self) -> dict[str, str]:
        return self.metadata["configuration"]

    def receipt(self, version: int | None = None) -> dict[str, Any] | None:
        text = self.commits[self.version if version is None else version].get("userMetadata")
        return json.loads(text)["tenter"] if text else None


def replay(path: Path, version: int | None = None) -> Log:
    log = Log(path.resolve())
    path = log.path
    for entry in sorted((path / "_delta_log").glob("*.json")):
        if not re.fullmatch(r"\d{20}", entry.stem) or (version is not None and int(entry.stem) > version):
            continue
        if int(entry.stem) != log.version + 1:
            raise ValueError(f"{path}: version {log.version + 1} is missing in the log")
        log.version += 1
        log.commits.append({})
        for action in (json.loads(line) for line in entry.read_text("utf-8").splitlines() if line.strip()):
            if "add" in action:
                log.files[action["add"]["path"]] = action["add"]
            if "remove" in action:
                log.files.pop(action["remove"]["path"], None)
            if "txn" in action:
                log.txns[action["txn"]["appId"]] = action["txn"]["version"]
            log.metadata = action.get("metaData", log.metadata)
            log.protocol = action.get("protocol", log.protocol)
            log.commits[-1] = action.get("commitInfo", log.commits[-1])
    if log.version < 0 or (version is not None and log.version != version):
        raise ValueError(f"{path}: no version {version if version is not None else 0} in the log")
    return log


def live_files(log: Log) -> list[str]:
    """Absolute paths of the live files; the replay and delta-rs must name the same ones."""
    ours = {str(log.path / unquote(path)) for path in log.files}
    uris = deltalake.DeltaTable(str(log.path), version=log.version).file_uris()
    theirs = {unquote(uri).removeprefix("file://") for uri in uris}
    if ours != theirs:
        raise ValueError(f"{log.path}@v{log.version}: the replay names {ours - theirs}, delta-rs {theirs - ours}")
    for path, add in log.files.items():
        size = (log.path / unquote(path)).stat().st_size
        if size != add["size"]:
            raise ValueError(f"{path}: the log says {add['size']} bytes, the file has {size}")
    return sorted(ours)


def duckdb_type(delta_type: str) -> str:
    return DUCKDB_TYPES.get(delta_type, delta_type.upper())


def stored_name(entry: dict[str, Any]) -> str:
    """What a column is called in the Parquet: with column mapping a name of its own."""
    return str(entry["metadata"].get("delta.columnMapping.physicalName", entry["name"]))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def select_over(connection: duckdb.DuckDBPyConnection, log: Log) -> str:
    """A SELECT of the live rows from the bare Parquet, columns and types as the table declares them."""
    files = live_files(log)
    if not files:
        columns = ", ".join(f"cast(null as {duckdb_type(f['type'])}) as {quoted(f['name'])}" for f in log.schema)
        return f"select {columns} where false"
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in files)
    source = f"read_parquet([{listed}], union_by_name=true, hive_partitioning=false)"
    found = {row[0]: row[1] for row in connection.sql(f"describe select * from {source}").fetchall()}
    columns = []
    for entry in log.schema:
        name, wanted = stored_name(entry), duckdb_type(entry["type"])
        shown = quoted(entry["name"])
        if name not in found:
            columns.append(f"cast(null as {wanted}) as {shown}")
        elif found[name].replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ") != wanted:
            raise ValueError(f"{log.path}: {name} is {found[name]} in the Parquet, {wanted} in the schema")
        else:
            columns.append(f"{quoted(name)} as {shown}")
    return f"select {', '.join(columns)} from {source}"


def tables(home: Path) -> Iterator[tuple[str, str, Path]]:
    """Schema, name and folder of every Delta table in the home's lakehouses."""
    for log in sorted((home / "onelake").glob("*/*.Lakehouse/Tables/*/*/_delta_log")):
        yield log.parent.parent.name, log.parent.name, log.parent


def table_path(home: Path, name: str) -> Path:
    found = [path for schema, table, path in tables(home) if f"{schema}.{table}" == name]
    if len(found) != 1:
        raise ValueError(f"{len(found)} tables are called {name} in {home}")
    return found[0]


def connect(home: Path) -> duckdb.DuckDBPyConnection:
    """A view "schema"."table" for every table of the home, at its newest version."""
    connection = duckdb.connect()
    connection.sql("set TimeZone = 'UTC'")
    for schema, table, path in tables(home):
        connection.sql(f'create schema if not exists "{schema}"')
        connection.sql(f'create view "{schema}"."{table}" as {select_over(connection, replay(path))}')
    return connection


def query(home: Path, sql: str) -> tuple[list[str], list[tuple[str | None, ...]]]:
    """Runs a query (`silver.orders@v3` names a version) and gives every cell as DuckDB's own text."""
    connection = connect(home)
    for name, version in sorted(set(re.findall(r"\b(\w+\.\w+)@v(\d+)", sql))):
        schema, table = name.split(".")
        body = select_over(connection, replay(table_path(home, name), int(version)))
        connection.sql(f'create view "{schema}"."{table}@v{version}" as {body}')
    sql = re.sub(r"\b(\w+)\.(\w+)@v(\d+)", r'"\1"."\2@v\3"', sql)
    result = connection.sql(sql)
    names = [str(name) for name in result.columns]
    texts = ", ".join(f'cast("{name}" as varchar) as "{name}"' for name in names)
    return names, connection.sql(f"select {texts} from ({sql}) as answer").fetchall()
