"""``logsleuth rules new``."""

import click


@click.command()
def new() -> int:
    return 0
