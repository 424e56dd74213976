"""Makes conditions for the table, of every form that may stand there, and rows at the edges of every type."""

from __future__ import annotations

import random
from dataclasses import dataclass

# Column -> its type, the values of its rows as a file sends them (None is null), and literals beside it.
COLUMNS: dict[str, tuple[str, list[str | None], list[str]]] = {
    "s": (
        "string",
        [
            None,
            "",
            "apple",
            " Orange ",
            "Straße",
            "ÆØÅ",
            "100%",
            "a_b",
            "2020-02-30",
            "日本語",
            "AUD",
            "aud",
            "\tx",
            "z",
        ],
        ["'apple'", "'AUD'", "' Orange '", "'ÆØÅ'", "'a_b'", "'日本語'", "''", "'ab'", "'2020-02-29'"],
    ),
    "order": (
        "string",
        [None, "", "A-1", "A-2", "B%", "zz", "Å", "a"],
        ["'A-1'", "'Å'", "'b'"],
    ),
    "n": ("int", [None, "0", "1", "-1", "2147483647", "-2147483648", "42"], ["0", "1", "-1", "2147483647", "42"]),
    "l": ("bigint", [None, "0", "7", "-9223372036854775808", "9223372036854775807"], ["0", "7", "3000000000"]),
    "i16": ("smallint", [None, "-32768", "32767", "0", "5"], ["0", "5", "40000"]),
    "i8": ("tinyint", [None, "-128", "127", "0", "5"], ["0", "5", "300"]),
    "d": (
        "double",
        [None, "0.0", "-0.0", "NaN", "Infinity", "-Infinity", "1.5", "-2.5", "1e20", "0.1", "123456.789"],
        ["0", "1.5", "0.1", "1e20"],
    ),
    "m": (
        "decimal(10,2)",
        [None, "0.00", "-2.55", "99999999.99", "0.01", "-0.01", "100"],
        ["0", "0.01", "-2.55", "100", "99999999.99", "100.001"],
    ),
    "w": (
        "decimal(20,6)",
        [None, "0", "12345678901234.123456", "-0.000001", "3.333333"],
        ["0", "3.333333", "12345678901234.123456"],
    ),
    "b": ("boolean", [None, "true", "false"], ["true", "false"]),
    "dt": (
        "date",
        [None, "2020-02-29", "1969-12-31", "0001-01-01", "9999-12-31", "2021-03-28"],
        ["'2020-02-29'", "date '2021-03-28'", "cast('1970-01-01' as date)"],
    ),
    "ts": (
        "timestamp",
        [None, "2020-02-29 12:34:56.789", "1969-12-31 23:59:59.999999", "2021-03-28 01:00:00"],
        [],
    ),
}
NUMBERS = ["n", "l", "i16", "i8", "d", "m", "w"]
TEXTS = ["s", "order"]
ROWS = 60


def quoted(name: str) -> str:
    return f"`{name}`" if name == "order" else name


