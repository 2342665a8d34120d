"""One module per command: it calls services, prints through the console, returns a status."""
