"""Runs case files: documents and files in, commands, and what must be there afterwards.

    python3 run_cases.py [--face cli|library] [FILE.case …]

The grammar is in README.md. Tables are read back by code that shares nothing with the writer.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles" / "readers"))

import deltalake.exceptions
import lakehouse

import duckdb

ROOT = Path(__file__).resolve().parents[1]
CLOCK = "2026-03-01T06:00:00Z"
FACES = ("cli", "library")
UNREADABLE = (ValueError, KeyError, OSError, duckdb.Error, deltalake.exceptions.DeltaError)
KEYWORDS = re.compile(
    r"(# |document |given escaped |given |run |expect exit |expect error |expect rows |expect receipt |expect version )"
)


class CaseError(Exception):
    """The case file itself is wrong."""


# ---- reading a case ------------------------------------------------------------------------------------


@dataclass
class Step:
    line: int
    word: str
    argument: str
    block: list[str] = field(default_factory=list)


def parse(text: str) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("  ") and steps and not steps[-1].word.startswith("#"):
            steps[-1].block.append(line[2:])
        elif not line.strip():
            if steps:
                steps[-1].block.append("")
        else:
            match = KEYWORDS.match(line)
            if not match:
                raise CaseError(f"line {number}: no keyword begins {line!r}")
            steps.append(Step(number, match[1].strip(), line[match.end() :].strip()))
    for step in steps:
        while step.block and not step.block[-1]:
            step.block.pop()
    if not steps or steps[0].word != "#":
        raise CaseError("line 1: a case begins with # and why it is there")
    if not any(step.word.startswith("expect") for step in steps):
        raise CaseError("a case that expects nothing proves nothing")
    return steps


def unescape(text: str) -> bytes:
    known = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\"}
    out, at = b"", 0
    while at < len(text):
        if text[at] != "\\":
            out, at = out + text[at].encode(), at + 1
        elif text[at + 1 : at + 2] in known:
            out, at = out + known[text[at + 1]], at + 2
        elif re.match(r"\\x[0-9a-fA-F]{2}", text[at:]):
            out, at = out + bytes.fromhex(text[at + 2 : at + 4]), at + 4
        else:
            raise CaseError(f"unknown escape at {text[at : at + 4]!r}")
    return out


# ---- the two faces -------------------------------------------------------------------------------------


@dataclass
class Answer:
    exit: int
    stdout: str
    stderr: str

    def told(self) -> str:
        """How it ended and its errors, shortly."""
        try:
            errors = [f"{error['code']}: {error['message']}" for error in json.loads(self.stdout)["errors"]]
        except (json.JSONDecodeError, KeyError, TypeError):
            errors = [self.stdout + self.stderr]
        return "\n  ".join([f"ended with {self.exit}", *errors])


class Face(Protocol):
    def run(self, arguments: list[str]) -> Answer: ...

    def close(self) -> None: ...


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "TENTER_HOME"}
    return kept | {"TENTER_USER": "case", "NO_COLOR": "1", "TZ": "UTC"}


def program(name: str, variable: str) -> str:
    path = Path(os.environ.get(variable, ROOT / "build" / "fast" / "bin" / name))
    if not path.is_file():
        raise FileNotFoundError(f"no program at {path}: build it, or set {variable}")
    return str(path)


class CommandLine:
    """Every step is its own process."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.program = program("tenter", "TENTER_BIN")

    def run(self, arguments: list[str]) -> Answer:
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.project,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace"))

    def close(self) -> None:
        pass


class Library:
    """All steps of a case in one process: arguments in as a JSON line, the answer out as another."""

    def __init__(self, project: Path) -> None:
        self.process = subprocess.Popen(
            [program("tenter_library_face", "TENTER_LIBRARY_FACE")],
            cwd=project,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, arguments: list[str]) -> Answer:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(arguments).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the library face ended with {self.process.wait(10)}")
        answer = json.loads(line)
        return Answer(answer["exit"], answer["stdout"], answer["stderr"])

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


def open_face(name: str, project: Path) -> Face:
    return CommandLine(project) if name == "cli" else Library(project)


# ---- running -------------------------------------------------------------------------------------------


