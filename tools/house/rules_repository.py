"""Rules on the repository as a whole: documents, sizes, dependencies, what it must not speak of."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

from house.rules_code import GENERATED
from house.rules_rooms import includes
from house.third_party import LIBRARIES, library_of
from house.tree import Finding, Tree, line_of, rule

BLOB_BYTES = 256 * 1024
DEPENDENCIES = "DEPENDENCIES.md"


@rule("small-files", f"no file is larger than {BLOB_BYTES // 1024} KiB")
def small_files(tree: Tree) -> Iterator[Finding]:
    for path in tree.files:
        size = (tree.root / path).stat().st_size
        if size > BLOB_BYTES:
            yield Finding(path, 1, f"{size} bytes: generate or fetch it instead")


LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
QUOTED_PATH = re.compile(r"`((?:src|docs|tools|cmake|cases|oracles|examples|bench|licences)/[\w./-]*[\w/])`")


@rule("links", "every relative link and path in a Markdown file leads somewhere")
def links(tree: Tree) -> Iterator[Finding]:
    for path in tree.with_suffix(".md"):
        text = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m.group(0)), tree.text(path), flags=re.M | re.S)
        here = (tree.root / path).parent
        for match in LINK.finditer(text):
            target = (match.group(1) or match.group(2)).split("#")[0]
            if not target or re.match(r"[a-z]+:", target):
                continue
            if not (here / target).exists():
                yield Finding(path, line_of(text, match.start()), f"the link '{target}' leads nowhere")
        for match in QUOTED_PATH.finditer(text):
            if not (tree.root / match.group(1)).exists() and not (here / match.group(1)).exists():
                yield Finding(path, line_of(text, match.start()), f"no such path: {match.group(1)}")


MACHINE_PATH = re.compile(
    r"(?<![\w.$}*~-])/(?:" + "|".join(("ro" + "ot", "wo" + "rk", "home/[a-z]\\w*", "Users/\\w+")) + r")(?:/|\b)"
)
HOSTS = re.compile(
    r"\b(?:"
    + "|".join(
        re.escape(".".join(parts))
        for parts in (
            ("registry", "npmjs", "org"),
            ("registry", "yarnpkg", "com"),
            ("pypi", "org"),
            ("files", "pythonhosted", "org"),
            ("repo1", "maven", "org"),
            ("repo", "maven", "apache", "org"),
            ("deb", "debian", "org"),
            ("proxy", "golang", "org"),
            ("static", "crates", "io"),
        )
    )
    + r")\b"
)
OFF_TOPIC = re.compile(r"\bissue\s+#?\d+\b|\bthis issue\b|\bthe lead\b", re.IGNORECASE)


@rule("speaks-of-itself", "no machine path, no registry host, no word about how the work was organised")
def speaks_of_itself(tree: Tree) -> Iterator[Finding]:
    for path in tree.files:
        if (tree.root / path).stat().st_size > BLOB_BYTES:
            continue
        for number, line in enumerate(tree.lines(path), 1):
            for pattern, what in (
                (MACHINE_PATH, "a machine's path"),
                (HOSTS, "a registry's host"),
                (OFF_TOPIC, "off topic"),
            ):
                if match := pattern.search(line):
                    yield Finding(path, number, f"{what}: '{match.group(0)}'")


def wanted_packages(tree: Tree) -> dict[str, str]:
    """Everything that set-up fetches, as `kind:name`, with the file that says so."""
    wanted: dict[str, str] = {}
    have = set(tree.files)
    if (path := "tools/packages.txt") in have:
        for line in tree.lines(path):
            words = line.split()
            if words and not words[0].startswith("#"):
                wanted[f"apt:{words[1]}"] = path
    folders = ("tools", "tools/sail", "tools/spark")
    for path in (*(f"{folder}/requirements.in" for folder in folders), "tools/flights/requirements.txt"):
        for name in re.findall(r"^([\w-]+)==", tree.text(path), re.MULTILINE) if path in have else ():
            wanted[f"pip:{name}"] = path
    if (path := "tools/duckdb/package.json") in have:
        package = json.loads(tree.text(path))
        for name in {**package.get("dependencies", {}), **package.get("optionalDependencies", {})}:
            wanted[f"npm:{name}"] = path
    if (path := "tools/spark/pom.xml") in have:
        space = "{http://maven.apache.org/POM/4.0.0}"
        for one in ElementTree.fromstring(tree.text(path)).iter(f"{space}dependency"):
            wanted[f"maven:{one.findtext(space + 'artifactId')}"] = path
    return wanted


def described_packages(tree: Tree) -> dict[str, int]:
    described: dict[str, int] = {}
    for number, line in enumerate(tree.lines(DEPENDENCIES), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        for name in re.findall(r"`((?:apt|pip|npm|maven):[^`]+)`", cells[0]) if line.startswith("|") else ():
            described[name] = number
    return described


@rule("dependencies", "DEPENDENCIES.md has one line for each thing that is fetched, and each is used")
def dependencies(tree: Tree) -> Iterator[Finding]:
    wanted = wanted_packages(tree)
    if not wanted:
        return
    if DEPENDENCIES not in tree.files:
        yield Finding(DEPENDENCIES, 1, "not there")
        return
    described = described_packages(tree)
    for name, path in wanted.items():
        if name not in described:
            yield Finding(path, 1, f"{name} has no line in {DEPENDENCIES}")
    for name, number in described.items():
        if name not in wanted:
            yield Finding(DEPENDENCIES, number, f"{name} is described and never fetched")
    for number, line in enumerate(tree.lines(DEPENDENCIES), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        is_entry = line.startswith("|") and re.search(r"`(?:apt|pip|npm|maven):", cells[0])
        if is_entry and (len(cells) != 4 or not all(cells)):
            yield Finding(DEPENDENCIES, number, "expected four cells: what, why, licence, how to remove")


@rule("libraries-described", "every library that is included is fetched, and every fetched library is included")
def libraries_described(tree: Tree) -> Iterator[Finding]:
    wanted = wanted_packages(tree)
    included: set[str] = set()
    for path in tree.with_suffix(".h", ".cpp"):
        for line, name in includes(tree, path):
            library = library_of(name[1:-1])
            if library:
                included.update(library.packages)
                if not set(library.packages) & wanted.keys():
                    yield Finding(path, line, f"{name} comes from {library.packages[0]}, which set-up does not fetch")
    if not included:
        return
    for library in LIBRARIES:
        for package in library.packages:
            if package in wanted and package not in included:
                yield Finding(wanted[package], 1, f"{package} is fetched and none of its headers is included")


@rule("readmes-short", "a room's README is at most a page")
def readmes_short(tree: Tree) -> Iterator[Finding]:
    for path in tree.files:
        if re.fullmatch(r"src/[^/]+/README\.md", path) and len(tree.lines(path)) > 80:
            yield Finding(path, 80, f"{len(tree.lines(path))} lines: a room's README is half a page")


@rule("clean-text", "text files end with one line end, have no trailing blanks, no tabs in code, no CR")
def clean_text(tree: Tree) -> Iterator[Finding]:
    for path in {*tree.code, *tree.with_suffix(".md", ".txt", ".json", ".yml")} - GENERATED:
        if (
            path.startswith(("cases/", "examples/"))
            or "/test/" in path
            and Path(path).suffix not in {".cpp", ".h", ".py"}
        ):
            continue
        text = tree.text(path)
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield Finding(path, text.count("\n") + 1, "expected exactly one line end at the end")
        for number, line in enumerate(tree.lines(path), 1):
            if line != line.rstrip() or "\r" in line:
                yield Finding(path, number, "blanks at the end of the line")
            elif "\t" in line and path in tree.code:
                yield Finding(path, number, "a tab")
