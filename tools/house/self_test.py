"""Every rule is seen to fail: a small good checkout breaks no rule, and each spoiled copy breaks the rule it is for."""

from __future__ import annotations

import tempfile
from pathlib import Path

from house.tree import RULES, Tree

GOOD = {
    "CMakeLists.txt": "add_subdirectory(src/low)\nadd_subdirectory(src/high)\n",
    "README.md": "# Good\n\nSee [the low room](src/low/README.md) and `src/high/README.md`.\n",
    "DEPENDENCIES.md": "| what | why | licence | how to remove |\n|---|---|---|---|\n"
    "| `apt:libfmt-dev` | text | MIT | change src/high |\n| `apt:libgtest-dev` | tests | BSD-3 | none |\n",
    "tools/packages.txt": "# group package\nbuild libfmt-dev\nbuild libgtest-dev\n",
    "src/low/README.md": "# low\n",
    "src/low/CMakeLists.txt": "tenter_room(low)\n",
    "src/low/include/low/low.h": "// Low.\n#pragma once\n\n#include <string>\n\nnamespace low {\nint low();\n}\n",
    "src/low/src/low.cpp": "#include <low/low.h>\n\nnamespace low {\nint low() {\n  return 1;\n}\n}\n",
    "src/low/test/low_test.cpp": "#include <gtest/gtest.h>\n#include <low/low.h>\n\n"
    "TEST(low, gives_one) {\n  EXPECT_EQ(low::low(), 1);\n}\n",
    "src/world/README.md": "# world\n",
    "src/world/CMakeLists.txt": "tenter_room(world)\n",
    "src/world/include/world/world.h": "#pragma once\n\n#include <string>\n",
    "src/world/src/world.cpp": "#include <unistd.h>\n\n#include <world/world.h>\n",
    "src/world/test/world_test.cpp": "#include <gtest/gtest.h>\n\nTEST(world, turns) {\n  EXPECT_TRUE(true);\n}\n",
    "src/high/README.md": "# high\n",
    "src/high/CMakeLists.txt": "tenter_room(high FACE_USES low USES world THIRD_PARTY fmt::fmt)\n",
    "src/high/include/high/high.h": "#pragma once\n\n#include <vector>\n\n#include <low/low.h>\n",
    "src/high/src/inner.h": "#pragma once\n",
    "src/high/src/high.cpp": '#include <fmt/core.h>\n#include <world/world.h>\n\n#include "inner.h"\n',
    "src/high/test/high_test.cpp": "#include <gtest/gtest.h>\n\nTEST(high, is_high) {\n  EXPECT_TRUE(true);\n}\n",
}


def marked(*parts: str) -> str:
    """Words that a rule bans, kept out of this file's own text."""
    return "".join(parts)


LONG_BODY = "  f();\n" * 80

