"""Made-up days of messy order files for the Spark oracle, with a count of every oddity in them.

usage: generate.py FOLDER [--seed N] [--rows 100000]
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import random
import sys
from collections.abc import Callable
from pathlib import Path

DAYS = 6
FILES_A_DAY = 45
LEAST = 50  # times that every oddity must occur
COLUMNS = [
    "order_id",
    "line_no",
    "customer_id",
    "Order Date",
    "order_total",
    "discount",
    "quantity",
    "rating",
    "is_gift",
    "currency",
    "note",
    "source_updated_at",
]
LINE_ENDS = {"lf": ["\n"], "crlf": ["\r\n"], "cr": ["\r"], "mixed": ["\n", "\r\n", "\r"]}
Row = dict[str, str | None]

# Texts that Spark's casts take or refuse, each for its own reason.
DATES = [
    "2026-02-30", "2026-13-01", "2026-3-1", "2026-03", "2026", " 2026-03-01 ", "2026-03-01T10:00:00", "2026-03-01 x",
    "2026-03-01x", "0001-01-01", "1582-10-10", "9999-12-31", "-0044-03-15", "20260301", "epoch", "now", "2026/03/01",
    "2026-03-00", "2024-02-29", "2023-02-29", "+2026-03-01", "02026-03-01", "2026-03-001", "2026--03-01",
]  # fmt: skip
NUMBERS = [
    "1e2", " 12.5 ", ".5", "5.", "1_000", "12345678901234567890", "1.005", "1.004999", "2.675", "+5", "NaN", "Infinity",
    "0x1F", "1,5", "--1", "1.2.3", "", "9999999999999999.99", "9999999999999999.995", "1E-3", "00012.50", "1e400", "e5",
    "12.50 AUD", "1 2", "\t7.25\n", "1e17", "5e-1",
]  # fmt: skip
WHOLE = ["1.5", " 7 ", "+7", "007", "1e3", "2147483648", "-2147483648", "9223372036854775808", "1.0", "0x10",
         "seven", "-0", "1 0", "\t8\r", "+", "-"]  # fmt: skip
FLOATS = ["NaN", "nan", "Infinity", "-inf", "inf", "1e400", "-1e-400", "0.1", "1e-7", "123456789012345678", "-0.0",
          "4,5", "four", " 3.25 ", ".", "1e", "+2.50"]  # fmt: skip
TRUTHS = ["t", "TRUE", "y", "Yes", "1", "0", "n", "no", "F", "false", "on", "off", " true ", "tru", "2", "T"]
INSTANTS = [
    "2026-03-01", "2026-03-01 10:30", "2026-03-01T10:30:15", "2026-03-01 10:00:00.1234567", "2026-03-01 10:00:00.1",
    "2026-03-01 24:00:00", "2026-03-01 10:00:60", "2026-03-01 10:61:00", "2026-03-01 9:5:7", "2026-02-30 10:00:00",
    "2026-03-01 10:00:00 x", "2026-03", "2026", "1969-12-31 23:59:59.999999", "2026-03-01 10:00:00.", "yesterday",
    "2026-03-01  10:00:00", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "1900-01-01 00:00:00",
]  # fmt: skip
ZONED = ["2026-03-01T10:00:00Z", "2026-03-01 10:00:00+02:00", "2026-03-01 10:00:00-0330", "2026-03-01 10:00:00 UTC",
         "2026-03-01 10:00:00+5", "2026-03-01 10:00:00+18:00", "2026-03-01 10:00:00+19:00", "2026-03-01T10:00+01:00",
         "2026-03-01 10:00:00.5Z", "2026-03-01 10:00:00 +01:00"]  # fmt: skip


@dataclasses.dataclass
class Delivery:
    """One file: its path below the day's folder, its bytes."""

    path: str
    data: bytes


