"""Puts arguments in the place of the parameters of a definition: trees for trees, never text for text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from logsleuth.language import syntax as s
from logsleuth.language.messages import Message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SCOPE_NAMES = frozenset(("ranks", "hosts", "gpus"))
"""Bare names that stand for members everywhere."""
_JOB = "job."
_Tree = TypeVar("_Tree", bound="DataclassInstance")


class MisfitError(Exception):
    """An argument that does not fit where the definition puts it; ``message`` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


def rebuilt(node: _Tree, change: Callable[[Any], Any], at: s.Place | None = None) -> _Tree:
    """The node with its parts changed, and moved to a place where one is given; names and values stay."""
    changed: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        new = at if at is not None and field.name == "at" else _changed(value, change)
        if new is not value:
            changed[field.name] = new
    return replace(node, **changed) if changed else node


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(item, change) for item in value)
    return change(value) if is_dataclass(value) and not isinstance(value, s.Place) else value


def parts(node: object, without: tuple[type, ...] = ()) -> Iterator[Any]:
    """The nodes of a tree, itself first, but for those of some types with all beneath them; a tree that stands in it
    twice comes twice."""
    todo = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            todo += item
        elif is_dataclass(item) and not isinstance(item, (s.Place, *without)):
            yield item
            todo += [getattr(item, field.name) for field in fields(item)]


def event_of(node: s.Reference | s.Mention, is_event: Callable[[str], bool]) -> str:
    """The event whose fields the filter of a reference or mention may name."""
    name = node.event if isinstance(node, s.Reference) else node.name
    for known in (name, name.removeprefix(_JOB)):
        if is_event(known):
            return known
        if isinstance(node, s.Mention) and is_event(known.rpartition(".")[0]):
            return known.rpartition(".")[0]
    return name


class Substitution:
    """One call of a definition: its body with the arguments in place, all of it where the call stands."""

    def __init__(
        self,
        called: s.Definition,
        arguments: tuple[s.Node, ...],
        at: s.Place,
        lets: frozenset[str],
        is_event: Callable[[str], bool],
        in_filter: bool,
    ) -> None:
        self._called, self._at, self._lets, self._is_event = called, at, lets, is_event
        self._arguments: Mapping[str, s.Node] = dict(zip((p for p, _ in called.parameters), arguments, strict=True))
        self._in_filter = in_filter
        self.asked: list[s.Place] = []
        """Arguments of which the definition asks more than a value: to be an event, to have a field."""

    def body(self, node: s.Node) -> s.Node:
        """The body; raises MisfitError where an argument cannot stand for its parameter."""
        changed = self._visit(node, "")
        assert isinstance(changed, s.Node)
        return changed

    def _visit(self, node: Any, event: str) -> Any:
        match node:
            case s.Parameter():
                return self._argument(node, event)
            case s.Field() if event and node.name in self._lets:
                text = f"'{node.name}' is a field of '{event}' in '{self._called.name}', and a let of this rule"
                raise self._misfit(text, "Call the let otherwise.")
            case s.Reference() if node.event in self._arguments:
                return self._event(node)
            case s.Together() if node.binding in self._arguments:
                return replace(node, binding=self._name(node.binding, "a binding"), at=self._at)
            case s.Members() if node.of in self._arguments:
                return replace(node, of=self._name(node.of, "a binding or a set"), at=self._at)
            case s.Values() if node.name in self._arguments:
                return replace(node, name=self._name(node.name, "a list"), at=self._at)
            case s.Reference() | s.Mention():
                inner = event_of(node, self._is_event)
                return rebuilt(node, lambda part: self._visit(part, inner), self._at)
            case s.Members():
                return rebuilt(node, lambda part: self._visit(part, ""), self._at)
        return rebuilt(node, lambda part: self._visit(part, event), self._at)

    def _argument(self, node: s.Parameter, event: str) -> s.Node:
        if not node.name:
            return node
        argument = self._arguments[node.name]
        if event and self._in_filter and (name := _bare_field(argument, self._lets)):
            text = f"'{name}' is a field of another event where '{self._called.name}' asks for '{node.name}'"
            raise self._misfit(text, f"It stands in a filter of '{event}' there; name it with `let` first.")
        if not node.field:
            return argument
        if isinstance(argument, s.Field | s.Mention):
            self.asked.append(argument.at)
        match argument:
            case s.Field():
                return s.Mention(f"{argument.name}.{node.field}", None, argument.at)
            case s.Mention():
                return s.Mention(f"{argument.name}.{node.field}", argument.filter, argument.at)
            case s.Parameter(field=""):
                return s.Parameter(argument.name, node.field, argument.at)
        raise self._misfit(f"'{node.name}' must be an event or a binding with a field '{node.field}'")

    def _event(self, node: s.Reference) -> s.Reference:
        argument = self._arguments[node.event]
        match argument:
            case s.Mention():
                self.asked.append(argument.at)
                return s.Reference(argument.name, self._filters(node, argument), argument.at)
            case s.Parameter(field=""):
                return s.Reference(argument.name, self._filters(node, None), self._at)
        raise self._misfit(f"'{node.event}' must be an event, with or without a filter")

    def _filters(self, node: s.Reference, argument: s.Mention | None) -> s.Node | None:
        """What the definition asks of the event, and what its argument does."""
        own = None if node.filter is None else self._visit(node.filter, argument.name if argument else node.event)
        given = argument.filter if argument else None
        return s.AllOf((given, own)) if given is not None and own is not None else given or own

    def _name(self, parameter: str, what: str) -> str:
        argument = self._arguments[parameter]
        if isinstance(argument, s.Field) or (isinstance(argument, s.Parameter) and not argument.field):
            return argument.name
        raise self._misfit(f"'{parameter}' must be the name of {what}")

    def _misfit(self, text: str, remedy: str = "") -> MisfitError:
        said = f"It says: {self._called.told}."
        return MisfitError(Message("LS227", self._at, text, f"{remedy} {said}".strip()))


def _bare_field(node: object, lets: frozenset[str]) -> str:
    """A field of the event at hand of which the tree speaks, or nothing; filters of its own speak of theirs."""
    for item in parts(node, without=(s.Reference, s.Mention, s.Members)):
        if isinstance(item, s.Field) and item.name not in lets and item.name not in SCOPE_NAMES:
            return item.name
    return ""
