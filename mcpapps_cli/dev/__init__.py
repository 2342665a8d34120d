"""The dev loop: a server behind a stage, reloaded when a file changes."""
