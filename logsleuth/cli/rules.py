"""``logsleuth rules``: the commands for people who read and write rules."""

import click

from logsleuth.cli.rules_check import check
from logsleuth.cli.rules_list import list_rules
from logsleuth.cli.rules_test import test
from logsleuth.cli.rules_trace import trace


@click.group()
def rules() -> None:
    """List, check and test rules: the shipped ones and your own."""


for _command in (list_rules, check, test, trace):
    rules.add_command(_command)
