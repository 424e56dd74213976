"""docs/documents.md names every key and every function, and what its examples give is what they give."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "documents.md"
TENTER = Path(os.environ.get("TENTER_BIN", ROOT / "build" / "fast" / "bin" / "tenter"))
NOTHING = "–"


@dataclass
class Table:
    section: str
    header: list[str]
    rows: list[list[str]]


def cells(line: str) -> list[str]:
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [part.strip().replace("\\|", "|") for part in parts]


def tables(text: str) -> Iterator[Table]:
    section, table = "", None
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:]
        if not line.startswith("|"):
            if table:
                yield table
            table = None
        elif table is None:
            table = Table(section, cells(line), [])
        elif not line.startswith("|---"):
            table.rows.append(cells(line))
    if table:
        yield table


TABLES = list(tables(DOCUMENT.read_text("utf-8")))


def code(cell: str) -> str | None:
    """What a cell shows in back-ticks, spaces kept; the dash is no value."""
    if cell == NOTHING:
        return None
    assert len(cell) > 1 and cell[0] == cell[-1] == "`", f"expected one piece of code or {NOTHING}, found {cell}"
    return cell[1:-1]


def examples() -> Iterator[tuple[str, str | None]]:
    for table in TABLES:
        for at, name in enumerate(table.header):
            to = re.fullmatch(r"as `(.*)` gives", name)
            if not to and name != "gives":
                continue
            for row in table.rows:
                text = code(row[table.header.index("text" if to else "example")])
                assert text is not None
                yield (f"try_cast('{text}' as {to[1]})" if to else text), code(row[at])


def test_every_example_gives_what_is_shown(tmp_path: Path) -> None:
    shown = list(dict.fromkeys(examples()))
    assert len(shown) > 100
    documents = tmp_path / "Lakehouse" / "Shop" / "Tables"
    documents.mkdir(parents=True)
    (tmp_path / "a.csv").write_text("id\n1\n")
    (documents / "bronze.raw.yml").write_text("Description: As sent.\nLanding: a.csv\n")
    contract: dict[str, Any] = {
        "Description": "Examples.",
        "Owner": "Data team",
        "From": "bronze.raw",
        "Primary key": "id",
        "Schema": {"id": "int"} | {f"e{i}": "string" for i in range(len(shown))},
        "Clean": {f"e{i}": f"cast({example} as string)" for i, (example, _) in enumerate(shown)},
    }
    (documents / "silver.t.yml").write_text(json.dumps(contract, ensure_ascii=False, indent=1))
    for arguments in (["init"], ["load"], ["sql", "--json", "select * from silver.t"]):
        done = subprocess.run([TENTER, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)["result"]
    given = dict(zip((column["name"] for column in result["columns"]), result["rows"][0], strict=True))
    wrong = [
        f"{example} gives {given[f'e{i}']!r}, shown {gives!r}"
        for i, (example, gives) in enumerate(shown)
        if given[f"e{i}"] != gives
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_smallest_documents_of_the_readme_are_whole(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"^## Write your own\n.*?^```yaml\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert block
    parts = re.split(r"^# (\S+\.yml)\n", block[1], flags=re.MULTILINE)[1:]
    assert len(parts) == 4
    for path, text in zip(parts[::2], parts[1::2], strict=True):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    landing = tmp_path / "landing" / "things"
    landing.mkdir(parents=True)
    (landing / "a.csv").write_text("thing_id,name\n1,lamp\n")
    done = [subprocess.run([TENTER, verb], cwd=tmp_path, capture_output=True, text=True) for verb in ("init", "load")]
    assert [one.returncode for one in done] == [0, 0], done
    assert "loaded, version 1" in done[1].stdout


def named(header: str, section: str | None = None, among: list[Table] = TABLES) -> list[str]:
    found = [
        name
        for table in among
        if table.header[0] == header and section in (None, table.section)
        for row in table.rows
        for name in re.findall(r"`([^`]+)`", row[0])
    ]
    assert found, f"no table whose first column is {header} in {section}"
    return found


def test_the_functions_are_those_of_the_source() -> None:
    source = (ROOT / "src" / "sql" / "src" / "functions.cpp").read_text("utf-8")
    known = re.findall(r'\{"(\w+)", Id::\w+', source)
    assert len(known) > 40
    assert sorted(named("function")) == sorted(known)


def test_each_function_has_an_example_of_itself() -> None:
    table = next(table for table in TABLES if table.header[0] == "function")
    for row in table.rows:
        assert any(f"{name}(" in row[1] for name in re.findall(r"`([^`]+)`", row[0])), row


def properties(file: str, *path: str) -> list[str]:
    node = json.loads((ROOT / "docs" / "schema" / file).read_text("utf-8"))
    for part in path:
        node = node[part]
    return sorted(node["properties"])


@pytest.mark.parametrize(
    ("header", "section", "file", "path"),
    [
        ("key", "A project", "tenter.schema.json", ()),
        ("key", "The landing document", "table.schema.json", ("$defs", "landing")),
        ("key", "The contract", "table.schema.json", ("$defs", "contract")),
        ("key of a column", "A column", "table.schema.json", ("$defs", "column", "anyOf", 1)),
    ],
)
def test_the_keys_are_those_of_the_schema(header: str, section: str, file: str, path: tuple[str, ...]) -> None:
    """The schema's keys are compared with the reader's by a test of room contract."""
    assert sorted(named(header, section)) == properties(file, *path)


def test_the_options_of_csv_are_those_of_the_schema() -> None:
    path = ("$defs", "csv", "anyOf", 1, "properties", "csv", "anyOf", 1)
    assert sorted(set(named("csv option"))) == sorted({*properties("table.schema.json", *path)})


def test_the_gates_are_those_that_there_are() -> None:
    errors = (ROOT / "docs" / "errors.md").read_text("utf-8")
    gates = set(re.findall(r"^\| `(gate\.\w+)`", errors, re.MULTILINE))
    batches = list(tables((ROOT / "docs" / "batches.md").read_text("utf-8")))
    assert sorted(named("code", None, batches)) == sorted(gates)
