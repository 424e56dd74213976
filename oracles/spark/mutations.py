"""Applies each mutation of mutations.txt to a copy of the sources, builds, and asks who notices: the Spark oracle, on a
smaller seed whose answers by Spark are computed once, else the text cases. A mutation that nobody notices is a failure.

usage: mutations.py [--rows 12000] [--only WORD...] [--list]
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import generate
import oracle

SEED = 7
NOT_RUN = 77
CASES = oracle.ROOT / "cases" / "test_cases.py"
LIST = Path(__file__).resolve().parent / "mutations.txt"


@dataclasses.dataclass
class Mutation:
    title: str
    file: str
    old: str
    new: str


def read_list() -> list[Mutation]:
    blocks: list[list[str]] = []
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("= "):
            blocks.append([])
        if blocks and line.strip() and not line.startswith("#"):
            blocks[-1].append(line)
    for block in blocks:
        assert len(block) == 4 and block[2].startswith("- ") and block[3].startswith("+ "), block
    return [Mutation(block[0][2:], block[1], block[2][2:], block[3][2:]) for block in blocks]


class Workshop:
    """A copy of the sources with a build of its own, kept in the cache between runs."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.build = self.source / "build" / "fast"  # as in the checkout, so that the compiler cache knows it

    def refresh(self) -> None:
        """Files whose content is the same keep their time, so that little is built again."""
        for name in ("src", "cmake", "CMakeLists.txt"):
            for path in [oracle.ROOT / name, *sorted((oracle.ROOT / name).rglob("*"))]:
                target = self.source / path.relative_to(oracle.ROOT)
                if path.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                elif not target.exists() or target.read_bytes() != path.read_bytes():
                    target.write_bytes(path.read_bytes())
        for path in sorted((self.source / "src").rglob("*"), reverse=True):
            if not (oracle.ROOT / path.relative_to(self.source)).exists():
                path.rmdir() if path.is_dir() else path.unlink()

    def configure(self) -> None:
        options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DTENTER_WERROR=ON", "-DTENTER_TESTS=OFF"]
        self.command("cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", *options)

    def make(self) -> Path:
        self.command("ninja", "-C", str(self.build), "tenter")
        return self.build / "bin" / "tenter"

    def command(self, *words: str) -> None:
        environment = {
            "CCACHE_DIR": str(oracle.cache() / "ccache"),
            "CCACHE_BASEDIR": str(self.source),
            "CCACHE_NOHASHDIR": "1",
            "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
            "DUCKDB_ROOT": str(oracle.cache() / "duckdb"),
        }
        done = subprocess.run(words, env=environment | os.environ, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


class Watch:
    """The oracle with Spark's answers at hand, and the cases."""

    def __init__(self, folder: Path, rows: int, binary: Path, spark: tuple[Path, Path]) -> None:
        self.folder = folder
        self.red_before: list[str] = []
        generate.generate(folder / "days", SEED, rows)
        ours = oracle.load_ours(folder / "right", folder / "days", binary)
        batches, malformed = oracle.read_days(folder / "days")
        self.malformed: collections.Counter[str] = malformed
        oracle.write_landed(folder / "landed", batches, ours.loaded_at())
        self.counts: dict[str, Any] = oracle.load_theirs(spark, folder)
        found = oracle.compare(ours, folder, self.counts, self.malformed)
        assert not found, "\n".join(["the oracle is red without any mutation", *found])
        self.red_before = self.red_cases(binary, stop=False)

    def notice(self, binary: Path) -> str | None:
        """Who turns red, or nobody."""
        with tempfile.TemporaryDirectory(dir=self.folder) as temporary:
            try:
                ours = oracle.load_ours(Path(temporary), self.folder / "days", binary)
            except RuntimeError as error:
                return f"oracle: {str(error).splitlines()[0]}"
            found = oracle.compare(ours, self.folder, self.counts, self.malformed)
        if found:
            return f"oracle: {found[0].splitlines()[0][:150]}"
        red = self.red_cases(binary, stop=True)
        return f"case: {red[0]}" if red else None

    def red_cases(self, binary: Path, stop: bool) -> list[str]:
        """Of the cases that were green before any mutation."""
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "cli", str(CASES)]
        words += ["-x"] if stop else []
        words += [f"--deselect={name}" for name in self.red_before]
        environment = os.environ | {"TENTER_BIN": str(binary)}
        done = subprocess.run(words, cwd=oracle.ROOT, env=environment, capture_output=True, text=True, check=False)
        names = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED ")]
        assert names or done.returncode == 0, done.stdout[-2000:]
        return names


def try_one(workshop: Workshop, watch: Watch, mutation: Mutation) -> str | None:
    path = workshop.source / mutation.file
    right = path.read_text("utf-8")
    if right.count(mutation.old) != 1:
        raise RuntimeError(
            f"{mutation.title}: the old text stands {right.count(mutation.old)} times in {mutation.file}"
        )
    path.write_text(right.replace(mutation.old, mutation.new), "utf-8")
    try:
        return watch.notice(workshop.make())
    finally:
        path.write_text(right, "utf-8")


def misplaced(mutations: list[Mutation]) -> list[str]:
    found: list[str] = []
    for mutation in mutations:
        times = (oracle.ROOT / mutation.file).read_text("utf-8").count(mutation.old)
        if times != 1:
            found.append(f"{mutation.title}: its old text stands {times} times in {mutation.file}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--only", nargs="+", help="mutations whose title holds one of these")
    parser.add_argument("--list", action="store_true", help="only look whether every old text is still there")
    arguments = parser.parse_args()
    mutations = [m for m in read_list() if not arguments.only or any(word in m.title for word in arguments.only)]
    wrong = misplaced(mutations)
    print("\n".join([f"{len(mutations)} mutations", *wrong]))
    if wrong or arguments.list:
        return 1 if wrong else 0
    spark = oracle.find_spark()
    if isinstance(spark, str):
        print(f"NOT RUN: the mutations: {spark}")
        return NOT_RUN
    workshop = Workshop(oracle.cache() / "mutations")
    workshop.refresh()
    workshop.configure()
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(Path(folder), arguments.rows, workshop.make(), spark)
        if watch.red_before:
            print(f"RED WITHOUT ANY MUTATION, so not asked: {', '.join(watch.red_before)}", flush=True)
        for number, mutation in enumerate(mutations, 1):
            began = time.monotonic()
            noticed = try_one(workshop, watch, mutation)
            unnoticed += noticed is None
            took = time.monotonic() - began
            print(f"{number:3} {mutation.title} ({took:.0f} s)\n      {noticed or 'NOBODY NOTICED'}", flush=True)
    workshop.make()
    print(f"{len(mutations) - unnoticed} of {len(mutations)} mutations turned the oracle or a case red")
    return 1 if unnoticed or watch.red_before else 0


if __name__ == "__main__":
    sys.exit(main())
