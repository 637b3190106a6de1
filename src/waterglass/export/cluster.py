"""A Dask cluster as a crew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from waterglass.crew import ROOM, Crew
from waterglass.errors import WaterglassError
from waterglass.remote import failed, shown


@contextmanager
def dask(address: str) -> Iterator[Crew]:
    """A crew of the workers of a Dask cluster. Raises WaterglassError where there is none."""
    try:
        from distributed import Client
    except ImportError as error:
        raise WaterglassError(
            "Dask's `distributed` is not installed", shown(address), "pip install 'waterglass[dask]'"
        ) from error
    try:
        client = Client(address, set_as_default=False)
    except Exception as error:  # a wrong address is a ValueError, one where nobody answers an OSError
        raise failed("cannot reach the Dask cluster", address, error) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise WaterglassError("the Dask cluster has no worker", shown(address), "dask worker ADDRESS")
        yield Crew(client.get_executor, max(ROOM, 2 * threads), own=False)  # it goes with the client
