"""A slow second opinion on transcripts, written from the contract with the standard library alone.

It shares no line with `waterglass`, so that agreement of the two means something. Nothing here is quick or bounded in
memory: it loads whole sessions and walks them several times.

    python -m tests.independent ROOT...      statistics over every session below the roots
"""
