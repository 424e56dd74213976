"""Made-up deliveries for the landing oracle: every oddity, under every line end and quoting style."""

from __future__ import annotations

import collections
import dataclasses
import gzip
import random

from slow_reader import Format

LINE_ENDS: dict[str, list[bytes]] = {
    "lf": [b"\n"],
    "crlf": [b"\r\n"],
    "cr": [b"\r"],
    "mixed": [b"\n", b"\r\n", b"\r"],
}
QUOTINGS = ["never", "needed", "always", "sometimes"]

# What a record or a file can have; each is made on purpose and counted.
RECORD_ODDITIES = [
    "blank_line",
    "line_of_spaces",
    "line_break_in_quotes",
    "delimiter_in_quotes",
    "quote_in_quotes",
    "quote_inside_plain_text",
    "spaces_around",
    "space_before_quote",
    "null_cell",
    "empty_text_cell",
    "only_delimiters",
    "multi_byte_text",
    "byte_order_mark_inside",
    "nul_byte",
    "backslash",
    "missing_field",
    "extra_field",
    "text_after_quote",
    "invalid_utf8",
    "too_long",
]
FILE_ODDITIES = [
    "byte_order_mark",
    "blank_lines_first",
    "no_final_line_end",
    "line_break_in_header",
    "header_with_spaces",
    "open_quote",
    "no_header",
    "other_delimiter",
    "other_quote",
    "escape_character",
    "header_only",
    "empty_file",
    "empty_header_cell",
    "header_malformed",
    "utf_16",
    "utf_16_without_mark",
    "windows_1252",
    "packed",
    "packed_in_parts",
]
INVALID = [b"\xff", b"\xc3", b"\xe2\x82", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"caf\xe9"]
WORDS = ["AUD", "NZD", "12.50", "2026-03-01", "n/a", "x", "Åse", "価格", "🙂", "O'Neil", "0"]


@dataclasses.dataclass
class Delivery:
    data: bytes
    form: Format
    line_end: str
    quoting: str
    oddities: list[str]
    block_bytes: int


