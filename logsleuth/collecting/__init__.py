"""How the logs and the state of a node come into one archive that can be read elsewhere."""
