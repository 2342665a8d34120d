"""Positions of every tag, reference and script in HTML, CSS and JavaScript."""
