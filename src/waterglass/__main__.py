"""The program: `waterglass`, and `python -m waterglass`."""

from __future__ import annotations


def main() -> None:
    """Run the command line of this process and exit."""
    try:
        from waterglass.cli.main import main as run
    except KeyboardInterrupt:  # while the modules are loaded, when nobody else answers it yet
        import os

        os._exit(130)
    run()


if __name__ == "__main__":
    main()
