"""Conditions written from their nodes."""

from dataclasses import fields, is_dataclass

from logsleuth.language import syntax as s
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.spelled import spelled
from tests.small_jobs import EVENTS, program, rule


def bare(node: object) -> object:
    """A node without places and without the text that it was read from."""
    if isinstance(node, s.Clause):
        return bare(node.condition)
    if isinstance(node, s.Value) and isinstance(node.value, int | float):
        return "value", node.unit, float(node.value)
    if is_dataclass(node):
        return type(node).__name__, *(bare(getattr(node, one.name)) for one in fields(node) if one.name != "at")
    return tuple(map(bare, node)) if isinstance(node, tuple) else node


def written(original: s.Rule, name: str) -> str:
    """A rule of the same conditions, written from its nodes."""
    when = [f"let {spelled(c)}" if isinstance(c, s.Let) else f"when {spelled(c.condition)}" for c in original.when]
    others = [f"needs {spelled(c.condition)}" for c in original.needs] + [
        f"unless {spelled(c.condition)}" for c in original.unless
    ]
    scope = f"for each {original.scope}" if original.scope != "attempt" else ""
    clauses = "\n".join([scope, *when, *others])
    return f'rule {name} "Again." {{ severity error cause killed {clauses}\nverdict "x" }}\n'


def test_what_is_written_from_nodes_reads_as_the_same_nodes() -> None:
    texts = read_rules([shipped_rules()])
    rules = compile_texts(texts, tests=False).rules
    again = "".join(written(one, f"again.{name.replace('.', '_')}") for name, one in rules.items())
    compiled = compile_texts({**texts, "again.sleuth": again}, tests=False).rules
    for name, original in rules.items():
        other = compiled[f"again.{name.replace('.', '_')}"]
        for clause, twin in zip(
            (*original.when, *original.needs, *original.unless), (*other.when, *other.needs, *other.unless), strict=True
        ):
            assert bare(clause) == bare(twin), spelled(clause)


def test_a_condition_is_spelled_as_an_author_writes_it() -> None:
    conditions = (
        "at least 2 ranks has a.hang[ms > 5 min] as x then no a.echo[rank == x.rank] within 30 s",
        "(seen a.fall or no a.slip) and not seen a.echo",
        "count(ranks) - 1 > 2 * count(x)",
    )
    clauses = " ".join(f"when {condition}" for condition in conditions)
    compiled = program(EVENTS, rule("r.x", clauses)).rules["r.x"]
    told = [spelled(clause.condition) for clause in compiled.when if isinstance(clause, s.Clause)]
    assert told == list(conditions)
