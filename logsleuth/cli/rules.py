"""``logsleuth rules``: the commands for people who read and write rules."""

import click

from logsleuth.cli.on_demand import CommandsOnDemand

_PLACES = {
    "check": "logsleuth.cli.rules_check:check",
    "format": "logsleuth.cli.rules_format:format_rules",
    "list": "logsleuth.cli.rules_list:list_rules",
    "new": "logsleuth.cli.rules_new:new",
    "show": "logsleuth.cli.rules_show:show",
    "test": "logsleuth.cli.rules_test:test",
    "trace": "logsleuth.cli.rules_trace:trace",
}


@click.group(cls=CommandsOnDemand, places=_PLACES, short_help="List, show, begin, check and test rules.")
def rules() -> None:
    """List, show, begin, check, lay out and test rules: the shipped ones and your own."""
