"""`on failure` over HTTP and from several runs at once: the story arrives once, whatever the receiver answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import jsonschema
import pytest
from run_cases import CLOCK, FACES, ROOT, Answer, open_face

LANDING = "Description: Orders as sent.\nLanding: in/*.csv\nFormat: csv\n"
CONTRACT = """Description: One row per order.
Owner: Sales data team
From: bronze.raw
Primary key: order_id
Schema:
  order_id: string
"""


class Receiver:
    """Keeps what is posted to it; answers with one status."""

    def __init__(self) -> None:
        self.status = 204
        self.stories: list[dict[str, object]] = []
        kept = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/failed?to=us" and self.headers["Content-Type"] == "application/json"
                kept.stories.append(json.loads(body))
                self.send_response(kept.status)
                self.end_headers()

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


def make_project(project: Path, port: int) -> None:
    tables = project / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    (tables / "bronze.raw.yml").write_text(LANDING)
    (tables / "silver.orders.yml").write_text(CONTRACT)
    (project / "tenter.yml").write_text(f'on failure: {{post: "http://127.0.0.1:{port}/failed?to=us"}}\n')
    (project / "in").mkdir()
    (project / "in" / "a.csv").write_text('order_id\nA1\n""\n')


def run_all(project: Path, face: str, *calls: list[str]) -> list[Answer]:
    opened = open_face(face, project)
    try:
        return [opened.run([*call, "--json"]) for call in calls]
    finally:
        opened.close()


@pytest.mark.parametrize("face", FACES)
def test_a_post_arrives_once_with_the_whole_story(face: str, tmp_path: Path, receiver: Receiver) -> None:
    make_project(tmp_path, receiver.server.server_port)
    load = ["load", "silver.orders"]
    landed = ["load", "bronze.raw", "--batch", "day-1"]
    answers = run_all(tmp_path, face, ["init", "--test-clock", CLOCK], landed, load, load)
    assert [answer.exit for answer in answers] == [0, 0, 1, 1]
    assert len(receiver.stories) == 1
    schema = json.loads((ROOT / "docs" / "on-failure.schema.json").read_text())
    jsonschema.validate(receiver.stories[0], schema)
    story = receiver.stories[0]
    assert (story["table"], story["batch"], story["gate"]) == ("silver.orders", "day-1", "gate.reject_ratio")
    assert story["rejects"] == {"missing.order_id": 1} and story["owner"] == "Sales data team"
    (tmp_path / ".tenter" / "control.db").unlink()
    assert run_all(tmp_path, face, ["batches"], load)[1].exit == 1
    assert len(receiver.stories) == 2, "without its notes the home takes the failure for a new one"


@pytest.mark.parametrize("face", FACES)
def test_an_answer_of_500_is_a_warning(face: str, tmp_path: Path, receiver: Receiver) -> None:
    make_project(tmp_path, receiver.server.server_port)
    receiver.status = 500
    load = ["load", "silver.orders"]
    answers = run_all(tmp_path, face, ["init", "--test-clock", CLOCK], ["load", "bronze.raw"], load, load)
    assert [answer.exit for answer in answers] == [0, 0, 1, 1]
    assert [error["code"] for error in json.loads(answers[2].stdout)["errors"]] == ["gate.reject_ratio"]
    assert "answered with status 500; it is not tried again" in answers[2].stderr
    assert "answered" not in answers[3].stderr
    assert len(receiver.stories) == 1


def test_runs_at_once_tell_once(tmp_path: Path, receiver: Receiver) -> None:
    make_project(tmp_path, receiver.server.server_port)
    run_all(tmp_path, "cli", ["init", "--test-clock", CLOCK], ["load", "bronze.raw"], ["build"])
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda _: run_all(tmp_path, "cli", ["load", "silver.orders"])[0], range(4)))
    assert all(answer.exit == 1 for answer in ended), [answer.told() for answer in ended]
    assert len(receiver.stories) == 1
