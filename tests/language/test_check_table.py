"""What the checker finds in tables of events."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.program import fields_of

GOOD = 'header "load.gpu" column "index" as index:int column "load.gpu" as load:percent'


def error_of(clauses: str) -> str:
    with pytest.raises(RulesError) as caught:
        compile_texts({"x.sleuth": f"event e.e {{ {clauses} }}"})
    (message,) = caught.value.messages
    return f"{message.code}: {message.text}"


@pytest.mark.parametrize(
    ("clauses", "error"),
    [
        (f"table {{ {GOOD} }}", "LS214: 'e.e' has a table, of whose rows only some are looked at"),
        (f'frequent table separated by ", " {{ {GOOD} }}', "LS214: ', ' separates no columns"),
        (f'frequent table separated by "x" {{ {GOOD} }}', "LS214: 'x' separates no columns"),
        ('frequent table { column "load" as load:percent }', "LS209: a table of 'e.e' has no header"),
        ('frequent table { header "lo" column "load" as load:percent }', "LS210: the header 'lo' has fewer than 4"),
        ('frequent table { header "load" column "name" as name:text }', "LS214: no column of the table of 'e.e' is a"),
        ('frequent table { header "load" column "load" as load:share }', "LS206: unknown type 'share'"),
        ('frequent table { header "load" column "load" as "{load:int" }', "LS212: a lone '{'"),
        ('frequent table { header "load" column "load" as "load" }', "LS214: the cells of 'load' give no field"),
        ('frequent table { header "load" column "load", "load" as x:int }', "LS205: the column 'load' is declared a second"),
        (f'frequent table {{ {GOOD} needs "pid" }}', "LS202: the table has no column 'pid'"),
        (f"frequent series speed table {{ {GOOD} }}", "LS202: 'e.e' has no field 'speed'"),
        (f"frequent about gpu {{number}} table {{ {GOOD} }}", "LS202: 'e.e' has no field 'number'"),
        (f"frequent table {{ {GOOD} row }}", "LS101: 'row' was not expected here; expected `column`, `header`, `needs` or `}`"),
    ],
)  # fmt: skip
def test_each_error(clauses: str, error: str) -> None:
    assert error_of(clauses).startswith(error)


def test_columns_give_fields() -> None:
    text = f'event e.e {{ frequent table {{ {GOOD} column "Time" as stamp column "ID" as "GPU {{gpu:int}} of {{n:int}}" }} }}'
    event = compile_texts({"x.sleuth": text}).events["e.e"]
    assert fields_of(event) == {"index": "int", "load": "percent", "gpu": "int", "n": "int"}
    assert [(table.separator, table.headers, table.needs) for table in event.tables] == [("", ("load.gpu",), ())]
