"""One measured run of a program: wall and CPU seconds, and the largest peak memory in its process tree."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import threading
import time
from pathlib import Path


@dataclasses.dataclass
class Measured:
    wall_s: float
    cpu_s: float
    peak_mb: float  # the largest VmHWM of one process of the tree

    def plus(self, other: Measured) -> Measured:
        return Measured(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s, max(self.peak_mb, other.peak_mb))


class PeakWatch(threading.Thread):
    """Looks at VmHWM and CPU time of a process and its descendants until it is told to stop."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.peak_kb = 0
        self.ticks: dict[int, int] = {}  # CPU time of each process when last seen
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.02):
            self.look()

    def look(self) -> None:
        waiting = [self.root]
        while waiting:
            process = waiting.pop()
            try:
                status = Path(f"/proc/{process}/status").read_text("ascii", "replace")
                times = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
                self.ticks[process] = int(times[11]) + int(times[12])
                for task in Path(f"/proc/{process}/task").iterdir():
                    waiting += [int(child) for child in (task / "children").read_text("ascii").split()]
            except OSError:  # it ended meanwhile
                continue
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    self.peak_kb = max(self.peak_kb, int(line.split()[1]))


def run(command: list[str | Path], folder: Path, environment: dict[str, str] | None = None) -> Measured:
    """Fails with the program's own words when it fails."""
    output = folder / ".output"
    with output.open("wb") as sink:
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | (environment or {}), stdout=sink, stderr=subprocess.STDOUT
        )
        watch = PeakWatch(process.pid)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        watch.over.set()
        watch.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command} ended with {process.returncode}\n{output.read_text('utf-8', 'replace')[-4000:]}")
    peak_kb = max(watch.peak_kb, usage.ru_maxrss)
    # A process that nobody waited for (Spark's) is only in what was seen.
    seen_s = sum(watch.ticks.values()) / os.sysconf("SC_CLK_TCK")
    return Measured(wall, max(usage.ru_utime + usage.ru_stime, seen_s), peak_kb / 1024)
