"""Where simulated jobs lie while the tests of promises run."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("simulated")
