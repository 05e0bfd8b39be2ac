"""Options that say who reads: this machine, or a cluster."""

from collections.abc import Callable
from functools import partial, wraps

import click

from logsleuth.cli import output


def engine_options(command: Callable[..., object]) -> Callable[..., object]:
    """``--engine`` and ``--scheduler``, together as the parameter reads (``drivers.reading.Reads``; None: this
    process)."""

    @wraps(command)
    def told(*, engine: str | None, scheduler: str | None, **others: object) -> object:
        if engine == "local" and scheduler is not None:
            raise click.UsageError("--scheduler names a cluster, and --engine local reads here. Leave out one of them.")
        if engine != "dask" and scheduler is None:
            return command(reads=None, **others)
        from logsleuth.drivers.cluster import read_on_cluster

        return command(reads=partial(read_on_cluster, scheduler=scheduler, say=output.say), **others)

    wished: Callable[..., object] = told
    for option in (
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Have the workers of this dask scheduler read: tcp://HOST:PORT, or the file that it wrote (*.json).",
        ),
        click.option(
            "--engine",
            type=click.Choice(("local", "dask")),
            help="Who reads: this machine (the default), or workers of dask, started here or named by --scheduler.",
        ),
    ):
        wished = option(wished)
    return wished
