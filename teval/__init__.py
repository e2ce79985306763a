"""teval tells which ability makes a language model fail at using tools."""

__version__ = "0.1.0"
