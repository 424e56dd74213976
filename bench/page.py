"""docs/performance.md from the figures of one run of the load benchmark."""

from __future__ import annotations

import dataclasses
import os
import platform
from pathlib import Path

from measure import Measured


@dataclasses.dataclass
class Line:
    name: str
    mine: Measured
    script: Measured | None
    spark: Measured | None
    limit_s: float | None  # CPU seconds that the writing alone costs
    bar: str


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def memory_gb() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def cell(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def over(mine: float, other: float | None) -> str:
    return "–" if other is None or other == 0 else f"{mine / other:.2f}"


def rows(paths: list[Line]) -> list[str]:
    lines = [
        "| path | Tenter, CPU s | script, CPU s | ratio | PySpark, CPU s | Tenter, wall s | script, wall s "
        "| Tenter, peak MB | script, peak MB | limit, CPU s | bar |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for path in paths:
        script, spark = path.script, path.spark
        lines.append(
            f"| {path.name} | {path.mine.cpu_s:.2f} | {cell(script and script.cpu_s, '.2f')} "
            f"| {over(path.mine.cpu_s, script and script.cpu_s)} | {cell(spark and spark.cpu_s, '.1f')} "
            f"| {path.mine.wall_s:.2f} | {cell(script and script.wall_s, '.2f')} | {path.mine.peak_mb:.0f} "
            f"| {cell(script and script.peak_mb, '.0f')} | {cell(path.limit_s, '.2f')} | {path.bar} |"
        )
    return lines


def small_rows(small: dict[str, float | bool | None]) -> list[str]:
    empty = small["empty_ms"]
    version = float(small["version_ms"] or 0)
    above = "–" if empty is None else f"{version - float(empty):.1f} above it"
    opened = "a file is opened" if small["file_opened"] else "no file is opened"
    return [
        "| command | ms | beside it | bar |",
        "|---|---|---|---|",
        f"| an empty program, linked to the engine's library | {cell(empty and float(empty), '.1f')} | – | – |",
        f"| `tenter --version` | {version:.1f} | {above} | 10 above |",
        f"| `tenter check` of examples/orders | {float(small['check_ms'] or 0):.1f} | – | 60 |",
        f"| `tenter load`, 1,000 landed files, nothing new | {float(small['nothing_new_ms'] or 0):.1f} | {opened} "
        "| 150 |",
    ]


def render(title: dict[str, str], paths: list[Line], small: dict[str, float | bool | None]) -> str:
    text = [
        "# Performance",
        "",
        "Made by `./dev bench load --write`; every figure is of that one run.",
        "",
        *[f"- {name}: {value}" for name, value in title.items()],
        "",
        "Tenter and the plain DuckDB script run by turns; figures are medians, the page cache is warm. The script",
        "writes the same columns with no contract, no log and no proof. CPU seconds are those of all threads; wall",
        "seconds mean little where other work ran. Ratios within 1.15 are ties. After each run an outside reader",
        "counts the rows.",
        "",
        *rows(paths),
        "",
        "The limit is what writing the same rows, held in memory, to Parquet costs with the engine and the options",
        "that Tenter uses: nothing read, judged or hashed. Nothing that goes through this writer can be faster.",
        "",
        "## Small commands",
        "",
        "The least of twenty runs.",
        "",
        *small_rows(small),
        "",
    ]
    return "\n".join(text)
