"""Evaluates conditions over a Delta table in Spark or Sail; run by the Python that has the engine.

usage: evaluate.py spark|sail TABLE JARS < {"name": "condition", …}    (JARS: Delta's, for Spark)

Answers one JSON object: name -> {id: true, false or null}, or name -> "why it could not be read".
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

AT_ONCE = 40  # conditions in one query; one by one when that fails


def start_spark(jars: str) -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.jars": ",".join(str(path) for path in sorted(Path(jars).glob("*.jar"))),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(dir=os.getcwd()),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.databricks.delta.snapshotPartitions": "1",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def start_sail() -> tuple[Any, Any]:
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    host, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://{host}:{port}").getOrCreate()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    return server, session  # the server ends with its last reference


def ask(table: Any, conditions: dict[str, str]) -> dict[str, Any]:
    names = list(conditions)
    columns = [f"({conditions[name]}) as `c{number}`" for number, name in enumerate(names)]
    rows = table.selectExpr("id", *columns).collect()
    return {name: {row[0]: row[number + 1] for row in rows} for number, name in enumerate(names)}


def ask_all(table: Any, conditions: dict[str, str]) -> dict[str, Any]:
    try:
        return ask(table, conditions)
    except Exception as error:
        if len(conditions) == 1:
            return dict.fromkeys(conditions, f"{type(error).__name__}: {str(error)[:400]}")
    answers: dict[str, Any] = {}
    for name, condition in conditions.items():
        answers |= ask_all(table, {name: condition})
    return answers


def main() -> None:
    talk = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the engine prints must not come between the answers
    engine, path, jars = sys.argv[1:]
    server, session = start_sail() if engine == "sail" else (None, start_spark(jars))
    table = session.read.format("delta").load(path)
    conditions = json.load(sys.stdin)
    answers: dict[str, Any] = {}
    for first in range(0, len(conditions), AT_ONCE):
        answers |= ask_all(table, dict(list(conditions.items())[first : first + AT_ONCE]))
    json.dump(answers, talk)
    talk.close()
    session.stop()
    del server


if __name__ == "__main__":
    main()
