"""What a project says of itself: its scope, its checks, its state files, its limits."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from waterglass.errors import WaterglassError

THRESHOLD = 3
DENSITY_WARN = 10.0


class Settings(Struct, frozen=True):
    """The choices that metrics take; all have defaults."""

    scope: tuple[str, ...] = ()
    """Patterns of the files that the work was to touch, by the rules of a .gitignore; empty: no scope."""
    threshold: int = THRESHOLD
    """So many times the same call with the same result is a loop; at least 2."""
    state_files: tuple[str, ...] = ()
    """Patterns of state files in place of the usual names; `*` takes no slash, case does not matter."""
    verify: tuple[str, ...] = ()
    """A project's own checks: shell commands by their first words, each with `*` and `?`."""
    density_warn: float = DENSITY_WARN
    """More edits per passing check than this are worth a warning."""
    plugins: bool = True
    """Metrics of third parties, where some are installed, are measured too."""


_LISTS = {"scope": "scope", "state_files": "state_files", "state-files": "state_files", "verify": "verify"}


def settings_of(given: Mapping[str, object]) -> Settings:
    """Return the settings that a decoded `[tool.waterglass]` or `waterglass.toml` holds; other keys are not looked at.

    Keys: `scope`, `state_files`, `verify` (a text or a list of texts), `threshold` (a whole number from 2 on),
    `density_warn` (a number above 0), `plugins` (true or false). Raises WaterglassError, which names the key, for a
    value of another type.
    """
    found: dict[str, tuple[str, ...]] = {}
    for key, name in _LISTS.items():
        if key in given:
            found[name] = _texts(key, given[key])
    threshold = given.get("threshold", THRESHOLD)
    if isinstance(threshold, bool) or not isinstance(threshold, int) or threshold < 2:
        raise WaterglassError(f"threshold must be a whole number from 2 on, not {threshold!r:.80}")
    warn = given.get("density_warn", given.get("density-warn", DENSITY_WARN))
    if isinstance(warn, bool) or not isinstance(warn, int | float) or not 0 < warn < 1e9:
        raise WaterglassError(f"density_warn must be a number above 0, not {warn!r:.80}")
    plugins = given.get("plugins", True)
    if not isinstance(plugins, bool):
        raise WaterglassError(f"plugins must be true or false, not {plugins!r:.80}")
    return Settings(threshold=threshold, density_warn=float(warn), plugins=plugins, **found)


def _texts(key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return tuple(str(one) for one in value)
    raise WaterglassError(f"{key} must be a text or a list of texts, not {value!r:.80}")
