"""Rules on code: sizes, names, and calls that have a better replacement here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from house.rules_rooms import includes
from house.third_party import library_of
from house.tree import Finding, Tree, line_of, rule

FUNCTION_LINES = 70
FILE_LINES = 600
LINE_COLUMNS = 120
GENERATED = {
    "tools/requirements.txt",
    "tools/sail/requirements.txt",
    "tools/spark/requirements.txt",
    "tools/duckdb/package-lock.json",
}


@rule("file-length", f"a file of code has at most {FILE_LINES} lines")
def file_length(tree: Tree) -> Iterator[Finding]:
    for path in tree.code:
        count = len(tree.lines(path)) - 1
        if count > FILE_LINES:
            yield Finding(path, FILE_LINES, f"{count} lines: split it by what its parts mean")


@rule("line-length", f"a line of code has at most {LINE_COLUMNS} columns")
def line_length(tree: Tree) -> Iterator[Finding]:
    for path in tree.code:
        for number, line in enumerate(tree.lines(path), 1):
            if len(line) > LINE_COLUMNS:
                yield Finding(path, number, f"{len(line)} columns")


def cpp_functions(code: str) -> Iterator[tuple[int, int]]:
    """First and last line of each function body in stripped code, by counting braces outside of scopes."""
    depth_in_function = 0
    start = 0
    since = 0  # where the text before the next brace begins
    for match in re.finditer(r"[{};]", code):
        char, at = match.group(0), match.start()
        if depth_in_function:
            depth_in_function += {"{": 1, "}": -1}.get(char, 0)
            if depth_in_function == 0:
                yield start, line_of(code, at)
        elif char == "{":
            head = code[since:at].strip()
            is_scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b", head) and not head.endswith(")")
            is_data = head.endswith("=") or "(" not in head
            if not is_scope and not (is_data and head):
                depth_in_function = 1
                start = line_of(code, since + len(code[since:at]) - len(code[since:at].lstrip()))
            elif not is_scope:
                depth_in_function = 1
                start = 10**9  # data: a table may be long
        since = at + 1


@rule("function-length", f"a function fits a screen: at most {FUNCTION_LINES} lines")
def function_length(tree: Tree) -> Iterator[Finding]:
    for path, code in tree.stripped_code.items():
        for first, last in cpp_functions(code):
            if last - first + 1 > FUNCTION_LINES:
                yield Finding(path, first, f"function of {last - first + 1} lines")
    for path in tree.with_suffix(".py"):
        for node in ast.walk(ast.parse(tree.text(path))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    yield Finding(path, node.lineno, f"function {node.name} of {length} lines")
    for path in [one for one in tree.code if one.endswith(".sh") or not Path(one).suffix]:
        for match in re.finditer(r"^(\w+)\(\) \{\n(.*?)^\}", tree.text(path), re.MULTILINE | re.DOTALL):
            length = match.group(0).count("\n") + 1
            if length > FUNCTION_LINES:
                yield Finding(
                    path, line_of(tree.text(path), match.start()), f"function {match.group(1)} of {length} lines"
                )


@dataclass(frozen=True)
class Ban:
    pattern: str
    instead: str
    rooms: tuple[str, ...] = ()  # where it is allowed; engine owns what it hands to a C interface
    in_tests: bool = False  # banned in tests as well


BANS = (
    Ban(r"\bsystem_clock\b|\bsteady_clock\b|\bhigh_resolution_clock\b", "world::Clock", ("world",), True),
    Ban(r"\b(std::)?(local|gm|mk)time(_r)?\s*\(|\bstd::time\s*\(|\btime\s*\(\s*(NULL|nullptr|0)\s*\)", "base/time.h"),
    Ban(r"\bsleep_(for|until)\b|\bu?sleep\s*\(", "world::Clock, which a test moves by hand", (), True),
    Ban(r"\bf?open\s*\(\s*\"|\bfopen\s*\(|\bstd::[io]?fstream\b|\bfreopen\s*\(", "world::Files", ("world",)),
    Ban(r"\bstd::filesystem\b|\bstd::(rename|remove)\s*\(\s*\"", "world::Files", ("world",)),
    Ban(r"\bs?rand\s*\(|\brandom_device\b", "world::Random", ("world",)),
    Ban(r"\b(std::|secure_)?getenv\s*\(|\bsetenv\s*\(", "world::World::variable", ("world",)),
    Ban(r"\bduckdb_\w+\s*\(", "engine::Connection", ("engine",)),
    Ban(
        r"\bstd::c(out|err|log)\b|(?<![\w:])(std::)?(f?printf|f?puts|putchar)\s*\(",
        "a returned value that app prints",
        ("app", "main"),
    ),
    Ban(
        r"\bstd::sto(i|l|ll|ul|ull|f|d|ld)\b|\b(std::)?(ato[fil]|strto(d|f|l|ll|ul|ull))\s*\(",
        "std::from_chars or base/text.h",
    ),
    Ban(r"\bstd::regex\b|\bstd::regex_", "RE2, in the rooms that name it"),
    Ban(r"\bthrow\b(?!\s*\()", "base::fail"),
    Ban(r"(?m)^(?!.*_ptr<).*(?<!operator )\bnew\s+[A-Za-z_:]", "std::make_unique", ("engine",)),
    Ban(r"(?<!operator )\bdelete\s+[A-Za-z_*(]|\bdelete\s*\[\]", "a std::unique_ptr with its deleter", ("engine",)),
    Ban(r"\b(malloc|calloc|realloc)\s*\(", "a container"),
    Ban(r"\b(std::)?(system|popen|fork|execv?p?e?)\s*\(", "nothing: no process is started here"),
    Ban(r"\bstd::(exit|abort|terminate|quick_exit)\s*\(|\b_exit\s*\(", "base::fail", ("app",)),
    Ban(r"\bstd::format\b", "fmt::format or base/text.h (the compiler has no std::format)"),
    Ban(r"\bsetlocale\s*\(|\bstd::locale\b", "bytes as they are", ()),
    Ban(r"\busing\s+namespace\b", "the full name", (), True),
)


@rule("banned-calls", "no call that has a better replacement in this house")
def banned_calls(tree: Tree) -> Iterator[Finding]:
    for path, code in tree.stripped_code.items():
        parts = path.split("/")
        in_test = len(parts) > 2 and parts[2] == "test"
        for ban in BANS:
            if parts[0] != "src" or {parts[1], parts[2]} & {*ban.rooms} or (in_test and not ban.in_tests):
                continue
            for match in re.finditer(ban.pattern, code):
                yield Finding(path, line_of(code, match.start()), f"'{match.group(0).strip()}': use {ban.instead}")


@rule("caught-where-wrapped", "an exception is caught only in the file that includes the library that throws it")
def caught_where_wrapped(tree: Tree) -> Iterator[Finding]:
    for path, code in tree.stripped_code.items():
        parts = path.split("/")
        if parts[0] != "src" or parts[2] == "test" or any(library_of(name[1:-1]) for _, name in includes(tree, path)):
            continue
        for match in re.finditer(r"\bcatch\s*\(", code):
            yield Finding(path, line_of(code, match.start()), "catch in a file that includes no throwing library")


VAGUE = re.compile(r"(^|_)(util|utils|helper|helpers|manager|common|misc|stuff)(_|$)")


@rule("plain-names", "no file, folder or type is called util, helper, manager or common")
def plain_names(tree: Tree) -> Iterator[Finding]:
    for path in tree.code:
        if any(VAGUE.search(part) for part in Path(path).with_suffix("").parts):
            yield Finding(path, 1, "a vague name: say what is in it")
    for path, code in tree.stripped_code.items():
        for match in re.finditer(r"\b(?:class|struct)\s+(\w*(?:Util|Helper|Manager|Common)s?\w*)", code):
            yield Finding(path, line_of(code, match.start()), f"a vague name: {match.group(1)}")


UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "HA" + "CK")) + r")\b")


@rule("unfinished", "no mark of unfinished work is left in the sources or documents")
def unfinished(tree: Tree) -> Iterator[Finding]:
    for path in {*tree.code, *tree.with_suffix(".md", ".json", ".yml")} - GENERATED:
        for number, line in enumerate(tree.lines(path), 1):
            if match := UNFINISHED.search(line):
                yield Finding(path, number, f"'{match.group(0)}': finish it, or write down the gap where gaps are kept")


ASSERTION = re.compile(r"\b(EXPECT|ASSERT)_\w+|\bFAIL\(|\bADD_FAILURE\(|\bRC_ASSERT|\b(expect|check|assert)_?\w*\s*\(")


@rule("tests-assert", "every test asserts something")
def tests_assert(tree: Tree) -> Iterator[Finding]:
    for path, code in tree.stripped_code.items():
        if not re.match(r"src/[^/]+/test/", path):
            continue
        for match in re.finditer(r"^TEST(?:_F|_P)?\(([^)]*)\)\s*\{(.*?)^\}", code, re.MULTILINE | re.DOTALL):
            if not ASSERTION.search(match.group(2)):
                yield Finding(path, line_of(code, match.start()), f"TEST({match.group(1)}) asserts nothing")
