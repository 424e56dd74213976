"""What each day of `examples/orders` must give, worked out row by row in plain Python.

Written from the rules for documents alone: it knows the contract of `silver.orders` by heart, reads the
landing files byte by byte and shares nothing with the product. Slow and obvious on purpose.

    python3 orders_counts.py        prints the tables of the example's README
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

ORDERS = Path(__file__).resolve().parents[2] / "examples" / "orders"
ZONE = ZoneInfo("Australia/Sydney")
NULL_VALUES = {"", "n/a", "NULL"}
REQUIRED = ["order_id", "customer_id", "order_date", "order_total", "currency", "source_updated_at"]
DECLARED = [*REQUIRED, "note"]
ALLOWED = {"AUD", "NZD", "USD"}
SKIPPED = {"day-5"}
ACCEPTED = {"day-7"}
TERMS = ["read", "inserted", "updated", "unchanged", "older", "superseded", "duplicates", "quarantined", "malformed"]

Cell = str | None


# ---- records ------------------------------------------------------------------------------------------


@dataclass
class Record:
    line: int
    cells: list[Cell] = field(default_factory=list)
    malformed: str = ""


def line_end_at(text: str, at: int) -> int:
    """How many characters of line end stand at this place: 0, 1 or 2."""
    if text[at : at + 2] == "\r\n":
        return 2
    return 1 if text[at : at + 1] in ("\r", "\n") else 0


def rest_of_line(text: str, at: int) -> int:
    while at < len(text) and not line_end_at(text, at):
        at += 1
    return at


def read_record(text: str, at: int) -> tuple[list[Cell], str, int]:
    """The cells of the record that starts here, a fault, and the place of the line end behind it."""
    start, cells, fault = at, [], ""
    while True:
        if text[at : at + 1] == '"':
            value, at, closed = "", at + 1, False
            while at < len(text):
                if text[at] != '"':
                    value, at = value + text[at], at + 1
                elif text[at + 1 : at + 2] == '"':
                    value, at = value + '"', at + 2
                else:
                    at, closed = at + 1, True
                    break
            if not closed:  # reading goes on at the next physical line
                return [], "open_quote", rest_of_line(text, start)
            cells.append(value)
            if at < len(text) and text[at] != "," and not line_end_at(text, at):
                return [], "text_after_quote", rest_of_line(text, at)
        else:
            first = at
            while at < len(text) and text[at] != "," and not line_end_at(text, at):
                at += 1
            cells.append(text[first:at] or None)
        if at < len(text) and text[at] == ",":
            at += 1
            continue
        return cells, fault, at


def records(data: bytes) -> Iterator[Record]:
    text = data.decode("utf-8").removeprefix("\ufeff")
    at, line = 0, 1
    while at < len(text):
        width = line_end_at(text, at)
        if width:  # a blank line
            at, line = at + width, line + 1
            continue
        cells, fault, end = read_record(text, at)
        yield Record(line, cells, fault)
        line += len(re.findall(r"\r\n|\r|\n", text[at:end]))
        at = end
        if at < len(text):
            at, line = at + line_end_at(text, at), line + 1


# ---- bronze -------------------------------------------------------------------------------------------


@dataclass
class Landed:
    file: str
    line: int
    cells: dict[str, Cell]


@dataclass
class Batch:
    id: str
    rows: list[Landed] = field(default_factory=list)
    malformed: Counter[str] = field(default_factory=Counter)
    malformed_at: list[tuple[str, int, str]] = field(default_factory=list)  # file, line, code
    columns: set[str] = field(default_factory=set)
    skipped_files: list[str] = field(default_factory=list)
    warned_files: list[str] = field(default_factory=list)


def land(days: Path) -> list[Batch]:
    batches: list[Batch] = []
    seen: dict[str, set[str]] = {}
    for day in sorted((p for p in days.iterdir() if p.is_dir()), key=lambda p: int(p.name)):
        batch = Batch(f"day-{day.name}")
        for path in sorted(day.iterdir()):
            data, name = path.read_bytes(), f"landing/orders/{path.name}"
            digest = sha256(data).hexdigest()
            if name in seen.get(digest, set()):
                batch.skipped_files.append(name)
                continue
            if seen.get(digest):
                batch.warned_files.append(name)
            seen.setdefault(digest, set()).add(name)
            land_file(batch, name, data)
        batches.append(batch)
    return batches


def land_file(batch: Batch, name: str, data: bytes) -> None:
    header: list[str] | None = None
    for record in records(data):
        if header is None:
            header = [str(cell).lower() for cell in record.cells]
            batch.columns.update(header)
            continue
        fault = record.malformed
        if not fault and len(record.cells) != len(header):
            fault = "missing_field" if len(record.cells) < len(header) else "extra_field"
        if fault:
            batch.malformed[f"malformed.{fault}"] += 1
            batch.malformed_at.append((name, record.line, f"malformed.{fault}"))
        else:
            batch.rows.append(Landed(name, record.line, dict(zip(header, record.cells, strict=True))))


# ---- the contract -------------------------------------------------------------------------------------


@dataclass
class Order:
    values: tuple[object, ...]  # in the order of DECLARED
    file: str
    line: int
    landed: int  # rises with every batch, as _loaded_at does

    @property
    def key(self) -> object:
        return self.values[0]

    @property
    def version(self) -> datetime:
        version = self.values[5]
        assert isinstance(version, datetime)
        return version


def to_date(text: str) -> date | None:
    match = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text.strip())
    try:
        return date(*(int(part) for part in match.groups())) if match else None
    except ValueError:
        return None


def to_timestamp(text: str) -> datetime | None:
    pattern = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?"
    if not re.fullmatch(pattern, text.strip()):
        return None
    try:
        instant = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (instant if instant.tzinfo else instant.replace(tzinfo=ZONE)).astimezone(UTC)


def to_money(text: str) -> Decimal | None:
    if not re.fullmatch(r"[+-]?\d+(\.\d*)?", text.strip()):
        return None
    return Decimal(text.strip()).quantize(Decimal("0.01"), ROUND_HALF_UP)


def judge(landed: Landed, order: int, allowed: set[str] = ALLOWED) -> tuple[Order | None, list[str], list[str]]:
    """The typed row, or its codes and reasons, columns in declared order and then the checks."""
    source = {c: None if landed.cells.get(c) in NULL_VALUES else landed.cells.get(c) for c in DECLARED}
    values: dict[str, object] = {}
    codes, reasons = [], []
    for column in DECLARED:
        text = source[column]
        value: object = text
        if text is not None and column in ("order_id", "customer_id"):
            value = text.strip(" ")
        elif text is not None and column == "currency":
            value = text.strip(" ").upper()
        elif text is not None and column == "order_date":
            value = to_date(text)
        elif text is not None and column == "order_total":
            value = to_money(text)
        elif text is not None and column == "source_updated_at":
            value = to_timestamp(text)
        values[column] = value
        absent = text is None or not text.strip(" \t\r\n")
        if value is None and not absent:
            codes.append(f"unparseable.{column}")
        elif column in REQUIRED and (value is None or (isinstance(value, str) and not value.strip(" \t\r\n"))):
            codes.append(f"missing.{column}")
    reasons = [code.replace(".", " ", 1) for code in codes]
    if values["currency"] is not None and values["currency"] not in allowed:
        codes.append("currency_allowed")
        reasons.append("unknown currency")
    if isinstance(values["order_total"], Decimal) and values["order_total"] < 0:
        codes.append("order_total_non_negative")
        reasons.append("negative order_total")
    if codes:
        return None, codes, reasons
    return Order(tuple(values[c] for c in DECLARED), landed.file, landed.line, order), [], []


@dataclass
class Reject:
    file: str
    line: int
    codes: str
    reasons: str
    raw: dict[str, Cell]


@dataclass
class Day:
    batch: Batch
    counts: dict[str, int]
    rejects: Counter[str]
    conflicting: int = 0  # rows that lost to another of the same version
    stopped: str = ""  # what the first load said, if it stopped
    quarantined: list[Reject] = field(default_factory=list)
    silver: list[Order] = field(default_factory=list)  # the table after the day


def settle(silver: dict[object, Order], accepted: list[Order], counts: dict[str, int], strict: bool = False) -> int:
    """Latest wins within the batch and against the table; returns how many rows conflicted.

    Strict: a row gives way to a stored one of the same version and landing, as rows that were rejected do.
    """
    accepted = sorted(accepted, key=lambda o: (o.version, o.file, o.line), reverse=True)
    conflicting = 0
    for key in dict.fromkeys(order.key for order in accepted):
        rivals: list[Order] = []
        for order in (o for o in accepted if o.key == key):
            if any(order.values == other.values for other in rivals):
                counts["duplicates"] += 1
            else:
                rivals.append(order)
        conflicting += sum(o.version == rivals[0].version for o in rivals[1:])
        counts["superseded"] += len(rivals) - 1
        winner, stored = rivals[0], silver.get(key)
        if stored is None:
            counts["inserted"] += 1
            silver[key] = winner
        elif (winner.version, winner.landed) < (stored.version, stored.landed) or (
            strict and (winner.version, winner.landed) == (stored.version, stored.landed)
        ):
            counts["older"] += 1
        elif winner.values == stored.values:
            counts["unchanged"] += 1
        else:
            counts["updated"] += 1
            silver[key] = winner
    return conflicting


def load_day(batch: Batch, order: int, silver: dict[object, Order]) -> Day:
    counts = dict.fromkeys(TERMS, 0)
    counts["malformed"] = sum(batch.malformed.values())
    counts["read"] = len(batch.rows) + counts["malformed"]
    day = Day(batch, counts, Counter())
    lost = [c for c in DECLARED if c not in batch.columns]
    if lost:
        day.stopped = f"missing column {', '.join(lost)}"
    accepted = []
    for landed in batch.rows if not lost else []:
        good, codes, reasons = judge(landed, order)
        if good is not None:
            accepted.append(good)
            continue
        day.quarantined.append(Reject(landed.file, landed.line, ";".join(codes), "; ".join(reasons), landed.cells))
        day.rejects.update(codes)
    counts["quarantined"] = len(day.quarantined) + counts["malformed"]
    if not lost and counts["quarantined"] * 100 > counts["read"] * 5:
        day.stopped = f"{counts['quarantined']} of {counts['read']} rows rejected"
    if batch.id not in SKIPPED and (not day.stopped or batch.id in ACCEPTED):
        day.conflicting = settle(silver, accepted, counts)
    day.silver = sorted(silver.values(), key=lambda o: str(o.key))
    return day


def all_days(days: Path = ORDERS / "days") -> list[Day]:
    silver: dict[object, Order] = {}
    return [load_day(batch, order, silver) for order, batch in enumerate(land(days))]


# ---- rejects taken up again ---------------------------------------------------------------------------


@dataclass
class TakenUp:
    kind: str
    batch: str
    counts: dict[str, int]
    rejects: Counter[str]
    rows_after: int
    conflicting: int = 0


@dataclass
class Recovery:
    receipts: list[TakenUp]
    open_before: Counter[tuple[str, str]]  # by batch and code
    open_after: Counter[tuple[str, str]]
    silver: list[Order]


WIDER = ALLOWED | {"EUR"}
CORRECTIONS = {"A-1932": {"customer_id": "C-041"}, "A-1933": {"order_total": "1200.00"}}


def take_up(
    kind: str, batch: str, rows: list[Landed], landed: int, silver: dict[object, Order]
) -> tuple[TakenUp, list[tuple[Landed, list[str]]]]:
    """What passes is settled; what does not is given back with its codes."""
    counts = dict.fromkeys(TERMS, 0)
    taken = TakenUp(kind, batch, counts, Counter(), 0)
    accepted, failed = [], []
    for row in rows:
        good, codes, _ = judge(row, landed, WIDER)
        if good is not None:
            accepted.append(good)
        else:
            failed.append((row, codes))
            taken.rejects.update(codes)
    counts["read"], counts["quarantined"] = len(rows), len(failed)
    taken.conflicting = settle(silver, accepted, counts, strict=True)
    taken.rows_after = len(silver)
    return taken, failed


def recovery(days: list[Day]) -> Recovery:
    silver: dict[object, Order] = {order.key: order for order in days[-1].silver}
    open_before: Counter[tuple[str, str]] = Counter()
    for day in days:
        for code, count in (day.rejects + day.batch.malformed).items():
            open_before[day.batch.id, code] += count
    open_after = Counter(open_before)
    for code, count in days[6].rejects.items():
        open_after["day-7", code] -= count
    again = [Landed(reject.file, reject.line, reject.raw) for reject in days[6].quarantined]
    retried, failed = take_up("retry", "day-7", again, 6, silver)
    for _, codes in failed:
        open_after.update(("day-7", code) for code in codes)
    corrected = []
    for line, reject in enumerate((r for r in days[5].quarantined if r.raw["order_id"] in CORRECTIONS), 2):
        cells = reject.raw | CORRECTIONS[str(reject.raw["order_id"])]
        corrected.append(Landed("corrections/day-6.csv", line, cells))
        for code in reject.codes.split(";"):
            open_after["day-6", code] -= 1
    applied, failed = take_up("apply", "day-6-corrected", corrected, 5, silver)
    assert not failed
    return Recovery([retried, applied], open_before, open_after, sorted(silver.values(), key=lambda o: str(o.key)))


# ---- the README's tables ---------------------------------------------------------------------------------


def counts_table(days: list[Day]) -> list[str]:
    lines = ["| batch | " + " | ".join(TERMS) + " | rows after |", "|---" * (len(TERMS) + 2) + "|"]
    for day in days:
        skipped = day.batch.id in SKIPPED
        cells = [str(day.counts[t]) if not skipped else "–" for t in TERMS]
        lines.append(f"| {day.batch.id} | " + " | ".join(cells) + f" | {len(day.silver)} |")
    return lines


def rejects_table(days: list[Day]) -> list[str]:
    lines = ["| batch | reason code | rows |", "|---|---|---|"]
    for day in days:
        for code, count in sorted((day.rejects + day.batch.malformed).items()):
            lines.append(f"| {day.batch.id} | `{code}` | {count} |")
    return lines


def recovery_table(recovered: Recovery) -> list[str]:
    lines = ["| kind | batch | " + " | ".join(TERMS) + " | rows after |", "|---" * (len(TERMS) + 3) + "|"]
    for taken in recovered.receipts:
        cells = [str(taken.counts[term]) for term in TERMS]
        lines.append(f"| `{taken.kind}` | {taken.batch} | " + " | ".join(cells) + f" | {taken.rows_after} |")
    return lines


def open_table(recovered: Recovery) -> list[str]:
    lines = ["| batch | reason code | open before | open after |", "|---|---|---|---|"]
    for batch, code in sorted(recovered.open_before | recovered.open_after):
        counts = recovered.open_before[batch, code], recovered.open_after[batch, code]
        lines.append(f"| {batch} | `{code}` | {counts[0]} | {counts[1]} |")
    return lines


def main() -> None:
    days = all_days()
    print("\n".join([*counts_table(days), "", *rejects_table(days), ""]))
    recovered = recovery(days)
    print("\n".join([*recovery_table(recovered), "", *open_table(recovered), ""]))
    for day in days:
        terms = sum(day.counts[t] for t in TERMS[1:-1])
        balanced = day.batch.id in SKIPPED or terms == day.counts["read"]
        print(day.batch.id, "balanced" if balanced else "NOT BALANCED", day.stopped, f"conflicting {day.conflicting}")
        print("   skipped", day.batch.skipped_files, "warned", day.batch.warned_files)


if __name__ == "__main__":
    main()
