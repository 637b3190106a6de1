"""The second try: an object whose types do not all fit becomes a record of those fields that do."""

from __future__ import annotations

import types
import typing
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec

from waterglass.schema.records import RawRecord, is_degraded
from waterglass.schema.times import time_ms


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


@cache
def _variants(hint: Any) -> tuple[Any, ...]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return typing.get_args(hint)
    return (hint,)


def record_from(value: dict[str, Any]) -> tuple[RawRecord, bool]:
    """Return the record made of `value` and whether it is degraded: some known field had to be left out, or more."""
    record, lost = _fields(value, RawRecord)
    return record, lost or is_degraded(record)


def _fields(value: dict[str, Any], kind: Any) -> tuple[Any, bool]:
    kept: dict[str, Any] = {}
    lost = False
    for name, hint in _hints(kind).items():
        if name not in value:
            continue
        fitted, missed = _fit(value[name], hint)
        if missed and name == "timestamp" and kind is RawRecord:
            fitted, missed = _moment(value[name])
        lost = lost or missed
        if fitted is not None:
            kept[name] = fitted
    return kind(**kept), lost


def _moment(value: Any) -> tuple[datetime | None, bool]:
    """A time in one of the forms that the strict reader does not take: a number, or a text of another form."""
    ms = time_ms(value)
    if ms is None:
        return None, value is not None
    return datetime.fromtimestamp(ms / 1000, UTC), False


def _fit(value: Any, hint: Any) -> tuple[Any, bool]:
    """Return `value` as `hint` wants it (None where nothing fits) and whether anything was lost."""
    variants = _variants(hint)
    if value is None:
        return None, type(None) not in variants and hint is not Any
    try:
        return msgspec.convert(value, hint), False
    except (msgspec.ValidationError, RecursionError):
        pass
    if isinstance(value, float) and value.is_integer():
        try:  # 1.0 and 1e3 are whole numbers, however they are written
            return msgspec.convert(int(value), hint), False
        except msgspec.ValidationError:
            return None, True
    for variant in variants:
        if isinstance(value, dict) and isinstance(variant, type) and issubclass(variant, msgspec.Struct):
            return _fields(value, variant)
        if isinstance(value, list) and typing.get_origin(variant) is list:
            (inner,) = typing.get_args(variant)
            items = [_fit(item, inner) for item in value]
            empty = type(None) in _variants(inner)  # else what is left of an item that does not fit is nothing
            return [item for item, _ in items if item is not None or empty], any(lost for _, lost in items)
    return None, True
