"""The commands `mcpapps` and `mcpapps-cli`, and `python -m mcpapps_cli`."""

import gc

# What is imported stays: looking for garbage in between is a tenth of the time it takes.
gc.disable()

from mcpapps_cli.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
