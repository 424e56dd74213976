"""Runs the tours of the documents as a new user would, and compares what is shown with what appears.

    python tools/check_readme.py [--tenter BINARY] [--count FILE]    compare
    python tools/check_readme.py --update                            write what appears into the documents
    python tools/check_readme.py --readme FILE                       this document instead of all

The documents are README.md, docs/documents.md, docs/batches.md and docs/testing.md. A tour is every ```console block:
a line `$ COMMAND` (continued with a backslash), then what it prints. All commands of one document run in one shell, in
a fresh folder where `build/fast/bin` and `examples` stand as in a checkout; that folder's own path is shown as `…`.
A block of another kind under a line that is only a path in back-ticks is a file: it is written there, in the folder
that the shell is in by then. Its time is set as well, from its line in the document: the default id of a batch
hashes the times of its files, and must be what is shown.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS = [REPOSITORY / name for name in ("README.md", "docs/documents.md", "docs/batches.md", "docs/testing.md")]
BLOCK = re.compile(r"^(?:`(?P<path>[^`\n]+)`\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
END = "\x1e"
FIRST_FILE_S = 1772323200  # 2026-03-01T00:00:00Z


@dataclass
class Step:
    command: str  # as shown, with its continuation lines; or what writes a shown file
    shown: str
    is_file: bool = False


def steps_of(match: re.Match[str]) -> list[Step]:
    if match["kind"] == "console":
        return console_steps(match["text"])
    if match["path"] is None:
        return []
    path = shlex.quote(match["path"])
    line = match.string.count("\n", 0, match.start())
    write = f'mkdir -p "$(dirname {path})" && printf %s {shlex.quote(match["text"])} >{path}'
    return [Step(f"{write} && touch -d @{FIRST_FILE_S + line} {path}\n", "", is_file=True)]


def console_steps(block: str) -> list[Step]:
    steps: list[Step] = []
    continued = False
    for line in block.splitlines(keepends=True):
        if continued:
            steps[-1].command += line
        elif line.startswith("$ "):
            steps.append(Step(line[2:], ""))
        elif steps:
            steps[-1].shown += line
        else:
            raise ValueError(f"a console block starts with '$ COMMAND', found: {line!r}")
        continued = (continued or line.startswith("$ ")) and line.rstrip("\n").endswith("\\")
    return steps


def appearing(commands: list[str], tenter: Path) -> list[str]:
    """What each command prints, both streams in order, in one shell."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        (place / "build" / "fast").mkdir(parents=True)
        (place / "build" / "fast" / "bin").symlink_to(tenter.resolve().parent)
        (place / "examples").symlink_to(REPOSITORY / "examples")
        script = "exec 2>&1\n" + "".join(f"{command}\nprintf '{END}'\n" for command in commands)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("TENTER_") or name == "TENTER_CACHE"
        }
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=place,
            env=kept | {"NO_COLOR": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TENTER_USER": "you"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    parts = done.stdout.split(END)[:-1]
    if len(parts) != len(commands):
        raise RuntimeError(f"the shell stopped after {len(parts)} of {len(commands)} commands: {done.stdout[-500:]}")
    return ["".join(line.rstrip() + "\n" for line in part.replace(str(place), "…").splitlines()) for part in parts]


def rewritten(text: str, printed: list[str]) -> str:
    outputs = iter(printed)

    def block(match: re.Match[str]) -> str:
        parts = [(step, next(outputs)) for step in steps_of(match)]
        if match["kind"] != "console":
            return match[0]
        before = match[0][: match.start("text") - match.start()]
        return before + "".join(f"$ {step.command}{appeared}" for step, appeared in parts) + "```"

    return BLOCK.sub(block, text)


def compare(document: Path, tenter: Path, update: bool) -> tuple[int, int]:
    """How many commands the document shows, and how many print something else."""
    text = document.read_text(encoding="utf-8")
    steps = [step for match in BLOCK.finditer(text) for step in steps_of(match)]
    printed = appearing([step.command for step in steps], tenter)
    if update:
        document.write_text(rewritten(text, printed), encoding="utf-8")
    wrong = 0
    for step, appeared in zip(steps, printed, strict=True):
        if step.shown == appeared or (update and not step.is_file):
            continue
        wrong += 1
        print(f"$ {step.command}", end="")
        print("".join(difflib.unified_diff(step.shown.splitlines(True), appeared.splitlines(True), "shown", "appears")))
    commands = sum(not step.is_file for step in steps)
    print(f"{document.name}: {commands} commands, {wrong} print something else than is shown")
    return commands, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenter", type=Path, default=REPOSITORY / "build" / "fast" / "bin" / "tenter")
    parser.add_argument("--readme", type=Path, action="append", metavar="FILE", help="default: every document")
    parser.add_argument("--count", type=Path, metavar="FILE", help="write NAME PASSED FAILED SKIPPED for the tally")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    if not arguments.tenter.is_file():
        print(f"no program at {arguments.tenter}; build it with ./dev build", file=sys.stderr)
        return 3
    results = [compare(path, arguments.tenter, arguments.update) for path in arguments.readme or DOCUMENTS]
    wrong = sum(wrong for _, wrong in results) + sum(commands == 0 for commands, _ in results)
    if arguments.count:
        passed = max(0, sum(commands for commands, _ in results) - wrong)
        arguments.count.write_text(f"readme {passed} {wrong} 0\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
