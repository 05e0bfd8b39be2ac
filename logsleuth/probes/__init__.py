"""What can be asked of a node without harm, and what did it answer? Tools, files and facts, as text with a header."""
