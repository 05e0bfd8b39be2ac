"""Which words in front of a line may be the name of a host, of a role, or of a pod?"""

import re

_NO_NAME = re.compile(
    rb"(?!gpu(?:0\d|\d{3}))(?:rank|ranks|step|epoch|iter|iteration|batch|micro|layer|block|stage|phase|line|fold|expert|shard|part|chunk|split|"
    rb"item|test|case|run|trial|exp|round|try|attempt|version|gpu|cuda|cpu|dev|device|tensor|param|group|loss|acc|top|lr|beta|"
    rb"mlx|eth|ib|fp|bf|int|uint|float|sha|md|utf|sm|python|py|torch|nccl|lib[a-z]*|slurmstepd|[a-z])[-_]?\d*(?:\.so[.\d]*|\.py)?"
)
"""Words that stand with a number before a colon, or in brackets, and name neither a host nor a torchrun role. No GPU
has a number of three digits, or one filled with zeros: such a name (``gpu003``, ``gpu187``) is a host's."""
_MACHINE = re.compile(rb".*[_-]|(?:.*[_-])?(?:node|host|server|machine|compute)")


def may_be_host(name: bytes) -> bool:
    """Whether a name with a digit in it may be a host rather than a metric, a setting or a file."""
    if name.replace(b".", b"").isdigit():
        return name.count(b".") == 3
    return not name.isdigit() and not _NO_NAME.fullmatch(name)


def may_be_role(name: bytes) -> bool:
    """Whether a word may be a role of torchrun's, which its tags join with a local rank. ``[node-7]: `` has none."""
    return not _NO_NAME.fullmatch(name) and not _MACHINE.fullmatch(name)
