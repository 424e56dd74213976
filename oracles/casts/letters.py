"""Writes the tables of src/base/src/letter_tables.h from what Spark's upper and lower give.

Run once per Java version that Spark is taken with: letters.py > src/base/src/letter_tables.h
"""

from __future__ import annotations

from pyspark.sql import SparkSession

FIRST, BEYOND = 0x80, 0x1F000  # ASCII is done in code; no letter beyond has a case


def runs(single: dict[int, int]) -> list[tuple[int, int, int, int]]:
    """(first, last, stride, distance) of neighbours that move by the same distance."""
    codes = sorted(single)
    found = []
    at = 0
    while at < len(codes):
        best_end, best_stride = at, 1
        for stride in (1, 2):
            end = at
            while (
                end + 1 < len(codes)
                and codes[end + 1] - codes[end] == stride
                and single[codes[end + 1]] == single[codes[at]]
            ):
                end += 1
            if end > best_end:
                best_end, best_stride = end, stride
        found.append((codes[at], codes[best_end], best_stride, single[codes[at]]))
        at = best_end + 1
    return found


def print_table(name: str, mapped: dict[int, str]) -> None:
    single = {code: ord(text) - code for code, text in mapped.items() if len(text) == 1}
    rows = runs(single)
    print(f"\ninline constexpr std::array<LetterRun, {len(rows)}> k{name} = {{{{")
    for first, last, stride, distance in rows:
        print(f"    {{0x{first:04X}, 0x{last:04X}, {stride}, {distance}}},")
    print("}};")
    longer = sorted((code, text) for code, text in mapped.items() if len(text) > 1)
    print(f"inline constexpr std::array<LetterText, {len(longer)}> k{name}Texts = {{{{")
    for code, text in longer:
        escaped = "".join(f"\\x{byte:02X}" for byte in text.encode())
        print(f'    {{0x{code:04X}, "{escaped}"}},')
    print("}};")


def main() -> None:
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    codes = [code for code in range(FIRST, BEYOND) if not 0xD800 <= code <= 0xDFFF]
    spark.createDataFrame([(code, chr(code)) for code in codes], "c int, s string").createOrReplaceTempView("t")
    upper, lower = {}, {}
    for row in spark.sql("select c, s, upper(s) as u, lower(s) as l from t").collect():
        if row.u != row.s:
            upper[row.c] = row.u
        if row.l != row.s:
            lower[row.c] = row.l
    print("// Written by oracles/casts/letters.py from Java 17 (Unicode 13); do not edit.")
    print("#pragma once\n\n#include <array>\n#include <cstdint>\n\nnamespace base {\n")
    print("// Letters from first to last in steps of stride move by the distance.")
    print("struct LetterRun {\n  std::uint32_t first, last, stride;\n  std::int32_t distance;\n};")
    print("// Letters that become several, in UTF-8.")
    print("struct LetterText {\n  std::uint32_t letter;\n  const char* text;\n};")
    print_table("Upper", upper)
    print_table("Lower", lower)
    print("\n}  // namespace base")


if __name__ == "__main__":
    main()