@dataclass
class Maker:
    chance: random.Random

    def of(self, name: str) -> str:
        """Something of the column's own kind: itself, a literal beside it, or a form of both."""
        literals = COLUMNS[name][2]
        if not literals or self.chance.random() < 0.5:
            return quoted(name)
        return self.chance.choice(literals)

    def number(self, depth: int = 0) -> str:
        name = self.chance.choice(NUMBERS)
        forms = [
            lambda: self.of(name),
            lambda: f"cast({quoted(self.chance.choice(['n', 'i16', 'i8', 'm']))} as decimal(14,3))",
            lambda: f"length({self.text()})",
            lambda: f"coalesce({quoted(name)}, {self.of(name)})",
            lambda: f"-{quoted('m')}",
        ]
        if depth == 0:
            sign = self.chance.choice("+-*")
            forms.append(lambda: f"(cast(n as decimal(10,0)) {sign} {self.number(1)})")
            forms.append(lambda: f"(m {sign} {self.chance.choice(['m', '1.5', 'i8'])})")
            forms.append(lambda: f"(d {sign} {self.chance.choice(['d', '1.5e0', '2'])})")
            forms.append(lambda: f"(d / {self.chance.choice(['2', '0.5', '-4'])})")
            forms.append(lambda: f"(n % {self.chance.choice(['2', '7', '-3'])})")
            forms.append(lambda: f"case when {self.condition(2)} then {self.number(1)} else {self.number(1)} end")
        return self.chance.choice(forms)()

    def text(self, depth: int = 0) -> str:
        name = quoted(self.chance.choice(TEXTS))
        forms = [
            lambda: name,
            lambda: f"{self.chance.choice(['trim', 'upper', 'lower'])}({name})",
            lambda: f"substring({name}, {self.chance.randint(1, 4)})",
            lambda: f"substring({name}, {self.chance.randint(1, 4)}, {self.chance.randint(0, 3)})",
            lambda: f"coalesce({name}, 'none')",
        ]
        if depth == 0:
            forms.append(lambda: f"upper(trim({self.text(1)}))")
            forms.append(lambda: f"case when {self.condition(2)} then {self.text(1)} else 'other' end")
        return self.chance.choice(forms)()

    def date(self) -> str:
        return self.chance.choice(["dt", "coalesce(dt, date '2021-03-28')", "cast(dt as date)", "cast(s as date)"])

    def pattern(self) -> str:
        pieces = ["%", "_", "a", "A", "Å", "100", "pp", "-", "\\\\%", "e"]
        return "".join(self.chance.choice(pieces) for _ in range(self.chance.randint(1, 4)))

    def simple(self) -> str:
        sign = self.chance.choice(["=", "<>", "<", "<=", ">", ">=", "!="])
        no = self.chance.choice(["", "", "not "])
        date = self.chance.choice(COLUMNS["dt"][2])
        plain = self.chance.choice([name for name, (_, _, literals) in COLUMNS.items() if literals])
        forms = [
            lambda: f"{quoted(plain)} {sign} {self.chance.choice(COLUMNS[plain][2])}",
            lambda: f"{quoted(plain)} {sign} {self.chance.choice(COLUMNS[plain][2])}",
            lambda: f"{self.number()} {sign} {self.number()}",
            lambda: f"{self.text()} {sign} {self.chance.choice(COLUMNS['s'][2])}",
            lambda: f"{self.date()} {sign} {date}",
            lambda: f"ts {sign} coalesce(ts, ts)",
            lambda: f"{self.text()} {no}like '{self.pattern()}'",
            lambda: f"{self.text()} {no}in ({', '.join(self.chance.sample(COLUMNS['s'][2], 3))})",
            lambda: f"{self.number()} {no}in (0, 5, 42, {self.chance.choice(['1.5', 'null', '-2.55'])})",
            lambda: f"{self.number()} {no}between {self.number(1)} and {self.number(1)}",
            lambda: f"{self.date()} {no}between '2000-01-01' and {date}",
            lambda: f"{quoted(self.chance.choice(list(COLUMNS)))} is {no}null",
            lambda: f"b {self.chance.choice(['=', '<>'])} {self.chance.choice(['true', 'false', 'b'])}",
            lambda: "b",
            lambda: f"case {self.text()} when 'apple' then {self.number(1)} else 0 end {sign} 1",
        ]
        return self.chance.choice(forms)()

    def condition(self, depth: int = 0) -> str:
        roll = self.chance.random()
        if depth >= 2 or roll < 0.5:
            return self.simple()
        if roll < 0.6:
            return f"not ({self.condition(depth + 1)})"
        word = self.chance.choice(["and", "or"])
        left, right = self.condition(depth + 1), self.condition(depth + 1)
        return self.chance.choice([f"({left}) {word} ({right})", f"{left} {word} {right}"])


def conditions(seed: int, count: int) -> dict[str, str]:
    maker = Maker(random.Random(seed))
    return {f"rule_{number}": maker.condition() for number in range(count)}


def rows(seed: int) -> list[list[str | None]]:
    """The first rows walk through every value of every column; the rest are drawn."""
    chance = random.Random(seed)
    most = max(len(values) for _, values, _ in COLUMNS.values())
    walked = [[values[row % len(values)] for _, values, _ in COLUMNS.values()] for row in range(most)]
    drawn = [[chance.choice(values) for _, values, _ in COLUMNS.values()] for _ in range(ROWS - most)]
    return [[f"{number}", *cells] for number, cells in enumerate(walked + drawn)]
