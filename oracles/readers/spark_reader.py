"""PySpark with Delta as an outside reader and writer, in a process of its own Python.

Run by that Python it answers commands, one JSON line each; imported, it is the other end of that conversation.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any


def cache() -> Path:
    return Path(os.environ.get("TENTER_CACHE") or Path.home() / ".cache" / "tenter")


def find_spark() -> tuple[Path, Path] | str:
    """Its Python and its jars, or why it cannot run here."""
    python, jars = cache() / "spark" / "bin" / "python", cache() / "spark-jars"
    if shutil.which("java") is None:
        return "there is no java"
    if not python.is_file() or not list(jars.glob("delta-spark*.jar")):
        return f"PySpark or Delta's jars are not in {cache()}; ./dev setup fetches them"
    return python, jars


class Spark:
    def __init__(self, python: Path, jars: Path) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [python, Path(__file__).resolve(), jars, self.folder.name],
            cwd=self.folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, **command: str) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"Spark ended with {self.process.wait(30)}"
        return json.loads(line)

    def __enter__(self) -> Spark:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.folder.cleanup()


# ---- the other end --------------------------------------------------------------------------------------


def start(jars: str, folder: str) -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.jars": ",".join(str(path) for path in sorted(Path(jars).glob("*.jar"))),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": folder + "/warehouse",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.databricks.delta.snapshotPartitions": "1",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def answer(session: Any, command: dict[str, str]) -> Any:
    if command["do"] == "append":
        try:
            session.sql(command["select"]).write.format("delta").mode("append").save(command["path"])
        except Exception as error:
            return {"refused": str(error)}
        return {"refused": None}
    table = session.read.format("delta").load(command["path"])
    columns = []
    for name, kind in table.dtypes:
        text = f"unix_micros(`{name}`)" if kind == "timestamp" else f"`{name}`"
        text = f"hex(`{name}`)" if kind == "binary" else text
        columns.append(f"cast({text} as string) as `{name}`")
    rows = [list(row) for row in table.selectExpr(*columns).collect()]
    return {"schema": [[name, kind] for name, kind in table.dtypes], "rows": rows}


def main() -> None:
    talk = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the JVM prints must not come between the answers
    session = start(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        talk.write(json.dumps(answer(session, json.loads(line))) + "\n")
        talk.flush()
    session.stop()


if __name__ == "__main__":
    main()
