"""Guards a child process of the tests: Python imports this by itself from a folder on PYTHONPATH."""

from no_outside import install

install()
