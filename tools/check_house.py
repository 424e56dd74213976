"""The house rules, checked by program.

python tools/check_house.py [--count FILE]    look at this checkout
python tools/check_house.py --self-test       see every rule fail on bad input, and pass on good
python tools/check_house.py --list            the rules
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import house.rules_code
import house.rules_repository
import house.rules_rooms  # noqa: F401  (importing a module registers its rules)
from house.self_test import self_test
from house.tree import RULES, Tree


def check(root: Path, count_file: Path | None) -> int:
    tree = Tree(root)
    failed = 0
    for one in RULES:
        findings = sorted(one.find(tree), key=lambda finding: (finding.path, finding.line))
        if findings:
            failed += 1
            print(f"{one.name}: {one.says}")
            for finding in findings:
                print(f"  {finding.path}:{finding.line}: {finding.text}")
    print(f"house rules: {len(RULES) - failed} hold, {failed} broken, over {len(tree.files)} files")
    if count_file:
        count_file.write_text(f"house {len(RULES) - failed} {failed} 0\n", encoding="utf-8")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--count", type=Path, metavar="FILE", help="append PASSED FAILED SKIPPED for the test tally")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        for one in RULES:
            print(f"{one.name:22} {one.says}")
        return 0
    if arguments.self_test:
        return self_test()
    return check(arguments.root, arguments.count)


if __name__ == "__main__":
    sys.exit(main())
