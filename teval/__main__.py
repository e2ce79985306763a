"""``python -m teval`` is the same as the command ``teval``."""

from teval.cli import main

# Engines may start processes that import the main module again; those must not run the command.
if __name__ == "__main__":
    main()
