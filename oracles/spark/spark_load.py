"""The load of the Spark oracle, written for the tests from the rules that users read (docs), in PySpark.

It takes landed rows (Parquet: the source's columns as text, _source_file, _source_line, _loaded_at, _batch_id), does
casts, cleaning, reasons and the ranking within each batch for all batches at once, then merges batch after batch, all
with Spark's own expressions. It leaves the contract table and its rejects as Parquet, and the counts of each batch as
JSON. It runs in a Python that has PySpark.

usage: spark_load.py JARS LANDED OUT BATCH...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from contracts import CONTRACTS, ZONE, Contract
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

MANAGED = ["_source_file", "_source_line", "_loaded_at", "_batch_id"]
BLANKS = r" \t\r\n"


def start(jars: Path) -> SparkSession:
    settings = {
        "spark.jars": ",".join(str(path) for path in sorted(jars.glob("*.jar"))),
        "spark.sql.session.timeZone": ZONE,
        "spark.sql.ansi.enabled": "false",
        "spark.sql.legacy.timeParserPolicy": "CORRECTED",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
        "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.sql.constraintPropagation.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def is_blank(column: Any) -> Any:
    return F.coalesce(F.regexp_replace(column, f"^[{BLANKS}]+|[{BLANKS}]+$", ""), F.lit("")) == ""


def judged(landed: DataFrame, contract: Contract) -> DataFrame:
    """Adds typed columns t_<name>, `codes` and `reasons` to the landed rows."""
    sources = [name for name in landed.columns if name not in MANAGED]
    nulled = landed
    for name in sources:
        nulled = nulled.withColumn(f"n_{name}", F.when(~F.col(name).isin(*contract.null_values), F.col(name)))
    codes: list[Any] = []
    reasons: list[Any] = []
    reported: dict[str, Any] = {}
    # A Clean expression names columns as the document does, so it is judged over a view with those names.
    # Each step is computed once and kept: left to itself, the optimiser would copy expressions into one another
    # until the plan no longer fits into memory.
    rows = nulled.withColumn("row", F.monotonically_increasing_id()).localCheckpoint()
    view = rows.select("row", *[F.col(f"n_{name}").alias(name) for name in sources])
    for column in contract.columns:
        if column.name.lower() not in [name.lower() for name in view.columns]:
            view = view.withColumn(column.name, F.col(column.source))
    text = [
        F.expr(column.clean if column.clean is not None else f"`{column.source}`").alias(f"p_{column.name}")
        for column in contract.columns
    ]
    absent = [is_blank(F.col(column.source)).alias(f"a_{column.name}") for column in contract.columns]
    cleaned = view.select("row", *text, *absent).localCheckpoint()
    casts = [F.expr(f"try_cast(`p_{c.name}` as {c.type})").alias(f"t_{c.name}") for c in contract.columns]
    typed = cleaned.select("*", *casts).localCheckpoint()
    for column in contract.columns:
        value, name = F.col(f"t_{column.name}"), column.name
        missing = value.isNull() & F.col(f"a_{name}") if column.required else F.lit(False)
        if column.required and column.type == "string":
            missing = missing | is_blank(value)
        unparseable = value.isNull() & ~F.col(f"a_{name}")
        if not column.required:
            unparseable = unparseable & F.col(f"p_{name}").isNotNull()
        code = F.when(missing, f"missing.{name}").when(unparseable, f"unparseable.{name}")
        reported[name] = code.isNotNull()
        # A column that is reported already counts as absent, so that one cause is reported once.
        typed = typed.withColumn(f"k_{name}", F.when(code.isNull(), value))
        codes.append(code)
        reasons.append(F.when(missing, f"missing {name}").when(unparseable, f"unparseable {name}"))
    for check in contract.checks:
        rule = check.rule
        for column in sorted((c.name for c in contract.columns), key=len, reverse=True):
            rule = rule.replace(column, f"k_{column}")
        holds = F.expr(rule)
        known = F.lit(False)
        for name in check.columns:
            known = known | reported[name]
        unknown = holds.isNull() & ~known
        codes.append(F.when(~holds | unknown, check.name))
        reasons.append(F.when(~holds, check.reason).when(unknown, check.reason + ": null"))
    typed = typed.withColumn("codes", F.concat_ws(";", *codes)).withColumn("reasons", F.concat_ws("; ", *reasons))
    keep = [f"t_{column.name}" for column in contract.columns]
    return rows.join(typed.select("row", "codes", "reasons", *keep), "row").localCheckpoint()


def ranked(rows: DataFrame, contract: Contract) -> DataFrame:
    """Adds `fate` within the batch: rejected, duplicate, superseded, repeated or accepted."""
    values = [F.col("_batch_id"), *(F.col(f"t_{column.name}") for column in contract.columns)]
    keys = [F.col("_batch_id"), *(F.col(f"t_{name}") for name in contract.key)]
    last = [F.col("_source_file").desc(), F.col("_source_line").desc()]
    newest = [F.col(f"t_{contract.version}").desc(), *last] if contract.version else last
    good = rows.where("codes = ''")
    good = good.withColumn("copy", F.row_number().over(Window.partitionBy(*values).orderBy(*last)))
    first = good.where("copy = 1").withColumn("place", F.row_number().over(Window.partitionBy(*keys).orderBy(*newest)))
    beaten = "superseded" if contract.version else "repeated"
    fates = [
        rows.where("codes <> ''").withColumn("fate", F.lit("rejected")),
        good.where("copy > 1").drop("copy").withColumn("fate", F.lit("duplicate")),
        first.withColumn("fate", F.when(F.col("place") > 1, beaten).otherwise("accepted")).drop("copy", "place"),
    ]
    return fates[0].unionByName(fates[1]).unionByName(fates[2]).localCheckpoint()


def settled(accepted: DataFrame, target: DataFrame, contract: Contract) -> DataFrame:
    """Accepted rows with the stored row o_<column> of their key and `fate`."""
    names = [column.name for column in contract.columns]
    stored = target.select(
        *[F.col(name).alias(f"o_{name}") for name in [*names, "_source_file", "_loaded_at"]],
        F.lit(True).alias("stored"),
    )
    match = [F.col(f"t_{name}") == F.col(f"o_{name}") for name in contract.key]
    rows = accepted.join(stored, match, "left")
    older = F.col("_loaded_at") < F.col("o__loaded_at")
    if contract.version:
        incoming, kept = F.col(f"t_{contract.version}"), F.col(f"o_{contract.version}")
        older = (incoming < kept) | ((incoming == kept) & older)
    same = F.lit(True)
    for name in names:
        same = same & F.col(f"t_{name}").eqNullSafe(F.col(f"o_{name}"))
    fate = (
        F.when(F.col("stored").isNull(), "inserted").when(older, "older").when(same, "unchanged").otherwise("updated")
    )
    return rows.withColumn("fate", fate)


def merged(target: DataFrame, rows: DataFrame, contract: Contract) -> DataFrame:
    names = [column.name for column in contract.columns]
    changed = rows.where("fate in ('inserted', 'updated')").select(
        *[F.col(f"t_{name}").alias(name) for name in names], "_source_file", "_loaded_at"
    )
    kept = target.join(changed.select(*contract.key), list(contract.key), "left_anti")
    return kept.select(changed.columns).unionByName(changed)


def rejects(rows: DataFrame, contract: Contract) -> DataFrame:
    repeated = F.lit("duplicate_primary_key")
    sources = [name for name in rows.columns if f"n_{name}" in rows.columns]
    return rows.where("fate in ('rejected', 'repeated')").select(
        *[F.col(f"t_{column.name}").alias(column.name) for column in contract.columns],
        *[F.col(name).alias(f"raw_{name}") for name in sources],
        *MANAGED,
        F.when(F.col("fate") == "repeated", repeated).otherwise(F.col("reasons")).alias("_reject_reason"),
        F.when(F.col("fate") == "repeated", repeated).otherwise(F.col("codes")).alias("_reject_codes"),
    )


def count_by(rows: DataFrame, column: str) -> list[Any]:
    return rows.groupBy("_batch_id", column).count().collect()


def load(session: SparkSession, contract: Contract, landed: Path, out: Path, batches: list[str]) -> dict[str, Any]:
    schema = ", ".join(f"`{column.name}` {column.type}" for column in contract.columns)
    target = session.createDataFrame([], schema + ", _source_file string, _loaded_at timestamp")
    rows = ranked(judged(session.read.parquet(str(landed)), contract), contract)
    bad = rejects(rows, contract)
    bad.write.parquet(str(out / contract.name / "rejects"))
    counts: dict[str, Any] = {batch: {"terms": {}, "rejects": {}} for batch in batches}
    for batch, fate, count in count_by(rows.where("fate <> 'accepted'"), "fate"):
        counts[batch]["terms"][fate] = count
    for batch, code, count in count_by(bad.withColumn("code", F.explode(F.split("_reject_codes", ";"))), "code"):
        counts[batch]["rejects"][code] = count
    for batch in batches:
        accepted = rows.where((F.col("fate") == "accepted") & (F.col("_batch_id") == batch)).drop("fate")
        settle = settled(accepted, target, contract)
        for _, fate, count in count_by(settle, "fate"):
            counts[batch]["terms"][fate] = count
        target = merged(target, settle, contract).localCheckpoint()
    target.write.parquet(str(out / contract.name / "table"))
    return counts


def main() -> None:
    jars, landed, out, *batches = sys.argv[1:]
    session = start(Path(jars))
    counts = {c.name: load(session, c, Path(landed), Path(out), batches) for c in CONTRACTS}
    (Path(out) / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
    session.stop()


if __name__ == "__main__":
    main()
