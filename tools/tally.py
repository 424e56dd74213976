"""Adds up what the test runners reported and prints `N passed, N failed[, N skipped]`.

    python tally.py RESULTS [--has-failure NAME]

RESULTS holds `gtest/*.json` from GoogleTest, `*.xml` in JUnit form from ctest and pytest, and
`*.count` files of lines `NAME PASSED FAILED SKIPPED`. With --has-failure it prints nothing and
exits 0 when the reports called NAME hold a failure already.
"""

from __future__ import annotations

import argparse
import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: Count) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def of_gtest(report: Path) -> Count:
    count = Count()
    for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                count.failed += 1
            elif case["status"] == "NOTRUN" or case.get("result") == "SKIPPED":
                count.skipped += 1
            else:
                count.passed += 1
    return count


def of_junit(report: Path) -> Count:
    count = Count()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            count.failed += 1
        elif "skipped" in kinds:
            count.skipped += 1
        else:
            count.passed += 1
    return count


def of_counts(report: Path) -> Count:
    count = Count()
    for line in report.read_text(encoding="utf-8").splitlines():
        _, passed, failed, skipped = line.split()
        count.add(Count(int(passed), int(failed), int(skipped)))
    return count


def of_ctest(results: Path) -> Count:
    """Single GoogleTest cases; a program that ended badly without a failed case is one failure more."""
    count = Count()
    reported = results / "gtest"
    with_failure = set()
    for report in sorted(reported.glob("*.json")):
        one = of_gtest(report)
        count.add(one)
        if one.failed:
            with_failure.add(report.stem)
    junit = results / "ctest.xml"
    if not junit.exists():
        return count
    for case in ElementTree.parse(junit).iter("testcase"):
        program = f"{case.get('name')}_test"
        if case.get("status") == "fail" and program not in with_failure:
            count.failed += 1
        elif not (reported / f"{program}.json").exists():
            count.passed += 1
    return count


def counted(results: Path, name: str) -> Count:
    if name == "ctest":
        return of_ctest(results)
    count = Count()
    if (results / f"{name}.xml").exists():
        count.add(of_junit(results / f"{name}.xml"))
    if (results / f"{name}.count").exists():
        count.add(of_counts(results / f"{name}.count"))
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--has-failure", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.has_failure:
        return 0 if counted(arguments.results, arguments.has_failure).failed else 1
    names = {path.stem for path in arguments.results.glob("*.xml")} | {
        path.stem for path in arguments.results.glob("*.count")
    }
    total = Count()
    for name in sorted(names | {"ctest"}):
        total.add(counted(arguments.results, name))
    line = f"{total.passed} passed, {total.failed} failed"
    print(line + (f", {total.skipped} skipped" if total.skipped else ""))
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
