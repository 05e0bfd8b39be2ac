"""What there is to read, opened and handed on in newline-aligned chunks of bytes."""
