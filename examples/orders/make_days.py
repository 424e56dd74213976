"""Writes the files of `days/`: eight days of orders as a shop would send them.

Always the same bytes: the dice below are our own and start from a fixed number.

    python3 make_days.py            writes days/ beside this file
    python3 make_days.py --check    compares instead, and exits 1 where a file differs
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

COLUMNS = ["order_id", "customer_id", "order_date", "order_total", "currency", "source_updated_at", "note"]
SHOP_TIME = timezone(timedelta(hours=11))  # Sydney in March, summer time

Row = dict[str, str | None]


class Dice:
    """A small linear congruential generator: the same throws on every machine."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def throw(self, sides: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % sides

    def pick(self, choices: list[str]) -> str:
        return choices[self.throw(len(choices))]


@dataclass
class Line:
    """A record that is written as it stands, because it is broken."""

    text: str


def stamp(day: int, minute: int, style: int = 0) -> str:
    """An instant of that day in March 2026, in one of the spellings that the shop uses."""
    local = datetime(2026, 3, 1, 6, 0, tzinfo=SHOP_TIME) + timedelta(days=day - 1, minutes=minute)
    if style == 0:
        return local.strftime("%Y-%m-%d %H:%M:%S")  # no offset: the shop's own time
    if style == 1:
        return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return local.strftime("%Y-%m-%dT%H:%M:%S.5+11:00")


class Shop:
    """Invents orders and remembers them, so that later days can send them again."""

    def __init__(self) -> None:
        self.dice = Dice(20260301)
        self.sent: dict[str, Row] = {}

    def order(self, number: int, day: int, style: int = 0) -> Row:
        total = 5 + self.dice.throw(40000) / 100
        row: Row = {
            "order_id": f"A-{number}",
            "customer_id": f"C-{self.dice.throw(60) + 1:03d}",
            "order_date": f"2026-03-{day:02d}",
            "order_total": f"{total:.2f}",
            "currency": self.dice.pick(["AUD", "AUD", "AUD", "NZD", "USD"]),
            "source_updated_at": stamp(day, number % 1000, style),
            "note": self.dice.pick([None, None, None, "gift", "leave at the door", "ring, then wait"]),
        }
        self.sent[f"A-{number}"] = row
        return dict(row)

    def orders(self, first: int, count: int, day: int, style: int = 0) -> list[Row]:
        return [self.order(number, day, style) for number in range(first, first + count)]

    def newer(self, sent_as: str, day: int, minute: int, **changes: str | None) -> Row:
        row = dict(self.sent[sent_as]) | {"source_updated_at": stamp(day, minute)} | changes
        self.sent[sent_as] = row
        return dict(row)

    def again(self, sent_as: str, **changes: str | None) -> Row:
        """The order as last sent, with some cells changed, not remembered."""
        return dict(self.sent[sent_as]) | changes


def cell(value: str | None, quote_all: bool) -> str:
    if value is None:
        return ""
    if quote_all or value == "" or any(mark in value for mark in ',"\r\n'):
        return '"' + value.replace('"', '""') + '"'
    return value


def render(
    rows: list[Row | Line],
    columns: list[str],
    ends: list[str],
    *,
    bom: bool = False,
    quote_all: bool = False,
    header: list[str] | None = None,
    last_end: bool = True,
) -> bytes:
    """`ends` are used in turn, so that several line ends give a mixed file."""
    lines = [",".join(cell(name, quote_all) for name in (header or columns))]
    for row in rows:
        lines.append(row.text if isinstance(row, Line) else ",".join(cell(row[c], quote_all) for c in columns))
    text = "".join(line + ends[i % len(ends)] for i, line in enumerate(lines))
    if not last_end:
        text = text[: -len(ends[(len(lines) - 1) % len(ends)])]
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode()


def day_1(shop: Shop) -> dict[str, bytes]:
    rows: list[Row | Line] = list(shop.orders(1001, 78, 1))
    for position in (4, 17, 40):  # spaces and small letters, cleaned by the contract
        row = rows[position]
        assert isinstance(row, dict)
        row["order_id"] = f" {row['order_id']} "
        row["currency"] = f" {str(row['currency']).lower()} "
    rows[9] = shop.again("A-1010", note="first line\nsecond line")
    rows[30] = shop.again("A-1031", note='she said "thanks",\nthen left\n')
    rows[50] = shop.again("A-1051", order_total=" 12.345 ")  # spaces, and one digit too many: 12.35
    rows.insert(20, shop.again("A-1001", order_id="A-1901", order_total="-12.50"))
    rows.insert(60, shop.again("A-1002", order_id="A-1902", order_date="2026-02-30"))
    return {"orders-2026-03-01.csv": render(rows, COLUMNS, ["\n"], bom=True, quote_all=True)}


def day_2(shop: Shop) -> dict[str, bytes]:
    wide = [*COLUMNS[:5], "channel", *COLUMNS[5:]]
    first: list[Row] = shop.orders(1101, 40, 2, style=1)
    first += [shop.newer(f"A-{n}", 2, n - 1000, order_total=f"{n - 900}.00") for n in range(1011, 1023)]
    first += [dict(first[3]), dict(first[8]) | {"order_id": "  A-1109", "currency": "aud "}]
    first[8]["currency"] = "AUD"
    first.append(shop.again("A-1105", order_id="A-1911", order_total="n/a"))
    first.append(shop.again("A-1106", order_id=None))  # missing key
    first.append(shop.again("A-1107", order_id=""))  # empty key
    for position, row in enumerate(first):
        row["channel"] = "web" if position % 3 else None

    second: list[Row] = shop.orders(1151, 43, 2)
    second += [dict(first[i]) for i in (5, 11, 21, 31)]  # also in the first file
    second.append(shop.again("A-1160", source_updated_at=stamp(2, 5), order_total="1.00"))  # overtaken
    second.append(shop.newer("A-1170", 2, 900, note="changed the same day"))  # overtakes
    second.append(shop.again("A-1161", order_id="   "))  # a key of spaces
    second.append(shop.again("A-1162", order_id="A-1912", currency="XXX"))
    turned = ["source_updated_at", "currency", "order_total", "order_id", "customer_id", "order_date", "note"]
    return {
        "orders-2026-03-02-a.csv": render(list(first), wide, ["\r\n"]),
        "orders-2026-03-02-b.csv": render(list(second), turned, ["\n"], header=[c.upper() for c in turned]),
    }


