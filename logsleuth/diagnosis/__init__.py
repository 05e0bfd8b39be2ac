"""From cases to verdicts: which are causes, which are only their echoes, and in what order to tell them."""
