"""Remembers what expressions of a rule came to, so that each is worked out once for each member, or once for all."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Lets, Scope
from logsleuth.engine.subject import GroupKey, Member
from logsleuth.language import syntax as s

Values = Sequence[object] | None


class _Place(NamedTuple):
    node: int
    member: Member | None
    attempt: int
    of_member: Member | None
    group: GroupKey | None


class Worth(NamedTuple):
    values: Values
    consulted: tuple[Sighting, ...]
    """The occurrences that the values were taken from."""


class Memory:
    """Keeps values by expression, member and scope; the nodes of a program live as long as it does."""

    def __init__(self) -> None:
        self._worth: dict[_Place, Worth] = {}
        self._depends: dict[int, bool] = {}

    def recall(self, node: s.Node, scope: Scope, member: Member | None, work_out: Callable[[], Worth]) -> Worth:
        """What the expression is worth to the member in the scope."""
        group = scope.group.key if scope.group is not None else None
        place = _Place(id(node), member, scope.attempt, scope.member, group)
        worth = self._worth.get(place)
        if worth is None:
            worth = self._worth[place] = work_out()
        return worth

    def depends_on_member(self, node: s.Node | None, lets: Lets) -> bool:
        """Whether the expression may be worth something else to each member."""
        if node is None:
            return False
        if id(node) not in self._depends:
            self._depends[id(node)] = self._asked(node, lets)
        return self._depends[id(node)]

    def _asked(self, node: s.Node, lets: Lets) -> bool:
        match node:
            case s.Value() | s.Values() | s.Attribute() | s.Members() | s.Together():
                return False
            case s.Field():
                let = lets.get(node.name)
                return isinstance(let, s.Let) and self.depends_on_member(let.value, lets)
            case s.Call():
                if node.function.startswith("peers.") or node.function == "outlier":
                    return True
                given = (*node.arguments, *(value for _, value in node.options))
                return any(self.depends_on_member(item, lets) for item in given)
            case s.Operation():
                return self.depends_on_member(node.left, lets) or self.depends_on_member(node.right, lets)
            case s.Not():
                return self.depends_on_member(node.item, lets)
            case s.AllOf() | s.AnyOf():
                return any(self.depends_on_member(item, lets) for item in node.items)
        return True
