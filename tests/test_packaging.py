"""What pyproject.toml asks for can be had, and CI installs what it allows."""

import tomllib
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REQUIREMENTS = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
EXTRAS = [Requirement(text) for texts in PROJECT["project"]["optional-dependencies"].values() for text in texts]
BUILD = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
PINNED = {
    canonicalize_name(name): version
    for name, _, version in (
        line.strip().partition("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
}

PLATFORMS = [
    ("linux", "x86_64"),
    ("linux", "aarch64"),
    ("linux", "ppc64le"),
    ("darwin", "x86_64"),
    ("darwin", "arm64"),
    ("win32", "AMD64"),
    ("win32", "ARM64"),
    ("freebsd14", "amd64"),
]
NO_HYPERSCAN = {("linux", "ppc64le"), ("win32", "ARM64"), ("freebsd14", "amd64")}


@pytest.mark.parametrize(
    ("platform", "implementation", "version"), list(product(PLATFORMS, ["cpython", "pypy"], ["3.11", "3.14", "3.16"]))
)
def test_every_machine_gets_one_scanner(platform: tuple[str, str], implementation: str, version: str) -> None:
    environment = {
        "sys_platform": platform[0],
        "platform_machine": platform[1],
        "implementation_name": implementation,
        "python_version": version,
    }
    asked = {r.name for r in REQUIREMENTS if r.marker is None or r.marker.evaluate(environment)}
    is_plain = implementation == "cpython" and version != "3.16" and platform not in NO_HYPERSCAN
    assert asked & {"hyperscan", "ahocorasick_rs"} == {"hyperscan" if is_plain else "ahocorasick_rs"}


@pytest.mark.parametrize("requirement", [*REQUIREMENTS, *EXTRAS, *BUILD], ids=str)
def test_what_ci_installs_is_allowed(requirement: Requirement) -> None:
    assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)])
