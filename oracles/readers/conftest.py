from __future__ import annotations

from collections.abc import Iterator

import orders_counts
import pytest
from spark_reader import Spark, find_spark
from story import Story, tell


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return tell(tmp_path_factory.mktemp("story"))


@pytest.fixture(scope="session")
def model() -> dict[int, orders_counts.Day]:
    return dict(enumerate(orders_counts.all_days(), 1))


@pytest.fixture(scope="session")
def spark() -> Iterator[Spark]:
    found = find_spark()
    if isinstance(found, str):
        pytest.skip(f"Spark was NOT asked: {found}")
    with Spark(*found) as session:
        yield session
