"""How a log whose text is made of records becomes plain lines."""
