"""One module per rule; a module that is here is found, there is no list to keep."""