class _Writer:
    def __init__(self, chance: random.Random, line_end: str, quoting: str, turns: list[str]) -> None:
        self.chance = chance
        self.turns = turns
        self.line_ends = LINE_ENDS[line_end]
        self.line_end_name = line_end
        self.quoting = self.quoting_name = quoting
        self.out = bytearray()
        self.oddities: list[str] = []

    def delivery(self, file_oddity: str) -> Delivery:
        chance = self.chance
        self.form = Format(
            header=file_oddity != "no_header",
            delimiter=chance.choice(";\t|") if file_oddity == "other_delimiter" else ",",
            quote="'" if file_oddity == "other_quote" else '"',
            escape="\\" if file_oddity == "escape_character" else ("'" if file_oddity == "other_quote" else '"'),
            record_bytes_max=16 << 20 if file_oddity == "open_quote" else 150,
        )
        self.width = chance.randint(1, 5)
        self.oddities.append(file_oddity)
        if file_oddity == "byte_order_mark" or (not file_oddity.startswith("utf_16") and chance.random() < 0.1):
            self.out += b"\xef\xbb\xbf"
        if file_oddity != "empty_file":
            self.body(file_oddity)
        elif chance.random() < 0.5:
            self.out += b"".join(chance.choice(self.line_ends) for _ in range(chance.randint(0, 3)))
        block = chance.choice([1, 7, 64, 1 << 20])
        return Delivery(
            self.delivered(file_oddity), self.form, self.line_end_name, self.quoting_name, self.oddities, block
        )

    def delivered(self, file_oddity: str) -> bytes:
        """The bytes in the file's encoding, and packed."""
        data = bytes(self.out)
        if file_oddity.startswith("utf_16"):
            order = self.chance.choice(["le", "be"])
            text = data.decode("utf-8", "replace")
            if self.chance.random() < 0.7:  # half a character, which UTF-8 cannot hold
                at = self.chance.randint(min(8, len(text)), len(text))
                text = text[:at] + self.chance.choice(["\ud83d", "\udc00", "\udc00\ud83d"]) + text[at:]
            text = text.removeprefix("\ufeff")
            mark = "" if file_oddity == "utf_16_without_mark" else "\ufeff"
            data = (mark + text).encode(f"utf-16-{order}", "surrogatepass")
            self.form = dataclasses.replace(self.form, encoding="utf-16")
        elif file_oddity == "windows_1252":
            data = bytes(b for b in data if b < 0x80 or self.chance.random() < 0.7)
            self.form = dataclasses.replace(self.form, encoding="windows-1252")
        elif file_oddity.startswith("packed"):
            cut = self.chance.randint(0, len(data)) if file_oddity == "packed_in_parts" else len(data)
            data = gzip.compress(data[:cut], mtime=0) + (gzip.compress(data[cut:], mtime=0) if cut < len(data) else b"")
            self.form = dataclasses.replace(self.form, gzip=True)
        return data

    def body(self, file_oddity: str) -> None:
        chance = self.chance
        if file_oddity == "blank_lines_first":
            for _ in range(chance.randint(1, 3)):
                self.end_line()
        if self.form.header:
            self.header(file_oddity)
        if file_oddity == "header_only":
            if chance.random() < 0.5:
                self.end_line()
            return
        if self.form.header:
            self.end_line()
        at = chance.randint(0, 12) if file_oddity == "open_quote" else -1
        for i in range(chance.randint(3, 14) if at < 0 else 13):
            if i == at:
                self.out += self.join([self.text()] * (self.width - 1) + [self.form.quote.encode() + b"open"])
                self.end_line()
                self.quoting = "never"
            self.record(plain_only=0 <= at <= i)
        if file_oddity == "no_final_line_end":
            self.out += self.join([self.text() for _ in range(self.width)])

    def header(self, file_oddity: str) -> None:
        names = [f"column {i}".encode() for i in range(self.width)]
        if file_oddity == "line_break_in_header":
            names[0] = self.in_quotes(b"two" + self.chance.choice(self.line_ends) + b"lines")
        elif file_oddity == "header_with_spaces":
            names[0] = b"  spaced " + names[0]
        elif file_oddity == "empty_header_cell":
            names[self.chance.randrange(self.width)] = self.chance.choice([b"", self.in_quotes(b"")])
            names.append(b"last")
        elif file_oddity == "header_malformed":
            quote = self.form.quote.encode()
            names[0] = self.chance.choice([quote + b"a" + quote + b"b", quote + b"open", b"caf\xe9"])
        self.out += self.join(names)

    def record(self, plain_only: bool) -> None:
        chance = self.chance
        cells = [self.text() for _ in range(self.width)]
        if not plain_only and chance.random() < 0.7:
            oddity = self.next_oddity()
            self.oddities.append(oddity)
            cells = self.odd(oddity, cells)
        self.out += self.join(cells)
        self.end_line()

    def next_oddity(self) -> str:
        if not self.turns:
            self.turns += RECORD_ODDITIES
            self.chance.shuffle(self.turns)
        return self.turns.pop()

    def odd(self, oddity: str, cells: list[bytes]) -> list[bytes]:
        chance = self.chance
        delimiter, quote = self.form.delimiter.encode(), self.form.quote.encode()
        column = chance.randrange(len(cells))
        if oddity == "blank_line":
            return []
        if oddity == "line_of_spaces":
            return [b" " * chance.randint(1, 3)]
        if oddity == "missing_field":
            return cells[: chance.randint(1, len(cells) - 1)] if len(cells) > 1 else [b" "] * 0
        if oddity == "extra_field":
            return cells + [self.text() for _ in range(chance.randint(1, 3))]
        if oddity == "only_delimiters":
            return [b""] * len(cells)
        long_text = b"long " * chance.randint(28, 40)
        made = {
            "line_break_in_quotes": lambda: self.in_quotes(
                b"first" + chance.choice([b"\n", b"\r\n", b"\r"]) + b"second"
            ),
            "delimiter_in_quotes": lambda: self.in_quotes(b"a" + delimiter + b"b"),
            "quote_in_quotes": lambda: self.in_quotes(b"say " + quote + b"hi" + quote * chance.randint(0, 2)),
            "quote_inside_plain_text": lambda: b"12" + quote + b" pipe",
            "spaces_around": lambda: b"  padded\t ",
            "space_before_quote": lambda: b" " + quote + b"x" + quote,
            "null_cell": lambda: b"",
            "empty_text_cell": lambda: self.in_quotes(b""),
            "multi_byte_text": lambda: "Ærøskøbing 価格 🙂".encode(),
            "byte_order_mark_inside": lambda: b"\xef\xbb\xbfx",
            "nul_byte": lambda: b"a\x00b",
            "backslash": lambda: chance.choice([b"a\\b", self.in_quotes(b"c:\\dir\\")]),
            "text_after_quote": lambda: quote + b"a" + quote + chance.choice([b"b", b" ", b"b" + quote]),
            "invalid_utf8": lambda: chance.choice(INVALID),
            "too_long": lambda: chance.choice([long_text, self.in_quotes(long_text + b"\n" + long_text)]),
        }
        cells[column] = made[oddity]()
        return cells

    def text(self) -> bytes:
        word = self.chance.choice(WORDS).encode()
        if self.quoting == "always" or (self.quoting == "sometimes" and self.chance.random() < 0.5):
            return self.in_quotes(word)
        if self.quoting == "needed" and self.form.quote.encode() in word:
            return self.in_quotes(word)
        return word

    def in_quotes(self, text: bytes) -> bytes:
        quote, escape = self.form.quote.encode(), self.form.escape.encode()
        if escape != quote:
            text = text.replace(escape, escape + escape)
        return quote + text.replace(quote, escape + quote) + quote

    def join(self, cells: list[bytes]) -> bytes:
        return self.form.delimiter.encode().join(cells)

    def end_line(self) -> None:
        self.out += self.chance.choice(self.line_ends)


def deliveries(seed: int, count: int) -> list[Delivery]:
    """Every (file oddity, line end, quoting) triple comes round before any repeats, and so does every
    record oddity under each line end and quoting."""
    chance = random.Random(seed)
    triples = [(o, e, q) for o in FILE_ODDITIES for e in LINE_ENDS for q in QUOTINGS]
    turns: dict[tuple[str, str], list[str]] = collections.defaultdict(list)
    made = []
    for i in range(count):
        if i % len(triples) == 0:
            chance.shuffle(triples)
        oddity, line_end, quoting = triples[i % len(triples)]
        made.append(_Writer(chance, line_end, quoting, turns[line_end, quoting]).delivery(oddity))
    return made


def coverage(made: list[Delivery]) -> dict[str, collections.Counter[str]]:
    """For each oddity, how often it occurs in all and under each (line end, quoting)."""
    seen: dict[str, collections.Counter[str]] = {o: collections.Counter() for o in RECORD_ODDITIES + FILE_ODDITIES}
    for delivery in made:
        for oddity in delivery.oddities:
            seen[oddity]["all"] += 1
            seen[oddity][f"{delivery.line_end}/{delivery.quoting}"] += 1
    return seen
