"""Made-up JSON deliveries for the landing oracle: every oddity in both formats under every line end."""

from __future__ import annotations

import dataclasses
import json
import random

from generate import INVALID, LINE_ENDS

KINDS = ["json", "jsonl"]
RECORD_ODDITIES = [
    "blank_line",
    "line_of_spaces",
    "spaces_inside",
    "null_value",
    "number_of_many_digits",
    "number_with_exponent",
    "minus_zero",
    "true_and_false",
    "nested",
    "nested_deep",
    "nested_repeated_key",
    "escapes",
    "escaped_nul",
    "surrogate_pair",
    "half_surrogate",
    "half_surrogate_nested",
    "escaped_key",
    "empty_text",
    "empty_object",
    "missing_key",
    "extra_key",
    "turned_keys",
    "repeated_key",
    "repeated_key_escaped",
    "repeated_new_key",
    "no_object",
    "number_with_leading_zero",
    "number_without_digits",
    "not_a_number",
    "single_quotes",
    "trailing_comma",
    "no_colon",
    "bad_escape",
    "control_character",
    "wrong_bracket",
    "garbage_behind",
    "invalid_utf8",
    "other_digits",
    "too_long",
    "line_break_inside",
    "open_quote",
]
FILE_ODDITIES = [
    "byte_order_mark",
    "no_final_line_end",
    "one_object",
    "empty_file",
    "only_spaces",
    "no_records",
    "array_not_closed",
    "more_behind_the_array",
    "comma_at_the_end",
    "comma_twice",
    "no_json_at_all",
    "key_of_no_characters",
    "packed",
    "plain",
]
WORDS = ["AUD", "12.50", "Åse", "価格", "🙂", "a/b", "0", "n/a", ""]
RAW = {
    "empty_object": ["{}", "{ }"],
    "no_object": ["[1]", '"text"', "7", "null", "true", "[]"],
    "number_with_leading_zero": ['{"a":01}', '{"a":-01}', '{"a":[00]}'],
    "number_without_digits": ['{"a":1.}', '{"a":.5}', '{"a":-}', '{"a":1e}', '{"a":+1}'],
    "not_a_number": ['{"a":NaN}', '{"a":-Infinity}', '{"a":nul}', '{"a":True}', '{"a":undefined}'],
    "single_quotes": ["{'a':1}", "{a:1}"],
    "trailing_comma": ['{"a":1,}', '{"a":[1,]}', '{,"a":1}'],
    "no_colon": ['{"a" 1}', '{"a"}', '{"a":}', '{"a":1 "b":2}'],
    "bad_escape": ['{"a":"\\x41"}', '{"a":"\\u12G4"}', '{"a":"\\u12"}', '{"a":"\\\'"}', '{"a\\q":1}'],
    "control_character": ['{"a":"x\ty"}', '{"a":"\x01"}', '{"a\x1f":1}', '{"a":1\x00}'],
    "wrong_bracket": ['{"a":[1}', '{"a":{"b":1]}', '{"a":1]}', '[{"a":1}'],
    "garbage_behind": ['{"a":1} x', '{"a":1}{"a":2}', '{"a":1}}', 'x{"a":1}'],
    "other_digits": ['{"a":1٣}', '{"a":٣}', '{"a":1.٣}', '{"a":"\\u٠٠٤١"}'],
    "half_surrogate": ['{"a":"\\ud83d"}', '{"a":"\\ude00x"}', '{"\\udc00":1}', '{"a":"\\ud83d\\ud83d\\ude00"}'],
    "half_surrogate_nested": ['{"a":["\\ud83d"]}', '{"a":{"\\udc00":1}}'],
    "surrogate_pair": ['{"a":"\\ud83d\\ude00"}', '{"a":"\\uD83D\\uDE00 \\u00e5"}'],
    "repeated_key": ['{"a":1,"a":2}', '{"a":1,"b":2,"a":1}'],
    "repeated_key_escaped": ['{"a":1,"\\u0061":2}', '{"\\u0062":1,"b":1}'],
    "repeated_new_key": ['{"fresh":1,"fresh":2}', '{"a":1,"fresh":1,"fr\\u0065sh":2}'],
    "escapes": ['{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"}', '{"a":"\\\\u0041"}', '{"a":"x\\\\"}'],
    "escaped_nul": ['{"a":"x\\u0000y"}'],
    "escaped_key": ['{"\\u0061":"x"}', '{"a\\/b":1}', '{"b\\n":1}'],
    "number_of_many_digits": ['{"a":12345678901234567890123.45678901234567890100}', '{"a":0.10}'],
    "number_with_exponent": ['{"a":1E400}', '{"a":-1.50e-07}', '{"a":0e+0}'],
    "minus_zero": ['{"a":-0}', '{"a":-0.0}'],
    "true_and_false": ['{"a":true,"b":false}'],
    "null_value": ['{"a":null}', '{"a":null,"b":"null"}'],
    "empty_text": ['{"a":""}'],
    "nested": ['{"a":{"x": [1,  "]"], "y":{}}}', '{"a":[ ]}', '{"a":["}",{"\\u0062":null}]}'],
    "nested_deep": ['{"a":' + "[" * 40 + "]" * 40 + "}"],
    "nested_repeated_key": ['{"a":{"x":1,"x":2}}'],
    "extra_key": ['{"a":1,"more":2}', '{"other key":"x","a":1}', '{"A":1}'],
    "missing_key": ['{"b":1}'],
    "turned_keys": ['{"c":3,"b":2,"a":1}'],
}


