"""What is installed is what was tested: the lock files hold every dependency, with hashes, and agree."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from packaging.requirements import Requirement

from tests.house.source import CHECKOUT

PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ;[^\\\n]*)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M)


def project() -> dict[str, Any]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(name: str) -> dict[str, str]:
    text = (CHECKOUT / "requirements" / name).read_text(encoding="utf-8")
    found = PIN.findall(text)  # a package may stand twice, for two versions of Python
    assert len(found) == len(re.findall(r"^\S+==", text, re.M)), "a pin without hashes"
    return {package: version for package, version, _ in found}


def unmet(texts: list[str], found: dict[str, str]) -> list[str]:
    asked = [Requirement(text) for text in texts]
    return [str(a) for a in asked if a.name not in found or not a.specifier.contains(found[a.name])]


def group(name: str) -> list[str]:
    texts: list[str] = []
    for entry in project()["dependency-groups"][name]:
        texts += [entry] if isinstance(entry, str) else group(entry["include-group"])
    return texts


def test_the_run_lock_holds_what_the_package_asks_for_and_what_installs_it() -> None:
    assert unmet([*project()["project"]["dependencies"], *group("install")], pins("run.txt")) == []


def test_the_development_lock_holds_every_group_and_the_run_lock_as_it_is() -> None:
    assert unmet(group("dev"), pins("dev.txt")) == []
    assert pins("run.txt").items() <= pins("dev.txt").items()


def test_the_lock_of_the_site_holds_its_group_and_agrees_with_the_run_lock() -> None:
    site, run = pins("docs.txt"), pins("run.txt")
    assert unmet(group("docs"), site) == []
    assert {name: site[name] for name in site.keys() & run.keys()}.items() <= run.items()


def test_each_run_time_dependency_has_its_reason_in_the_docs() -> None:
    page = (CHECKOUT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    names = [Requirement(text).name for text in project()["project"]["dependencies"]]
    assert [name for name in names if f"\n| {name} | " not in page] == []
