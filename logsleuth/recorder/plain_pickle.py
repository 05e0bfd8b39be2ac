"""Reads a pickle of nothing but plain values: dictionaries, lists, tuples, texts, numbers, None, true and false.

Pickles are programs: those of the ``pickle`` module may call anything. Here is no instruction that names or calls
something; a file that has one is refused. What a file can make us hold is bounded by its size. Keys are texts and
numbers only: the hash of a tuple costs as much as all that it holds, and what is shared in it many times.
"""

import struct

MOST_STEPS = 16_000_000
"""Instructions of a file: a recorder of 20,000 entries takes some 3 million."""
_DEEPEST = 64
"""Values that are open at once inside each other; a dump has 6."""
_LONGEST_NUMBER = 64
"""Bytes of an integer."""

_PROTO, _FRAME, _STOP = 0x80, 0x95, 0x2E
_u16 = struct.Struct("<H").unpack_from
_i32 = struct.Struct("<i").unpack_from
_u32 = struct.Struct("<I").unpack_from
_u64 = struct.Struct("<Q").unpack_from
_f64 = struct.Struct(">d").unpack_from


class NotPlainError(ValueError):
    """Why a pickle is not read, as a part of a sentence."""


def load(data: bytes, most_steps: int = MOST_STEPS) -> object:
    """The value that the pickle holds. Raises NotPlainError for what is not plain, damaged, cut short or too much."""
    try:
        return _Machine(data, most_steps).run()
    except (IndexError, struct.error):
        raise NotPlainError("it ends in the middle, as it does where a process was killed while it wrote") from None
    except (TypeError, ValueError, AttributeError, OverflowError, KeyError) as error:
        if isinstance(error, NotPlainError):
            raise
        raise NotPlainError("it is damaged") from None