def day_3(shop: Shop) -> dict[str, bytes]:
    rows: list[Row | Line] = list(shop.orders(1201, 52, 3, style=2))
    for n in range(1011, 1017):  # late: older versions of orders that day 2 changed
        rows.append(shop.again(f"A-{n}", source_updated_at=stamp(1, n - 1000), order_total="3.33"))
    rows.append(shop.again("A-1101", order_total="77.77"))  # same version as stored, other content
    rows.append(shop.again("A-1102", note="same version, other words"))
    rows += [shop.again(f"A-{n}") for n in (1020, 1021, 1022)]  # nothing new
    rows.append(shop.again("A-1203", order_total="1.23"))  # same version twice in one file
    row = rows[6]
    assert isinstance(row, dict)
    row["note"] = "a note\r\nof three\r\nlines"
    rows.insert(25, Line("A-1921,C-001,2026-03-03,10.00,AUD"))  # two fields short
    rows.append(shop.again("A-1210", order_id="A-1922", order_date="2026-13-01"))
    return {
        "orders-2026-03-01.csv": day_1(Shop())["orders-2026-03-01.csv"],  # sent again, same name, same bytes
        "orders-2026-03-03.csv": render(rows, COLUMNS, ["\r\n"]),
    }


def day_4(shop: Shop) -> dict[str, bytes]:
    rows: list[Row | Line] = list(shop.orders(1301, 52, 4))
    rows.insert(12, Line(""))  # blank lines are no records
    rows.insert(33, Line(""))
    row = rows[20]
    assert isinstance(row, dict)
    row["note"] = "one\rtwo"
    return {
        "orders-2026-03-04.csv": render(rows, COLUMNS, ["\r\n", "\n", "\r"]),
        "orders-2026-03-04-evening.csv": b"",
    }


def day_5(shop: Shop) -> tuple[dict[str, bytes], bytes]:
    """The shop's export lost `currency`; the same day, whole, comes with day 6."""
    rows: list[Row | Line] = list(shop.orders(1401, 49, 5))
    rows.append(shop.newer("A-1201", 5, 30, order_total="250.00"))
    without = [c for c in COLUMNS if c != "currency"]
    return {"orders-2026-03-05.csv": render(rows, without, ["\n"])}, render(rows, COLUMNS, ["\n"])


def day_6(shop: Shop, corrected: bytes) -> dict[str, bytes]:
    rows: list[Row | Line] = list(shop.orders(1501, 45, 6, style=1))
    rows.insert(10, shop.again("A-1505", order_id="A-1931", order_total="-5.00", currency="ZZZ"))
    rows.insert(20, shop.again("A-1506", order_id="A-1932", customer_id="n/a"))
    rows.insert(30, shop.again("A-1507", order_id="A-1933", order_total="1,200.00"))
    rows.insert(35, Line(f'"A-1934" late,C-002,2026-03-06,11.00,AUD,{stamp(6, 1)},'))  # text after a quote
    rows.append(Line(f'A-1935,C-003,2026-03-06,12.00,AUD,{stamp(6, 2)},"never closed'))
    return {
        "orders-2026-03-05-corrected.csv": corrected,
        "orders-2026-03-06.csv": render(rows, COLUMNS, ["\n"], last_end=False),
    }


def day_7(shop: Shop) -> dict[str, bytes]:
    rows: list[Row | Line] = list(shop.orders(1601, 82, 7))
    rows += [shop.newer(f"A-{n}", 7, 10 + n - 1300, order_total=f"{n - 1200}.50") for n in range(1303, 1309)]
    for step, money in enumerate(["EUR", "GBP", "EUR", "JPY", "eur", "EUR", "GBP", None, "n/a"]):
        rows.insert(7 * step + 3, shop.again(f"A-{1610 + step}", order_id=f"A-{1941 + step}", currency=money))
    rows.insert(15, shop.again("A-1640", order_id="A-1950", order_total="-0.01"))
    rows.insert(45, shop.again("A-1641", order_id="A-1951", source_updated_at="yesterday"))
    rows.insert(75, shop.again("A-1642", order_id="A-1952", order_total="free", currency="EUR"))
    return {"orders-2026-03-07.csv": render(rows, COLUMNS, ["\n"])}


def all_days() -> dict[str, bytes]:
    shop = Shop()
    days: dict[int, dict[str, bytes]] = {1: day_1(shop), 2: day_2(shop), 3: day_3(shop), 4: day_4(shop)}
    days[5], corrected = day_5(shop)
    days[6] = day_6(shop, corrected)
    days[7] = day_7(shop)
    days[8] = {"orders-2026-03-04-again.csv": days[4]["orders-2026-03-04.csv"]}
    return {f"{day}/{name}": data for day, files in days.items() for name, data in files.items()}


def main() -> int:
    root = Path(__file__).resolve().parent / "days"
    wrong = 0
    for name, data in all_days().items():
        path = root / name
        if "--check" in sys.argv[1:]:
            if not path.is_file() or path.read_bytes() != data:
                print(f"differs: days/{name}")
                wrong = 1
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
