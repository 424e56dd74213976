"""Asks Spark 3.5 (ANSI off) what its casts and functions give, and writes cases/casts/*.tsv.

Fields are parted by tabs; `~` is NULL; \\t \\n \\r \\\\ \\~ and \\uXXXX stand for characters.
Run with a Python that has pyspark 3.5.5: generate.py [FOLDER], by default cases/casts.
"""

from __future__ import annotations

import sys
from pathlib import Path

from probes import CAST_PROBES, EXPRESSIONS, TABLE, ZONES
from pyspark.sql import SparkSession

Cell = str | None


def escape(value: Cell) -> str:
    if value is None:
        return "~"
    out = []
    for character in value:
        if character in "\\~":
            out.append("\\" + character)
        elif character in "\t\n\r":
            out.append({"\t": "\\t", "\n": "\\n", "\r": "\\r"}[character])
        elif ord(character) < 0x20 or 0x7F <= ord(character) < 0xA1:
            out.append(f"\\u{ord(character):04x}")
        else:
            out.append(character)
    return "".join(out)


def write(path: Path, header: list[str], rows: list[list[Cell]]) -> None:
    lines = ["\t".join(header)]
    lines += ["\t".join(escape(cell) for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def start_spark() -> SparkSession:
    return (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.ansi.enabled", "false")
        .config("spark.sql.legacy.timeParserPolicy", "CORRECTED")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.memory", "1g")
        .config("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.ConstantFolding")
        .getOrCreate()
    )


def as_text(expression: str, kind: str) -> str:
    return f"hex({expression})" if kind == "binary" else f"cast({expression} as string)"


def cast_columns(targets: list[str]) -> list[str]:
    """Two columns a target, cast and try_cast, as text."""
    columns = []
    for number, target in enumerate(targets):
        columns.append(f"{as_text(f'cast(x as {target})', target)} as a{number}")
        columns.append(f"{as_text(f'try_cast(x as {target})', target)} as b{number}")
    return columns


def cast_rows(spark: SparkSession) -> list[list[Cell]]:
    """One row per probe, target, mode and zone: the text as column, so that nothing is folded."""
    rows: list[list[Cell]] = []
    for source, targets, texts in CAST_PROBES:
        frame = spark.createDataFrame([(number, text) for number, text in enumerate(texts)], "n int, v string")
        timely = "timestamp" in (source, *targets)
        for zone in ZONES if timely else ["UTC"]:
            spark.conf.set("spark.sql.session.timeZone", zone)
            wanted = [target for target in targets if zone == "UTC" or "timestamp" in (source, target)]
            found = (
                frame.selectExpr("n", "v", f"cast(v as {source}) as x")
                .selectExpr("n", "v", *cast_columns(wanted))
                .orderBy("n")
                .collect()
            )
            for number, target in enumerate(wanted):
                for row in found:
                    rows.append([row.v, source, target, zone, "cast", row[f"a{number}"]])
                    rows.append([row.v, source, target, zone, "try_cast", row[f"b{number}"]])
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    return rows


def make_table(spark: SparkSession) -> None:
    names = [name for name, _, _ in TABLE]
    count = len(TABLE[0][2])
    rows = [(number, *(values[number] for _, _, values in TABLE)) for number in range(count)]
    frame = spark.createDataFrame(rows, "row int, " + ", ".join(f"{name} string" for name in names))
    casts = [f"cast({name} as {kind}) as {name}" for name, kind, _ in TABLE]
    # Read in UTC once and kept, whatever the session's zone is later.
    frame.selectExpr("row", *casts).localCheckpoint().createOrReplaceTempView("t")


def kind_of(spark: SparkSession, expression: str) -> str | None:
    """The type that Spark gives the expression; nothing when it refuses it."""
    try:
        return spark.sql(f"select {expression} as x from t").schema["x"].dataType.simpleString()
    except Exception:  # noqa: BLE001  refusals of parser and analyzer have many classes
        return None


def values_of(spark: SparkSession, expressions: list[str], kinds: list[str]) -> list[list[Cell]]:
    """The values of many expressions at once, as text; a row that Spark fails on is the text `error`."""
    inner = ", ".join(f"{expression} as x{i}" for i, expression in enumerate(expressions))
    outer = ", ".join(f"{as_text(f'x{i}', kind)} as x{i}" for i, kind in enumerate(kinds))
    try:
        rows = spark.sql(f"select {outer} from (select row, {inner} from t) order by row").collect()
        return [[row[f"x{i}"] for row in rows] for i in range(len(expressions))]
    except Exception:  # noqa: BLE001
        if len(expressions) > 1:
            return [values_of(spark, [e], [k])[0] for e, k in zip(expressions, kinds, strict=True)]
        return [["error"] * len(TABLE[0][2])]


def expression_rows(spark: SparkSession) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for zone in dict.fromkeys(zone for _, zone in EXPRESSIONS):
        spark.conf.set("spark.sql.session.timeZone", zone)
        asked = [(text, kind_of(spark, text)) for text, at in EXPRESSIONS if at == zone]
        rows += [[text, zone, "refused", *([None] * len(TABLE[0][2]))] for text, kind in asked if kind is None]
        known = [(text, kind) for text, kind in asked if kind is not None]
        for start in range(0, len(known), 40):
            part = known[start : start + 40]
            values = values_of(spark, [text for text, _ in part], [kind for _, kind in part])
            rows += [[text, zone, kind, *found] for (text, kind), found in zip(part, values, strict=True)]
    return rows


# One file would be larger than the repository allows.
CAST_FILES = {
    "casts_to_numbers.tsv": {"tinyint", "smallint", "int", "bigint", "float", "double", "boolean"},
    "casts_to_decimals.tsv": {"decimal"},
    "casts_to_text_and_time.tsv": {"string", "binary", "date", "timestamp"},
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "cases" / "casts"
    spark = start_spark()
    spark.sparkContext.setLogLevel("ERROR")
    casts = cast_rows(spark)
    for file, wanted in CAST_FILES.items():
        rows = [row for row in casts if str(row[2]).split("(")[0] in wanted]
        write(folder / file, ["text", "from", "to", "zone", "mode", "expected"], rows)
    make_table(spark)
    write(
        folder / "table.tsv",
        ["column", "type", *(f"row {number}" for number in range(len(TABLE[0][2])))],
        [[name, kind, *values] for name, kind, values in TABLE],
    )
    expressions = expression_rows(spark)
    header = ["expression", "zone", "type", *(f"row {number}" for number in range(len(TABLE[0][2])))]
    write(folder / "expressions.tsv", header, expressions)
    print(f"{len(casts)} casts, {len(expressions)} expressions")


if __name__ == "__main__":
    main()
