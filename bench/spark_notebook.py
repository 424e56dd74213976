"""The slow peer of the load benchmark: the load as a Spark notebook with Delta. Run by a Python that has PySpark.

usage: spark_notebook.py JARS first|later CSV FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from delta.tables import DeltaTable
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

SOURCE = ["order_id", "customer_id", "order_date", "order_total", "currency", "source_updated_at"]


def start(jars: Path, folder: Path) -> SparkSession:
    settings = {
        "spark.jars": ",".join(str(path) for path in sorted(jars.glob("*.jar"))),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.driver.memory": "4g",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def typed(raw: Any) -> Any:
    return raw.select(
        F.trim("order_id").alias("order_id"),
        F.trim("customer_id").alias("customer_id"),
        F.expr("try_cast(order_date as date)").alias("order_date"),
        F.expr("try_cast(order_total as decimal(18,2))").alias("order_total"),
        F.upper(F.trim("currency")).alias("currency"),
        F.expr("try_cast(source_updated_at as timestamp)").alias("source_updated_at"),
        *[F.col(name).alias(f"raw_{name}") for name in SOURCE],
        "_source_file",
        "_loaded_at",
    )


def with_reasons(rows: Any) -> Any:
    missing = [(F.col(name).isNull() | (F.col(name) == ""), f"missing {name}") for name in ("order_id", "customer_id")]
    unparseable = [(F.col(n).isNull(), f"unparseable {n}") for n in ("order_date", "order_total", "source_updated_at")]
    broken = [
        (F.col("order_total") < 0, "order_total_non_negative"),
        (F.col("currency").isNull() | ~F.col("currency").isin("AUD", "NZD", "USD"), "currency_allowed"),
    ]
    reasons = [F.when(condition, F.lit(text)) for condition, text in missing + unparseable + broken]
    return rows.withColumn("_reject_reason", F.concat_ws("; ", *reasons))


def load(session: SparkSession, batch: str, csv: str, folder: Path) -> None:
    landed = (
        session.read.option("header", True)
        .csv(csv)
        .select(
            "*",
            F.lit(csv).alias("_source_file"),
            F.current_timestamp().alias("_loaded_at"),
            F.lit(batch).alias("_batch_id"),
        )
    )
    landed.write.format("delta").mode("append").option("mergeSchema", True).save(str(folder / "bronze"))
    bronze = session.read.format("delta").load(str(folder / "bronze")).where(F.col("_batch_id") == batch)
    checked = with_reasons(typed(bronze)).cache()
    checked.count()
    rejected = checked.where("_reject_reason <> ''").withColumn("_batch_id", F.lit(batch))
    rejected.write.format("delta").mode("append").save(str(folder / "quarantine"))
    newest = Window.partitionBy("order_id").orderBy(F.col("source_updated_at").desc(), F.col("_source_file").desc())
    accepted = checked.where("_reject_reason = ''").withColumn("place", F.row_number().over(newest))
    accepted = accepted.where("place = 1").select(*SOURCE, "_source_file", "_loaded_at")
    if not DeltaTable.isDeltaTable(session, str(folder / "silver")):
        session.createDataFrame([], accepted.schema).write.format("delta").save(str(folder / "silver"))
    (
        DeltaTable.forPath(session, str(folder / "silver"))
        .alias("t")
        .merge(accepted.alias("s"), "t.order_id = s.order_id")
        .whenMatchedUpdateAll(condition="s.source_updated_at >= t.source_updated_at")
        .whenNotMatchedInsertAll()
        .execute()
    )


if __name__ == "__main__":
    spark = start(Path(sys.argv[1]), Path(sys.argv[4]))
    load(spark, sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    spark.stop()
