"""The command ``logsleuth``: its subcommands, and how every failure becomes a sentence and an exit status."""

import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import click

from logsleuth import __version__
from logsleuth.cli import exits, output
from logsleuth.cli.analyze import analyze
from logsleuth.cli.beside import beside
from logsleuth.cli.collect import collect
from logsleuth.cli.dumps import dumps
from logsleuth.cli.explain import explain
from logsleuth.cli.inspect import inspect
from logsleuth.cli.preflight import preflight
from logsleuth.cli.rules import rules
from logsleuth.cli.run import run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="logsleuth", message="%(prog)s %(version)s")
def commands() -> None:
    """Find the cause of a failed distributed training job in its logs.

    \b
      logsleuth analyze logs/         read what a job left behind
      logsleuth inspect logs/         see what is there, before any rule is asked
      logsleuth run -- torchrun ...   run a job, and read along
      logsleuth preflight             look at this node before a job starts
      logsleuth collect logs/         logs and state of this node in one archive
    """


commands.add_command(analyze)
commands.add_command(inspect)
commands.add_command(run)
commands.add_command(beside)
commands.add_command(preflight)
commands.add_command(collect)
commands.add_command(dumps)
commands.add_command(rules)
commands.add_command(explain)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line (that of the process where ``arguments`` is None) and exits with its status."""
    sys.exit(_status_of(arguments))


def _status_of(arguments: Sequence[str] | None) -> int:
    try:
        status = commands.main(arguments, prog_name="logsleuth", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return exits.NO_ANSWER
    except (click.Abort, KeyboardInterrupt):
        return exits.INTERRUPTED
    except output.UnwritableError as error:
        return error.status
    except MemoryError:
        output.say(
            "there is too little memory; nothing was analysed. Let this process use more of it, read fewer logs at a "
            "time, or use fewer processes (--jobs 1)."
        )
        return exits.NO_ANSWER
    except OSError as error:
        output.say(
            f"{_place(error)}{error.strerror or error}; nothing was analysed. Mend that, or leave it out of the paths."
        )
        return exits.NO_ANSWER
    except Exception as error:
        from logsleuth.language.messages import RulesError

        if isinstance(error, RulesError):
            return output.bad_rules(error)
        traceback.print_exc()
        output.say(
            "this is a defect of logsleuth and says nothing about the job. Please report it with the lines above."
        )
        return exits.DEFECT
    return status if isinstance(status, int) else exits.NOTHING_WRONG


def _place(error: OSError) -> str:
    name = error.filename
    return f"{name.decode(errors='replace') if isinstance(name, bytes) else name}: " if name is not None else ""