# rule, path, content: what is written over (or added to) the good checkout. None removes the file.
BAD: list[tuple[str, str, str | None]] = [
    ("face-includes", "src/low/include/low/low.h", "#pragma once\n#include <fmt/core.h>\n"),
    ("face-includes", "src/low/include/low/low.h", "#pragma once\n#include <high/high.h>\n"),
    ("face-includes", "src/high/include/high/high.h", "#pragma once\n#include <world/world.h>\n"),
    ("face-includes", "src/high/include/high/high.h", '#pragma once\n#include "inner.h"\n'),
    ("face-includes", "src/low/include/low/low.h", "#pragma once\n#include <sqlite3.h>\n"),
    ("source-includes", "src/low/src/low.cpp", "#include <high/high.h>\n"),
    ("source-includes", "src/low/src/low.cpp", '#include "inner.h"\n'),
    ("source-includes", "src/low/src/low.cpp", "#include <nlohmann/json.hpp>\n"),
    ("source-includes", "src/low/src/low.cpp", "#include <unistd.h>\n"),
    ("source-includes", "src/low/src/low.cpp", "#include <gtest/gtest.h>\n"),
    ("source-includes", "src/low/src/low.cpp", "#include <unheard/of.h>\n"),
    ("libraries-used", "src/high/src/high.cpp", '#include <world/world.h>\n#include "inner.h"\n'),
    ("libraries-used", "src/high/src/high.cpp", '#include <fmt/core.h>\n#include "inner.h"\n'),
    ("room-shape", "src/low/README.md", None),
    ("room-shape", "src/low/test/low_test.cpp", None),
    ("compiled", "src/low/src/deeper/lost.cpp", "int lost = 1;\n"),
    ("compiled", "tools/lost.cpp", "int lost = 1;\n"),
    ("headers-once", "src/high/src/inner.h", "int inner();\n"),
    ("file-length", "src/low/src/low.cpp", "int f();\n" * 601),
    ("line-length", "src/low/src/low.cpp", "// " + "x" * 118 + "\n"),
    ("function-length", "src/low/src/low.cpp", "namespace low {\nvoid long_one() {\n" + LONG_BODY + "}\n}\n"),
    ("function-length", "src/low/src/low.cpp", "struct A {\n  A() : a_(1) {\n" + LONG_BODY + "  }\n  int a_;\n};\n"),
    ("function-length", "tools/long.py", "def long() -> None:\n" + "    f()\n" * 80),
    ("function-length", "tools/long.sh", "long() {\n" + "  true\n" * 80 + "}\n"),
    ("banned-calls", "src/low/src/low.cpp", "auto t = std::chrono::system_clock::now();\n"),
    ("banned-calls", "src/low/src/low.cpp", "std::ifstream file(path);\n"),
    ("banned-calls", "src/low/src/low.cpp", 'auto f = fopen("a", "r");\n'),
    ("banned-calls", "src/low/src/low.cpp", "int r = rand();\n"),
    ("banned-calls", "src/low/src/low.cpp", "std::this_thread::sleep_for(1s);\n"),
    ("banned-calls", "src/low/src/low.cpp", "auto x = duckdb_open(path, &db);\n"),
    ("banned-calls", "src/low/src/low.cpp", 'void f() { std::cout << "x"; }\n'),
    ("banned-calls", "src/low/src/low.cpp", 'auto v = std::getenv("HOME");\n'),
    ("banned-calls", "src/low/src/low.cpp", "void f() { throw Wrong(); }\n"),
    ("banned-calls", "src/low/src/low.cpp", "auto p = new Thing;\n"),
    ("banned-calls", "src/low/src/low.cpp", "int n = std::stoi(text);\n"),
    ("banned-calls", "src/low/test/low_test.cpp", "void f() { std::this_thread::sleep_for(1s); }\n"),
    ("caught-where-wrapped", "src/low/src/low.cpp", "void f() {\n  try {\n  } catch (...) {\n  }\n}\n"),
    ("plain-names", "src/low/src/string_utils.cpp", "int f();\n"),
    ("plain-names", "src/low/src/low.cpp", "class TableManager {};\n"),
    ("unfinished", "src/low/src/low.cpp", marked("// TO", "DO: more\n")),
    ("unfinished", "README.md", marked("FIX", "ME\n")),
    ("tests-assert", "src/low/test/low_test.cpp", "TEST(low, only_runs) {\n  low::low();\n}\n"),
    ("small-files", "docs/big.txt", "x" * (256 * 1024) + "\n"),
    ("links", "README.md", "[gone](docs/gone.md)\n"),
    ("links", "README.md", "`src/low/src/gone.cpp`\n"),
    ("speaks-of-itself", "README.md", marked("It lies in /ro", "ot/tenter.\n")),
    ("speaks-of-itself", "README.md", marked("From registry.", "npmjs.org\n")),
    ("speaks-of-itself", "README.md", marked("See iss", "ue 12.\n")),
    ("dependencies", "tools/packages.txt", "build libfmt-dev\nbuild libgtest-dev\nbuild ninja-build\n"),
    ("dependencies", "tools/packages.txt", "build libgtest-dev\n"),
    (
        "dependencies",
        "DEPENDENCIES.md",
        "| `apt:libfmt-dev` | text | | |\n| `apt:libgtest-dev` | tests | BSD | none |\n",
    ),
    ("libraries-described", "tools/packages.txt", "build libgtest-dev\n"),
    ("libraries-described", "tools/packages.txt", "build libfmt-dev\nbuild libgtest-dev\nbuild libre2-dev\n"),
    ("readmes-short", "src/low/README.md", "# low\n" + "words\n" * 90),
    ("clean-text", "src/low/src/low.cpp", "int f(); \n"),
    ("clean-text", "src/low/src/low.cpp", "int f();\n\n"),
]


def write(root: Path, files: dict[str, str]) -> None:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")


def broken_rules(files: dict[str, str]) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), files)
        tree = Tree(Path(folder))
        found = {one.name: [f"{f.path}:{f.line}: {f.text}" for f in one.find(tree)] for one in RULES}
        return {name: findings for name, findings in found.items() if findings}


def self_test() -> int:
    wrong: list[str] = []
    for name, findings in broken_rules(GOOD).items():
        wrong.append(f"the good checkout breaks {name}: {findings}")
    for name, path, content in BAD:
        files = {key: value for key, value in GOOD.items() if key != path}
        if content is not None:
            files[path] = content
        if name not in broken_rules(files):
            wrong.append(f"{name} does not see what is wrong with {path}: {content!r:.100}")
    for name in sorted({one.name for one in RULES} - {name for name, _, _ in BAD}):
        wrong.append(f"{name} has no bad example")
    for line in wrong:
        print(line)
    print(f"house self-test: {len(RULES)} rules, {len(BAD)} bad examples, {len(wrong)} wrong")
    return 1 if wrong else 0
