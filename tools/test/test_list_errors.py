"""The list of error codes must see every way in which the sources raise one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOOLS))

from list_errors import argument_after, exit_code, page, scan  # noqa: E402

SOURCE = """
// fail(Kind::io, "load.comment", "never listed");
base::Error wrong(std::string code, std::string message) {
  return {Kind::corrupt, std::move(code), std::move(message), {}, {}};
}
base::Status one(const std::string& name) {
  if (name == "load.compared") return {};
  if (name.empty()) return base::fail(Kind::denied, "load.direct", "no name, \\"" + name + "\\" was given", "hint");
  if (name == "a") return base::fail(base::Error{Kind::io, "load.braces", name + " is a", {}, {}});
  if (name == "b") return base::fail(wrong("load.helper", "b, too"));
  examination.compare("verify.found", table, version);
  const std::string file = "delta.constraints." + name + "control.db";
  return base::fail(Kind::invalid, "load.direct", "again");
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "load" / "src"
    folder.mkdir(parents=True)
    (folder / "one.cpp").write_text(SOURCE)
    tests = tmp_path / "src" / "load" / "test"
    tests.mkdir()
    (tests / "one_test.cpp").write_text('fail(Kind::io, "load.in_a_test", "no");')
    return tmp_path


def test_every_form_is_found_with_its_kind(root: Path) -> None:
    found = {code: (entry.kinds, entry.message) for code, entry in scan(root).items()}
    assert found == {
        "load.direct": ({"denied", "invalid"}, 'no name, "…" was given'),
        "load.braces": ({"io"}, "… is a"),
        "load.helper": ({"corrupt"}, "b, too"),
        "verify.found": ({"finding"}, ""),
    }


def test_the_page_names_exit_codes_and_files(root: Path) -> None:
    text = page(scan(root))
    assert "| `load.braces` | io | 3 | src/load/src/one.cpp | … is a |" in text
    assert "| `load.direct` | denied, invalid | 1 |" in text


@pytest.mark.parametrize(
    ("code", "kind", "exit_with"),
    [("usage.x", "invalid", 2), ("world.io", "io", 3), ("world.not_found", "not_found", 1), ("a.b", "conflict", 3)],
)
def test_exit_codes_follow_the_kind(code: str, kind: str, exit_with: int) -> None:
    assert exit_code(code, kind) == exit_with


def test_an_argument_ends_at_its_comma() -> None:
    assert argument_after(' "a, b" + f(x, "y") + "c", "hint")', 0) == "a, b…c"
    assert argument_after(' std::string("a ") + b)', 0) == "a …"


def test_the_page_in_the_repository_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(TOOLS / "list_errors.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
