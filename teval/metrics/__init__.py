"""Pure metrics: plain values in, floats out; nothing else of teval is imported here."""
