"""Streams that stand in for a terminal or a pipe."""

from io import BytesIO, TextIOWrapper


class Paper(TextIOWrapper):
    """What a report is written for: of any encoding, a terminal or not."""

    def __init__(self, encoding: str = "utf-8", *, is_terminal: bool = False) -> None:
        super().__init__(BytesIO(), encoding=encoding)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal
