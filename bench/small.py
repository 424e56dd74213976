"""Commands that should cost nothing: the least of twenty runs each, in milliseconds."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 20
FILES = 1_000


def floor_ms(command: list[str | Path], folder: Path) -> float:
    least = float("inf")
    for _ in range(RUNS):
        began = time.monotonic()
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        least = min(least, time.monotonic() - began)
    return least * 1000


def empty_program_ms(folder: Path) -> float | None:
    """A program that does nothing, linked to the same library."""
    library = Path(os.environ.get("DUCKDB_ROOT", Path.home() / ".cache" / "tenter" / "duckdb")) / "lib"
    compiler = shutil.which("cc")
    if compiler is None or not library.is_dir():
        return None
    (folder / "empty.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    linked = ["-Wl,--no-as-needed", f"-L{library}", f"-Wl,-rpath,{library}", "-lduckdb"]
    subprocess.run([compiler, "empty.c", "-o", "empty", *linked], cwd=folder, check=True)
    return floor_ms([folder / "empty"], folder)


def nothing_new_ms(binary: Path, folder: Path) -> tuple[float, bool]:
    """A load that finds 1,000 files, all landed and loaded before; whether one of them is opened."""
    project = folder / "project"
    tables = project / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    (project / "landing").mkdir()
    (project / "tenter.yml").write_text("workspace: Bench\n", encoding="utf-8")
    (tables / "bronze.r.yml").write_text("Description: r\nLanding: landing/*.csv\nFormat: csv\n", encoding="utf-8")
    (tables / "silver.r.yml").write_text(
        "Description: r\nOwner: bench\nFrom: bronze.r\nPrimary key: id\nSchema:\n  id: string\n  v: integer\n",
        encoding="utf-8",
    )
    for number in range(FILES):
        (project / "landing" / f"{number:04}.csv").write_text(f"id,v\nk{number},{number}\n", encoding="utf-8")
    for verb in ("init", "build", "load"):
        subprocess.run([binary, verb], cwd=project, stdout=subprocess.DEVNULL, check=True)
    opened = False
    if shutil.which("strace"):
        trace = folder / "trace"
        command = ["strace", "-f", "-e", "trace=open,openat", "-o", trace, binary, "load"]
        subprocess.run(command, cwd=project, stdout=subprocess.DEVNULL, check=True)
        opened = "landing/" in trace.read_text("utf-8", "replace")
    return floor_ms([binary, "load"], project), opened


def measure(binary: Path) -> dict[str, float | bool | None]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        nothing, opened = nothing_new_ms(binary, folder)
        return {
            "empty_ms": empty_program_ms(folder),
            "version_ms": floor_ms([binary, "--version"], folder),
            "check_ms": floor_ms([binary, "check"], ROOT / "examples" / "orders"),
            "nothing_new_ms": nothing,
            "file_opened": opened,
        }
