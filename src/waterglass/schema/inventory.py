"""What was observed as one document, for `--json` and for the terminal's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waterglass.model import Coverage
from waterglass.schema.confirmed import confirm
from waterglass.schema.names import BLOCK_TYPES, RECORD_TYPES
from waterglass.schema.observed import Observed
from waterglass.schema.tally import Tally


def inventory(
    observed: Observed, coverage: Coverage, partial_tails: int, semantic: Mapping[str, int]
) -> dict[str, Any]:
    """Return the document. Counts are over all lines as they stand, copies included; `share` is of the kind's count.

    `versions` are null where no record names one; a record that names none has the version written before it in its
    file. `…LeftOut` counts what came after there was room for no further name. `semantic` as for `confirm`.
    """
    everything = observed.everything
    return {
        "bytes": coverage.bytes,
        "physicalLines": coverage.physical_lines,
        "blankLines": coverage.blank_lines,
        "records": coverage.records,
        "skippedLines": coverage.skipped_lines,
        "recoveredRecords": coverage.recovered_records,
        "repairedRecords": coverage.repaired_records,
        "degradedRecords": coverage.degraded_records,
        "partialTails": partial_tails,
        "versions": _versions(everything),
        "confirmed": [
            {"wanted": row.wanted, "fields": row.fields, "confirmed": row.confirmed, "counts": row.counts}
            for row in confirm(observed, semantic)
        ],
        "recordTypes": [
            {"type": name, "subtype": sub, "known": name in RECORD_TYPES, **_tally(tally), **_keys(tally)}
            for (name, sub), tally in observed.kinds.ranked()
        ],
        "recordTypesLeftOut": observed.kinds.left_out,
        "blocks": [
            {"in": holder, "type": name, "known": name in BLOCK_TYPES, **_tally(tally), **_keys(tally)}
            for (holder, name), tally in observed.blocks.ranked()
        ],
        "blocksLeftOut": observed.blocks.left_out,
        "resultContents": [{"form": form, **_tally(tally)} for form, tally in observed.result_forms.ranked()],
        "resultContentsLeftOut": observed.result_forms.left_out,
        "isError": dict(observed.is_error),
        "tools": [{"name": name, **_tally(tally)} for name, tally in observed.tools.ranked()],
        "toolsLeftOut": observed.tools.left_out,
        "unknownRecordTypes": observed.unknown_records,
        "unknownBlockTypes": observed.unknown_blocks,
    }


def _versions(tally: Tally) -> dict[str, str | None]:
    return {"first": tally.first_version, "last": tally.last_version}


def _tally(tally: Tally) -> dict[str, Any]:
    return {"count": tally.count, "files": tally.files, "versions": _versions(tally)}


def _keys(tally: Tally) -> dict[str, Any]:
    ranked = tally.keys.most_common()
    keys = [{"name": name, "count": count, "share": round(count / tally.count, 4)} for name, count in ranked]
    return {"keys": keys, "keysLeftOut": tally.keys_left_out}