class _Machine:
    """The stack of a pickle, and what it has given a number for later use."""

    def __init__(self, data: bytes, most_steps: int) -> None:
        self._data, self._left = data, most_steps
        self._stack: list[object] = []
        self._below: list[list[object]] = []
        """The stacks that wait beneath the marks."""
        self._memo: dict[int, object] = {}

    def run(self) -> object:
        data, memo, stack = self._data, self._memo, self._stack
        at = 0
        for _ in range(self._left):
            code = data[at]
            at += 1
            # The commonest first: what this loop costs is what reading a dump costs.
            if code == 0x68:  # BINGET
                stack.append(memo[data[at]])
                at += 1
            elif code == 0x71:  # BINPUT
                memo[data[at]] = stack[-1]
                at += 1
            elif code == 0x4B:  # BININT1
                stack.append(data[at])
                at += 1
            elif code == 0x58:  # BINUNICODE
                length = _u32(data, at)[0]
                at += 4 + length
                stack.append(self._text(at - length, at))
            elif code in _CONSTANTS:
                stack.append(_CONSTANTS[code])
            elif code == 0x5D:  # EMPTY_LIST
                stack.append([])
            elif code in (0x65, 0x75):  # APPENDS, SETITEMS
                self._gather(code)
                stack = self._stack
            elif code == 0x28:  # MARK
                if len(self._below) >= _DEEPEST:
                    raise NotPlainError("its values are nested too deeply")
                self._below.append(stack)
                stack = self._stack = []
            elif code == 0x6A:  # LONG_BINGET
                stack.append(memo[_u32(data, at)[0]])
                at += 4
            elif code == 0x72:  # LONG_BINPUT
                memo[_u32(data, at)[0]] = stack[-1]
                at += 4
            elif code == 0x94:  # MEMOIZE
                memo[len(memo)] = stack[-1]
            elif code == _STOP:
                if len(stack) != 1 or self._below:
                    raise NotPlainError("it is damaged")
                return stack[0]
            else:
                at = self._seldom(code, at)
                stack = self._stack
        raise NotPlainError("it holds more than any flight recorder does")

    def _seldom(self, code: int, at: int) -> int:
        """Does what an instruction asks that is not among the commonest; gives the place of the next one."""
        if code in _BUILDS:
            self._build(code)
            return at
        if code in _NUMBERS:
            size, unpack = _NUMBERS[code]
            self._stack.append(unpack(self._data, at)[0])
            return at + size
        if code in (_PROTO, _FRAME):
            return at + (1 if code == _PROTO else 8)
        if code in (0x8A, 0x8B):  # LONG1, LONG4
            length, at = (self._data[at], at + 1) if code == 0x8A else (_u32(self._data, at)[0], at + 4)
            if length > _LONGEST_NUMBER:
                raise NotPlainError("it holds a number of more digits than anything here counts")
            self._stack.append(int.from_bytes(self._bytes(at, at + length), "little", signed=True))
            return at + length
        if code in (0x8C, 0x8D):  # SHORT_BINUNICODE, BINUNICODE8
            length, at = (self._data[at], at + 1) if code == 0x8C else (_u64(self._data, at)[0], at + 8)
            self._stack.append(self._text(at, at + length))
            return at + length
        raise NotPlainError(
            f"it holds more than plain values (instruction 0x{code:02x}), and what it would run is not run"
        )

    def _build(self, code: int) -> None:
        stack = self._stack
        if code == 0x7D:  # EMPTY_DICT
            stack.append({})
        elif code == 0x29:  # EMPTY_TUPLE
            stack.append(())
        elif code == 0x30:  # POP
            stack.pop()
        elif code in (0x85, 0x86, 0x87):  # TUPLE1, TUPLE2, TUPLE3
            count = code - 0x84
            if len(stack) < count:
                raise NotPlainError("it is damaged")
            stack[-count:] = [tuple(stack[-count:])]
        elif code == 0x61:  # APPEND
            value = stack.pop()
            _list(stack).append(value)
        elif code == 0x73:  # SETITEM
            value, key = stack.pop(), stack.pop()
            if type(key) not in (str, int):
                raise NotPlainError("a key in it is neither a text nor a number")
            _dict(stack)[key] = value
        else:
            self._gather(code)

    def _gather(self, code: int) -> None:
        """Takes what stands above the last mark."""
        if not self._below:
            raise NotPlainError("it is damaged")
        values, stack = self._stack, self._below.pop()
        self._stack = stack
        if code == 0x65:  # APPENDS
            _list(stack).extend(values)
        elif code == 0x6C:  # LIST
            stack.append(values)
        elif code == 0x74:  # TUPLE
            stack.append(tuple(values))
        else:  # SETITEMS, DICT
            if code == 0x64:
                stack.append({})
            target, keys = _dict(stack), values[::2]
            if {*map(type, keys)} <= {str, int} and len(values) % 2 == 0:
                target.update(zip(keys, values[1::2], strict=True))
            else:
                raise NotPlainError("a key in it is neither a text nor a number")

    def _bytes(self, start: int, end: int) -> bytes:
        if end > len(self._data):
            raise IndexError
        return self._data[start:end]

    def _text(self, start: int, end: int) -> str:
        return self._bytes(start, end).decode("utf-8", "replace")


_CONSTANTS: dict[int, object] = {0x4E: None, 0x88: True, 0x89: False}
_BUILDS = {0x7D, 0x29, 0x30, 0x85, 0x86, 0x87, 0x61, 0x73, 0x6C, 0x74, 0x64}
_NUMBERS = {0x4A: (4, _i32), 0x4D: (2, _u16), 0x47: (8, _f64)}
"""BININT, BININT2, BINFLOAT."""


def _list(stack: list[object]) -> list[object]:
    if isinstance(stack[-1], list):
        return stack[-1]
    raise NotPlainError("it is damaged")


def _dict(stack: list[object]) -> dict[object, object]:
    if isinstance(stack[-1], dict):
        return stack[-1]
    raise NotPlainError("it is damaged")
