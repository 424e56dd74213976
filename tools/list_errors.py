"""Writes docs/errors.md: every error code that the sources can raise, found in the sources themselves.

python3 tools/list_errors.py            writes the table
python3 tools/list_errors.py --check    ends with 1 when the table on disk is not the one it would write
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# The first word of a code, and what codes with it are about. A new one is added here first.
SUBJECTS = {
    "usage": "How a command was typed",
    "document": "Documents",
    "settings": "`tenter.yml`",
    "sql": "Expressions and queries",
    "project": "All documents together",
    "home": "The home folder",
    "build": "Building tables",
    "land": "Landing files",
    "batch": "Choosing and deciding batches",
    "rejects": "Rejects",
    "apply": "Files of corrected rows",
    "gate": "Batches stopped before their table is touched",
    "load": "Loading",
    "contract": "Installed contracts",
    "verify": "What `verify` finds",
    "table": "Tables",
    "delta": "The Delta log",
    "engine": "The engine",
    "world": "The machine",
    "json": "JSON texts",
    "time": "Instants",
    "zone": "Time zones",
    "malformed": "Records that cannot be split (in `_reject_codes`)",
}
CODE = re.compile(r"[a-z]+(?:\.[a-z][a-z_0-9]*)+")
NO_CODE = re.compile(r"delta\.(constraints|invariants|identity)|tenter\.|\.(json|db|h|csv|md|yml|parquet|crc)$")
KIND = re.compile(r"\bKind::(invalid|denied|not_found|conflict|unsupported|corrupt|io|internal)\b")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Calls by which `verify` notes what it found.
FINDINGS = {"compare", "failed", "not_covered", "ok", "emplace_back"}


@dataclass
class Raised:
    code: str
    kinds: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    message: str = ""


def without_comments(text: str) -> str:
    """The text with comments blanked, so that offsets stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0].startswith("/") else m[0], text)


def argument_after(text: str, at: int) -> str:
    """The argument that begins at `at`: its own literals, and an ellipsis for whatever else it adds up."""
    depth, parts = 0, [""]
    while at < len(text):
        literal = LITERAL.match(text, at) or re.compile(r'std::string\("((?:[^"\\\n]|\\.)*)"\)').match(text, at)
        if literal and depth == 0:
            parts.append(literal[1])
        if literal:
            at = literal.end()
            continue
        sign = text[at]
        if sign in ",;" and depth == 0:
            break
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            break
        if not (sign.isspace() or sign == "+") and parts[-1] != "…":
            parts.append("…")
        at += 1
    words = re.sub(r'\\(["\\])', r"\1", "".join(parts))
    return re.sub(r"(… ?)+…", "…", words.replace("\\n", " ")).strip()


def callee_before(text: str, at: int) -> str:
    """The name of the call whose argument list encloses `at`; empty when none does."""
    depth = 0
    for position in range(at - 1, max(at - 1500, -1), -1):
        if text[position] in ")]}":
            depth += 1
        elif text[position] in "([{":
            if depth == 0:
                name = re.search(r"(\w+)\s*$", text[:position])
                return name[1] if name else ""
            depth -= 1
        elif text[position] == ";" and depth == 0:
            break
    return ""


def body_end(text: str, at: int) -> int:
    """The end of the definition whose first brace, or whose semicolon, is the next one from `at`."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0 and text[end] in ";}":
            return end
    return len(text)


def kind_of_helper(name: str, room: str) -> str | None:
    """The kind that a helper of the room gives its errors: by its signature's default, else in its body."""
    for match in re.finditer(rf"([a-zA-Z>]+)\s+(?:\w+::)*{re.escape(name)}(?:\(| = \[)", room):
        if match[1] in ("return", "else"):
            continue
        kind = KIND.search(room[match.start() : body_end(room, match.end())])
        if kind:
            return kind[1]
    return None


def rest_of_call(text: str, at: int) -> str:
    """From `at` to the end of the argument list that encloses it."""
    depth, end = 0, at
    while end < len(text) and depth >= 0 and text[end] != ";":
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    return text[at:end]


