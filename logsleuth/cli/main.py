"""The command ``logsleuth``: its subcommands, and how every failure becomes a sentence and an exit status."""

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from logsleuth import __version__
from logsleuth.cli import exits, output
from logsleuth.cli.on_demand import CommandsOnDemand

RARELY = (200_000, 50, 50)
"""For ``gc.set_threshold``: what is read is kept or dropped, and hardly ever in circles, so that looking for garbage
all the time would cost a tenth of a reading, and of a start."""

_PLACES = {
    "analyze": "logsleuth.cli.analyze:analyze",
    "beside": "logsleuth.cli.beside:beside",
    "collect": "logsleuth.cli.collect:collect",
    "dumps": "logsleuth.cli.dumps:dumps",
    "explain": "logsleuth.cli.explain:explain",
    "inspect": "logsleuth.cli.inspect:inspect",
    "preflight": "logsleuth.cli.preflight:preflight",
    "rules": "logsleuth.cli.rules:rules",
    "run": "logsleuth.cli.run:run",
}


@click.group(cls=CommandsOnDemand, places=_PLACES, context_settings={"help_option_names": ["-h", "--help"]})
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


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line (that of the process where ``arguments`` is None) and exits with its status."""
    gc.set_threshold(*RARELY)
    status = _status_of(arguments)
    if arguments is None:
        gc.freeze()  # What is left goes with the process: looking for garbage in it would only take time.
    sys.exit(status)


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
        import traceback

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