@dataclasses.dataclass
class Delivery:
    data: bytes
    kind: str
    gzip: bool
    line_end: str
    oddities: list[str]
    block_bytes: int
    record_bytes_max: int = 300


class _Writer:
    def __init__(self, chance: random.Random, kind: str, line_end: str, turns: list[str]) -> None:
        self.chance = chance
        self.kind = kind
        self.line_end_name = line_end
        self.line_ends = LINE_ENDS[line_end]
        self.turns = turns
        self.oddities: list[str] = []

    def end(self) -> bytes:
        return self.chance.choice(self.line_ends)

    def plain(self) -> bytes:
        record: dict[str, object] = {}
        for key in ["a", "b", "c"]:
            record[key] = self.chance.choice([*WORDS, 1, 2.5, None, True, [1, "x"]])
        return json.dumps(record, ensure_ascii=self.chance.random() < 0.3).encode()

    def odd(self, oddity: str) -> bytes:
        if oddity in RAW:
            return self.chance.choice(RAW[oddity]).encode()
        made = {
            "spaces_inside": b' {\t"a" :  1 , "b":[ 1 ]  } ',
            "too_long": b'{"a":"' + b"long " * 80 + b'"}',
            "open_quote": b'{"a":"never closed, "b":1}',
            "invalid_utf8": b'{"a":"' + self.chance.choice(INVALID) + b'"}',
            "line_break_inside": b'{"a":1,' + self.end() + b'"b":' + self.end() + b"2}",
            "blank_line": b"",
            "line_of_spaces": b" \t ",
        }
        return made[oddity]

    def next_oddity(self) -> str:
        if not self.turns:
            self.turns += RECORD_ODDITIES
            self.chance.shuffle(self.turns)
        return self.turns.pop()

    def records(self) -> list[bytes]:
        records = []
        for _ in range(self.chance.randint(2, 12)):
            if self.chance.random() < 0.3:
                records.append(self.plain())
                continue
            oddity = self.next_oddity()
            self.oddities.append(oddity)
            record = self.odd(oddity)
            if self.kind == "json" and not record.strip():
                record = self.end() + record + self.plain()
            records.append(record)
        return records

    def delivery(self, oddity: str) -> Delivery:
        chance = self.chance
        self.oddities.append(oddity)
        data = self.lines(oddity) if self.kind == "jsonl" else self.array(oddity)
        if oddity == "empty_file":
            data = b""
        elif oddity == "only_spaces":
            data = b" " + self.end() + b"\t" + self.end()
        elif oddity == "no_json_at_all":
            data = b"id,v" + self.end() + b"1,2" + self.end()
        if oddity == "byte_order_mark" or chance.random() < 0.1:
            data = b"\xef\xbb\xbf" + data
        block = chance.choice([1, 7, 64, 1 << 20])
        return Delivery(data, self.kind, oddity == "packed", self.line_end_name, self.oddities, block)

    def lines(self, oddity: str) -> bytes:
        records = [] if oddity == "no_records" else self.records()
        if oddity == "key_of_no_characters":
            records.append(b'{"":1}')
        data = b"".join(record + self.end() for record in records)
        return data + self.plain() if oddity == "no_final_line_end" else data

    def array(self, oddity: str) -> bytes:
        chance = self.chance
        if oddity == "one_object":
            return self.end() + chance.choice([self.plain(), *self.records()]) + chance.choice([b"", self.end()])
        records = [] if oddity == "no_records" else self.records()
        if oddity == "key_of_no_characters":
            records.append(b'{"":1}')
        if oddity == "comma_at_the_end":
            records.append(b"")
        if oddity == "comma_twice":
            records.insert(chance.randint(0, len(records)), b" ")
        parts = [chance.choice([b"", self.end(), b" "]) + record for record in records]
        data = b"[" + (chance.choice([b"", self.end()]) + b",").join(parts) + chance.choice([b"", self.end()]) + b"]"
        if oddity == "array_not_closed":
            data = data[: chance.randint(1, len(data) - 1)]
        if oddity == "more_behind_the_array":
            data += chance.choice([b"]", b"x", b"[]", b",", self.end() + b"{}"])
        return data if oddity == "no_final_line_end" else data + self.end()


def deliveries(seed: int, count: int) -> list[Delivery]:
    chance = random.Random(seed)
    triples = [(o, k, e) for o in FILE_ODDITIES for k in KINDS for e in LINE_ENDS]
    turns: dict[tuple[str, str], list[str]] = {}
    made = []
    for i in range(count):
        if i % len(triples) == 0:
            chance.shuffle(triples)
        oddity, kind, line_end = triples[i % len(triples)]
        made.append(_Writer(chance, kind, line_end, turns.setdefault((kind, line_end), [])).delivery(oddity))
    return made


def combinations_missing(made: list[Delivery]) -> list[str]:
    """Oddities that did not occur in both formats under every line end."""
    seen = {(oddity, d.kind, d.line_end) for d in made for oddity in d.oddities}
    every = [(o, k, e) for o in RECORD_ODDITIES + FILE_ODDITIES for k in KINDS for e in LINE_ENDS]
    return [" ".join(each) for each in every if each not in seen]
