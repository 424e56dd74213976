"""What the rules look at: the files of a checkout, their text, and the rooms as CMake declares them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

NOT_OURS = {".git", "build", ".tenter", ".cache", ".venv", "__pycache__", ".pytest_cache", ".ruff_cache"}
CODE_SUFFIXES = {".cpp", ".h", ".py", ".sh", ".cmake"}


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Room:
    name: str
    face_uses: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    third_party: tuple[str, ...] = ()
    test_uses: tuple[str, ...] = ()
    test_third_party: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    name: str
    says: str
    find: Callable[[Tree], Iterator[Finding]]


RULES: list[Rule] = []


def rule(name: str, says: str) -> Callable[[Callable[[Tree], Iterator[Finding]]], Callable[[Tree], Iterator[Finding]]]:
    def register(find: Callable[[Tree], Iterator[Finding]]) -> Callable[[Tree], Iterator[Finding]]:
        RULES.append(Rule(name, says, find))
        return find

    return register


_ROOM_CALL = re.compile(r"tenter_room\(([^)]*)\)")
_KEYWORDS = ("FACE_USES", "USES", "THIRD_PARTY", "TEST_USES", "TEST_THIRD_PARTY")


def parse_room(cmake: str) -> Room | None:
    call = _ROOM_CALL.search(re.sub(r"#.*", "", cmake))
    if not call:
        return None
    name, *words = call.group(1).split()
    lists: dict[str, list[str]] = {keyword: [] for keyword in _KEYWORDS}
    current: list[str] = []
    for word in words:
        if word in lists:
            current = lists[word]
        else:
            current.append(word)
    return Room(name, *(tuple(lists[keyword]) for keyword in _KEYWORDS))


@dataclass
class Tree:
    root: Path
    texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def files(self) -> list[str]:
        """Paths from the top, without build output: what git tracks or would, else what lies there."""
        if (self.root / ".git").exists() and shutil.which("git"):
            git = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"],
                capture_output=True,
                check=False,
            )
            if git.returncode == 0:
                names = git.stdout.decode("utf-8", errors="replace").split("\0")
                return sorted(name for name in names if name and (self.root / name).is_file())
        found = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return sorted(str(path) for path in found if not NOT_OURS & set(path.parts))

    def text(self, path: str) -> str:
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self.texts[path]

    def lines(self, path: str) -> list[str]:
        return self.text(path).split("\n")

    def with_suffix(self, *suffixes: str) -> list[str]:
        return [path for path in self.files if Path(path).suffix in suffixes]

    @cached_property
    def code(self) -> list[str]:
        """Files that people write as programs; the few without a suffix start with `#!`."""
        return [path for path in self.files if Path(path).suffix in CODE_SUFFIXES or self._is_script(path)]

    def _is_script(self, path: str) -> bool:
        if Path(path).suffix:
            return False
        with (self.root / path).open("rb") as file:
            return file.read(2) == b"#!"

    @cached_property
    def rooms(self) -> dict[str, Room]:
        rooms: dict[str, Room] = {}
        for path in self.files:
            if re.fullmatch(r"src/[^/]+/CMakeLists\.txt", path):
                room = parse_room(self.text(path))
                if room:
                    rooms[room.name] = room
        return rooms

    def room_of(self, path: str) -> Room | None:
        parts = path.split("/")
        return self.rooms.get(parts[1]) if len(parts) > 2 and parts[0] == "src" else None

    @cached_property
    def stripped_code(self) -> dict[str, str]:
        return {path: strip_cpp(self.text(path)) for path in self.with_suffix(".cpp", ".h")}


_CPP_NOISE = re.compile(
    r'''R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'''  # a raw string
    r"|//[^\n]*|/\*.*?\*/"
    r'''|"(?:\\.|[^"\\\n])*"'''
    r"""|(?<![\w'])'(?:\\.|[^'\\\n])+'""",  # a character, not a digit separator
    re.DOTALL,
)


def strip_cpp(text: str) -> str:
    """The code with comments and the insides of literals blanked; lines stay where they were."""

    def blank(match: re.Match[str]) -> str:
        noise = match.group(0)
        if noise.startswith(("//", "/*")):
            return re.sub(r"[^\n]", " ", noise)
        return '"' + re.sub(r"[^\n]", " ", noise)[2:] + '"' if len(noise) > 1 else noise

    return _CPP_NOISE.sub(blank, text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
