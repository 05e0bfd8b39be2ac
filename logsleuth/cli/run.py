"""``logsleuth run``."""

import os
import signal
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from logsleuth.cli import exits, options, output, progress
from logsleuth.cli.live import passed_on_options
from logsleuth.report.printable import printable

if TYPE_CHECKING:
    from logsleuth.drivers.beside import Beside
    from logsleuth.drivers.run import Outcome

_STDERR = 2


@click.command(
    context_settings={"allow_interspersed_args": False}, short_help="Run a command, and say what went wrong with it."
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the copy of the output in DIR, however the command ends.",
)
@click.option("--always", is_flag=True, help="Report even when the command ends well.")
@options.analysis_options(*options.FORMATS)
@passed_on_options
def run(
    command: tuple[str, ...],
    log_dir: Path | None,
    always: bool,
    output_format: str,
    rules: tuple[str, ...],
    no_local_rules: bool,
    follower: tuple[str, ...] | None,
) -> int:
    """Run COMMAND, and say what went wrong when it ends badly.

    Its output passes through untouched and its exit status is passed on; the report goes to stderr. A copy of the
    output is kept in a temporary folder, and removed when the command ends well.

    With --follow, say on stderr what goes wrong while it runs; with --exit-on, stop it then.
    """
    if not command:
        raise click.UsageError(
            "no COMMAND is given, so there is nothing to run. For example:\n"
            "  logsleuth run -- torchrun --nproc-per-node 8 train.py"
        )
    if os.name != "posix":
        raise click.UsageError(
            "run needs a POSIX system. Keep the output in a file and give that to `logsleuth analyze`."
        )
    from logsleuth.drivers import run as driver
    from logsleuth.language.library import load
    from logsleuth.language.messages import RulesError

    try:
        load(rules, not no_local_rules)
    except RulesError as errors:
        # Told before the command starts: after it, hours may have gone by.
        output.emit(f"{errors}\n", sys.stderr)
        return exits.NO_ANSWER
    try:
        beside = (
            None if follower is None else _beside((*follower, f"--format={output_format}"), rules, not no_local_rules)
        )
        outcome = driver.run(command, log_dir, beside)
    except driver.StartError as error:
        output.say(str(error))
        return error.status
    try:
        _tell(outcome, always, log_dir is not None, output_format, rules, not no_local_rules)
    except (output.UnwritableError, KeyboardInterrupt):
        return outcome.status  # Nobody wants to hear more.
    return outcome.status


def _beside(words: tuple[str, ...], rules: tuple[str, ...], local_rules: bool) -> "Beside":
    """Who follows the command; ``words`` are options for that."""
    from logsleuth.drivers.beside import Beside

    of_rules = [f"--rules={path}" for path in rules] + ["--no-local-rules"] * (not local_rules)
    return Beside([*words, *of_rules], _say_at_once)


def _say_at_once(sentence: str) -> None:
    """A sentence to stderr while the command runs; what became of stderr is for its own output to find out."""
    with suppress(OSError):
        os.write(_STDERR, f"logsleuth: {printable(sentence, 'ascii')}\n".encode("ascii", "backslashreplace"))


def _tell(
    outcome: "Outcome", always: bool, keep: bool, output_format: str, rules: tuple[str, ...], local_rules: bool
) -> None:
    """Reports where that is wanted, and says where the output is or removes it."""
    for trouble in outcome.troubles:
        output.say(trouble)
    if not (outcome.ended_badly or always):
        if not keep:
            outcome.copy.discard()
        return
    logs = [str(path) for path in (outcome.copy.path, *outcome.run_folders) if path is not None]
    if not logs:
        output.say(f"{_ending(outcome)}, and there is no copy of its output to look at")
        return
    if outcome.was_stopped:
        # What it said behind that is an effect of the stop.
        output.say(f"{_ending(outcome)}, behind the verdict that is told above")
    else:
        output.say(f"{_ending(outcome)}; reading what it said")
        _report(logs, outcome.ended_badly, output_format, rules, local_rules)
    output.say(f"the output is in {' '.join(logs)}")


def _report(logs: list[str], ended_badly: bool, output_format: str, rules: tuple[str, ...], local_rules: bool) -> None:
    """Analyses and shows; whatever fails here is told and does not touch the command's exit status."""
    from logsleuth.drivers.batch import analyze
    from logsleuth.language.messages import RulesError

    try:
        with progress.following(False) as follow:
            analysis = analyze(logs, rules=rules, local_rules=local_rules, follow=follow)
        if ended_badly and output_format == "terminal" and not any(one.severity.fails for one in analysis.verdicts):
            output.say("nothing in the output says why")
            if all(one.is_note for one in analysis.verdicts):
                # The report would open with the word that nothing is wrong.
                for note in analysis.verdicts:
                    output.say(f"worth knowing: {note.summary} ({note.rule})")
                return
        output.emit("\n", sys.stderr)
        output.show(analysis, output_format, sys.stderr)
        output.emit("\n", sys.stderr)
    except RulesError as errors:
        output.emit(f"{errors}\n", sys.stderr)
    except OSError as error:
        output.say(f"the output could not be read again: {error}")
    except output.UnwritableError:
        raise
    except Exception:
        output.emit(traceback.format_exc(), sys.stderr)
        output.say("this is a defect of logsleuth and says nothing about the command. Please report the lines above.")


def _ending(outcome: "Outcome") -> str:
    if outcome.signal is not None:
        return f"the command was ended by {_signal_name(outcome.signal)}"
    return f"the command ended with exit status {outcome.status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # A real-time signal.
        return f"signal {number}"
