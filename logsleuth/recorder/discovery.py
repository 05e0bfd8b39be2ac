"""What is there to read, dumps of flight recorders told as lines?"""

from collections.abc import Sequence

from logsleuth.ingest.discover import Discovery, discover
from logsleuth.ingest.kinds import RECORDER


def discovered(paths: Sequence[str]) -> Discovery:
    """What the paths name, with a source of lines in place of every dump; see ``with_dumps_told``."""
    found = discover(paths)
    if not any(source.format == RECORDER for source in found.sources):
        return found
    from logsleuth.recorder.sources import with_dumps_told  # Most calls name no dump, and a start is short.

    return with_dumps_told(found)
