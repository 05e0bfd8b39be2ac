"""``logsleuth rules``: the commands for people who read and write rules."""

import click

from logsleuth.cli.rules_check import check
from logsleuth.cli.rules_format import format_rules
from logsleuth.cli.rules_list import list_rules
from logsleuth.cli.rules_new import new
from logsleuth.cli.rules_show import show
from logsleuth.cli.rules_test import test
from logsleuth.cli.rules_trace import trace


@click.group(short_help="List, show, begin, check and test rules.")
def rules() -> None:
    """List, show, begin, check, lay out and test rules: the shipped ones and your own."""


for _command in (list_rules, show, new, check, format_rules, test, trace):
    rules.add_command(_command)
