"""Rules on rooms: who may include what, and what every room has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from house.third_party import COMPILER, LIBRARIES, STANDARD, SYSTEM, library_of
from house.tree import Finding, Room, Tree, rule

INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', re.MULTILINE)
DOOR_TO_THE_SYSTEM = "world"


def includes(tree: Tree, path: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(tree.lines(path), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


@rule("face-includes", "a face header includes <standard> headers and faces of FACE_USES rooms, nothing else")
def face_includes(tree: Tree) -> Iterator[Finding]:
    for path in tree.with_suffix(".h"):
        room = tree.room_of(path)
        if not room or path.split("/")[2] != "include":
            continue
        allowed = {room.name, *room.face_uses}
        for line, included in includes(tree, path):
            name = included[1:-1]
            if included[0] == '"':
                yield Finding(path, line, f'"{name}" in a face: a face is included as <{room.name}/...>')
            elif STANDARD.fullmatch(name):
                continue
            elif name.split("/")[0] not in allowed:
                yield Finding(path, line, f"<{name}> in a face: expected a standard header or one of {sorted(allowed)}")


def outside_header(tree: Tree, room: Room, name: str, folder: str) -> str | None:
    """What is wrong with a third-party or system header in this room, if anything."""
    in_test = folder == "test"
    library = library_of(name)
    named = {*room.third_party, *(room.test_third_party if in_test else ())}
    if library:
        if not library.targets:
            return None if in_test else f"<{name}> outside a test"
        if named & set(library.targets):
            return None
        return f"<{name}>: room '{room.name}' does not name {' or '.join(library.targets)} in THIRD_PARTY"
    if SYSTEM.fullmatch(name):
        if folder in {"test", "main"} or room.name == DOOR_TO_THE_SYSTEM:
            return None
        return f"<{name}>: only room '{DOOR_TO_THE_SYSTEM}' talks to the system"
    if COMPILER.fullmatch(name) or f"/{name}" in tree.text(f"src/{room.name}/CMakeLists.txt"):
        return None
    return f"<{name}>: neither standard, nor a room, nor a library that tools/house/third_party.py knows"


@rule("source-includes", "a source includes only rooms and libraries that its room names")
def source_includes(tree: Tree) -> Iterator[Finding]:
    for path in tree.with_suffix(".h", ".cpp"):
        room = tree.room_of(path)
        if not room or path.split("/")[2] == "include":
            continue
        in_test = path.split("/")[2] == "test"
        allowed = {room.name, *room.face_uses, *room.uses, *(room.test_uses if in_test else ())}
        for line, included in includes(tree, path):
            name = included[1:-1]
            first = name.split("/")[0]
            if included[0] == '"':
                homes = [f"src/{room.name}/src/{name}", f"src/{room.name}/test/{name}"]
                if not any(home in tree.files for home in (homes if in_test else homes[:1])):
                    yield Finding(path, line, f"\"{name}\" is no private header of room '{room.name}'")
            elif STANDARD.fullmatch(name) or ("/" in name and first in allowed):
                continue
            elif first in tree.rooms:
                yield Finding(
                    path, line, f"<{name}>: room '{room.name}' names {sorted(allowed - {room.name})}, not '{first}'"
                )
            elif wrong := outside_header(tree, room, name, path.split("/")[2]):
                yield Finding(path, line, wrong)


# The one place that sees every room.
WIRING = "app"


@rule("libraries-used", "a room names no room (but app) and no library that it does not include")
def libraries_used(tree: Tree) -> Iterator[Finding]:
    for room in tree.rooms.values():
        seen = {
            included[1:-1]
            for path in tree.with_suffix(".h", ".cpp")
            if tree.room_of(path) == room
            for _, included in includes(tree, path)
        }
        if not seen:
            continue
        cmake = f"src/{room.name}/CMakeLists.txt"
        for target in (*room.third_party, *room.test_third_party):
            library = next((one for one in LIBRARIES if target in one.targets), None)
            if library is None:
                yield Finding(cmake, 1, f"'{target}' is not in tools/house/third_party.py")
            elif not any(re.fullmatch(library.headers, name) for name in seen):
                yield Finding(cmake, 1, f"'{target}' is named and never included")
        firsts = {name.split("/")[0] for name in seen if "/" in name}
        for used in (*room.face_uses, *room.uses, *room.test_uses):
            if used not in firsts and room.name != WIRING:
                yield Finding(cmake, 1, f"room '{used}' is named and never included")


@rule("room-shape", "every room has a README.md, a face, sources and a test")
def room_shape(tree: Tree) -> Iterator[Finding]:
    for name in tree.rooms:
        if f"src/{name}/README.md" not in tree.files:
            yield Finding(
                f"src/{name}", 1, "no README.md: half a page on purpose, face, invariants, where to start reading"
            )
        for folder, suffix, what in (
            ("include/" + name, ".h", "face"),
            ("src", ".cpp", "source"),
            ("test", ".cpp", "test"),
        ):
            prefix = f"src/{name}/{folder}/"
            if not any(path.startswith(prefix) and path.endswith(suffix) for path in tree.files):
                yield Finding(f"src/{name}", 1, f"no {what}: expected {prefix}*{suffix}")


@rule("compiled", "every .cpp is compiled by a CMake target")
def compiled(tree: Tree) -> Iterator[Finding]:
    cmake_files = [path for path in tree.files if path.endswith("CMakeLists.txt")]
    for path in tree.with_suffix(".cpp"):
        if re.fullmatch(r"src/[^/]+/(src|test)/[^/]+\.cpp", path) and tree.room_of(path):
            continue
        folders = [str(folder) for folder in Path(path).parents]
        beside = any(
            str(Path(path).relative_to(folder)) in tree.text(cmake)
            for cmake in cmake_files
            if (folder := str(Path(cmake).parent)) in folders
        )
        if not beside and not any(f"/{path}" in tree.text(cmake) for cmake in cmake_files):
            yield Finding(path, 1, "no CMake target compiles it")


@rule("headers-once", "every header starts with #pragma once after its comment")
def headers_once(tree: Tree) -> Iterator[Finding]:
    for path in tree.with_suffix(".h"):
        first = next((line for line in tree.stripped_code[path].split("\n") if line.strip()), "")
        if first.strip() != "#pragma once":
            yield Finding(path, 1, f"expected #pragma once first, found '{first.strip()}'")
