"""A slow, obvious reader of delivered JSON files, written from the landing rules alone.

Python's own decoder judges values; what it lets pass beyond RFC 8259 (NaN, Infinity) is shut off.
"""

from __future__ import annotations

import dataclasses
import json
import re

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SPACE = b" \t\r\n"


class BadFile(Exception):
    pass


def _no_constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant, strict=True)
_SCAN = json.decoder.scanstring  # type: ignore[attr-defined]


@dataclasses.dataclass
class Record:
    line: int
    raw: bytes


@dataclasses.dataclass
class Answer:
    refused: str | None = None
    header: list[str] = dataclasses.field(default_factory=list)
    lines: list[dict[str, object]] = dataclasses.field(default_factory=list)


def _line_of(data: bytes, offset: int) -> int:
    return 1 + len(re.findall(rb"\r\n|\r|\n", data[:offset])) - (data[offset - 1 : offset + 1] == b"\r\n")


def _lines(data: bytes, begin: int) -> list[Record]:
    records = []
    for number, match in enumerate(re.finditer(rb"([^\r\n]*)(\r\n|\r|\n|\Z)", data[begin:])):
        if match[1].strip(b" \t"):
            records.append(Record(number + 1, match[1]))
    return records


def _skip(data: bytes, at: int) -> int:
    while at < len(data) and data[at] in SPACE:
        at += 1
    return at


def _element_end(data: bytes, at: int, single: bool) -> int:
    """Where brackets, commas and quotes say that the element ends."""
    depth, in_text = 0, False
    while at < len(data):
        c = data[at : at + 1]
        if in_text:
            if c in b'"\r\n':
                in_text = False
            elif c == b"\\" and data[at + 1 : at + 2] not in (b"\r", b"\n"):
                at += 1
        elif c == b'"':
            in_text = True
        elif c in b"{[":
            depth += 1
        elif c in b"}]":
            if depth == 0 and c == b"]":
                return at
            depth = max(depth - 1, 0)
            if depth == 0 and single:
                return at + 1
        elif c == b"," and depth == 0:
            return at
        at += 1
    raise BadFile


def _elements(data: bytes, at: int) -> list[Record]:
    at = _skip(data, at)
    if at == len(data):
        return []
    if data[at : at + 1] == b"{":
        end = _element_end(data, at, single=True)
        if _skip(data, end) != len(data):
            raise BadFile
        return [Record(_line_of(data, at), data[at:end])]
    if data[at : at + 1] != b"[":
        raise BadFile
    records: list[Record] = []
    at = _skip(data, at + 1)
    if data[at : at + 1] != b"]":
        while True:
            end = _element_end(data, at, single=False)
            raw = data[at:end].rstrip(SPACE)
            if not raw:
                raise BadFile
            records.append(Record(_line_of(data, at), raw))
            at = end
            if data[at : at + 1] == b"]":
                break
            at = _skip(data, at + 1)
    if _skip(data, at + 1) != len(data):
        raise BadFile
    return records


def _strip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _value(text: str, at: int) -> int:
    """Python's decoder allows no space in front, and digits of other alphabets after a number's first."""
    try:
        end = _DECODER.raw_decode(text, at)[1]
    except (ValueError, RecursionError) as error:
        raise ValueError from error
    return end


def _members(text: str) -> list[tuple[str, str | None]] | None:
    """The object's members as landed; None when the text is JSON but no object."""
    at = _strip(text, 0)
    if text[at : at + 1] != "{":
        if _strip(text, _value(text, at)) != len(text):
            raise ValueError
        return None
    members: list[tuple[str, str | None]] = []
    at = _strip(text, at + 1)
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            if text[at : at + 1] != '"':
                raise ValueError
            key, at = _SCAN(text, at + 1, True)
            at = _strip(text, at)
            if text[at : at + 1] != ":":
                raise ValueError
            at = _strip(text, at + 1)
            end = _value(text, at)
            raw = text[at:end]
            members.append((key, None if raw == "null" else _SCAN(text, at + 1, True)[0] if raw[0] == '"' else raw))
            at = _strip(text, end)
            if text[at : at + 1] == "}":
                at += 1
                break
            if text[at : at + 1] != ",":
                raise ValueError
            at = _strip(text, at + 1)
    if _strip(text, at) != len(text):
        raise ValueError
    return members


def _has_half(text: str) -> bool:
    return any(0xD800 <= ord(c) < 0xE000 for c in text)


def _judge(raw: bytes, record_bytes_max: int) -> list[tuple[str, str | None]] | str:
    if len(raw) > record_bytes_max:
        return "too_long"
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return "encoding"
    try:
        members = _members(text)
    except ValueError:
        return "json"
    if members is None:
        return "not_object"
    for key, value in members:
        is_text = value is not None and value[:1] not in "{["
        if _has_half(key) or (is_text and _has_half(value or "")):
            return "encoding"
    if len({key for key, _ in members}) < len(members):
        return "repeated_key"
    return members


def read(data: bytes, is_lines: bool, record_bytes_max: int) -> Answer:
    begin = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    try:
        records = _lines(data, begin) if is_lines else _elements(data, begin)
    except BadFile:
        return Answer(refused="land.bad_json")
    answer = Answer()
    judged = [(record, _judge(record.raw, record_bytes_max)) for record in records]
    for _, found in judged:
        if not isinstance(found, str):
            answer.header += [key for key, _ in found if key not in answer.header]
    if "" in answer.header:
        return Answer(refused="land.empty_header")
    for record, found in judged:
        if isinstance(found, str):
            answer.lines.append({"line": record.line, "code": "malformed." + found, "raw": record.raw.hex()})
        else:
            values = dict(found)
            answer.lines.append({"line": record.line, "cells": [values.get(key) for key in answer.header]})
    return answer
