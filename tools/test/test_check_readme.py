"""The tours of the documents are compared with what appears, and a wrong line is seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[1] / "check_readme.py"

README = """# A program

```console
$ export PATH="$PWD/build/fast/bin:$PATH"
$ mkdir tour && cd tour
$ tenter one \\
    two
got one two
$ pwd | sed 's,.*/,,'
tour
```

Words between, and a file:

`a/b.yml`

```yaml
Key: "it's $HOME"
  deeper: `x`
```

```console
$ cat a/b.yml
Key: "it's $HOME"
  deeper: `x`
```

```yaml
shown: only
```

```console
$ false || echo "failed as it should" >&2
failed as it should
```
"""


@pytest.fixture
def tenter(tmp_path: Path) -> Path:
    binary = tmp_path / "bin" / "tenter"
    binary.parent.mkdir()
    binary.write_text('#!/bin/sh\necho "got $*"\n')
    binary.chmod(0o755)
    return binary


def check(readme: Path, tenter: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK), "--readme", str(readme), "--tenter", str(tenter), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_true_tour_passes(tmp_path: Path, tenter: Path) -> None:
    (tmp_path / "README.md").write_text(README)
    done = check(tmp_path / "README.md", tenter, "--count", str(tmp_path / "readme.count"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "readme.count").read_text() == "readme 6 0 0\n"


@pytest.mark.parametrize(
    ("shown", "untrue"),
    [("got one two", "got two"), ("tour\n```", "tower\n```"), ("failed as", "went as"), ("deeper", "higher")],
)
def test_a_tour_that_shows_something_else_fails(shown: str, untrue: str, tmp_path: Path, tenter: Path) -> None:
    before, _, after = README.rpartition(shown)
    (tmp_path / "README.md").write_text(before + untrue + after)
    done = check(tmp_path / "README.md", tenter)
    assert done.returncode == 1
    assert "1 print something else" in done.stdout


def test_update_writes_what_appears(tmp_path: Path, tenter: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(
        README.replace("got one two\n", "")
        .replace("  deeper: `x`\n```\n\n```yaml\nshown", "```\n\n```yaml\nshown")
        .replace("failed as it should\n```", "old\nlines\n```")
    )
    assert check(readme, tenter, "--update").returncode == 0
    assert readme.read_text() == README


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, tenter: Path) -> None:
    (tmp_path / "README.md").write_text(README.replace("`a/b.yml`", "`/dev/null/b.yml`"))
    done = check(tmp_path / "README.md", tenter)
    assert done.returncode == 1
    assert "/dev/null" in done.stdout


def test_every_document_is_compared(tmp_path: Path, tenter: Path) -> None:
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "more.md").write_text(README.replace("tour\n```", "tower\n```"))
    done = check(tmp_path / "README.md", tenter, "--readme", str(tmp_path / "more.md"))
    assert done.returncode == 1
    assert "README.md: 6 commands, 0 print" in done.stdout
    assert "more.md: 6 commands, 1 print" in done.stdout


def test_a_readme_without_a_tour_fails(tmp_path: Path, tenter: Path) -> None:
    (tmp_path / "README.md").write_text("# Nothing\n")
    assert check(tmp_path / "README.md", tenter).returncode == 1
