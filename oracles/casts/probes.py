"""What is asked: texts for every cast, and expressions over one small table."""

from __future__ import annotations

ZONES = ["UTC", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe"]

WHOLE = [
    "0", "1", "-1", "+1", "+-1", "--1", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "-32769",
    "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "99999999999999999999", "007", "-0", "+0", "00", " 12", "12 ",
    "\t12\n", " \x0b12\x0c ", "\u00a012", "\u200712", "12\u00a0", "1 2", "1.5", "-1.5", "1.", ".5", ".", "-.", "1.5.5", "1.a", "1e3",
    "1E3", "1_000", "1,000", "0x10", "0b1", "1L", "1d", "1f", "", " ", "abc", "12abc", "null", "NULL", "true", "NaN",
    "infinity", "\u0661\u0662", "\uff11", "1-", "1+", "+", "-", "- 1", "\x00", "1\x7f", "127.9", "-128.9", "128.1",
    "3000000000.7",
]  # fmt: skip

FLOATING = [
    "1e400", "-1e400", "1e-400", "4.9e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "3.4e38",
    "3.5e38", "1e-46", "1.4e-45", "0.1", "-0.0", "1e5", "1e7", "1e-3", "1e-4", "123456789.123", "0.001", "0.0001",
    "1234567.0", "12345678.9", "1.0E10", "1e+5", "1e+-5", "1e", "e5", "1e5.5", "inf", "-inf", "+inf", "Inf", "INF",
    "Infinity", "-Infinity", "+Infinity", "INFINITY", "nan", "-nan", "+nan", "-NaN", "+NaN", "Nan", " NaN ", " inf ",
    "infinit", "1.5D", "1.5F", "1.5f ", "1.5dd", "1e3d", "d", "0x1p3", "0x1.8p1", "0x.8p0", "-0x1p-2", "0x1p3d",
    "0x1", "0x1.8", "9007199254740993", "0.30000000000000004", "1.1754943508222875e-38", "16777217",
    "33333333333.333333", "1.", ".5", "5.e3", "1__0", "2.2250738585072014e-308",
]  # fmt: skip

DECIMALS = [
    "0", "1", "-1", "12.34", "12.345", "12.355", "-12.345", "12.344999", "0.005", "-0.005", "0.004", "9999999.99",
    "9999999.994", "9999999.995", "99999999.99", "-99999999.995", "1e2", "1E-2", "1.5e1", "1e7", "1e8", "1e-400", "1e400",
    "1e2147483648", "0e99", "0e9999999999", "1e+2", "1e+-2", "1e", "e1", ".5", "5.", ".", "+1.5", "-+1", " 1.5 ", "\t1.5\n",
    "\u00a01.5", "1 .5", "1,5", "1_0", "1.5.5", "1.5d", "0x10", "NaN", "inf", "", " ", "abc", "$5", "5%",
    "12345678901234567890123456789012345678", "123456789012345678901234567890123456789", "0.12345678901234567890123456789012345678",
    "0.123456789012345678901234567890123456785", "0.000000000000000000000000000000000000005",
    "0.999999999999999999999999999999999999995", "99999999999999999999.999999999999999999", "0.0000001", "0.000001", "-0.00000012",
    "00012.30", "-0", "-0.00", "1.0000000000000000000000000000000000000000001", "\x7f1", "1\x00",
]  # fmt: skip

BOOLEANS = [
    "true", "false", "TRUE", "False", "t", "T", "f", "y", "Y", "yes", "n", "no", "NO", "1", "0", "2", "-1", "1.0", "on",
    "off", "", " ", " true ", "\ttrue\n", "tr", "truee", "null", "01", "\u00a0true", "\u0130", "ye\u017f", "YE\u017f",
]  # fmt: skip

DATES = [
    "2020-01-01", "2020-1-1", "2020-01", "2020-1", "2020", "2020-", "2020-01-", "2020-001-01", "2020-01-001", "20-01-01",
    "020-01-01", "0020-01-01", "0000-01-01", "-0001-01-01", "+2020-01-01", "+-2020-01-01", "-2020-01-01", "12020-01-01",
    "123456-01-01", "1234567-01-01", "12345678-01-01", "5881580-07-11", "5881580-07-12", "-5877641-06-23", "-5877641-06-22", "9999999-12-31", "2020-02-29", "2019-02-29", "1900-02-29",
    "2000-02-29", "2020-04-31", "2020-13-01", "2020-00-01", "2020-01-00", "2020-01-32", "2020-01-01 ", " 2020-01-01",
    "\t2020-01-01\n", "2020-01-01T", "2020-01-01 x", "2020-01-01Tx", "2020-01-01x", "2020-01-01t12", "2020-01-01 12:00:00",
    "2020-01-01T25:99", "2020/01/01", "20200101", "01-01-2020", "01/02/2020", "1/2/2020", "2020-Jan-01", "2020-01T", "2020T", "2020-01 ",
    "2020-01 x", "", " ", "epoch", "now", "today", "infinity", "-infinity", "tomorrow", "null", "abc", "2020-01-01Z",
    "2020-01-01+01:00", "\u00a02020-01-01", "２０２０-01-01", "1582-10-10", "1582-10-04", "1582-10-15", "0001-01-01", "9999-12-31", "10000-01-01",
    "2020-01--1", "2020--01-01", "--2020-01-01", "2020-+1-01", "2020-01-1.", "2020-1-1T", "1970-01-01", "1969-12-31",
]  # fmt: skip

TIMESTAMPS = DATES + [
    "2020-01-01 12:34:56", "2020-01-01T12:34:56", "2020-01-01t12:34:56", "2020-01-01  12:34:56", "2020-01-01 1:2:3",
    "2020-01-01 12", "2020-01-01 12:", "2020-01-01 12:34", "2020-01-01 12:34:", "2020-01-01 012:34:56", "2020-01-01 12:034:56",
    "2020-01-01 12:34:056", "2020-01-01 24:00:00", "2020-01-01 24:00", "2020-01-01 23:60:00", "2020-01-01 23:59:60",
    "2020-01-01 23:59:59.999999", "2020-01-01 12:34:56.", "2020-01-01 12:34:56.1", "2020-01-01 12:34:56.12",
    "2020-01-01 12:34:56.123456", "2020-01-01 12:34:56.1234567", "2020-01-01 12:34:56.999999999999", "2020-01-01 12:34:56,5",
    "2020-01-01 12:34:56Z", "2020-01-01 12:34:56z", "2020-01-01 12:34:56 Z", "2020-01-01T12:34:56.5Z", "2020-01-01 12:34Z",
    "2020-01-01 12Z", "2020-01-01Z", "2020-01-01 12:34:56+1", "2020-01-01 12:34:56+01", "2020-01-01 12:34:56+0130",
    "2020-01-01 12:34:56+01:30", "2020-01-01 12:34:56+1:30", "2020-01-01 12:34:56+01:3", "2020-01-01 12:34:56+1:3", "2020-01-01 12:34:56-08:00",
    "2020-01-01 12:34:56 +01:00", "2020-01-01 12:34:56 + 01:00", "2020-01-01 12:34:56+18:00", "2020-01-01 12:34:56+18:01",
    "2020-01-01 12:34:56+19:00", "2020-01-01 12:34:56+01:60", "2020-01-01 12:34:56+01:30:15", "2020-01-01 12:34:56+013015",
    "2020-01-01 12:34:56+013", "2020-01-01 12:34:56UTC", "2020-01-01 12:34:56 UTC", "2020-01-01 12:34:56 utc", "2020-01-01 12:34:56UTC+1",
    "2020-01-01 12:34:56UTC+01:30", "2020-01-01 12:34:56GMT", "2020-01-01 12:34:56GMT-5", "2020-01-01 12:34:56UT", "2020-01-01 12:34:56UT+2",
    "2020-01-01 12:34:56 Europe/Oslo", "2020-07-01 12:34:56Europe/Oslo", "2020-01-01 12:34:56 America/New_York",
    "2020-01-01 12:34:56 europe/oslo", "2020-01-01 12:34:56 Nowhere/Land", "2020-01-01 12:34:56 EST", "2020-07-01 12:34:56 PST",
    "2020-07-01 12:34:56 CST", "2020-07-01 12:34:56 CET", "2020-01-01 12:34:56 EDT", "2020-01-01 12:34:56 AM", "2020-01-01 12:34:56 PM", "2020-01-01 12:34:56junk",
    "2020-01-01 12:34:56.5junk", "2020-01-01 12:34:56.5 Europe/Oslo", "2020-01-01 12:34:56.5+01:00", "12:34:56", "T12:34:56", "12:34", "T12",
    "1:2", "24:00", "2020-01-01 12:34:56\n", " 2020-01-01 12:34:56", "20200101T123456Z", "1577836800", "2020-1-1 1:1:1.1", "2020-01-01 -1:00:00",
    # daylight saving: gaps and overlaps of the zones asked
    "2021-03-28 02:30:00", "2021-10-31 02:30:00", "2021-03-14 02:30:00", "2021-11-07 01:30:00", "2021-10-03 02:15:00", "2021-04-04 01:45:00",
    "2021-03-28 01:59:59.999999", "2021-03-28 03:00:00", "2050-07-01 12:00:00", "2200-07-01 12:00:00", "9999-12-31 23:59:59.999999", "1970-01-01 00:00:00",
    "1969-12-31 23:59:59.5", "294247-01-10 04:00:54.775807", "294247-01-10 04:00:54.775808", "-290308-12-21 19:59:06", "300000-01-01 00:00:00", "0001-01-01 00:00:00",
    "1850-01-01 00:00:00", "1918-06-01 12:00:00", "1942-06-01 12:00:00", "1985-07-01 12:00:00",
]  # fmt: skip

DOUBLES = [
    "0", "-0.0", "1.5", "-1.5", "0.1", "2.5", "127.4", "127.9", "128", "-128.9", "-129", "32767.9", "2147483647.5", "2147483648", "-2147483649",
    "9.223372036854775E18", "9.3E18", "-9.3E18", "1e300", "NaN", "Infinity", "-Infinity", "1e-7", "1e7", "123456.789", "1e20", "12.345", "12.355", "0.005", "9999999.995", "3.4e38", "4e38", "1700000000.5",
]  # fmt: skip

NUMERIC = ["tinyint", "smallint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,18)", "decimal(5,0)"]

CAST_PROBES: list[tuple[str, list[str], list[str | None]]] = [
    ("string", ["tinyint", "smallint", "int", "bigint"], [*WHOLE, None]),
    ("string", ["float", "double"], [*FLOATING, *WHOLE, None]),
    ("string", ["decimal(9,2)", "decimal(18,2)", "decimal(38,0)", "decimal(38,38)", "decimal(38,18)", "decimal(1,0)"], [*DECIMALS, *WHOLE, None]),
    ("string", ["boolean"], [*BOOLEANS, None]),
    ("string", ["date"], [*DATES, *TIMESTAMPS, None]),
    ("string", ["timestamp"], [*TIMESTAMPS, None]),
    ("string", ["binary"], ["", "a", "\u00e6\u00f8\u00e5", None]),
    ("double", [*NUMERIC, "string", "boolean", "timestamp"], [*DOUBLES, None]),
    ("float", [*NUMERIC, "string", "boolean", "timestamp"], [*DOUBLES, "16777217", "0.1", "1.17549435E-38", None]),
    ("bigint", [*NUMERIC, "string", "boolean", "timestamp"], ["0", "1", "-1", "127", "128", "-129", "32768", "99999", "100000", "2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808", "9007199254740993", "1700000000", None]),
    ("int", [*NUMERIC, "string", "boolean", "timestamp"], ["0", "1", "-1", "127", "128", "-129", "99999", "2147483647", "-2147483648", None]),
    ("smallint", [*NUMERIC, "string", "boolean"], ["0", "-129", "32767", None]),
    ("tinyint", [*NUMERIC, "string", "boolean"], ["0", "-128", "127", None]),
    ("boolean", [*NUMERIC, "string"], ["true", "false", None]),
    ("decimal(20,3)", [*NUMERIC, "decimal(20,3)", "decimal(3,3)", "string", "boolean", "timestamp"], ["0", "0.001", "-0.001", "1.5", "127.999", "128", "-128.999", "2147483648.5", "99999999999999999.999", "-99999999999999999.999", "12.345", "12.355", "12.344", "9999999.995", "1700000000.123", None]),
    ("decimal(38,18)", ["string", "double", "float", "bigint", "decimal(10,2)", "timestamp"], ["0", "0.000000000000000001", "0.0000001", "0.000001", "-0.00000012", "12345678901234567890.123456789012345678", "1.5", "0.1", None]),
    ("decimal(10,0)", ["string", "int", "double"], ["0", "100", "-7", None]),
    ("date", ["string", "timestamp"], ["2020-01-01", "0001-01-01", "-0044-03-15", "12020-01-01", "9999-12-31", "1969-12-31", "2021-03-28", "1582-10-10", None]),
    ("timestamp", ["string", "date", "bigint", "int", "tinyint", "double", "float", "decimal(38,6)", "decimal(10,2)"], ["2020-01-01 00:00:00", "2020-01-01 12:34:56.5", "1969-12-31 23:59:59.999999", "1900-01-01 00:00:00", "2021-03-28 00:59:59.999999", "2021-03-28 01:00:00", "2021-10-31 00:30:00", "2021-10-31 01:30:00", "9999-12-31 23:59:59.999999", "12020-01-01 00:00:00", "-0044-03-15 00:00:00", "2020-01-01 00:00:00.000100", None]),
]  # fmt: skip

TABLE: list[tuple[str, str, list[str | None]]] = [
    ("s", "string", ["apple", " Orange ", "", None, "a,b,,c,", "Straße ÆØÅ", "x=1;y=22;z=333", "100%", "a_b", "2020-02-30", "日本語テキスト", "12.5"]),
    ("u", "string", ["p", "g", "", "z", ",", "ß", "[a-z]", "%", "\\", "2020-02-29", "本", None]),
    ("n", "int", ["1", "-7", "0", None, "2147483647", "-2147483648", "42", "100", "3", "15", "25", "-1"]),
    ("l", "bigint", ["1", "9223372036854775807", "0", None, "-9223372036854775808", "5", "-42", "100", "7", "1000000000000", "3", "2"]),
    ("i8", "tinyint", ["1", "-128", "0", None, "127", "5", "-42", "100", "7", "3", "3", "2"]),
    ("i16", "smallint", ["1", "-32768", "0", None, "32767", "5", "-42", "100", "7", "3", "3", "2"]),
    ("d", "double", ["1.5", "-2.5", "0.0", None, "NaN", "Infinity", "2.675", "1e20", "-0.0", "123456.789", "0.125", "1e-10"]),
    ("f", "float", ["1.5", "-2.5", "0.0", None, "NaN", "3.4e38", "2.675", "0.1", "-0.0", "16777216", "0.125", "1e-10"]),
    ("m", "decimal(10,2)", ["1.50", "-2.55", "0.00", None, "99999999.99", "0.01", "12.34", "100.00", "-0.05", "2.45", "7.00", "3.33"]),
    ("w", "decimal(38,18)", ["1.5", "-2.55", "0", None, "12345678901234567890.123456789012345678", "0.000000000000000001", "3.333333333333333333", "100", "-99999999999999999999.999999999999999999", "2", "7", "0.1"]),
    ("b", "boolean", ["true", "false", None, "true", "false", None, "true", "true", "false", "false", "true", None]),
    ("dt", "date", ["2020-01-01", "2020-02-29", "1969-12-31", None, "2021-03-28", "9999-12-31", "0001-01-01", "2019-12-30", "2016-01-03", "2024-12-31", "2021-06-15", "1582-10-10"]),
    ("e", "date", ["2020-01-31", "2019-02-28", "1970-01-01", "2020-01-01", None, "2000-01-01", "2020-01-01", "2020-12-31", "2016-01-04", "2024-12-31", "2021-06-14", "2020-05-05"]),
    ("ts", "timestamp", ["2020-01-01 00:00:00", "2020-02-29 12:34:56.789", "1969-12-31 23:59:59.999999", None, "2021-03-28 00:59:59", "2021-03-28 01:00:00", "2021-10-31 00:30:00", "2021-10-31 01:30:00", "2021-11-07 05:59:59", "2021-04-03 15:15:15.151515", "2100-07-15 06:07:08", "1950-06-01 00:00:00"]),
    ("p", "string", ["1/2/2020", "01/02/2020", "31/12/1999", None, "29/2/2021", "1/13/2020", "2020-01-02", "15/6/21", "1/2/20200", " 1/2/2020", "001/2/2020", "1/2/2020 "]),
    ("q", "string", ["2020-01-02 03:04:05", "2020-01-02 13:04:05.123", "2020-01-02T03:04:05Z", None, "02.01.2020 03:04", "20200102030405", "Jan 5, 2020 3:04 PM", "2020-01-02 12:04 am", "1:2", "2021-03-28 02:30:00", "", "20200102"]),
]  # fmt: skip

_COMPARED = ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>"]

_PLAIN = [
    # arithmetic
    *[f"n {o} {r}" for o in "+-*/%" for r in ("1", "n", "0", "l", "2.5", "d", "i8", "2L", "'3'", "null")],
    *[f"i8 {o} i8" for o in "+-*/%"], *[f"i16 {o} i16" for o in "+-*/%"], *[f"i8 {o} i16" for o in "+-*"],
    *[f"l {o} l" for o in "+-*/%"], *[f"l {o} 3" for o in "+-*/%"], *[f"f {o} f" for o in "+-*/%"], *[f"f {o} n" for o in "+-*/%"],
    *[f"d {o} d" for o in "+-*/%"], *[f"d {o} 0" for o in "/%"], *[f"m {o} {r}" for o in "+-*/%" for r in ("m", "w", "2", "n", "l", "0.1", "d", "f", "s", "0", "i8")],
    *[f"w {o} w" for o in "+-*/%"], *[f"w {o} n" for o in "+-*/%"], *[f"2 {o} m" for o in "+-*/%"], *[f"w {o} 3" for o in "+-*/%"], "w * 1e0", "s + 1", "s * s", "-s", "-n", "-l", "-i8", "-d", "-m", "+n", "- 1", "-(1)",
    "n div 2", "n div 0", "l div -1", "n div n", "i8 div 3", "-n % 3", "n % -3", "m % 0.3", "1 + 2 * 3 - 4 / 2", "(1 + 2) * 3", "1.0 / 3", "2 / 3", "1.5 + 1", "1e3 + 1", "5 % 2.5", "0.1 + 0.2", "1D / 3", "1S + 1Y", "2147483647 + 1", "2147483648 + 1", "9223372036854775807 + 1", "1.5BD * 2", "0.00 + 1", "00.10 + 1", "1. + 1", ".5 + 1", "1e-3 * 2", "1F / 3", "-2147483648", "- 2147483648", "-9223372036854775808", "12345678901234567890 + 1",
    "dt + 1", "dt - 1", "1 + dt", "dt + i8",
    # comparison
    *[f"n {o} 1" for o in _COMPARED], *[f"s {o} u" for o in _COMPARED], *[f"d {o} d" for o in _COMPARED], *[f"b {o} true" for o in _COMPARED], *[f"n {o} null" for o in _COMPARED], *[f"dt {o} e" for o in _COMPARED],
    "d = 0", "d = -0.0", "d > 1", "f = d", "n = '1'", "n = '1.5'", "n = 'x'", "l = n", "n < 2.5", "m = 1.5", "m > n", "m = w", "m = d", "m = '1.50'", "m >= 0", "w > l", "dt = '2020-01-01'", "dt = '2020-1-1'", "dt > 'x'", "dt < ts", "ts = '2020-01-01'", "ts >= '2020-01-01 00:00:00'", "ts = dt", "b = 1", "b = 0", "b = 2", "b <=> null", "b = 'true'", "b = 'x'", "1 = b", "b <> 1", "n = 1.0", "n <=> 1.0", "'a' < 'b'", "'a' = 'A'", "i8 = 128", "f = 0.1", "d = '1.5'", "s = 12.5", "12.5 = s", "n = 2147483648", "null = null", "null <=> null", "l > 9223372036854775807", "l < 9223372036854775808", "s < 5", "X'61' = X'61'", "X'61' < X'62'",
    # logic
    "b and n > 0", "b or n > 0", "not b", "! b", "b and null", "b or null", "not null", "null and false", "null or true", "b and not b", "not n = 1", "not n > 1 and b", "b or b and false", "b is null", "b is not null", "not b is null", "(n = 1) is null", "s is null", "null is null",
    # in, between
    "n in (1, 42)", "n in (1, null)", "n not in (1, 42)", "n not in (1, null)", "s in ('apple', 'a_b')", "n in ('1', '42')", "n in (1.0, 42)", "m in (1.5, 100)", "dt in ('2020-01-01')", "dt in (date'2020-01-01', e)", "dt in ('2020-1-1')", "b in (true)", "d in (1.5)", "d in (d)", "n in (n, null)", "null in (1, 2)", "s in (1, 12.5)", "s in (12.5)", "ts in (dt, ts)", "i8 in (1, 128)", "l in (n, 3)", "d in ('1.5', 'NaN')",
    "n between 0 and 50", "n not between 0 and 50", "s between 'a' and 'b'", "dt between '2020-01-01' and '2020-12-31'", "m between 0 and 2.5", "n between null and 5", "n between 5 and null", "n between 1 and 1 and b", "d between 0 and 'x'", "n + 1 between 2 and 3 + 4",
    # like, rlike
    "s like '%a%'", "s like 'a%'", "s like '_pple'", "s like ''", "s like '%'", "s not like '%a%'", "s like '100\\%'", "s like '100!%' escape '!'", "s like 'a\\_b'", "s like 'a_b'", "s like '%本%'", "s like '__本%'", "n like '1%'", "s like 'APPLE'", "s like '%\\\\%'", "s like null",
    "s rlike 'a'", "s rlike '^a.*e$'", "s regexp '[0-9]+'", "s not rlike 'a'", "s rlike '\\\\d{2}'", "s rlike ''", "s rlike '(?i)APPLE'", "s rlike '\\\\s'", "s rlike '^\\\\S+$'", "s rlike r'\\d\\.\\d'", "s rlike '\\\\p{L}'", "s rlike '\\\\w+'", "s rlike 'a|b'", "s rlike '.{7}'", "n rlike '^-'", "s rlike '[^a-z]'", "s rlike '\\u00e6|Æ'", "s rlike '\\\\bOrange\\\\b'", "'a\\n' rlike '^a$'", "'a\\nb' rlike 'a.b'", "'a\\rb' rlike 'a.b'", "'a\\nb' rlike '(?s)a.b'", "'a\\n' rlike 'a\\\\z'", "s rlike '\\\\Qa,b\\\\E'",
    # case, coalesce, nullif
    "case when n > 0 then 'p' when n < 0 then 'm' else 'z' end", "case n when 1 then 'one' when 42 then 'more' end", "case when b then 1 else 2.5 end", "case when b then n end", "case when b then n else s end", "case b when true then dt else ts end", "case when null then 1 else 2 end", "case when n = 1 then null else d end", "case s when 'apple' then 1 when 12.5 then 2 end", "case n when null then 1 else 0 end", "case when b then i8 when n > 3 then l else m end", "case when b then m else w end", "case when n > 0 then case when b then 'x' end else 'y' end",
    "coalesce(n, 0)", "coalesce(s, n)", "coalesce(null, n)", "coalesce(n, d)", "coalesce(m, 1)", "coalesce(dt, ts)", "coalesce(s, 'x', null)", "coalesce(i8, 1000)", "coalesce(m, w)", "coalesce(m, 1.2345)", "coalesce(null, null)", "coalesce(n, l, m)", "coalesce(f, l)", "coalesce(dt, s)",
    "nullif(s, '')", "nullif(n, 1)", "nullif(n, '1')", "nullif(m, 1.5)", "nullif(trim(s), '')", "nullif(null, 1)", "nullif(n, null)", "nullif(d, 'NaN')", "nullif(dt, '2020-01-01')",
    # cast
    "cast(s as int)", "try_cast(s as int)", "cast(n as tinyint)", "try_cast(n as tinyint)", "cast(m as int)", "cast(d as int)", "cast(d as decimal(10,2))", "try_cast(s as decimal(10,2))", "cast(s as date)", "cast(u as date)", "cast(dt as string)", "cast(m as string)", "cast(w as string)", "cast(d as string)", "cast(f as string)", "cast(b as string)", "cast(b as int)", "cast(n as boolean)", "cast(s as boolean)", "cast(null as int)", "cast('2020-01-01' as date)", "cast(s as double)", "cast(cast(s as binary) as string)", "cast(w as decimal(10,2))", "try_cast(w as decimal(10,2))", "cast(n as decimal(9,0))", "cast(n as decimal(12,2))", "cast(l as decimal(38,18))", "cast(l as double)", "cast(d as bigint)", "try_cast(d as bigint)", "cast(m as boolean)", "cast(f as double)", "cast(d as float)", "try_cast(d as float)", "cast(d as smallint)", "cast(s as binary)", "cast(n as dec)", "cast(n as long)", "cast(n as short)", "cast(d as real)", "cast(m as numeric(5))",
    # texts
    "concat(s, u)", "concat(s, n)", "concat(s, null)", "concat()", "concat(s)", "s || u", "s || n || m", "concat(dt, 'x')", "concat(d, b)", "concat_ws('-', s, u, n)", "concat_ws(null, s, u)", "concat_ws('-')", "concat_ws(u, s, 'x')", "concat_ws(',', null, null)", "concat_ws('', s)",
    "trim(s)", "ltrim(s)", "rtrim(s)", "trim('\\t a \\n')", "trim(both 'a' from s)", "trim(leading 'a' from s)", "trim(trailing 'e' from s)", "trim('ae' from s)", "trim(both from s)", "trim(leading from s)", "trim('ab', s)", "ltrim('ap', s)", "rtrim('el', s)", "trim(u from s)", "trim('\\u00a0x\\u00a0')", "trim(n)", "trim('' from s)", "trim(null from s)", "rtrim('キスト', s)",
    "upper(s)", "lower(s)", "upper(u)", "lower('ÆØÅ Σίσυφος ΣΑΣ')", "upper('ŉ ǆ ﬁ ß i')", "lower('İI')", "upper(n)", "upper(trim(s))", "upper('ÿ µ ı')", "lower('K Å Ω')",
    "length(s)", "length(u)", "length('😀a')", "length(n)", "length(m)", "length('')", "length(cast(s as binary))", "length(null)", "length(dt)", "length(' a ')",
    *[f"substring(s, {a})" for a in ("1", "0", "2", "-3", "100", "-100", "n", "null")], *[f"substring(s, {a})" for a in ("1, 2", "0, 2", "2, 3", "-3, 2", "-100, 98", "-20, 18", "2, 0", "2, -1", "2, 2147483647", "-1, 2147483647", "n, n", "1, null", "'2', '3'", "2147483647, 2147483647", "-2147483648, 2147483647", "1.9, 2.9")],
    "substr(s, 2, 3)", "substring(s from 2)", "substring(s from 2 for 3)", "substring(n, 2)", "substring('日本語', 2, 1)",
    "replace(s, 'a', 'b')", "replace(s, 'a')", "replace(s, '', 'x')", "replace(s, ',', '')", "replace(s, u, 'x')", "replace(s, 'a', null)", "replace(s, 'pp', 'ppp')", "replace('aaa', 'aa', 'b')", "replace(n, 1, 2)",
    "split(s, ',')[0]", "split(s, ',')[1]", "split(s, ',')[4]", "split(s, ',')[5]", "split(s, ',')[-1]", "split(s, ',', 2)[1]", "split(s, ',', 0)[4]", "split(s, '')[0]", "split(s, '')[1]", "split(s, '[,;=]')[2]", "split(s, 'x*')[1]", "split(s, '(,)')[1]", "split(s, ',')[n]", "split(s, '\\\\s+')[1]", "split('abc', '')[3]", "split('abc', '')[2]", "split('', ',')[0]", "split('', '')[0]", "split(s, '|')[0]", "split('a1b2c', '[0-9]', 2)[1]", "split('abc', 'b*')[0]", "split('abc', 'b*')[1]", "split('abc', 'b*')[2]", "split('aXbXc', '(?i)x')[2]", "split(s, '%')[0]", "split(s, '%')[1]", "split('ab', 'a')[0]", "split('ab', 'b')[1]", "split('ab', '', 1)[0]", "split('abc', '', 2)[1]",
    "regexp_extract(s, '([a-z])=([0-9]+)', 1)", "regexp_extract(s, '([a-z])=([0-9]+)', 2)", "regexp_extract(s, '([a-z])=([0-9]+)', 0)", "regexp_extract(s, '([a-z])=([0-9]+)')", "regexp_extract(s, 'q(x)?', 1)", "regexp_extract(s, '(x)?=', 1)", "regexp_extract(s, '(a)|(b)', 2)", "regexp_extract(s, '^(.*)$', 1)", "regexp_extract(s, '(\\\\d+)\\\\.', 1)", "regexp_extract(s, '(a*)', 1)", "regexp_extract(s, '', 0)", "regexp_extract('a\\nb', '(.*)', 1)", "regexp_extract(s, '(?<key>[a-z])=', 1)",
    "regexp_replace(s, '[a-z]', '*')", "regexp_replace(s, '([a-z])=([0-9]+)', '$2=$1')", "regexp_replace(s, 'a*', 'X')", "regexp_replace(s, '', '-')", "regexp_replace(s, '[,]', '')", "regexp_replace(s, ' ', '\\\\$')", "regexp_replace(s, '(.)', '$1$1')", "regexp_replace(s, '^', '>')", "regexp_replace(s, '$', '<')", "regexp_replace(s, 'a', 'b', 2)", "regexp_replace(s, '^.', 'X', 3)", "regexp_replace(s, 'a', 'b', 100)", "regexp_replace(s, '(p)', '$12')", "regexp_replace(s, '\\\\s+', ' ')", "regexp_replace('aab', 'a*', 'X')", "regexp_replace('日本', '', '-')", "regexp_replace(s, 'a', '\\\\\\\\')", "regexp_replace(s, '[^0-9.]', '')", "regexp_replace('aaa', 'a', 'b', 2)", "regexp_replace('abc', '$', 'x', 3)",
    # numbers
    "abs(n)", "abs(l)", "abs(i8)", "abs(d)", "abs(m)", "abs(s)", "abs(f)", "abs(i16)", "abs(w)", "abs(-1.5)",
    *[f"round({a})" for a in ("d", "m", "n", "f", "s", "w", "l", "i8", "2.5", "-2.5", "3.5", "0.5", "-0.5D")], *[f"round({a}, {k})" for a in ("d", "m", "n", "f", "w", "l", "i8", "i16") for k in (1, 2, -1, -2, 5, 10, -10, 20, -20)], "round(2.675D, 2)", "round(1.005D, 2)", "round(0.285D, 2)", "round(1e300, 2)", "round(1e-300, 2)", "round(123.456, -2)", "round(99.99, 1)", "round(55, -1)", "round(45L, -1)", "round(123.45, 2)", "round('12.345', 2)", "round(9999999999999999D, 0)", "round(null, 2)", "round(1.5F, 0)",
    *[f"{fn}({a})" for fn in ("floor", "ceil", "ceiling") for a in ("d", "m", "n", "f", "w", "l", "s", "i8", "-0.5", "2.0", "1e30", "-1.5D")], "floor(null)",
    # dates
    *[f"{fn}({a})" for fn in ("year", "month", "day", "dayofmonth", "dayofweek", "dayofyear", "quarter", "weekofyear") for a in ("dt", "s", "u", "'2020-12-31'")],
    "date_add(dt, 1)", "date_add(dt, n)", "date_add(dt, -31)", "date_add('2020-02-28', 2)", "date_add(dt, i8)", "date_add(dt, '5')", "date_add(u, 1)", "date_add(dt, null)", "dateadd(dt, 7)", "date_sub(dt, 1)", "date_sub(dt, i8)", "date_sub(dt, -31)", "date_add(dt, 366)",
    "datediff(dt, e)", "datediff(e, dt)", "datediff('2020-03-01', '2020-02-01')", "datediff(dt, '2020-01-01')", "date_diff(dt, e)", "datediff(u, dt)", "datediff(dt, null)",
    "to_date(s)", "to_date(u)", "to_date(dt)", "to_date(null)", "to_date('2020-01-01 12:00:00')",
    *[f"to_date(p, '{f}')" for f in ("d/M/yyyy", "dd/MM/yyyy", "d/M/y", "M/d/yyyy", "d/M/yy", "yyyy-MM-dd", "d/M/yyy", " d/M/yyyy", "d/M/yyyy ", "dd/M/yyyyy")],
    *[f"to_date(q, '{f}')" for f in ("yyyyMMdd", "yyyy", "yyyy-MM-dd HH:mm:ss", "MMM d, yyyy h:mm a", "yyyy-MM")], "to_date('202001', 'yyyyMM')", "to_date('2020', 'yyyy')", "to_date('Feb', 'MMM')", "to_date('february 2020', 'MMMM yyyy')", "to_date('FEB 2020', 'MMM yyyy')", "to_date('0229', 'MMdd')", "to_date('31', 'dd')", "to_date('2020-01-01', '')", "to_date('x2020', '\\'x\\'yyyy')", "to_date('12020-01-01', 'yyyy-MM-dd')", "to_date('+12020-01-01', 'yyyy-MM-dd')", "to_date('-2020-01-01', 'yyyy-MM-dd')", "to_date('20201301', 'yyyyMMdd')", "to_date('2020 1', 'yyyy M')", "to_date('1.2.2020', 'd.M.y')", "to_date('2020-W', 'yyyy-\\'W\\'')", "to_date('2020-01-01', 'yyyy-MM-dd ')", "to_date(dt, 'yyyy')", "to_date('1/1/20', 'd/M/yy')", "to_date('1/1/99', 'd/M/yy')", "to_date('1/1/2020', 'd/M/yy')",
    "to_timestamp('2020-01-01 03:04', 'yyyy-MM-dd hh:mm')", "to_timestamp('2020-01-01 12:04', 'yyyy-MM-dd hh:mm')", "to_timestamp('2020-01-01 13:04', 'yyyy-MM-dd hh:mm')", "to_timestamp('2020-01-01 00:04 PM', 'yyyy-MM-dd hh:mm a')", "to_timestamp('2020-01-01 PM', 'yyyy-MM-dd a')", "to_timestamp('13 PM', 'HH a')", "to_timestamp('13 AM', 'HH a')", "to_timestamp('1 pm', 'h a')", "to_timestamp('12 am', 'h a')", "to_timestamp('24:00', 'HH:mm')", "to_timestamp('23:60', 'HH:mm')", "to_timestamp('2020-01-01 00:00:00.1', 'yyyy-MM-dd HH:mm:ss.SSS')", "to_timestamp('2020-01-01 00:00:00.1234', 'yyyy-MM-dd HH:mm:ss.SSS')", "to_timestamp('2020-01-01 00:00:00.123456789', 'yyyy-MM-dd HH:mm:ss.SSSSSSSSS')", "to_timestamp('2020-01-01 00:00:00.', 'yyyy-MM-dd HH:mm:ss.SSS')", "to_timestamp('20200101000000123', 'yyyyMMddHHmmssSSS')", "to_timestamp('5', 'd')", "to_timestamp('1 1', 'M M')", "to_timestamp('1 2', 'M M')", "to_timestamp('2020-01-01T10:00:00', 'yyyy-MM-dd\\'T\\'HH:mm:ss')", "to_timestamp('it\\'s 2020', '\\'it\\'\\'s\\' yyyy')", "to_timestamp('10:5', 'H:m')", "to_timestamp('100500', 'Hms')", "to_timestamp('10', 's')", "to_timestamp('2020-02-29 10', 'yyyy-MM-dd H')",
    "second('2020-01-01 01:02:03.9')", "minute('01:02')", "hour(null)", "date'2020-01-01'", "date '2020-1-1'", "X'ff00'", "'it\\'s'", "'a\\tb\\\\c'", "\"double\"", "r'a\\tb'", "'\\u00e6\\101\\%'", "`n` + `N`", "N", "'\\z\\''", "true", "null", "1.50", "1e3", "1.5e-3", "5Y", "6S", "7L", "1.25F", "1.25D", "3BD", "-5", "'😀'",
]  # fmt: skip

_TIMED = [
    "cast(ts as string)", "cast(ts as date)", "cast(dt as timestamp)", "cast(q as timestamp)", "try_cast(q as timestamp)", "cast(ts as bigint)", "cast(ts as double)", "hour(ts)", "minute(ts)", "second(ts)", "hour(dt)", "hour(q)", "year(ts)", "month(ts)", "day(ts)", "dayofweek(ts)", "weekofyear(ts)", "dayofyear(ts)", "quarter(ts)", "date_add(ts, 1)", "datediff(ts, dt)", "to_date(ts)", "to_timestamp(q)", "to_timestamp(ts)", "to_timestamp(dt)", "to_timestamp(s)",
    *[f"date_trunc('{u}', ts)" for u in ("year", "YYYY", "yy", "quarter", "month", "MON", "mm", "week", "day", "dd", "hour", "minute", "second", "millisecond", "microsecond")], "date_trunc('month', dt)", "date_trunc('hour', q)",
    *[f"to_timestamp(q, '{f}')" for f in ("yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "dd.MM.yyyy HH:mm", "yyyyMMddHHmmss", "MMM d, yyyy h:mm a", "yyyy-MM-dd hh:mm a", "H:m", "yyyyMMdd", "yyyy-MM-dd\\'T\\'HH:mm:ss\\'Z\\'")], "timestamp'2020-01-01 10:00:00'", "timestamp '2020-07-01'", "timestamp'2020-01-01 10:00:00+05:00'", "ts < dt", "ts = timestamp'2020-01-01 00:00:00'", "ts between '2021-01-01' and '2021-12-31'", "ts in ('2020-01-01 00:00:00')", "concat(ts, '')", "coalesce(ts, dt)", "coalesce(ts, s)", "case when b then ts else dt end", "date_trunc('hour', timestamp'2021-10-31 02:30:00')", "cast('2021-03-28 02:30:00' as timestamp)", "length(ts)", "cast(ts as decimal(20,6))", "cast(n as timestamp)", "cast(m as timestamp)",
]  # fmt: skip

EXPRESSIONS: list[tuple[str, str]] = [(text, "UTC") for text in _PLAIN] + [(text, zone) for zone in ZONES for text in _TIMED]
