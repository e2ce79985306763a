"""The table of verbs, and how a command ends."""

from __future__ import annotations

import errno
import functools
from collections.abc import Callable, Sequence
from typing import Annotated, ParamSpec

import typer

from teval import __version__
from teval.cli.agree import agree
from teval.cli.arena import arena
from teval.cli.build import build
from teval.cli.compare import compare
from teval.cli.e2e import e2e
from teval.cli.export import export
from teval.cli.generate import generate
from teval.cli.import_ import import_paths
from teval.cli.lint import lint
from teval.cli.model import get_model
from teval.cli.noise import noise
from teval.cli.replay import replay
from teval.cli.report import report
from teval.cli.run import run
from teval.cli.score import score
from teval.cli.show import show
from teval.cli.slice import slice_cases
from teval.cli.sweep import sweep
from teval.cli.transcript import transcript
from teval.errors import TevalError

REFUSED = 2
"""Exit code where the person has to change something first."""
STOPPED = 130
"""Exit code after Ctrl-C, as shells have it."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""How the system says that nothing more can be written."""

Words = ParamSpec("Words")


def ending(verb: Callable[Words, None]) -> Callable[Words, None]:
    """Return the verb with one line instead of a traceback for all that the person can act on."""

    @functools.wraps(verb)
    def guarded(*args: Words.args, **kwargs: Words.kwargs) -> None:
        try:
            verb(*args, **kwargs)
        except TevalError as error:
            typer.echo(f"error: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(REFUSED) from error
        except OSError as error:
            if error.errno not in FULL:
                raise
            what = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
            typer.echo(
                f"error: no room on the disk ({what}); make some and give the same command again:"
                " what was answered is kept",
                err=True,
            )
            raise typer.Exit(REFUSED) from error
        except KeyboardInterrupt as error:
            typer.echo("stopped; run the same command again to go on", err=True)
            raise typer.Exit(STOPPED) from error

    return guarded


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"teval {__version__}")
        raise typer.Exit


def _teval(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Tell which ability makes a language model fail at using tools."""


def _assemble() -> typer.Typer:
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_teval)
    app.command("run")(ending(run))
    app.command("sweep")(ending(sweep))
    app.command("slice")(ending(slice_cases))
    app.command("generate")(ending(generate))
    app.command("score")(ending(score))
    app.command("report")(ending(report))
    app.command("compare")(ending(compare))
    app.command("noise")(ending(noise))
    app.command("show")(ending(show))
    app.command("transcript")(ending(transcript))
    app.command("e2e")(ending(e2e))
    app.command("arena")(ending(arena))
    app.command("agree")(ending(agree))
    app.command("export")(ending(export))
    app.command("import")(ending(import_paths))
    app.command("build")(ending(build))
    app.command("lint")(ending(lint))
    app.command("replay")(ending(replay))
    models = typer.Typer(no_args_is_help=True, help="Fetch models that need no hub.")
    models.command("get")(ending(get_model))
    app.add_typer(models, name="model")
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process.

    The exit code is 0; 1 where the engine left requests unanswered; 2 where a setting, file or
    package has to be changed first, told in one line; 130 after Ctrl-C.

    Args:
        arguments: The words after ``teval``; those of the process where None.
    """
    _assemble()(args=arguments)
