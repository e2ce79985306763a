"""The command line: one short file a verb, over :mod:`teval.api`."""

from teval.cli.app import main

__all__ = ["main"]
