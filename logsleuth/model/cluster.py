"""What is wrong with a cluster that is to read logs."""


class ClusterError(Exception):
    """The cluster cannot be read with; ``str()`` is a sentence that says why, and what to do."""
