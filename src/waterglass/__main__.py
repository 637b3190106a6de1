"""`python -m waterglass`."""

from __future__ import annotations

from waterglass.cli.main import main

if __name__ == "__main__":
    main()
