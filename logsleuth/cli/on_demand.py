"""A group of commands of which each is imported when somebody asks for it: most runs ask for one."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class CommandsOnDemand(click.Group):
    """A group whose commands stand in modules of their own."""

    def __init__(self, *, places: Mapping[str, str], **attributes: Any) -> None:
        """``places`` has by the name of a command its module and the name in it: ``logsleuth.cli.rules_new:new``."""
        super().__init__(**attributes)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        place = self._places.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command
