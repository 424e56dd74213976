"""A wrong include fails the build: rooms made with the real tenter_room, one spoiled at a time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

GOOD = {
    "CMakeLists.txt": f"""cmake_minimum_required(VERSION 3.25)
project(scratch LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{REPOSITORY}/cmake")
set(TENTER_PCH OFF)
set(TENTER_TESTS OFF)
include(options)
include(rooms)
set(TENTER_ALL_ROOMS low side mid high)
foreach(room IN LISTS TENTER_ALL_ROOMS)
  add_subdirectory(src/${{room}})
endforeach()
""",
    "src/low/CMakeLists.txt": "tenter_room(low)\n",
    "src/low/include/low/low.h": "#pragma once\nnamespace low { struct Low { int value; }; }\n",
    "src/low/src/hidden.h": "#pragma once\n",
    "src/low/src/low.cpp": '#include <low/low.h>\n#include "hidden.h"\n',
    "src/side/CMakeLists.txt": "tenter_room(side)\n",
    "src/side/include/side/side.h": "#pragma once\nnamespace side { int side(); }\n",
    "src/side/src/side.cpp": "#include <side/side.h>\nint side::side() { return 1; }\n",
    "src/mid/CMakeLists.txt": "tenter_room(mid FACE_USES low USES side)\n",
    "src/mid/include/mid/mid.h": "#pragma once\n#include <low/low.h>\nnamespace mid { low::Low mid(); }\n",
    "src/mid/src/mid.cpp": "#include <mid/mid.h>\n#include <side/side.h>\n"
    "low::Low mid::mid() { return {side::side()}; }\n",
    "src/high/CMakeLists.txt": "tenter_room(high USES mid)\n",
    "src/high/include/high/high.h": "#pragma once\nnamespace high { int high(); }\n",
    "src/high/src/high.cpp": "#include <high/high.h>\n#include <mid/mid.h>\n"
    "int high::high() { return mid::mid().value; }\n",
}

WRONG = {
    "upward": ("src/low/src/low.cpp", "#include <high/high.h>\n", "high/high.h"),
    "another room's private header": ("src/mid/src/mid.cpp", '#include "hidden.h"\n', "hidden.h"),
    "a private header by its path": ("src/mid/src/mid.cpp", "#include <low/hidden.h>\n", "low/hidden.h"),
    "a room that is not named": ("src/high/src/high.cpp", "#include <side/side.h>\n", "side/side.h"),
    "a face that needs what only USES names": (
        "src/mid/include/mid/mid.h",
        "#pragma once\n#include <low/low.h>\n#include <side/side.h>\nnamespace mid { low::Low mid(); }\n",
        "side/side.h",
    ),
    "a face that does not stand alone": (
        "src/high/include/high/high.h",
        "#pragma once\nnamespace high { std::string high(); }\n",
        "std",
    ),
    "a room named upward": ("src/low/CMakeLists.txt", "tenter_room(low USES high)\n", "does not stand below it"),
    "a room named by itself": ("src/low/CMakeLists.txt", "tenter_room(low USES low)\n", "does not stand below it"),
    "a word that tenter_room does not know": ("src/low/CMakeLists.txt", "tenter_room(low SEES high)\n", "unknown"),
}


def build(folder: Path, files: dict[str, str]) -> tuple[bool, str]:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    output = ""
    for command in (["cmake", "-S", ".", "-B", "out", "-G", "Ninja"], ["cmake", "--build", "out"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        output += done.stdout + done.stderr
        if done.returncode != 0:
            return False, output
    return True, output


def test_right_includes_build(tmp_path: Path) -> None:
    built, output = build(tmp_path, GOOD)
    assert built, output


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_include_fails_the_build(what: str, tmp_path: Path) -> None:
    path, content, named = WRONG[what]
    built, output = build(tmp_path, {**GOOD, path: content})
    assert not built, f"{what} built"
    assert named in output, output
