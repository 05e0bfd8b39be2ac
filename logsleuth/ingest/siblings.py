from collections.abc import Sequence

from logsleuth.ingest.labels import label
from logsleuth.model.origin import PathLabel, Source


def labels(sources: Sequence[Source]) -> list[PathLabel]:
    return [source.label or label(source.path) for source in sources]