def kind_at(text: str, at: int, end: int, room: str) -> str:
    statement = re.split(r"[;}]", text[:at])[-1]
    name = callee_before(text, at)
    if name in FINDINGS or (text[at:].startswith('"verify.') and "fail(" not in statement):
        return "finding"
    choice = re.search(r"Kind::(\w+)\s*\?\s*$", statement)
    if choice:
        return choice[1]
    if re.search(r":\s*$", statement):  # the last of a choice of codes
        return "io"
    before = KIND.findall(statement)
    if before:
        return before[-1]
    after = KIND.search(rest_of_call(text, end))
    if after:
        return after[1]
    return kind_of_helper(name, room) or "invalid"


def codes_in(text: str) -> Iterator[tuple[str, int, int]]:
    for match in LITERAL.finditer(text):
        code = match[1]
        if not CODE.fullmatch(code) or code.split(".")[0] not in SUBJECTS or NO_CODE.search(code):
            continue
        if re.search(r"[=!]=\s*$", text[: match.start()]):  # a comparison raises nothing
            continue
        yield code, match.start(), match.end()


def scan(root: Path) -> dict[str, Raised]:
    raised: dict[str, Raised] = {}
    for room_folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        sources = sorted(p for p in room_folder.rglob("*") if p.suffix in (".cpp", ".h") and "test" not in p.parts)
        texts = {path: without_comments(path.read_text("utf-8")) for path in sources}
        room = "\n".join(texts.values())
        for path, text in texts.items():
            for code, start, end in codes_in(text):
                entry = raised.setdefault(code, Raised(code))
                entry.kinds.add(kind_at(text, start, end, room))
                entry.files.add(str(path.relative_to(root)))
                if not entry.message and text[end:].lstrip().startswith(","):
                    message = argument_after(text, text.index(",", end) + 1)
                    entry.message = message if re.search(r"[a-z]{2}", message) else ""
    return raised


def exit_code(code: str, kind: str) -> int:
    """How a command ends with this error: the rule of src/app/src/answer.cpp."""
    if code.startswith("usage."):
        return 2
    if code.startswith("world."):
        return 1 if code == "world.not_found" else 3
    return 3 if kind in ("io", "conflict", "internal") else 1


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def shortened(text: str, limit: int = 90) -> str:
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + " …"


def page(raised: dict[str, Raised]) -> str:
    lines = [
        "# Error codes",
        "",
        "Written by `python3 tools/list_errors.py` from the sources; do not edit. A code is stable: scripts may",
        "compare it. Commands end with 0 (done), 1 (data or project at fault), 2 (usage) or 3 (machine at fault);",
        "with several errors the highest counts. A *finding* is a line of `verify`, not an error of its own.",
        "",
    ]
    for subject, title in SUBJECTS.items():
        entries = sorted((e for c, e in raised.items() if c.split(".")[0] == subject), key=lambda e: e.code)
        if not entries:
            continue
        lines += [f"## {title}", "", "| code | kind | exit | raised in | begins |", "|---|---|---|---|---|"]
        for entry in entries:
            kinds = sorted(entry.kinds)
            exits = sorted({exit_code(entry.code, kind) for kind in kinds})
            is_reason = subject == "malformed"
            name = entry.code + "…" * entry.code.endswith("_")
            lines.append(
                f"| `{name}` | {'reason' if is_reason else ', '.join(kinds)} "
                f"| {'' if is_reason else ', '.join(map(str, exits))} "
                f"| {', '.join(sorted(entry.files))} | {cell(shortened(entry.message))} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--check", action="store_true", help="only compare with the table on disk")
    chosen = options.parse_args()
    text = page(scan(ROOT))
    path = ROOT / "docs" / "errors.md"
    if not chosen.check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return 0
    if path.is_file() and path.read_text("utf-8") == text:
        return 0
    print("docs/errors.md is stale: run python3 tools/list_errors.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
