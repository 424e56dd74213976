"""The keyed load, made of sets and loops."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product


@dataclass(frozen=True)
class Shape:
    append: bool
    absent: bool  # Absent rows: delete
    claims: bool  # Delete when
    version: bool
    unique: bool

    def name(self) -> str:
        words = ["append" if self.append else "upsert"]
        words += [word for word in ("absent", "claims", "version", "unique") if getattr(self, word)]
        return "-".join(words)


def shapes() -> list[Shape]:
    """Every combination that a document may have."""
    every = [Shape(*flags) for flags in product([False, True], repeat=5)]
    return [
        shape
        for shape in every
        if not (shape.append and (shape.absent or shape.claims or shape.version))
        and (shape.version or not shape.claims)
    ]


@dataclass(frozen=True)
class Raw:
    """A row as sent: texts, empty for none."""

    k: str
    v: str
    u: str
    c: str
    n: str
    op: str = ""

    def line(self) -> str:
        return ",".join((self.k, self.v, self.u, self.c, self.n, self.op))


@dataclass
class Row:
    raw: Raw
    batch: str
    line: int
    at: int  # when it counts from
    strict: bool = False  # gives way to what is as old as itself
    state: str = ""
    codes: list[str] = field(default_factory=list)
    stands_for: tuple[str, int] | None = None  # the reject that it corrects

    def number(self) -> int:
        return int(self.raw.v)

    def values(self) -> tuple[object, ...]:
        return (self.raw.k or None, int(self.raw.v), self.raw.u or None, self.raw.c, int(self.raw.n))


@dataclass
class Stored:
    values: tuple[object, ...]
    at: int


@dataclass
class Reject:
    row: Row
    codes: str
    resolved: bool = False


@dataclass
class Outcome:
    counts: Counter[str]
    stopped: str = ""
    resolved: int = 0


class Twin:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.allowed = {"A"}
        self.landed: list[str] = []
        self.rows: dict[str, list[Row]] = {}
        self.applied: set[str] = set()
        self.loaded: set[str] = set()
        self.instants: dict[str, int] = {}
        self.table: list[Stored] = []
        self.rejects: dict[tuple[str, int], Reject] = {}
        self.now = 0

    # ---- landing ----

    def land(self, batch: str, raws: list[Raw]) -> None:
        self.now += 1
        self.landed.append(batch)
        self.instants[batch] = self.now
        self.rows[batch] = [Row(raw, batch, line, self.now) for line, raw in enumerate(raws, 2)]

    def land_corrections(self, batch: str, corrections: list[tuple[tuple[str, int] | None, Raw]]) -> None:
        self.land(batch, [raw for _, raw in corrections])
        self.applied.add(batch)
        for row, (reject, _) in zip(self.rows[batch], corrections, strict=True):
            if reject is not None:
                row.stands_for, row.strict, row.at = reject, True, self.rejects[reject].row.at

    # ---- judging ----

    def is_claim(self, row: Row) -> bool:
        return self.shape.claims and row.raw.op == "D"

    def reasons(self, row: Row) -> list[str]:
        codes = []
        if not row.raw.k and not self.shape.append:
            codes.append("missing.k")
        if row.raw.v == "x":
            codes.append("unparseable.v")
        if self.is_claim(row):
            return codes
        if row.raw.n == "x":
            codes.append("unparseable.n")
        if row.raw.c not in self.allowed:
            codes.append("c_allowed")
        return codes

    def order(self, row: Row) -> tuple[int, int]:
        return (row.number() if self.shape.version else 0, row.line)

    def content(self, row: Row) -> tuple[object, ...]:
        return ("claim", row.raw.k, row.raw.v) if self.is_claim(row) else ("row", *row.values())

    def judge(self, rows: list[Row]) -> None:
        for row in rows:
            row.codes = self.reasons(row)
            row.state = "rejected" if row.codes else "accepted"
        if not self.shape.append:
            self.judge_keys([row for row in rows if row.state == "accepted"])
        if self.shape.unique:
            self.judge_unique([row for row in rows if row.state == "accepted" and not self.is_claim(row)])

    def judge_keys(self, rows: list[Row]) -> None:
        for key in {row.raw.k for row in rows}:
            rivals: list[Row] = []
            for row in sorted((row for row in rows if row.raw.k == key), key=lambda row: row.line, reverse=True):
                if any(self.content(row) == self.content(other) for other in rivals):
                    row.state = "duplicate"
                else:
                    rivals.append(row)
            for row in sorted(rivals, key=self.order, reverse=True)[1:]:
                row.state = "superseded" if self.shape.version else "rejected"
                row.codes = [] if self.shape.version else ["duplicate_primary_key"]

    def judge_unique(self, rows: list[Row]) -> None:
        for value in {row.raw.u for row in rows if row.raw.u}:
            for row in sorted((row for row in rows if row.raw.u == value), key=self.order, reverse=True)[1:]:
                row.state, row.codes = "rejected", ["duplicate_unique_key.u"]

    # ---- settling ----

    def stored(self, key: str) -> Stored | None:
        return next((row for row in self.table if row.values[0] == key), None)

    def is_newer(self, row: Row, stored: Stored) -> bool:
        by_instant = row.at > stored.at or (row.at == stored.at and not row.strict)
        if not self.shape.version:
            return by_instant
        version = stored.values[1]
        assert isinstance(version, int)
        return row.number() > version or (row.number() == version and by_instant)

    def is_claimed(self, row: Row, batch: str) -> bool:
        for other in self.loaded | {batch}:
            for claim in self.rows[other]:
                sound = self.is_claim(claim) and not self.reasons(claim) and claim.raw.k == row.raw.k
                if sound and (claim.number(), claim.at) >= (row.number(), row.at):
                    return True
        return False

    def newest_snapshot(self) -> int:
        full = [self.instants[batch] for batch in self.loaded - self.applied]
        return max(full, default=0) if self.shape.absent else 0

    def settle(self, rows: list[Row], batch: str, counts: Counter[str], is_snapshot: bool, is_late: bool) -> bool:
        """Whether the keys hold afterwards; else nothing is changed."""
        table = list(self.table)
        for row in [row for row in rows if row.state == "accepted"]:
            if self.shape.append:
                table.append(Stored(row.values(), row.at))
                counts["inserted"] += 1
                continue
            stored = self.stored(row.raw.k)
            if stored is not None and not self.is_newer(row, stored):
                counts["older"] += 1
            elif self.is_claim(row):
                counts["deleted_claims"] += 1
                table = [other for other in table if other is not stored]
            elif stored is not None:
                counts["unchanged" if row.values() == stored.values else "updated"] += 1
                if row.values() != stored.values:
                    table = [other for other in table if other is not stored] + [Stored(row.values(), row.at)]
            elif (self.shape.claims and self.is_claimed(row, batch)) or (is_late and row.at < self.newest_snapshot()):
                counts["older"] += 1
            else:
                counts["inserted"] += 1
                table.append(Stored(row.values(), row.at))
        if is_snapshot:
            held = {row.raw.k for row in rows}
            table = [row for row in table if row.values[0] in held]
        uniques = [row.values[2] for row in table if row.values[2] is not None]
        if self.shape.unique and len(uniques) != len(set(uniques)):
            return False
        self.table = table
        return True

    def count(self, rows: list[Row]) -> Counter[str]:
        counts: Counter[str] = Counter(read=len(rows))
        counts["quarantined"] = sum(row.state == "rejected" for row in rows)
        counts["superseded"] = sum(row.state == "superseded" for row in rows)
        counts["duplicates"] = sum(row.state == "duplicate" for row in rows)
        return counts

    # ---- what can be done ----

    def load(self, batch: str) -> Outcome:
        """First load or replay."""
        is_snapshot = self.shape.absent and batch not in self.applied
        later = self.landed[self.landed.index(batch) + 1 :]
        if is_snapshot and any(other in self.loaded for other in later):
            return Outcome(Counter(), "gate.older_snapshot")
        rows = self.rows[batch]
        self.judge(rows)
        counts = self.count(rows)
        is_replay = batch in self.loaded
        if not (self.shape.append and is_replay):
            self.quarantine(batch, [row for row in rows if row.state == "rejected"])
        if self.shape.append and is_replay:
            counts["unchanged"] = sum(row.state == "accepted" for row in rows)
        elif not self.settle(rows, batch, counts, is_snapshot, batch in self.applied):
            return Outcome(counts, "gate.unique_key")
        self.loaded.add(batch)
        resolved = sum(self.resolve(row.stands_for) for row in rows if row.stands_for and row.state != "rejected")
        return Outcome(counts, resolved=resolved)

    def quarantine(self, batch: str, rows: list[Row]) -> None:
        """What was open is replaced; a reject that a corrected row stands for is kept, resolved."""
        named = {row.stands_for for landed in self.rows.values() for row in landed}
        again = {(batch, row.line) for row in rows}
        for name in [name for name, reject in self.rejects.items() if name[0] == batch and not reject.resolved]:
            if name in named and name not in again:
                self.rejects[name].resolved = True
            else:
                del self.rejects[name]
        for row in rows:
            self.rejects.setdefault((batch, row.line), Reject(row, ";".join(row.codes)))

    def resolve(self, name: tuple[str, int]) -> int:
        """The reject, and the ones that its row stood for."""
        reject = self.rejects.get(name)
        if reject is None:
            return 0
        resolved = 0 if reject.resolved else 1
        reject.resolved = True
        return resolved + (self.resolve(reject.row.stands_for) if reject.row.stands_for else 0)

    def open(self) -> dict[tuple[str, int], str]:
        return {name: reject.codes for name, reject in self.rejects.items() if not reject.resolved}

    def retry(self) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}
        at = {}
        for name, reject in self.rejects.items():
            if not reject.resolved:
                at[name[0]] = min(at.get(name[0], reject.row.at), reject.row.at)
        for batch in sorted(at, key=lambda batch: (at[batch], batch)):
            if batch not in self.loaded:
                continue
            names = [name for name, codes in self.open().items() if name[0] == batch]
            rows = [self.again(name) for name in names if self.open()[name] != "duplicate_primary_key"]
            if rows:
                outcomes[batch] = self.retry_batch(batch, rows)
        return outcomes

    def again(self, name: tuple[str, int]) -> Row:
        row = self.rejects[name].row
        return Row(row.raw, row.batch, row.line, row.at, strict=True, stands_for=row.stands_for)

    def retry_batch(self, batch: str, rows: list[Row]) -> Outcome:
        self.judge(rows)
        colliding = [row for row in rows if row.state == "accepted" and self.collides(row)]
        for row in colliding:
            row.state, row.codes = "rejected", ["duplicate_unique_key.u"]
        counts = self.count(rows)
        assert self.settle(rows, batch, counts, is_snapshot=False, is_late=True)
        resolved = 0
        for row in rows:
            if row.state == "rejected":
                self.rejects[batch, row.line].codes = ";".join(row.codes)
            else:
                resolved += self.resolve((batch, row.line))
        return Outcome(counts, resolved=resolved)

    def collides(self, row: Row) -> bool:
        if not self.shape.unique or not row.raw.u or self.is_claim(row):
            return False
        stored = None if self.shape.append else self.stored(row.raw.k)
        if stored is not None and not self.is_newer(row, stored):
            return False
        others = self.table if self.shape.append else [one for one in self.table if one.values[0] != row.raw.k]
        return any(other.values[2] == row.raw.u for other in others)
