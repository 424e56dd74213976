"""Collects the licences of the libraries that are compiled into libduckdb.so.

DuckDB's source package carries no licence files for them: the texts stand as comments at the
head of the sources. For every library this keeps each distinct head comment that speaks of a
licence or a copyright, once.

    python licences.py DUCKDB_SOURCE_FOLDER OUTPUT_FILE
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEAD = re.compile(r"\A\s*((?:/\*.*?\*/\s*|//[^\n]*\n\s*)+)", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|(?://[^\n]*\n)+", re.DOTALL)
SPEAKS_OF_RIGHTS = re.compile(r"licen[sc]e|copyright|public domain", re.IGNORECASE)
SOURCE_SUFFIXES = {".c", ".cc", ".cpp", ".h", ".hpp"}
LIBRARY_FOLDERS = ("third_party", "extension/icu/third_party")


def plain(comment: str) -> str:
    """The comment's words without its stars and slashes."""
    lines = [re.sub(r"^\s*(/\*+!?|\*+/|\*|//+)? ?", "", line).rstrip(" */").rstrip() for line in comment.splitlines()]
    return "\n".join(lines).strip()


def rights_of(library: Path) -> list[str]:
    found: dict[str, str] = {}
    for source in sorted(library.rglob("*")):
        if source.suffix not in SOURCE_SUFFIXES or not source.is_file():
            continue
        head = HEAD.match(source.read_text(encoding="utf-8", errors="replace"))
        for comment in COMMENT.findall(head.group(1)) if head else []:
            if SPEAKS_OF_RIGHTS.search(comment):
                text = plain(comment)
                found.setdefault(" ".join(text.split()), text)
    return list(found.values())


def main(source_folder: str, output_file: str) -> int:
    root = Path(source_folder)
    libraries = [entry for folder in LIBRARY_FOLDERS for entry in sorted((root / folder).glob("*")) if entry.is_dir()]
    if not libraries:
        print(f"{root}: found no third-party library, expected some under {LIBRARY_FOLDERS}", file=sys.stderr)
        return 1
    parts = ["Libraries compiled into libduckdb.so, with the notices at the head of their sources.\n"]
    for library in libraries:
        texts = rights_of(library) or ["(its sources carry no notice; DuckDB distributes it under its own MIT licence)"]
        parts.append(f"{'=' * 100}\n{library.name}\n{'=' * 100}\n\n" + "\n\n----\n\n".join(texts) + "\n")
    Path(output_file).write_text("\n".join(parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
