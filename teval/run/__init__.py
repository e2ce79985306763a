"""One run: its settings, its folder, asking the model, scoring the answers."""
