"""`python -m mcpapps_cli`."""

from mcpapps_cli.cli import main

main()
