"""A few histories of every shape; `./dev sim` plays 2,000."""

from __future__ import annotations

import random

import histories
from twin import shapes


def test_the_shapes_are_all_that_a_document_may_have() -> None:
    assert len(shapes()) == 14


def test_histories_end_as_the_twin_says() -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    failures = histories.run(3 * len(shapes()), seed)
    assert not failures, "\n\n".join(failures)
