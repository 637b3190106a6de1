"""The one document that page, report, `--json` and library share: `head` without rows, `rows` nested or as a
`table`."""

from __future__ import annotations

from waterglass.payload.head import payload_head
from waterglass.payload.listing import listing_fields
from waterglass.payload.nested import RowState, fields_of, nested_rows, row_fields, row_states, write_payload
from waterglass.payload.overview import overview_rows
from waterglass.payload.table import rows_from_table, table_from_rows
from waterglass.schema.json import encode

__all__ = [
    "RowState",
    "encode",
    "fields_of",
    "listing_fields",
    "nested_rows",
    "overview_rows",
    "payload_head",
    "row_fields",
    "row_states",
    "rows_from_table",
    "table_from_rows",
    "write_payload",
]
