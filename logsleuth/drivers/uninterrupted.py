"""Preloaded by the workers that we start: Ctrl-C in a terminal reaches them too, and it is for us to end them."""

import signal


def dask_setup(_worker: object) -> None:
    """Called by dask in each worker when it begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