class Generator:
    def __init__(self, seed: int, rows: int) -> None:
        self.chance = random.Random(seed)
        self.rows = rows
        self.seen: collections.Counter[str] = collections.Counter()
        self.known: list[Row] = []  # rows of earlier days
        self.next_order = 1
        self.single = self.single_oddities()

    # ---- rows ----------------------------------------------------------------------------------------

    def plain(self, day: int) -> Row:
        chance = self.chance
        order = self.next_order
        self.next_order += 1
        total = chance.randint(100, 90_000)
        return {
            "order_id": f"SO-{order:07d}",
            "line_no": str(chance.randint(1, 3)),
            "customer_id": f"C{chance.randint(1, 5000):05d}",
            "Order Date": f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
            "order_total": f"{total / 100:.2f}",
            "discount": f"{chance.randint(0, total) / 200:.3f}",
            "quantity": str(chance.randint(1, 500)),
            "rating": chance.choice(["1.5", "2", "3.75", "4.5", "5"]),
            "is_gift": chance.choice(["true", "false"]),
            "currency": chance.choice(["AUD", "NZD", "USD"]),
            "note": chance.choice([None, "leave at the door", "call first"]),
            "source_updated_at": self.instant(day),
        }

    def instant(self, day: int) -> str:
        chance = self.chance
        return f"2026-04-{day:02d} {chance.randint(0, 23):02d}:{chance.randint(0, 59):02d}:{chance.randint(0, 59):02d}"

    def single_oddities(self) -> dict[str, Callable[[Row], None]]:
        """Each changes one good row."""
        chance = self.chance

        def put(column: str, *values: str | None) -> Callable[[Row], None]:
            def change(row: Row) -> None:
                row[column] = chance.choice(values)

            return change

        def negative(row: Row) -> None:
            row["order_total"] = f"-{row['order_total']}"

        def twice_wrong(row: Row) -> None:
            negative(row)
            row["currency"] = "DOGE"

        def all_wrong(row: Row) -> None:
            row.update({"order_id": None, "Order Date": "soon", "order_total": "much", "currency": None})

        def spaced(row: Row) -> None:
            row["order_id"] = f"  {row['order_id']} "
            row["currency"] = f" {(row['currency'] or '').lower()}  "

        return {
            "spaces_around": spaced,
            "empty_key": put("order_id", None),
            "empty_text_key": put("order_id", ""),
            "blank_key": put("order_id", "   ", " \t "),
            "blank_but_for_tabs": put("customer_id", "\t", "\t\r\n", " \n"),
            "key_part_missing": put("line_no", None, "n/a"),
            "key_part_unparseable": put("line_no", "first", "1.5"),
            "missing_customer": put("customer_id", None),
            "missing_date": put("Order Date", None, "NULL"),
            "impossible_date": put("Order Date", "2026-02-30", "2026-13-01", "2026-04-31"),
            "odd_date": put("Order Date", *DATES),
            "other_date_pattern": put("Order Date", "3/4/2026", "28/02/2026", "31/4/2026", "29/2/2026", "1/13/2026"),
            "not_available": put("order_total", "n/a"),
            "quantity_not_available": put("quantity", "n/a"),
            "null_word": put("currency", "NULL"),
            "null_word_in_other_case": put("currency", "null", "N/A"),
            "negative_money": negative,
            "unknown_currency": put("currency", "DOGE", "EUR", "A"),
            "odd_number": put("order_total", *NUMBERS),
            "thousands": put("order_total", "1,234.50", "12,34"),
            "odd_discount": put("discount", *NUMBERS),
            "odd_whole_number": put("quantity", *WHOLE),
            "quantity_out_of_range": put("quantity", "0", "-3", "1001", "999999"),
            "odd_float": put("rating", *FLOATS),
            "odd_truth": put("is_gift", *TRUTHS),
            "odd_instant": put("source_updated_at", *INSTANTS),
            "instant_with_zone": put("source_updated_at", *ZONED),
            "instant_in_gap": put("source_updated_at", "2026-03-29 02:00:00", "2026-03-29 02:30:00.5"),
            "instant_in_overlap": put("source_updated_at", "2026-10-25 02:00:00", "2026-10-25 02:59:59"),
            "missing_version": put("source_updated_at", None),
            "no_discount": put("discount", None),
            "discount_above_total": put("discount", "900.01", "5000"),
            "two_reasons": twice_wrong,
            "many_reasons": all_wrong,
            "line_break_in_quotes": put("note", "first line\nsecond line", "a\r\nb", "a\rb"),
            "quote_in_quotes": put("note", 'she said "yes"', '"', '""'),
            "delimiter_in_quotes": put("note", "left, then right", ","),
            "other_letters": put("note", "Åse", "価格", "🙂", "e\u0301"),
            "empty_text": put("note", ""),
        }

    def repeats(self) -> dict[str, Callable[[Row, int], Row]]:
        """Each makes a further row from one of the same batch."""
        chance = self.chance

        def copy(row: Row, _: int) -> Row:
            return dict(row)

        def older(row: Row, day: int) -> Row:
            return row | {"source_updated_at": f"2026-03-15 08:00:{day:02d}", "order_total": "1.00", "discount": "0"}

        def newer(row: Row, day: int) -> Row:
            return row | {"source_updated_at": f"2026-05-15 08:00:{day:02d}", "order_total": "2.00", "discount": "0"}

        def conflicting(row: Row, _: int) -> Row:
            return row | {"note": f"changed {chance.randint(1, 9)}"}

        return {
            "copy_in_same_file": copy,
            "copy_in_other_file": copy,
            "older_version_in_batch": older,
            "newer_version_in_batch": newer,
            "equal_version_other_content": conflicting,
        }

    def later(self, day: int) -> dict[str, Callable[[Row], Row]]:
        """Each makes a row from one of an earlier day."""
        chance = self.chance
        return {
            "sent_again_unchanged": dict,
            "late_older_version": lambda row: row | {"source_updated_at": "2026-01-15 08:00:00", "currency": "USD"},
            "equal_version_later": lambda row: row | {"note": f"later {day} {chance.randint(1, 9)}"},
            "newer_version_later": lambda row: row | {"source_updated_at": self.instant(day), "quantity": "7"},
        }

    def batch(self, day: int) -> list[tuple[int, Row]]:
        """Rows with the number of their file."""
        chance = self.chance
        placed: list[tuple[int, Row]] = []
        fresh: list[Row] = []
        repeats, later = self.repeats(), self.later(day)
        while len(placed) < self.rows // DAYS:
            file = chance.randrange(FILES_A_DAY)
            dice = chance.random()
            if dice < 0.12 and self.known:
                name = chance.choice(sorted(later))
                placed.append((file, later[name](chance.choice(self.known))))
                self.seen[name] += 1
                continue
            row = self.plain(day)
            if dice < 0.40:
                name = chance.choice(sorted(self.single))
                self.single[name](row)
                self.seen[name] += 1
            else:
                fresh.append(row)
            placed.append((file, row))
            if dice > 0.88:
                name = chance.choice(sorted(repeats))
                other = file if name == "copy_in_same_file" else (file + 1) % FILES_A_DAY
                placed.append((other, repeats[name](row, day)))
                self.seen[name] += 1
        chance.shuffle(placed)
        self.known = chance.sample(fresh, min(len(fresh), 2000)) + self.known[:6000]
        return placed

    # ---- files ---------------------------------------------------------------------------------------

    def cell(self, text: str | None, always: bool) -> bytes:
        if text is None:
            return b""
        if always or text == "" or any(c in text for c in ',"\r\n'):
            return b'"' + text.replace('"', '""').encode() + b'"'
        return text.encode()

    def malformed(self, cells: list[bytes]) -> bytes:
        name = self.chance.choice(["missing_field", "extra_field", "text_after_quote", "encoding"])
        self.seen["malformed_" + name] += 1
        if name == "missing_field":
            return b",".join(cells[:-1])
        if name == "extra_field":
            return b",".join([*cells, b"more"])
        cells = list(cells)
        cells[self.chance.randrange(len(cells))] = b'"a"b' if name == "text_after_quote" else b"caf\xe9"
        return b",".join(cells)

    def file(self, day: int, number: int, rows: list[Row]) -> bytes:
        chance = self.chance
        style = chance.choice(sorted(LINE_ENDS))
        self.seen[f"line_ends_{style}"] += 1
        columns = list(COLUMNS)
        if day >= 2 and chance.random() < 0.4:
            columns.insert(chance.randrange(len(columns)), "channel")
            self.seen["new_column"] += 1
        if chance.random() < 0.3:
            columns.remove("note")
            self.seen["dropped_column"] += 1
        if chance.random() < 0.3:
            chance.shuffle(columns)
            self.seen["columns_in_other_order"] += 1
        header = list(columns)
        if chance.random() < 0.3:
            header = [name.upper() for name in header]
            self.seen["header_in_other_case"] += 1
        out = bytearray()
        if chance.random() < 0.3:
            out += b"\xef\xbb\xbf"
            self.seen["byte_order_mark"] += 1
        always = chance.random() < 0.3

        def end_line() -> None:
            out.extend(chance.choice(LINE_ENDS[style]).encode())

        out += b",".join(self.cell(name, always) for name in header)
        end_line()
        for row in rows:
            sent: Row = row | {"channel": chance.choice(["web", "shop", None])}
            cells = [self.cell(sent[name], always or chance.random() < 0.05) for name in columns]
            out += b",".join(cells)
            end_line()
            if chance.random() < 0.01:
                out += self.malformed(cells)
                end_line()
            if chance.random() < 0.005:
                end_line()
                self.seen["blank_line"] += 1
        if number % 2 == 0:  # nothing after it may hold a quote that would close it
            out += b'"open' + b"," * (len(columns) - 1)
            end_line()
            self.seen["malformed_open_quote"] += 1
        if chance.random() < 0.3 and rows:
            plain: Row = self.plain(day) | {"note": None, "channel": "web"}
            out += b",".join(self.cell(plain[name], False) for name in columns)
            self.seen["no_final_line_end"] += 1
        return bytes(out)

    def day(self, day: int) -> list[Delivery]:
        files: dict[int, list[Row]] = collections.defaultdict(list)
        for number, row in self.batch(day):
            files[number].append(row)
        deliveries = [
            Delivery(f"{day}-{number:03d}.csv", self.file(day, number, rows)) for number, rows in files.items()
        ]
        for number in range(10):
            deliveries.append(Delivery(f"{day}-empty-{number}.csv", b""))
            self.seen["empty_file"] += 1
            deliveries.append(Delivery(f"{day}-header-{number}.csv", self.file(day, 1, [])))
            self.seen["file_without_rows"] += 1
        return deliveries


def generate(folder: Path, seed: int, rows: int) -> collections.Counter[str]:
    """Writes folder/<day>/… and gives how often each oddity is in it."""
    generator = Generator(seed, rows)
    for day in range(1, DAYS + 1):
        (folder / str(day)).mkdir(parents=True)
        for delivery in generator.day(day):
            (folder / str(day) / delivery.path).write_bytes(delivery.data)
    return generator.seen


def print_coverage(title: str, seen: dict[str, int], least: int = LEAST) -> list[str]:
    """The names that do not occur often enough."""
    print(f"{title}:")
    for name, times in sorted(seen.items()):
        print(f"  {times:7}  {name}{'' if times >= least else '   TOO FEW'}")
    return sorted(name for name, times in seen.items() if times < least)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--rows", type=int, default=100_000)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}, {arguments.rows} rows")
    return 1 if print_coverage("oddities", generate(arguments.folder, seed, arguments.rows)) else 0


if __name__ == "__main__":
    sys.exit(main())
