"""Whether the order of the calls keeps its promise through a loss of power: a name is durable when its folder was
synced after it was given, the bytes when the file was synced before.

The program must sync (1) the bytes of a file before it gets its name in the log, (2) data files and their folder
before a log entry that can name them, (3) the folder after each name given, before anything else is named and before
the command ends.
"""

from __future__ import annotations

from pathlib import PurePath

from history import Call

WRITES = {"write", "pwrite", "writev"}
SYNCS = {"fsync", "fdatasync"}


def is_of_no_account(call: Call, home: str) -> bool:
    """SQLite keeps its own promise; a checkpoint is read back and put anew; the home's own folder is outside."""
    name = PurePath(call.path).name
    return name.startswith(("control.db", "checkpoint-")) or (call.path == home and call.name == "mkdir")


def not_durable(calls: list[Call], home: str) -> list[str]:
    dirty: set[str] = set()  # files whose bytes are not synced
    unsynced: dict[str, str] = {}  # names that their folder's sync does not cover yet -> how they came to be
    found = []
    for call in calls:
        if call.outcome != "ok" or is_of_no_account(call, home):
            continue
        if call.name in ("open", "openat") and call.path.endswith(".parquet"):
            unsynced[call.path] = "made"
        if call.name in WRITES:
            dirty.add(call.path)
        if call.name in SYNCS:
            dirty.discard(call.path)
            unsynced = {name: how for name, how in unsynced.items() if str(PurePath(name).parent) != call.path}
        if call.name in ("unlink",):
            dirty.discard(call.path)
            unsynced.pop(call.path, None)
        if call.name in ("link", "rename"):
            found += [f"{path} is not synced before {call.to} is named" for path in sorted(dirty)]
            found += [f"{name} was {how} and its folder not synced before {call.to}" for name, how in unsynced.items()]
            unsynced[call.to] = "named"
        if call.name == "mkdir":
            unsynced[call.path] = "made"
    return found + [f"{name} was {how} and its folder never synced" for name, how in unsynced.items()]