@dataclass
class Runner:
    project: Path
    face: Face
    failures: list[str] = field(default_factory=list)
    last: Answer | None = None

    @property
    def home(self) -> Path:
        return self.project / ".tenter"

    def fail(self, step: Step, message: str) -> None:
        self.failures.append(f"line {step.line}: {step.word} {step.argument}: {message}")

    def write(self, step: Step) -> None:
        path = self.project / step.argument
        path.parent.mkdir(parents=True, exist_ok=True)
        if step.word == "given escaped":
            path.write_bytes(unescape("".join(step.block)))
        else:
            path.write_bytes("".join(line + "\n" for line in step.block).encode())

    def run(self, step: Step, exit_expected: bool) -> None:
        arguments = shlex.split(step.argument)
        if "--json" not in arguments:
            arguments.append("--json")
        self.last = self.face.run(arguments)
        if not exit_expected and self.last.exit != 0:
            self.fail(step, self.last.told())

    def expect_exit(self, step: Step) -> None:
        assert self.last is not None
        if self.last.exit != int(step.argument):
            self.fail(step, self.last.told())

    def expect_error(self, step: Step) -> None:
        assert self.last is not None
        try:
            document = json.loads(self.last.stdout)
        except json.JSONDecodeError:
            self.fail(step, f"stdout is not one JSON document: {self.last.stdout!r} {self.last.stderr!r}")
            return
        codes = [error["code"] for error in document["errors"]]
        if step.argument not in codes:
            self.fail(step, f"the errors are {codes}")

    def expect_rows(self, step: Step) -> None:
        names, rows = lakehouse.query(self.home, step.argument)
        found = [" | ".join(cell_text(cell) for cell in row) for row in rows]
        wanted = list(step.block)
        if not wanted or wanted[0] != " | ".join(names):
            self.fail(step, f"the columns are {' | '.join(names)!r}")
            return
        if not orders(step.argument):
            found, wanted[1:] = sorted(found), sorted(wanted[1:])
        if found != wanted[1:]:
            self.fail(step, "the rows are\n" + "\n".join("  " + row for row in found))

    def expect_receipt(self, step: Step) -> None:
        name, *pairs = shlex.split(step.argument)
        log = lakehouse.replay(lakehouse.table_path(self.home, name))
        receipt = log.receipt()
        if receipt is None:
            self.fail(step, f"version {log.version} carries none")
            return
        for pair in pairs:
            key, _, wanted = pair.partition("=")
            found = receipt_value(receipt, key)
            if found != wanted:
                self.fail(step, f"{key} is {found} in the receipt of version {log.version}")

    def expect_version(self, step: Step) -> None:
        name, wanted = step.argument.split()
        found = lakehouse.replay(lakehouse.table_path(self.home, name)).version
        if found != int(wanted):
            self.fail(step, f"it is at version {found}")

    def step(self, step: Step, exit_expected: bool) -> None:
        if step.word in ("document", "given", "given escaped"):
            self.write(step)
        elif step.word == "run":
            self.run(step, exit_expected)
        elif step.word.startswith("expect"):
            if self.last is None:
                raise CaseError(f"line {step.line}: nothing was run yet")
            try:
                getattr(self, step.word.replace(" ", "_"))(step)
            except UNREADABLE as error:  # a failed expectation; the next one may hold
                self.fail(step, f"{type(error).__name__}: {error}")


def cell_text(cell: str | None) -> str:
    if cell is None:
        return "NULL"
    return cell if cell else '""'


def orders(query: str) -> bool:
    """Whether the query itself orders its rows: an ORDER BY outside all parentheses."""
    flat = query
    while (shorter := re.sub(r"\([^()]*\)", "", flat)) != flat:
        flat = shorter
    return re.search(r"\border\s+by\b", flat, re.IGNORECASE) is not None


def receipt_value(receipt: dict[str, Any], name: str) -> str:
    """`read` is a count, `rejects.missing.id` a reject's count (0 when absent), `a.b` a field within a field."""
    if name in receipt.get("counts", {}):
        return str(receipt["counts"][name])
    if name.startswith("rejects."):
        return str(receipt.get("rejects", {}).get(name.removeprefix("rejects."), 0))
    value: Any = receipt
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, str) else json.dumps(value)


def run_case(text: str, face_name: str, project: Path, face: Face | None = None) -> list[str]:
    """Runs one case in an empty folder; what went wrong, empty when all was as expected."""
    steps = parse(text)
    own = face or open_face(face_name, project)
    try:
        runner = Runner(project, own)
        made = own.run(["init", "--test-clock", CLOCK, "--json"])
        if made.exit != 0:
            return [f"init {made.told()}"]
        for position, step in enumerate(steps):
            following = []
            for later in steps[position + 1 :]:
                if later.word == "run":
                    break
                following.append(later.word)
            runner.step(step, "expect exit" in following)
        return runner.failures
    finally:
        if face is None:
            own.close()


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--face", choices=FACES, default="cli")
    options.add_argument("files", nargs="*", type=Path, metavar="FILE.case")
    chosen = options.parse_args()
    files = chosen.files or sorted(Path(__file__).parent.glob("*.case"))
    bad = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            failures = run_case(file.read_text("utf-8"), chosen.face, Path(folder))
        print(f"{'FAILED' if failures else 'ok':7}{file.name}")
        for failure in failures:
            print("       " + failure.replace("\n", "\n       "))
        bad += bool(failures)
    print(f"{len(files) - bad} of {len(files)} cases hold ({chosen.face})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
