"""A slow, obvious reader of delivered CSV files, written from the landing rules alone.

It holds the whole file as a list of bytes and walks it once, record by record. It shares nothing
with the product's reader, so that the two can be compared.
"""

from __future__ import annotations

import dataclasses
import gzip

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CR, LF = 0x0D, 0x0A


@dataclasses.dataclass(frozen=True)
class Format:
    header: bool = True
    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    encoding: str = "utf-8"
    gzip: bool = False
    record_bytes_max: int = 16 * 1024 * 1024


@dataclasses.dataclass
class Row:
    line: int
    cells: list[str | None]


@dataclasses.dataclass
class Malformed:
    line: int
    code: str
    reason: str
    raw: bytes


@dataclasses.dataclass
class Answer:
    refused: str | None = None
    header: list[str] = dataclasses.field(default_factory=list)
    records: list[Row | Malformed] = dataclasses.field(default_factory=list)


def _character(data: bytes, at: int, encoding: str) -> tuple[bytes, int]:
    """The UTF-8 of one character, or of what is none, and how many bytes it has in the file."""
    if encoding == "windows-1252":
        try:
            return data[at : at + 1].decode("cp1252").encode(), 1
        except UnicodeDecodeError:
            return data[at : at + 1], 1
    for size in (2, 4):
        try:
            return data[at : at + size].decode(encoding).encode(), size
        except UnicodeDecodeError:
            continue
    return data[at : at + 2].decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass"), 2


def _in_utf8(data: bytes, encoding: str) -> tuple[bytes, list[int]]:
    """The file in UTF-8, and for each byte (and the end) where in the file its character begins."""
    if encoding == "utf-8":
        return data, list(range(len(data) + 1))
    if encoding == "utf-16":
        encoding = "utf-16-be" if data[:1] in (b"\xfe", b"\x00") else "utf-16-le"
    text = bytearray()
    origins: list[int] = []
    at = 0
    while at < len(data):
        character, size = _character(data, at, encoding)
        text += character
        origins += [at] * len(character)
        at += size
    return bytes(text), [*origins, len(data)]


class QuoteNeverClosed(Exception):
    pass


@dataclasses.dataclass
class _Split:
    text: bytes  # in UTF-8
    raw: bytes  # as delivered
    fields: list[bytes | None]
    fault: str | None


class _Walker:
    def __init__(self, data: bytes, form: Format) -> None:
        self.data, self.origins = _in_utf8(data, form.encoding)
        self.delivered = data
        self.form = form
        self.delimiter = ord(form.delimiter)
        self.quote = ord(form.quote)
        self.escape = ord(form.escape)
        self.position = 0
        self.line = 1

    def here(self) -> int | None:
        return self.data[self.position] if self.position < len(self.data) else None

    def after(self) -> int | None:
        return self.data[self.position + 1] if self.position + 1 < len(self.data) else None

    def step_over_line_end(self) -> None:
        if self.here() == CR and self.after() == LF:
            self.position += 1
        self.position += 1
        self.line += 1

    def record(self) -> _Split:
        start, start_line = self.position, self.line
        fields: list[bytes | None] = []
        fault: str | None = None
        try:
            while True:
                value, trailing_text = self.field()
                if trailing_text:
                    fault = "text_after_quote"
                fields.append(value)
                if self.here() != self.delimiter:
                    break
                self.position += 1
        except QuoteNeverClosed:
            fault = "open_quote"
        if self.position - start > self.form.record_bytes_max:
            fault = "too_long"
        if fault in ("open_quote", "too_long"):
            self.first_line_again(start, start_line)
        text = self.data[start : self.position]
        raw = self.delivered[self.origins[start] : self.origins[self.position]]
        if self.here() is not None:
            self.step_over_line_end()
        return _Split(text, raw, fields, fault)

    def first_line_again(self, start: int, start_line: int) -> None:
        self.position, self.line = start, start_line
        while self.here() not in (CR, LF, None):
            self.position += 1

    def field(self) -> tuple[bytes | None, bool]:
        if self.here() == self.quote:
            value = self.quoted()
            trailing = self.unquoted()
            return value, trailing != b""
        value = self.unquoted()
        return (value if value else None), False

    def unquoted(self) -> bytes:
        start = self.position
        while self.here() not in (self.delimiter, CR, LF, None):
            self.position += 1
        return self.data[start : self.position]

    def quoted(self) -> bytes:
        self.position += 1
        value = bytearray()
        while True:
            byte = self.here()
            if byte is None:
                raise QuoteNeverClosed
            if byte == self.escape and self.after() in (self.quote, self.escape):
                value.append(self.data[self.position + 1])
                self.position += 2
            elif byte == self.quote:
                self.position += 1
                return bytes(value)
            elif byte in (CR, LF):
                before = self.position
                self.step_over_line_end()
                value += self.data[before : self.position]
            else:
                value.append(byte)
                self.position += 1


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode("utf-8", errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def _judge(split: _Split, line: int, header: list[str], form: Format) -> Row | Malformed:
    fault = split.fault
    if fault is None and not _is_text(split.text):
        fault = "encoding"
    missing = header[len(split.fields) :]
    extra = len(split.fields) - len(header)
    if fault is None and missing:
        fault = "missing_field"
    if fault is None and extra > 0:
        fault = "extra_field"
    if fault is None:
        return Row(line, [None if f is None else f.decode("utf-8") for f in split.fields])
    reasons = {
        "open_quote": "quote never closed",
        "text_after_quote": "text after a closing quote",
        "encoding": "not " + form.encoding.upper().replace("WINDOWS", "windows"),
        "too_long": "record too long",
        "missing_field": ("missing field " if len(missing) == 1 else "missing fields ") + ", ".join(missing),
        "extra_field": f"{extra} extra field" + ("" if extra == 1 else "s"),
    }
    return Malformed(line, "malformed." + fault, reasons[fault], split.raw)


def read(data: bytes, form: Format) -> Answer:
    walker = _Walker(gzip.decompress(data) if form.gzip else data, form)
    if walker.data.startswith(BYTE_ORDER_MARK):
        walker.position = len(BYTE_ORDER_MARK)
    splits: list[tuple[int, _Split]] = []
    while walker.here() is not None:
        line = walker.line
        split = walker.record()
        if split.raw:  # a blank line is no record
            splits.append((line, split))
    answer = Answer()
    if form.header and splits:
        first = splits.pop(0)[1]
        if first.fault is not None or not _is_text(first.text):
            return Answer(refused="land.header_malformed")
        if any(not cell for cell in first.fields):
            return Answer(refused="land.empty_header")
        answer.header = [cell.decode("utf-8") for cell in first.fields if cell is not None]
    elif not form.header:
        for _, split in splits:
            if split.fault is None and _is_text(split.text):
                answer.header = [f"_c{i}" for i in range(len(split.fields))]
                break
    answer.records = [_judge(split, line, answer.header, form) for line, split in splits]
    return answer
